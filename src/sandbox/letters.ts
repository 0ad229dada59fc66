/** A letter for each commit that is deployed, in the order in which they came to be known: easier to follow over stages than digits. */

export interface Letters {
  /** Gives a commit its letter, unless it has one: A to Z, then AA, AB … */
  give(sha: string): string;
  /** The letter that it was given, or null. */
  find(sha: string): string | null;
}

export function openLetters(): Letters {
  const known = new Map<string, string>();
  return {
    find: (sha) => known.get(sha) ?? null,
    give(sha) {
      const letter = known.get(sha) ?? letterAt(known.size);
      known.set(sha, letter);
      return letter;
    },
  };
}

function letterAt(index: number): string {
  const last = String.fromCharCode('A'.charCodeAt(0) + (index % 26));
  return index < 26 ? last : `${letterAt(Math.floor(index / 26) - 1)}${last}`;
}

/** From 0, for colours. */
export function placeOfLetter(letter: string): number {
  return [...letter].reduce((place, one) => (place + 1) * 26 + one.charCodeAt(0) - 65, -1);
}
