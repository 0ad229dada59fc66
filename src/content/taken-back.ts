/**
 * Whether a tree holds again what was there before a change, whoever brought that about and whatever they call it: the
 * folders that the change touched are compared, and nothing else counts.
 */
import { contentKey } from '../domain/content.ts';
import type { Source } from '../domain/objects.ts';
import type { Repository } from '../ports.ts';
import { contentIdInTree } from './feeds.ts';
import type { ContentSource } from './source.ts';
import { isOf } from './touched.ts';

/** Ids of root trees: before the change, and with it. */
export interface ChangedTrees {
  before: string;
  after: string;
}

/** `before`: every folder that the change touched is as it was; `after`: each is as the change left it. */
export type HeldState = 'before' | 'after' | 'other';

/** Different folders that are compared; an ApplicationSet seldom has more. */
const foldersMax = 50;

/**
 * Tells of a root tree what it holds; `other` of every one when the change touches none of the sources. Throws WorldProblem
 * when the forge cannot be read.
 */
export function openHeldState(
  forge: ContentSource,
  repository: Repository,
  sources: readonly Source[],
  { before, after }: ChangedTrees,
): (tree: string) => Promise<HeldState> {
  const here = sources.filter((source) => source.chart === null && isOf(forge, source, repository));
  const folders = [...new Map(here.map((source) => [contentKey(source, ''), source])).values()];
  const contentsOf = (tree: string): Promise<readonly (string | null)[]> =>
    Promise.all(
      folders.slice(0, foldersMax).map((source) => contentIdInTree(forge, repository, source, tree)),
    );
  let ends: Promise<readonly [readonly (string | null)[], readonly (string | null)[]]> | null = null;
  return async (tree) => {
    ends ??= Promise.all([contentsOf(before), contentsOf(after)]);
    const [[good, bad], held] = await Promise.all([ends, contentsOf(tree)]);
    const touched = held.map((_, index) => index).filter((index) => good[index] !== bad[index]);
    // What nobody can tell is equal to nothing.
    const isAll = (ids: readonly (string | null)[]): boolean =>
      touched.length > 0 && touched.every((index) => held[index] !== null && held[index] === ids[index]);
    return isAll(good) ? 'before' : isAll(bad) ? 'after' : 'other';
  };
}
