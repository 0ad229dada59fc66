/**
 * Tells listeners of writes, one write after the other. A listener that writes does not disturb the order: its event is delivered
 * after the one at hand has reached everybody.
 */
import type { StoreEvent } from './objects.ts';

export type StoreListener = (event: StoreEvent) => void;

export class Announcer {
  readonly #listeners = new Set<StoreListener>();
  readonly #undelivered: StoreEvent[] = [];
  #isDelivering = false;

  subscribe(listener: StoreListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  announce(event: StoreEvent): void {
    this.#undelivered.push(event);
    if (this.#isDelivering) return;
    this.#isDelivering = true;
    try {
      for (let next = this.#undelivered.shift(); next; next = this.#undelivered.shift()) {
        for (const listener of [...this.#listeners]) listener(next);
      }
    } finally {
      this.#isDelivering = false;
    }
  }
}
