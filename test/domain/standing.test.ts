/** When an ApplicationSet is back from one change although another one fails by now. */
import { expect, it } from 'vitest';
import type { SetStanding } from '../../src/domain/incident.ts';
import { standingOf } from '../../src/domain/standing.ts';
import { A, B, beginning, C, D, type Moment, repoURL, tell } from './world.ts';

const facts = { ids: new Map<string, string>(), gone: new Set<string>() };

const broken: readonly Moment[] = [
  { at: 0 },
  {
    at: 106,
    push: B,
    apps: {
      dev: {
        target: B,
        history: [
          [A, 0],
          [B, 105],
        ],
      },
    },
  },
  {
    at: 108,
    apps: {
      dev: {
        target: B,
        health: 'Degraded',
        healthSince: 108,
        history: [
          [A, 0],
          [B, 105],
        ],
      },
    },
  },
  { at: 130 },
];

/** The revert of B is C, which cannot be synced: an attempt has applied some of it. */
const stuck: readonly Moment[] = [140, 170].map((at) => ({
  at,
  push: C,
  apps: {
    dev: {
      target: C,
      sync: 'OutOfSync',
      health: 'Degraded',
      healthSince: 108,
      history: [
        [A, 0],
        [B, 105],
      ],
      operation: {
        phase: 'Failed',
        message: 'one or more objects failed to apply',
        startedAt: '2026-01-01T00:02:15Z',
        finishedAt: '2026-01-01T00:02:16Z',
        syncResult: {
          revision: C,
          source: { repoURL, path: 'apps/shop' },
          resources: [
            { kind: 'ConfigMap', name: 'shop', namespace: 'shop', status: 'Synced' },
            { kind: 'Job', name: 'migrate', namespace: 'shop', status: 'SyncFailed', message: 'refused' },
          ],
        },
      },
    },
  },
}));

const well: Moment = {
  at: 200,
  push: D,
  apps: {
    dev: {
      target: D,
      healthSince: 199,
      history: [
        [A, 0],
        [B, 105],
        [D, 198],
      ],
    },
  },
};

const place = { suspects: [], repository: 'acme/payments' } as const;

/** How it stands in the incident of B, which was merged, at the end of the story. */
function standingAfter(moments: readonly Moment[]): SetStanding {
  const answers = tell(moments);
  const noticed = answers[broken.length - 1];
  const last = answers.at(-1);
  if (noticed === undefined || last === undefined) throw new Error('No answer.');
  expect(noticed.failure?.bad).toEqual([B]);
  const look = { facts, heads: [], now: beginning + 130_000 };
  const before = standingOf(noticed, noticed.failure, null, look, { ...place, phase: 'proposed' });
  const now = beginning + (moments.at(-1)?.at ?? 0) * 1000;
  return standingOf(last, null, before, { ...look, now }, { ...place, phase: 'merged' });
}

it('is not back while it has been well on nothing since, although it is another change that fails now', () => {
  const standing = standingAfter([...broken, ...stuck]);
  expect(standing.left.map(({ application }) => application)).toEqual(['shop-dev']);
  expect(standing.isRecovered).toBe(false);
});

it('is back when it is well on something else', () => {
  expect(standingAfter([...broken, ...stuck, well]).isRecovered).toBe(true);
});

it('is back, and stays so, when it was well in between and fails on something else later', () => {
  const again: readonly Moment[] = [
    ...broken,
    well,
    ...stuck.map((moment, index) => ({ ...moment, at: 240 + 30 * index })),
  ];
  expect(standingAfter(again).isRecovered).toBe(true);
});
