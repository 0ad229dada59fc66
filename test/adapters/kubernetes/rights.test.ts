/** What Stepback may do, what it really does, and what it says when it may not. */
import { expect, test } from 'vitest';
import type { KubernetesCluster } from '../../../src/adapters/kubernetes/cluster.ts';
import { openLease } from '../../../src/adapters/kubernetes/lease.ts';
import { KubernetesLedger } from '../../../src/adapters/ledger/kubernetes-ledger.ts';
import { KubernetesMailbox } from '../../../src/adapters/ledger/kubernetes-mailbox.ts';
import type { Clock } from '../../../src/ports.ts';
import type { AccessRule } from '../../../src/sandbox/kubernetes/access.ts';
import { sampleLetter } from '../ledger/sample-letter.ts';
import { deployedRights } from './deployed.ts';
import { applicationDraft, degraded, sandboxWorld, setDraft } from './sandbox-world.ts';

const everywhere = (verbs: string[], resources: string[]): AccessRule => ({ verbs, resources });
const inArgoCd = (verbs: string[], resources: string[]): AccessRule => ({
  verbs,
  resources,
  namespaces: ['argocd'],
});

/** One verb on one kind, as in a rule of RBAC. */
function nameOf(verb: string, resource: string): string {
  return `${verb} ${resource}`;
}

/** Takes the Lease, and gives it back. */
async function leadOnce(client: KubernetesCluster['client'], clock: Clock): Promise<void> {
  const me = { identity: 'stepback-1', address: null };
  const log = { info: () => {}, warn: () => {} };
  const ending = new AbortController();
  await openLease({ client, namespace: 'argocd', name: 'stepback', me, clock, log }).run(
    () => ending.abort(),
    ending.signal,
  );
}

test('with the rights of deploy/rbac.yaml all is well, and each of them is used', async () => {
  const rights = deployedRights();
  const { cluster, store, kubernetes, clock, start } = await sandboxWorld({
    allow: rights,
    isRunning: false,
  });
  kubernetes.watches.streamedLists = false;
  start();
  store.create('applicationsets', setDraft('shop'));
  store.create('applications', applicationDraft('shop-dev', 'shop'));
  await cluster.seen();
  expect(await cluster.checkAccess()).toEqual([]);
  expect((await cluster.closeLook('argocd/shop'))?.applications).toHaveLength(1);
  await cluster.featureFlag();
  const ledger = new KubernetesLedger<object, object>({
    client: cluster.client,
    instance: 'prod',
    namespace: 'argocd',
    clock,
    summarizeMemory: () => ({ applications: 0, lastGood: '' }),
    summarizeIncident: () => ({ applicationSets: [], phase: 'open', stage: '', pullRequest: '' }),
  });
  for (const turn of ['new', 'known']) {
    await ledger.saveMemory('argocd/shop', { turn }, (await ledger.memory('argocd/shop'))?.version ?? null);
    await ledger.saveIncident('argocd-shop-1', { turn }, (await ledger.incidents())[0]?.version ?? null);
  }
  // A second replica meets the incident that exists already.
  expect(await ledger.saveIncident('argocd-shop-1', {}, null)).toBe('conflict');
  await ledger.forgetIncident('argocd-shop-1');
  await leadOnce(cluster.client, clock);
  const mailbox = new KubernetesMailbox({ client: cluster.client, instance: 'prod', namespace: 'argocd' });
  expect([await mailbox.post(sampleLetter()), await mailbox.post(sampleLetter())]).toEqual([
    'posted',
    'known',
  ]);
  for (const letter of await mailbox.waiting()) await mailbox.settle(letter, [], null, 0);
  expect(await mailbox.prune(clock.now())).toBe(1);
  const refused = kubernetes.journal.entries.filter((entry) => entry.status === 403);
  expect(refused).toEqual([]);
  const used = kubernetes.journal.entries.map(({ verb, resource, subresource }) =>
    nameOf(verb ?? '', subresource === undefined ? (resource ?? '') : `${resource}/${subresource}`),
  );
  const granted = rights.map(({ verbs, resources }) => nameOf(verbs[0]!, resources[0]!));
  expect(new Set(used.filter((name) => !name.includes('selfsubjectaccessreviews')))).toEqual(
    new Set(granted),
  );
});

test('each right that is missing is one sentence, with what it costs and how to grant it', async () => {
  const rights = deployedRights().filter(
    ({ verbs, resources }) =>
      !['watch applications', 'list pods', 'get configmaps'].includes(nameOf(verbs[0]!, resources[0]!)),
  );
  const { cluster } = await sandboxWorld({ allow: rights, isRunning: false });
  expect(await cluster.checkAccess()).toMatchInlineSnapshot(`
    [
      "In cluster "prod" Stepback has no right to watch applications.argoproj.io in all namespaces. Without it rollouts are seen late, in part, or not at all. Grant it as deploy/rbac.yaml does.",
      "In cluster "prod" Stepback has no right to get configmaps argocd-cmd-params-cm in namespace argocd. Without it Stepback cannot tell whether progressive syncs are switched on. Grant it as deploy/rbac.yaml does.",
      "In cluster "prod" Stepback has no right to list pods in namespace argocd. Without it Stepback cannot tell whether progressive syncs are switched on. Grant it as deploy/rbac.yaml does.",
    ]
  `);
});

test('an API that cannot be used at all is one sentence', async () => {
  const { cluster, store, kubernetes } = await sandboxWorld({ isRunning: false });
  store.remove('customresourcedefinitions', '', 'applications.argoproj.io');
  const sentences = [...(await cluster.checkAccess())];
  kubernetes.users[0]!.token = 'another';
  sentences.push(...(await cluster.checkAccess()));
  await kubernetes.close();
  sentences.push(...(await cluster.checkAccess()));
  expect(sentences.map((sentence) => sentence.replace(/127\.0\.0\.1:\d+/g, 'HOST'))).toMatchInlineSnapshot(`
    [
      "The API of cluster "prod" does not know applications.argoproj.io. Argo CD is not installed in this cluster, or this is not the cluster it is installed in. Point Stepback at the cluster that runs the Argo CD controllers.",
      "The Kubernetes API of cluster "prod" does not accept our credentials, also after they were read again, so nothing is seen there. Renew the token or certificate of this context. The answer was: Unauthorized",
      "The Kubernetes API of cluster "prod" cannot be reached at http://HOST, so nothing is seen there. Check that it runs, and the network and address; Stepback keeps trying. The error was: ECONNREFUSED: connect ECONNREFUSED HOST",
    ]
  `);
});

test('without the whole cluster one namespace is watched, and the rest as soon as it is allowed', async () => {
  const allowed = inArgoCd(['get', 'list', 'watch'], ['applications', 'applicationsets']);
  const { cluster, store, kubernetes, clock, until } = await sandboxWorld({ allow: [allowed] });
  store.create('applicationsets', setDraft('shop'));
  store.create('applicationsets', setDraft('shop', 'team-b'));
  await cluster.seen();
  await until(() => cluster.applicationSets().size === 1);
  expect([...cluster.applicationSets().keys()]).toEqual(['argocd/shop']);
  expect(cluster.notices()).toHaveLength(2);
  kubernetes.users[0]!.allow = [everywhere(['get', 'list', 'watch'], ['applications', 'applicationsets'])];
  await clock.timer((delayMs) => delayMs === 600_000);
  clock.advance(600_000);
  await until(() => cluster.applicationSets().size === 2);
  await cluster.seen();
  expect(cluster.notices()).toEqual([]);
  expect(cluster.sight().blindness).toBeNull();
});

test('only the namespaces that were named are watched, and nothing is asked of the whole cluster', async () => {
  const { cluster, store, kubernetes, until } = await sandboxWorld({
    choice: { namespaces: ['team-a', 'team-b'] },
  });
  for (const namespace of ['argocd', 'team-a', 'team-b']) {
    store.create('applicationsets', setDraft('shop', namespace));
    store.create('applications', applicationDraft('shop-dev', 'shop', namespace));
  }
  await cluster.seen();
  await until(() => cluster.rows('team-a/shop').length === 1 && cluster.rows('team-b/shop').length === 1);
  await until(() => cluster.applicationSets().size === 2);
  expect(cluster.rows('argocd/shop')).toEqual([]);
  store.patchMerge('applications', 'team-b', 'shop-dev', degraded);
  await until(() => cluster.rows('team-b/shop')[0]?.healthStatus === 'Degraded');
  expect(kubernetes.journal.entries.filter((entry) => entry.namespace === undefined)).toEqual([]);
});
