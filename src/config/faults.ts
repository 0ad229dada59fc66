/**
 * What is wrong with a text, for the person who wrote it: where, what, and how to mend it. All faults of a text are
 * collected; a text full of them is cut to a list that people still read. What is quoted of the text is cleaned of
 * what nobody sees; whoever shows a fault escapes it for the place.
 */

import type { Fault } from '../domain/fault.ts';

/** A part of the text, in UTF-16 units; `to` is behind the last one. */
export interface Span {
  from: number;
  to: number;
}

const faultsMax = 50;
const excerptLengthMax = 100;
const quoteLengthMax = 60;

interface Noted extends Span {
  severity: Fault['severity'];
  path: string;
  problem: string;
  mend: string;
}

export class Faults {
  readonly #source: string;
  readonly #text: string;
  readonly #lineStarts: readonly number[];
  readonly #noted = new Map<string, Noted>();
  #left = 0;

  constructor(source: string, text: string) {
    this.#source = source;
    this.#text = text;
    this.#lineStarts = [0, ...[...text.matchAll(/\n/g)].map((match) => match.index + 1)];
  }

  /** `mend` may be a function: nobody works it out for a fault that is not shown any more. */
  error(span: Span, path: string, problem: string, mend: string | (() => string)): void {
    this.#note('error', span, path, problem, mend);
  }

  warning(span: Span, path: string, problem: string, mend: string | (() => string)): void {
    this.#note('warning', span, path, problem, mend);
  }

  get hasErrors(): boolean {
    return this.#left > 0 || [...this.#noted.values()].some(({ severity }) => severity === 'error');
  }

  /** Number of the line of an offset, from 1. */
  lineOf(offset: number): number {
    return this.#placeOf(offset).line;
  }

  /** Takes over what another collection over the same text noted on lines before that of an offset. */
  takeBefore(offset: number, others: Faults): void {
    const end = this.#lineStarts[this.lineOf(offset) - 1] ?? offset;
    for (const noted of others.#noted.values()) {
      if (noted.from < end) this.#note(noted.severity, noted, noted.path, noted.problem, noted.mend);
    }
  }

  /** In the order of the text, at most 50 and one that counts the rest. */
  list(): readonly Fault[] {
    const sorted = [...this.#noted.values()].sort((one, other) => one.from - other.from);
    const faults = sorted.map((noted) => this.#faultOf(noted));
    if (this.#left === 0) return faults;
    const rest = {
      severity: 'error' as const,
      from: this.#text.length,
      to: this.#text.length,
      path: '',
      problem: `There are ${this.#left} more faults.`,
      mend: 'Mend these first.',
    };
    return [...faults, this.#faultOf(rest)];
  }

  #note(
    severity: Fault['severity'],
    span: Span,
    path: string,
    problem: string,
    mend: string | (() => string),
  ): void {
    const name = `${span.from} ${path} ${problem}`;
    if (this.#noted.has(name)) return;
    if (this.#noted.size >= faultsMax) {
      this.#left += 1;
      return;
    }
    const words = typeof mend === 'string' ? mend : mend();
    this.#noted.set(name, { severity, from: span.from, to: span.to, path, problem, mend: words });
  }

  #faultOf({ severity, from, to, path, problem, mend }: Noted): Fault {
    const { line, column } = this.#placeOf(from);
    const end = this.#lineStarts[line] ?? this.#text.length + 1;
    const lineText = this.#text.slice(this.#lineStarts[line - 1] ?? 0, end - 1).replace(/\r$/, '');
    const excerpt = excerptOf(lineText, line, column, to - from);
    return { severity, source: this.#source, line, column, path, problem, mend, excerpt };
  }

  #placeOf(offset: number): { line: number; column: number } {
    let low = 0;
    let high = this.#lineStarts.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((this.#lineStarts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: Math.max(1, offset - (this.#lineStarts[low] ?? 0) + 1) };
  }
}

/** A value in a sentence: on one line, cut, in quotes. */
export function quoted(text: string): string {
  return `"${cut(visible(text), quoteLengthMax)}"`;
}

/** The path of a key below another. */
export function childPath(path: string, key: string): string {
  if (!/^[A-Za-z][A-Za-z0-9]{0,39}$/.test(key)) return `${path}[${quoted(key)}]`;
  return path === '' ? key : `${path}.${key}`;
}

/** Several lines of plain text: where, what and how, then the line with its mark. */
export function printFault(fault: Fault): string {
  const { severity, source, line, column, path, problem, mend, excerpt } = fault;
  const where = `${source}, line ${line}, column ${column}${path === '' ? '' : `, ${path}`}`;
  return `${severity === 'warning' ? 'Warning: ' : ''}${where}\n  ${problem} ${mend}\n${excerpt}`;
}

/** The line around the place, cut where it is long. Widths are counted in characters, as a terminal mostly does. */
function excerptOf(text: string, line: number, column: number, length: number): string {
  const start = column - 1 < excerptLengthMax * 0.8 ? 0 : column - 1 - excerptLengthMax / 2;
  const before = `${start > 0 ? '…' : ''}${visible(text.slice(start, column - 1))}`;
  const marked = visible(text.slice(column - 1, column - 1 + length));
  const shown = cut(
    `${before}${visible(text.slice(column - 1, start + 2 * excerptLengthMax))}`,
    excerptLengthMax,
  );
  const gutter = `    ${line} | `;
  const room = Math.max(1, [...shown].length - [...before].length);
  const mark = '^'.repeat(Math.max(1, Math.min([...marked].length, room)));
  return (
    `${gutter}${shown}`.trimEnd() +
    `\n${' '.repeat(gutter.length - 2)}| ${' '.repeat([...before].length)}${mark}`.trimEnd()
  );
}

/** A tab as an arrow, and every other character that has no shape as a question mark. */
function visible(text: string): string {
  return text
    .toWellFormed()
    .replace(/\t/g, '→')
    .replace(/[\r\n]+/g, ' ')
    .replace(/(?! )(?:\p{C}|\p{Z}|\p{Variation_Selector}|[\u115f\u1160\u3164\uffa0])/gu, '\ufffd')
    .replace(/(\p{M}{3})\p{M}+/gu, '$1');
}

function cut(text: string, max: number): string {
  const points = [...text.slice(0, 2 * max + 2)];
  return points.length <= max ? text : `${points.slice(0, max - 1).join('')}…`;
}
