/**
 * Where a text is no YAML, in words. The parser's own sentences speak of grammar ("Nested mappings are not allowed in
 * compact mappings"); these say what people do wrong when it says so.
 */
import type { ErrorCode, YAMLError } from 'yaml';
import type { Faults } from './faults.ts';

interface Words {
  problem: string;
  mend: string;
}

const words: Readonly<Partial<Record<ErrorCode, Words>>> = {
  TAB_AS_INDENT: { problem: 'The line is indented with a tab.', mend: 'Use spaces.' },
  BAD_INDENT: {
    problem: 'The indentation does not fit the lines before.',
    mend: 'Begin every key of a group in the same column.',
  },
  BAD_DQ_ESCAPE: {
    problem: 'Between double quotes a backslash begins an escape, and this is none.',
    mend: 'Write two backslashes, or use single quotes.',
  },
  BAD_SCALAR_START: { problem: 'A text cannot begin with this sign.', mend: 'Put it in quotes.' },
  BLOCK_AS_IMPLICIT_KEY: {
    problem: 'There are two keys on one line, or a list where a key should be.',
    mend: 'Begin a new line after the first colon, or put a text that has a colon in quotes.',
  },
  BLOCK_IN_FLOW: {
    problem: 'Between brackets, lists and keys cannot be written line by line.',
    mend: 'Put commas between them, or take the brackets away.',
  },
  MISSING_CHAR: {
    problem: 'Something is missing here: a colon, a comma, a quote or a bracket.',
    mend: 'Add it.',
  },
  MULTILINE_IMPLICIT_KEY: {
    problem: 'A key goes over several lines, or its colon is missing.',
    mend: 'Write it on one line, with a colon and a space behind it.',
  },
  KEY_OVER_1024_CHARS: {
    problem: 'There is no colon within 1,024 characters.',
    mend: 'Put a long text in quotes, or behind its key.',
  },
  MULTIPLE_DOCS: {
    problem: 'There is a second document.',
    mend: 'Take out the line "---" and what follows it.',
  },
  MULTIPLE_ANCHORS: { problem: 'There are two anchors.', mend: 'Take them out; aliases are not followed.' },
  MULTIPLE_TAGS: { problem: 'There are two tags.', mend: 'Take them out.' },
  BAD_ALIAS: { problem: 'This reads as an alias.', mend: 'Put a text that begins with "*" in quotes.' },
  BAD_DIRECTIVE: { problem: 'This reads as a directive.', mend: 'Take the line with "%" out.' },
  TAG_RESOLVE_FAILED: { problem: 'This reads as a tag.', mend: 'Put a text that begins with "!" in quotes.' },
  RESOURCE_EXHAUSTION: { problem: 'This is nested too deep.', mend: 'Take brackets or indentation away.' },
  UNEXPECTED_TOKEN: {
    problem: 'This does not belong here.',
    mend: 'Look for a quote, a bracket or a comma too many, or put the whole text in quotes.',
  },
};

const conflictMark: Words = {
  problem: 'This is a mark of a merge conflict.',
  mend: 'Keep one of the two sides and take the marks out.',
};

const other: Words = { problem: 'This is no YAML.', mend: 'Look at the signs around it.' };

/** What the parser says in its own words, where they are better than the code alone. */
const byMessage: readonly (readonly [RegExp, Words])[] = [
  [
    /reserved character|cannot start with/,
    {
      problem: 'A text cannot begin with "@", "`" or "%".',
      mend: 'Put it in quotes; names of people and teams are written without "@".',
    },
  ],
  [/closing ["']|Missing closing/, { problem: 'A quote is not closed.', mend: 'Close it.' }],
  [
    /(?:end with a|expected) .?[\]}]/,
    { problem: 'A bracket is not closed.', mend: 'Close it, with commas between what is inside.' },
  ],
  [
    /map keys need to be followed by map values|Implicit map keys/,
    { problem: 'A key has no colon.', mend: 'Write a colon and a space behind it.' },
  ],
];

/** Notes one fault a line, because one slip makes the parser stumble over all that follows. Where it first breaks, or null. */
export function noteSyntax(errors: readonly YAMLError[], text: string, faults: Faults): number | null {
  const lines = new Set<number>();
  let breaksAt: number | null = null;
  for (const error of errors) {
    const from = placeOf(error, text);
    const line = faults.lineOf(from);
    breaksAt = Math.min(breaksAt ?? from, from);
    if (lines.has(line)) continue;
    lines.add(line);
    const { problem, mend } = isConflictMark(text, from) ? conflictMark : wordsFor(error);
    faults.error({ from, to: from + 1 }, '', problem, mend);
  }
  return breaksAt;
}

function wordsFor(error: YAMLError): Words {
  const message = error.message.split('\n')[0] ?? '';
  return byMessage.find(([pattern]) => pattern.test(message))?.[1] ?? words[error.code] ?? other;
}

function isConflictMark(text: string, at: number): boolean {
  return (
    (text[at - 1] ?? '\n') === '\n' && /^(?:<{7}|={7}|>{7}|\|{7})(?: |\r?$)/m.test(text.slice(at, at + 9))
  );
}

/** What is not closed is looked for so far before the place where it should have been. */
const lookedBackMax = 2_000;

/** The parser names the place where something is missing; people look for the quote or bracket that they opened. */
function placeOf(error: YAMLError, text: string): number {
  const at = Math.min(error.pos[0], text.length);
  const from = Math.max(0, at - lookedBackMax);
  const before = text.slice(from, at);
  const quote = /closing (["'])/.exec(error.message)?.[1];
  const bracket = /(?:end with a|expected) .?([\]}])/.exec(error.message)?.[1];
  const opened =
    quote !== undefined
      ? before.lastIndexOf(quote)
      : bracket !== undefined
        ? lastOpened(before, bracket)
        : -1;
  if (opened !== -1) return from + opened;
  return at === text.length ? text.trimEnd().length : at;
}

/** The last bracket of a kind that nothing closes; quotes are not looked at. */
function lastOpened(text: string, closing: string): number {
  const opening = closing === ']' ? '[' : '{';
  let closed = 0;
  for (let index = text.length - 1; index >= 0; index -= 1) {
    if (text[index] === closing) closed += 1;
    else if (text[index] === opening && closed === 0) return index;
    else if (text[index] === opening) closed -= 1;
  }
  return -1;
}
