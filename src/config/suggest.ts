/** "Did you mean": the word that somebody most likely wanted to write. */
import { quoted } from './faults.ts';

const wordLengthMax = 40;

/**
 * The candidate that differs least, or null when none is near: case, dashes, underscores and spaces do not count, and about a
 * third of the letters may differ, two of them swapped counting once.
 */
export function closest(word: string, candidates: readonly string[]): string | null {
  if (word.length === 0 || word.length > wordLengthMax) return null;
  const wanted = bare(word);
  if (wanted === '') return null;
  let best: string | null = null;
  let bestDistance = Number.POSITIVE_INFINITY;
  for (const candidate of candidates) {
    const distance = distanceOf(wanted, bare(candidate));
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  const distanceMax = Math.max(1, Math.floor(wanted.length / 3));
  return bestDistance <= distanceMax && bestDistance < wanted.length ? best : null;
}

/** `Did you mean "times"?`, else all that may stand there. */
export function didYouMean(word: string, candidates: readonly string[]): string {
  const near = closest(word, candidates);
  return near === null ? `Write one of ${candidates.join(', ')}.` : `Did you mean ${quoted(near)}?`;
}

function bare(word: string): string {
  return word.toLowerCase().replace(/[-_\s]+/g, '');
}

/** Edits of one letter and swaps of two neighbours (optimal string alignment). */
function distanceOf(one: string, other: string): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let row = 1; row <= one.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const isSame = one[row - 1] === other[column - 1];
      const isSwap = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      current[column] = Math.min(
        (previous[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (previous[column - 1] ?? 0) + (isSame ? 0 : 1),
        isSwap && row > 1 && column > 1 ? (beforePrevious[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    [beforePrevious, previous] = [previous, current];
  }
  return previous[other.length] ?? 0;
}
