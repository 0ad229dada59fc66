/** Which branch a source follows, by its name in the repository: an empty target and HEAD follow the default branch (GH14). */
import { branchOf } from '../domain/configuration.ts';
import type { Forge, Repository } from '../ports.ts';

/** Asks GitHub only for the default branch. Throws WorldProblem. */
export async function followedBranch(
  forge: Pick<Forge, 'repository'>,
  repository: Repository,
  targetRevision: string,
): Promise<string> {
  const name = branchOf(targetRevision);
  return name === 'HEAD' ? ((await forge.repository(repository))?.defaultBranch ?? 'main') : name;
}
