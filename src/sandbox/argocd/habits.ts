/**
 * How the simulated Argo CD behaves where the real one is a matter of luck: how long things take, in which order
 * Applications notice a push, what is overlooked. All of it comes from a random source that is handed in, so one seed
 * gives one run.
 */

/** A number in [0, 1), as `Math.random` gives. */
export type Random = () => number;

export interface Habits {
  /** From the push to the refresh annotations. Seen: 500 to 800 ms. */
  webhookDelayMs: number;
  /**
   * From the first Application that notices a push to the last. Together (seen: 40 ms) some rollouts begin in a later
   * stage by luck; one by one, as with polling, most do (prod-gets-it-first).
   */
  noticeSpreadMs: number;
  /** Names of Applications that notice before all others, in this order. */
  noticeFirst: string[];
  /** How much earlier each of those notices than the next one. */
  noticeLeadMs: number;
  /** Chance that a requested operation is overlooked until something else wakes its Application (render-error, 32 s). */
  missedWakeUps: number;
  /** How often an Application is compared without being asked: `timeout.reconciliation`, and its jitter on top. */
  pollMs: number;
  pollJitterMs: number;
  /** A factor on all durations of work. */
  slowness: number;
}

/** What a well-behaved Argo CD does by default; the times are those of the recordings. */
export const GOOD_HABITS: Habits = {
  webhookDelayMs: 550,
  noticeSpreadMs: 40,
  noticeFirst: [],
  noticeLeadMs: 700,
  missedWakeUps: 0,
  pollMs: 120_000,
  pollJitterMs: 60_000,
  slowness: 1,
};

/** Durations of work in milliseconds, from quickest to slowest, as far as the recordings tell. */
export const DURATIONS = {
  /** Until a change has come through the watch and the queue. */
  notice: [4, 25],
  /** Until a change in a cluster has come through Argo CD's cluster cache, which gathers events for 100 ms. */
  watch: [30, 160],
  /** One write of the ApplicationSet controller after the other. */
  write: [8, 30],
  /** Until an operation is looked at, or looked at again. */
  pickUp: [10, 110],
  /** A comparison. */
  compare: [40, 380],
  /** From the start of an operation until its manifests are applied. */
  sync: [180, 1400],
  /** From there until Argo CD writes down that all of it worked. */
  result: [10, 120],
  /** The same where not all of it worked: its objects can be seen to be Degraded before that (sync-failed-exhausted). */
  failure: [50, 600],
  /** From the history entry, or from a look at a running hook, to the state of the operation. */
  finish: [15, 60],
} as const;

/** A random duration of a kind of work. */
export function duration(kind: keyof typeof DURATIONS, random: Random, habits: Habits): number {
  const [least, most] = DURATIONS[kind];
  return Math.round((least + random() * (most - least)) * habits.slowness);
}

/** A seeded random source (mulberry32, public domain). */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
