/**
 * From a look to an answer and, when it is a failure, to who did it.
 */
import { contentKey } from '../domain/content.ts';
import type { Culprit } from '../domain/culprit.ts';
import type { RolloutFailure } from '../domain/failure.ts';
import { type Answer, answerOf, type Sighting, type StageMemory } from '../domain/watcher.ts';
import { investigate } from './investigate.ts';
import type { World } from './world.ts';

/** Baselines that are not on the branch any more, at the most, before we give up. */
const baselinesMax = 5;

/**
 * The answer, and who did it. A baseline that was force-pushed away is no baseline: an older one takes its place, and
 * never an arbitrary parent (PS46).
 */
export async function judge(
  world: World,
  memory: StageMemory,
  sighting: Sighting,
): Promise<{ answer: Answer; culprit: Culprit | null }> {
  for (let tried = 0; ; tried += 1) {
    const answer = answerOf(memory, sighting);
    if (answer.failure === null) return { answer, culprit: null };
    const culprit = await culpritOf(world, answer.failure, sighting.now);
    const isLost = culprit.kind === 'none' && culprit.reason === 'baseline-is-gone';
    if (!isLost || tried >= baselinesMax) return { answer, culprit };
    for (const revision of answer.failure.lastGood?.revisions ?? []) {
      world.content.gone.add(revision);
      world.content.goneSince.set(revision, sighting.now);
    }
  }
}

/** For so long the same failure has the same culprit without another look at the history. */
const culpritMs = 2 * 60_000;

async function culpritOf(world: World, failure: RolloutFailure, now: number): Promise<Culprit> {
  const { bad, lastGood, failing } = failure;
  const sources = failing.map((one) => one.application.sources.map((source) => contentKey(source, '')));
  const key = JSON.stringify([bad, lastGood?.revisions, sources]);
  const known = world.culprits.get(key);
  if (known !== undefined && now - known.at < culpritMs) return known.culprit;
  const culprit = await investigate(world.forge, failure);
  for (const [other, { at }] of world.culprits) if (now - at >= culpritMs) world.culprits.delete(other);
  world.culprits.set(key, { at: now, culprit });
  return culprit;
}
