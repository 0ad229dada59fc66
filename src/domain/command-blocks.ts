/**
 * The blocks of a comment, as far as commands need them: which lines GitHub shows as text of their own, and which lie in
 * a quote, in a fence, in indented code or in HTML. It follows the block structure of GitHub Flavored Markdown
 * (https://github.github.com/gfm/#blocks-and-inlines), with lazy lines, lists and tables, because a command that a
 * reader sees quoted must not run. What cannot be told is taken for quoted.
 */
import { Cursor } from './command-cursor.ts';
import { definitionsEnd, type Looks } from './command-reader.ts';

/** Lines that belong together: what is opened in one of them may hide another. */
export interface Run {
  /** `raw`: a comment, a `<pre>`, a script; nothing in it is text of the comment. */
  kind: 'text' | 'html' | 'raw';
  lines: readonly RunLine[];
}

export interface RunLine {
  /** Without the marks of lists and quotes and without spaces before it. */
  text: string;
  /** Begins with a slash, as it was typed, and lies in no quote and no table. */
  isCandidate: boolean;
}

type Container = { kind: 'quote' } | { kind: 'item'; indent: number; isEmpty: boolean };

type Leaf =
  | { kind: 'paragraph' | 'table'; lines: RunLine[] }
  | { kind: 'html'; lines: RunLine[]; end: RegExp | null }
  | { kind: 'fence'; character: string; length: number };

/** Deeper than people write; what lies deeper counts as quoted. */
const depthMax = 32;

const atxHeading = /^#{1,6}(?: |$)/;
const setextLine = /^(?:=+|-+) *$/;
const thematicBreak = /^(?:(?:\* *){3,}|(?:- *){3,}|(?:_ *){3,})$/;
const fenceStart = /^(?:(`{3,})[^`]*$|(~{3,}))/;
const itemStart = /^(?:[-+*]|(\d{1,9})[.)])(?= |$)/;
const delimiterRow = /^\|? *:?-+:? *(?:\| *:?-+:? *)*\|?$/;

/** The seven kinds of HTML blocks, each with what ends it; null: a blank line. */
const htmlStarts: readonly (readonly [RegExp, RegExp | null])[] = [
  [/^<(?:script|pre|style|textarea)(?:[\s>]|$)/i, /<\/(?:script|pre|style|textarea)>/i],
  [/^<!--/, /-->/],
  [/^<\?/, /\?>/],
  [/^<![A-Za-z]/, />/],
  [/^<!\[CDATA\[/, /\]\]>/],
  [
    /^<\/?(?:address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|source|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul)(?:[\s>]|\/>|$)/i,
    null,
  ],
];
const loneTag =
  /^(?:<[a-z][a-z0-9-]*(?:\s+[a-z_:][\w.:-]*(?:\s*=\s*(?:[^\s"'=<>`]+|'[^']*'|"[^"]*"))?)*\s*\/?>|<\/[a-z][a-z0-9-]*\s*>)\s*$/i;

/** The runs of a comment in their order; code, rules and blank lines are in none. Linear in the length. */
export function runsOf(lines: readonly string[], looks: Looks): readonly Run[] {
  const blocks = new Blocks(looks);
  for (const line of lines) blocks.read(line);
  return blocks.finish();
}

class Blocks {
  readonly #runs: Run[] = [];
  readonly #looks: Looks;
  readonly #containers: Container[] = [];
  #leaf: Leaf | null = null;
  /** So many containers go on in the line that is read. */
  #kept = 0;

  constructor(looks: Looks) {
    this.#looks = looks;
  }

  read(raw: string): void {
    const line = new Cursor(raw);
    this.#looks.taken += line.line.length + 1;
    this.#keepContainers(line);
    if (this.#isAllKept && this.#leafGoesOn(line)) return;
    if (this.#openBlocks(line)) return;
    const isInParagraph = this.#leaf?.kind === 'paragraph';
    const isLazy = isInParagraph && !this.#isAllKept;
    if (line.isBlank || (line.indent >= 4 && !isInParagraph)) this.#cut();
    else this.#addText(line, isLazy);
  }

  finish(): readonly Run[] {
    this.#closeLeaf();
    return this.#runs;
  }

  get #isAllKept(): boolean {
    return this.#kept === this.#containers.length;
  }

  #keepContainers(line: Cursor): void {
    this.#kept = 0;
    for (const container of this.#containers) {
      this.#looks.taken += 1;
      if (container.kind === 'quote') {
        if (line.indent >= 4 || line.line[line.textFrom] !== '>') return;
        line.takeQuoteMark();
      } else if (line.isBlank) {
        if (container.isEmpty) return;
      } else {
        if (line.indent < container.indent) return;
        line.at += container.indent;
        container.isEmpty = false;
      }
      this.#kept += 1;
    }
  }

  /** True when the line belongs to the fence or the HTML that is open. */
  #leafGoesOn(line: Cursor): boolean {
    const leaf = this.#leaf;
    if (leaf?.kind === 'fence') {
      const { character, length } = leaf;
      const text = line.text.trimEnd();
      const isEnd = line.indent < 4 && text.length >= length && text === character.repeat(text.length);
      if (isEnd) this.#leaf = null;
      return true;
    }
    if (leaf?.kind !== 'html' || (leaf.end === null && line.isBlank)) return false;
    this.#addHtml(leaf, line);
    return true;
  }

  /** Opens what the line begins. True when nothing of the line is left to be read. */
  #openBlocks(line: Cursor): boolean {
    while (!line.isBlank && line.indent < 4) {
      const { text } = line;
      this.#looks.taken += text.length;
      const isInParagraph = this.#isAllKept && this.#leaf?.kind === 'paragraph';
      const item = itemStart.exec(text);
      if (text.startsWith('>')) {
        line.takeQuoteMark();
        this.#openContainer({ kind: 'quote' });
      } else if (this.#openLeaf(line, text, isInParagraph)) {
        return true;
      } else if (item !== null && !(isInParagraph && !mayInterrupt(item, text))) {
        this.#openContainer(itemOf(item, line));
      } else {
        return false;
      }
      if (this.#containers.length >= depthMax) {
        this.#openContainer({ kind: 'quote' });
        return false;
      }
    }
    return false;
  }

  #openLeaf(line: Cursor, text: string, isInParagraph: boolean): boolean {
    const html = htmlEnd(text, this.#leaf?.kind === 'paragraph');
    const fence = fenceStart.exec(text);
    const isHeading = atxHeading.test(text);
    const isUnderline = isInParagraph && setextLine.test(text) && this.#hasText;
    const isRule = isUnderline || thematicBreak.test(text);
    if (html === undefined && fence === null && !isHeading && !isRule) return false;
    this.#cut();
    if (isHeading) this.#runs.push({ kind: 'text', lines: [{ text, isCandidate: false }] });
    else if (fence !== null) {
      const marks = fence[1] ?? fence[2] ?? '';
      this.#leaf = { kind: 'fence', character: marks.charAt(0), length: marks.length };
    } else if (html !== undefined) {
      const leaf: Leaf = { kind: 'html', lines: [], end: html };
      this.#leaf = leaf;
      this.#addHtml(leaf, line);
    }
    return true;
  }

  /** A paragraph that only defines addresses is no text: `===` under it begins one. */
  get #hasText(): boolean {
    if (this.#leaf?.kind !== 'paragraph') return false;
    const text = this.#leaf.lines.map((line) => line.text).join('\n');
    return definitionsEnd(text, this.#looks) < text.length;
  }

  #openContainer(container: Container): void {
    this.#cut();
    this.#containers.push(container);
    this.#kept = this.#containers.length;
  }

  /**
   * Text begins a paragraph or goes on in one. A lazy line only looks as if it were outside of a quote: GitHub shows it
   * as part of the paragraph before it.
   */
  #addText(line: Cursor, isLazy: boolean): void {
    if (!this.#isAllKept && !isLazy) this.#cut();
    if (this.#leaf?.kind !== 'paragraph' && this.#leaf?.kind !== 'table')
      this.#leaf = { kind: 'paragraph', lines: [] };
    const leaf = this.#leaf;
    const { text } = line;
    const header = leaf.lines.at(-1);
    const mayBeTable = leaf.kind === 'paragraph' && !isLazy && line.indent < 4;
    if (mayBeTable && header !== undefined && isDelimiterOf(header.text, text)) {
      leaf.kind = 'table';
      header.isCandidate = false;
    }
    const isOutside = leaf.kind === 'paragraph' && !this.#containers.some(({ kind }) => kind === 'quote');
    leaf.lines.push({ text, isCandidate: line.isCandidate && isOutside });
  }

  #addHtml(leaf: { lines: RunLine[]; end: RegExp | null }, line: Cursor): void {
    const { text } = line;
    leaf.lines.push({ text, isCandidate: line.isCandidate && leaf.end === null });
    if (leaf.end?.test(text)) this.#closeLeaf();
  }

  /** Ends what is open, and the containers that do not go on. */
  #cut(): void {
    this.#closeLeaf();
    this.#containers.length = this.#kept;
  }

  #closeLeaf(): void {
    const leaf = this.#leaf;
    this.#leaf = null;
    if (leaf === null || leaf.kind === 'fence') return;
    const kind = leaf.kind !== 'html' ? 'text' : leaf.end === null ? 'html' : 'raw';
    this.#runs.push({ kind, lines: leaf.lines });
  }
}

/** Inside a paragraph only a list that begins with 1 begins, and no empty item. */
function mayInterrupt(item: RegExpExecArray, text: string): boolean {
  return (item[1] === undefined || Number(item[1]) === 1) && text.slice(item[0].length).trim() !== '';
}

/** Takes the mark and the spaces behind it; five spaces or more are one and indented code. */
function itemOf([mark]: RegExpExecArray, line: Cursor): Container {
  const before = line.indent;
  line.at = line.textFrom + mark.length;
  const isEmpty = line.isBlank;
  const spaces = isEmpty || line.indent > 4 ? 1 : line.indent;
  line.at = Math.min(line.at + spaces, line.line.length);
  return { kind: 'item', indent: before + mark.length + spaces, isEmpty };
}

/** What ends the HTML that begins here; null: a blank line, undefined: no HTML begins. */
function htmlEnd(text: string, isInParagraph: boolean): RegExp | null | undefined {
  if (!text.startsWith('<')) return undefined;
  const known = htmlStarts.find(([start]) => start.test(text));
  if (known !== undefined) return known[1];
  return !isInParagraph && loneTag.test(text) ? null : undefined;
}

/** A row of dashes under a row with as many cells makes both a table (GFM, section 4.10). */
function isDelimiterOf(header: string, text: string): boolean {
  return header.includes('|') && delimiterRow.test(text.trimEnd()) && cellsOf(text) === cellsOf(header);
}

function cellsOf(row: string): number {
  const inner = row
    .trim()
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|$/, '');
  return inner.split(/(?<!\\)\|/).length;
}
