/**
 * Fetches what decides whether progressive syncs are on: the Pods and the Deployment of the ApplicationSet controller,
 * and the ConfigMaps they take their environment from. The decision itself is the domain's.
 */
import {
  configMapsOfInterest,
  type FlagAnswer,
  featureFlagOf,
  flagController,
  type Looked,
} from '../../domain/feature-flag.ts';
import { list } from '../../domain/read.ts';
import { WorldProblem } from '../../ports.ts';
import type { ApiClient } from './api-client.ts';
import { configMaps, deployments, pods, type Resource } from './resource.ts';

/** No namespace of an Argo CD has so many Pods. */
const podsMax = '500';

/** Never throws: what cannot be read counts as hidden, with the problem's sentence. */
export async function readFeatureFlag(client: ApiClient, namespace: string): Promise<FlagAnswer> {
  const selector = { labelSelector: `app.kubernetes.io/name=${flagController}` };
  const labelled = await look(() => listed(client, pods, namespace, selector));
  const isFound = labelled.kind === 'hidden' || labelled.objects.length > 0;
  // Installers that choose other labels still run the same program.
  const seenPods = isFound ? labelled : await look(() => listed(client, pods, namespace, {}));
  const seenDeployments = await look(() => listed(client, deployments, namespace, {}));
  const names = configMapsOfInterest(seenPods, seenDeployments);
  const seenConfigMaps = await Promise.all(
    names.map(async (name) => [name, await look(() => found(client, namespace, name))] as const),
  );
  return featureFlagOf({
    namespace,
    pods: seenPods,
    deployments: seenDeployments,
    configMaps: Object.fromEntries(seenConfigMaps),
  });
}

async function found(client: ApiClient, namespace: string, name: string): Promise<readonly unknown[]> {
  const answer = await client.get(configMaps, namespace, name);
  return answer === null ? [] : [answer.object];
}

async function listed(
  client: ApiClient,
  resource: Resource,
  namespace: string,
  query: Readonly<Record<string, string>>,
): Promise<readonly unknown[]> {
  const { object } = await client.list(resource, namespace, { query: { limit: podsMax, ...query } });
  return list(object.items);
}

async function look(read: () => Promise<readonly unknown[]>): Promise<Looked> {
  try {
    return { kind: 'seen', objects: await read() };
  } catch (problem) {
    if (problem instanceof WorldProblem) return { kind: 'hidden', why: problem.message };
    throw problem;
  }
}
