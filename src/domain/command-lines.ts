/**
 * The lines of a comment in which a person may have typed a command: they begin with a slash, at most three blanks
 * before it, and GitHub shows them as text, not as a quote, as code or not at all. So what runs is what a reader sees.
 */
import { type Run, runsOf } from './command-blocks.ts';
import { isCandidate } from './command-cursor.ts';
import type { Looks } from './command-reader.ts';
import { type OpenMarkup, shownInHtml, shownInText } from './command-spans.ts';

/** A body has at most 65,536 characters at GitHub, each of one or two units. */
const bodyLengthMax = 2 * 65_536;

/**
 * Trimmed, without HTML comments, in the order of the comment. `looks` counts the characters that were looked at: at
 * most in proportion to the length of the body. Never throws.
 */
export function slashLines(body: string, looks: Looks = { taken: 0 }): readonly string[] {
  const lines = linesOf(body);
  looks.taken += body.length;
  if (!lines.some(isCandidate)) return [];
  const open: OpenMarkup = { elements: new Map(), isLost: false };
  return runsOf(lines, looks).flatMap((run) => shownLines(run, open, looks));
}

/** Lines as Markdown counts them, a byte order mark before them left out. Of a body that is too long, its whole lines. */
function linesOf(body: string): readonly string[] {
  const isCut = body.length > bodyLengthMax;
  const lines = body.slice(0, bodyLengthMax).split(/\r\n|\n|\r/);
  return (isCut ? lines.slice(0, -1) : lines).map((line) => line.replace(/^\ufeff/, ''));
}

function shownLines(run: Run, open: OpenMarkup, looks: Looks): readonly string[] {
  const text = run.lines.map((line) => line.text).join('\n');
  const shown = run.kind === 'text' ? shownInText(text, open, looks) : shownInHtml(text, open, looks);
  const found: string[] = [];
  let at = 0;
  for (const line of run.lines) {
    if (line.isCandidate && shown.isShown(at)) found.push(withoutComments(line.text));
    at += line.text.length + 1;
  }
  return found;
}

/** A comment that goes on in the next line ends what counts of this one. */
function withoutComments(line: string): string {
  let rest = line;
  let kept = '';
  for (;;) {
    const from = rest.indexOf('<!--');
    if (from < 0) return (kept + rest).trim();
    kept += `${rest.slice(0, from)} `;
    const to = rest.indexOf('-->', from);
    if (to < 0) return kept.trim();
    rest = rest.slice(to + 3);
  }
}
