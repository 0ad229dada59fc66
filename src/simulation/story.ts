/** What happened in a seed, line by line, for whoever has to understand why it failed. Nothing is put in words unless somebody reads. */

export interface Line {
  at: number;
  who: string;
  what: string;
}

export class Story {
  readonly lines: Line[] = [];
  readonly #now: () => number;
  readonly #isTold: boolean;

  constructor(now: () => number, isTold: boolean) {
    this.#now = now;
    this.#isTold = isTold;
  }

  tell(who: string, what: () => string): void {
    if (this.#isTold) this.lines.push({ at: this.#now(), who, what: what() });
  }
}

/** `02:47:12.310  dana     merges #3` */
export function printStory(lines: readonly Line[]): string {
  const wide = Math.max(0, ...lines.map(({ who }) => who.length));
  return lines
    .map(({ at, who, what }) => `${new Date(at).toISOString().slice(11, 23)}  ${who.padEnd(wide)}  ${what}`)
    .join('\n');
}
