/** The adapter against the small Kubernetes API, with everything healthy until a test changes it. */
import { onTestFinished } from 'vitest';
import type { KubernetesCluster } from '../../../src/adapters/kubernetes/cluster.ts';
import { type ClusterChoice, openClusters } from '../../../src/adapters/kubernetes/open-clusters.ts';
import type { ObjectDraft } from '../../../src/sandbox/kubernetes/objects.ts';
import { type SmallKubernetesOptions, startSmallKubernetes } from '../../../src/sandbox/kubernetes/server.ts';
import { ObjectStore } from '../../../src/sandbox/kubernetes/store.ts';
import { Happenings } from '../happenings.ts';
import { TestClock } from '../test-clock.ts';
import { deployedDefinitions } from './deployed.ts';

export interface SandboxOptions extends Partial<SmallKubernetesOptions> {
  choice?: Partial<ClusterChoice>;
  /** Whether the feeds run. */
  isRunning?: boolean;
}

/** A server with Argo CD's and Stepback's kinds, and a cluster that watches it until the test ends. */
export async function sandboxWorld({ choice, isRunning = true, ...options }: SandboxOptions = {}) {
  // Two clocks: what the server waits for is no business of a test that steps the adapter's.
  const clock = new TestClock();
  const serverClock = new TestClock();
  const store = new ObjectStore({ clock: serverClock });
  for (const definition of deployedDefinitions()) store.create('customresourcedefinitions', definition);
  const kubernetes = await startSmallKubernetes({ clock: serverClock, store, ...options });
  onTestFinished(() => kubernetes.close());
  const [cluster] = openClusters({
    kubeconfig: { kind: 'text', text: kubernetes.kubeconfig() },
    clusters: [{ context: null, instance: 'prod', ...choice }],
    clock,
    random: () => 0.5,
  }) as [KubernetesCluster];
  const nudges: string[] = [];
  const happenings = new Happenings();
  const stop = new AbortController();
  const run = () =>
    cluster.run(({ applicationSet }) => {
      nudges.push(applicationSet);
      happenings.happened();
    }, stop.signal);
  let ended = isRunning ? run() : Promise.resolve();
  const start = () => {
    ended = run();
  };
  onTestFinished(async () => {
    stop.abort();
    await ended;
  });
  /** Resolves when a nudge or a timer makes it true. */
  const until = async (condition: () => boolean) => {
    await Promise.race([happenings.until(condition), clock.until(condition)]);
  };
  return { clock, serverClock, store, kubernetes, cluster, nudges, until, start, stop, ended };
}

/** An ApplicationSet as a draft. */
export function setDraft(name: string, namespace = 'argocd'): ObjectDraft {
  return { metadata: { name, namespace }, spec: { strategy: { type: 'RollingSync' } } };
}

/** An Application of an ApplicationSet, Synced and Healthy. */
export function applicationDraft(name: string, owner: string, namespace = 'argocd'): ObjectDraft {
  return {
    metadata: {
      name,
      namespace,
      labels: { env: 'dev' },
      ownerReferences: [
        {
          apiVersion: 'argoproj.io/v1alpha1',
          kind: 'ApplicationSet',
          name: owner,
          uid: `uid-${owner}`,
          controller: true,
        },
      ],
    },
    spec: { project: 'default', source: { repoURL: 'https://github.com/acme/shop', path: 'apps' } },
    status: {
      sync: { status: 'Synced', revision: '951d058fdbb6d372d746cdc4817faabd6a128e6d' },
      health: { status: 'Healthy' },
    },
  };
}

export const degraded = { status: { health: { status: 'Degraded' } } };
