/**
 * What the branches held when rendering began to fail. An Application that cannot be rendered shows only the name of its
 * branch, so which commit did it is told by the heads of then. A process that starts again sees the head of now alone, so
 * they are kept for as long as an error lasts.
 */
import type { BranchHead } from './look.ts';
import type { ApplicationMemory } from './memory.ts';
import { list, record, text } from './read.ts';

/** Of all branches together; what came after the newest of them is seen again. */
const keptMax = 20;

/** What is to be kept after a look; nothing while everything can be rendered. */
export function headsToKeep(
  applications: Readonly<Record<string, ApplicationMemory>>,
  heads: readonly BranchHead[],
): readonly BranchHead[] {
  const isFailing = Object.values(applications).some((one) => one.comparisonError !== null);
  return isFailing ? heads.slice(-keptMax) : [];
}

/**
 * The heads that are known now, with those that only the memory knows, in the order in which they came, whoever saw them; but the
 * newest known ones last, because a branch can be reset.
 */
export function withKeptHeads(
  kept: readonly BranchHead[],
  known: readonly BranchHead[],
): readonly BranchHead[] {
  const isSame = (one: BranchHead, other: BranchHead): boolean =>
    isOfOneBranch(one, other) && one.sha === other.sha;
  const missing = kept.filter(
    (one) => known.some((other) => isOfOneBranch(one, other)) && !known.some((other) => isSame(one, other)),
  );
  if (kept.length === 0) return known;
  // When it came is what was seen then, and not what the commit says of itself.
  const all = known.map((one) => kept.find((other) => isSame(one, other)) ?? one);
  // Where an old answer came in between, one was added twice.
  const dated = all.filter((one, index) => !all.slice(index + 1).some((other) => isSame(one, other)));
  const isPresent = (head: BranchHead): boolean =>
    head === dated.findLast((other) => isOfOneBranch(head, other));
  const before = [...missing, ...dated.filter((head) => !isPresent(head))];
  return [...before.sort((one, other) => one.at - other.at), ...dated.filter(isPresent)];
}

function isOfOneBranch(one: BranchHead, other: BranchHead): boolean {
  return one.repoURL === other.repoURL && one.branch === other.branch;
}

/** Reads what was stored; what cannot be read is left out. Never throws. */
export function readHeads(value: unknown): readonly BranchHead[] {
  return list(value)
    .map(record)
    .map(({ repoURL, branch, sha, at, unseenSince }) => ({
      repoURL: text(repoURL),
      branch: text(branch),
      sha: text(sha),
      at: typeof at === 'number' ? at : Number.NaN,
      ...(typeof unseenSince === 'number' ? { unseenSince } : {}),
    }))
    .filter(({ sha, at }) => sha !== '' && Number.isFinite(at));
}
