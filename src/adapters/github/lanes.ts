/**
 * How many requests may be on their way, and how often we may write. GitHub wants one writer at a time per
 * repository, at most 100 requests at once, and at most 80 content-creating calls a minute and 500 an hour:
 * https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api#about-secondary-rate-limits
 * Octokit's own throttling plugin is not used for this: it paces by real time that tests cannot step, in groups that
 * all clients of a process share, knows no limit by the hour, and repeats creates by itself.
 */
import type { Clock } from '../../ports.ts';

/** Runs work when there is room. Rejects with what the work rejects. */
export type Lane = <Value>(work: () => Promise<Value>) => Promise<Value>;

/** A lane that runs at most `width` works at once and the rest in the order they came. */
export function createLane(width: number): Lane {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (running >= width) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await work();
    } finally {
      // The place goes to the next in the queue, so nobody who comes now can overtake it.
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}

export interface Window {
  callsMax: number;
  perMs: number;
}

/** Of GitHub's documentation. */
export const contentWindows: readonly Window[] = [
  { callsMax: 80, perMs: 60_000 },
  { callsMax: 500, perMs: 3_600_000 },
];

export interface Budget {
  /** Takes the next free place and says how many milliseconds from now it is; null when that is over `waitMsMax`. */
  take(waitMsMax: number): number | null;
  /** How long until a place is free, in milliseconds. */
  waitMs(): number;
}

/** Places in several sliding windows at once. */
export function createBudget(windows: readonly Window[], clock: Clock): Budget {
  const longestMs = Math.max(...windows.map((window) => window.perMs));
  let taken: number[] = [];

  function nextPlace(): number {
    const now = clock.now();
    taken = taken.filter((at) => at > now - longestMs);
    let place = Math.max(now, taken.at(-1) ?? 0);
    for (const window of windows) {
      // Places are in order, so the window is full until the one `callsMax` places back has left it.
      const inTheWay = taken[taken.length - window.callsMax];
      if (inTheWay !== undefined) place = Math.max(place, inTheWay + window.perMs);
    }
    return place;
  }

  return {
    take(waitMsMax) {
      const place = nextPlace();
      const delayMs = place - clock.now();
      if (delayMs > waitMsMax) return null;
      taken.push(place);
      return delayMs;
    },
    waitMs: () => nextPlace() - clock.now(),
  };
}

/** Resolves after `delayMs` by the clock. */
export function wait(clock: Clock, delayMs: number): Promise<void> {
  return new Promise((resolve) => clock.after(delayMs, resolve));
}
