/**
 * Short stories about one ApplicationSet: each begins with everything Healthy on commit A. What the recordings do not
 * show, or show only once, is told here.
 */
import { describe, expect, it } from 'vitest';
import { findCulprit } from '../../src/domain/culprit.ts';
import { revertStance } from '../../src/domain/stance.ts';
import { A, B, beginning, C, D, tell, verdictOf } from './world.ts';

const healthy = { at: 0 };
const waiting = { staging: ['Waiting', B], prod: ['Waiting', B] } as const;

describe('an edit of the template', () => {
  const edited = { path: 'apps/next', deployedPaths: ['apps/shop'] };
  const deployed = {
    path: 'apps/next',
    deployedPaths: ['apps/shop', 'apps/next'],
    history: [
      [A, 0],
      [A, 105],
    ],
  } as const;

  it('is on its way while it waits for its turn, although the commit is the same', () => {
    const answers = tell([
      healthy,
      {
        at: 100,
        apps: { dev: { ...edited, comparedPath: 'apps/next', sync: 'OutOfSync' } },
        entries: { dev: ['Waiting'] },
      },
    ]);
    expect(verdictOf(answers)).toEqual(['in-progress', 'waits-for-its-turn']);
  });

  it('makes an Application sick and blames no commit when it degrades', () => {
    const answers = tell([
      healthy,
      { at: 106, apps: { dev: deployed } },
      { at: 108, apps: { dev: { ...deployed, health: 'Degraded', healthSince: 108 } } },
      { at: 130 },
    ]);
    expect(verdictOf(answers)).toEqual(['sick', 'template-edited']);
    const rollout = answers.at(-1)?.rollout;
    if (rollout === undefined) throw new Error('No answer.');
    expect(revertStance(rollout, null, null)).toEqual({ kind: 'never', why: 'template-edited' });
  });

  it('makes an Application sick and blames no commit when it cannot be synced', () => {
    const failed = {
      ...edited,
      comparedPath: 'apps/next',
      sync: 'OutOfSync',
      operation: {
        phase: 'Failed',
        message: 'one or more objects failed to apply',
        finishedAt: '2026-01-01T00:01:50Z',
        syncResult: {
          revision: A,
          source: { repoURL: 'https://github.com/acme/shop.git', path: 'apps/next' },
        },
      },
    };
    const answers = tell([healthy, { at: 112, apps: { dev: failed }, entries: { dev: ['Progressing'] } }]);
    expect(verdictOf(answers)).toEqual(['sick', 'template-edited']);
  });

  it('together with a commit is a failure for which nobody can be named', () => {
    const both = { ...deployed, target: B, history: [[A, 0] as const, [B, 105] as const] };
    const answers = tell([
      healthy,
      { at: 100, push: B },
      { at: 106, apps: { dev: { ...both, health: 'Degraded', healthSince: 106 } }, entries: waiting },
      { at: 130 },
    ]);
    const failure = answers.at(-1)?.failure ?? null;
    if (failure === null) throw new Error('No failure.');
    expect(findCulprit(failure, [])).toEqual({ kind: 'none', reason: 'template-edited', detail: '' });
  });

  it('that is taken back leaves what was good before as the last good', () => {
    const answers = tell([
      healthy,
      { at: 106, apps: { dev: deployed } },
      { at: 108, apps: { dev: { ...deployed, health: 'Degraded', healthSince: 108 } } },
      { at: 130, apps: { dev: {} } },
      {
        at: 200,
        push: B,
        apps: {
          dev: {
            target: B,
            history: [
              [A, 0],
              [B, 200],
            ],
            health: 'Degraded',
            healthSince: 201,
          },
        },
      },
      { at: 220 },
    ]);
    expect(answers.at(-1)?.failure?.isTemplateEdited).toBe(false);
    expect(answers.at(-1)?.failure?.lastGood?.revisions).toEqual([A]);
  });
});

describe('a stage that cannot end', () => {
  it('is stuck when a requested operation never begins', () => {
    const requested = { target: B, sync: 'OutOfSync', requested: true };
    const moments = [
      healthy,
      { at: 100, apps: { dev: requested }, entries: { ...waiting, dev: ['Pending', B] } },
    ] as const;
    expect(verdictOf(tell([...moments, { at: 110 }]))).toEqual(['in-progress', 'sync-is-coming']);
    expect(tell(moments).at(-1)?.rollout.lookAgainAt).toBe(beginning + 120_000);
    expect(verdictOf(tell([...moments, { at: 120 }]))).toEqual(['stuck', 'operation-never-starts']);
  });

  it('is no matter when the request would change nothing', () => {
    expect(verdictOf(tell([healthy, { at: 100, apps: { dev: { requested: true } } }, { at: 200 }]))).toEqual([
      'ok',
    ]);
  });

  it('is stuck when a sync succeeded and the difference is still there', () => {
    const different = { target: B, sync: 'OutOfSync', history: [[A, 0] as const, [B, 100] as const] };
    const moments = [
      healthy,
      { at: 101, apps: { dev: different }, entries: { ...waiting, dev: ['Progressing', B] } },
    ] as const;
    expect(verdictOf(tell([...moments, { at: 115 }]))[0]).toBe('in-progress');
    expect(verdictOf(tell([...moments, { at: 125 }]))).toEqual(['stuck', 'still-out-of-sync']);
  });

  it('is stuck when a second attempt hangs after one that failed', () => {
    const operation = {
      phase: 'Running',
      startedAt: '2026-01-01T00:01:40Z',
      message: 'one or more objects failed to apply. Retrying attempt #1 at 12:00AM.',
      retryCount: 1,
      syncResult: { revision: B },
    };
    const bad = { target: B, sync: 'OutOfSync' };
    const answers = tell([
      healthy,
      { at: 105, apps: { dev: { ...bad, operation: { ...operation, finishedAt: '2026-01-01T00:01:44Z' } } } },
      {
        at: 110,
        apps: {
          dev: {
            ...bad,
            operation: {
              ...operation,
              finishedAt: undefined,
              message: 'waiting for completion of hook batch/Job/migrate',
            },
          },
        },
      },
      { at: 131 },
    ]);
    expect(verdictOf(answers)).toEqual(['stuck', 'operation-runs-too-long']);
  });

  it('is looked at again when an operation that changes nothing runs and runs', () => {
    const operation = { phase: 'Running', startedAt: '2026-01-01T00:01:40Z', finishedAt: undefined };
    const answers = tell([healthy, { at: 100, apps: { dev: { operation } } }]);
    expect(verdictOf(answers)).toEqual(['ok']);
    expect(answers.at(-1)?.rollout.lookAgainAt).toBe(beginning + 120_000);
  });
});

describe('an operation that failed', () => {
  const operation = {
    phase: 'Failed',
    startedAt: '2026-01-01T00:01:40Z',
    finishedAt: '2026-01-01T00:01:44Z',
    syncResult: { revision: B },
  };
  const at105 = (change: object) => [
    healthy,
    {
      at: 105,
      apps: { dev: { target: B, sync: 'OutOfSync', operation: { ...operation, ...change } } },
      entries: { ...waiting, dev: ['Progressing', B] as const },
    },
  ];

  it('has failed at once when nothing is tried again', () => {
    expect(verdictOf(tell(at105({ message: 'one or more objects failed to apply' })))).toEqual([
      'failed',
      'sync-failed',
    ]);
  });

  it('is blocked when its cluster was not reached', () => {
    const message =
      'ComparisonError: Failed to load live state: failed to get cluster info for "https://x": error synchronizing cache state';
    expect(verdictOf(tell(at105({ message })))).toEqual(['blocked', 'destination-unreachable']);
  });

  it('is blocked when every object says that nobody was reached', () => {
    const message = 'one or more objects failed to apply';
    const refused = {
      kind: 'ConfigMap',
      name: 'x',
      status: 'SyncFailed',
      message:
        'Internal error occurred: failed calling webhook "policy.example.com": connect: connection refused',
    };
    expect(verdictOf(tell(at105({ message, syncResult: { revision: B, resources: [refused] } })))).toEqual([
      'blocked',
      'destination-unreachable',
    ]);
  });

  it('is nobody’s failure when a person ended it after one attempt', () => {
    const failedOnce = {
      phase: 'Running',
      message: 'one or more objects failed to apply. Retrying attempt #1 at 12:00AM.',
      retryCount: 1,
    };
    const [first, second] = at105(failedOnce);
    if (first === undefined || second === undefined) throw new Error('No moments.');
    const ended = {
      ...operation,
      message: 'Operation terminated',
      finishedAt: '2026-01-01T00:01:50Z',
      retryCount: 1,
    };
    const answers = tell([
      first,
      second,
      { at: 111, apps: { dev: { target: B, sync: 'OutOfSync', operation: ended } } },
    ]);
    expect(verdictOf(answers)[0]).toBe('in-progress');
  });
});

describe('a render error', () => {
  const broken = {
    sync: 'Unknown',
    target: 'main',
    conditions: [
      {
        type: 'ComparisonError',
        message: 'Failed to load target state: failed to generate manifest for source 1 of 1: boom',
        lastTransitionTime: '2026-01-01T00:01:40Z',
      },
    ],
  };
  const all = { dev: broken, staging: broken, prod: broken };

  it('belongs to the commit that the branch held when it began', () => {
    const answers = tell([healthy, { at: 99, push: B }, { at: 100, apps: all }, { at: 120 }]);
    expect(verdictOf(answers)[0]).toBe('failed');
    expect(answers.at(-1)?.failure?.bad).toEqual([B]);
    expect(answers.at(-1)?.failure?.lastGood?.revisions).toEqual([A]);
  });

  it('belongs to it as well when the push is heard of a moment later', () => {
    const answers = tell([healthy, { at: 100, apps: all }, { at: 103, push: B }, { at: 120 }]);
    expect(answers.at(-1)?.failure?.bad).toEqual([B]);
  });

  it('that was there long before a commit is not blamed on it', () => {
    const answers = tell([healthy, { at: 100, apps: all }, { at: 150, push: B }, { at: 300 }]);
    expect(verdictOf(answers)).toEqual(['sick', ...Array(3).fill('commit-does-not-explain-render-error')]);
  });

  it('without a new commit is nobody’s', () => {
    expect(verdictOf(tell([healthy, { at: 100, apps: all }, { at: 300 }]))[0]).toBe('sick');
  });
});

describe('what was not seen', () => {
  const degraded = {
    target: B,
    health: 'Degraded',
    healthSince: null,
    history: [[A, 0] as const, [B, 100] as const],
  };

  it('is not concluded when nothing tells with which commit it began', () => {
    const answers = tell([
      { at: 500, apps: { dev: degraded }, entries: { dev: ['Healthy', B] } },
      { at: 600 },
    ]);
    expect(verdictOf(answers)).toEqual(['sick', 'began-before-we-looked']);
  });

  it('is a failure when the rollout itself has not been through with that commit', () => {
    const answers = tell([
      { at: 500, apps: { dev: degraded }, entries: { ...waiting, dev: ['Progressing', B] } },
      { at: 600 },
    ]);
    expect(verdictOf(answers)[0]).toBe('failed');
    expect(answers.at(-1)?.failure?.lastGood?.revisions).toEqual([A]);
  });

  it('counts as lasting until it is seen to have ended', () => {
    const onB = { target: B, history: [[A, 0] as const, [B, 10] as const] };
    const onC = { target: C, history: [...onB.history, [C, 58] as const] };
    const onD = {
      target: D,
      history: [...onC.history, [D, 75] as const],
      health: 'Degraded',
      healthSince: 76,
    };
    const answers = tell([
      healthy,
      { at: 12, push: B, apps: { dev: onB } },
      { at: 20, apps: { dev: { ...onB, health: 'Degraded', healthSince: 20 } } },
      // Nothing was seen for forty seconds, in which B was failing all the time; C puts it right.
      { at: 60, push: C, apps: { dev: { ...onC, healthSince: 60 } } },
      { at: 80, push: D, apps: { dev: onD } },
      { at: 100 },
    ]);
    expect(answers.at(-1)?.failure?.bad).toEqual([D]);
    expect(answers.at(-1)?.failure?.lastGood?.revisions).toEqual([C]);
    const known = answers.at(-1)?.memory.applications['argocd/shop-dev']?.contents;
    const lasted = known?.find((record) => record.revisions[0] === B)?.degraded?.lastedMs ?? 0;
    expect(lasted).toBeGreaterThanOrEqual(39_000);
  });

  it('is not known of another Application under the same name', () => {
    const again = {
      uid: 'uid-again',
      target: B,
      history: [[B, 100] as const],
      health: 'Degraded',
      healthSince: 101,
    };
    const answers = tell([
      healthy,
      { at: 100, push: B },
      { at: 101, apps: { dev: again }, entries: { ...waiting, dev: ['Progressing', B] } },
      { at: 130 },
    ]);
    expect(answers.at(-1)?.failure?.lastGood ?? null).toBeNull();
    expect(answers.at(-1)?.memory.applications['argocd/shop-dev']?.uid).toBe('uid-again');
  });
});

describe('an ApplicationSet without stages', () => {
  it('is misconfigured when nothing is in a step, whatever labels were put on by hand', () => {
    const nowhere = ['Waiting', A, '-1'] as const;
    const answers = tell([{ at: 0, entries: { dev: nowhere, staging: nowhere, prod: nowhere } }]);
    expect(verdictOf(answers)).toEqual(['misconfigured', 'no-application-in-a-step']);
    expect(answers[0]?.rollout.unselected).toHaveLength(3);
  });

  it('leaves out what is generated no longer, and goes on with the rest', () => {
    const answers = tell([{ at: 0, entries: { dev: ['Healthy', A, '-1'] } }]);
    expect(verdictOf(answers)).toEqual(['ok', 'orphan']);
    expect(answers[0]?.rollout.orphans.map((one) => one.application.name)).toEqual(['shop-dev']);
  });

  it('still fails when RollingSync has no steps at all and a commit breaks everything', () => {
    const broken = {
      target: B,
      history: [[A, 0] as const, [B, 100] as const],
      health: 'Degraded',
      healthSince: 101,
    };
    const spec = { strategy: { type: 'RollingSync' } };
    expect(verdictOf(tell([{ at: 0, spec }]))).toEqual(['misconfigured', 'no-steps']);
    const answers = tell([
      { at: 0, spec, entries: null },
      { at: 101, push: B, apps: { dev: broken, staging: broken, prod: broken } },
      { at: 120 },
    ]);
    expect(verdictOf(answers)[0]).toBe('failed');
    expect(answers.at(-1)?.failure?.failing).toHaveLength(3);
  });
});
