/**
 * The two clocks of the sandbox. Nothing in it asks the machine for the time or sets a timer by itself: it is handed one
 * of these. Tests and the seeded simulation step one from timer to timer; the sandbox that people look at runs one that
 * follows real time, faster if they want.
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

/** A clock that stands still until it is told to go on. `start` is in milliseconds since 1970. */
export function steppedClock(start: number): SteppedClock {
  let now = start;
  /** Soonest first; of two that are due together the one set first. */
  const timers: Timer[] = [];

  async function runNext(): Promise<void> {
    const timer = timers.shift();
    if (timer === undefined) return;
    now = Math.max(now, timer.at);
    await timer.task();
  }

  return {
    now: () => now,
    after: (ms, task) => {
      const timer = { at: now + Math.max(0, ms), task };
      const later = timers.findIndex(({ at }) => at > timer.at);
      timers.splice(later < 0 ? timers.length : later, 0, timer);
      return () => {
        const index = timers.indexOf(timer);
        if (index >= 0) timers.splice(index, 1);
      };
    },
    advance: async (ms) => {
      const until = now + ms;
      while ((timers[0]?.at ?? Number.POSITIVE_INFINITY) <= until) await runNext();
      now = until;
    },
    advanceUntil: async (condition, ms) => {
      const until = now + ms;
      while (!condition()) {
        if ((timers[0]?.at ?? Number.POSITIVE_INFINITY) > until) {
          now = until;
          return condition();
        }
        await runNext();
      }
      return true;
    },
    nextAt: () => timers[0]?.at,
  };
}

/** Node's timers take no more than this. */
const TIMEOUT_MS_MAX = 2 ** 31 - 1;

/**
 * A clock that follows real time `speed` times as fast, beginning at `start` (milliseconds since 1970). A task that
 * throws is an unhandled rejection: it must not pass unnoticed.
 */
export function scaledClock(options: { start: number; speed: number }): Clock {
  const origin = performance.now();
  const now = () => options.start + (performance.now() - origin) * options.speed;
  return {
    now,
    after: (ms, task) => {
      const at = now() + ms;
      let timer: NodeJS.Timeout;
      const arm = () => {
        const realMs = Math.max(0, at - now()) / options.speed;
        timer = setTimeout(
          () => {
            if (realMs > TIMEOUT_MS_MAX) arm();
            else void Promise.resolve().then(task);
          },
          Math.min(realMs, TIMEOUT_MS_MAX),
        );
      };
      arm();
      return () => clearTimeout(timer);
    },
  };
}
