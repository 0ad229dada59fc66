/** What a look at an ApplicationSet says of the incidents in which it only stands by. */
import { isAwaited, withBystander } from '../domain/bystanders.ts';
import type { ObjectKey } from '../domain/objects.ts';
import { stillOn, takenCommits } from '../domain/still-on.ts';
import { moveOn } from './move-on.ts';
import type { Present } from './read-again.ts';
import type { World } from './world.ts';

/** Moves each of them on by what the look has found. Throws WorldProblem. */
export async function standBy(world: World, key: ObjectKey, now: Present): Promise<void> {
  const { answer, sighting } = now;
  for (const incident of await world.memories.incidents()) {
    if (!isAwaited(incident, key)) continue;
    const { facts, heads } = sighting;
    const left = stillOn(answer.rollout, { taken: takenCommits(incident), heads, facts });
    const names = left.map(({ application }) => application.name);
    await moveOn(world, withBystander(incident, key, names, sighting.now), now, false);
  }
}
