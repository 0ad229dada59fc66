/**
 * From a look to an answer and, when it is a failure, to who did it. The running product and the replay both judge here.
 */
import { goneKey } from '../domain/content.ts';
import type { Culprit } from '../domain/culprit.ts';
import type { RolloutFailure } from '../domain/failure.ts';
import { type Answer, answerOf, type Sighting, type StageMemory } from '../domain/watcher.ts';
import { type KnownContent, noteGone } from './learn.ts';

/** Baselines that are not on the branch any more, at the most, before we give up. */
const baselinesMax = 5;

/**
 * The answer, and who did it. A baseline that was force-pushed away is no baseline: an older one takes its place, and
 * never an arbitrary parent (PS46). Throws what `culpritOf` throws.
 */
export async function judge(
  memory: StageMemory,
  sighting: Sighting,
  content: KnownContent,
  culpritOf: (failure: RolloutFailure) => Promise<Culprit>,
): Promise<{ answer: Answer; culprit: Culprit | null }> {
  for (let tried = 1; ; tried += 1) {
    const answer = answerOf(memory, sighting);
    if (answer.failure === null) return { answer, culprit: null };
    const culprit = await culpritOf(answer.failure);
    const isLost = culprit.kind === 'none' && culprit.reason === 'baseline-is-gone';
    if (!isLost || tried >= baselinesMax) return { answer, culprit };
    answer.failure.lastGood?.revisions.forEach((revision, index) => {
      const source = answer.failure?.first.application.sources[index];
      if (source !== undefined) noteGone(content, goneKey(source, revision), sighting.now);
    });
  }
}
