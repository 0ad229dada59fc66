/**
 * Text of the cluster and of people as Markdown that GitHub shows and never obeys. One rule: what is only letters,
 * digits and quiet punctuation stays as it is; everything else goes into a code span, in which GitHub links nobody,
 * closes nothing and reads no HTML. So no character is ever added to a name that somebody may want to copy.
 */
import { cleanText, cutTo, onOneLine } from './clean.ts';
import { maskSecrets } from './mask.ts';

export interface SafeOptions {
  /** Code points, an ellipsis included. */
  max?: number;
  /** Stands in the repository already (subjects, paths, names of authors): nothing in it is masked. */
  isPublic?: boolean;
  /** Of a chain of causes, `a: b: c`, the last ones are kept: what went wrong stands at the end. */
  keepsEnd?: boolean;
}

const inlineMax = 200;
const blockMax = 4_000;
/** Of a chain of causes; longer ones are lists of everything that failed. */
const chainMax = 8_192;

/** Characters that mean nothing in Markdown, with a start that begins no list and underlines no heading. */
const quiet = /^(?![-+=])[\p{L}\p{N}\p{M} .,:;()'"/+=%?–—…-]+$/u;

/**
 * What GitHub makes live of quiet characters: addresses, references, commits, numbered lists; and emoji, also those that
 * begin or end in the words around the text.
 */
const live = /\.[\p{L}\p{N}]|gh-\d|[0-9a-f]{7}|:(?!\s)|^\d+[.)]|--/iu;

/** Text of one line, readable: words where they are harmless, else a code span. Not empty. */
export function inlineText(text: string, options: SafeOptions = {}): string {
  const line = prepareLine(text, options);
  return quiet.test(line) && !live.test(line) ? line : asCodeSpan(line);
}

/** A name, a field or a value: always a code span. Not empty. */
export function codeSpan(text: string, options: SafeOptions = {}): string {
  return asCodeSpan(prepareLine(text, options));
}

/** Masked before anything is cut: what is left of a secret is not recognized any more. */
function prepareLine(
  text: string,
  { max = inlineMax, isPublic = false, keepsEnd = false }: SafeOptions,
): string {
  const clean = cleanText(text, keepsEnd ? chainMax : 4 * max + 512);
  const line = onOneLine(isPublic ? clean : maskSecrets(clean));
  return cutTo(keepsEnd ? lastCauses(line, max) : line, max);
}

/** Causes are left out from the front until the rest fits; a single long one is cut like any text. */
function lastCauses(line: string, max: number): string {
  if (line.length <= max) return line;
  const causes = line.split(': ');
  const shorter = causes.map((_, index) => `…${causes.slice(index).join(': ')}`);
  return shorter.slice(1).find((text) => text.length <= max) ?? line;
}

/** Delimited by one backtick more than the longest run in it (CommonMark 0.31, section 6.1). */
function asCodeSpan(line: string): string {
  if (line === '') return '(empty)';
  const fence = '`'.repeat(longestRun(line) + 1);
  const padding = line.startsWith('`') || line.endsWith('`') ? ' ' : '';
  return `${fence}${padding}${line}${padding}${fence}`;
}

function longestRun(text: string): number {
  return Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
}

/** Text of several lines in a fence that nothing in it closes. */
export function codeBlock(text: string, { max = blockMax, isPublic = false }: SafeOptions = {}): string {
  const clean = cleanText(text);
  const lines = cutTo(isPublic ? clean : maskSecrets(clean), max)
    .replace(/\n{3,}/g, '\n\n')
    .trim();
  const fence = '`'.repeat(Math.max(3, longestRun(lines) + 1));
  return `${fence}text\n${lines}\n${fence}`;
}

/**
 * One row of a table from cells that are Markdown already. Cells are split before code spans are read, so a bar is
 * escaped everywhere, also in code (GitHub Flavored Markdown, section 4.10); one that follows a backslash gets a
 * space before, because parsers count backslashes differently.
 */
export function tableRow(cells: readonly string[]): string {
  const escaped = cells.map((cell) =>
    cell
      .replace(/\s+/g, ' ')
      .replace(/(\\*)\|/g, (_, slashes: string) => (slashes === '' ? '\\|' : `${slashes} \\|`)),
  );
  return `| ${escaped.join(' | ')} |`;
}

/** A link around Markdown that holds none. Only http and https are linked; anything else stays text. */
export function link(markdown: string, url: string): string {
  const address = linkableUrl(url);
  return address === null ? markdown : `[${markdown}](${address})`;
}

/** The address as a browser would ask for it, or null when it is not one of the web. */
function linkableUrl(url: string): string | null {
  if (!URL.canParse(url)) return null;
  const parsed = new URL(url);
  if (parsed.protocol !== 'https:' && parsed.protocol !== 'http:') return null;
  if (parsed.username !== '' || parsed.password !== '') return null;
  return parsed.href.replace(
    /[()<>[\]\\`*_~|@\s]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  );
}

/** For pages of our own, in text and in quoted attributes. On GitHub an `@name` in HTML is live: use `codeSpan`. */
export function escapeHtml(text: string): string {
  return maskSecrets(cleanText(text)).replace(/[&<>"'`]/g, (character) => `&#${character.charCodeAt(0)};`);
}

/**
 * One line for places that know no Markdown: a title, a commit message. GitHub reads references, mentions, closing
 * words and instructions to CI there all the same; each is broken by a space or by round brackets. Not empty.
 */
export function plainLine(text: string, { max = inlineMax, isPublic = false }: SafeOptions = {}): string {
  const line = prepareLine(text, { max: 2 * max + 100, isPublic })
    .replace(/(?<![\p{L}\p{N}])@(?=[\p{L}\p{N}])/gu, '@ ')
    .replace(/#(?=\d)/g, '# ')
    .replace(/\bgh-(?=\d)/gi, (word) => `${word.slice(0, 2)} `)
    .replace(/:\/\//g, ': //')
    .replace(/\[([^[\]]{0,20}\b(?:ci|actions)\b[^[\]]{0,20})\]/gi, '($1)');
  return line === '' ? '(empty)' : cutTo(line, max);
}
