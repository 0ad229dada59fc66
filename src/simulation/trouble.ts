/**
 * What goes wrong between Stepback and the world, call by call: an answer that is late, old or a refusal, a time-out after the
 * effect has happened, and a process that dies in the middle. The dice of the seed decide; nothing here knows what a call means.
 */
import { WorldProblem } from '../ports.ts';
import type { Dice } from './dice.ts';
import type { FaultKind } from './tally.ts';

/** Probabilities, for each call. */
export interface Trouble {
  /** A 5xx, a broken connection, a 409 or an expired list (410): nothing happened. */
  failsBefore: number;
  /** A time-out: it happened, and nobody says so. */
  failsAfter: number;
  /** A 422 for no reason that we know: it will be so again. Of writes. */
  refused: number;
  /** A secondary limit (403, 429), with the time that is asked for. */
  limited: number;
  /** A replica that lags answers. Of reads of GitHub. */
  stale: number;
  /** The process dies just before or just after. */
  crash: number;
  /** Somebody else writes the same thing just before. Of writes. */
  rival: number;
  /** A webhook that never comes or that nobody answers, and one that comes twice; the same of nudges. */
  lost: number;
  doubled: number;
  /** News of the cluster that is under way for seconds. */
  late: number;
}

export const noTrouble: Trouble = {
  failsBefore: 0,
  failsAfter: 0,
  refused: 0,
  limited: 0,
  stale: 0,
  crash: 0,
  rival: 0,
  lost: 0,
  doubled: 0,
  late: 0,
};

/** How far a replica of GitHub lags at the most. */
export const staleMsMax = 4_000;

export type Fate =
  | { kind: 'answered' }
  | { kind: 'stale'; lagMs: number; fault: FaultKind }
  | { kind: 'fails-before' | 'fails-after'; problem: WorldProblem; fault: FaultKind }
  | { kind: 'dies-before' | 'dies-after'; fault: FaultKind };

/** So many times as often does a process die around a write. */
const writeCrashes = 8;

/** What a call that fails at once is answered with. */
const failures = [
  ['5xx', 'answered 502'],
  ['5xx', 'answered 503'],
  ['no-connection', 'closed the connection'],
  ['409', 'answered 409, because something changed at the same moment'],
] as const;
/** A list of objects that is read in pages expires half way. */
const expired = ['410', 'answered 410, because the list is too old'] as const;

/** The fate of one call. `isListing`: it reads objects of the cluster in pages. */
export function fateOf(
  dice: Dice,
  trouble: Trouble,
  call: { what: string; isWrite: boolean; isListing: boolean },
): Fate {
  const roll = dice.random();
  const { failsBefore, failsAfter, refused, limited, stale } = trouble;
  const when = call.isWrite ? 'write' : 'read';
  // There are few writes, and what is lost between two of them is what matters.
  const crash = trouble.crash * (call.isWrite ? writeCrashes : 1);
  let below = crash / 2;
  const isBelow = (share: number): boolean => {
    below += share;
    return roll < below;
  };
  if (roll < below) return { kind: 'dies-before', fault: `crash-before-${when}` };
  if (isBelow(crash / 2)) return { kind: 'dies-after', fault: `crash-after-${when}` };
  if (isBelow(failsBefore)) {
    const [fault, how] = dice.pick(call.isListing ? [...failures, expired] : failures);
    return { kind: 'fails-before', problem: transient(call.what, how), fault };
  }
  if (isBelow(failsAfter)) {
    const problem = transient(call.what, 'did not answer in time');
    return { kind: 'fails-after', problem, fault: 'time-out-after-the-effect' };
  }
  if (isBelow(call.isWrite ? limited : limited / 4)) {
    const options = { retryAfterMs: dice.between(5, 90) * 1000 };
    const problem = new WorldProblem('transient', `${call.what} met a secondary limit.`, options);
    return { kind: 'fails-before', problem, fault: '403-limit' };
  }
  if (!call.isWrite)
    return isBelow(stale)
      ? { kind: 'stale', lagMs: dice.between(1, staleMsMax), fault: 'old-answer' }
      : { kind: 'answered' };
  if (isBelow(refused)) {
    const problem = new WorldProblem('permanent', `${call.what} was refused with 422.`);
    return { kind: 'fails-before', problem, fault: '422' };
  }
  return { kind: 'answered' };
}

function transient(what: string, how: string): WorldProblem {
  return new WorldProblem('transient', `${what}: the world ${how}.`);
}
