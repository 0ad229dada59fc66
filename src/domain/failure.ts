/**
 * The failure of a rollout: what its failing Applications failed on, and what they would go back to. Several
 * failing Applications go back to the oldest of their last good ones, and up to the newest of what they failed on.
 */
import { branchOf, configurationOf, sameConfiguration } from './configuration.ts';
import { contentKey, type Revisions } from './content.ts';
import { trackingOf } from './culprit.ts';
import type { LastGood } from './last-good.ts';
import type { BranchHead } from './look.ts';
import type { Source } from './objects.ts';
import type { Rollout, StageApplication } from './rollout.ts';

export interface RolloutFailure {
  kind: 'degraded' | 'sync' | 'render';
  failing: readonly StageApplication[];
  /** One revision a source; null for a render error whose commit is not known. */
  bad: Revisions | null;
  /** Null when no failing Application was ever Healthy on anything else. */
  lastGood: LastGood | null;
  /** The first Application whose sources the revisions belong to. */
  first: StageApplication;
  since: number;
  /** Since when the first of them has failed, also on what came before that: what landed later need not be why. */
  failingSince: number;
  /** What the template makes of a commit changed as well since last good: no commit alone explains the failure. */
  isTemplateEdited: boolean;
}

/** Null unless the verdict is `failed`. `heads` tell which of two commits came first on the branch. */
export function failureOf(rollout: Rollout, heads: readonly BranchHead[]): RolloutFailure | null {
  const failing = oldestOfOneContent(rollout.failing.filter((one) => one.assessment.failure !== null));
  const [first] = failing;
  if (rollout.verdict !== 'failed' || first?.assessment.failure == null) return null;
  const order = (revisions: Revisions): number =>
    Math.max(-1, ...revisions.map((revision) => heads.findLastIndex((head) => head.sha === revision)));
  const badOnes = failing
    .map((one) => one.assessment.failure?.revisions ?? null)
    .filter((one): one is Revisions => one !== null);
  const goodOnes = failing.map((one) => one.lastGood);
  const known = goodOnes.filter((one): one is LastGood => one !== null);
  return {
    kind: first.assessment.failure.kind,
    failing,
    bad: newestBy(badOnes, order),
    // One that was never Healthy on anything has nothing to go back to, but the others have. What runs anywhere has been
    // rendered, so nothing up to the newest of it can be why rendering fails.
    lastGood: first.assessment.failure.kind === 'render' ? newestGood(known, order) : oldest(known, order),
    first,
    since: Math.min(...failing.map((one) => one.assessment.failure?.since ?? Number.POSITIVE_INFINITY)),
    failingSince: Math.min(...failing.map(failingSince)),
    isTemplateEdited: failing.some(isTemplateEdited),
  };
}

function failingSince({ assessment, memory }: StageApplication): number {
  const since = assessment.failure?.since ?? Number.POSITIVE_INFINITY;
  return assessment.failure?.kind === 'sync'
    ? Math.min(since, memory.failedSync?.failingSince ?? since)
    : since;
}

/**
 * Applications of one set can have other folders, repositories or branches, and then other commits to blame: mixed, an
 * innocent one would be taken back. What failed first is answered first; what is left then fails still.
 */
function oldestOfOneContent(failing: readonly StageApplication[]): readonly StageApplication[] {
  const groups = new Map<string, StageApplication[]>();
  for (const one of failing) {
    const key = one.application.sources.map(lineOf).join();
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  const since = (group: readonly StageApplication[]): number =>
    Math.min(...group.map((one) => one.assessment.failure?.since ?? 0));
  return [...groups.values()].sort((one, other) => since(one) - since(other))[0] ?? [];
}

/** What a source is made of and the branch that brings it; a stage can have a branch of its own. */
function lineOf(source: Source): string {
  const branch = trackingOf(source) === 'branch' ? branchOf(source.targetRevision) : '';
  return `${contentKey(source, '')} ${branch}`;
}

/** Its last good content was made with other sources or parameters than it is compared with now. */
function isTemplateEdited({ application, lastGood }: StageApplication): boolean {
  const compared = configurationOf(application.sync.comparedSources) ?? configurationOf(application.sources);
  return lastGood !== null && !sameConfiguration(lastGood.configuration, compared);
}

function newestBy(all: readonly Revisions[], order: (revisions: Revisions) => number): Revisions | null {
  return all.reduce<Revisions | null>(
    (best, one) => (best === null || order(one) > order(best) ? one : best),
    null,
  );
}

function newestGood(all: readonly LastGood[], order: (revisions: Revisions) => number): LastGood | null {
  return all.reduce<LastGood | null>(
    (best, one) => (best === null || isOlder(best, one, order) ? one : best),
    null,
  );
}

function oldest(all: readonly LastGood[], order: (revisions: Revisions) => number): LastGood | null {
  return all.reduce<LastGood | null>(
    (best, one) => (best === null || isOlder(one, best, order) ? one : best),
    null,
  );
}

/** By their place on the branch where that is known, else by when they were first good. */
function isOlder(one: LastGood, other: LastGood, order: (revisions: Revisions) => number): boolean {
  const byBranch = order(one.revisions) - order(other.revisions);
  const isKnown = order(one.revisions) >= 0 && order(other.revisions) >= 0 && byBranch !== 0;
  return isKnown ? byBranch < 0 : one.healthyAt < other.healthyAt;
}
