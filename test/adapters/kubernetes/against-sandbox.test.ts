/** The whole adapter against the small Kubernetes API: real HTTP, real Tables, its faults. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Fault } from '../../../src/sandbox/kubernetes/faults.ts';
import { applicationDraft, degraded, sandboxWorld, setDraft } from './sandbox-world.ts';

async function shop() {
  const world = await sandboxWorld({ isRunning: true });
  await world.cluster.seen();
  world.store.create('applicationsets', setDraft('shop'));
  world.store.create('applications', applicationDraft('shop-dev', 'shop'));
  world.store.create('applications', applicationDraft('shop-prod', 'shop'));
  await world.until(() => {
    return world.cluster.rows('argocd/shop').length === 2 && world.cluster.applicationSets().size === 1;
  });
  world.nudges.length = 0;
  return world;
}

test('what was there before and what comes later is known, and every change nudges its ApplicationSet', async () => {
  const { store, cluster, nudges, until } = await shop();
  expect([...cluster.applicationSets().keys()]).toEqual(['argocd/shop']);
  expect(cluster.applicationSets().get('argocd/shop')).toMatchObject({ strategyType: 'RollingSync' });
  store.patchMerge('applications', 'argocd', 'shop-dev', degraded);
  await until(() => nudges.length === 1);
  expect(cluster.rows('argocd/shop')).toMatchObject([
    { key: 'argocd/shop-dev', healthStatus: 'Degraded', syncStatus: 'Synced', labels: { env: 'dev' } },
    { key: 'argocd/shop-prod', healthStatus: 'Healthy' },
  ]);
  // The operation shows in no column, and is an event all the same.
  store.patchMerge('applications', 'argocd', 'shop-prod', { operation: { sync: {} } });
  await until(() => nudges.length === 2);
  store.remove('applications', 'argocd', 'shop-prod');
  await until(() => nudges.length === 3);
  expect(cluster.rows('argocd/shop')).toHaveLength(1);
  store.replaceStatus('applicationsets', {
    ...store.get('applicationsets', 'argocd', 'shop')!,
    status: { applicationStatus: [{ application: 'shop-dev', status: 'Pending', step: '1' }] },
  });
  await until(() => nudges.length === 4);
  expect(cluster.applicationSets().get('argocd/shop')?.applicationStatus).toMatchObject([
    { status: 'Pending' },
  ]);
  store.remove('applicationsets', 'argocd', 'shop');
  await until(() => cluster.applicationSets().size === 0);
  expect(nudges).toEqual(Array(5).fill('argocd/shop'));
});

test('one ApplicationSet’s change nudges no other one, also of the same name in another namespace', async () => {
  const { store, cluster, nudges, until } = await shop();
  store.create('applications', applicationDraft('shop-dev', 'shop', 'team-b'));
  await until(() => nudges.length > 0);
  expect(nudges).toEqual(['team-b/shop']);
  expect(cluster.rows('argocd/shop')).toHaveLength(2);
});

test('a look reads everything once, and afterwards only what has changed', async () => {
  const { store, cluster, kubernetes, nudges, until } = await shop();
  const reads = () => kubernetes.journal.find({ verb: 'get', resource: 'applications' }).length;
  const first = await cluster.closeLook('argocd/shop');
  expect(first?.applications.map((one) => [one.key, one.sources[0]?.repoURL])).toEqual([
    ['argocd/shop-dev', 'https://github.com/acme/shop'],
    ['argocd/shop-prod', 'https://github.com/acme/shop'],
  ]);
  expect(reads()).toBe(2);
  await cluster.closeLook('argocd/shop');
  expect(reads()).toBe(2);
  store.patchMerge('applications', 'argocd', 'shop-dev', degraded);
  await until(() => nudges.length > 0);
  const third = await cluster.closeLook('argocd/shop');
  expect(reads()).toBe(3);
  expect(third?.applications.map((one) => one.health.status)).toEqual(['Degraded', 'Healthy']);
  expect(third?.applications[1]).toBe(first?.applications[1]);
  expect(third?.sight.blindness).toBeNull();
});

test('an ApplicationSet that is gone is no look, and an Application that is gone is not in it', async () => {
  const { store, cluster, kubernetes } = await shop();
  kubernetes.faults.add({ verb: 'watch', times: Infinity, fault: { kind: 'silence' } });
  kubernetes.watches.reset();
  store.remove('applications', 'argocd', 'shop-prod');
  expect((await cluster.closeLook('argocd/shop'))?.applications.map((one) => one.name)).toEqual(['shop-dev']);
  store.remove('applicationsets', 'argocd', 'shop');
  expect(await cluster.closeLook('argocd/shop')).toBeNull();
  expect(await cluster.closeLook('argocd/never-was')).toBeNull();
});

test('an Application that was made again under its name is read anew', async () => {
  const { store, cluster, nudges, until } = await shop();
  const before = await cluster.closeLook('argocd/shop');
  store.remove('applications', 'argocd', 'shop-dev');
  store.create('applications', applicationDraft('shop-dev', 'shop'));
  await until(() => nudges.length === 2);
  const after = await cluster.closeLook('argocd/shop');
  expect(after?.applications[0]?.uid).not.toBe(before?.applications[0]?.uid);
  expect(cluster.rows('argocd/shop').find((row) => row.key === 'argocd/shop-dev')?.uid).toBe(
    after?.applications[0]?.uid,
  );
});

test('a look at old states is refused: it is never mixed with newer ones', async () => {
  const { store, cluster, kubernetes, nudges, until } = await shop();
  await cluster.closeLook('argocd/shop');
  store.patchMerge('applications', 'argocd', 'shop-dev', degraded);
  await until(() => nudges.length > 0);
  const takeBack = kubernetes.faults.add({
    verb: 'get',
    resource: 'applications',
    times: Infinity,
    fault: { kind: 'staleRead', behind: 1 },
  });
  await expect(cluster.closeLook('argocd/shop')).rejects.toThrow(
    'Cluster "prod" answered with an older state of Application argocd/shop-dev than it had announced, so this look is not used. Stepback looks again.',
  );
  takeBack();
  expect((await cluster.closeLook('argocd/shop'))?.applications[0]?.health.status).toBe('Degraded');
});

test('half a look is none: one Application that cannot be read fails it, and the next look is whole', async () => {
  const { cluster, kubernetes } = await shop();
  kubernetes.faults.add({
    verb: 'get',
    resource: 'applications',
    nth: 2,
    fault: { kind: 'status', code: 500 },
  });
  await expect(cluster.closeLook('argocd/shop')).rejects.toMatchObject({
    kind: 'transient',
    reason: 'server-error',
  });
  expect((await cluster.closeLook('argocd/shop'))?.applications).toHaveLength(2);
});

type Step =
  | { kind: 'write' | 'remove'; name: string; owner: string }
  | { kind: 'end' | 'reset' | 'expire' | 'bookmark' | 'forget' }
  | { kind: 'fault'; fault: Fault };

const faults: readonly Fault[] = [
  { kind: 'gone', as: 'event' },
  { kind: 'gone', as: 'status' },
  { kind: 'end', afterEvents: 1 },
  { kind: 'cut', afterBytes: 700 },
  { kind: 'chunks', bytes: 7 },
  { kind: 'status', code: 503 },
  { kind: 'status', code: 429, retryAfterSeconds: 3 },
  { kind: 'reset' },
  { kind: 'events', each: 'doubled' },
  { kind: 'events', each: 'staleAgain' },
];

const anyStep: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constantFrom('write', 'write', 'remove'),
    name: fc.constantFrom('a', 'b', 'c', 'd'),
    owner: fc.constantFrom('shop', 'web'),
  }),
  fc.record({ kind: fc.constantFrom('end', 'reset', 'expire', 'bookmark', 'forget') }),
  fc.record({ kind: fc.constant('fault'), fault: fc.constantFrom(...faults) }),
);

type World = Awaited<ReturnType<typeof sandboxWorld>>;

function play({ store, kubernetes }: World, step: Step): void {
  switch (step.kind) {
    case 'write':
    case 'remove': {
      const isThere = store.get('applications', 'argocd', step.name) !== undefined;
      if (isThere) store.remove('applications', 'argocd', step.name);
      if (step.kind === 'write') store.create('applications', applicationDraft(step.name, step.owner));
      return;
    }
    case 'forget':
      kubernetes.history.forget();
      return;
    case 'fault':
      kubernetes.faults.add({ fault: step.fault });
      return;
    default:
      kubernetes.watches[step.kind]();
  }
}

/** What the adapter should know, from the store itself. */
function expectedRows({ store }: World): readonly string[] {
  return store
    .list('applications')
    .map(
      ({ metadata }) => `${metadata.ownerReferences?.[0]?.name} ${metadata.uid} ${metadata.resourceVersion}`,
    )
    .sort();
}

function knownRows({ cluster }: World): readonly string[] {
  return ['shop', 'web']
    .flatMap((owner) => cluster.rows(`argocd/${owner}`))
    .map((row) => `${row.owner?.name} ${row.uid} ${row.resourceVersion}`)
    .sort();
}

test('every change arrives in the end, whatever happens to the watches on the way', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { maxLength: 30 }), async (steps) => {
      const world = await sandboxWorld();
      const { kubernetes, clock, until, stop, ended } = world;
      const passing = clock.passPausesUntil(() => stop.signal.aborted);
      await world.cluster.seen();
      for (const step of steps) {
        play(world, step);
        await new Promise(setImmediate);
      }
      kubernetes.faults.clear();
      await until(() => knownRows(world).join() === expectedRows(world).join());
      stop.abort();
      clock.after(0, () => {});
      await Promise.all([ended, passing, kubernetes.close()]);
    }),
    { numRuns: 40, seed: 7 },
  );
});
