/**
 * Who could still get the bad change while its revert waits to be merged, and what would keep it from them. `maxUpdate: 0` lets
 * nothing of a step become Pending, and a step that cannot be completed locks those behind it; what is Pending already is
 * synced as soon as the steps before are through (recordings frozen-by-hand, frozen-but-one-was-pending).
 */
import { branchOf } from './configuration.ts';
import { type ContentFacts, contentKey, isResolved, sameContent } from './content.ts';
import type { BranchHead } from './look.ts';
import { isCommit, type MatchExpression, type Step } from './objects.ts';
import { type BadChange, isFedBy, isTouchedBy, runsBad } from './recovery.ts';
import type { Rollout, Stage, StageApplication } from './rollout.ts';

/** A step that still has Applications to lose, and what has to be changed to hold them. */
export interface StepToHold {
  /** From 0, as in `spec.strategy.rollingSync.steps`. */
  index: number;
  name: string;
  expressions: readonly MatchExpression[];
  /** As written. */
  maxUpdate: Step['maxUpdate'];
  /** Applications that holding it keeps as they are. */
  applications: number;
}

export type EscapeReason =
  /** An operation on the bad change runs, waits for its retry, or was asked for. */
  | 'operation'
  /** Pending, and every step before it is through, or will be. */
  | 'pending';

export interface Escaping {
  application: string;
  stage: string;
  why: EscapeReason;
}

export interface ContainmentPlan {
  /** Applications in stages that have not got the bad change, and that it feeds. */
  ahead: number;
  /** Lowest first: the one in progress keeps those behind it locked. */
  steps: readonly StepToHold[];
  /** Names of steps that hold theirs already: somebody wrote `maxUpdate: 0` before. */
  gates: readonly string[];
  /** Those of the Applications ahead that no step can keep from it. */
  escaping: readonly Escaping[];
}

export const emptyPlan: ContainmentPlan = { ahead: 0, steps: [], gates: [], escaping: [] };

/**
 * The plan for one look; `heads` are what the branches hold, where that is known. Without progressive syncs there is no
 * step to hold, and a change that cannot be rendered reaches nobody.
 */
export function planContainment(
  rollout: Rollout,
  change: BadChange,
  failureKind: 'degraded' | 'sync' | 'render',
  facts: ContentFacts,
  featureFlag: 'on' | 'off' | 'unknown',
  heads: readonly BranchHead[] = [],
): ContainmentPlan {
  const { applicationSet } = rollout;
  const written = applicationSet.strategyType === 'RollingSync' ? (applicationSet.steps ?? []) : [];
  if (featureFlag === 'off' || failureKind === 'render' || written.length === 0) return emptyPlan;
  const steps: StepToHold[] = [];
  const gates: string[] = [];
  const escaping: Escaping[] = [];
  let ahead = 0;
  let isLocked = false;
  for (const stage of rollout.stages) {
    const good = stage.applications.filter(
      (one) => isStillGood(one, change, facts) && canGetBad(one, change, heads, facts),
    );
    const waiting = good.filter((one) => !isUnderWay(one, change, facts) && one.status?.status !== 'Pending');
    const isHeldBefore = isLocked;
    ahead += good.length;
    escaping.push(
      ...good
        .filter((one) => !waiting.includes(one))
        .filter((one) => !isHeldBefore || isUnderWay(one, change, facts))
        .map((one) => escapingFrom(one, stage, isUnderWay(one, change, facts))),
    );
    const step = written[stage.number - 1];
    if (waiting.length === 0 || step === undefined) continue;
    isLocked = true;
    if (stage.maxUpdate === 0) gates.push(stage.name);
    else steps.push(toHold(stage, step, waiting.length));
  }
  return { ahead, steps, gates, escaping };
}

function toHold(stage: Stage, step: Step, applications: number): StepToHold {
  const { expressions, maxUpdate } = step;
  return { index: stage.number - 1, name: stage.name, expressions, maxUpdate, applications };
}

function escapingFrom(one: StageApplication, stage: Stage, isOperating: boolean): Escaping {
  const why = isOperating ? 'operation' : 'pending';
  return { application: one.application.name, stage: stage.name, why };
}

/** Whether a sync now would bring the bad change to one that has not got it and does not fail. */
export function wouldGetBad(
  one: StageApplication,
  change: BadChange,
  heads: readonly BranchHead[],
  facts: ContentFacts,
): boolean {
  return isStillGood(one, change, facts) && bringsBad(one, change, heads, facts);
}

/** It does not run the change, does not fail on it, and is fed by it. */
function isStillGood(one: StageApplication, change: BadChange, facts: ContentFacts): boolean {
  if (one.assessment.failure !== null || one.application.isBeingDeleted) return false;
  return isFedBy(one, change, facts) && !runsBad(one, change, facts);
}

/** A stage can follow a branch of its own, which does not bring it the bad change. What is not known counts as yes. */
function canGetBad(
  one: StageApplication,
  change: BadChange,
  heads: readonly BranchHead[],
  facts: ContentFacts,
): boolean {
  const { sources, sync } = one.application;
  return (
    bringsBad(one, change, heads, facts) ||
    isUnderWay(one, change, facts) ||
    sameContent(sources, sync.revisions, change.bad, facts)
  );
}

/** An operation that was asked for and names no revision takes what the branch holds when it begins. */
function isUnderWay(one: StageApplication, change: BadChange, facts: ContentFacts): boolean {
  const { requestedOperation, sources } = one.application;
  if (isTouchedBy(one, change, facts)) return true;
  if (requestedOperation === null) return false;
  const { revisions } = requestedOperation;
  return !isResolved(sources, revisions) || sameContent(sources, revisions, change.bad, facts);
}

/**
 * Whether the branches hold the bad change still, for some Application that it feeds. What is not known counts as yes: an
 * Application must not get it because a look at a branch was missed.
 */
export function holdsBad(
  rollout: Rollout,
  change: BadChange,
  heads: readonly BranchHead[],
  facts: ContentFacts,
): boolean {
  const fed = rollout.stages
    .flatMap((stage) => stage.applications)
    .filter((one) => isFedBy(one, change, facts));
  if (fed.length === 0) return false;
  const known = new Map<string, boolean>();
  return fed.some((one) => {
    const { sources } = one.application;
    const key = sources.map((source) => contentKey(source, source.targetRevision)).join('\n');
    const before = known.get(key);
    if (before !== undefined) return before;
    const holds = bringsBad(one, change, heads, facts);
    known.set(key, holds);
    return holds;
  });
}

/**
 * Whether what the Application follows holds the bad change, or may. Of several sources those count that the change made
 * another content: what lands in the repository beside takes nothing back.
 */
function bringsBad(
  { application: { sources } }: StageApplication,
  { bad, lastGood }: BadChange,
  heads: readonly BranchHead[],
  facts: ContentFacts,
): boolean {
  const all = sources.map((source, index) => ({ source, bad: bad[index] ?? '', good: lastGood?.[index] }));
  const changed = all.filter(
    (one) => one.good === undefined || !sameContent([one.source], [one.good], [one.bad], facts),
  );
  return (changed.length === 0 ? all : changed).every((one) => {
    const held = headOf(one.source, heads) ?? one.bad;
    const isKnown = held === one.bad || facts.ids.has(contentKey(one.source, held));
    return !isKnown || sameContent([one.source], [held], [one.bad], facts);
  });
}

/** The newest head of what a source follows; the commit itself where it is pinned to one; null when nobody has looked. */
function headOf(
  source: StageApplication['application']['sources'][number],
  heads: readonly BranchHead[],
): string | null {
  if (isCommit(source.targetRevision)) return source.targetRevision;
  const branch = branchOf(source.targetRevision);
  return (
    heads.findLast((head) => head.repoURL === source.repoURL && branchOf(head.branch) === branch)?.sha ?? null
  );
}
