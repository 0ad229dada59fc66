/**
 * Merged is not recovered. After a revert, or a fix, every Application that had the bad commit is followed
 * until it is Synced and Healthy on something else, with no operation on the bad commit running or waiting:
 * a hook that ends late applies the bad commit after all (recording hook-finishes-after-the-revert).
 */
import { branchOf } from './configuration.ts';
import { type ContentFacts, contentKey, type Revisions, sameContent } from './content.ts';
import { isQuietlyHealthy } from './contents.ts';
import type { BranchHead } from './look.ts';
import type { ContentRecord } from './memory.ts';
import type { ObjectKey, Source } from './objects.ts';
import { everyApplication, type Rollout, type StageApplication, staying } from './rollout.ts';
import { isActive } from './running.ts';

/** The bad content, and what it is to be compared with. */
export interface BadChange {
  bad: Revisions;
  /** Null when nothing was ever good. */
  lastGood: Revisions | null;
}

/** What is followed: the bad content and who had it. */
export interface Followed extends BadChange {
  applications: readonly ObjectKey[];
}

/** A commit can feed some Applications of a set and not others; those it does not feed never have it. */
export function isFedBy(
  { application: { sources } }: StageApplication,
  { bad, lastGood }: BadChange,
  facts: ContentFacts,
): boolean {
  return lastGood === null || !sameContent(sources, bad, lastGood, facts);
}

function isBad(one: StageApplication, revisions: Revisions, change: BadChange, facts: ContentFacts): boolean {
  return isFedBy(one, change, facts) && sameContent(one.application.sources, revisions, change.bad, facts);
}

/** True when it runs the bad content, in whole or in part. */
export function runsBad(one: StageApplication, change: BadChange, facts: ContentFacts): boolean {
  return one.runs !== null && isBad(one, one.runs, change, facts);
}

/** True when it runs the bad content, or an operation on it runs or waits for its retry. */
export function isTouchedBy(one: StageApplication, change: BadChange, facts: ContentFacts): boolean {
  if (runsBad(one, change, facts)) return true;
  const target = one.memory.operation?.target ?? null;
  return isActive(one.application.operation) && target !== null && isBad(one, target, change, facts);
}

/** It ran the content at some time, or an operation applied or is to apply it. */
export function hasHad(one: StageApplication, change: BadChange, facts: ContentFacts): boolean {
  if (isTouchedBy(one, change, facts)) return true;
  return one.memory.contents.some((record) => isBad(one, record.revisions, change, facts));
}

/** It had the content, and has not been Synced and Healthy on anything else since. */
export function hasHadSinceWell(one: StageApplication, change: BadChange, facts: ContentFacts): boolean {
  const { contents } = one.memory;
  const last = contents.findLastIndex((record) => isBad(one, record.revisions, change, facts));
  return last >= 0 && !wasWellSince(contents, last);
}

/** Whether it was Synced and Healthy on something that came after one of its contents. */
export function wasWellSince(contents: readonly ContentRecord[], index: number): boolean {
  return contents.slice(index + 1).some((record) => wasHealthyAfter(record, contents[index]));
}

function wasHealthyAfter(record: ContentRecord, before: ContentRecord | undefined): boolean {
  return record.healthyUntil !== null && record.healthyUntil > (before?.appliedAt ?? 0);
}

/** The Applications that are not back yet; what is being deleted is not waited for. Empty: recovered. */
export function notRecovered(
  rollout: Rollout,
  followed: Followed,
  facts: ContentFacts,
): readonly StageApplication[] {
  return staying(everyApplication(rollout)).filter((one) => {
    if (isTouchedBy(one, followed, facts)) return true;
    return (
      one.leftOut === null &&
      followed.applications.includes(one.application.key) &&
      !isQuietlyHealthy(one.application, one.memory, facts)
    );
  });
}

/**
 * Content that a person took back although nothing had failed: a branch holds again what it held before, and an
 * Application has run, or been told to apply, what came between. Null when the branches only went on.
 */
export function takenBack(
  rollout: Rollout,
  heads: readonly BranchHead[],
  facts: ContentFacts,
): Followed | null {
  const all = everyApplication(rollout);
  const asked = new Set<string>();
  for (const one of all) {
    for (const [index, source] of one.application.sources.entries()) {
      const key = `${index} ${contentKey(source, branchOf(source.targetRevision))}`;
      if (asked.has(key)) continue;
      asked.add(key);
      const change = changeTakenBack(one, index, source, heads, facts);
      if (change === null) continue;
      const touched = all.filter((candidate) => hasHad(candidate, change, facts));
      if (touched.length > 0)
        return { ...change, applications: touched.map((candidate) => candidate.application.key) };
    }
  }
  return null;
}

/** What came between two heads of the same content, for one source; the other sources stand as they are. */
function changeTakenBack(
  one: StageApplication,
  index: number,
  source: Source,
  heads: readonly BranchHead[],
  facts: ContentFacts,
): BadChange | null {
  const { sources } = one.application;
  const present = one.target ?? one.runs ?? [];
  if (sources.length > 1 && present.length < sources.length) return null;
  const held = heads
    .filter((head) => head.repoURL === source.repoURL && head.branch === branchOf(source.targetRevision))
    .map((head) => sources.map((_, at) => (at === index ? head.sha : (present[at] ?? ''))));
  const isSame = (left: Revisions, right: Revisions): boolean => sameContent(sources, left, right, facts);
  const newest = held.at(-1);
  if (newest === undefined) return null;
  const bad = held.findLast((revisions) => !isSame(revisions, newest));
  if (bad === undefined) return null;
  const lastGood = held.slice(0, held.lastIndexOf(bad)).findLast((revisions) => isSame(revisions, newest));
  return lastGood === undefined ? null : { bad, lastGood };
}
