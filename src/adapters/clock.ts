/**
 * The time of the machine, as the Clock port. Everything else gets its time handed in, so that tests and the
 * simulation can step it.
 */
import type { Clock } from '../ports.ts';

/** Node keeps delays in 32 bits and runs longer ones at once. */
const delayMsMax = 2 ** 31 - 1;

/** Milliseconds since the epoch, and timers of any length. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after(delayMs, run) {
    let timer: NodeJS.Timeout | undefined;
    const wait = (restMs: number) => {
      timer = setTimeout(
        () => (restMs > delayMsMax ? wait(restMs - delayMsMax) : run()),
        Math.min(Math.max(0, restMs), delayMsMax),
      );
    };
    wait(delayMs);
    return () => clearTimeout(timer);
  },
};
