/** What was asked of the small API server, for tests that count and order requests. */
import type { ApiVerb } from './api-path.ts';

export interface JournalEntry {
  /** From 1, in the order of arrival. */
  number: number;
  /** Of the server's clock. */
  atMs: number;
  method: string;
  /** With the query. */
  path: string;
  verb?: ApiVerb;
  resource?: string;
  namespace?: string;
  name?: string;
  subresource?: string;
  user?: string;
  accept?: string;
  body?: unknown;
  /** Absent while there is no answer, and for ever when the connection broke before. */
  status?: number;
  /** True when the whole answer was sent, or the connection is gone. */
  isOver: boolean;
}

const ENTRIES_MAX = 50_000;

export class Journal {
  /** The latest requests, oldest first. */
  readonly entries: JournalEntry[] = [];
  #count = 0;
  readonly #waiting = new Set<() => void>();
  readonly #listeners = new Set<(entry: JournalEntry) => void>();

  /** Opens an entry; the server fills it in as the answer goes out. */
  open(entry: Omit<JournalEntry, 'number' | 'isOver'>): JournalEntry {
    this.#count += 1;
    const opened: JournalEntry = { number: this.#count, ...entry, isOver: false };
    this.entries.push(opened);
    if (this.entries.length > ENTRIES_MAX) this.entries.shift();
    for (const check of [...this.#waiting]) check();
    for (const listener of [...this.#listeners]) listener(opened);
    return opened;
  }

  /** Told of every later request as it arrives, before it has any effect; returns the way to stop. */
  subscribe(listener: (entry: JournalEntry) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** All entries in which these fields have these values. */
  find(wanted: Partial<JournalEntry>): JournalEntry[] {
    const fields = Object.entries(wanted);
    return this.entries.filter((entry) =>
      fields.every(([field, value]) => entry[field as keyof JournalEntry] === value),
    );
  }

  /** Resolves as soon as so many requests with these values have arrived, those of the past included. */
  async arrived(wanted: Partial<JournalEntry>, count = 1): Promise<JournalEntry[]> {
    while (this.find(wanted).length < count) {
      await new Promise<void>((resolve) => {
        const check = () => {
          this.#waiting.delete(check);
          resolve();
        };
        this.#waiting.add(check);
      });
    }
    return this.find(wanted);
  }

  clear(): void {
    this.entries.length = 0;
  }
}
