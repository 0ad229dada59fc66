/**
 * One kind of object over the whole cluster, or over the namespaces that Stepback may look into: over those it
 * was told, or, where the whole cluster is forbidden, over the one that Argo CD lives in (KW05). A right that is granted later
 * is noticed without a restart.
 */
import type { Clock, Sight } from '../../ports.ts';
import { pause } from './back-off.ts';
import type { Feed } from './feed.ts';
import type { Indexed } from './object-index.ts';

export interface ScopedFeedOptions<Item extends Indexed> {
  /** Null: all, as far as that is allowed. */
  namespaces: readonly string[] | null;
  /** Where to look when the whole cluster is forbidden. */
  fallbackNamespace: string;
  makeFeed(namespace: string | null): Feed<Item>;
  /** Whether the whole cluster may be listed by now. Never throws. */
  mayListAll(signal: AbortSignal): Promise<boolean>;
  /** What is seen instead, for people. */
  narrowNotice: string;
  clock: Clock;
  retryMs: number;
}

export class ScopedFeed<Item extends Indexed> {
  readonly #options: ScopedFeedOptions<Item>;
  #feeds: readonly Feed<Item>[];
  #isNarrow = false;

  constructor(options: ScopedFeedOptions<Item>) {
    this.#options = options;
    const scopes = options.namespaces ?? [null];
    this.#feeds = scopes.map((namespace) => options.makeFeed(namespace));
  }

  /** The oldest of its views, and everything that keeps any of them from seeing. */
  sight(): Sight {
    return combinedSight(this.#feeds.map((feed) => feed.sight()));
  }

  notices(): readonly string[] {
    const notices = this.#feeds.flatMap((feed) => feed.notices());
    return this.#isNarrow ? [this.#options.narrowNotice, ...notices] : notices;
  }

  /** Runs until `signal` aborts. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const endings = await Promise.all(this.#feeds.map((feed) => feed.run(signal)));
      if (!endings.includes('forbidden')) return;
      await this.#runNarrow(signal);
    }
  }

  async #runNarrow(signal: AbortSignal): Promise<void> {
    const { makeFeed, fallbackNamespace } = this.#options;
    const narrow = new AbortController();
    const stop = () => narrow.abort();
    signal.addEventListener('abort', stop, { once: true });
    this.#isNarrow = true;
    this.#feeds = [makeFeed(fallbackNamespace)];
    const running = Promise.all(this.#feeds.map((feed) => feed.run(narrow.signal)));
    try {
      await Promise.race([running, this.#untilAllowed(narrow.signal)]);
    } finally {
      stop();
      signal.removeEventListener('abort', stop);
    }
    await running;
    this.#isNarrow = false;
    this.#feeds = [makeFeed(null)];
  }

  async #untilAllowed(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await pause(this.#options.clock, this.#options.retryMs, signal);
      if (signal.aborted || (await this.#options.mayListAll(signal))) return;
    }
  }
}

/** The view of several feeds is as old as the oldest, and blind when any of them is. */
export function combinedSight(sights: readonly Sight[]): Sight {
  const sentences = new Set(sights.map((sight) => sight.blindness).filter((sentence) => sentence !== null));
  return {
    lastHeardAt: Math.min(...sights.map((sight) => sight.lastHeardAt)),
    blindness: sentences.size === 0 ? null : [...sentences].join(' '),
  };
}
