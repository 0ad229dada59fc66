/**
 * The traps that a cluster sets, each played by the small server through its knobs as the case describes it; what Stepback makes of
 * them is tested with its adapter.
 */
import { expect, test } from 'vitest';
import { APPLICATIONS, application, endsInsideCharacter, IN_ARGOCD, startWorld } from './world.ts';

test('KW01: too old comes as an event in a stream and as a status', async () => {
  const { get, watch, store, kubernetes } = await startWorld();
  store.create('applications', application('shop-dev'));
  store.create('applications', application('shop-old'));
  kubernetes.faults.add({ verb: 'watch', nth: 1, fault: { kind: 'gone', as: 'event' } });
  kubernetes.faults.add({ verb: 'watch', nth: 2, fault: { kind: 'gone', as: 'status' } });
  const first = await get(`${APPLICATIONS}?limit=500`);
  const from = (body: { metadata: { resourceVersion: string } }) =>
    `${APPLICATIONS}?watch=1&resourceVersion=${body.metadata.resourceVersion}`;
  const lines = await watch(from(first.body));
  expect(await lines.rest()).toMatchObject([{ type: 'ERROR', object: { code: 410, reason: 'Expired' } }]);
  store.remove('applications', 'argocd', 'shop-old');
  const second = await get(`${APPLICATIONS}?limit=500`);
  expect(second.body.items).toHaveLength(1);
  expect(await get(from(second.body))).toMatchObject({
    status: 410,
    body: { kind: 'Status', reason: 'Expired' },
  });
  expect(kubernetes.journal.find({ verb: 'list' })).toHaveLength(2);
});

test('KW03: a stream ends after one event without an error, the next one is silent', async () => {
  const { watch, store, kubernetes, clock } = await startWorld();
  store.create('applications', application('shop-dev'));
  kubernetes.faults.add({ verb: 'watch', nth: 1, fault: { kind: 'end', afterEvents: 1 } });
  kubernetes.faults.add({ verb: 'watch', nth: 2, fault: { kind: 'silence' } });
  const lines = await watch(`${APPLICATIONS}?watch=1&resourceVersion=${store.resourceVersion}`);
  const changed = store.patchMerge('applications', 'argocd', 'shop-dev', { spec: { project: 'other' } });
  expect((await lines.rest()).map(({ type }) => type)).toEqual(['MODIFIED']);
  const from = changed.metadata.resourceVersion;
  const silent = await watch(`${APPLICATIONS}?watch=1&resourceVersion=${from}&allowWatchBookmarks=true`);
  store.patchMerge('applications', 'argocd', 'shop-dev', { spec: { project: 'third' } });
  clock.advance(120_000);
  expect(kubernetes.watches.count()).toBe(1);
  kubernetes.watches.end();
  expect(await silent.rest()).toEqual([]);
});

test('KW04: every watch ends at once, fifty times', async () => {
  const { watch, store, kubernetes } = await startWorld();
  kubernetes.faults.add({ verb: 'watch', times: 50, fault: { kind: 'end', afterEvents: 0 } });
  const path = `${APPLICATIONS}?watch=1&resourceVersion=${store.resourceVersion}`;
  for (let count = 0; count < 50; count += 1) expect(await (await watch(path)).rest()).toEqual([]);
  const lines = await watch(path);
  store.create('applications', application('a'));
  expect(await lines.next()).toMatchObject({ type: 'ADDED' });
  expect(kubernetes.journal.find({ verb: 'watch', status: 200 })).toHaveLength(51);
});

test('KW05: listing one namespace is allowed, watching it and reading the flag are not', async () => {
  const { get } = await startWorld({
    user: 'system:serviceaccount:ops:bot',
    allow: [{ verbs: ['list'], resources: ['applications'], namespaces: ['argocd'] }],
  });
  expect((await get(APPLICATIONS)).body.message).toBe(
    'applications.argoproj.io is forbidden: User "system:serviceaccount:ops:bot" cannot list resource "applications" in API group "argoproj.io" at the cluster scope',
  );
  expect((await get(IN_ARGOCD)).body).toMatchObject({ items: [] });
  expect((await get(`${IN_ARGOCD}?watch=1&resourceVersion=5`)).status).toBe(403);
  expect((await get('/api/v1/namespaces/argocd/configmaps/argocd-cmd-params-cm')).status).toBe(403);
});

test('KW07: one line of 2.4 MB in pieces of 16 KB that split characters', async () => {
  const { watch, store, kubernetes } = await startWorld();
  kubernetes.faults.add({ verb: 'watch', fault: { kind: 'padding', bytes: 2_400_000 } });
  kubernetes.faults.add({ verb: 'watch', fault: { kind: 'chunks', bytes: 16_384 } });
  const lines = await watch(`${APPLICATIONS}?watch=1&resourceVersion=${store.resourceVersion}`);
  store.create('applications', application('shop-dev'));
  expect((await lines.next())?.object.metadata.name).toBe('shop-dev');
  expect(lines.pieces.some(endsInsideCharacter)).toBe(true);
});

test('KW08: the clock of the server is five minutes ahead of ours', async () => {
  const { get, kubernetes, clock } = await startWorld();
  kubernetes.faults.dateSkewMs = 300_000;
  const date = (await get(APPLICATIONS)).headers.get('date');
  expect(Date.parse(date!) - clock.now()).toBe(300_000);
});

test('KW10: the same name comes back with another uid, and the deletion in between is lost', async () => {
  const { watch, store, kubernetes } = await startWorld();
  store.put('applications', application('shop-dev', { metadata: { uid: 'u1' } }));
  const lines = await watch(`${APPLICATIONS}?watch=1&resourceVersion=${store.resourceVersion}`);
  store.put('applications', application('shop-dev', { metadata: { uid: 'u2' } }));
  kubernetes.watches.end();
  expect(await lines.rest()).toMatchObject([{ type: 'MODIFIED', object: { metadata: { uid: 'u2' } } }]);
});
