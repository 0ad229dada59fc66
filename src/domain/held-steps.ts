/**
 * Steps that Stepback holds, from the note that is made before a step is changed until it is put back. What the cluster shows is
 * compared with the note at every look, so that a crash at any moment leaves no step held for ever, and nobody who
 * changed a step meanwhile is overruled.
 */
import type { ContainmentPlan, StepToHold } from './containment.ts';
import type { Incident } from './incident.ts';
import type { ApplicationSet, MatchExpression, ObjectKey, Step } from './objects.ts';
import type { HoldOrder } from './orders.ts';

export type HeldState =
  /** Noted, and not known to be done. */
  | 'intended'
  | 'held'
  /** Put back by us. */
  | 'released'
  /** The former value stood there again: a parent Application, or a person. It is not held again. */
  | 'undone'
  /** Another value stood there: somebody decided otherwise, and that stays. */
  | 'changed'
  /** The step, or its ApplicationSet, is not there any more. */
  | 'gone';

export interface HeldStep {
  /** From 0, where it was seen last. */
  index: number;
  name: string;
  /** By these it is known again when steps are moved. */
  expressions: readonly MatchExpression[];
  /** What stood there before, and is put back. */
  former: Step['maxUpdate'];
  state: HeldState;
  /** Since when it is so. */
  at: number;
  /** `metadata.generation` of the ApplicationSet that this is known from: an older view tells nothing. */
  generation: number;
}

/** Why steps are not held, or not put back, though they should be. */
export type ContainmentObstacle =
  /** Somebody else's controller owns the ApplicationSet and would undo it; `place` is where its manifest is kept. */
  | { kind: 'owned'; owners: readonly string[]; place: { repository: string; path: string } | null }
  /** The cluster does not allow it; its own words. */
  | { kind: 'refused'; message: string; at: number };

/** What is done in one ApplicationSet about those that are still ahead of the bad change. */
export interface Containment {
  key: ObjectKey;
  uid: string;
  /** `hold`: steps may be changed, by configuration or because a person ordered it. */
  will: 'nothing' | 'advise' | 'hold';
  /** That it be held, or be let go, as a person ordered in this incident; null when nobody did. Kept also when the StageLedger is lost. */
  order: HoldOrder | null;
  /** As of the last look; null when the matter is over or nothing is to be said. */
  plan: ContainmentPlan | null;
  steps: readonly HeldStep[];
  obstacle: ContainmentObstacle | null;
}

/** The containment of one ApplicationSet in an incident; null when there is none. Stands incidents of before it existed. */
export function containmentFor(incident: Incident, key: ObjectKey): Containment | null {
  return incident.containments?.find((one) => one.key === key) ?? null;
}

/** The incident with a newer containment of one ApplicationSet; the same one when nothing changed. */
export function withContainment(incident: Incident, containment: Containment, now: number): Incident {
  const before = containmentFor(incident, containment.key);
  if (JSON.stringify(before) === JSON.stringify(containment)) return incident;
  const others = (incident.containments ?? []).filter((one) => one.key !== containment.key);
  return { ...incident, containments: [...others, containment], changedAt: now };
}

/** A step that is held, or may be: it has to be looked at until it is put back. */
export function isPutAway(step: HeldStep): boolean {
  return step.state === 'intended' || step.state === 'held';
}

/** True while a step of the ApplicationSet waits to be put back, also when the incident is over. */
export function isStillHeld(incident: Incident, key: ObjectKey): boolean {
  return containmentFor(incident, key)?.steps.some(isPutAway) ?? false;
}

/** The notes after a look. `isOver`: the steps are to be put back, so a former value that stands there is our own doing. */
export function observeSteps(
  steps: readonly HeldStep[],
  applicationSet: ApplicationSet,
  isOver: boolean,
  now: number,
): readonly HeldStep[] {
  return steps.map((step) => (isPutAway(step) ? observeStep(step, applicationSet, isOver, now) : step));
}

function observeStep(step: HeldStep, applicationSet: ApplicationSet, isOver: boolean, now: number): HeldStep {
  const { generation } = applicationSet;
  if (generation < step.generation) return step;
  const index = placeOf(step, applicationSet.steps ?? []);
  if (index === null) return { ...step, state: 'gone', at: now, generation };
  const value = applicationSet.steps?.[index]?.maxUpdate ?? null;
  const found = { ...step, index, generation };
  if (value === 0) return step.state === 'held' ? found : { ...found, state: 'held', at: now };
  // Not done yet, or done and undone between two looks: which of the two does not matter, it is to be done.
  if (step.state === 'intended' && value === step.former) return { ...step, index };
  if (value !== step.former) return { ...found, state: 'changed', at: now };
  return { ...found, state: isOver ? 'released' : 'undone', at: now };
}

/** Where the step stands now: at its place, else the only one with the same expressions. */
function placeOf(step: HeldStep, steps: readonly Step[]): number | null {
  const wanted = JSON.stringify(step.expressions);
  const isIt = (one: Step | undefined): boolean =>
    one !== undefined && JSON.stringify(one.expressions) === wanted;
  if (isIt(steps[step.index])) return step.index;
  const found = steps.flatMap((one, index) => (isIt(one) ? [index] : []));
  return found.length === 1 ? (found[0] ?? null) : null;
}

/** Steps of the plan that may be held now: none that somebody put back or changed since we held it. */
export function stepsToHold(plan: ContainmentPlan, steps: readonly HeldStep[]): readonly StepToHold[] {
  const left = steps.filter((step) => step.state === 'undone' || step.state === 'changed');
  return plan.steps.filter(
    (wanted) => !left.some((step) => JSON.stringify(step.expressions) === JSON.stringify(wanted.expressions)),
  );
}

/** The notes with those that are to be held next; a step that was noted before is noted anew. */
export function intending(
  steps: readonly HeldStep[],
  wanted: readonly StepToHold[],
  generation: number,
  now: number,
): readonly HeldStep[] {
  const isWanted = (step: HeldStep): boolean =>
    wanted.some((one) => JSON.stringify(one.expressions) === JSON.stringify(step.expressions));
  const notes = wanted.map(({ index, name, expressions, maxUpdate }): HeldStep => {
    return { index, name, expressions, former: maxUpdate, state: 'intended', at: now, generation };
  });
  return [...steps.filter((step) => !isWanted(step)), ...notes];
}

/** What people must be told at once when it changes; how many are ahead is a number like others. */
export function stateOfContainment({ key, will, plan, steps, obstacle }: Containment): readonly unknown[] {
  const escaping = plan?.escaping.map((one) => one.application) ?? [];
  return [key, will, plan === null, escaping, steps.map(({ state, name }) => [name, state]), obstacle?.kind];
}
