/**
 * One line of a comment, read column by column: quotes and lists take what is theirs from its beginning, and what is
 * left decides which block it belongs to.
 */

/** At most three blanks before the slash; a no-break space is one. */
const candidate = /^\p{Zs}{0,3}\//u;

/** True when a line could hold a command, wherever it lies. `line` is a line as it was typed. */
export function isCandidate(line: string): boolean {
  return candidate.test(line);
}

/** A line with the columns that containers have taken already. */
export class Cursor {
  readonly line: string;
  readonly isCandidate: boolean;
  at = 0;
  #textFrom = -1;

  constructor(line: string) {
    this.isCandidate = isCandidate(line);
    this.line = withoutTabs(line);
  }

  /** Where the text begins behind the spaces. */
  get textFrom(): number {
    if (this.#textFrom < this.at) {
      let from = this.at;
      while (this.line.charAt(from) === ' ') from += 1;
      this.#textFrom = from;
    }
    return this.#textFrom;
  }

  get indent(): number {
    return this.textFrom - this.at;
  }

  get isBlank(): boolean {
    return this.textFrom >= this.line.length;
  }

  get text(): string {
    return this.line.slice(this.textFrom);
  }

  /** The `>` and one space behind it. */
  takeQuoteMark(): void {
    this.at = this.textFrom + 1;
    if (this.line[this.at] === ' ') this.at += 1;
  }
}

/** Tabs as spaces up to the next of the stops, which are four columns apart. */
function withoutTabs(line: string): string {
  if (!line.includes('\t')) return line;
  let wide = '';
  for (const [index, part] of line.split('\t').entries())
    wide += (index === 0 ? '' : ' '.repeat(4 - (wide.length % 4))) + part;
  return wide;
}
