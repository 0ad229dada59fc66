/**
 * What was just written is not everywhere at once at GitHub: a commit made a moment ago may be unknown to the server
 * that answers next. Such an answer is asked again a few times, and only then believed (GH06).
 */
import type { Clock } from '../../ports.ts';
import { wait } from './lanes.ts';

const delaysMs = [500, 1_000, 2_000];

/** Does `work` again, with growing waits, as long as `isTooFresh` says that its answer may only be early. */
export async function patiently<Value>(
  clock: Clock,
  work: () => Promise<Value>,
  isTooFresh: (value: Value) => boolean,
): Promise<Value> {
  let value = await work();
  for (const delayMs of delaysMs) {
    if (!isTooFresh(value)) return value;
    await wait(clock, delayMs);
    value = await work();
  }
  return value;
}
