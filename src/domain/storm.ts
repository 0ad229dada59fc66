/**
 * A storm: on one destination Applications fail at the same time whose content did not change, or which the commit does
 * not feed. Then it is the destination, not the commit, and a revert would move the blame to an innocent change. A bad
 * shared base that fails many ApplicationSets is no storm: it feeds them, and their content did change.
 */
import type { Brake } from './brakes.ts';
import { type ContentFacts, type Revisions, sameContent } from './content.ts';
import type { RolloutFailure } from './failure.ts';
import type { Application } from './objects.ts';
import { everyApplication, type Rollout, type StageApplication, staying } from './rollout.ts';

/** What fails within this time of each other can have one cause. */
const windowMs = 10 * 60_000;

/** One alone may be a coincidence, unless there is no other to ask. */
export const othersMin = 2;

const namedMax = 3;

export type Storm = Extract<Brake, { kind: 'storm' }>;

/** The failing change. */
export interface StormyChange {
  bad: Revisions;
  lastGood: Revisions | null;
  /** When the first of its commits landed; null when nobody knows. */
  landedAt: number | null;
  /** True for a source of the repository that the change landed in. */
  isOfRepository(repoURL: string): boolean;
}

/** A cluster, by its server where that is given. */
export function destinationOf({ destination }: Application): string {
  return destination.server === '' ? destination.name : destination.server;
}

/**
 * The storm that explains all of a failure, or null when an Application fails where there is none. `rollouts` are the
 * last ones of every ApplicationSet that is known, the failing one's too. Pure.
 */
export function stormOf(
  failure: RolloutFailure,
  rollouts: readonly Rollout[],
  change: StormyChange,
  facts: ContentFacts,
): Storm | null {
  const everyOne = staying(rollouts.flatMap(everyApplication));
  const destinations = new Map<string, number>();
  for (const one of failure.failing) {
    const key = destinationOf(one.application);
    const since = one.assessment.failure?.since ?? failure.since;
    destinations.set(key, Math.min(since, destinations.get(key) ?? since));
  }
  const others: string[] = [];
  for (const [destination, since] of destinations) {
    const here = everyOne.filter(
      (one) => destinationOf(one.application) === destination && !isAmong(failure.failing, one),
    );
    const untouched = here.filter((one) => isUntouched(one, change, facts));
    const failing = untouched.filter((one) => beganAround(one, since));
    if (failing.length < Math.min(othersMin, Math.max(1, untouched.length))) return null;
    others.push(...failing.map((one) => one.application.key));
  }
  return destinations.size === 0
    ? null
    : {
        kind: 'storm',
        destinations: [...destinations.keys()].sort(),
        others: others.sort().slice(0, namedMax),
      };
}

/** What explains several failures, in one; null for none. */
export function joinedStorm(storms: readonly Storm[]): Storm | null {
  if (storms.length === 0) return null;
  const destinations = new Set(storms.flatMap((storm) => storm.destinations));
  const others = new Set(storms.flatMap((storm) => storm.others));
  return {
    kind: 'storm',
    destinations: [...destinations].sort(),
    others: [...others].sort().slice(0, namedMax),
  };
}

function isAmong(some: readonly StageApplication[], one: StageApplication): boolean {
  return some.some(({ application }) => application.uid === one.application.uid);
}

/** The commit does not feed it, or its content did not change since that landed. In doubt the commit does and it has it. */
function isUntouched(one: StageApplication, change: StormyChange, facts: ContentFacts): boolean {
  const { sources } = one.application;
  if (!sources.some(({ repoURL }) => change.isOfRepository(repoURL))) return true;
  const { bad, lastGood, landedAt } = change;
  const isComparable = lastGood !== null && bad.length === sources.length;
  if (isComparable && sameContent(sources, bad, lastGood, facts)) return true;
  const since = one.memory.runningSince;
  return landedAt !== null && since !== null && since < landedAt;
}

/** It fails at this moment, whatever is said of it, and has since about then. */
function beganAround({ application, memory }: StageApplication, at: number): boolean {
  if (application.health.status !== 'Degraded' || memory.trouble === null) return false;
  return Math.abs(memory.trouble.since - at) <= windowMs;
}
