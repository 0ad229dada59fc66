import { expect, test } from 'vitest';
import { customResource } from '../../../src/sandbox/kubernetes/resources.ts';
import { APPLICATIONS, application, IN_ARGOCD, startWorld, TABLE } from './world.ts';

const METADATA = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io';

async function startWithThree() {
  const world = await startWorld();
  const envs = { dev: 'dev', staging: 'staging', prod: 'prod' };
  for (const env of Object.values(envs)) {
    world.store.create('applications', application(`shop-${env}`, { metadata: { labels: { env } } }));
  }
  world.store.create('applications', application('bare', { metadata: { namespace: 'team-a', labels: {} } }));
  const names = async (path: string) => {
    const { body } = await world.get(path);
    return body.items.map(({ metadata }: { metadata: { name: string } }) => metadata.name);
  };
  return { ...world, names };
}

test('a list of custom resources has an empty continue, one of built-in kinds bare items', async () => {
  const { get, store } = await startWithThree();
  store.create('configmaps', { metadata: { name: 'argocd-cm', namespace: 'argocd' } });
  const custom = await get(IN_ARGOCD);
  expect(custom.body).toMatchObject({
    kind: 'ApplicationList',
    apiVersion: 'argoproj.io/v1alpha1',
    metadata: { continue: '' },
  });
  expect(custom.body.items[0]).toMatchObject({ kind: 'Application', apiVersion: 'argoproj.io/v1alpha1' });
  const builtIn = await get('/api/v1/namespaces/argocd/configmaps');
  expect(builtIn.body).toMatchObject({ kind: 'ConfigMapList', apiVersion: 'v1' });
  expect(builtIn.body.metadata).not.toHaveProperty('continue');
  expect(builtIn.body.items[0]).not.toHaveProperty('kind');
});

test('selectors choose by label and by name', async () => {
  const { names, get } = await startWithThree();
  const byLabel = (selector: string) =>
    names(`${APPLICATIONS}?labelSelector=${encodeURIComponent(selector)}`);
  expect(await byLabel('env=dev')).toEqual(['shop-dev']);
  expect(await byLabel('env==dev')).toEqual(['shop-dev']);
  expect(await byLabel('env!=dev')).toEqual(['shop-prod', 'shop-staging', 'bare']);
  expect(await byLabel('env in (dev, prod)')).toEqual(['shop-dev', 'shop-prod']);
  expect(await byLabel('env notin (dev,prod)')).toEqual(['shop-staging', 'bare']);
  expect(await byLabel('env')).toEqual(['shop-dev', 'shop-prod', 'shop-staging']);
  expect(await byLabel('!env')).toEqual(['bare']);
  expect(await byLabel('env in (dev,prod),env!=dev')).toEqual(['shop-prod']);
  expect(await byLabel('constructor')).toEqual([]);
  expect((await get(`${APPLICATIONS}?labelSelector=${encodeURIComponent('env in dev')}`)).status).toBe(400);
  expect(await names(`${APPLICATIONS}?fieldSelector=metadata.name%3Dbare`)).toEqual(['bare']);
  expect(await names(`${APPLICATIONS}?fieldSelector=metadata.namespace!%3Dargocd`)).toEqual(['bare']);
  expect((await get(`${APPLICATIONS}?fieldSelector=spec.project%3Dx`)).body.message).toMatchInlineSnapshot(
    `"field label not supported: spec.project"`,
  );
});

test('pages keep showing the state in which the first one was taken', async () => {
  const { get, store } = await startWithThree();
  const seen: string[] = [];
  let token = '';
  do {
    const { body } = await get(`${APPLICATIONS}?limit=1&continue=${token}`);
    seen.push(...body.items.map((item: { metadata: { name: string } }) => item.metadata.name));
    token = body.metadata.continue;
    if (seen.length === 1) {
      store.remove('applications', 'argocd', 'shop-prod');
      store.create('applications', application('new'));
    }
  } while (token !== '');
  expect(seen).toEqual(['shop-dev', 'shop-prod', 'shop-staging', 'bare']);
});

test('after an expired token the rest can be had in the present', async () => {
  const { get, store, kubernetes } = await startWithThree();
  const first = await get(`${APPLICATIONS}?limit=1`);
  store.remove('applications', 'argocd', 'shop-prod');
  kubernetes.history.forget();
  const expired = await get(`${APPLICATIONS}?limit=1&continue=${first.body.metadata.continue}`);
  expect(expired.status).toBe(410);
  const rest = await get(`${APPLICATIONS}?continue=${expired.body.metadata.continue}`);
  expect(rest.body.items).toHaveLength(2);
  expect((await get(`${APPLICATIONS}?continue=nonsense`)).status).toBe(400);
});

test('the last page of a selected list can be empty', async () => {
  const { get } = await startWithThree();
  const first = await get(`${APPLICATIONS}?limit=1&labelSelector=env%3Dstaging`);
  expect(first.body.items).toHaveLength(1);
  const second = await get(
    `${APPLICATIONS}?limit=1&labelSelector=env%3Dstaging&continue=${first.body.metadata.continue}`,
  );
  expect(second.body).toMatchObject({ items: [], metadata: { continue: '' } });
});

test('a list from the cache ignores the limit, an exact one shows the past, one from the future times out', async () => {
  const { get, store } = await startWithThree();
  expect((await get(`${APPLICATIONS}?limit=1&resourceVersion=0`)).body.items).toHaveLength(4);
  const version = store.resourceVersion;
  store.remove('applications', 'team-a', 'bare');
  const exact = `${APPLICATIONS}?resourceVersion=${version}&resourceVersionMatch=Exact`;
  expect((await get(exact)).body.items).toHaveLength(4);
  expect((await get(APPLICATIONS)).body.items).toHaveLength(3);
  const future = await get(`${APPLICATIONS}?resourceVersion=${version + 100}`);
  expect(future.body).toMatchObject({
    code: 504,
    details: { causes: [{ reason: 'ResourceVersionTooLarge' }] },
  });
});

test('a Table includes metadata, whole objects or nothing', async () => {
  const { get } = await startWithThree();
  const rowWith = async (include: string) =>
    (await get(`${IN_ARGOCD}/shop-dev?includeObject=${include}`, { accept: TABLE })).body.rows[0].object;
  expect((await rowWith('')).kind).toBe('PartialObjectMetadata');
  expect((await rowWith('Object')).spec).toEqual({ project: 'default' });
  expect(await rowWith('None')).toBeNull();
  expect((await get(`${IN_ARGOCD}?includeObject=All`, { accept: TABLE })).status).toBe(400);
});

test('the first media type that is served wins, and without one there is no answer', async () => {
  const { get } = await startWithThree();
  const protobuf = 'application/vnd.kubernetes.protobuf';
  expect((await get(APPLICATIONS, { accept: `${protobuf},${TABLE},application/json` })).body.kind).toBe(
    'Table',
  );
  expect((await get(APPLICATIONS, { accept: METADATA })).body.kind).toBe('PartialObjectMetadataList');
  expect((await get(APPLICATIONS, { accept: protobuf })).status).toBe(406);
});

test('printer columns show strings, numbers, conditions and ages', async () => {
  const { get, store, clock } = await startWorld();
  const columns = [
    { name: 'Phase', type: 'string', jsonPath: '.status.phase' },
    { name: 'Retries', type: 'integer', jsonPath: '.status.retries' },
    { name: 'Share', type: 'number', jsonPath: '.status.share' },
    { name: 'Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
    { name: 'First', type: 'string', jsonPath: '.status.list[0]' },
    { name: 'All', type: 'string', jsonPath: '.status.list' },
    { name: 'Open', type: 'boolean', jsonPath: ".status['is.open']" },
    { name: 'Wrong', type: 'integer', jsonPath: '.status.phase' },
    { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
  ];
  const names = { group: 'stepback.dev', version: 'v1alpha1', kind: 'Rollback', plural: 'rollbacks' };
  store.create('customresourcedefinitions', customResource({ ...names, statusSubresource: true, columns }));
  store.put('rollbacks', {
    metadata: { name: 'a', namespace: 'argocd' },
    status: {
      ...{ phase: 'Open', retries: 2, share: 0.5, list: ['x', 'y'], 'is.open': true },
      conditions: [
        { type: 'Other', status: 'False' },
        { type: 'Ready', status: 'True' },
      ],
    },
  });
  const cells = async () =>
    (await get('/apis/stepback.dev/v1alpha1/rollbacks', { accept: TABLE })).body.rows[0].cells;
  clock.timeMs += 100_000;
  expect(await cells()).toEqual(['a', 'Open', 2, 0.5, 'True', 'x', '["x","y"]', true, null, '100s']);
  const ages: string[] = [];
  for (const seconds of [60, 300, 3000, 10_000, 20_000, 90_000, 200_000, 2_000_000, 70_000_000]) {
    clock.timeMs = Date.parse('2026-12-01T12:00:00Z') + seconds * 1000;
    ages.push((await cells()).at(-1));
  }
  expect(ages).toEqual(['60s', '5m', '50m', '166m', '5h33m', '25h', '2d7h', '23d', '2y80d']);
});

test('what a server says about itself', async () => {
  const { get } = await startWorld({ token: 'right' });
  const authorization = 'Bearer wrong';
  expect((await get('/healthz', { authorization })).body).toBe('ok');
  expect((await get('/version', { authorization })).body).toMatchObject({ major: '1', minor: '36' });
  expect((await get('/apis', { authorization })).status).toBe(401);
  expect((await get('/api')).body.versions).toEqual(['v1']);
  const groups = (await get('/apis')).body.groups.map(({ name }: { name: string }) => name);
  expect(groups).toEqual(expect.arrayContaining(['apps', 'argoproj.io', 'authorization.k8s.io']));
  expect((await get('/apis/argoproj.io')).body.preferredVersion.version).toBe('v1alpha1');
  const { resources } = (await get('/apis/argoproj.io/v1alpha1')).body;
  const plurals = resources.map(({ name }: { name: string }) => name);
  expect(plurals).toEqual(['applications', 'applicationsets', 'applicationsets/status', 'appprojects']);
  expect((await get('/api/v1')).body.groupVersion).toBe('v1');
  const unknown = [
    '/apis/nobody.dev',
    '/apis/nobody.dev/v1',
    '/api/v2',
    '/x',
    '/apis/argoproj.io/v1/applications',
  ];
  await expect(get('/apis/%')).rejects.toThrow();
  for (const path of unknown)
    expect(await get(path)).toMatchObject({ status: 404, body: '404 page not found\n' });
});

test('a Date header follows the clock and its skew', async () => {
  const { get, kubernetes, clock } = await startWorld();
  clock.timeMs += 1000;
  expect((await get('/healthz')).headers.get('date')).toBe('Tue, 01 Dec 2026 12:00:01 GMT');
  kubernetes.faults.dateSkewMs = 300_000;
  expect((await get('/healthz')).headers.get('date')).toBe('Tue, 01 Dec 2026 12:05:01 GMT');
});
