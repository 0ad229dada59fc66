/** Which commit is blamed for what was ill before it came, and to what what breaks late goes back. */
import { describe, expect, it } from 'vitest';
import { A, B, C, type Moment, tell, verdictOf } from './world.ts';

const healthy: Moment = { at: 0 };

describe('a sync that fails', () => {
  const ill = { health: 'Degraded', healthSince: 90 };
  const failedOn = (status: string): readonly Moment[] => {
    const applied = { kind: 'ConfigMap', name: 'shop', status, hookPhase: 'Failed', message: 'OOMKilled' };
    const operation = {
      phase: 'Failed',
      message: 'one or more synchronization tasks completed unsuccessfully',
      startedAt: '2026-01-01T00:01:40Z',
      finishedAt: '2026-01-01T00:01:44Z',
      syncResult: { revision: B, resources: [applied] },
    };
    return [
      healthy,
      { at: 91, apps: { dev: ill } },
      { at: 105, push: B, apps: { dev: { ...ill, target: B, sync: 'OutOfSync', operation } } },
    ];
  };

  it('is nobody’s failure when all was applied and is as ill as it was before', () => {
    expect(verdictOf(tell(failedOn('Synced')))).toEqual(['sick', 'unhealthy-before-the-change']);
  });

  it('is one all the same when something was refused', () => {
    expect(verdictOf(tell(failedOn('SyncFailed')))).toEqual(['failed', 'sync-failed']);
  });
});

describe('what breaks after it was Healthy', () => {
  const ran = (secondAt: number, ...more: readonly (readonly [string, number])[]) =>
    [[A, 0], [B, secondAt], ...more] as readonly (readonly [string, number])[];
  const lastGoodAfter = (secondAt: number): unknown => {
    const third = ran(secondAt, [C, 130]);
    const answers = tell([
      healthy,
      { at: secondAt + 1, apps: { dev: { target: B, history: ran(secondAt) } } },
      { at: 131, apps: { dev: { target: C, history: third } } },
      { at: 151, apps: { dev: { target: C, history: third, health: 'Degraded', healthSince: 150 } } },
      { at: 170 },
    ]);
    expect(verdictOf(answers)).toEqual(['failed', 'degraded-after-healthy']);
    return answers.at(-1)?.failure?.lastGood?.revisions;
  };

  it('goes back to what was Healthy before it, for however short a time', () => {
    expect(lastGoodAfter(110)).toEqual([B]);
  });

  it('goes back to a commit whose own bake time was over', () => {
    expect(lastGoodAfter(60)).toEqual([B]);
  });
});
