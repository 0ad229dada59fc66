/** Finds the stage or Application that a command names, in a look that is made now, and says so when it is not there. */
import { closest } from '../config/suggest.ts';
import type { Place } from '../domain/command-arguments.ts';
import { type FoundPlace, placeIn } from '../domain/command-place.ts';
import type { Rollout } from '../domain/rollout.ts';
import { named, type Unknown } from '../render/command-results.ts';
import { ownWords, type Sentence, say } from '../render/sentence.ts';
import { type Desk, lookAt, looksMax } from './command-desk.ts';

type Found = Extract<FoundPlace, { kind: 'stage' | 'application' }>;

/** Throws WorldProblem when the cluster cannot be read. */
export async function findPlace(
  desk: Desk,
  place: Place,
): Promise<(Found & { rollouts: readonly Rollout[] }) | { kind: 'unknown'; unknown: Unknown }> {
  const rollouts: Rollout[] = [];
  for (const key of desk.keys.slice(0, looksMax)) {
    const result = await lookAt(desk, key);
    if (result !== null) rollouts.push(result.answer.rollout);
  }
  const found = placeIn(rollouts, place);
  switch (found.kind) {
    case 'none': {
      const typed = place.kind === 'stage' ? String(place.stage) : place.name;
      const suggestion = closest(typed, found.known);
      return { kind: 'unknown', unknown: { kind: 'place', place, suggestion, known: found.known } };
    }
    case 'several':
      return {
        kind: 'unknown',
        unknown: { kind: 'several-places', place, candidates: found.candidates },
      };
    case 'stage':
    case 'application':
      return { ...found, rollouts: rollouts.filter((one) => found.keys.includes(one.applicationSet.key)) };
  }
}

export function placeWords(found: Found): Sentence {
  return found.kind === 'stage'
    ? say`stage ${named(found.name)}`
    : say`${ownWords('the Application')} ${named(found.name)}`;
}
