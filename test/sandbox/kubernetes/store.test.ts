import { expect, test } from 'vitest';
import type { StoredObject, StoreEvent } from '../../../src/sandbox/kubernetes/objects.ts';
import { ObjectStore } from '../../../src/sandbox/kubernetes/store.ts';

const NOON = Date.parse('2026-12-01T12:00:00Z');

function healthyStore() {
  const clock = { time: NOON, now: () => clock.time };
  const store = new ObjectStore({ clock });
  const application = store.create('applications', {
    metadata: { name: 'shop-dev', namespace: 'argocd', labels: { env: 'dev' } },
    spec: { project: 'default' },
    status: { sync: { status: 'Synced' } },
  });
  const events: StoreEvent[] = [];
  store.subscribe((event) => events.push(event));
  return { clock, store, application, events };
}

function problem(action: () => unknown): string {
  try {
    action();
  } catch (error) {
    return `${(error as { code: number }).code} ${(error as Error).message}`;
  }
  return 'no problem';
}

test('a created object gets uid, version, generation and time, and is frozen', () => {
  const { application, store } = healthyStore();
  expect(application.metadata).toMatchInlineSnapshot(`
    {
      "creationTimestamp": "2026-12-01T12:00:00Z",
      "generation": 1,
      "labels": {
        "env": "dev",
      },
      "name": "shop-dev",
      "namespace": "argocd",
      "resourceVersion": "4",
      "uid": "9e7648e4-304c-44a0-88fe-fe97e3d0e2f4",
    }
  `);
  expect(Object.isFrozen(application.metadata.labels)).toBe(true);
  expect(store.get('applications', 'argocd', 'shop-dev')).toBe(application);
});

test('the status of an Application is written with its spec and counts as a generation, as recorded', () => {
  const { store } = healthyStore();
  const patch = { status: { sync: { status: 'OutOfSync' } } };
  const patched = store.patchMerge('applications', 'argocd', 'shop-dev', patch);
  expect(patched.status).toEqual(patch.status);
  expect(patched.metadata.generation).toBe(2);
  expect(problem(() => store.replaceStatus('applications', patched))).toBe('404 404 page not found');
});

test('the status of an ApplicationSet is written apart and does not count as a generation', () => {
  const { store } = healthyStore();
  const draft = { metadata: { name: 'shop', namespace: 'argocd' }, spec: { a: 1 }, status: { b: 1 } };
  const created = store.create('applicationsets', draft);
  expect(created.status).toBeUndefined();
  const withStatus = store.replaceStatus('applicationsets', {
    ...created,
    spec: { a: 2 },
    status: { b: 2 },
  });
  expect(withStatus).toMatchObject({ spec: { a: 1 }, status: { b: 2 }, metadata: { generation: 1 } });
  const withSpec = store.replace('applicationsets', { ...withStatus, spec: { a: 3 }, status: {} });
  expect(withSpec).toMatchObject({ spec: { a: 3 }, status: { b: 2 }, metadata: { generation: 2 } });
});

test('a change of labels alone is no new generation', () => {
  const { store } = healthyStore();
  const patched = store.patchMerge('applications', 'argocd', 'shop-dev', {
    metadata: { labels: { env: 'x' } },
  });
  expect(patched.metadata).toMatchObject({ generation: 1, labels: { env: 'x' } });
});

test('a write with an old version is a conflict in the words of the API server', () => {
  const { store, application } = healthyStore();
  store.patchMerge('applications', 'argocd', 'shop-dev', { spec: { project: 'other' } });
  expect(problem(() => store.replace('applications', application))).toMatchInlineSnapshot(
    `"409 Operation cannot be fulfilled on applications.argoproj.io "shop-dev": the object has been modified; please apply your changes to the latest version and try again"`,
  );
  const stale = { metadata: { resourceVersion: application.metadata.resourceVersion }, spec: {} };
  expect(problem(() => store.patchMerge('applications', 'argocd', 'shop-dev', stale))).toMatch(/^409/);
  const unversioned = { metadata: { name: 'shop-dev', namespace: 'argocd' } };
  expect(problem(() => store.replace('applications', unversioned))).toMatchInlineSnapshot(
    `"422 Application.argoproj.io "shop-dev" is invalid: metadata.resourceVersion: Invalid value: 0x0: must be specified for an update"`,
  );
});

test('refusals name the resource and the object', () => {
  const { store } = healthyStore();
  const metadata = { name: 'shop-dev', namespace: 'argocd' };
  expect(problem(() => store.create('applications', { metadata }))).toMatchInlineSnapshot(
    `"409 applications.argoproj.io "shop-dev" already exists"`,
  );
  expect(problem(() => store.remove('applications', 'argocd', 'none'))).toMatchInlineSnapshot(
    `"404 applications.argoproj.io "none" not found"`,
  );
  expect(problem(() => store.remove('applications', 'argocd', 'shop-dev', { uid: 'x' }))).toMatch(
    /^409 .*UID in precondition: x/,
  );
  expect(problem(() => store.list('rollbacks'))).toBe('404 404 page not found');
  expect(problem(() => store.create('applications', {}))).toMatchInlineSnapshot(
    `"422 Application.argoproj.io "" is invalid: metadata.name: Required value: name or generateName is required"`,
  );
});

test('a write that changes nothing is no write', () => {
  const { store, application, events } = healthyStore();
  const before = store.resourceVersion;
  expect(store.replace('applications', application)).toBe(application);
  expect(store.resourceVersion).toBe(before);
  expect(events).toEqual([]);
});

test('finalizers hold a deleted object until they are gone', () => {
  const { store, events, clock } = healthyStore();
  store.patchMerge('applications', 'argocd', 'shop-dev', { metadata: { finalizers: ['hold'] } });
  clock.time += 1000;
  const marked = store.remove('applications', 'argocd', 'shop-dev');
  expect(marked.metadata).toMatchObject({ deletionTimestamp: '2026-12-01T12:00:01Z', generation: 2 });
  store.remove('applications', 'argocd', 'shop-dev');
  store.patchMerge('applications', 'argocd', 'shop-dev', { metadata: { finalizers: null } });
  expect(events.map((event) => event.type)).toEqual(['MODIFIED', 'MODIFIED', 'DELETED']);
  expect(events.at(-1)?.object.metadata.resourceVersion).toBe(String(store.resourceVersion));
  expect(store.list('applications')).toEqual([]);
});

test('a dry run answers and writes nothing', () => {
  const { store, events } = healthyStore();
  const patch = { spec: { project: 'other' } };
  const answer = store.patchMerge('applications', 'argocd', 'shop-dev', patch, { dryRun: true });
  expect(answer.spec).toEqual(patch.spec);
  expect(store.get<StoredObject>('applications', 'argocd', 'shop-dev')?.spec).toEqual({ project: 'default' });
  expect(events).toEqual([]);
});

test('a listener that writes does not disturb the order in which others hear of it', () => {
  const { store } = healthyStore();
  store.subscribe((event) => {
    if (event.object.metadata.name === 'first') store.create('configmaps', { metadata: { name: 'second' } });
  });
  const heard: string[] = [];
  const stop = store.subscribe((event) => heard.push(event.object.metadata.name));
  store.create('configmaps', { metadata: { name: 'first' } });
  stop();
  store.create('configmaps', { metadata: { name: 'third' } });
  expect(heard).toEqual(['first', 'second']);
});

test('removing a definition removes its objects first', () => {
  const { store, events } = healthyStore();
  store.remove('customresourcedefinitions', '', 'applications.argoproj.io');
  expect(events.map((event) => event.object.metadata.name)).toEqual(['shop-dev', 'applications.argoproj.io']);
  expect(events.map((event) => event.resourceVersion)).toEqual([5, 6]);
  expect(problem(() => store.list('applications'))).toBe('404 404 page not found');
});
