/**
 * Reads the text of a comment forwards and counts every character that it looks at, so that a test can hold the count
 * against the length: whatever somebody types, reading it takes time in proportion.
 */

/** How many characters were looked at. */
export interface Looks {
  taken: number;
}

export class Reader {
  readonly text: string;
  at = 0;
  readonly #looks: Looks;
  /** Words that do not occur any more from a place on: they are not looked for a second time. */
  readonly #absentFrom = new Map<string, number>();

  constructor(text: string, looks: Looks) {
    this.text = text;
    this.#looks = looks;
  }

  /** Moves to the next character that may mean something in Markdown. False at the end. */
  findSpecial(): boolean {
    const special = /[\\`<![\]]/g;
    special.lastIndex = this.at;
    const found = special.exec(this.text)?.index ?? this.text.length;
    this.#looks.taken += found - this.at + 1;
    this.at = found;
    return found < this.text.length;
  }

  /** Takes what a sticky pattern matches here; null when it matches nothing. It must not look beyond what it takes. */
  take(pattern: RegExp): string | null {
    pattern.lastIndex = this.at;
    const taken = pattern.exec(this.text)?.[0] ?? null;
    this.#looks.taken += (taken?.length ?? 0) + 1;
    this.at += taken?.length ?? 0;
    return taken;
  }

  /** Moves behind the next `word`. False when there is none; nothing moves then. */
  seek(word: string): boolean {
    if (this.at >= (this.#absentFrom.get(word) ?? Number.POSITIVE_INFINITY)) return false;
    const found = this.text.indexOf(word, this.at);
    this.#looks.taken += (found < 0 ? this.text.length : found + word.length) - this.at;
    if (found < 0) this.#absentFrom.set(word, this.at);
    else this.at = found + word.length;
    return found >= 0;
  }
}

/** Runs of backticks: a code span ends at the next run of the same length (CommonMark 0.31, section 6.1). */
export class Backticks {
  /** Of each length, the places from the last to the first. */
  readonly #places = new Map<number, number[]>();

  constructor(text: string, looks: Looks) {
    looks.taken += text.length;
    for (const { 0: run, index } of text.matchAll(/`+/g)) {
      const places = this.#places.get(run.length);
      if (places === undefined) this.#places.set(run.length, [index]);
      else places.push(index);
    }
    for (const places of this.#places.values()) places.reverse();
  }

  /** Where the code that begins at `from` ends, or null. To be asked for places further and further on. */
  endOf(from: number, length: number): number | null {
    const places = this.#places.get(length) ?? [];
    while ((places.at(-1) ?? Number.POSITIVE_INFINITY) <= from) places.pop();
    const next = places.at(-1);
    return next === undefined ? null : next + length;
  }
}

/** `[label]: address "title"`, which GitHub shows nowhere. */
const definition =
  /\[(?:[^[\]\\]|\\[\s\S])+\]:[ \t]*(?:\n[ \t]*)?(?:<(?:[^<>\\\n]|\\.)*>|[^\s<]\S*)(?:(?:[ \t]+|[ \t]*\n[ \t]*)(?:"(?:[^"\\]|\\[\s\S])*"|'(?:[^'\\]|\\[\s\S])*'|\((?:[^()\\]|\\[\s\S])*\)))?[ \t]*(?:\n|$)/y;

/** Behind all that a paragraph defines before its first word (CommonMark 0.31, section 4.7). */
export function definitionsEnd(text: string, looks: Looks): number {
  let at = 0;
  for (;;) {
    definition.lastIndex = at;
    const found = definition.exec(text)?.[0];
    looks.taken += found?.length ?? (text.startsWith('[', at) ? text.length - at : 1);
    if (found === undefined || found === '') return at;
    at += found.length;
  }
}
