/**
 * Which Application belongs to which step of a RollingSync, how many of a step may be updated at once, and which steps
 * are open. Ported rule by rule from Argo CD's
 * https://github.com/argoproj/argo-cd/blob/v3.5.1/applicationset/progressivesync/progressive_sync.go, traps included.
 */
import type {
  ApplicationSetObject,
  ApplicationStatusEntry,
  MatchExpression,
  RolloutStep,
} from './objects.ts';

/** What steps look at: the labels of the generated Application. */
export interface Labelled {
  metadata: { name: string; labels?: Record<string, string> };
}

export interface StepAssignment {
  /** The names in each step, in the order of the generated Applications. A name can be in several steps. */
  members: string[][];
  /** The first step (from 0) of each Application; one that is in no step is missing here. */
  firstStep: Map<string, number>;
}

/** The steps of the ApplicationSet, or undefined when its strategy is not RollingSync (`IsRollingSyncStrategy`). */
export function rollingSyncSteps(applicationSet: ApplicationSetObject): RolloutStep[] | undefined {
  const strategy = applicationSet.spec.strategy;
  if (strategy?.type !== 'RollingSync' || strategy.rollingSync === undefined) return undefined;
  return strategy.rollingSync.steps ?? [];
}

/** Sorts generated Applications into steps by their labels (`buildAppDependencyList`). */
export function assignSteps(
  steps: readonly RolloutStep[],
  applications: readonly Labelled[],
): StepAssignment {
  const members = steps.map(() => [] as string[]);
  const firstStep = new Map<string, number>();
  for (const { metadata } of applications) {
    for (const [index, step] of steps.entries()) {
      if (!(step.matchExpressions ?? []).every((one) => isSelected(metadata.labels ?? {}, one))) continue;
      members[index]?.push(metadata.name);
      if (!firstStep.has(metadata.name)) firstStep.set(metadata.name, index);
    }
  }
  return { members, firstStep };
}

/**
 * One expression against the labels (`labelMatchedExpression`). A label that is missing fails only an `In`; an operator
 * that is neither In nor NotIn fails whoever has the label, and selects whoever lacks it.
 */
function isSelected(labels: Record<string, string>, expression: MatchExpression): boolean {
  const value = labels[expression.key];
  if (value === undefined) return expression.operator !== 'In';
  const isListed = (expression.values ?? []).includes(value);
  if (expression.operator === 'In') return isListed;
  return expression.operator === 'NotIn' && !isListed;
}

/** The number of the step as `applicationStatus` shows it: from 1, or "-1" for an Application in no step (no-step). */
export function stepLabel(assignment: StepAssignment, application: string): string {
  const step = assignment.firstStep.get(application);
  return step === undefined ? '-1' : String(step + 1);
}

export type MaxUpdate = { limit: number; isInvalid: boolean };

/**
 * How many Applications of a step with `total` may be Pending or Progressing at once. No maxUpdate is no limit; a
 * percentage rounds down, but to at least 1 unless it is "0%"; a string without % cannot be read and counts as 1
 * (`GetScaledValueFromIntOrPercent`, and what is done with its answer in `UpdateApplicationSetApplicationStatusProgress`).
 */
export function maxUpdateOf(step: RolloutStep | undefined, total: number): MaxUpdate {
  const maxUpdate = step?.maxUpdate;
  if (maxUpdate === undefined || maxUpdate === null)
    return { limit: Number.POSITIVE_INFINITY, isInvalid: false };
  if (typeof maxUpdate === 'number') return { limit: maxUpdate, isInvalid: false };
  const percent = /^(-?\d+)%$/.exec(maxUpdate)?.[1];
  const scaled = percent === undefined ? 0 : Math.floor((Number(percent) * total) / 100);
  return { limit: maxUpdate !== '0%' && scaled < 1 ? 1 : scaled, isInvalid: percent === undefined };
}

/**
 * The Applications that a rollout may sync now, before maxUpdate: those of every step up to the first one that is not
 * all Healthy (`getAppsToSync`). A step without Applications is complete at once.
 */
export function openForSync(
  assignment: StepAssignment,
  applicationStatus: readonly ApplicationStatusEntry[],
  existing: ReadonlySet<string>,
): Set<string> {
  const statusOf = new Map(applicationStatus.map((entry) => [entry.application, entry.status]));
  const open = new Set<string>();
  for (const step of assignment.members) {
    for (const name of step) open.add(name);
    if (!step.every((name) => existing.has(name) && statusOf.get(name) === 'Healthy')) break;
  }
  return open;
}
