/**
 * Lets the sandbox's time pass. The clock is stepped, so nothing happens between two of its timers and what people see
 * does not depend on how fast the machine is; the conductor decides how long a second of the story lasts on the wall.
 */
import type { SteppedClock } from './clock.ts';

export interface Conductor {
  /** Lets `ms` of the story pass. */
  pass(ms: number): Promise<void>;
  /** Lets time pass until the condition holds; false when `msMax` of the story went by without it. */
  until(condition: () => boolean, msMax: number): Promise<boolean>;
  /** Goes on by itself, for people who watch and click, until `signal` aborts. */
  keepGoing(signal: AbortSignal): Promise<void>;
  /** Seconds of the story in a second on the wall from now on; Infinity never waits. */
  setSpeed(speed: number): void;
}

export interface ConductorOptions {
  clock: SteppedClock;
  /** Resolves when nothing is under way. */
  settled(): Promise<void>;
  /** Seconds of the story in a second on the wall; Infinity never waits. */
  speed: number;
}

/** Waits on the wall are cut to this, so that the display stays alive. */
const waitMsMax = 200;

export function conduct({ clock, settled, speed: firstSpeed }: ConductorOptions): Conductor {
  let speed = firstSpeed;
  let dueOnWall = performance.now();

  /** One timer of the story, or the part of the way to it that fits into `msMax`. Gives what passed. */
  async function step(msMax: number): Promise<number> {
    const next = clock.nextAt();
    const ms = Math.max(
      0,
      Math.min(
        msMax,
        next === undefined ? msMax : next - clock.now(),
        speed === Number.POSITIVE_INFINITY ? msMax : waitMsMax * speed,
      ),
    );
    await waitOnWall(ms);
    await clock.advance(ms);
    return ms;
  }

  async function waitOnWall(ms: number): Promise<void> {
    if (speed === Number.POSITIVE_INFINITY) return;
    const now = performance.now();
    dueOnWall = Math.max(dueOnWall, now - waitMsMax) + ms / speed;
    if (dueOnWall > now + 1) await new Promise((resolve) => setTimeout(resolve, dueOnWall - now));
  }

  async function until(condition: () => boolean, msMax: number): Promise<boolean> {
    let left = msMax;
    for (;;) {
      await settled();
      if (condition()) return true;
      if (left <= 0) return false;
      left -= await step(left);
    }
  }

  return {
    until,
    async pass(ms) {
      const end = clock.now() + ms;
      await until(() => clock.now() >= end, ms);
    },
    async keepGoing(signal) {
      while (!signal.aborted) {
        await settled();
        await step(1_000);
      }
    },
    setSpeed(next) {
      speed = next;
      dueOnWall = performance.now();
    },
  };
}
