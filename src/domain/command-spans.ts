/**
 * What GitHub hides or shows as code within lines that belong together: code spans, HTML comments, tags and their
 * attributes, titles of links, the words of pictures, and everything between `<pre>` and `</pre>` and the like, which
 * may lie blocks apart. A command that begins there is not one that a reader sees
 * (https://github.github.com/gfm/#inlines). Every function is linear in the length of its text.
 */
import { Backticks, definitionsEnd, type Looks, Reader } from './command-reader.ts';

/** What is still open when a run ends: the next run goes on in it. */
export interface OpenMarkup {
  /** Elements that quote or hide what is in them, each as often as it is open. */
  elements: Map<string, number>;
  /** A comment or a tag in HTML was not closed: browsers hide what follows. */
  isLost: boolean;
}

/** Shows, of every character of a run, whether it is text that readers see as text. */
export interface Shown {
  isShown(at: number): boolean;
}

interface Bracket {
  at: number;
  isImage: boolean;
}

const quoting = new Set(
  'blockquote pre code samp kbd tt q table script style textarea title template iframe noscript noembed noframes xmp plaintext svg math select object picture video audio'.split(
    ' ',
  ),
);

const punctuation = /[!-/:-@[-`{-~]/;

/** Enough to read the name of an element that matters. */
const tagNameMax = 40;

/** Parentheses within the address of a link, as deep as GitHub reads them. */
const parenthesesMax = 32;

/** Of a run of Markdown. Changes `open`. */
export function shownInText(text: string, open: OpenMarkup, looks: Looks): Shown {
  const cover = new Cover(text, open);
  const reader = new Reader(text, looks);
  const backticks = new Backticks(text, looks);
  const brackets: Bracket[] = [];
  reader.at = definitionsEnd(text, looks);
  cover.hide(0, reader.at);
  while (reader.findSpecial()) {
    const from = reader.at;
    switch (text[from]) {
      case '\\':
        reader.at += punctuation.test(text.charAt(from + 1)) ? 2 : 1;
        break;
      case '`':
        hideCode(reader, backticks, cover);
        break;
      case '<':
        hideMarkup(reader, cover);
        break;
      case '!':
        reader.at += 1;
        if (text[reader.at] === '[') {
          brackets.push({ at: from, isImage: true });
          reader.at += 1;
        }
        break;
      case '[':
        brackets.push({ at: from, isImage: false });
        reader.at += 1;
        break;
      default:
        hideLink(reader, brackets.pop(), cover);
    }
  }
  return cover.finish();
}

function hideCode(reader: Reader, backticks: Backticks, cover: Cover): void {
  const from = reader.at;
  const run = reader.take(/`+/y) ?? '';
  const end = backticks.endOf(from, run.length);
  if (end === null) return;
  cover.hide(from, end);
  reader.at = end;
}

function hideMarkup(reader: Reader, cover: Cover): void {
  const from = reader.at;
  reader.at += 1;
  if (!skipMarkup(reader)) {
    reader.at = from + 1;
    return;
  }
  cover.hide(from, reader.at);
  cover.element(reader.text.slice(from, Math.min(reader.at, from + tagNameMax)), from, reader.at);
}

/** Behind a `<`: a comment, an instruction, an address or a tag as CommonMark 0.31, sections 6.5 and 6.6, takes them. */
function skipMarkup(reader: Reader): boolean {
  if (reader.take(/!--/y)) return reader.take(/-?>/y) !== null || reader.seek('-->');
  if (reader.take(/\?/y)) return reader.seek('?>');
  if (reader.take(/!\[CDATA\[/y)) return reader.seek(']]>');
  if (reader.take(/![a-z]/iy)) return reader.seek('>');
  const isClosing = reader.take(/\//y) !== null;
  const name = reader.take(/[a-z][a-z0-9-]*/iy);
  if (name === null) return false;
  if (isClosing) return reader.take(/[ \n]*/y) !== null && reader.take(/>/y) !== null;
  return skipAddress(reader) || skipAttributes(reader);
}

function skipAddress(reader: Reader): boolean {
  const from = reader.at;
  const isAddress = reader.take(/[a-z0-9+.-]*:/iy) !== null && reader.take(/[^\s<>]*/y) !== null;
  if (isAddress && reader.take(/>/y)) return true;
  reader.at = from;
  return false;
}

function skipAttributes(reader: Reader): boolean {
  for (;;) {
    const isApart = reader.take(/[ \n]+/y) !== null;
    if (reader.take(/\/?>/y)) return true;
    if (!isApart || !reader.take(/[a-z_:][\w.:-]*/iy)) return false;
    if (!reader.take(/[ \n]*=[ \n]*/y)) continue;
    const mark = reader.take(/["']/y);
    if (mark === null ? !reader.take(/[^\s"'=<>`]+/y) : !reader.seek(mark)) return false;
  }
}

/** At a `]`: hides the address and the title of a link, and all of a picture. */
function hideLink(reader: Reader, opener: Bracket | undefined, cover: Cover): void {
  reader.at += 1;
  if (opener === undefined) return;
  const from = reader.at;
  if (!skipAddressAndTitle(reader) && !skipLabel(reader)) reader.at = from;
  cover.hide(opener.isImage ? opener.at : from, reader.at);
}

function skipLabel(reader: Reader): boolean {
  if (!reader.take(/\[/y)) return false;
  reader.take(/(?:[^[\]\\]|\\[\s\S])*/y);
  return reader.take(/\]/y) !== null;
}

/** `(address "title")`; moves nothing when there is none. */
function skipAddressAndTitle(reader: Reader): boolean {
  const from = reader.at;
  const isThere = reader.take(/\([ \n]*/y) !== null && skipLinkAddress(reader) && skipTitle(reader);
  if (!isThere) reader.at = from;
  return isThere;
}

function skipLinkAddress(reader: Reader): boolean {
  if (reader.take(/</y)) {
    reader.take(/(?:[^<>\\\n]|\\.)*/y);
    return reader.take(/>/y) !== null;
  }
  for (let depth = 0; depth <= parenthesesMax; ) {
    reader.take(/(?:[^\s()\\]|\\\S?)*/y);
    if (reader.take(/\(/y)) depth += 1;
    else if (depth > 0 && reader.take(/\)/y)) depth -= 1;
    else return depth === 0;
  }
  return false;
}

function skipTitle(reader: Reader): boolean {
  const isApart = reader.take(/[ \n]+/y) !== null;
  if (reader.take(/\)/y)) return true;
  const mark = isApart ? reader.take(/["'(]/y) : null;
  if (mark === '"') reader.take(/(?:[^"\\]|\\[\s\S])*/y);
  else if (mark === "'") reader.take(/(?:[^'\\]|\\[\s\S])*/y);
  else if (mark === '(') reader.take(/(?:[^()\\]|\\[\s\S])*/y);
  else return false;
  return reader.take(mark === '(' ? /\)/y : /["']/y) !== null && reader.take(/[ \n]*\)/y) !== null;
}

/** Of a block of HTML, in which Markdown means nothing. Changes `open`. */
export function shownInHtml(text: string, open: OpenMarkup, looks: Looks): Shown {
  const cover = new Cover(text, open);
  const reader = new Reader(text, looks);
  while (reader.seek('<')) {
    const from = reader.at - 1;
    const isClosed = skipHtml(reader);
    cover.hide(from, isClosed ? reader.at : text.length);
    if (!isClosed) {
      open.isLost = true;
      break;
    }
    cover.element(text.slice(from, Math.min(reader.at, from + tagNameMax)), from, reader.at);
  }
  return cover.finish();
}

/** Behind a `<`. False when a comment or a tag begins here that nothing closes. */
function skipHtml(reader: Reader): boolean {
  if (reader.take(/!--/y)) return reader.seek('-->');
  if (reader.take(/[!?]/y)) return reader.seek('>');
  if (!reader.take(/\/?[a-z]/iy)) return true;
  for (;;) {
    reader.take(/[^>"']*/y);
    if (reader.take(/>/y)) return true;
    const mark = reader.take(/["']/y);
    if (!mark || !reader.seek(mark)) return false;
  }
}

/** Marks what is hidden; intervals may lie in one another. */
class Cover {
  readonly #text: string;
  readonly #open: OpenMarkup;
  /** At a place: how many intervals begin less how many end there. */
  readonly #changes: Int32Array;
  #quotedFrom: number | null;

  constructor(text: string, open: OpenMarkup) {
    this.#text = text;
    this.#open = open;
    this.#changes = new Int32Array(text.length + 1);
    this.#quotedFrom = open.elements.size > 0 || open.isLost ? 0 : null;
  }

  hide(from: number, to: number): void {
    this.#changes[from] = (this.#changes[from] ?? 0) + 1;
    this.#changes[to] = (this.#changes[to] ?? 0) - 1;
  }

  /** A tag at `from` up to `to`: it may begin or end what is hidden. */
  element(tag: string, from: number, to: number): void {
    const [, slash, word] = /^<(\/?)([a-z][a-z0-9-]*)/i.exec(tag) ?? [];
    const name = word?.toLowerCase() ?? '';
    if (!quoting.has(name)) return;
    const { elements } = this.#open;
    const left = (elements.get(name) ?? 0) + (slash === '/' ? -1 : 1);
    if (left > 0) elements.set(name, left);
    else elements.delete(name);
    if (elements.size > 0) this.#quotedFrom ??= from;
    else if (this.#quotedFrom !== null && !this.#open.isLost) {
      this.hide(this.#quotedFrom, to);
      this.#quotedFrom = null;
    }
  }

  finish(): Shown {
    if (this.#quotedFrom !== null) this.hide(this.#quotedFrom, this.#text.length);
    let depth = 0;
    const depths = this.#changes.map((change) => {
      depth += change;
      return depth;
    });
    return { isShown: (at) => depths[at] === 0 };
  }
}
