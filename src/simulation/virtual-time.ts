/**
 * Time that passes only from timer to timer. The world's own tasks are short and say when they are done; what Stepback
 * does is a chain of promises, so after each of its timers everything that can go on is let go on before time
 * passes again. Nothing depends on how fast the machine is.
 */

import type { Clock as HostClock } from '../ports.ts';
import type { Clock as WorldClock } from '../sandbox/clock.ts';

interface Timer {
  at: number;
  order: number;
  run: (() => void | Promise<void>) | null;
  /** Promises of Stepback go on from it. */
  wakesHost: boolean;
}

export class VirtualTime {
  #now: number;
  #order = 0;
  #isTurnNeeded = false;
  readonly #heap: Timer[] = [];
  /** Timers that ran, for measuring. */
  ran = 0;

  constructor(start: number) {
    this.#now = start;
  }

  now(): number {
    return this.#now;
  }

  /** The clock of clusters, of GitHub and of people. */
  readonly world: WorldClock = {
    now: () => this.#now,
    after: (ms, task) => this.#add(ms, task, false),
  };

  /** The clock of the machine on which a Stepback runs: ahead of the world by `skewMs`. */
  host(skewMs: number): HostClock {
    return {
      now: () => this.#now + skewMs,
      after: (ms, run) => this.#add(ms, run, true),
    };
  }

  /** Something was told to Stepback: it goes on before time passes. */
  wakeHost(): void {
    this.#isTurnNeeded = true;
  }

  /** Runs what is due until then, in order; then it is that time. */
  async runUntil(at: number): Promise<void> {
    await this.#turn();
    for (let timer = this.#heap[0]; timer !== undefined && timer.at <= at; timer = this.#heap[0]) {
      this.#takeFirst();
      const { run } = timer;
      if (run === null) continue;
      timer.run = null;
      this.#now = Math.max(this.#now, timer.at);
      this.ran += 1;
      const outcome = run();
      if (outcome !== undefined) await outcome;
      if (timer.wakesHost || this.#isTurnNeeded) await this.#turn();
    }
    this.#now = at;
  }

  /** Lets every promise that can go on do so. */
  #turn(): Promise<void> {
    this.#isTurnNeeded = false;
    return new Promise((resolve) => setImmediate(resolve));
  }

  #add(ms: number, run: Timer['run'], wakesHost: boolean): () => void {
    this.#order += 1;
    const timer: Timer = { at: this.#now + Math.max(0, ms), order: this.#order, run, wakesHost };
    const heap = this.#heap;
    let index = heap.push(timer) - 1;
    while (index > 0) {
      const above = (index - 1) >> 1;
      if (!isBefore(timer, heap[above]!)) break;
      heap[index] = heap[above]!;
      index = above;
    }
    heap[index] = timer;
    return () => {
      timer.run = null;
    };
  }

  #takeFirst(): void {
    const heap = this.#heap;
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return;
    let index = 0;
    for (;;) {
      const left = 2 * index + 1;
      if (left >= heap.length) break;
      const right = left + 1;
      const least = right < heap.length && isBefore(heap[right]!, heap[left]!) ? right : left;
      if (!isBefore(heap[least]!, last)) break;
      heap[index] = heap[least]!;
      index = least;
    }
    heap[index] = last;
  }
}

function isBefore(one: Timer, other: Timer): boolean {
  return one.at < other.at || (one.at === other.at && one.order < other.order);
}
