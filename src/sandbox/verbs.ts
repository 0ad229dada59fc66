/**
 * What a person may do to a running sandbox, from another terminal or with the buttons of the page. This file only names
 * the verbs; `acts.ts` does them.
 */

export interface Verb {
  name: VerbName;
  /** What follows the name, as in a usage. */
  takes: string;
  about: string;
  /** How many words may follow. */
  wordsMin: number;
  wordsMax: number;
}

export const verbNames = [
  'status',
  'merge',
  'close',
  'comment',
  'push',
  'propose',
  'break',
  'heal',
  'unreachable',
  'reachable',
  'sync',
  'stop',
] as const;

export type VerbName = (typeof verbNames)[number];

export const verbs: readonly Verb[] = [
  verb('status', '', 'says how every stage stands', 0, 0),
  verb('merge', '[NUMBER]', 'merges a pull request; the open revert when none is named', 0, 1),
  verb('close', '[NUMBER]', 'closes a pull request; the open revert when none is named', 0, 1),
  verb('comment', 'NUMBER TEXT', 'comments on a pull request', 2, 1_000),
  verb('push', 'good|bad [CLUSTER…]', 'pushes a change to main; bad on these clusters, or on all', 1, 100),
  verb('propose', 'good|bad [CLUSTER…]', 'opens a pull request with such a change', 1, 100),
  verb('break', 'APPLICATION [MESSAGE]', 'makes an Application Degraded, whatever it runs', 1, 1_000),
  verb('heal', 'APPLICATION', 'ends that', 1, 1),
  verb('unreachable', 'CLUSTER', 'takes away the credentials of a cluster', 1, 1),
  verb('reachable', 'CLUSTER', 'gives them back', 1, 1),
  verb('sync', 'APPLICATION', 'syncs an Application by hand', 1, 1),
  verb('stop', '', 'ends the sandbox', 0, 0),
];

function verb(name: VerbName, takes: string, about: string, wordsMin: number, wordsMax: number): Verb {
  return { name, takes, about, wordsMin, wordsMax };
}

/** The verb of this name, or undefined. */
export function verbNamed(name: string): Verb | undefined {
  return verbs.find((one) => one.name === name);
}

/** What is wrong with the words that follow a verb, in a sentence; null when nothing is. */
export function faultOfWords(
  { name, takes, wordsMin, wordsMax }: Verb,
  words: readonly string[],
): string | null {
  if (words.length >= wordsMin && words.length <= wordsMax) return null;
  const what =
    words.length < wordsMin ? `needs more: ${takes}` : takes === '' ? 'takes nothing' : `takes ${takes}`;
  return `"${name}" ${what}.`;
}
