/**
 * The two clocks of the sandbox. Nothing in it asks the machine for the time or sets a timer by itself: it is handed one
 * of these. Tests and the seeded simulation step one from timer to timer; the sandbox that people look at runs one that
 * follows real time, faster if they want. Both run one task at a time, in the order in which they are due, and at the
 * moment at which they are due: a task never sees a later time than that, however fast the clock runs.
 */

export type Task = () => void | Promise<void>;

export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Runs the task once, `ms` from now; returns the way to cancel it. */
  after(ms: number, task: Task): () => void;
}

export interface SteppedClock extends Clock {
  /** Runs what is due within the next `ms`, in order, awaiting each task; then the time is `ms` later. */
  advance(ms: number): Promise<void>;
  /** Runs timers one by one until the condition holds, at most for `ms`. Says whether it holds. */
  advanceUntil(condition: () => boolean, ms: number): Promise<boolean>;
  /** When the next timer is due, or undefined when there is none. */
  nextAt(): number | undefined;
}

interface Timer {
  at: number;
  task: Task;
}

/** Timers, the soonest first; of two that are due together the one set first. */
class Timers {
  readonly #waiting: Timer[] = [];

  get nextAt(): number | undefined {
    return this.#waiting[0]?.at;
  }

  /** Adds a timer; returns the way to cancel it. */
  add(timer: Timer): () => void {
    const later = this.#waiting.findIndex(({ at }) => at > timer.at);
    this.#waiting.splice(later < 0 ? this.#waiting.length : later, 0, timer);
    return () => {
      const index = this.#waiting.indexOf(timer);
      if (index >= 0) this.#waiting.splice(index, 1);
    };
  }

  /** Takes the first timer out if it is due at that time. */
  takeDue(at: number): Timer | undefined {
    return (this.nextAt ?? Number.POSITIVE_INFINITY) <= at ? this.#waiting.shift() : undefined;
  }
}

/** A clock that stands still until it is told to go on. `start` is in milliseconds since 1970. */
export function steppedClock(start: number): SteppedClock {
  let now = start;
  const timers = new Timers();

  async function runNext(until: number): Promise<boolean> {
    const timer = timers.takeDue(until);
    if (timer === undefined) return false;
    now = Math.max(now, timer.at);
    await timer.task();
    return true;
  }

  return {
    now: () => now,
    after: (ms, task) => timers.add({ at: now + Math.max(0, ms), task }),
    advance: async (ms) => {
      const until = now + ms;
      while (await runNext(until));
      now = until;
    },
    advanceUntil: async (condition, ms) => {
      const until = now + ms;
      while (!condition()) {
        if (await runNext(until)) continue;
        now = until;
        return condition();
      }
      return true;
    },
    nextAt: () => timers.nextAt,
  };
}

/** Node's timers take no more than this. */
const TIMEOUT_MS_MAX = 2 ** 31 - 1;

/** So long the running clock stands still for a task that waits for something, in real milliseconds. */
const PATIENCE_MS = 100;

/**
 * A clock that follows real time `speed` times as fast, beginning at `start` (milliseconds since 1970). When tasks take
 * longer than their time it falls behind and catches up, letting others work in between. It stands still while a task
 * reads from disk or network, but not for ever: what that task waits for may itself be waiting for the clock. A task
 * that throws is an unhandled rejection: it must not pass unnoticed.
 */
export function scaledClock(options: { start: number; speed: number }): Clock {
  const origin = performance.now();
  const timers = new Timers();
  let last = options.start;
  let isDraining = false;
  let alarm: NodeJS.Timeout | undefined;

  const elapsed = () => options.start + (performance.now() - origin) * options.speed;

  function now(): number {
    if (!isDraining) last = Math.max(last, Math.min(elapsed(), timers.nextAt ?? Number.POSITIVE_INFINITY));
    return last;
  }

  function arm(): void {
    clearTimeout(alarm);
    if (isDraining || timers.nextAt === undefined) return;
    const realMs = Math.max(0, timers.nextAt - elapsed()) / options.speed;
    alarm = setTimeout(() => void drain(), Math.min(realMs, TIMEOUT_MS_MAX));
  }

  async function drain(): Promise<void> {
    isDraining = true;
    for (let timer = timers.takeDue(elapsed()); timer !== undefined; timer = timers.takeDue(elapsed())) {
      last = Math.max(last, timer.at);
      await patiently(timer.task());
      await new Promise((resolve) => setImmediate(resolve));
    }
    isDraining = false;
    arm();
  }

  return {
    now,
    after: (ms, task) => {
      const cancel = timers.add({ at: now() + Math.max(0, ms), task });
      arm();
      return cancel;
    },
  };
}

async function patiently(outcome: void | Promise<void>): Promise<void> {
  if (outcome === undefined) return;
  let patience: NodeJS.Timeout | undefined;
  const enough = new Promise<void>((resolve) => {
    patience = setTimeout(resolve, PATIENCE_MS);
  });
  await Promise.race([outcome, enough]);
  clearTimeout(patience);
}
