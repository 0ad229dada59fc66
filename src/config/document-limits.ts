/**
 * What is looked at before a text is parsed: its size, its characters, how deep it is nested and of how many parts it is
 * made. A parser is only given what it can take apart in about a second.
 */
import { Lexer } from 'yaml';
import type { Span } from './faults.ts';

/** In UTF-16 units; a file for 1,000 ApplicationSets is smaller. */
export const sizeMax = 65_536;
/** What the parser takes apart: words, signs, spaces, ends of lines. It needs about a second for so many. */
export const partsMax = 20_000;
const shorter = 'Make it shorter; a pattern with "*" below applicationSets stands for many entries.';
/** A wrong escape costs the parser as much as several words. */
const escapeParts = 5;
/** The deepest key of a configuration stands at 6. */
export const depthMax = 12;

/** Controls, a carriage return by itself, what only some take for the end of a line, and what stands for bytes that are no UTF-8. */
const unreadable = /(?![\t\n])\p{Cc}(?<!\r(?=\n))|[\u2028\u2029\ufffd\ufffe\uffff]|\p{Cs}/u;

export interface Fatal {
  span: Span;
  problem: string;
  mend: string;
}

/** Why a text is not looked into at all, or null. Never throws. */
export function fatalFault(text: string): Fatal | null {
  return sizeFault(text) ?? characterFault(text) ?? partsFault(text);
}

function sizeFault(text: string): Fatal | null {
  if (text.length <= sizeMax) return null;
  return {
    span: { from: 0, to: 0 },
    problem: `The file has ${text.length} characters, and at most ${sizeMax} are read.`,
    mend: shorter,
  };
}

function characterFault(text: string): Fatal | null {
  const found = unreadable.exec(text);
  if (found === null) return null;
  const [character] = found;
  const span = { from: found.index, to: found.index + character.length };
  if (character === '\ufffd' || /\p{Cs}/u.test(character))
    return { span, problem: 'The file is not UTF-8 here.', mend: 'Save it as UTF-8.' };
  const mend = character === '\r' ? 'End lines with LF or CR LF.' : 'Take it out.';
  return { span, problem: `The file has the control character ${codeOf(character)}.`, mend };
}

/** Looks at the lexer's parts one by one and stops at the first that is too much. */
function partsFault(text: string): Fatal | null {
  let parts = 0;
  let offset = 0;
  let flowDepth = 0;
  let compactDepth = 0;
  let isContent = false;
  for (const part of new Lexer().lex(text)) {
    const isMark = part === '\u0002' || part === '\u0018' || part === '\u001f';
    const sign = isContent || isMark ? '' : part;
    isContent = part === '\u001f';
    if (isMark) continue;
    if (sign === '[' || sign === '{') flowDepth += 1;
    else if (sign === ']' || sign === '}') flowDepth = Math.max(0, flowDepth - 1);
    else if (flowDepth === 0 && (sign === '-' || sign === '?' || sign === ':')) compactDepth += 1;
    else if (part.includes('\n')) compactDepth = 0;
    parts += 1 + escapeParts * (part.match(/\\/g)?.length ?? 0);
    const span = { from: offset, to: offset + 1 };
    if (flowDepth > depthMax || compactDepth > depthMax) return tooDeep(span);
    if (parts > partsMax) {
      const problem = `The file has more than ${partsMax} words and signs.`;
      return { span, problem, mend: shorter };
    }
    offset += part.length;
  }
  return null;
}

/** The fault of what is nested deeper than anything in a configuration. */
export function tooDeep(span: Span): Fatal {
  return {
    span,
    problem: `This is nested more than ${depthMax} deep.`,
    mend: 'No key of a configuration is; take brackets, dashes or indentation away.',
  };
}

/** `U+00A0`. */
export function codeOf(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}
