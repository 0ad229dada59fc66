/**
 * What one process keeps for check runs between looks: which ApplicationSet follows which lines of history, whether a
 * push was announced to it, and what each said last of a commit that feeds many. All of it can be found again.
 */
import { placeName } from '../content/place-name.ts';
import type { ObjectKey } from '../domain/objects.ts';
import type { Commit, Repository } from '../ports.ts';
import type { SummaryLine } from '../render/check-summary.ts';
import { feedingSince, type Line, linesOf } from './check-lines.ts';
import type { World } from './world.ts';

/** A commit that feeds many ApplicationSets. */
export interface Crowd {
  firstSeenAt: number;
  /** Whether it feeds one, by its key. */
  feeds: Map<ObjectKey, boolean>;
  lines: Map<ObjectKey, SummaryLine>;
  /** Who looks again for all of them when a write was held back. */
  carrier: { key: ObjectKey; dueAt: number } | null;
  /** What was written last: the state, and a digest of all lines. */
  written: { state: string; lines: string } | null;
}

export interface CheckBook {
  follows: Map<ObjectKey, readonly Line[]>;
  /** The commits that an ApplicationSet had something to say of at its last look. */
  tells: Map<ObjectKey, ReadonlySet<string>>;
  /** ApplicationSets that a push was announced to and that have not looked since. */
  news: Set<ObjectKey>;
  /** `namespace/name` and line → the head up to which it was looked at without a close look. */
  heads: Map<string, string>;
  /** Check runs and commits of which the last word is said, on a run that may not be the one that is shown. */
  lastWords: Set<string>;
  ranges: Map<string, Promise<readonly Commit[] | null>>;
  /** By repository and commit. */
  crowds: Map<string, Crowd>;
}

export function openCheckBook(): CheckBook {
  return {
    follows: new Map(),
    tells: new Map(),
    news: new Set(),
    heads: new Map(),
    lastWords: new Set(),
    ranges: new Map(),
    crowds: new Map(),
  };
}

/** Who may be fed by a push to a repository: those known to follow it, and those whose template names it. */
export function followersOf(
  { cluster, forge, checkBook }: Pick<World, 'cluster' | 'forge' | 'checkBook'>,
  repository: Repository,
): readonly ObjectKey[] {
  const place = placeName(repository);
  const isHere = (repoURL: string): boolean => {
    const one = forge.repositoryOf(repoURL);
    return one !== null && placeName(one) === place;
  };
  return [...cluster.applicationSets().values()]
    .filter(
      ({ key, templateSources }) =>
        checkBook.follows.get(key)?.some((line) => placeName(line.repository) === place) ??
        templateSources.some(({ repoURL }) => isHere(repoURL)),
    )
    .map(({ key }) => key);
}

/**
 * Whether an announced push needs a close look at an ApplicationSet: it feeds it, or nobody knows what does. Throws
 * WorldProblem.
 */
export async function hasNews(
  world: World,
  key: ObjectKey,
  known: Readonly<Record<string, string>>,
): Promise<boolean> {
  const { news, follows, heads } = world.checkBook;
  if (!news.has(key)) return false;
  const before = follows.get(key);
  if (before === undefined) return true;
  const sources = before.flatMap((line) => line.sources);
  const lines = linesOf(world, sources, await world.heads.of([{ sources }], world.headMaxAgeMs));
  for (const line of lines) {
    const from = heads.get(`${key} ${line.key}`) ?? known[line.key] ?? null;
    if (from === null || (await feedingSince(world, line, from)).length > 0) return true;
  }
  for (const line of lines) heads.set(`${key} ${line.key}`, line.head);
  follows.set(key, lines);
  news.delete(key);
  return false;
}
