/** Speaks to the sandbox that runs, from another terminal. */
import type { VerbName } from './verbs.ts';

export interface Answer {
  isDone: boolean;
  /** For people. */
  text: string;
}

/** By this header verbs know that a sandbox answers. */
export const sandboxHeader = 'x-stepback-sandbox';

const patienceMs = 10_000;

/** Asks for a verb. Never throws: what went wrong is said. */
export async function talk(port: number, verb: VerbName, words: readonly string[]): Promise<Answer> {
  try {
    const response = await fetch(`http://127.0.0.1:${port}/do`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ verb, words }),
      signal: AbortSignal.timeout(patienceMs),
    });
    if (!response.headers.has(sandboxHeader)) return { isDone: false, text: foreign(port) };
    const { text } = (await response.json()) as { text: string };
    return { isDone: response.ok, text };
  } catch (problem) {
    const isRefused = (problem as { cause?: { code?: unknown } }).cause?.code === 'ECONNREFUSED';
    return { isDone: false, text: isRefused ? nobody(port) : `The sandbox on port ${port} does not answer.` };
  }
}

function nobody(port: number): string {
  return `No sandbox runs on port ${port}. Start one with "npm run sandbox", or name its port with --port.`;
}

function foreign(port: number): string {
  return `On port ${port} another program answers. Name the port of the sandbox with --port.`;
}
