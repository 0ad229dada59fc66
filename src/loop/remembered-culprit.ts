/**
 * Who did it, remembered for a while: the looks at one failure follow each other in seconds, and its history does not change.
 */
import { contentKey } from '../domain/content.ts';
import type { Culprit } from '../domain/culprit.ts';
import type { RolloutFailure } from '../domain/failure.ts';
import type { Sighting } from '../domain/watcher.ts';
import { investigate } from './investigate.ts';
import type { World } from './world.ts';

/** For so long the same failure has the same culprit without another look at the history. */
const culpritMs = 2 * 60_000;

/** Throws WorldProblem when GitHub cannot be read. */
export async function culpritOf(
  world: World,
  { applicationSet, now }: Sighting,
  failure: RolloutFailure,
): Promise<Culprit> {
  const { bad, lastGood, failing } = failure;
  const sources = new Set(
    failing.flatMap((one) => one.application.sources.map((source) => contentKey(source, ''))),
  );
  const key = JSON.stringify([applicationSet.key, bad, lastGood?.revisions, [...sources].sort()]);
  const known = world.culprits.get(key);
  if (known !== undefined && now - known.at < culpritMs) return known.culprit;
  const culprit = await investigate(world.forge, applicationSet, failure);
  for (const [other, { at }] of world.culprits) if (now - at >= culpritMs) world.culprits.delete(other);
  world.culprits.set(key, { at: now, culprit });
  return culprit;
}
