import { expect, test } from 'vitest';
import { APPLICATIONS, application, IN_ARGOCD, startWorld } from './world.ts';

const REVIEWS = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';

test('a rule allows verbs on resources in namespaces, and refusals name what was asked', async () => {
  const { get, request, store } = await startWorld({
    user: 'system:serviceaccount:ops:bot',
    allow: [
      { verbs: ['get', 'list'], resources: ['applications'], namespaces: ['argocd'] },
      {
        verbs: ['*'],
        resources: ['leases'],
        groups: ['coordination.k8s.io'],
        namespaces: ['argocd'],
        names: ['stepback'],
      },
    ],
  });
  store.create('applications', application('a'));
  expect((await get(IN_ARGOCD)).status).toBe(200);
  expect((await get(`${IN_ARGOCD}/a`)).status).toBe(200);
  const lease = '/apis/coordination.k8s.io/v1/namespaces/argocd/leases/stepback';
  expect((await get(lease)).status).toBe(404);
  const byName =
    '/apis/coordination.k8s.io/v1/namespaces/argocd/leases?fieldSelector=metadata.name%3Dstepback';
  expect((await get(byName)).status).toBe(200);
  const refused = [
    await get(APPLICATIONS),
    await get(`${IN_ARGOCD}?watch=1`),
    await get('/api/v1/namespaces/argocd/configmaps/argocd-cmd-params-cm'),
    await get('/apis/argoproj.io/v1alpha1/namespaces/argocd/applicationsets/shop/status'),
    await request('DELETE', `${IN_ARGOCD}/a`),
    await get('/apis/stepback.dev/v1alpha1/rollbacks'),
    await get('/apis/coordination.k8s.io/v1/namespaces/argocd/leases/other'),
  ];
  expect(refused.map(({ status, body }) => `${status} ${body.message}`).join('\n')).toMatchInlineSnapshot(`
    "403 applications.argoproj.io is forbidden: User "system:serviceaccount:ops:bot" cannot list resource "applications" in API group "argoproj.io" at the cluster scope
    403 applications.argoproj.io is forbidden: User "system:serviceaccount:ops:bot" cannot watch resource "applications" in API group "argoproj.io" in the namespace "argocd"
    403 configmaps "argocd-cmd-params-cm" is forbidden: User "system:serviceaccount:ops:bot" cannot get resource "configmaps" in API group "" in the namespace "argocd"
    403 applicationsets.argoproj.io "shop" is forbidden: User "system:serviceaccount:ops:bot" cannot get resource "applicationsets/status" in API group "argoproj.io" in the namespace "argocd"
    403 applications.argoproj.io "a" is forbidden: User "system:serviceaccount:ops:bot" cannot delete resource "applications" in API group "argoproj.io" in the namespace "argocd"
    403 rollbacks.stepback.dev is forbidden: User "system:serviceaccount:ops:bot" cannot list resource "rollbacks" in API group "stepback.dev" at the cluster scope
    403 leases.coordination.k8s.io "other" is forbidden: User "system:serviceaccount:ops:bot" cannot get resource "leases" in API group "coordination.k8s.io" in the namespace "argocd""
  `);
  expect(refused[2]!.body.details).toEqual({ name: 'argocd-cmd-params-cm', kind: 'configmaps' });
});

test('rights can be taken away while the server runs', async () => {
  const { get, kubernetes } = await startWorld();
  expect((await get(APPLICATIONS)).status).toBe(200);
  kubernetes.users[0]!.allow = [];
  expect((await get(APPLICATIONS)).status).toBe(403);
});

test('each token is a user with rules of its own', async () => {
  const { get } = await startWorld({
    token: 'first',
    users: [{ token: 'second', name: 'reader', allow: [{ verbs: ['list'], resources: ['applications'] }] }],
  });
  const second = { authorization: 'Bearer second' };
  expect((await get(APPLICATIONS, second)).status).toBe(200);
  expect((await get('/api/v1/configmaps', second)).body.message).toContain('User "reader" cannot list');
  expect((await get('/api/v1/configmaps')).status).toBe(200);
  expect((await get(APPLICATIONS, { authorization: '' })).status).toBe(401);
});

test('one may ask what one may do', async () => {
  const { request } = await startWorld({
    allow: [{ verbs: ['patch'], resources: ['applicationsets'], namespaces: ['argocd'] }],
  });
  const may = async (resourceAttributes: object) =>
    (await request('POST', REVIEWS, { spec: { resourceAttributes } })).body.status.allowed;
  const attributes = { verb: 'patch', group: 'argoproj.io', resource: 'applicationsets' };
  expect(await may({ ...attributes, namespace: 'argocd' })).toBe(true);
  expect(await may({ ...attributes, namespace: 'other' })).toBe(false);
  expect(await may(attributes)).toBe(false);
  expect(await may({ ...attributes, namespace: 'argocd', subresource: 'status' })).toBe(false);
  expect((await request('POST', REVIEWS, {})).status).toBe(400);
});

test('the journal tells who asked for what, and how it was answered', async () => {
  const { request, kubernetes } = await startWorld();
  await request('POST', IN_ARGOCD, application('a'));
  await request('GET', `${IN_ARGOCD}/b`);
  const [created, read] = kubernetes.journal.entries;
  expect(created).toMatchObject({
    number: 1,
    verb: 'create',
    resource: 'applications',
    namespace: 'argocd',
    status: 201,
  });
  expect(created!.body).toEqual(application('a'));
  expect(read).toMatchObject({
    verb: 'get',
    name: 'b',
    status: 404,
    user: 'system:serviceaccount:argocd:stepback',
  });
  kubernetes.journal.clear();
  expect(kubernetes.journal.find({ verb: 'get' })).toEqual([]);
});
