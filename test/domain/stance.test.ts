import { describe, expect, it } from 'vitest';
import { type Culprit, type NoCulpritReason, noCulpritReasons } from '../../src/domain/culprit.ts';
import { pinOrigin } from '../../src/domain/pin.ts';
import { revertStance } from '../../src/domain/stance.ts';
import type { Answer } from '../../src/domain/watcher.ts';
import {
  A,
  applicationOf,
  applicationSetOf,
  B,
  type Moment,
  rawApplication,
  rawApplicationSet,
  repoURL,
  tell,
} from './world.ts';

const none = (reason: NoCulpritReason): Culprit => ({ kind: 'none', reason, detail: '' });

function last(moments: readonly Moment[]): Answer {
  const answer = tell(moments).at(-1);
  if (answer === undefined) throw new Error('No answer.');
  return answer;
}

const stanceOf = (moments: readonly Moment[]) => revertStance(last(moments).rollout, null, null);

describe('a failure', () => {
  const { rollout, failure } = last([
    { at: 0 },
    {
      at: 100,
      apps: {
        dev: {
          target: B,
          history: [
            [A, 0],
            [B, 99],
          ],
          health: 'Degraded',
          healthSince: 99,
        },
      },
      entries: { dev: ['Progressing', B] },
    },
    { at: 120 },
  ]);

  it('is taken back when there is something to go back to', () => {
    expect(revertStance(rollout, failure, null)).toEqual({ kind: 'propose' });
  });

  it('is never taken back when nothing was good before', () => {
    const first = failure && { ...failure, lastGood: null };
    expect(revertStance(rollout, first, null)).toEqual({ kind: 'never', why: 'no-baseline' });
  });

  it('waits when more could be known, and never is when another cause explains it', () => {
    const stances = noCulpritReasons.map((reason) => [
      reason,
      revertStance(rollout, failure, none(reason)).kind,
    ]);
    expect(Object.fromEntries(stances)).toEqual({
      'no-baseline': 'never',
      'bad-is-not-a-commit': 'hold',
      'baseline-is-gone': 'hold',
      'nothing-new': 'never',
      'template-edited': 'never',
      'not-ahead': 'never',
      'range-is-cut': 'hold',
      'follows-a-tag': 'never',
      pinned: 'never',
      'chart-changed': 'never',
      'no-commit-touches-it': 'never',
      'several-repositories': 'hold',
      'revert-of-ours': 'never',
      'octopus-merge': 'never',
      'not-on-a-forge': 'never',
    });
  });
});

describe('without a failure', () => {
  const waiting = { target: B, sync: 'OutOfSync' };
  const operation = { phase: 'Running', startedAt: '2026-01-01T00:01:40Z', finishedAt: undefined };

  it.for<readonly [string, string, readonly Moment[]]>([
    ['never', 'nothing-failed', [{ at: 0 }]],
    [
      'hold',
      'still-moving',
      [{ at: 0 }, { at: 100, apps: { dev: waiting }, entries: { dev: ['Waiting', B] } }],
    ],
    [
      'never',
      'no-baseline',
      [
        {
          at: 0,
          apps: Object.fromEntries(
            ['dev', 'staging', 'prod'].map((name) => [
              name,
              { ...waiting, history: [], operation: null, health: 'Missing' },
            ]),
          ),
          entries: { dev: ['Waiting', B], staging: ['Waiting', B], prod: ['Waiting', B] },
        },
      ],
    ],
    ['never', 'waits-for-a-person', [{ at: 0, apps: { dev: { health: 'Suspended' } } }]],
    ['never', 'only-slow', [{ at: 0, apps: { dev: { health: 'Progressing' } } }, { at: 60 }]],
    ['never', 'no-sync-is-coming', [{ at: 0 }, { at: 100, apps: { dev: waiting } }, { at: 130 }]],
    ['never', 'cannot-end', [{ at: 0 }, { at: 100, apps: { dev: { ...waiting, operation } } }, { at: 130 }]],
    [
      'never',
      'no-commit-explains-it',
      [{ at: 0 }, { at: 500, apps: { dev: { health: 'Degraded', healthSince: 500 } } }, { at: 520 }],
    ],
    [
      'never',
      'misconfigured',
      [{ at: 0, spec: { strategy: { type: 'RollingSync', rollingSync: { steps: [] } } } }],
    ],
    [
      'never',
      'outside-the-commit',
      [
        {
          at: 0,
          apps: {
            dev: {
              operation: { ...operation, message: 'Sync operation blocked by sync window' },
              ...waiting,
            },
          },
        },
      ],
    ],
    [
      'hold',
      'cannot-see',
      [
        {
          at: 0,
          apps: {
            dev: { sync: 'Unknown', conditions: [{ type: 'ComparisonError', message: 'i/o timeout' }] },
          },
        },
      ],
    ],
  ])('%s: %s', ([kind, why, moments]) => {
    expect(stanceOf(moments)).toEqual({ kind, why });
  });
});

describe('a pin', () => {
  const git = (url: string) => ({
    git: { repoURL: url, revision: 'main', files: [{ path: 'envs/*.yaml' }] },
  });
  const platform = 'https://github.com/acme/platform.git';
  const setWith = (change: object, targetRevision = '{{.rev}}') =>
    applicationSetOf(
      rawApplicationSet(
        {},
        { template: { spec: { source: { repoURL, path: 'apps', targetRevision } } }, ...change },
      ),
    );

  it('comes from the one repository that the generators read', () => {
    const origin = { repoURL: platform, revision: 'main', paths: ['envs/*.yaml'] };
    expect(pinOrigin(setWith({ generators: [git(platform)] }), 0, [])).toEqual(origin);
    expect(
      pinOrigin(
        setWith({ generators: [{ matrix: { generators: [git(platform), { clusters: {} }] } }] }),
        0,
        [],
      ),
    ).toEqual(origin);
  });

  it('comes from nowhere that can be told when there are several, or none', () => {
    expect(pinOrigin(setWith({ generators: [git(platform), git(repoURL)] }), 0, [])).toBeNull();
    expect(pinOrigin(setWith({ generators: [{ list: { elements: [] } }] }), 0, [])).toBeNull();
  });

  it('that stands in the template comes from where the ApplicationSet is applied from, when that is seen', () => {
    const set = { ...setWith({ generators: [git(platform)] }, B), owners: ['Application/shop-dev'] };
    const parent = applicationOf(rawApplication('dev', { path: 'sets' }));
    expect(pinOrigin(set, 0, [parent])).toEqual({ repoURL, revision: 'main', paths: ['sets'] });
    expect(pinOrigin(set, 0, [])).toBeNull();
    expect(pinOrigin({ ...set, owners: [] }, 0, [parent])).toBeNull();
  });
});
