/**
 * Sentences that are said in more than one place: as plain text on the command line and in the log, as Markdown on
 * GitHub. The words between the values are ours; a value is somebody else's text until something else is said of it,
 * so what is forgotten is escaped.
 */

import { cleanText, cutTo, onOneLine } from './clean.ts';
import { maskSecrets } from './mask.ts';
import { codeSpan, inlineText, type SafeOptions } from './safe.ts';

type Part =
  /** Our own words, plain in every place. */
  | { kind: 'own'; text: string }
  /** A name, a field, a value: in Markdown a code span. */
  | { kind: 'value'; text: string; options: SafeOptions }
  /** Words of somebody else: in Markdown as they are where that is harmless. */
  | { kind: 'words'; text: string; options: SafeOptions }
  /** A message, between quotation marks. */
  | { kind: 'quote'; text: string; options: SafeOptions };

export type Sentence = readonly Part[];

/** Builds a sentence; a plain string among the values is treated as a value of somebody else. */
export function say(
  words: TemplateStringsArray,
  ...values: readonly (Sentence | string | number)[]
): Sentence {
  return words.flatMap((text, index): Sentence => {
    const value = values[index];
    const own: Sentence = text === '' ? [] : [{ kind: 'own', text }];
    if (value === undefined) return own;
    if (typeof value === 'number') return [...own, { kind: 'own', text: String(value) }];
    if (typeof value === 'string') return [...own, { kind: 'value', text: value, options: {} }];
    return [...own, ...value];
  });
}

export const nothing: Sentence = [];

/** Words that Stepback itself made: a time, a count. Never text that came from anywhere else. */
export function ownWords(text: string): Sentence {
  return [{ kind: 'own', text }];
}

/** Words of somebody else that are no name. */
export function words(text: string, options: SafeOptions = {}): Sentence {
  return [{ kind: 'words', text, options }];
}

/** A message of somebody else. */
export function quote(text: string, options: SafeOptions = {}): Sentence {
  return [{ kind: 'quote', text, options }];
}

/** Sentences one after the other. */
export function inOneGo(...sentences: readonly Sentence[]): Sentence {
  return sentences
    .filter((sentence) => sentence.length > 0)
    .flatMap((sentence, index) => (index === 0 ? sentence : [...ownWords(' '), ...sentence]));
}

/** One line of plain text, without anything that a terminal obeys. */
export function asText(sentence: Sentence): string {
  return sentence.map(partAsText).join('');
}

function partAsText(part: Part): string {
  if (part.kind === 'own') return part.text;
  const line = cutTo(onOneLine(maskSecrets(cleanText(part.text))), part.options.max ?? 300);
  return part.kind === 'quote' ? `"${line}"` : line;
}

/** Markdown of one line. */
export function asMarkdown(sentence: Sentence): string {
  return sentence.map(partAsMarkdown).join('');
}

function partAsMarkdown(part: Part): string {
  switch (part.kind) {
    case 'own':
      return part.text;
    case 'value':
    case 'quote':
      return codeSpan(part.text, part.options);
    case 'words':
      return inlineText(part.text, part.options);
  }
}
