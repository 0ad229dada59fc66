/**
 * Merged is not recovered. After a revert, or a fix, every Application that had the bad commit is followed
 * until it is Synced and Healthy on something else, with no operation on the bad commit running or waiting:
 * a hook that ends late applies the bad commit after all (recording hook-finishes-after-the-revert).
 */
import { type ContentFacts, type Revisions, sameContent } from './content.ts';
import type { BranchHead } from './look.ts';
import { isQuietlyHealthy } from './memory.ts';
import type { ObjectKey, Source } from './objects.ts';
import { everyApplication, type Rollout, type StageApplication } from './rollout.ts';
import { isActive } from './running.ts';

/** What is followed: the bad content and who had it. */
export interface Followed {
  bad: Revisions;
  applications: readonly ObjectKey[];
}

/** True when it runs the bad content, in whole or in part. */
export function runsBad(one: StageApplication, bad: Revisions, facts: ContentFacts): boolean {
  return one.runs !== null && sameContent(one.application.sources, one.runs, bad, facts);
}

/** True when it runs the bad content, or an operation on it runs or waits for its retry. */
export function isTouchedBy(one: StageApplication, bad: Revisions, facts: ContentFacts): boolean {
  if (runsBad(one, bad, facts)) return true;
  const target = one.memory.operation?.target ?? null;
  return (
    isActive(one.application.operation) &&
    target !== null &&
    sameContent(one.application.sources, target, bad, facts)
  );
}

/** The Applications that are not back yet. Empty: recovered. */
export function notRecovered(
  rollout: Rollout,
  followed: Followed,
  facts: ContentFacts,
): readonly StageApplication[] {
  return everyApplication(rollout).filter((one) => {
    if (isTouchedBy(one, followed.bad, facts)) return true;
    return (
      followed.applications.includes(one.application.key) &&
      !isQuietlyHealthy(one.application, one.memory, facts)
    );
  });
}

/**
 * Content that a person took back although nothing had failed: the branch holds again what it held before,
 * and an Application has run, or been told to apply, what came between. Null when the branch only went on.
 */
export function takenBack(
  rollout: Rollout,
  heads: readonly BranchHead[],
  facts: ContentFacts,
): Followed | null {
  const [sample] = everyApplication(rollout);
  if (sample === undefined || sample.application.sources.length !== 1) return null;
  const source = sample.application.sources[0] as Source;
  const held = heads
    .filter((head) => head.repoURL === source.repoURL && head.branch === source.targetRevision)
    .map((head) => [head.sha]);
  const same = (one: Revisions, other: Revisions): boolean =>
    sameContent(sample.application.sources, one, other, facts);
  const present = held.at(-1);
  if (present === undefined) return null;
  const lastOther = held.findLast((revisions) => !same(revisions, present));
  if (lastOther === undefined) return null;
  const isReturn = held.slice(0, held.lastIndexOf(lastOther)).some((revisions) => same(revisions, present));
  if (!isReturn) return null;
  const touched = everyApplication(rollout).filter((one) => hasHad(one, lastOther, facts));
  return touched.length === 0
    ? null
    : { bad: lastOther, applications: touched.map((one) => one.application.key) };
}

/** It ran the content at some time, or an operation applied or is to apply it. */
export function hasHad(one: StageApplication, revisions: Revisions, facts: ContentFacts): boolean {
  const { application, memory } = one;
  if (isTouchedBy(one, revisions, facts)) return true;
  return memory.contents.some((record) =>
    sameContent(application.sources, record.revisions, revisions, facts),
  );
}
