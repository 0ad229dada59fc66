/**
 * A rollout: the stages of one ApplicationSet, the Applications of each with the commit they really run, and
 * one verdict. Who has a commit is asked of every Application; the order of the steps proves nothing.
 */
import { assess } from './assess.ts';
import { hasStages, stageNames, stagesOf } from './build-stages.ts';
import { type ContentFacts, isResolved, type Revisions } from './content.ts';
import { goodAgainAt, type LastGood, lastGoodOf } from './last-good.ts';
import {
  type Exceptions,
  excused,
  type LeftOut,
  leftOut,
  noExceptions,
  toldOfLeftOut,
  withThresholds,
} from './left-out.ts';
import type { Assessment, BranchHead, Look } from './look.ts';
import type { ApplicationMemory, ContentRecord } from './memory.ts';
import type { Application, ApplicationSet, ApplicationStatus, ObjectKey } from './objects.ts';
import { noOrders, type Orders } from './orders.ts';
import { outOfOrder } from './out-of-order.ts';
import type { Policy } from './policy.ts';
import { matchingStep, stepOf, unselectedStep } from './stages.ts';
import { gravest, type Reason, type StageVerdict, type Verdict } from './verdict.ts';
import { statusFaults, verdictOfTheWhole, wholeReason, yields } from './whole.ts';

export interface RolloutInput {
  applicationSet: ApplicationSet;
  applications: readonly Application[];
  /** One for every Application, by its key; made by `remember`. */
  memories: ReadonlyMap<ObjectKey, ApplicationMemory>;
  facts: ContentFacts;
  heads: readonly BranchHead[];
  policy: Policy;
  /** Milliseconds since the epoch. */
  now: number;
  /** Why the cluster cannot be seen well enough to judge; null when it can. */
  blindness: string | null;
  featureFlag: 'on' | 'off' | 'unknown';
  /** What is configured to count for less; everything counts when absent. */
  exceptions?: Exceptions;
  /** What people ordered; none when absent. */
  orders?: Orders;
}

export interface StageApplication {
  application: Application;
  memory: ApplicationMemory;
  step: number;
  status: ApplicationStatus | null;
  /** What it runs; null when nothing that can be named. */
  runs: Revisions | null;
  isPartial: boolean;
  /** What it is told to run; null when the comparison names no content. */
  target: Revisions | null;
  assessment: Assessment;
  /** Why it counts for nothing; null when it counts. */
  leftOut: LeftOut | null;
  /** What it would go back to if what fails, or runs, were taken back. */
  lastGood: LastGood | null;
}

export interface Stage {
  /** From 1. */
  number: number;
  name: string;
  selector: string;
  pace: string;
  /** How many of it may move at once; 0 is a manual gate. */
  maxUpdate: number;
  verdict: StageVerdict;
  applications: readonly StageApplication[];
}

export interface Rollout {
  applicationSet: ApplicationSet;
  stages: readonly Stage[];
  /** In no step: the rollout never syncs them. */
  unselected: readonly StageApplication[];
  /** Left over from an earlier template: owned, and generated no longer (PS27). */
  orphans: readonly StageApplication[];
  verdict: Verdict;
  reasons: readonly Reason[];
  /** The Applications that the verdict is about. */
  failing: readonly StageApplication[];
  /** Applications in which a commit was applied before all earlier steps were Healthy on it. */
  outOfOrder: readonly StageApplication[];
  /** When the answer may change without an event; null when only an event can change it. */
  lookAgainAt: number | null;
}

/** Every Application of the rollout, in stages or not, orphans last. */
export function everyApplication(rollout: Rollout): readonly StageApplication[] {
  return [
    ...rollout.stages.flatMap((stage) => stage.applications),
    ...rollout.unselected,
    ...rollout.orphans,
  ];
}

/** Without those that are being deleted: what goes away does not come back, and is not waited for. */
export function staying(some: readonly StageApplication[]): readonly StageApplication[] {
  return some.filter(({ application }) => !application.isBeingDeleted);
}

/** Puts one ApplicationSet and its Applications together. Pure and total: odd objects give odd stages, never an exception. */
export function rolloutOf(input: RolloutInput): Rollout {
  const rendered = new Set(
    input.applications.flatMap(
      (application) => input.memories.get(application.key)?.running?.revisions ?? [],
    ),
  );
  const entries = new Map(input.applicationSet.applicationStatus.map((entry) => [entry.application, entry]));
  const named = stageNames(input.applicationSet);
  const each = input.applications
    .map((application) => placed(input, application, entries.get(application.name) ?? null, rendered, named))
    .filter((one): one is StageApplication => one !== null);
  const all = withThresholds(each, named, input.exceptions ?? noExceptions);
  // Labels put on live Applications by hand count for nothing: where no step has any, none is left over either.
  const isAnySelected = all.some((one) => one.step !== unselectedStep);
  const orphans = isAnySelected ? all.filter((one) => isOrphan(input.applicationSet, one)) : [];
  const unselected = all.filter((one) => one.step === unselectedStep && !orphans.includes(one));
  const stages = stagesOf(input, all, unselected);
  const wide = verdictOfTheWhole(input, all.length - orphans.length, unselected.length);
  const ofStages = gravest(
    stages.map((stage) => (stage.verdict === 'waiting' ? 'in-progress' : stage.verdict)),
  );
  const verdict = gravest([ofStages, ...(wide === null || !yields(wide, ofStages) ? [] : [wide.verdict])]);
  const failing = failingOf(verdict, stages, all);
  const reasons = [
    ...(wide === null ? [] : [wide.reason]),
    ...statusFaults(input),
    ...reasonsOf(verdict, stages, failing, staying(orphans)),
    ...toldOfDeletions(all),
    ...toldOfLeftOut(all),
  ];
  const goodAt = (record: ContentRecord): number | null => goodAgainAt(record, input.policy);
  const times = all
    .flatMap((one) => [one.assessment.lookAgainAt, ...one.memory.contents.slice(-1).map(goodAt)])
    .filter((time): time is number => time !== null && time > input.now);
  return {
    applicationSet: input.applicationSet,
    stages,
    unselected,
    orphans,
    verdict,
    reasons,
    failing,
    outOfOrder: outOfOrder(stages, input.facts, input.now),
    lookAgainAt: times.length === 0 ? null : Math.min(...times),
  };
}

function placed(
  input: RolloutInput,
  application: Application,
  status: ApplicationStatus | null,
  rendered: ReadonlySet<string>,
  stages: ReadonlyMap<number, string>,
): StageApplication | null {
  const memory = input.memories.get(application.key);
  if (memory === undefined) return null;
  const { applicationSet, facts, policy } = input;
  const step = hasStages(applicationSet) ? stepOf(applicationSet, status, application) : 1;
  const look: Look = {
    application,
    applicationSet,
    entry: status,
    step,
    memory,
    facts,
    heads: input.heads,
    rendered,
    policy,
    now: input.now,
  };
  const name = stages.get(step);
  const stage = name === undefined ? null : { number: step, name };
  const { exceptions = noExceptions, orders = noOrders, now } = input;
  const why = leftOut(application, stage, exceptions, orders, now);
  const assessment = why === null ? assess(look) : excused(assess(look), why, application.name);
  const failing = whatToLeave(assessment, memory);
  return {
    application,
    memory,
    step,
    status,
    runs: memory.running?.revisions ?? null,
    isPartial: memory.running?.isPartial ?? false,
    target: isResolved(application.sources, application.sync.revisions) ? application.sync.revisions : null,
    assessment,
    leftOut: why,
    lastGood: failing === null ? null : lastGoodOf(look, failing),
  };
}

/** What it would go back from; nothing that it ran when a commit that is not known broke rendering. Null: it runs nothing. */
function whatToLeave({ failure }: Assessment, memory: ApplicationMemory): Revisions | null {
  if (failure !== null) return failure.revisions ?? [];
  return memory.running?.revisions ?? null;
}

/** Its live labels select a step but the controller put it in none: it is generated no longer. */
function isOrphan(applicationSet: ApplicationSet, one: StageApplication): boolean {
  if (one.step !== unselectedStep || one.status === null) return false;
  return matchingStep(applicationSet.steps ?? [], one.application.labels) !== unselectedStep;
}

function failingOf(
  verdict: Verdict,
  stages: readonly Stage[],
  all: readonly StageApplication[],
): readonly StageApplication[] {
  if (
    verdict === 'ok' ||
    verdict === 'in-progress' ||
    verdict === 'manual-gate' ||
    verdict === 'misconfigured'
  )
    return [];
  const inStages = stages.flatMap((stage) => stage.applications);
  return (inStages.length > 0 ? inStages : all).filter((one) => one.assessment.verdict === verdict);
}

function reasonsOf(
  verdict: Verdict,
  stages: readonly Stage[],
  failing: readonly StageApplication[],
  orphans: readonly StageApplication[],
): readonly Reason[] {
  const inStages = stages.flatMap((stage) => stage.applications);
  const about =
    failing.length > 0 || verdict === 'ok'
      ? failing
      : inStages.filter((one) => one.assessment.verdict === verdict);
  return [
    ...stages.flatMap(heldStage),
    ...about.flatMap((one) => one.assessment.reasons),
    ...orphans.map((one) => ({
      ...wholeReason('orphan', 'status.applicationStatus[].step', '-1'),
      application: one.application.name,
    })),
  ];
}

/** So that nobody wonders why one that is unhealthy counts for nothing. */
function toldOfDeletions(all: readonly StageApplication[]): readonly Reason[] {
  return all
    .filter(({ application }) => application.isBeingDeleted)
    .flatMap(({ assessment }) => assessment.reasons);
}

/** A stage that is held by its own gate, or by slots that something in no step takes. */
function heldStage(stage: Stage): readonly Reason[] {
  const waiting = stage.applications
    .filter((one) => one.assessment.verdict === 'in-progress')
    .map((one) => one.application.name);
  const field = `stage ${stage.number} (${stage.name})`;
  if (stage.verdict === 'manual-gate') return [wholeReason('gate', field, waiting.join(', '))];
  const isHeld =
    stage.verdict === 'blocked' && stage.applications.every((one) => one.assessment.verdict !== 'blocked');
  return isHeld ? [wholeReason('slot-held-by-unselected', field, waiting.join(', '))] : [];
}
