/**
 * Where the manifest of an ApplicationSet is kept, for people who are told to edit it there: what another controller owns is
 * changed in Git and nowhere else.
 */
import type { Application, ApplicationSet } from '../domain/objects.ts';
import { type Cluster, type Forge, WorldProblem } from '../ports.ts';

interface Where {
  cluster: Pick<Cluster, 'application' | 'argocdNamespace'>;
  forge: Pick<Forge, 'repositoryOf'>;
}

/** The repository (`owner/name`) and folder that its parent Application applies; null when that cannot be told. */
export async function whereKept(
  world: Where,
  { namespace, owners }: Pick<ApplicationSet, 'namespace' | 'owners'>,
): Promise<{ repository: string; path: string } | null> {
  const owner = owners.find((one) => one.startsWith('Application/'))?.slice('Application/'.length);
  if (owner === undefined) return null;
  // An Application outside of Argo CD's namespace is called `namespace_name` there.
  const [first = '', second] = owner.split('_');
  const { argocdNamespace } = world.cluster;
  const places = second === undefined ? [argocdNamespace, namespace] : [first];
  try {
    const parent = await firstOf(world.cluster, new Set(places), second ?? first);
    const git = (parent?.sources ?? []).filter((source) => source.chart === null);
    const [source, ...more] = git;
    const repository = source === undefined ? null : world.forge.repositoryOf(source.repoURL);
    if (source === undefined || repository === null || more.length > 0) return null;
    return { repository: `${repository.owner}/${repository.name}`, path: source.path ?? '' };
  } catch (problem) {
    if (problem instanceof WorldProblem) return null;
    throw problem;
  }
}

async function firstOf(
  cluster: Where['cluster'],
  namespaces: Iterable<string>,
  name: string,
): Promise<Application | null> {
  for (const namespace of namespaces) {
    const found = await cluster.application(`${namespace}/${name}`);
    if (found !== null) return found;
  }
  return null;
}
