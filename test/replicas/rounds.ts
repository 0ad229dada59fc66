/**
 * Rounds: a bad commit lands in a repository of its own, replicas end while they answer it, and in the end there is one revert,
 * whoever opened it, and everything comes back when it is merged. Several go on at once, so that who takes over finds
 * others' work as well.
 */
import type { ApplicationSetObject } from '../../src/sandbox/argocd/objects.ts';
import {
  commentsOf,
  createApp,
  evidenceOf,
  isKnownToBeWell,
  isWellOnVersionOne,
  landBadChange,
  lettersOf,
  merge,
  phasesOf,
  repositoryOf,
  revertsOf,
  stepsOf,
} from './apps.ts';
import { brokenLaws, isTold, type Played } from './laws.ts';
import { type Moments, openMoments } from './moments.ts';
import type { Plan } from './plan.ts';
import type { ReplicaWorld } from './replicas.ts';
import { openUntil, type Until } from './until.ts';

export interface RoundsOutcome {
  played: readonly Played[];
  /** Laws that are broken, and what did not come to its end. */
  wrong: readonly string[];
  kills: number;
  /** What was done to replicas, in order. */
  told: readonly string[];
  /** What stands in the cluster about these rounds when something is wrong, else "". */
  evidence: string;
  /** From the landing to the end. */
  tookMs: number;
}

/** A busy machine is given time: this decides how long a failure takes, not what is one. */
const roundMsMax = 900_000;

interface Round {
  plan: Plan;
  culprit: number;
  moments: Moments;
}

/** Plays these rounds at once, each to its end. Never throws for what Stepback does wrong. */
export async function playRounds(world: ReplicaWorld, plans: readonly Plan[]): Promise<RoundsOutcome> {
  const until = openUntil(world, roundMsMax);
  const frozen = new Set<string>();
  const stopWatching = world.store.subscribe(({ resource, object }) => {
    if (resource === 'applicationsets' && isHeld(object as never)) frozen.add(object.metadata.name);
  });
  const rounds: Round[] = [];
  const faults: string[] = [];
  let began = performance.now();
  try {
    for (const plan of plans) createApp(world, plan);
    await until('every round is known to be well on version 1', () =>
      plans.every((plan) => isWellOnVersionOne(world, plan) && isKnownToBeWell(world, plan)),
    );
    began = performance.now();
    for (const plan of plans) rounds.push(begin(world, plan, until));
    await untilAll(until, rounds, 'has a revert, and a comment that says so', ({ plan, culprit }) => {
      const isOpen = openReverts(world, plan).length > 0;
      return isOpen && commentsOf(world, plan, culprit).some(({ marker }) => marker?.kind === 'culprit');
    });
    for (const { moments } of rounds) await moments.rest();
    await rollOver(world, until);
    await untilAll(until, rounds, 'is answered', ({ plan }) => {
      return openReverts(world, plan).length > 0 && isHeard(world, plan);
    });
    for (const { plan, moments } of rounds) {
      for (const ending of plan.after) moments.end(ending);
      for (const { number } of openReverts(world, plan)) merge(world, plan, number, 'merge');
    }
    const isOver = ({ plan }: Round): boolean => isClosed(world, plan);
    await untilAll(until, rounds, 'is recovered, and everything put back', isOver);
    for (const { moments } of rounds) await moments.rest();
    await untilAll(until, rounds, 'is still recovered', isOver);
  } catch (problem) {
    faults.push(problem instanceof Error ? problem.message : String(problem));
  }
  stopWatching();
  for (const { moments } of rounds) moments.close();
  const played = rounds.map(({ plan, culprit }) => ({ plan, culprit, wasFrozen: frozen.has(plan.name) }));
  const wrong = [...faults, ...played.flatMap((one) => brokenLaws(world, one))];
  return {
    played,
    evidence: wrong.length === 0 ? '' : plans.map((plan) => evidenceOf(world, plan)).join('\n\n'),
    wrong,
    kills: rounds.reduce((sum, { moments }) => sum + moments.kills, 0),
    told: rounds.flatMap(({ moments }) => moments.told),
    tookMs: performance.now() - began,
  };
}

/** The bad commit lands, and everything that is planned waits for its moment. */
function begin(world: ReplicaWorld, plan: Plan, until: Until): Round {
  const culprit = landBadChange(world, plan);
  const moments = openMoments(world, plan, until);
  for (const ending of plan.before) moments.end(ending);
  const ask = (): void => {
    // Not in the middle of the call at which it happens.
    setImmediate(() =>
      world.github.comment(repositoryOf(plan), culprit, { by: 'dana', body: '/stepback status' }),
    );
  };
  if (plan.asks !== null) moments.at(plan.asks, ask);
  return { plan, culprit, moments };
}

/** The one that acts is drained, as in a rolling update; who begins to act asks for the webhooks that nobody heard. */
async function rollOver(world: ReplicaWorld, until: Until): Promise<void> {
  await until('somebody acts', () => world.acting() !== null);
  const acting = world.acting();
  if (acting === null) return;
  await acting.stop();
  await until('another one acts', () => world.acting() !== null);
  await acting.start();
}

function untilAll(
  until: Until,
  rounds: readonly Round[],
  what: string,
  holds: (round: Round) => boolean,
): Promise<void> {
  return until(`each round ${what}`, () => rounds.every(holds));
}

function openReverts(world: ReplicaWorld, plan: Plan) {
  return revertsOf(world, plan).filter((one) => one.state === 'open');
}

/** What was typed is answered. */
function isHeard(world: ReplicaWorld, plan: Plan): boolean {
  const letters = lettersOf(world, plan);
  return letters.length >= (plan.asks === null ? 0 : 1) && letters.every(({ isSettled }) => isSettled);
}

function isClosed(world: ReplicaWorld, plan: Plan): boolean {
  const isPutBack = !stepsOf(world, plan).includes(0);
  return (
    isPutBack &&
    phasesOf(world, plan).includes('recovered') &&
    isTold(world, plan) &&
    isWellOnVersionOne(world, plan)
  );
}

function isHeld({ spec }: ApplicationSetObject): boolean {
  return (spec.strategy?.rollingSync?.steps ?? []).some((step) => step.maxUpdate === 0);
}
