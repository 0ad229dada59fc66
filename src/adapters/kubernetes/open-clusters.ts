/**
 * From a kubeconfig (or the service account of the Pod) to one Cluster per context. A kubeconfig that cannot be used is
 * found out here, before anything runs; whether a cluster can be reached and what may be done there, `checkAccess` tells.
 */
import { type Clock, WorldProblem } from '../../ports.ts';
import { ApiClient } from './api-client.ts';
import type { CloseLookLimits } from './close-look.ts';
import { KubernetesCluster } from './cluster.ts';
import { ContextCredentials, type KubeconfigSource } from './credentials.ts';
import type { FeedLimits } from './feed-options.ts';

/** One Argo CD to watch. */
export interface ClusterChoice {
  /** Null: the kubeconfig's current context, or the Pod's own cluster. */
  context: string | null;
  /** Unique over all clusters; the context's name when absent. */
  instance?: string;
  /** Where Argo CD's controllers are; "argocd" when absent. */
  argocdNamespace?: string;
  /** Only these namespaces are watched; all that are allowed when absent. */
  namespaces?: readonly string[];
}

export interface OpenClustersOptions {
  kubeconfig: KubeconfigSource;
  clusters: readonly ClusterChoice[];
  clock: Clock;
  /** From 0 to less than 1; spreads retries. */
  random: () => number;
  feedLimits?: FeedLimits;
  closeLookLimits?: CloseLookLimits;
}

/** Throws a permanent WorldProblem when the kubeconfig, a context in it or the choice of names cannot be used. */
export function openClusters(options: OpenClustersOptions): readonly KubernetesCluster[] {
  const clusters = options.clusters.map((choice) => openCluster(choice, options));
  const names = clusters.map((cluster) => cluster.instance);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice === undefined) return clusters;
  throw new WorldProblem(
    'permanent',
    `Two clusters have the name "${twice}", and branches and records carry that name. Give each its own name.`,
  );
}

function openCluster(choice: ClusterChoice, options: OpenClustersOptions): KubernetesCluster {
  const { kubeconfig, clock, random, feedLimits, closeLookLimits } = options;
  const credentials = new ContextCredentials(kubeconfig, choice.context, clock);
  const instance = choice.instance ?? choice.context ?? credentials.context;
  return new KubernetesCluster({
    instance,
    client: new ApiClient(instance, credentials, clock),
    argocdNamespace: choice.argocdNamespace ?? 'argocd',
    namespaces: choice.namespaces ?? null,
    clock,
    random,
    feedLimits,
    closeLookLimits,
  });
}
