/** A mailbox in memory: posting a name once is the claim, settling is fenced, and what is settled is kept for whoever counts. */
import type { Letter, LetterOutcome, Mailbox } from '../ports/mailbox.ts';
import type { Stored } from '../ports.ts';

interface Kept {
  letter: Letter;
  version: number;
  answer: { outcomes: readonly LetterOutcome[]; replyId: number | null; at: number } | null;
}

export class MemoryMailbox implements Mailbox {
  readonly #kept = new Map<string, Kept>();

  async post(letter: Letter): Promise<'posted' | 'known'> {
    if (this.#kept.has(letter.id)) return 'known';
    this.#kept.set(letter.id, { letter, version: 1, answer: null });
    return 'posted';
  }

  async waiting(): Promise<readonly Stored<Letter>[]> {
    return [...this.#kept.values()]
      .filter(({ answer }) => answer === null)
      .map(({ letter, version }) => ({ value: letter, version: String(version) }))
      .sort(
        ({ value: one }, { value: other }) =>
          one.receivedAt - other.receivedAt || (one.id < other.id ? -1 : 1),
      );
  }

  async settle(
    { value: { id }, version }: Stored<Letter>,
    outcomes: readonly LetterOutcome[],
    replyId: number | null,
    at: number,
  ): Promise<'done' | 'conflict'> {
    const kept = this.#kept.get(id);
    if (kept === undefined || String(kept.version) !== version) return 'conflict';
    this.#kept.set(id, { ...kept, version: kept.version + 1, answer: { outcomes, replyId, at } });
    return 'done';
  }

  async answeredSince(since: number): Promise<readonly Letter[]> {
    return [...this.#kept.values()]
      .filter(({ answer }) => answer !== null && answer.replyId !== null && answer.at >= since)
      .map(({ letter }) => letter);
  }

  async prune(): Promise<number> {
    return 0;
  }

  /** Somebody labels a letter: its version changes. False when there is none. */
  touch(id: string): boolean {
    const kept = this.#kept.get(id);
    if (kept !== undefined) this.#kept.set(id, { ...kept, version: kept.version + 1 });
    return kept !== undefined;
  }

  /** Every letter, with what came of it; for the laws. */
  all(): readonly Readonly<Kept>[] {
    return [...this.#kept.values()];
  }
}
