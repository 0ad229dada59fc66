/**
 * What happens in a round, drawn from a seed: where the bad commit fails, who dies at which call, what a person types. The
 * processes live in real time, so the same seed gives the same plans, and much the same run.
 */
import type { Random } from '../../src/sandbox/argocd/habits.ts';

/** A moment of a round: the `nth` call that names its repository or its ApplicationSet. */
export interface Moment {
  nth: number;
  /** Only calls that change something count. */
  isWrite: boolean;
}

export interface Ending extends Moment {
  /** Most lose their machine; some are drained, as in a rolling update. */
  signal: 'SIGKILL' | 'SIGTERM';
  whom: 'acting' | 'all';
  /** Whether it is started when another one acts; else at once. */
  isBackLater: boolean;
}

export interface Plan {
  name: string;
  lane: number;
  failsOn: 'dev' | 'staging' | 'prod';
  /** The steps that have not got the bad commit are held. */
  isFrozen: boolean;
  /** Before the revert is merged, the first always a kill. */
  before: readonly Ending[];
  after: readonly Ending[];
  /** When somebody types `/stepback status`; null: nobody does. */
  asks: Moment | null;
}

/** Rounds that go on at once, each in a lane of its own. */
export function drawPlans(numbers: readonly number[], random: Random): readonly Plan[] {
  return numbers.map((number, index) => {
    const isFrozen = random() < 0.4;
    const stages = isFrozen ? (['dev', 'staging'] as const) : (['dev', 'staging', 'prod'] as const);
    return {
      name: `app-${String(number).padStart(2, '0')}`,
      lane: index + 1,
      failsOn: oneOf(stages, random),
      isFrozen,
      before: [{ ...drawEnding(random), signal: 'SIGKILL' }, ...(random() < 0.2 ? [drawEnding(random)] : [])],
      after: random() < 0.25 ? [drawEnding(random)] : [],
      asks: random() < 0.5 ? drawMoment(random) : null,
    };
  });
}

function drawEnding(random: Random): Ending {
  return {
    ...drawMoment(random),
    signal: random() < 0.3 ? 'SIGTERM' : 'SIGKILL',
    whom: random() < 0.15 ? 'all' : 'acting',
    isBackLater: random() < 0.4,
  };
}

/** As many as an incident takes, more or less; what is not reached happens when the incident was answered. */
function drawMoment(random: Random): Moment {
  const isWrite = random() < 0.6;
  return { isWrite, nth: 1 + Math.floor(random() * (isWrite ? 14 : 60)) };
}

function oneOf<Value>(values: readonly Value[], random: Random): Value {
  return values[Math.floor(random() * values.length)] as Value;
}
