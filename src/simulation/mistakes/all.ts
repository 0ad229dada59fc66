/** The deliberate mistakes. One environment variable switches one of them on; each breaks a law within a few seeds. */
import type { Mistake } from '../mistake.ts';
import {
  blameTheNewestCommit,
  compareCommitsById,
  forgetTheCheckRun,
  forgetTheMarker,
  openWithoutGrace,
  skipTheClaim,
} from './on-github.ts';
import {
  actOnAStaleView,
  believeTheApplicationSet,
  lookAtEverything,
  neverThaw,
  sayTheTime,
  trustStepOrder,
} from './on-the-cluster.ts';
import { answerTwice, forgetWhatWasWritten, skipTheFence } from './on-the-ledger.ts';

export const mistakes: readonly Mistake[] = [
  skipTheClaim,
  skipTheFence,
  forgetTheMarker,
  forgetTheCheckRun,
  forgetWhatWasWritten,
  compareCommitsById,
  blameTheNewestCommit,
  openWithoutGrace,
  actOnAStaleView,
  trustStepOrder,
  believeTheApplicationSet,
  neverThaw,
  sayTheTime,
  lookAtEverything,
  answerTwice,
];

/** The mistake of this name; null for "". Throws for a name that nobody knows. */
export function mistakeNamed(name: string): Mistake | null {
  if (name === '') return null;
  const found = mistakes.find((mistake) => mistake.name === name);
  if (found !== undefined) return found;
  throw new Error(
    `There is no mistake "${name}". There are: ${mistakes.map((mistake) => mistake.name).join(', ')}.`,
  );
}
