/** Who is still ahead of a bad change, and what would hold them: on the recordings of it, and rule by rule. */
import { expect, onTestFinished, test } from 'vitest';
import { emptyContent, learnContent } from '../../src/content/learn.ts';
import { type ContainmentPlan, holdsBad, planContainment } from '../../src/domain/containment.ts';
import { noFacts } from '../../src/domain/content.ts';
import type { Application, ApplicationSet } from '../../src/domain/objects.ts';
import { readApplication } from '../../src/domain/read-application.ts';
import { readApplicationSet } from '../../src/domain/read-application-set.ts';
import type { Rollout } from '../../src/domain/rollout.ts';
import { type Answer, answerOf, emptyStageMemory, rememberAll } from '../../src/domain/watcher.ts';
import { openRecording } from './recorded.ts';
import { A, B, beginning, C, type Moment, repoURL, tell } from './world.ts';

/** What a recording shows after one of its lines, judged by the bad commit B of its story. */
async function recordedAt(name: string, lines: readonly number[]) {
  const { events, repositories, policy, expected } = await openRecording(name);
  onTestFinished(() => repositories.close());
  const change = { bad: [expected.commits.B?.sha ?? ''], lastGood: [expected.commits.A?.sha ?? ''] };
  const facts = emptyContent();
  const applications = new Map<string, Application>();
  const heads: { repoURL: string; branch: string; sha: string; at: number }[] = [];
  let applicationSet: ApplicationSet | null = null;
  let memory = emptyStageMemory;
  const seen: { plan: ContainmentPlan; holds: boolean }[] = [];
  for (const event of events) {
    if (event.kind === 'Push') {
      const url = [...applications.values()][0]?.sources[0]?.repoURL;
      heads.push({ repoURL: url ?? '', branch: event.branch, sha: event.sha, at: event.t });
    } else if (event.kind === 'ApplicationSet') applicationSet = readApplicationSet(event.object);
    else {
      const application = readApplication(event.object);
      if (application !== null) applications.set(application.key, application);
    }
    if (applicationSet === null) continue;
    const all = [...applications.values()];
    const remembered = new Map(Object.entries(memory.applications));
    await learnContent(
      repositories,
      facts,
      { applicationSet, applications: all, memories: remembered, heads },
      event.t,
    );
    const sighting = {
      applicationSet,
      applications: all,
      facts,
      heads,
      policy,
      now: event.t,
      blindness: null,
      featureFlag: 'unknown' as const,
    };
    memory = rememberAll(memory, sighting);
    if (!lines.includes(event.line)) continue;
    const { rollout } = answerOf(memory, sighting);
    seen.push({
      plan: planContainment(rollout, change, 'degraded', facts, 'unknown'),
      holds: holdsBad(rollout, change, heads, facts),
    });
  }
  return seen;
}

/** In few words: who is ahead, which steps are to be held, who escapes. */
function inShort({ ahead, steps, gates, escaping }: ContainmentPlan): string {
  return [
    `${ahead} ahead`,
    ...steps.map(({ index, applications, maxUpdate }) => `hold ${index} for ${applications} (${maxUpdate})`),
    ...gates.map((name) => `${name} is a gate`),
    ...escaping.map(({ application, why }) => `${application}: ${why}`),
  ].join(', ');
}

test('frozen-by-hand: staging and prod would have been held before a person held prod alone', async () => {
  const seen = await recordedAt('frozen-by-hand', [241, 244, 271, 276]);
  expect(seen.map(({ plan, holds }) => `${inShort(plan)}; ${holds}`)).toMatchInlineSnapshot(`
    [
      "4 ahead, hold 1 for 1 (1), hold 2 for 3 (1); true",
      "4 ahead, hold 1 for 1 (1), prod is a gate; true",
      "3 ahead, prod is a gate; true",
      "3 ahead, prod is a gate; false",
    ]
  `);
});

test('frozen-but-one-was-pending: prod-2 is safe as long as staging can be held, and lost afterwards', async () => {
  const seen = await recordedAt('frozen-but-one-was-pending', [249, 257, 289]);
  expect(seen.map(({ plan }) => inShort(plan))).toMatchInlineSnapshot(`
    [
      "4 ahead, hold 1 for 1 (1), prod is a gate",
      "4 ahead, prod is a gate, cart-staging-3: pending, cart-prod-2: pending",
      "2 ahead, prod is a gate",
    ]
  `);
});

const change = { bad: [B], lastGood: [A] };
const failing = {
  target: B,
  health: 'Degraded',
  healthSince: 10,
  history: [[A, 0] as const, [B, 5] as const],
};

/** The rollout after dev failed on B, with what a test says of the others. */
function rolloutOf(...more: readonly Partial<Moment>[]): Rollout {
  const moments: Moment[] = [
    { at: 0 },
    { at: 4, push: B },
    { at: 10, apps: { dev: failing }, entries: { dev: ['Progressing', B] } },
    ...more.map((moment, index) => ({ at: 30 + index, ...moment })),
  ];
  return (tell(moments).at(-1) as Answer).rollout;
}

const plan = (
  rollout: Rollout,
  kind: 'degraded' | 'sync' | 'render' = 'degraded',
  flag: 'on' | 'off' = 'on',
) => inShort(planContainment(rollout, change, kind, noFacts, flag));

const steps = (...maxUpdates: (number | string | undefined)[]) => ({
  strategy: {
    type: 'RollingSync',
    rollingSync: {
      steps: ['dev', 'staging', 'prod'].map((env, index) => ({
        matchExpressions: [{ key: 'env', operator: 'In', values: [env] }],
        maxUpdate: maxUpdates[index],
      })),
    },
  },
});

const waiting = { target: B, sync: 'OutOfSync' };

test('those that wait are held, and so are those that have not noticed the change yet', () => {
  const entries = { dev: ['Progressing', B], staging: ['Waiting', B] } as const;
  const rollout = rolloutOf({ apps: { staging: waiting }, entries, spec: steps('100%', '25%') });
  expect(plan(rollout)).toBe('2 ahead, hold 1 for 1 (25%), hold 2 for 1 (null)');
});

test('a step that somebody holds already needs nothing, and locks those behind it', () => {
  const entries = { dev: ['Progressing', B], prod: ['Pending', B] } as const;
  const rollout = rolloutOf({ apps: { prod: waiting }, entries, spec: steps('100%', 0, 1) });
  expect(plan(rollout)).toBe('2 ahead, staging is a gate');
});

test('one that is Pending escapes when nothing before it can be held', () => {
  const entries = { dev: ['Progressing', B], staging: ['Pending', B] } as const;
  const rollout = rolloutOf({ apps: { staging: waiting }, entries, spec: steps() });
  expect(plan(rollout)).toBe('2 ahead, hold 2 for 1 (null), shop-staging: pending');
});

test('an operation that runs, or was asked for, is not held by any step', () => {
  const operation = { phase: 'Running', finishedAt: undefined, startedAt: '2026-01-01T00:00:29Z' };
  const entries = { dev: ['Progressing', B], staging: ['Pending', B], prod: ['Pending', B] } as const;
  const apps = {
    staging: { ...waiting, operation: { ...operation, syncResult: undefined } },
    prod: { ...waiting, requested: true },
  };
  expect(plan(rolloutOf({ apps, entries, spec: steps() }))).toBe(
    '2 ahead, shop-staging: operation, shop-prod: operation',
  );
});

test('there is nothing to hold without steps, without the feature, or where the change cannot be rendered', () => {
  const rollout = rolloutOf();
  expect(plan(rollout)).not.toBe('0 ahead');
  expect(plan(rolloutOf({ spec: { strategy: { type: 'AllAtOnce' } } }))).toBe('0 ahead');
  expect(plan(rollout, 'degraded', 'off')).toBe('0 ahead');
  expect(plan(rollout, 'render')).toBe('0 ahead');
});

test('a stage that follows a branch of its own is not held, unless it is compared with the change', () => {
  const own = { targetRevision: 'release' };
  const entries = { dev: ['Progressing', B] } as const;
  const heads = [
    { repoURL, branch: 'main', sha: B, at: beginning },
    { repoURL, branch: 'release', sha: A, at: beginning },
  ];
  const heldWith = (prod: Partial<typeof waiting>) => {
    const rollout = rolloutOf({ apps: { prod: { ...own, ...prod } }, entries, spec: steps('100%', 1, 1) });
    const source = rollout.stages[0]?.applications[0]?.application.sources[0];
    const ids = new Map([A, B].map((sha) => [`${repoURL}\n${source?.path}\n${sha}`, `content of ${sha}`]));
    return inShort(planContainment(rollout, change, 'degraded', { ids, gone: new Set() }, 'on', heads));
  };
  expect(heldWith({})).toBe('1 ahead, hold 1 for 1 (1)');
  expect(heldWith(waiting)).toBe('2 ahead, hold 1 for 1 (1), hold 2 for 1 (1)');
});

test('the branch holds the change until it is known to hold something else', () => {
  const rollout = rolloutOf();
  const holds = (known: readonly string[], ...shas: readonly string[]) => {
    const heads = shas.map((sha, at) => ({ repoURL, branch: 'main', sha, at: beginning + at }));
    const source = rollout.stages[0]?.applications[0]?.application.sources[0];
    const ids = new Map(known.map((sha) => [`${repoURL}\n${source?.path}\n${sha}`, `content of ${sha}`]));
    return holdsBad(rollout, change, heads, { ids, gone: new Set() });
  };
  expect(holds([], A, B)).toBe(true);
  expect(holds([], B, C)).toBe(true);
  expect(holds([A, B, C], B, C)).toBe(false);
  expect(holds([A, B], B, A)).toBe(false);
  expect(holds([A, B])).toBe(true);
});
