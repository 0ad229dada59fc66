/** What Stepback writes into a cluster: exactly that, only over what was read, and what it says when it may not. */
import { expect, test } from 'vitest';
import { WorldProblem } from '../../../src/ports.ts';
import type { ObjectDraft } from '../../../src/sandbox/kubernetes/objects.ts';
import { deployedRights } from './deployed.ts';
import { applicationDraft, sandboxWorld, setDraft } from './sandbox-world.ts';

const startedAt = '2026-12-01T12:00:05Z';
const began = Date.parse(startedAt);
const steps = [
  { matchExpressions: [{ key: 'env', operator: 'In', values: ['dev'] }], maxUpdate: '100%', later: 'kept' },
  { matchExpressions: [{ key: 'env', operator: 'In', values: ['prod'] }] },
];

/** One ApplicationSet that prunes, one Application of it, and only the rights of deploy/. */
async function shop(
  application: object = {},
  rights = ['rbac.yaml', 'rbac-freeze.yaml', 'rbac-recover.yaml'],
) {
  const world = await sandboxWorld({
    isRunning: false,
    allow: rights.flatMap((file) => deployedRights(file)),
  });
  const set = setDraft('shop');
  set.spec = {
    strategy: { type: 'RollingSync', rollingSync: { steps } },
    template: { spec: { syncPolicy: { automated: { prune: true } } } },
  };
  world.store.create('applicationsets', set);
  world.store.create('applications', { ...applicationDraft('shop-dev', 'shop'), ...application });
  const { interventions } = world.cluster;
  const stored = (): ObjectDraft => world.store.get('applications', 'argocd', 'shop-dev')!;
  const storedSet = () => world.store.get('applicationsets', 'argocd', 'shop')! as ObjectDraft;
  const seen = () => {
    const { uid = '', generation = 0 } = storedSet().metadata!;
    return { key: 'argocd/shop', uid, generation: Number(generation) };
  };
  const writes = () => world.kubernetes.journal.find({ verb: 'patch' });
  return { ...world, interventions, stored, storedSet, seen, writes };
}

const spec = (syncPolicy: object) => ({ spec: { project: 'default', syncPolicy } });
const running = (phase: string) => ({
  operation: { sync: {} },
  status: { operationState: { phase, startedAt, operation: { sync: {} } } },
});

test('a refresh is Argo CD’s own annotation, and one call', async () => {
  const { interventions, stored, writes } = await shop();
  expect(await interventions.refresh('argocd/shop-dev')).toBe('done');
  expect(stored().metadata?.annotations).toEqual({ 'argocd.argoproj.io/refresh': 'normal' });
  expect(writes()).toHaveLength(1);
  expect(await interventions.refresh('argocd/nobody')).toBe('gone');
});

test('a sync names no revision, and prunes as the template does where the Application does not say', async () => {
  const { interventions, stored, writes } = await shop();
  expect(await interventions.sync('argocd/shop-dev', { reason: 'The revert never came.' })).toBe('done');
  expect(stored().operation).toEqual({
    info: [{ name: 'Reason', value: 'The revert never came.' }],
    initiatedBy: { username: 'stepback' },
    retry: { limit: 5 },
    sync: { prune: true },
  });
  expect(writes()[0]?.body).toMatchObject({ metadata: { resourceVersion: expect.any(String) } });
  expect(await interventions.sync('argocd/shop-dev', { reason: 'Again.' })).toBe('busy');
  expect(await interventions.sync('argocd/nobody', { reason: 'Again.' })).toBe('gone');
});

test('what is being deleted is not synced: its finalizer takes away what that would make again', async () => {
  const { interventions, store, stored, writes } = await shop({
    metadata: {
      ...applicationDraft('shop-dev', 'shop').metadata,
      finalizers: ['resources-finalizer.argocd.argoproj.io'],
    },
  });
  store.remove('applications', 'argocd', 'shop-dev');
  expect(stored().metadata?.deletionTimestamp).toEqual(expect.any(String));
  expect(await interventions.sync('argocd/shop-dev', { reason: 'x' })).toBe('gone');
  expect(writes()).toEqual([]);
});

test('the options of a sync are the Application’s own', async () => {
  const retry = { limit: 2, backoff: { duration: '10s' } };
  const automated = { enabled: false, prune: false };
  const { interventions, stored } = await shop(
    spec({ automated, retry, syncOptions: ['ServerSideApply=true'] }),
  );
  await interventions.sync('argocd/shop-dev', { reason: 'x' });
  expect(stored().operation).toMatchObject({ retry, sync: { syncOptions: ['ServerSideApply=true'] } });
  expect(stored().operation).not.toHaveProperty('sync.prune');
});

test.each([
  ['was asked for and has not begun', { operation: { sync: {} } }],
  ['runs', running('Running')],
  ['is being ended', running('Terminating')],
])('no sync while an operation %s', async (_words, application) => {
  const { interventions, writes } = await shop(application);
  expect(await interventions.sync('argocd/shop-dev', { reason: 'x' })).toBe('busy');
  expect(writes()).toEqual([]);
});

test('only the operation that was meant is ended, once', async () => {
  const { interventions, stored, writes } = await shop(running('Running'));
  expect(await interventions.terminate('argocd/shop-dev', began + 1000)).toBe('over');
  expect(writes()).toEqual([]);
  expect(await interventions.terminate('argocd/shop-dev', began)).toBe('done');
  expect(stored().status).toMatchObject({ operationState: { phase: 'Terminating', startedAt } });
  expect(await interventions.terminate('argocd/shop-dev', began)).toBe('done');
  expect(writes()).toHaveLength(1);
  expect(await interventions.terminate('argocd/nobody', began)).toBe('gone');
});

test('what has ended is not ended again', async () => {
  const { interventions, writes } = await shop({ status: running('Succeeded').status });
  expect(await interventions.terminate('argocd/shop-dev', began)).toBe('over');
  expect(writes()).toEqual([]);
});

test('steps are changed together, and nothing else of them', async () => {
  const { interventions, storedSet, seen } = await shop();
  const hold = [
    { index: 0, expected: '100%', value: 0 },
    { index: 1, expected: null, value: 0 },
  ];
  expect(await interventions.setMaxUpdates(seen(), hold, 'noted')).toBe('done');
  const stepsNow = () =>
    (storedSet().spec as { strategy: { rollingSync: { steps: object[] } } }).strategy.rollingSync.steps;
  expect(stepsNow()).toEqual(steps.map((step) => ({ ...step, maxUpdate: 0 })));
  expect(storedSet().metadata?.annotations).toEqual({ 'ledger.stepback.dev/held': 'noted' });
  const putBack = hold.map(({ index, expected, value }) => ({ index, expected: value, value: expected }));
  expect(await interventions.setMaxUpdates(seen(), putBack, null)).toBe('done');
  expect(stepsNow()).toEqual(steps);
  expect(storedSet().metadata?.annotations).toEqual({});
});

test('no step is changed when one is not as expected, or the spec is not the one that was looked at', async () => {
  const { interventions, store, seen, writes } = await shop();
  const changes = [
    { index: 0, expected: '100%', value: 0 },
    { index: 1, expected: 5, value: 0 },
  ];
  expect(await interventions.setMaxUpdates(seen(), changes, null)).toBe('changed');
  expect(await interventions.setMaxUpdates(seen(), [{ index: 7, expected: null, value: 0 }], null)).toBe(
    'changed',
  );
  const before = seen();
  const one = [{ index: 1, expected: null, value: 0 }];
  expect(await interventions.setMaxUpdates({ ...before, uid: 'another' }, one, null)).toBe('changed');
  store.patchMerge('applicationsets', 'argocd', 'shop', { spec: { goTemplate: true } });
  expect(await interventions.setMaxUpdates(before, one, null)).toBe('changed');
  expect(writes()).toEqual([]);
  expect(await interventions.setMaxUpdates({ ...before, key: 'argocd/nobody' }, one, null)).toBe('gone');
});

test('the status that the controller writes in between is no reason to give up', async () => {
  const { interventions, store, seen, storedSet, writes } = await shop();
  let writesToCome = 2;
  const before = seen();
  const original = store.patchMerge.bind(store);
  store.patchMerge = ((...given: Parameters<typeof original>) => {
    if (writesToCome > 0) {
      writesToCome -= 1;
      store.replaceStatus('applicationsets', { ...storedSet(), status: { writesToCome } } as never);
    }
    return original(...given);
  }) as typeof original;
  expect(await interventions.setMaxUpdates(before, [{ index: 1, expected: null, value: 0 }], null)).toBe(
    'done',
  );
  expect(writes().map(({ status }) => status)).toEqual([409, 409, 200]);
});

test('what is not allowed names the right and the file that grants it', async () => {
  const { interventions, seen } = await shop({}, ['rbac.yaml']);
  const problemOf = async (call: Promise<unknown>): Promise<WorldProblem> => {
    const problem = await call.catch((error: unknown) => error);
    if (!(problem instanceof WorldProblem)) throw new Error('it was allowed');
    return problem;
  };
  const change = { index: 1, expected: null, value: 0 };
  const frozen = await problemOf(interventions.setMaxUpdates(seen(), [change], null));
  const refreshed = await problemOf(interventions.refresh('argocd/shop-dev'));
  expect([frozen.kind, refreshed.kind]).toEqual(['permanent', 'permanent']);
  expect(frozen.message).toMatchInlineSnapshot(
    `"In cluster "prod" Stepback has no right to patch applicationsets.argoproj.io argocd/shop. Grant the verb "patch" on applicationsets.argoproj.io in namespace argocd, as deploy/rbac-freeze.yaml does. The answer was: applicationsets.argoproj.io "shop" is forbidden: User "system:serviceaccount:argocd:stepback" cannot patch resource "applicationsets" in API group "argoproj.io" in the namespace "argocd""`,
  );
  expect(refreshed.message).toMatchInlineSnapshot(
    `"In cluster "prod" Stepback has no right to patch applications.argoproj.io argocd/shop-dev. Grant the verb "patch" on applications.argoproj.io in namespace argocd, as deploy/rbac-recover.yaml does. The answer was: applications.argoproj.io "shop-dev" is forbidden: User "system:serviceaccount:argocd:stepback" cannot patch resource "applications" in API group "argoproj.io" in the namespace "argocd""`,
  );
});

test('each file grants what is used and nothing else', () => {
  const granted = (file: string) => deployedRights(file).map(({ verbs, resources }) => [verbs, resources]);
  expect(granted('rbac-freeze.yaml')).toEqual([[['patch'], ['applicationsets']]]);
  expect(granted('rbac-recover.yaml')).toEqual([[['patch'], ['applications']]]);
});
