/**
 * Words that GitHub refuses for good (a pull request that is locked, a repository without issues) must not keep the rest from being
 * done: they are left out, said in the log, and tried again when there is something new to say.
 */
import type { Log } from '../ports.ts';
import { WorldProblem } from '../ports.ts';

/** What `write` gives; null when it was refused for good. Throws what else it throws. `what`: "comment on #7". */
export async function unlessRefused<Value>(
  log: Log,
  what: string,
  write: () => Promise<Value>,
): Promise<Value | null> {
  try {
    return await write();
  } catch (problem) {
    if (!(problem instanceof WorldProblem) || problem.kind !== 'permanent') throw problem;
    log.warn('GitHub refuses what was to be said', { what, problem: problem.message });
    return null;
  }
}
