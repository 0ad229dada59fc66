/**
 * Which sources a pull request changes, before it is merged: what its branch holds is compared, folder by folder, with
 * where it left the branch that it goes to. A list of files would be cut, and does not know that a folder is built from
 * another one; ids of trees are exact, and mostly known already.
 */

import { branchOf } from '../domain/configuration.ts';
import { contentKey } from '../domain/content.ts';
import { trackingOf } from '../domain/culprit.ts';
import type { Source } from '../domain/objects.ts';
import type { Repository } from '../ports.ts';
import { contentIdOf } from './feeds.ts';
import { placeName } from './place-name.ts';
import type { ContentSource } from './source.ts';

export interface Comparison {
  /** Where the pull request left its base. */
  mergeBase: string;
  /** Head of the base branch now. */
  base: string;
  head: string;
}

/** `same`: merging it leaves the content as it is, perhaps because the branch has it already. */
export type Touched = 'changed' | 'same' | 'unsure';

/** Different folders that are compared for one pull request; each costs one or two requests the first time. */
const foldersMax = 1_000;

/** True when the source follows this branch of the repository, and so would get what lands there. */
export function follows(
  forge: Pick<ContentSource, 'repositoryOf'>,
  source: Source,
  repository: Repository,
  branch: string,
  defaultBranch: string,
): boolean {
  if (source.chart !== null || trackingOf(source) !== 'branch') return false;
  const tracked = branchOf(source.targetRevision);
  if ((tracked === 'HEAD' ? defaultBranch : tracked) !== branch) return false;
  return isOf(forge, source, repository);
}

/** True when the source lies in the repository, whatever it follows there. */
export function isOf(
  forge: Pick<ContentSource, 'repositoryOf'>,
  source: Pick<Source, 'repoURL'>,
  repository: Repository,
): boolean {
  const own = forge.repositoryOf(source.repoURL);
  return own !== null && placeName(own) === placeName(repository);
}

/**
 * Answers for each source of the repository, asking about each folder once. Throws WorldProblem when the forge cannot be
 * read.
 */
export function openTouched(
  forge: ContentSource,
  repository: Repository,
  { mergeBase, base, head }: Comparison,
): (source: Source) => Promise<Touched> {
  const known = new Map<string, Promise<Touched>>();

  async function compare(source: Source): Promise<Touched> {
    if (mergeBase === head) return 'same';
    const [before, after] = await Promise.all([
      contentIdOf(forge, repository, source, mergeBase),
      contentIdOf(forge, repository, source, head),
    ]);
    if (before === null || after === null) return 'unsure';
    // A folder that cannot be followed makes a commit equal to itself alone.
    if (before.startsWith('commit:') || after.startsWith('commit:')) return 'unsure';
    if (before === after) return 'same';
    return base !== mergeBase && after === (await contentIdOf(forge, repository, source, base))
      ? 'same'
      : 'changed';
  }

  return (source) => {
    const key = contentKey(source, '');
    const found = known.get(key);
    if (found !== undefined) return found;
    if (known.size >= foldersMax) return Promise.resolve('unsure');
    const answer = compare(source);
    known.set(key, answer);
    return answer;
  };
}
