/**
 * An operation is retried, and turns to another commit on the way: what failed before says nothing about that one.
 * test/incidents/SB02-left-over-of-the-attempt-before.
 */
import { describe, expect, it } from 'vitest';
import { A, B, beginning, C, type Moment, type Shape, tell, verdictOf } from './world.ts';

const timeAt = (seconds: number): string => new Date(beginning + seconds * 1000).toISOString();

/** An operation that began at 50 and has failed so often, last at `at`; null: an attempt runs. */
function attempt(revision: string, retryCount: number, at: number | null, message = 'denied'): Shape {
  const resources = [{ kind: 'ConfigMap', name: 'shop', namespace: 'shop', status: 'SyncFailed', message }];
  return {
    target: revision,
    sync: 'OutOfSync',
    operation: {
      phase: 'Running',
      message: at === null ? 'Sync operation blocked by sync window' : message,
      startedAt: timeAt(50),
      finishedAt: at === null ? undefined : timeAt(at),
      retryCount,
      syncResult: { revision: at === null ? '' : revision, source: {}, resources },
    },
  };
}

const entries = { dev: ['Progressing', B] } as const;
const refused: readonly Moment[] = [
  { at: 52, push: B, apps: { dev: attempt(B, 1, 51) }, entries },
  { at: 60, apps: { dev: attempt(B, 2, 59) } },
];
const takenBack: Moment = { at: 90, push: A, apps: { dev: { ...attempt(A, 2, null), sync: 'Synced' } } };
const wellAgain: Moment = { ...takenBack, apps: { dev: { ...attempt(A, 2, 59), sync: 'Synced' } } };

describe('an operation that failed on one commit and turned to another', () => {
  it('has failed on the first', () => {
    expect(verdictOf(tell(refused))).toEqual(['failed', 'sync-failed']);
  });

  it('has failed once on the second, however often it failed before', () => {
    const once: Moment = { at: 101, push: C, apps: { dev: attempt(C, 3, 100) } };
    expect(verdictOf(tell([...refused, wellAgain, once]))[0]).toBe('in-progress');
    const twice: Moment = { at: 121, apps: { dev: attempt(C, 4, 120) } };
    const answer = tell([...refused, wellAgain, once, twice]);
    expect(verdictOf(answer)).toEqual(['failed', 'sync-failed']);
    expect(answer.at(-1)?.rollout.reasons[0]?.value).toBe('2 failed attempts');
    expect(answer.at(-1)?.failure?.bad).toEqual([C]);
  });

  it('is remembered so over a restart', () => {
    const once: Moment = { at: 101, push: C, apps: { dev: attempt(C, 3, 100) }, isRestarted: true };
    expect(verdictOf(tell([...refused, wellAgain, once]))[0]).toBe('in-progress');
  });
});

describe('an attempt that a window held', () => {
  const held: Moment = { at: 110, push: C, apps: { dev: attempt(C, 2, null) } };
  const over: Shape = attempt(C, 3, 119);
  const ended: Shape = { ...over, operation: { ...over.operation, phase: 'Failed', retryCount: 2 } };

  it('says nothing of its commit with the results of the one before it, not even at its end', () => {
    for (const shape of [over, ended])
      expect(verdictOf(tell([...refused, takenBack, held, { at: 120, apps: { dev: shape } }]))[0]).not.toBe(
        'failed',
      );
  });

  it('says nothing with the results of the operation before it either', () => {
    const ill = [
      { kind: 'ConfigMap', name: 'shop', namespace: 'shop', status: 'Synced', message: 'back-off' },
    ];
    const first: Shape = attempt(C, 0, null);
    const syncResult = { revision: '', source: {}, resources: ill };
    const began: Moment = {
      at: 60,
      push: C,
      apps: { dev: { ...first, operation: { ...first.operation, syncResult } } },
      entries,
    };
    const failed: Moment = { at: 80, apps: { dev: attempt(C, 1, 79) } };
    const seen = [{ at: 0 }, began, failed];
    expect(verdictOf(tell(seen, { syncAttempts: 1 }))[0]).not.toBe('failed');
    const { operation } = attempt(C, 1, null);
    const retried: Shape = {
      ...first,
      operation: { ...operation, message: 'Retrying operation. Attempt #1' },
    };
    const answers = tell(
      [...seen, { at: 90, apps: { dev: retried } }, { at: 100, apps: { dev: attempt(C, 2, 99) } }],
      { syncAttempts: 1 },
    );
    expect(verdictOf(answers)).toEqual(['failed', 'sync-failed']);
  });

  it('is judged by the attempts after it', () => {
    const running = { ...attempt(C, 3, null).operation, message: 'Retrying operation. Attempt #3' };
    const next: Moment = { at: 125, apps: { dev: { ...over, operation: running } } };
    const failed = [
      { at: 131, apps: { dev: attempt(C, 4, 130) } },
      { at: 132, apps: { dev: { ...over, operation: { ...running, retryCount: 4 } } } },
      { at: 151, apps: { dev: attempt(C, 5, 150) } },
    ];
    const answers = tell([...refused, takenBack, held, { at: 120, apps: { dev: over } }, next, ...failed]);
    expect(verdictOf(answers)).toEqual(['failed', 'sync-failed']);
    expect(answers.at(-1)?.failure?.bad).toEqual([C]);
  });
});
