/** Every request the small GitHub got, in order, so that a test can count calls and say what they were. */

export type JournalEntry = {
  number: number;
  /** Milliseconds of the clock that was handed in. */
  at: number;
  method: string;
  /** Without query and without the base path of GitHub Enterprise Server. */
  path: string;
  query: string;
  /** The template of the route, as in GitHub's OpenAPI description; undefined when nothing is served there. */
  route: string | undefined;
  body: unknown;
  /** 0 when the connection was cut without an answer. */
  status: number;
  /** True for what counts against 80 a minute and 500 an hour. */
  contentCreating: boolean;
  /** What a fault did to it, if one did. */
  fault: string | undefined;
  /** The login that asked: the bot, or the App's slug for calls with its JWT. */
  actor: string | undefined;
};

/** Narrows the journal: a method, and a path as text with `*` for one segment, or an expression. */
export type JournalFilter = { method?: string; path?: string | RegExp; status?: number; since?: number };

/** The requests so far. */
export class Journal {
  readonly entries: JournalEntry[] = [];
  readonly #listeners = new Set<(entry: JournalEntry) => void>();
  #total = 0;

  add(entry: Omit<JournalEntry, 'number'>): void {
    this.#total += 1;
    const added = { number: this.#total, ...entry };
    this.entries.push(added);
    for (const listener of [...this.#listeners]) listener(added);
  }

  /** Told of every later request when it has had its effect and before it is answered; returns the way to stop. */
  subscribe(listener: (entry: JournalEntry) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** The entries that fit, oldest first. */
  find(filter: JournalFilter = {}): JournalEntry[] {
    return this.entries.filter(
      (entry) =>
        (filter.method === undefined || entry.method === filter.method) &&
        (filter.path === undefined || pathMatches(filter.path, entry.path)) &&
        (filter.status === undefined || entry.status === filter.status) &&
        (filter.since === undefined || entry.at >= filter.since),
    );
  }

  count(filter: JournalFilter = {}): number {
    return this.find(filter).length;
  }

  /** Calls that created content, the ones GitHub limits to 80 a minute and 500 an hour. */
  contentCreating(): JournalEntry[] {
    return this.entries.filter((entry) => entry.contentCreating);
  }

  /** Forgets everything so far; numbers go on. */
  clear(): void {
    this.entries.length = 0;
  }
}

/** True when a path fits a pattern: an expression, or text in which `*` stands for one segment and `**` for any. */
export function pathMatches(pattern: string | RegExp, path: string): boolean {
  if (typeof pattern !== 'string') return pattern.test(path);
  const source = pattern
    .split(/(\*\*|\*)/)
    .map((part) =>
      part === '**' ? '.*' : part === '*' ? '[^/]+' : part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'),
    )
    .join('');
  return new RegExp(`^${source}$`).test(path);
}
