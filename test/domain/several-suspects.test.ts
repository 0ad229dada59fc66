/** What keeps an Application from coming back that stayed on an older one of the commits that a revert took back together. */
import { expect, it } from 'vitest';
import { type ContentFacts, contentKey } from '../../src/domain/content.ts';
import { standingOf } from '../../src/domain/standing.ts';
import { suspect } from '../render/sample-incident.ts';
import { A, applicationOf, B, beginning, C, D, type Moment, rawApplication, repoURL, tell } from './world.ts';

/** D takes back B and C; another commit, which feeds the folder as well, may follow it. */
const later = 'e'.repeat(40);
const contents = { [A]: 'good', [B]: 'of B', [C]: 'of C', [D]: 'good', [later]: 'later' };
const { sources } = applicationOf(rawApplication('dev'));
const facts: ContentFacts = {
  ids: new Map(
    Object.entries(contents).flatMap(([sha, id]) =>
      sources.map((source): [string, string] => [contentKey(source, sha), id]),
    ),
  ),
  gone: new Set(),
};
const incident = {
  suspects: [suspect({ sha: C, firstParent: B }), suspect({ sha: B, firstParent: A })],
  repository: 'acme/shop',
};

type Prod = NonNullable<Moment['apps']>[string];

interface Story {
  /** How prod is at each moment; compared with what the branch holds then, unless this says otherwise. */
  prod(at: number): Prod;
  /** What the ApplicationSet says of it. */
  entry: string;
  /** What the branch holds in the end. */
  head: string;
}

const seconds = (at: number): string => new Date(beginning + at * 1000).toISOString();

function leftAfter({ prod, entry, head }: Story): readonly string[] {
  const sick: Prod = {
    target: C,
    health: 'Degraded',
    healthSince: 11,
    history: [
      [A, 0],
      [C, 10],
    ],
  };
  const well: Prod = {
    target: head,
    healthSince: 70,
    history: [
      [A, 0],
      [C, 10],
      [head, 65],
    ],
  };
  const noticed: readonly Moment[] = [
    { at: 0 },
    { at: 5, push: B, apps: { prod: { target: B, ...prod(5) } }, entries: { prod: ['Pending', B] } },
    {
      at: 10,
      push: C,
      apps: { prod: { target: C, sync: 'OutOfSync', ...prod(10) }, dev: sick },
      entries: { dev: ['Progressing', C], prod: [entry, B] },
    },
    { at: 24 },
  ];
  const merged: Moment = {
    at: 100,
    push: head,
    apps: { dev: well, prod: { target: head, ...prod(100) } },
    entries: { dev: ['Healthy', head], prod: [entry, B] },
  };
  const answers = tell([...noticed, merged], {}, { contents });
  const before = answers.at(-2);
  const last = answers.at(-1);
  if (before?.failure == null || last === undefined) throw new Error('Nothing fails.');
  expect(before.failure.bad).toEqual([C]);
  const heads = [A, B, C, head].map((sha, index) => {
    return { repoURL, branch: 'main', sha, at: beginning + index * 1000 };
  });
  const look = (now: number, known = heads) => ({ facts, heads: known, now: beginning + now * 1000 });
  const proposed = standingOf(before, before.failure, null, look(24, heads.slice(0, 3)), {
    ...incident,
    phase: 'proposed',
  });
  return standingOf(last, null, proposed, look(100), { ...incident, phase: 'merged' }).left.map(
    ({ application, wayBack }) => `${application}: ${wayBack?.hindrance} → ${wayBack?.remedy}`,
  );
}

const onB: Prod = {
  health: 'Degraded',
  healthSince: 7,
  history: [
    [A, 0],
    [B, 5],
  ],
};

/** A sync of B that waits for a hook and has applied nothing yet. */
const hook: Prod = {
  history: [[A, 0]],
  operation: {
    phase: 'Running',
    message: 'waiting for completion of hook batch/Job/migrate',
    startedAt: seconds(5),
    finishedAt: undefined,
    syncResult: {
      revision: B,
      source: { repoURL, path: 'apps/shop', targetRevision: 'main' },
      resources: [
        {
          kind: 'Job',
          name: 'migrate',
          namespace: 'shop',
          status: '',
          hookType: 'PreSync',
          hookPhase: 'Running',
        },
      ],
    },
  },
};

it.each<[string, Story, string]>([
  [
    'runs the older one, and no sync is coming',
    { prod: (at) => (at < 10 ? onB : { ...onB, sync: 'OutOfSync' }), entry: 'Progressing', head: D },
    'shop-prod: no-sync-is-coming → sync',
  ],
  [
    'is compared with the older one still',
    { prod: () => ({ ...onB, target: B }), entry: 'Progressing', head: D },
    'shop-prod: not-noticed → refresh',
  ],
  [
    'is compared with the newer one still, and something else has landed',
    {
      prod: (at) => (at < 10 ? onB : { ...onB, target: C, sync: 'OutOfSync' }),
      entry: 'Waiting',
      head: later,
    },
    'shop-prod: not-noticed → refresh',
  ],
  [
    'runs the older one, and something else has landed',
    { prod: (at) => (at < 10 ? onB : { ...onB, sync: 'OutOfSync' }), entry: 'Waiting', head: later },
    'shop-prod: held-by-a-later-commit → person',
  ],
  [
    'has an operation on the older one that hangs in a hook',
    { prod: (at) => ({ ...hook, sync: at < 10 ? 'OutOfSync' : 'Synced' }), entry: 'Pending', head: D },
    'shop-prod: bad-operation-runs → terminate-then-sync',
  ],
])('says of one that %s what is in its way', (_, story, expected) => {
  expect(leftAfter(story)).toEqual([expected]);
});
