import { expect, test } from 'vitest';
import { customResource } from '../../../src/sandbox/kubernetes/resources.ts';
import { application, IN_ARGOCD, startWorld, TABLE } from './world.ts';

const SETS = '/apis/argoproj.io/v1alpha1/namespaces/argocd/applicationsets';
const LEASES = '/apis/coordination.k8s.io/v1/namespaces/argocd/leases';
const MERGE = { 'content-type': 'application/merge-patch+json' };
const JSON_PATCH = { 'content-type': 'application/json-patch+json' };
const APPLY = { 'content-type': 'application/apply-patch+yaml' };

test('an object is created, read, replaced and deleted', async () => {
  const { request, get, store } = await startWorld();
  const created = await request('POST', IN_ARGOCD, application('shop-dev'));
  expect(created).toMatchObject({ status: 201, body: { kind: 'Application', metadata: { generation: 1 } } });
  expect((await get(`${IN_ARGOCD}/shop-dev`)).body).toEqual(created.body);
  const next = { ...created.body, spec: { project: 'other' } };
  const replaced = await request('PUT', `${IN_ARGOCD}/shop-dev`, next);
  expect(replaced).toMatchObject({
    status: 200,
    body: { spec: { project: 'other' }, metadata: { generation: 2 } },
  });
  const removed = await request('DELETE', `${IN_ARGOCD}/shop-dev`);
  expect(removed.body).toMatchObject({
    status: 'Success',
    details: { name: 'shop-dev', group: 'argoproj.io', kind: 'applications' },
  });
  expect(store.list('applications')).toEqual([]);
  expect((await get(`${IN_ARGOCD}/shop-dev`)).body).toMatchInlineSnapshot(`
    {
      "apiVersion": "v1",
      "code": 404,
      "details": {
        "group": "argoproj.io",
        "kind": "applications",
        "name": "shop-dev",
      },
      "kind": "Status",
      "message": "applications.argoproj.io "shop-dev" not found",
      "metadata": {},
      "reason": "NotFound",
      "status": "Failure",
    }
  `);
});

test('a merge patch merges, a JSON patch edits, an apply creates what is missing', async () => {
  const { request } = await startWorld();
  await request('POST', IN_ARGOCD, application('shop-dev'));
  const path = `${IN_ARGOCD}/shop-dev`;
  const refresh = { metadata: { annotations: { 'argocd.argoproj.io/refresh': 'normal' } } };
  const merged = await request('PATCH', path, refresh, MERGE);
  expect(merged.body.metadata).toMatchObject({ ...refresh.metadata, generation: 1 });
  const operations = [
    { op: 'test', path: '/metadata/annotations/argocd.argoproj.io~1refresh', value: 'normal' },
    { op: 'remove', path: '/metadata/annotations/argocd.argoproj.io~1refresh' },
    { op: 'add', path: '/spec/steps', value: ['a'] },
    { op: 'add', path: '/spec/steps/0', value: 'first' },
    { op: 'add', path: '/spec/steps/-', value: 'last' },
    { op: 'replace', path: '/spec/project', value: 'other' },
    { op: 'copy', from: '/spec/project', path: '/spec/copied' },
    { op: 'move', from: '/spec/copied', path: '/spec/moved' },
  ];
  const edited = await request('PATCH', path, operations, JSON_PATCH);
  expect(edited.body.spec).toEqual({ project: 'other', steps: ['first', 'a', 'last'], moved: 'other' });
  expect(edited.body.metadata.annotations).toEqual({});
  const applied = await request('PATCH', `${IN_ARGOCD}/new?fieldManager=stepback`, { spec: {} }, APPLY);
  expect(applied).toMatchObject({ status: 201, body: { metadata: { name: 'new', namespace: 'argocd' } } });
  expect((await request('PATCH', `${IN_ARGOCD}/new`, { spec: {} }, APPLY)).status).toBe(422);
});

test('a failing JSON patch changes nothing', async () => {
  const { request, store } = await startWorld();
  store.create('applications', application('shop-dev'));
  const before = store.resourceVersion;
  const operations = [
    { op: 'replace', path: '/spec/project', value: 'other' },
    { op: 'test', path: '/spec/project', value: 'default' },
  ];
  const { status, body } = await request('PATCH', `${IN_ARGOCD}/shop-dev`, operations, JSON_PATCH);
  expect([status, body.message]).toMatchInlineSnapshot(`
    [
      422,
      "the server rejected our request due to an error in our request: testing path /spec/project value failed",
    ]
  `);
  expect(store.resourceVersion).toBe(before);
});

test('a strategic merge patch of a custom resource is refused, of a built-in kind it is a merge', async () => {
  const { request, store } = await startWorld();
  store.create('applications', application('shop-dev'));
  store.create('configmaps', { metadata: { name: 'argocd-cm', namespace: 'argocd' }, data: { a: '1' } });
  const headers = { 'content-type': 'application/strategic-merge-patch+json' };
  expect((await request('PATCH', `${IN_ARGOCD}/shop-dev`, {}, headers)).status).toBe(415);
  const path = '/api/v1/namespaces/argocd/configmaps/argocd-cm';
  expect((await request('PATCH', path, { data: { b: '2' } }, headers)).body.data).toEqual({ a: '1', b: '2' });
});

test('the status of an ApplicationSet has a path of its own, that of an Application does not', async () => {
  const { request, get, store } = await startWorld();
  store.create('applications', application('shop-dev'));
  const created = await request('POST', SETS, { metadata: { name: 'shop' }, spec: { a: 1 } });
  const body = { ...created.body, spec: { a: 2 }, status: { conditions: [] } };
  const put = await request('PUT', `${SETS}/shop/status`, body);
  expect(put.body).toMatchObject({ spec: { a: 1 }, status: { conditions: [] }, metadata: { generation: 1 } });
  const patched = await request('PATCH', `${SETS}/shop/status`, { spec: { a: 3 }, status: { b: 1 } }, MERGE);
  expect(patched.body).toMatchObject({ spec: { a: 1 }, status: { conditions: [], b: 1 } });
  expect((await request('PATCH', `${SETS}/shop`, { status: { b: 2 } }, MERGE)).body.status.b).toBe(1);
  expect((await get(`${SETS}/shop/status`)).body.status.b).toBe(1);
  expect(await request('PATCH', `${IN_ARGOCD}/shop-dev/status`, {}, MERGE)).toMatchObject({
    status: 404,
    body: '404 page not found\n',
  });
});

test('of two who take a Lease from the same version one gets a conflict', async () => {
  const { request } = await startWorld();
  const lease = await request('POST', LEASES, {
    metadata: { name: 'stepback' },
    spec: { holderIdentity: 'a' },
  });
  const take = (holderIdentity: string) =>
    request('PUT', `${LEASES}/stepback`, { ...lease.body, spec: { holderIdentity } });
  const answers = await Promise.all([take('b'), take('c')]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  const { resourceVersion: _version, ...metadata } = lease.body.metadata;
  expect((await request('PUT', `${LEASES}/stepback`, { ...lease.body, metadata })).status).toBe(422);
});

test('finalizers hold a deleted object, preconditions protect another one of the same name', async () => {
  const { request, store } = await startWorld();
  const finalizers = ['resources-finalizer.argocd.argoproj.io'];
  store.create('applications', application('shop-dev', { metadata: { finalizers } }));
  const path = `${IN_ARGOCD}/shop-dev`;
  expect((await request('DELETE', path, { preconditions: { uid: 'another' } })).status).toBe(409);
  const marked = await request('DELETE', path);
  expect(marked.body.metadata).toMatchObject({ finalizers, deletionTimestamp: '2026-12-01T12:00:00Z' });
  await request('PATCH', path, { metadata: { finalizers: null } }, MERGE);
  expect(store.list('applications')).toEqual([]);
});

test('a collection is deleted by label', async () => {
  const { request, store } = await startWorld();
  store.create('applications', application('a'));
  store.create('applications', application('b', { metadata: { labels: { env: 'dev' } } }));
  await request('DELETE', `${IN_ARGOCD}?labelSelector=env%3Dprod`);
  expect(store.list('applications').map(({ metadata }) => metadata.name)).toEqual(['b']);
});

test('a dry run answers and writes nothing', async () => {
  const { request, store } = await startWorld();
  const before = store.resourceVersion;
  expect((await request('POST', `${IN_ARGOCD}?dryRun=All`, application('a'))).status).toBe(201);
  expect(store.resourceVersion).toBe(before);
});

test('what a writer gets wrong is refused in the words of the API server', async () => {
  const { request, store } = await startWorld();
  store.create('applications', application('shop-dev'));
  const refusals = [
    await request('POST', IN_ARGOCD, application('shop-dev')),
    await request('POST', IN_ARGOCD, { ...application('a'), kind: 'Secret', apiVersion: 'v1' }),
    await request('POST', IN_ARGOCD, application('a', { metadata: { namespace: 'other' } })),
    await request('POST', IN_ARGOCD, application('a', { metadata: { resourceVersion: '1' } })),
    await request('POST', IN_ARGOCD, { metadata: {} }),
    await request('POST', IN_ARGOCD, []),
    await request('POST', '/apis/argoproj.io/v1alpha1/applications', application('a')),
    await request('PUT', `${IN_ARGOCD}/another`, application('shop-dev')),
    await request('PATCH', `${IN_ARGOCD}/none`, {}, MERGE),
    await request('DELETE', `${IN_ARGOCD}/none`),
  ];
  const answers = refusals.map(({ status, body }) => `${status} ${body.reason}: ${body.message}`);
  expect(answers.join('\n')).toMatchInlineSnapshot(`
    "409 AlreadyExists: applications.argoproj.io "shop-dev" already exists
    400 BadRequest: Secret in version "v1" cannot be handled as a Application
    400 BadRequest: the namespace of the provided object does not match the namespace sent on the request
    500 InternalError: resourceVersion should not be set on objects to be created
    422 Invalid: Application.argoproj.io "" is invalid: metadata.name: Required value: name or generateName is required
    400 BadRequest: the object provided is unrecognized (must be of type Object): couldn't get version/kind
    405 MethodNotAllowed: the server does not allow this method on the requested resource
    400 BadRequest: the name of the object (shop-dev) does not match the name on the URL (another)
    404 NotFound: applications.argoproj.io "none" not found
    404 NotFound: applications.argoproj.io "none" not found"
  `);
});

test('an object of more than one and a half megabytes is refused, a body of more than three not read', async () => {
  const { request, store } = await startWorld();
  const ofSize = (bytes: number) => ({ ...application('huge'), spec: { text: 'x'.repeat(bytes) } });
  expect((await request('POST', IN_ARGOCD, ofSize(1_400_000))).status).toBe(201);
  expect(
    (await request('POST', IN_ARGOCD, { ...ofSize(1_600_000), metadata: { name: 'more' } })).body.message,
  ).toBe('etcdserver: request is too large');
  expect((await request('POST', IN_ARGOCD, ofSize(3_200_000))).status).toBe(413);
  expect(store.list('applications')).toHaveLength(1);
});

test('what the schema of a custom resource does not know is pruned, what it forbids is refused', async () => {
  const { request, store } = await startWorld();
  const schema = {
    type: 'object',
    required: ['spec'],
    properties: {
      metadata: { type: 'object' },
      spec: {
        type: 'object',
        required: ['phase'],
        properties: {
          phase: { type: 'string', enum: ['Open', 'Closed'] },
          retries: { type: 'integer', minimum: 0, default: 3 },
          commits: { type: 'array', maxItems: 2, items: { type: 'string', pattern: '^[0-9a-f]{40}$' } },
          notes: { type: 'object', additionalProperties: { type: 'string', maxLength: 3 } },
        },
      },
    },
  };
  const names = { group: 'stepback.dev', version: 'v1alpha1', kind: 'Rollback', plural: 'rollbacks' };
  store.create('customresourcedefinitions', customResource({ ...names, statusSubresource: true, schema }));
  const path = '/apis/stepback.dev/v1alpha1/namespaces/argocd/rollbacks';
  const spec = { phase: 'Open', unknown: 1, notes: { a: 'abc' } };
  const created = await request('POST', path, { metadata: { name: 'a' }, spec, extra: true });
  expect(created.body.spec).toEqual({ phase: 'Open', retries: 3, notes: { a: 'abc' } });
  expect(created.body).not.toHaveProperty('extra');
  const wrong = { phase: 'Half', retries: -1, commits: ['x', 1, 'y'], notes: { a: 'abcd' } };
  const refused = await request('POST', path, { metadata: { name: 'b' }, spec: wrong });
  expect(refused.status).toBe(422);
  expect(refused.body.details.causes).toMatchInlineSnapshot(`
    [
      {
        "field": "spec.phase",
        "message": "Unsupported value: "Half": supported values: "Open", "Closed"",
        "reason": "FieldValueInvalid",
      },
      {
        "field": "spec.retries",
        "message": "Invalid value: -1: should be greater than or equal to 0",
        "reason": "FieldValueInvalid",
      },
      {
        "field": "spec.commits",
        "message": "Too many: 3: must have at most 2 items",
        "reason": "FieldValueInvalid",
      },
      {
        "field": "spec.commits[0]",
        "message": "Invalid value: "x": should match '^[0-9a-f]{40}$'",
        "reason": "FieldValueInvalid",
      },
      {
        "field": "spec.commits[1]",
        "message": "Invalid value: "integer": string is required, got integer",
        "reason": "FieldValueInvalid",
      },
      {
        "field": "spec.commits[2]",
        "message": "Invalid value: "y": should match '^[0-9a-f]{40}$'",
        "reason": "FieldValueInvalid",
      },
      {
        "field": "spec.notes.a",
        "message": "Too long: may not be more than 3 bytes",
        "reason": "FieldValueInvalid",
      },
    ]
  `);
  expect((await request('POST', path, { metadata: { name: 'b' } })).body.message).toMatchInlineSnapshot(
    `"Rollback.stepback.dev "b" is invalid: spec: Required value"`,
  );
});

test('a written object comes back in the view that was asked for', async () => {
  const { request } = await startWorld();
  const created = await request('POST', IN_ARGOCD, application('shop-dev'), { accept: TABLE });
  expect(created.body.rows[0].cells.slice(0, 3)).toEqual(['shop-dev', 'Synced', 'Healthy']);
});
