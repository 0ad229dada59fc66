/** A whole cluster adapter over a scripted server, with the nudges that it gave. */
import { onTestFinished } from 'vitest';
import { KubernetesCluster } from '../../../src/adapters/kubernetes/cluster.ts';
import { type Script, scriptedClient } from './scripted-server.ts';

/** Runs a cluster until the test ends. */
export async function clusterOver(script: Script, options: { namespaces?: readonly string[] } = {}) {
  const { server, clock, client } = await scriptedClient(script);
  const cluster = new KubernetesCluster({
    instance: 'prod',
    client,
    argocdNamespace: 'argocd',
    namespaces: options.namespaces ?? null,
    clock,
    random: () => 0.5,
  });
  const nudges: string[] = [];
  const stop = new AbortController();
  const ended = cluster.run(({ applicationSet }) => nudges.push(applicationSet), stop.signal);
  onTestFinished(async () => {
    stop.abort();
    await ended;
  });
  return { server, clock, cluster, nudges, stop, ended };
}
