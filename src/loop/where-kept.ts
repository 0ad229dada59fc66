/**
 * Where the manifest of an ApplicationSet is kept, for people who are told to edit it there: what another controller owns is
 * changed in Git and nowhere else.
 */
import type { ApplicationSet } from '../domain/objects.ts';
import { WorldProblem } from '../ports.ts';
import type { World } from './world.ts';

/** The repository (`owner/name`) and folder that its parent Application applies; null when that cannot be told. */
export async function whereKept(
  world: Pick<World, 'cluster' | 'forge'>,
  { namespace, owners }: Pick<ApplicationSet, 'namespace' | 'owners'>,
): Promise<{ repository: string; path: string } | null> {
  const owner = owners.find((one) => one.startsWith('Application/'))?.slice('Application/'.length);
  if (owner === undefined) return null;
  // An Application outside of Argo CD's namespace is called `namespace_name` there.
  const [first = '', second] = owner.split('_');
  const key = second === undefined ? `${namespace}/${first}` : `${first}/${second}`;
  try {
    const parent = await world.cluster.application(key);
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
