/**
 * GitHub's limits for an installation: calls an hour, and calls that create content a minute and an hour.
 * https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api
 */

export type LimitSettings = {
  /** Calls an hour. */
  core: number;
  contentPerMinute: number;
  contentPerHour: number;
};

/** What GitHub grants a small installation. */
export const DEFAULT_LIMITS: LimitSettings = { core: 5_000, contentPerMinute: 80, contentPerHour: 500 };

export type LimitState = { limit: number; remaining: number; used: number; resetSeconds: number };

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

/** Who has spent how much. */
export class Limits {
  readonly settings: LimitSettings;
  readonly #windows = new Map<string, { used: number; resetAt: number }>();
  readonly #content = new Map<string, number[]>();

  constructor(settings: LimitSettings) {
    this.settings = settings;
  }

  /** Where a caller stands; `resource` is `core` or `graphql`. */
  state(caller: string, resource: string, now: number): LimitState {
    const window = this.#window(caller, resource, now);
    const limit = this.settings.core;
    return {
      limit,
      used: Math.min(window.used, limit),
      remaining: Math.max(0, limit - window.used),
      resetSeconds: Math.ceil(window.resetAt / 1000),
    };
  }

  /** Counts one call. False when it is over the hourly limit. */
  spend(caller: string, resource: string, now: number): boolean {
    const window = this.#window(caller, resource, now);
    window.used += 1;
    return window.used <= this.settings.core;
  }

  /** Gives one call back: an answer of 304 costs nothing. */
  refund(caller: string, resource: string, now: number): void {
    const window = this.#window(caller, resource, now);
    window.used = Math.max(0, window.used - 1);
  }

  /** Counts one call that creates content. False when GitHub would call it abuse. */
  spendContent(caller: string, now: number): boolean {
    const recent = (this.#content.get(caller) ?? []).filter((at) => at > now - HOUR_MS);
    const lastMinute = recent.filter((at) => at > now - MINUTE_MS).length;
    this.#content.set(caller, recent);
    if (recent.length >= this.settings.contentPerHour || lastMinute >= this.settings.contentPerMinute)
      return false;
    recent.push(now);
    return true;
  }

  /** Uses up what is left of the hour, for every caller that was ever seen. */
  exhaust(now: number): void {
    for (const window of this.#windows.values()) {
      window.used = this.settings.core;
      window.resetAt = Math.max(window.resetAt, now + MINUTE_MS);
    }
  }

  #window(caller: string, resource: string, now: number): { used: number; resetAt: number } {
    const key = `${caller} ${resource}`;
    const window = this.#windows.get(key);
    if (window !== undefined && window.resetAt > now) return window;
    const fresh = { used: 0, resetAt: now + HOUR_MS };
    this.#windows.set(key, fresh);
    return fresh;
  }
}
