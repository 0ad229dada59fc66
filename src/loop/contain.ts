/**
 * Holds what is still ahead of a bad change, where that is allowed, and puts it back. A note of every step, with the value that
 * stood there, is in the ledger before the step is changed, and stays until the step is known to be put back. Holding has
 * a permission of its own; putting back needs none, and neither a mode nor a stop keeps Stepback from it.
 */
import type { Mode, Settings } from '../config/configuration.ts';
import { settingsFor } from '../config/resolve.ts';
import { type ContainmentPlan, holdsBad, planContainment } from '../domain/containment.ts';
import { heldNote } from '../domain/held-note.ts';
import {
  type Containment,
  type ContainmentObstacle,
  containmentFor,
  type HeldStep,
  intending,
  isPutAway,
  isStillHeld,
  observeSteps,
  stepsToHold,
  withContainment,
} from '../domain/held-steps.ts';
import { type Incident, noted, type SetStanding } from '../domain/incident.ts';
import type { HoldOrder } from '../domain/orders.ts';
import type { BadChange } from '../domain/recovery.ts';
import type { Answer, Sighting } from '../domain/watcher.ts';
import type { StepChange } from '../ports/interventions.ts';
import { type Repository, WorldProblem } from '../ports.ts';
import { whereKept } from './where-kept.ts';
import type { World } from './world.ts';

/** What one look at an ApplicationSet of the incident found. */
export interface Contained {
  answer: Answer;
  sighting: Sighting;
  /** It fails now, on the change of this incident. */
  isFailing: boolean;
  repository: Repository;
  /** What may be done for the incident; asked for only when something new is to be done. */
  mode(): Promise<Mode>;
}

/** What the cluster refuses for good is asked for again after this long. */
const refusedMs = 5 * 60_000;

/**
 * The incident after those that are ahead were held, or let go. What the cluster refuses is noted and told, and stands
 * in the way of nothing else. Throws WorldProblem when the ledger or GitHub cannot be read or written.
 */
export async function contain(world: World, contained: Contained, incident: Incident): Promise<Incident> {
  const { answer, sighting } = contained;
  const { applicationSet, now } = sighting;
  const { key, uid } = applicationSet;
  const standing = incident.sets.find((set) => set.key === key);
  if (standing === undefined) return incident;
  const known = containmentFor(incident, key);
  const change = changeOf(incident, standing);
  const isHeldBad = change !== null && holdsBad(answer.rollout, change, sighting.heads, sighting.facts);
  const order = orderFor(answer, incident, known);
  const isOver = !isHeldBad || order?.kind === 'thaw';
  const notes = known?.uid === uid ? known.steps : [];
  const steps = observeSteps(notes, applicationSet, isOver, now);
  const plan = isHeldBad ? planOf(contained, standing, change) : null;
  const settings = plan === null ? null : await settingsOf(world, contained);
  const next: Containment = {
    key,
    uid,
    will: willOf(settings, order),
    order,
    plan: willOf(settings, order) === 'nothing' ? null : plan,
    steps,
    obstacle: known?.obstacle ?? null,
  };
  if (known === null && next.will === 'nothing' && order === null) return incident;
  const observed = withChanges(incident, known, next, now);
  if (steps.some(isPutAway) && isOver) return release(world, contained, observed, next);
  if (next.plan === null || plan === null || settings === null || isOver) return observed;
  return hold(world, contained, observed, next, plan, settings);
}

/** Null as soon as the incident is over. */
function changeOf({ phase }: Incident, { bad, lastGood }: SetStanding): BadChange | null {
  return (phase === 'noticed' || phase === 'proposed') && bad !== null ? { bad, lastGood } : null;
}

function planOf(
  { answer, sighting }: Contained,
  { failureKind }: SetStanding,
  change: BadChange,
): ContainmentPlan {
  return planContainment(
    answer.rollout,
    change,
    failureKind,
    sighting.facts,
    sighting.featureFlag,
    sighting.heads,
  );
}

/** An order that was given before the incident was opened was about another one. */
function orderFor({ memory }: Answer, incident: Incident, known: Containment | null): HoldOrder | null {
  const { freeze } = memory.orders;
  if (freeze === null) return known?.order ?? null;
  return freeze.at >= incident.openedAt ? freeze : null;
}

/** Null where nothing is to be written at all. */
async function settingsOf(world: World, { sighting, repository, mode }: Contained): Promise<Settings | null> {
  if ((await mode()) === 'observe') return null;
  const { key, annotations } = sighting.applicationSet;
  return settingsFor(await world.configurations.of(repository), { key, annotations }).settings;
}

function willOf(settings: Settings | null, order: HoldOrder | null): Containment['will'] {
  if (settings === null) return 'nothing';
  if (order !== null) return order.kind === 'freeze' ? 'hold' : 'advise';
  const wills = { off: 'nothing', advise: 'advise', freeze: 'hold' } as const;
  return wills[settings.contain];
}

/** The incident with the containment, and with a line of the timeline for steps that somebody else put right. */
function withChanges(
  incident: Incident,
  before: Containment | null,
  next: Containment,
  now: number,
): Incident {
  const states = new Map(before?.steps.map((step) => [JSON.stringify(step.expressions), step.state]));
  const others = next.steps.filter(
    (step) =>
      (step.state === 'undone' || step.state === 'changed') &&
      states.get(JSON.stringify(step.expressions)) !== step.state,
  );
  const told = others.length === 0 ? incident : noted(incident, now, 'not-held', linesOf(next, others));
  return withContainment(told, next, now);
}

/** `argocd/payments: prod, edge` */
function linesOf({ key }: Containment, steps: readonly { name: string }[]): string {
  return `${key}: ${steps.map((step) => step.name).join(', ')}`;
}

/** Puts back what stood there before, in whatever mode. */
async function release(
  world: World,
  { sighting }: Contained,
  incident: Incident,
  containment: Containment,
): Promise<Incident> {
  const { applicationSet, now } = sighting;
  const held = containment.steps.filter(isPutAway);
  if (isRefused(containment.obstacle, now)) return incident;
  // A step that was only noted is asked about by a change that changes nothing: a view may be older than what was done.
  const changes = held.map(({ index, state, former }): StepChange => {
    return { index, expected: state === 'held' ? 0 : former, value: former };
  });
  await world.memories.saveIncident(incident);
  const others = (await world.memories.incidents()).filter((one) => one.id !== incident.id);
  const answer = await changed(world, sighting, changes, others);
  if (typeof answer === 'object') return withContainment(incident, { ...containment, obstacle: answer }, now);
  if (answer === 'later') return incident;
  const state = answer === 'gone' ? 'gone' : 'released';
  const steps = containment.steps.flatMap((step): readonly HeldStep[] => {
    if (!isPutAway(step)) return [step];
    return step.state === 'intended' ? [] : [{ ...step, state, at: now }];
  });
  const free = { ...containment, steps, obstacle: null };
  const names = held.filter((step) => step.state === 'held');
  const told = names.length === 0 ? incident : noted(incident, now, 'released', linesOf(free, names));
  world.log.info('put back what was held', { incident: incident.id, applicationSet: applicationSet.key });
  return saved(world, withContainment(told, free, now));
}

async function hold(
  world: World,
  contained: Contained,
  incident: Incident,
  containment: Containment,
  plan: ContainmentPlan,
  settings: Settings,
): Promise<Incident> {
  const { sighting, isFailing } = contained;
  const { applicationSet, now } = sighting;
  const { key, generation, owners } = applicationSet;
  const wanted = stepsToHold(plan, containment.steps);
  const isWanted = containment.will === 'hold' && isFailing && wanted.length > 0;
  if (owners.length > 0 && !settings.freezesOwned && !containment.steps.some(isPutAway)) {
    const place = wanted.length === 0 ? null : await whereKept(world, applicationSet);
    const obstacle: ContainmentObstacle = { kind: 'owned', owners, place };
    return withContainment(incident, { ...containment, obstacle }, now);
  }
  if (!isWanted || isRefused(containment.obstacle, now)) return incident;
  // The branch is asked once more: what has been taken back meanwhile must not be held.
  const heads = await world.heads.of(sighting.applications, 0);
  const standing = incident.sets.find((set) => set.key === key);
  const change = standing === undefined ? null : changeOf(incident, standing);
  if (change === null || !holdsBad(contained.answer.rollout, change, heads, sighting.facts)) return incident;
  const intended = {
    ...containment,
    obstacle: null,
    steps: intending(containment.steps, wanted, generation, now),
  };
  const before = await saved(world, withContainment(incident, intended, now));
  const changes = wanted.map(({ index, maxUpdate }): StepChange => {
    return { index, expected: maxUpdate, value: 0 };
  });
  const answer = await changed(world, sighting, changes, await world.memories.incidents());
  if (typeof answer === 'object')
    return saved(world, withContainment(incident, { ...containment, obstacle: answer }, now));
  if (answer !== 'done') return before;
  const steps = intended.steps.map(
    (step): HeldStep =>
      step.state === 'intended'
        ? { ...step, state: 'held', at: now, generation: generation === 0 ? 0 : generation + 1 }
        : step,
  );
  world.log.info('held what is still ahead', { incident: incident.id, applicationSet: key });
  const held = { ...intended, steps };
  return saved(world, withContainment(noted(before, now, 'held', linesOf(held, wanted)), held, now));
}

function isRefused(obstacle: ContainmentObstacle | null, now: number): boolean {
  return obstacle?.kind === 'refused' && now - obstacle.at < refusedMs;
}

/** `later`: it is not known whether it was done, or the ApplicationSet was changed meanwhile. */
async function changed(
  world: World,
  { applicationSet, now }: Sighting,
  changes: readonly StepChange[],
  holding: readonly Incident[],
): Promise<'done' | 'gone' | 'later' | ContainmentObstacle> {
  try {
    const note = heldNote(holding, applicationSet);
    const answer = await world.cluster.interventions.setMaxUpdates(applicationSet, changes, note);
    return answer === 'changed' ? 'later' : answer;
  } catch (problem) {
    if (!(problem instanceof WorldProblem)) throw problem;
    const { key } = applicationSet;
    world.log.warn('steps could not be changed', { applicationSet: key, problem: problem.message });
    return problem.kind === 'transient' ? 'later' : { kind: 'refused', message: problem.message, at: now };
  }
}

async function saved(world: World, incident: Incident): Promise<Incident> {
  await world.memories.saveIncident(incident);
  return incident;
}

/** While a step is held, what the branch holds matters this much. */
const heldHeadMaxAgeMs = 30_000;

/** How old a look at the branches of an ApplicationSet may be. */
export function headMaxAgeMsOf(
  { headMaxAgeMs }: Pick<World, 'headMaxAgeMs'>,
  key: string,
  incidents: readonly Incident[],
): number {
  const isHeld = incidents.some((incident) => isStillHeld(incident, key));
  return isHeld ? Math.min(headMaxAgeMs, heldHeadMaxAgeMs) : headMaxAgeMs;
}

/** A change of a step that is not known to be done is looked at again this soon. */
const againMs = 10_000;

/** How soon to look again because a step is not as it is meant to be; null when all are. */
export function holdAgainInMs(incidents: readonly Incident[], key: string, now: number): number | null {
  const waits = incidents.flatMap((incident) => {
    const known = containmentFor(incident, key);
    const isOver = incident.phase !== 'noticed' && incident.phase !== 'proposed';
    const isDue = known?.steps.some(({ state }) => state === 'intended' || (state === 'held' && isOver));
    if (known === null || isDue !== true) return [];
    return known.obstacle?.kind === 'refused'
      ? [Math.max(againMs, known.obstacle.at + refusedMs - now)]
      : [againMs];
  });
  return waits.length === 0 ? null : Math.min(...waits);
}
