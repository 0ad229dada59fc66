/**
 * What goes wrong between Stepback and the world, call by call: an answer that is late, old or a refusal, a time-out after the
 * effect has happened, and a process that dies in the middle. The dice of the seed decide; nothing here knows what a call means.
 */
import { WorldProblem } from '../ports.ts';
import type { Dice } from './dice.ts';

/** Probabilities, for each call. */
export interface Trouble {
  /** A 5xx, a 409, a broken connection: nothing happened. */
  failsBefore: number;
  /** A time-out: it happened, and nobody says so. */
  failsAfter: number;
  /** A 422 for no reason that we know: it will be so again. Of writes. */
  refused: number;
  /** A secondary limit, with the time that is asked for. Of writes. */
  limited: number;
  /** A replica that lags answers. Of reads of GitHub. */
  stale: number;
  /** The process dies just before or just after. */
  crash: number;
  /** A push or pull request event that never comes, and one that comes twice; the same of nudges. */
  lost: number;
  doubled: number;
}

export const noTrouble: Trouble = {
  failsBefore: 0,
  failsAfter: 0,
  refused: 0,
  limited: 0,
  stale: 0,
  crash: 0,
  lost: 0,
  doubled: 0,
};

/** How far a replica of GitHub lags at the most. */
export const staleMsMax = 4_000;

export type Fate =
  | { kind: 'answered' }
  | { kind: 'stale'; lagMs: number }
  | { kind: 'fails-before' | 'fails-after'; problem: WorldProblem }
  | { kind: 'dies-before' | 'dies-after' };

/** So many times as often does a process die around a write. */
const writeCrashes = 8;

/** The fate of one call. */
export function fateOf(dice: Dice, trouble: Trouble, call: { what: string; isWrite: boolean }): Fate {
  const roll = dice.random();
  const { failsBefore, failsAfter, refused, limited, stale } = trouble;
  // There are few writes, and what is lost between two of them is what matters.
  const crash = trouble.crash * (call.isWrite ? writeCrashes : 1);
  let below = crash / 2;
  const isBelow = (share: number): boolean => {
    below += share;
    return roll < below;
  };
  if (roll < below) return { kind: 'dies-before' };
  if (isBelow(crash / 2)) return { kind: 'dies-after' };
  if (isBelow(failsBefore)) return { kind: 'fails-before', problem: transient(call.what, 'answered 502') };
  if (isBelow(failsAfter))
    return { kind: 'fails-after', problem: transient(call.what, 'did not answer in time') };
  if (!call.isWrite)
    return isBelow(stale) ? { kind: 'stale', lagMs: dice.between(1, staleMsMax) } : { kind: 'answered' };
  if (isBelow(refused))
    return {
      kind: 'fails-before',
      problem: new WorldProblem('permanent', `${call.what} was refused with 422.`),
    };
  if (isBelow(limited)) {
    const options = { retryAfterMs: dice.between(5, 90) * 1000 };
    return {
      kind: 'fails-before',
      problem: new WorldProblem('transient', `${call.what} met a secondary limit.`, options),
    };
  }
  return { kind: 'answered' };
}

function transient(what: string, how: string): WorldProblem {
  return new WorldProblem('transient', `${what}: the world ${how}.`);
}
