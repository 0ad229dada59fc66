/**
 * The commands that people type in a comment: `/stepback revert #412`. A closed union, one table for what each takes,
 * and the parser and the printer side by side, so that what is stored, answered and compared is what was meant.
 */
import {
  type ArgumentProblem,
  inLowerCase,
  type Place,
  printDuration,
  printPlace,
  printRevertTarget,
  type RevertTarget,
  readDuration,
  readPlace,
  readRevertTarget,
  wordsOf,
} from './command-arguments.ts';
import { suggestionFor } from './command-suggestion.ts';
import { never } from './never.ts';

export type Command =
  /** What there is to type. */
  | { verb: 'help' }
  /** Where the rollout stands. */
  | { verb: 'status' }
  /** The verdict with its reasons. */
  | { verb: 'explain' }
  /** Take back what is to blame, or what is named. */
  | { verb: 'revert'; target: RevertTarget | null }
  /** Put the whole path back to last good. */
  | { verb: 'restore' }
  /** Let Argo CD sync what is named, or all. */
  | { verb: 'sync'; place: Place | null }
  /** No reverts for this long. */
  | { verb: 'hold'; forMs: number }
  | { verb: 'resume' }
  /** Leave a stage or an Application out of the verdict for this long. */
  | { verb: 'snooze'; place: Place; forMs: number }
  /** A false alarm. The reason is text of somebody else, on one line. */
  | { verb: 'dismiss'; reason: string }
  /** Look again, and try again what did not work. */
  | { verb: 'retry' }
  /** Keep the bad commit from going further. */
  | { verb: 'freeze' }
  | { verb: 'thaw' };

export type Verb = Command['verb'];

/** Why a line that begins with `/stepback` is no command. */
export type CommandFault =
  | { kind: 'unknown-verb'; word: string; suggestion: Verb | null }
  | { kind: 'wrong-arguments'; verb: Verb; problem: ArgumentProblem }
  /** The comment holds more; `read` of them were. */
  | { kind: 'too-many'; read: number };

export type Parsed = { kind: 'command'; command: Command } | { kind: 'fault'; fault: CommandFault };

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/** A hold that nobody ends would be a brake for ever, so every one has an end. */
const holdDefaultMs = dayMs;
const holdLimits = { minMs: minuteMs, maxMs: 30 * dayMs };
const snoozeLimits = { minMs: minuteMs, maxMs: 7 * dayMs };

/** Code points of a reason; the whole of it stands in the comment. */
const reasonMax = 500;

interface Grammar<Kind extends Verb> {
  /** What follows the name, for people. */
  usage: string;
  /** A whole command, for people. */
  example: string;
  read(words: readonly string[], text: string): Extract<Command, { verb: Kind }> | ArgumentProblem;
}

/** In the order of the help. */
const grammar: { readonly [Kind in Verb]: Grammar<Kind> } = {
  help: { usage: '', example: 'help', read: () => ({ verb: 'help' }) },
  status: { usage: '', example: 'status', read: alone({ verb: 'status' }) },
  explain: { usage: '', example: 'explain', read: alone({ verb: 'explain' }) },
  revert: {
    usage: '[commit, pull request or ApplicationSet]',
    example: 'revert #412',
    read: readRevert,
  },
  restore: { usage: '', example: 'restore', read: alone({ verb: 'restore' }) },
  sync: {
    usage: '[stage or Application]',
    example: 'sync stage 2',
    read: (words) => {
      if (words.length === 0) return { verb: 'sync', place: null };
      const found = readPlace(words);
      if ('kind' in found) return found;
      const [word] = found.rest;
      return word === undefined ? { verb: 'sync', place: found.place } : { kind: 'unexpected', word };
    },
  },
  hold: {
    usage: '[duration]',
    example: 'hold 2h',
    read: (words) => {
      const forMs = words.length === 0 ? holdDefaultMs : readDuration(words, holdLimits);
      return typeof forMs === 'number' ? { verb: 'hold', forMs } : forMs;
    },
  },
  resume: { usage: '', example: 'resume', read: alone({ verb: 'resume' }) },
  snooze: {
    usage: '<Application or stage> <duration>',
    example: 'snooze staging 2h',
    read: (words) => {
      const found = readPlace(words);
      if ('kind' in found) return found;
      const forMs = readDuration(found.rest, snoozeLimits);
      return typeof forMs === 'number' ? { verb: 'snooze', place: found.place, forMs } : forMs;
    },
  },
  dismiss: {
    usage: '<reason>',
    example: 'dismiss the alert was a test',
    read: (_words, text) => readReason(text),
  },
  retry: { usage: '', example: 'retry', read: alone({ verb: 'retry' }) },
  freeze: { usage: '', example: 'freeze', read: alone({ verb: 'freeze' }) },
  thaw: { usage: '', example: 'thaw', read: alone({ verb: 'thaw' }) },
};

/** Every command there is, in the order of the help. */
export const verbs = Object.keys(grammar) as readonly Verb[];

function alone<Plain extends Command>(command: Plain): (words: readonly string[]) => Plain | ArgumentProblem {
  return ([word]) => (word === undefined ? command : { kind: 'unexpected', word });
}

/** `revert`, `revert #412`, `revert commit d2bf318`. */
function readRevert(words: readonly string[]): Extract<Command, { verb: 'revert' }> | ArgumentProblem {
  const [word, unexpected] = withoutKinds(words);
  if (unexpected !== undefined) return { kind: 'unexpected', word: unexpected };
  if (word === undefined) return { verb: 'revert', target: null };
  const target = readRevertTarget(word);
  return target === null ? { kind: 'not-one', expected: 'revert-target', word } : { verb: 'revert', target };
}

/** A commit and a pull request are told apart by how they look; people say it all the same. */
function withoutKinds(words: readonly string[]): readonly string[] {
  const from = words.findIndex((word) => !/^(?:commit|pr|pull|request)$/i.test(word));
  return from < 0 ? [] : words.slice(from);
}

function readReason(text: string): Extract<Command, { verb: 'dismiss' }> | ArgumentProblem {
  const reason = [...text.trim().replace(/\s+/g, ' ').toWellFormed()].slice(0, reasonMax).join('').trimEnd();
  // Copied from a text that tells how to use the command.
  if (/^<[^<>]*>$/.test(reason)) return { kind: 'not-one', expected: 'reason', word: reason };
  return /[\p{L}\p{N}]/u.test(reason) ? { verb: 'dismiss', reason } : { kind: 'missing', expected: 'reason' };
}

/**
 * A line that begins with a slash as a command or as what is wrong with it; null when it is not meant for us. Case does
 * not matter, look-alikes of other scripts are other letters. Never throws.
 */
export function parseCommand(line: string): Parsed | null {
  const [opening] = /^\s*\/stepback(?!\S)\s*/i.exec(line) ?? [];
  if (opening === undefined) return null;
  const text = line.slice(opening.length);
  const [typed = ''] = /^\S*/.exec(text) ?? [];
  const word = inLowerCase(wordsOf(typed)[0] ?? typed);
  const verb = word === '' ? 'help' : verbs.find((known) => known === word);
  if (verb === undefined) {
    const fault: CommandFault = { kind: 'unknown-verb', word: typed, suggestion: suggestionFor(word, verbs) };
    return { kind: 'fault', fault };
  }
  const rest = text.slice(typed.length);
  const read = grammar[verb].read(wordsOf(rest), rest);
  return 'verb' in read
    ? { kind: 'command', command: read }
    : { kind: 'fault', fault: { kind: 'wrong-arguments', verb, problem: read } };
}

/** The command as `parseCommand` reads it, without `/stepback`: `hold 1d`. It may hold text of somebody else. */
export function printCommand(command: Command): string {
  switch (command.verb) {
    case 'revert':
      return command.target === null ? 'revert' : `revert ${printRevertTarget(command.target)}`;
    case 'sync':
      return command.place === null ? 'sync' : `sync ${printPlace(command.place)}`;
    case 'hold':
      return `hold ${printDuration(command.forMs)}`;
    case 'snooze':
      return `snooze ${printPlace(command.place)} ${printDuration(command.forMs)}`;
    case 'dismiss':
      return `dismiss ${command.reason}`;
    case 'help':
    case 'status':
    case 'explain':
    case 'restore':
    case 'resume':
    case 'retry':
    case 'freeze':
    case 'thaw':
      return command.verb;
    default:
      return never(command);
  }
}

/** How a command is typed, for people: `hold [duration]`, and one that works. */
export function usageOf(verb: Verb): { usage: string; example: string } {
  const { usage, example } = grammar[verb];
  return { usage: usage === '' ? verb : `${verb} ${usage}`, example };
}
