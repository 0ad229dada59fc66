/**
 * A queue of keys as controllers have them: a key is waiting at most once, worked on by one worker at a time, and looked
 * at again when it was added meanwhile. Work may span several timers of the clock: it says itself when it is done. It
 * never waits for the clock, so a stepped clock can await all of it.
 */
import type { Clock } from '../clock.ts';

export type Work = (key: string, done: () => void) => void | Promise<void>;

export class WorkQueue {
  readonly #clock: Clock;
  readonly #delayMs: () => number;
  readonly #work: Work;
  readonly #waiting = new Map<string, () => void>();
  readonly #working = new Set<string>();
  readonly #dirty = new Set<string>();
  readonly #later = new Map<string, { at: number; cancel: () => void }>();
  #isStopped = false;

  /** `delayMs` is how long a key waits for a worker. */
  constructor(clock: Clock, delayMs: () => number, work: Work) {
    this.#clock = clock;
    this.#delayMs = delayMs;
    this.#work = work;
  }

  /** Nothing is waiting or being worked on; what was added for later does not count. */
  get isIdle(): boolean {
    return this.#waiting.size === 0 && this.#working.size === 0;
  }

  add(key: string): void {
    if (this.#isStopped || this.#waiting.has(key)) return;
    if (this.#working.has(key)) {
      this.#dirty.add(key);
      return;
    }
    this.#waiting.set(
      key,
      this.#clock.after(this.#delayMs(), () => {
        this.#waiting.delete(key);
        this.#working.add(key);
        return this.#work(key, () => this.#done(key));
      }),
    );
  }

  /** Adds the key in `ms`; of several such wishes the earliest counts. */
  addAfter(key: string, ms: number, run: () => void = () => this.add(key)): void {
    if (this.#isStopped) return;
    const at = this.#clock.now() + ms;
    const planned = this.#later.get(key);
    if (planned !== undefined && planned.at <= at) return;
    planned?.cancel();
    const cancel = this.#clock.after(ms, () => {
      this.#later.delete(key);
      run();
    });
    this.#later.set(key, { at, cancel });
  }

  /** Works on nothing more; what is being worked on ends by itself. */
  stop(): void {
    this.#isStopped = true;
    for (const cancel of this.#waiting.values()) cancel();
    for (const { cancel } of this.#later.values()) cancel();
    this.#waiting.clear();
    this.#later.clear();
  }

  #done(key: string): void {
    this.#working.delete(key);
    if (this.#dirty.delete(key)) this.add(key);
  }
}
