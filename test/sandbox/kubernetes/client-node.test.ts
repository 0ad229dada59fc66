/** The client that Stepback really uses, against the small server, through nothing but its kubeconfig. */
import {
  CoordinationV1Api,
  CoreV1Api,
  CustomObjectsApi,
  KubeConfig,
  PatchStrategy,
  setHeaderOptions,
  VersionApi,
  Watch,
} from '@kubernetes/client-node';
import { expect, test } from 'vitest';
import { selfSigned } from './certificate.ts';
import { application, IN_ARGOCD, startWorld } from './world.ts';

const APPLICATIONS = {
  group: 'argoproj.io',
  version: 'v1alpha1',
  namespace: 'argocd',
  plural: 'applications',
};
const MERGE = setHeaderOptions('Content-Type', PatchStrategy.MergePatch);

function configOf(kubeconfig: string): KubeConfig {
  const config = new KubeConfig();
  config.loadFromString(kubeconfig);
  return config;
}

test('custom objects can be listed, read, patched, created and deleted', async () => {
  const { kubernetes, store } = await startWorld({ token: 'secret' });
  const client = configOf(kubernetes.kubeconfig()).makeApiClient(CustomObjectsApi);
  store.create('applications', application('shop-dev'));
  const list = await client.listNamespacedCustomObject(APPLICATIONS);
  expect(list.items).toHaveLength(1);
  const body = { metadata: { annotations: { 'argocd.argoproj.io/refresh': 'normal' } } };
  await client.patchNamespacedCustomObject({ ...APPLICATIONS, name: 'shop-dev', body }, MERGE);
  const read = await client.getNamespacedCustomObject({ ...APPLICATIONS, name: 'shop-dev' });
  expect(read.metadata.annotations).toEqual(body.metadata.annotations);
  await client.createNamespacedCustomObject({ ...APPLICATIONS, body: application('shop-prod') });
  await client.deleteNamespacedCustomObject({ ...APPLICATIONS, name: 'shop-dev' });
  expect(store.list('applications').map(({ metadata }) => metadata.name)).toEqual(['shop-prod']);
  const missing = client.getNamespacedCustomObject({ ...APPLICATIONS, name: 'none' });
  await expect(missing).rejects.toMatchObject({ code: 404 });
});

test('built-in kinds are typed', async () => {
  const { kubernetes, store } = await startWorld();
  const config = configOf(kubernetes.kubeconfig());
  store.create('configmaps', { metadata: { name: 'argocd-cm', namespace: 'argocd' }, data: { a: '1' } });
  const { items } = await config.makeApiClient(CoreV1Api).listNamespacedConfigMap({ namespace: 'argocd' });
  expect(items.map(({ data }) => data)).toEqual([{ a: '1' }]);
  const leases = config.makeApiClient(CoordinationV1Api);
  const lease = { metadata: { name: 'stepback' }, spec: { holderIdentity: 'a', leaseDurationSeconds: 15 } };
  const created = await leases.createNamespacedLease({ namespace: 'argocd', body: lease });
  const taken = { ...created, spec: { ...created.spec, holderIdentity: 'b' } };
  await leases.replaceNamespacedLease({ namespace: 'argocd', name: 'stepback', body: taken });
  const late = leases.replaceNamespacedLease({ namespace: 'argocd', name: 'stepback', body: taken });
  await expect(late).rejects.toMatchObject({ code: 409 });
  expect((await config.makeApiClient(VersionApi).getCode()).gitVersion).toBe('v1.36.1');
});

test('its own watch hears of changes', async () => {
  const { kubernetes, store } = await startWorld();
  const watch = new Watch(configOf(kubernetes.kubeconfig()));
  const heard: string[] = [];
  let ended = (_error: unknown) => {};
  const done = new Promise<unknown>((resolve) => {
    ended = resolve;
  });
  const parameters = { resourceVersion: String(store.resourceVersion) };
  const onEvent = (type: string, object: { metadata: { name: string } }) =>
    heard.push(`${type} ${object.metadata.name}`);
  await watch.watch(IN_ARGOCD, parameters, onEvent, (error) => ended(error));
  store.create('applications', application('shop-dev'));
  kubernetes.watches.end();
  await done;
  expect(heard).toEqual(['ADDED shop-dev']);
});

test('over https the kubeconfig carries the certificate', async () => {
  const { kubernetes } = await startWorld({ tls: selfSigned('127.0.0.1'), token: 'secret' });
  expect(kubernetes.url).toMatch(/^https:/);
  const client = configOf(kubernetes.kubeconfig()).makeApiClient(CustomObjectsApi);
  expect((await client.listNamespacedCustomObject(APPLICATIONS)).items).toEqual([]);
  const wrong = configOf(kubernetes.kubeconfig('wrong')).makeApiClient(CustomObjectsApi);
  await expect(wrong.listNamespacedCustomObject(APPLICATIONS)).rejects.toMatchObject({ code: 401 });
});
