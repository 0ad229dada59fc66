/**
 * Notices that nothing comes any more. A connection through a proxy or to a machine that is gone can stay open and
 * silent for hours (KW03). Hearing something costs no timer: the one that runs looks when something was heard last.
 */
import type { Clock } from '../../ports.ts';

export class SilenceGuard {
  readonly #clock: Clock;
  readonly #silenceMs: number;
  readonly #onSilence: () => void;
  #heardAt: number;
  #cancel: () => void;

  /** Calls `onSilence` once when `heard` was not called for `silenceMs`. */
  constructor(clock: Clock, silenceMs: number, onSilence: () => void) {
    this.#clock = clock;
    this.#silenceMs = silenceMs;
    this.#onSilence = onSilence;
    this.#heardAt = clock.now();
    this.#cancel = clock.after(silenceMs, () => this.#look());
  }

  heard(): void {
    this.#heardAt = this.#clock.now();
  }

  stop(): void {
    this.#cancel();
  }

  #look(): void {
    const leftMs = this.#heardAt + this.#silenceMs - this.#clock.now();
    if (leftMs <= 0) this.#onSilence();
    else this.#cancel = this.#clock.after(leftMs, () => this.#look());
  }
}
