/** An Application on the bad commit that waits while others of its stage hold the slots: for how long, and what helps. */
import { expect, it } from 'vitest';
import { type ContentFacts, contentKey } from '../../src/domain/content.ts';
import { noOrders, type Orders } from '../../src/domain/orders.ts';
import { wayBackOf } from '../../src/domain/way-back.ts';
import { A, applicationOf, B, beginning, C, D, type Moment, rawApplication, repoURL, tell } from './world.ts';

/** D takes back B; C is another change. */
const contents = { [A]: 'good', [B]: 'bad', [C]: 'other', [D]: 'good' };
const { sources } = applicationOf(rawApplication('dev'));
const facts: ContentFacts = {
  ids: new Map(
    Object.entries(contents).flatMap(([sha, id]) =>
      sources.map((source): [string, string] => [contentKey(source, sha), id]),
    ),
  ),
  gone: new Set(),
};

type Shape = NonNullable<Moment['apps']>[string];

/** Dev and prod as they are after the revert, each with what the ApplicationSet says of it. */
interface Siblings {
  dev: readonly [Shape, string];
  prod?: readonly [Shape, string];
  maxUpdate: number | string | null;
  orders?: Orders;
  /** What the branch holds as far as it is known. */
  head?: string;
}

const onRevert: Shape = {
  target: D,
  history: [
    [A, 0],
    [D, 70],
  ],
};
const well: Shape = { ...onRevert, healthSince: 71 };
const sick: Shape = { ...onRevert, health: 'Degraded', healthSince: 2 };
const suspended: Shape = { ...onRevert, health: 'Suspended', healthSince: 71 };
const onItsWay: Shape = { ...onRevert, health: 'Progressing', healthSince: 95 };
const neverHealthy: Shape = { ...onRevert, health: 'Progressing', healthSince: 71 };
const hanging: Shape = {
  target: D,
  sync: 'OutOfSync',
  history: [[A, 0]],
  operation: {
    phase: 'Running',
    message: 'waiting for completion of hook batch/Job/migrate',
    startedAt: new Date(beginning + 70_000).toISOString(),
    finishedAt: undefined,
    syncResult: {
      revision: D,
      source: { repoURL, path: 'apps/shop', targetRevision: 'main' },
      resources: [],
    },
  },
};

/** How staging, which has the bad commit and waits, is said to come back; a minute after the revert. */
function wayBackOfStaging({
  dev,
  prod = [well, 'Healthy'],
  maxUpdate,
  orders = noOrders,
  head = D,
}: Siblings): string {
  const matchExpressions = [{ key: 'env', operator: 'In', values: ['dev', 'staging', 'prod'] }];
  const spec = {
    strategy: { type: 'RollingSync', rollingSync: { steps: [{ matchExpressions, maxUpdate }] } },
  };
  const history = [
    [A, 0],
    [B, 5],
  ] as const;
  const staging = { target: D, sync: 'OutOfSync', health: 'Degraded', healthSince: 7, history };
  const entries = {
    dev: [dev[1], D, '1'],
    staging: ['Waiting', D, '1'],
    prod: [prod[1], D, '1'],
  } as const;
  const apps = { dev: dev[0], staging, prod: prod[0] };
  const before: Moment = {
    at: 5,
    push: B,
    spec,
    apps: { staging: { target: B, history } },
    entries: {
      dev: ['Waiting', B, '1'],
      staging: ['Progressing', B, '1'],
      prod: ['Waiting', B, '1'],
    },
  };
  const answers = tell([before, { at: 100, push: D, apps, entries }, { at: 130 }], {}, { contents, orders });
  const rollout = answers.at(-1)?.rollout;
  const one = rollout?.stages[0]?.applications.find(({ application }) => application.name === 'shop-staging');
  if (rollout === undefined || one === undefined) throw new Error('Staging is not there.');
  const input = {
    rollout,
    change: { bad: [B], lastGood: [A] },
    facts,
    heads: [{ repoURL, branch: 'main', sha: head, at: beginning + 60_000 }],
    now: beginning + 130_000,
  };
  const { hindrance, remedy, by } = wayBackOf(input, one);
  return `${hindrance} → ${remedy}${by.length === 0 ? '' : ` (${by.join(', ')})`}`;
}

const devSnoozed: Orders = {
  ...noOrders,
  snoozes: [
    { kind: 'application', name: 'shop-dev', until: beginning + 3_600_000, by: 'dana', at: beginning },
  ],
};

const behindDev = 'behind-a-sibling → sync (shop-dev)';
const waits = 'on-its-way → wait';

it.each<[string, Siblings, string]>([
  ['that is sick', { dev: [sick, 'Progressing'], maxUpdate: 1 }, behindDev],
  ['whose hook hangs', { dev: [hanging, 'Pending'], maxUpdate: 1 }, behindDev],
  ['that is suspended', { dev: [suspended, 'Progressing'], maxUpdate: 1 }, behindDev],
  ['that never becomes Healthy', { dev: [neverHealthy, 'Progressing'], maxUpdate: 1 }, behindDev],
  ['where one is a third of the stage', { dev: [sick, 'Progressing'], maxUpdate: '34%' }, behindDev],
  [
    'that a person has snoozed, of which Argo CD does not know',
    {
      dev: [sick, 'Progressing'],
      maxUpdate: 1,
      orders: devSnoozed,
    },
    behindDev,
  ],
  ['that is on its way itself', { dev: [onItsWay, 'Progressing'], maxUpdate: 1 }, waits],
  ['that holds no slot', { dev: [sick, 'Healthy'], maxUpdate: 1 }, waits],
  ['that leaves a slot', { dev: [sick, 'Progressing'], maxUpdate: 2 }, waits],
  ['in a stage that moves all at once', { dev: [sick, 'Progressing'], maxUpdate: null }, waits],
  [
    'that leaves a slot to one that is on its way',
    { dev: [sick, 'Progressing'], prod: [onItsWay, 'Progressing'], maxUpdate: 2 },
    waits,
  ],
  [
    'with another, both of which are to stay',
    { dev: [sick, 'Progressing'], prod: [suspended, 'Progressing'], maxUpdate: 2 },
    'behind-a-sibling → sync (shop-dev, shop-prod)',
  ],
  [
    'while nobody knows what the branch holds',
    { dev: [sick, 'Progressing'], maxUpdate: 1, head: '' },
    'behind-a-sibling → person (shop-dev)',
  ],
  [
    'while the branch holds another commit',
    { dev: [sick, 'Progressing'], maxUpdate: 1, head: C },
    `held-by-a-later-commit → person (${D})`,
  ],
  [
    'while the branch holds the bad commit',
    { dev: [sick, 'Progressing'], maxUpdate: 1, head: B },
    'not-reverted → wait',
  ],
])('waits behind one of its stage %s', (_, siblings, expected) => {
  expect(wayBackOfStaging(siblings)).toBe(expected);
});
