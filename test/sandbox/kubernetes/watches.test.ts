import { expect, test } from 'vitest';
import { APPLICATIONS, application, IN_ARGOCD, startWorld, TABLE, type WireEvent } from './world.ts';

const STREAMED =
  'watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true&timeoutSeconds=60';

function inShort(events: WireEvent[]): string[] {
  return events.map(
    ({ type, object }) => `${type} ${object.metadata.name ?? ''}@${object.metadata.resourceVersion}`,
  );
}

test('a watch from a version tells every later change, wherever it began', async () => {
  const { watch, store, kubernetes } = await startWorld();
  const versions = [store.resourceVersion];
  for (const name of ['a', 'b', 'c']) {
    store.create('applications', application(name));
    versions.push(store.resourceVersion);
  }
  for (const [index, version] of versions.entries()) {
    const lines = await watch(`${APPLICATIONS}?watch=1&resourceVersion=${version}`);
    if (index === 0) expect(inShort([(await lines.next())!])).toEqual(['ADDED a@4']);
    kubernetes.watches.end();
    expect(await lines.rest()).toHaveLength(index === 0 ? 2 : 3 - index);
  }
});

test('a watch without a version begins with what is there', async () => {
  const { watch, store, kubernetes } = await startWorld();
  store.create('applications', application('a'));
  const lines = await watch(`${APPLICATIONS}?watch=true`);
  store.patchMerge('applications', 'argocd', 'a', { spec: { project: 'other' } });
  kubernetes.watches.end();
  expect(inShort(await lines.rest())).toEqual(['ADDED a@4', 'MODIFIED a@5']);
});

test('a streamed list ends with a bookmark that says so', async () => {
  const { watch, store, clock } = await startWorld();
  store.create('applications', application('a'));
  const lines = await watch(`${IN_ARGOCD}?${STREAMED}`);
  clock.advance(60_000);
  const events = await lines.rest();
  expect(inShort(events)).toEqual(['ADDED a@4', 'BOOKMARK @4']);
  expect(events[1]!.object).toEqual({
    kind: 'Application',
    apiVersion: 'argoproj.io/v1alpha1',
    metadata: { resourceVersion: '4', annotations: { 'k8s.io/initial-events-end': 'true' } },
  });
});

test('the rules for streamed lists are those of the API server', async () => {
  const { get, kubernetes } = await startWorld();
  const without = await get(`${APPLICATIONS}?watch=1&sendInitialEvents=true`);
  expect(without.body.message).toMatchInlineSnapshot(
    `"ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan"`,
  );
  expect((await get(`${APPLICATIONS}?watch=1&resourceVersionMatch=NotOlderThan`)).status).toBe(422);
  kubernetes.watches.streamedLists = false;
  expect((await get(`${APPLICATIONS}?${STREAMED}`)).body.message).toMatchInlineSnapshot(
    `"ListOptions.meta.k8s.io "" is invalid: sendInitialEvents: Forbidden: sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled"`,
  );
});

test('bookmarks come once a minute, and only to those who asked', async () => {
  const { watch, store, clock, kubernetes } = await startWorld();
  const from = `watch=1&resourceVersion=${store.resourceVersion}`;
  const asked = await watch(`${APPLICATIONS}?${from}&allowWatchBookmarks=true`);
  const notAsked = await watch(`${APPLICATIONS}?${from}`);
  clock.advance(60_000);
  store.create('configmaps', { metadata: { name: 'elsewhere' } });
  clock.advance(60_000);
  kubernetes.watches.end();
  expect(inShort(await asked.rest())).toEqual(['BOOKMARK @3', 'BOOKMARK @4']);
  expect(await notAsked.rest()).toEqual([]);
});

test('a watch ends cleanly when its time is up', async () => {
  const { watch, clock, kubernetes, store } = await startWorld();
  const lines = await watch(
    `${APPLICATIONS}?watch=1&resourceVersion=${store.resourceVersion}&timeoutSeconds=5`,
  );
  expect(kubernetes.watches.count('applications')).toBe(1);
  clock.advance(5_000);
  expect(await lines.next()).toBeUndefined();
  await kubernetes.journal.arrived({ isOver: true });
  expect(kubernetes.watches.count()).toBe(0);
});

test('through a selector an object appears and goes as it starts and stops to match', async () => {
  const { watch, store, kubernetes } = await startWorld();
  const path = `${APPLICATIONS}?watch=1&labelSelector=env%3Dprod&resourceVersion=${store.resourceVersion}`;
  const lines = await watch(path);
  const label = (env: string) =>
    store.patchMerge('applications', 'argocd', 'a', { metadata: { labels: { env } } });
  store.create('applications', application('a', { metadata: { labels: { env: 'dev' } } }));
  label('prod');
  label('staging');
  label('prod');
  store.remove('applications', 'argocd', 'a');
  kubernetes.watches.end();
  const events = await lines.rest();
  expect(inShort(events)).toEqual(['ADDED a@5', 'DELETED a@6', 'ADDED a@7', 'DELETED a@8']);
  expect(events[1]!.object.metadata.labels.env).toBe('prod');
});

test('a watch of one namespace or one object shows nothing else', async () => {
  const { watch, store, kubernetes } = await startWorld();
  const from = `watch=1&resourceVersion=${store.resourceVersion}`;
  const namespaced = await watch(`${IN_ARGOCD}?${from}`);
  const named = await watch(`${IN_ARGOCD}?${from}&fieldSelector=metadata.name%3Db`);
  store.create('applications', application('a', { metadata: { namespace: 'team-a' } }));
  store.create('applications', application('a'));
  store.create('applications', application('b'));
  kubernetes.watches.end();
  expect(inShort(await namespaced.rest())).toEqual(['ADDED a@5', 'ADDED b@6']);
  expect(inShort(await named.rest())).toEqual(['ADDED b@6']);
});

test('the history is limited, and what fell out of it is too old', async () => {
  const { watch, store } = await startWorld({ historyEventsMax: 10 });
  for (let count = 0; count < 50; count += 1) store.create('configmaps', { metadata: { generateName: 'x' } });
  const lines = await watch(`${APPLICATIONS}?watch=1&resourceVersion=5`);
  const [error] = await lines.rest();
  expect(error).toMatchObject({ type: 'ERROR', object: { code: 410, reason: 'Expired' } });
});

test('a watch of a kind ends when the kind is removed', async () => {
  const { watch, store } = await startWorld();
  store.create('applicationsets', { metadata: { name: 'shop', namespace: 'argocd' } });
  const lines = await watch('/apis/argoproj.io/v1alpha1/applicationsets?watch=1', { accept: TABLE });
  store.remove('customresourcedefinitions', '', 'applicationsets.argoproj.io');
  expect((await lines.rest()).map(({ type }) => type)).toEqual(['ADDED', 'DELETED']);
});

test('a watch can be told at any time that it is too old, or be broken', async () => {
  const { watch, store, kubernetes } = await startWorld();
  const from = `watch=1&resourceVersion=${store.resourceVersion}`;
  const expired = await watch(`${APPLICATIONS}?${from}`);
  kubernetes.watches.expire('applications');
  expect((await expired.rest())[0]).toMatchObject({ type: 'ERROR', object: { code: 410 } });
  const broken = await watch(`${APPLICATIONS}?${from}`);
  kubernetes.watches.reset('applications');
  await expect(broken.next()).rejects.toThrow();
});
