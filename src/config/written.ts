/**
 * What was written, as the readers of values see it: scalars, lists and maps with their places, whatever the text was.
 * Nothing in it refers to anything else, so a tree is no larger than its text.
 */
import type { Span } from './faults.ts';

export interface WrittenScalar {
  kind: 'scalar';
  /** What the text means in YAML: `1` is a number, `"1"` a string. */
  value: string | number | boolean | null;
  /** As written, without quotes. */
  text: string;
  span: Span;
}

interface WrittenList {
  kind: 'list';
  items: readonly Written[];
  span: Span;
}

export interface WrittenEntry {
  key: string;
  keySpan: Span;
  value: Written;
}

interface WrittenMap {
  kind: 'map';
  /** Every key once, in the order of the text. */
  entries: readonly WrittenEntry[];
  span: Span;
}

export type Written = WrittenScalar | WrittenList | WrittenMap;

/** "a list", "the number 3": what stands there, for a sentence. */
export function whatIs(written: Written): string {
  if (written.kind !== 'scalar') return written.kind === 'list' ? 'a list' : 'keys with values';
  if (written.value === null) return 'nothing';
  if (typeof written.value === 'string') return 'a text';
  return typeof written.value === 'number' ? 'a number' : `${written.value}`;
}
