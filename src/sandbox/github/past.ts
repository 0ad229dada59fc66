/**
 * Earlier states, kept only while a fault may ask for them: GitHub reads from replicas, and a read right after a
 * write can show what was there before.
 */
import type { State } from './state.ts';

/** More changes than this are never looked back over. */
const KEPT_MAX = 50;

/** The last states, newest last. */
export class Past {
  /** Each with the time until which it was true, oldest first. */
  readonly #states: { until: number; state: State }[] = [];

  /** Sets the state aside just before it changes. */
  keep(state: State, now: number): void {
    this.#states.push({ until: now, state: structuredClone(state) });
    if (this.#states.length > KEPT_MAX) this.#states.shift();
  }

  /** The state of that time, or undefined when nothing has changed since. */
  at(time: number): State | undefined {
    return this.#states.find(({ until }) => until > time)?.state;
  }

  /** The state before the last `writes` changes; the oldest known when there were fewer. */
  before(writes: number): State | undefined {
    return this.#states.at(-writes)?.state ?? this.#states[0]?.state;
  }

  clear(): void {
    this.#states.length = 0;
  }
}
