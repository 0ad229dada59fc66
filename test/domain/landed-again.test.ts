/**
 * A bad change is taken back, and somebody lands the same once more: it has the same contents, and is another commit.
 * test/incidents/SB04-landed-again.
 */
import { describe, expect, it } from 'vitest';
import { A, B, beginning, C, D, type Moment, type Shape, tell } from './world.ts';

const timeAt = (seconds: number): string => new Date(beginning + seconds * 1000).toISOString();

/** An operation that has failed so often, last at `at`. */
function refusing(revision: string, startedAt: number, retryCount: number, at: number): Shape {
  const resources = [
    { kind: 'ConfigMap', name: 'shop', namespace: 'shop', status: 'SyncFailed', message: 'denied' },
  ];
  return {
    target: revision,
    sync: 'OutOfSync',
    operation: {
      phase: 'Running',
      message: 'denied',
      startedAt: timeAt(startedAt),
      finishedAt: timeAt(at),
      retryCount,
      syncResult: { revision, source: {}, resources },
    },
  };
}

const contents = { [A]: 'good', [B]: 'bad', [C]: 'good', [D]: 'bad' };
const first: readonly Moment[] = [
  { at: 52, push: B, apps: { dev: refusing(B, 50, 1, 51) } },
  { at: 60, apps: { dev: refusing(B, 50, 2, 59) } },
];
/** Synced again, but what it has been well with is not there for long enough to call it recovered. */
const takenBack: Moment = {
  at: 90,
  push: C,
  apps: { dev: { target: C, health: 'Progressing', healthSince: 90 } },
};
const again = (isRestarted: boolean): readonly Moment[] => [
  { at: 102, push: D, apps: { dev: refusing(D, 100, 1, 101) } },
  { at: 110, apps: { dev: refusing(D, 100, 2, 109) }, isRestarted },
];
const badOf = (moments: readonly Moment[]): readonly string[] | null =>
  tell(moments, {}, { contents }).at(-1)?.failure?.bad ?? null;

describe('the same change, landed again after it was taken back', () => {
  it('fails on its first landing at first', () => {
    expect(badOf(first)).toEqual([B]);
  });

  it('fails on its second landing, before and after a restart', () => {
    expect(badOf([...first, takenBack, ...again(false)])).toEqual([D]);
    expect(badOf([...first, takenBack, ...again(true)])).toEqual([D]);
  });

  it('keeps its name while it fails without a break, also when a later commit has the same contents', () => {
    const later = { at: 70, push: D, apps: { dev: refusing(D, 50, 3, 69) } };
    expect(badOf([...first, later])).toEqual([B]);
    expect(badOf([...first, { ...later, isRestarted: true }])).toEqual([B]);
  });
});
