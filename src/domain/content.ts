/**
 * Commits are compared by what they put into the folders that feed an Application, not by their id: in a
 * monorepo an innocent commit moves the revision of every Application without changing one of them, and a
 * revert is another commit with the content of the last good one. What a commit contains is a fact that
 * somebody looked up; where nobody did, a commit is only equal to itself.
 */
import { isCommit, type Source } from './objects.ts';

/** One revision a source, in the order of the sources. */
export type Revisions = readonly string[];

export interface ContentFacts {
  /** `contentKey` → an id that is equal exactly when the content is. */
  ids: ReadonlyMap<string, string>;
  /** `goneKey` of commits that their repository does not have any more (force-pushed away). */
  gone: ReadonlySet<string>;
}

export const noFacts: ContentFacts = { ids: new Map(), gone: new Set() };

/** Sources are read once and compared often; what never changes of a key is kept with them. */
const beginnings = new WeakMap<Source, string>();

/** The key under which the content of one source at one revision is looked up. */
export function contentKey(source: Source, revision: string): string {
  let beginning = beginnings.get(source);
  if (beginning === undefined) {
    beginning = `${[source.repoURL, source.path ?? source.chart ?? '', ...source.alsoPaths].join('\n')}\n`;
    beginnings.set(source, beginning);
  }
  return beginning + revision;
}

/** The key under which a commit is known to be missing: it is missing in one repository, not in all. */
export function goneKey(source: Source, revision: string): string {
  return `${source.repoURL}\n${revision}`;
}

/** An id of what the revisions put into an Application's sources: equal ids, equal content. */
export function contentOf(sources: readonly Source[], revisions: Revisions, facts: ContentFacts): string {
  return revisions
    .map((revision, index) => {
      const source = sources[index];
      return source === undefined ? revision : (facts.ids.get(contentKey(source, revision)) ?? revision);
    })
    .join('+');
}

/** True when both hold the same content. */
export function sameContent(
  sources: readonly Source[],
  one: Revisions,
  other: Revisions,
  facts: ContentFacts,
): boolean {
  return contentOf(sources, one, facts) === contentOf(sources, other, facts);
}

/**
 * True when every source has a revision that names one content: a commit for git, any text for a chart. A
 * branch name that stands where a commit should (a render error, PS15) is not resolved.
 */
export function isResolved(sources: readonly Source[], revisions: Revisions): boolean {
  if (revisions.length === 0 || revisions.length < sources.length) return false;
  return revisions.every((revision, index) => {
    const source = sources[index];
    return source?.chart !== null && source?.chart !== undefined ? revision !== '' : isCommit(revision);
  });
}
