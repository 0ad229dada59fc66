/** A screen that keeps what is written on it. */
import type { Screen } from '../../src/sandbox/terminal/telling.ts';

export interface KeptScreen extends Screen {
  text(): string;
  /** Resolves as soon as this was written. */
  says(words: string): Promise<void>;
}

/** A pipe when `isTerminal` is false. */
export function keptScreen(isTerminal = false): KeptScreen {
  let all = '';
  const waiting = new Map<() => void, string>();
  return {
    write(text) {
      all += text;
      for (const [resolve, words] of waiting) if (all.includes(words)) resolve();
    },
    isTerminal,
    isColoured: isTerminal,
    size: () => ({ columns: 100, rows: 40 }),
    text: () => all,
    says: (words) =>
      all.includes(words) ? Promise.resolve() : new Promise((resolve) => waiting.set(resolve, words)),
  };
}
