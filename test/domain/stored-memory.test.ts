import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { ApplicationMemory, ContentRecord } from '../../src/domain/memory.ts';
import { packMemory } from '../../src/domain/stored-memory.ts';
import { unpackMemory } from '../../src/domain/unpack-memory.ts';
import { emptyStageMemory, type StageMemory } from '../../src/domain/watcher.ts';

const commit = fc.constantFrom('a', 'b', 'c').map((letter) => letter.repeat(40));
// One source without a revision is the same as none.
const revisions = fc
  .array(fc.oneof(commit, fc.constantFrom('15.7.1', '')), { minLength: 1, maxLength: 3 })
  .filter((all) => all.join('') !== '');
const at = fc.integer({ min: 1_700_000_000_000, max: 1_900_000_000_000 });
const orNull = <Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<Value | null> =>
  fc.option(value, { nil: null });
const configuration = orNull(fc.string({ maxLength: 20 }));
const causes = fc.array(fc.string({ minLength: 1, maxLength: 20 }), { maxLength: 2 });

const content: fc.Arbitrary<ContentRecord> = fc.record({
  revisions,
  configuration,
  appliedAt: at,
  healthyAt: orNull(at),
  healthySince: orNull(at),
  healthyUntil: orNull(at),
  degraded: orNull(fc.record({ from: at, lastedMs: fc.nat(), endedAt: at, causes })),
  isGuess: fc.boolean(),
  isFromHistory: fc.boolean(),
});

const application: fc.Arbitrary<ApplicationMemory> = fc.record({
  uid: fc.uuid(),
  resourceVersion: fc.constant(''),
  seenAt: fc.constant(0),
  running: orNull(fc.record({ revisions, configuration, at, isPartial: fc.boolean() })),
  runningSince: orNull(at),
  operation: orNull(
    fc.record({
      startedAt: orNull(at),
      target: orNull(revisions),
      staleResult: orNull(fc.string({ maxLength: 14 })),
      attemptSince: at,
      isWaiting: fc.boolean(),
      failures: fc.integer({ min: 1, max: 9 }),
      elsewhere: fc.nat({ max: 9 }),
      hasLeftOvers: fc.boolean(),
    }),
  ),
  contents: fc.array(content, { maxLength: 4 }),
  trouble: orNull(
    fc.record({
      since: at,
      degradedSince: orNull(at),
      blamed: orNull(revisions),
      isDated: fc.boolean(),
      healthyFrom: orNull(at),
      causes,
    }),
  ),
  failedSync: orNull(
    fc.record({
      revisions,
      configuration,
      attempts: fc.nat(9),
      since: at,
      failingSince: at,
      lastAttemptAt: orNull(at),
      message: fc.string({ maxLength: 40 }),
    }),
  ),
  outOfSync: orNull(fc.record({ since: at, revisions })),
  comparisonError: orNull(fc.record({ since: at })),
  progressingSince: orNull(at),
  requestedSince: orNull(at),
  healthySince: orNull(at),
});

const words = fc.string({ maxLength: 9 });
const orders: fc.Arbitrary<StageMemory['orders']> = fc.record({
  holds: fc.array(fc.record({ until: at, by: words, at, repository: words.filter((one) => one !== '') })),
  snoozes: fc.array(
    fc.record({
      kind: fc.constantFrom('application' as const, 'stage' as const),
      name: words,
      until: at,
      by: words,
      at,
    }),
    { maxLength: 3 },
  ),
  freeze: orNull(fc.record({ kind: fc.constantFrom('freeze' as const, 'thaw' as const), by: words, at })),
});

const checks: fc.Arbitrary<StageMemory['checks']> = fc.record({
  heads: fc.dictionary(fc.constantFrom('github.com/acme/shop main', 'github.com/acme/shop HEAD'), commit),
  commits: fc.array(fc.record({ line: words, sha: commit, isDone: fc.boolean(), isTold: fc.boolean() }), {
    maxLength: 3,
  }),
});

const heads: fc.Arbitrary<StageMemory['heads']> = fc.array(
  fc.oneof(
    fc.record({ repoURL: words, branch: words, sha: commit, at }),
    fc.record({ repoURL: words, branch: words, sha: commit, at, unseenSince: at }),
  ),
  { maxLength: 3 },
);

const memory: fc.Arbitrary<StageMemory> = fc.record({
  orders,
  checks,
  heads,
  applications: fc.dictionary(fc.constantFrom('argocd/one', 'argocd/two', 'team/three'), application),
  followed: orNull(
    fc.record({
      bad: revisions,
      lastGood: orNull(revisions),
      applications: fc.array(fc.string({ maxLength: 9 }), { maxLength: 3 }),
      isRecovered: fc.boolean(),
      headAtRecovery: orNull(commit),
      failedAt: orNull(at),
    }),
  ),
});

it('a memory comes back from the cluster as it went there', () => {
  fc.assert(
    fc.property(memory, (before) => {
      expect(unpackMemory(JSON.parse(JSON.stringify(packMemory(before))))).toEqual({
        ...before,
        applications: { ...before.applications },
      });
    }),
  );
});

it('what somebody else wrote there is read as nothing, or as less, and never throws', () => {
  fc.assert(fc.property(fc.jsonValue(), (value) => void unpackMemory(value)));
  fc.assert(
    fc.property(memory, fc.jsonValue(), fc.nat(10), (before, odd, place) => {
      const packed = JSON.parse(JSON.stringify(packMemory(before)));
      for (const row of Object.values<unknown[]>(packed.applications)) row[place] = odd;
      void unpackMemory(packed);
    }),
  );
  expect(unpackMemory({ form: 2 })).toBeNull();
});

it('an ApplicationSet of 5,000 Applications fits into an object, and keeps its last good', () => {
  const record = (letter: string, isHealthy: boolean): ContentRecord => ({
    revisions: [letter.repeat(40)],
    configuration: '{"path":"apps/payments"}',
    appliedAt: 1_796_133_223_000,
    healthyAt: isHealthy ? 1_796_133_263_123 : null,
    healthySince: isHealthy ? 1_796_133_263_123 : null,
    healthyUntil: isHealthy ? 1_796_133_999_123 : null,
    degraded: isHealthy
      ? null
      : { from: 1_796_134_000_000, lastedMs: 120_000, endedAt: 1_796_134_120_000, causes: [] },
    isGuess: false,
    isFromHistory: false,
  });
  const one = (index: number): ApplicationMemory => ({
    uid: `8a1df038-8751-49cb-90f8-80935dfc${String(index).padStart(4, '0')}`,
    resourceVersion: '123456789',
    seenAt: 1_796_134_000_000,
    running: {
      revisions: ['d'.repeat(40)],
      configuration: '{"path":"apps/payments"}',
      at: 1_796_134_000_000,
      isPartial: false,
    },
    runningSince: 1_796_134_000_000,
    operation: {
      startedAt: 1_796_134_000_000,
      target: ['d'.repeat(40)],
      staleResult: 'k3j5h2k3j5h21',
      attemptSince: 1_796_134_000_000,
      isWaiting: false,
      failures: 0,
      elsewhere: 0,
      hasLeftOvers: false,
    },
    contents: [record('a', true), record('b', true), record('c', false), record('d', false)],
    trouble: {
      since: 1_796_134_000_000,
      degradedSince: 1_796_134_000_000,
      blamed: ['d'.repeat(40)],
      isDated: true,
      healthyFrom: null,
      causes: [],
    },
    failedSync: null,
    outOfSync: null,
    comparisonError: null,
    progressingSince: null,
    requestedSince: null,
    healthySince: null,
  });
  const applications = Object.fromEntries(
    Array.from({ length: 5_000 }, (_, index) => [`argocd/payments-eu-central-1-prod-${index}`, one(index)]),
  );
  const packed = packMemory({ ...emptyStageMemory, applications });
  // The ledger refuses 1,500,000 bytes; metadata and summary take some of them.
  expect(JSON.stringify(packed).length).toBeLessThan(1_480_000);
  const contents = unpackMemory(packed)?.applications['argocd/payments-eu-central-1-prod-7']?.contents ?? [];
  expect(contents.map((content) => [content.revisions[0]?.[0], content.healthyAt !== null])).toEqual([
    ['b', true],
    ['c', false],
    ['d', false],
  ]);
});
