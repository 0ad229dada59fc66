import { expect, test } from 'vitest';
import { openClusters } from '../../../src/adapters/kubernetes/open-clusters.ts';
import { startSmallKubernetes } from '../../../src/sandbox/kubernetes/server.ts';
import { ObjectStore } from '../../../src/sandbox/kubernetes/store.ts';
import { selfSigned } from '../../sandbox/kubernetes/certificate.ts';
import { TestClock } from '../test-clock.ts';
import { sandboxWorld } from './sandbox-world.ts';

const kubeconfig = {
  kind: 'text' as const,
  text: `
apiVersion: v1
kind: Config
current-context: east
clusters: [{ name: c, cluster: { server: 'https://127.0.0.1:6443' } }]
users: [{ name: u, user: { token: t } }]
contexts:
  - { name: east, context: { cluster: c, user: u } }
  - { name: west, context: { cluster: c, user: u } }
`,
};

function open(clusters: Parameters<typeof openClusters>[0]['clusters']) {
  return openClusters({ kubeconfig, clusters, clock: new TestClock(), random: () => 0.5 });
}

test('each context is a cluster of its own, named after it unless it is given a name', () => {
  const clusters = open([{ context: null }, { context: 'west' }, { context: 'west', instance: 'west-2' }]);
  expect(clusters.map((cluster) => cluster.instance)).toEqual(['east', 'west', 'west-2']);
});

test('two clusters of one name are refused', () => {
  expect(() => open([{ context: 'west' }, { context: 'west', argocdNamespace: 'argocd-2' }])).toThrow(
    'Two clusters have the name "west", and branches and records carry that name. Give each its own name.',
  );
});

test('over TLS with a token and a certificate authority, as a real cluster is reached', async () => {
  const { cluster, store, until } = await sandboxWorld({ tls: selfSigned('127.0.0.1'), token: 'secret' });
  await cluster.seen();
  store.create('applicationsets', { metadata: { name: 'shop', namespace: 'argocd' }, spec: {} });
  await until(() => cluster.applicationSets().size === 1);
  expect(await cluster.checkAccess()).toEqual([]);
});

test('a certificate of somebody else is one clear sentence, and nothing is sent', async () => {
  const clock = new TestClock();
  const server = await startSmallKubernetes({
    store: new ObjectStore({ clock }),
    clock,
    tls: selfSigned('127.0.0.1'),
    token: 'secret',
  });
  const other = Buffer.from(selfSigned('127.0.0.1').cert).toString('base64');
  const text = server
    .kubeconfig()
    .replace(/certificate-authority-data: .*/, `certificate-authority-data: ${other}`);
  const [cluster] = openClusters({
    kubeconfig: { kind: 'text', text },
    clusters: [{ context: null, instance: 'prod' }],
    clock,
    random: () => 0.5,
  });
  const [sentence = ''] = await cluster!.checkAccess();
  expect(sentence).toMatch(
    /^The certificates of cluster "prod" at https:\/\/127\.0\.0\.1:\d+ are not accepted/,
  );
  expect(server.journal.entries).toEqual([]);
  await server.close();
});
