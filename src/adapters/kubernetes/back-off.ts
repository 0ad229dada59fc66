/**
 * How long to wait before the next try. An API server that has just come back is met by every client at once, and a
 * proxy can answer 200 and close, again and again (KW04): so the wait doubles, also after ends that look clean, and
 * is spread at random.
 */
import type { Clock } from '../../ports.ts';

export interface BackOffLimits {
  delayMsMin: number;
  delayMsMax: number;
}

export const defaultBackOffLimits: BackOffLimits = { delayMsMin: 1_000, delayMsMax: 30_000 };

/** No server may put us to sleep for longer. */
const retryAfterMsMax = 300_000;

/** Share of a delay that chance adds or takes away. */
const spread = 0.2;

export class BackOff {
  readonly #random: () => number;
  readonly #limits: BackOffLimits;
  #failures = 0;

  /** `random` gives numbers from 0 to less than 1. */
  constructor(random: () => number, limits: BackOffLimits = defaultBackOffLimits) {
    this.#random = random;
    this.#limits = limits;
  }

  /** The wait in milliseconds after one more failed try; never shorter than what the server asked for. */
  failed(retryAfterMs: number | null = null): number {
    const delayMs = Math.min(this.#limits.delayMsMin * 2 ** this.#failures, this.#limits.delayMsMax);
    this.#failures = Math.min(this.#failures + 1, 30);
    return Math.max(this.#spread(delayMs), Math.min(retryAfterMs ?? 0, retryAfterMsMax));
  }

  /** The next failure is the first one. */
  reset(): void {
    this.#failures = 0;
  }

  /** The wait in milliseconds after a try that went well: the shortest one, so that nothing ever spins. */
  succeeded(): number {
    this.reset();
    return this.#spread(this.#limits.delayMsMin);
  }

  #spread(delayMs: number): number {
    return Math.round(delayMs * (1 - spread + 2 * spread * this.#random()));
  }
}

/** Waits by the Clock; returns early when `signal` aborts. */
export function pause(clock: Clock, delayMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const finish = () => {
      cancel();
      signal.removeEventListener('abort', finish);
      resolve();
    };
    const cancel = clock.after(delayMs, finish);
    signal.addEventListener('abort', finish, { once: true });
  });
}
