/**
 * How the other ApplicationSets stand, for what only they can tell: that a destination is to blame and no commit. A process that
 * has just begun has not looked at them, and must not open a revert that the one before it knew to be needless.
 */
import type { ApplicationSet, ObjectKey } from '../domain/objects.ts';
import type { Rollout } from '../domain/rollout.ts';
import { answerOf, rememberAll } from '../domain/watcher.ts';
import { WorldProblem } from '../ports.ts';
import { sightingOf } from './sighting.ts';
import type { World } from './world.ts';

/** Where more than so many are ill at once it is no matter of one of them. */
const looksMax = 20;

/** By key, how one stood that is well; for so long it is not looked at again for the sake of another. */
export type BesideBook = Map<ObjectKey, { at: number; rollout: Rollout | null }>;
const wellMs = 5 * 60_000;

/**
 * The last rollout of each other one. One that is ill and was not looked at since this process began is looked at, which is
 * kept nowhere: its own look is about to come. Throws a transient WorldProblem when it cannot be seen now.
 */
export async function rolloutsBeside(world: World, key: ObjectKey): Promise<readonly Rollout[]> {
  const looked: Rollout[] = [];
  for (const one of unseenBeside(world, key)
    .filter((other) => isIll(world, other))
    .slice(0, looksMax)) {
    const rollout = await lookAt(world, one.key);
    if (rollout !== null) looked.push(rollout);
  }
  return [...world.rollouts().filter(({ applicationSet }) => applicationSet.key !== key), ...looked];
}

/**
 * Those that are well and were not looked at: where one alone is ill, they say that it is alone. Null when there are too many to
 * ask. Throws as `rolloutsBeside`.
 */
export async function wellBeside(world: World, key: ObjectKey): Promise<readonly Rollout[] | null> {
  const well = unseenBeside(world, key).filter((one) => !isIll(world, one));
  if (well.length > looksMax) return null;
  const { besideBook: book, clock } = world;
  for (const [one, { at }] of book) if (clock.now() - at > wellMs) book.delete(one);
  for (const one of well)
    if (!book.has(one.key)) book.set(one.key, { at: clock.now(), rollout: await lookAt(world, one.key) });
  return well.flatMap((one) => book.get(one.key)?.rollout ?? []);
}

function unseenBeside(world: World, key: ObjectKey): readonly ApplicationSet[] {
  const seen = new Set(world.rollouts().map(({ applicationSet }) => applicationSet.key));
  return [...world.cluster.applicationSets().values()].filter((one) => one.key !== key && !seen.has(one.key));
}

function isIll({ cluster }: World, { key }: ApplicationSet): boolean {
  return cluster.rows(key).some(({ healthStatus }) => healthStatus === 'Degraded');
}

/** Null when it is gone, or will not be seen whatever is tried. */
async function lookAt(world: World, key: ObjectKey): Promise<Rollout | null> {
  try {
    const look = await world.cluster.closeLook(key);
    if (look === null) return null;
    const before = await world.memories.memory(key);
    const sighting = await sightingOf(world, look, before, await world.featureFlag(), world.headMaxAgeMs);
    return answerOf(rememberAll(before, sighting), sighting).rollout;
  } catch (problem) {
    if (!(problem instanceof WorldProblem) || problem.kind === 'transient') throw problem;
    return null;
  }
}
