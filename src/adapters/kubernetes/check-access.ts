/**
 * What keeps Stepback from doing its work in a cluster, asked before the work begins: is the API there, does it
 * know Argo CD, may we do what we need. Rights are asked for with SelfSubjectAccessReviews, which everybody may make.
 */
import { record } from '../../domain/read.ts';
import { WorldProblem } from '../../ports.ts';
import type { ApiClient } from './api-client.ts';
import { ApiProblem } from './api-problem.ts';
import {
  accessReviews,
  applicationSets,
  applications,
  configMaps,
  deployments,
  pods,
  type Resource,
  resourceName,
} from './resource.ts';

interface Right {
  resource: Resource;
  verb: string;
  namespace: string | null;
  name?: string;
}

/** What each missing right costs, per kind. */
const costs = new Map<Resource, string>([
  [applications, 'Without it rollouts are seen late, in part, or not at all.'],
  [applicationSets, 'Without it no rollout can be judged.'],
  [configMaps, 'Without it Stepback cannot tell whether progressive syncs are switched on.'],
  [pods, 'Without it Stepback cannot tell whether progressive syncs are switched on.'],
  [deployments, 'Without it Stepback may not find out how progressive syncs are switched on.'],
]);

/**
 * One sentence for each thing that is missing, none when all is well. `namespaces` null: the whole cluster is meant
 * to be seen. Never throws for what the cluster does.
 */
export async function checkAccess(
  client: ApiClient,
  argocdNamespace: string,
  namespaces: readonly string[] | null,
): Promise<readonly string[]> {
  const scope = namespaces?.[0] ?? null;
  const first = await sentenceOf(() => client.list(applications, scope, { query: { limit: '1' } }));
  // An API that cannot be reached, entered or that knows no Argo CD has nothing more to say.
  if (first !== null && first.reason !== 'forbidden') return [first.sentence];
  const missing: Right[] = [];
  const sentences: string[] = [];
  for (const right of neededRights(argocdNamespace, namespaces)) {
    try {
      if (!(await isAllowed(client, right))) missing.push(right);
    } catch (problem) {
      if (!(problem instanceof WorldProblem)) throw problem;
      sentences.push(problem.message);
      break;
    }
  }
  return [...describe(client.cluster, missing), ...sentences];
}

function neededRights(argocdNamespace: string, namespaces: readonly string[] | null): readonly Right[] {
  const scopes = namespaces ?? [null];
  const watched = [applications, applicationSets].flatMap((resource) =>
    scopes.flatMap((namespace) =>
      ['get', 'list', 'watch'].map((verb): Right => ({ resource, verb, namespace })),
    ),
  );
  return [
    ...watched,
    { resource: configMaps, verb: 'get', namespace: argocdNamespace, name: 'argocd-cmd-params-cm' },
    { resource: pods, verb: 'list', namespace: argocdNamespace },
    { resource: deployments, verb: 'list', namespace: argocdNamespace },
  ];
}

async function isAllowed(client: ApiClient, { resource, verb, namespace, name }: Right): Promise<boolean> {
  const { object } = await client.create(accessReviews, null, {
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SelfSubjectAccessReview',
    spec: {
      resourceAttributes: {
        group: resource.group,
        resource: resource.plural,
        verb,
        ...(namespace === null ? {} : { namespace }),
        ...(name === undefined ? {} : { name }),
      },
    },
  });
  return record(object.status).allowed === true;
}

/** Verbs that miss on one kind in one scope make one sentence. */
function describe(cluster: string, missing: readonly Right[]): readonly string[] {
  const groups = new Map<string, { verbs: string[]; right: Right }>();
  for (const right of missing) {
    const key = `${resourceName(right.resource)} ${right.namespace ?? ''}`;
    const group = groups.get(key) ?? { verbs: [], right };
    group.verbs.push(right.verb);
    groups.set(key, group);
  }
  return [...groups.values()].map(({ verbs, right }) => {
    const where = right.namespace === null ? 'in all namespaces' : `in namespace ${right.namespace}`;
    const named = right.name === undefined ? '' : ` ${right.name}`;
    const cost = costs.get(right.resource) ?? '';
    return `In cluster "${cluster}" Stepback has no right to ${verbs.join(', ')} ${resourceName(right.resource)}${named} ${where}. ${cost} Grant it as deploy/rbac.yaml does.`;
  });
}

async function sentenceOf(ask: () => Promise<unknown>): Promise<{ sentence: string; reason: string } | null> {
  try {
    await ask();
    return null;
  } catch (problem) {
    if (!(problem instanceof WorldProblem)) throw problem;
    return {
      sentence: problem.message,
      reason: problem instanceof ApiProblem ? problem.reason : 'credentials',
    };
  }
}
