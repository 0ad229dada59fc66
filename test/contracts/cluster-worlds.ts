/** One cluster twice: the ports in memory over a store, and the adapters over HTTP against the small Kubernetes API on such a store. */
import { onTestFinished } from 'vitest';
import { openClusters } from '../../src/adapters/kubernetes/open-clusters.ts';
import { KubernetesLedger } from '../../src/adapters/ledger/kubernetes-ledger.ts';
import { KubernetesMailbox } from '../../src/adapters/ledger/kubernetes-mailbox.ts';
import type { Mailbox } from '../../src/ports/mailbox.ts';
import type { Clock, Cluster, Ledger } from '../../src/ports.ts';
import { startSmallKubernetes } from '../../src/sandbox/kubernetes/server.ts';
import { ObjectStore } from '../../src/sandbox/kubernetes/store.ts';
import { MemoryCluster } from '../../src/simulation/memory-cluster.ts';
import { memoryInterventions } from '../../src/simulation/memory-interventions.ts';
import { MemoryLedger } from '../../src/simulation/memory-ledger.ts';
import { MemoryMailbox } from '../../src/simulation/memory-mailbox.ts';
import { Happenings } from '../adapters/happenings.ts';
import { deployedDefinitions } from '../adapters/kubernetes/deployed.ts';
import { TestClock } from '../adapters/test-clock.ts';

export type Memory = { applications: Readonly<Record<string, number>> };
export type Incident = { id: string; phase: string };

export interface ClusterWorld {
  store: ObjectStore;
  cluster: Cluster;
  ledger: Ledger<Memory, Incident>;
  mailbox: Mailbox;
  /** Resolves when a nudge makes it true. */
  until(condition: () => boolean): Promise<void>;
}

async function inMemory(): Promise<ClusterWorld> {
  const clock = new TestClock();
  const store = storeOn(clock);
  const cluster = new MemoryCluster({
    instance: 'argocd',
    store,
    clock: promptClock(clock),
    clusterNow: () => clock.now(),
    newsDelayMs: () => 0,
    nudgeTimes: () => 1,
    isProgressive: () => true,
    interventions: memoryInterventions(store),
  });
  return { store, cluster, ledger: new MemoryLedger(), mailbox: new MemoryMailbox(), until: watch(cluster) };
}

async function overHttp(): Promise<ClusterWorld> {
  const clock = new TestClock();
  const store = storeOn(clock);
  const kubernetes = await startSmallKubernetes({ store, clock });
  onTestFinished(() => kubernetes.close());
  const [cluster] = openClusters({
    kubeconfig: { kind: 'text', text: kubernetes.kubeconfig() },
    clusters: [{ context: null, instance: 'argocd' }],
    clock,
    random: () => 0.5,
  });
  if (cluster === undefined) throw new Error('there is no cluster');
  const { client } = cluster;
  const ledger = new KubernetesLedger<Memory, Incident>({
    client,
    instance: 'argocd',
    namespace: 'argocd',
    clock,
    summarizeMemory: () => ({ applications: 0, lastGood: '' }),
    summarizeIncident: ({ phase }) => ({ applicationSets: [], phase, stage: '', pullRequest: '' }),
  });
  const mailbox = new KubernetesMailbox({ client, instance: 'argocd', namespace: 'argocd' });
  return { store, cluster, ledger, mailbox, until: watch(cluster) };
}

/** News comes at once. */
function promptClock(clock: TestClock): Clock {
  return {
    now: () => clock.now(),
    after(_delayMs, run) {
      queueMicrotask(run);
      return () => {};
    },
  };
}

function storeOn(clock: TestClock): ObjectStore {
  const store = new ObjectStore({ clock });
  for (const definition of deployedDefinitions()) store.create('customresourcedefinitions', definition);
  return store;
}

/** Runs the watch until the test ends. */
function watch(cluster: Cluster): ClusterWorld['until'] {
  const happenings = new Happenings();
  const stop = new AbortController();
  const ended = cluster.run(() => happenings.happened(), stop.signal);
  onTestFinished(async () => {
    stop.abort();
    await ended;
  });
  return (condition) => happenings.until(condition);
}

/** Both, for `describe.each`. */
export const clusterWorlds = [
  { kind: 'in memory', open: inMemory },
  { kind: 'over HTTP', open: overHttp },
] as const;
