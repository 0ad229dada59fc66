/** A screen that keeps what is written on it. */
import type { Screen } from '../../src/sandbox/terminal/telling.ts';

export interface KeptScreen extends Screen {
  text(): string;
}

/** A pipe when `isTerminal` is false. */
export function keptScreen(isTerminal = false): KeptScreen {
  const parts: string[] = [];
  return {
    write: (text) => parts.push(text),
    isTerminal,
    isColoured: isTerminal,
    size: () => ({ columns: 100, rows: 40 }),
    text: () => parts.join(''),
  };
}
