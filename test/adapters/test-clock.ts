/** A clock that only a test moves, and that tells when somebody has begun to wait. */
import type { Clock } from '../../src/ports.ts';
import { Happenings } from './happenings.ts';

/** Timers beside a connection: how long an answer or a watch may be silent, and when a watch has proven its life. */
const guards = [25_000, 100_000, 2_500];

interface Timer {
  at: number;
  delayMs: number;
  run: () => void;
}

export class TestClock implements Clock {
  #now: number;
  readonly #timers = new Set<Timer>();
  readonly #happenings = new Happenings();

  constructor(start: string | number = '2026-12-01T12:00:00Z') {
    this.#now = typeof start === 'number' ? start : Date.parse(start);
  }

  now(): number {
    return this.#now;
  }

  after(delayMs: number, run: () => void): () => void {
    const timer = { at: this.#now + delayMs, delayMs, run };
    this.#timers.add(timer);
    this.#happenings.happened();
    return () => {
      this.#timers.delete(timer);
    };
  }

  /** Runs what is due within the next `durationMs`, in order. */
  advance(durationMs: number): void {
    const until = this.#now + durationMs;
    for (;;) {
      const due = [...this.#timers].filter((timer) => timer.at <= until).sort((a, b) => a.at - b.at)[0];
      if (due === undefined) break;
      this.#timers.delete(due);
      this.#now = due.at;
      due.run();
    }
    this.#now = until;
  }

  /** Resolves when it is true at a moment when somebody sets a timer. */
  until(condition: () => boolean): Promise<void> {
    return this.#happenings.until(condition);
  }

  /** The delay of a timer that runs now or is set next and fits. */
  async timer(fits: (delayMs: number) => boolean): Promise<number> {
    const find = () => [...this.#timers].find((timer) => fits(timer.delayMs));
    await this.#happenings.until(() => find() !== undefined);
    return find()?.delayMs ?? 0;
  }

  /** Waits until somebody pauses (a timer that guards nothing), and lets that time pass. */
  async passPause(): Promise<number> {
    const delayMs = await this.timer((delay) => !guards.includes(delay));
    this.advance(delayMs);
    return delayMs;
  }

  /** Lets every pause pass as soon as somebody makes one. */
  async passPausesUntil(isOver: () => boolean): Promise<void> {
    const isPause = (timer: Timer) => !guards.includes(timer.delayMs);
    for (;;) {
      await this.until(() => isOver() || [...this.#timers].some(isPause));
      if (isOver()) return;
      const next = [...this.#timers].filter(isPause).sort((one, other) => one.at - other.at)[0];
      this.advance(Math.max(0, (next?.at ?? this.#now) - this.#now));
    }
  }
}
