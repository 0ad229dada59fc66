/**
 * An answer that is asked for often and changes seldom, such as the feature flag: it is read again when it is older
 * than `maxAgeMs`.
 */
import type { Clock } from '../ports.ts';

/** Reads once for everybody who asks within `maxAgeMs`; a read that failed is not kept. */
export function freshFor<Value>(
  clock: Pick<Clock, 'now'>,
  maxAgeMs: number,
  read: () => Promise<Value>,
): () => Promise<Value> {
  let kept: { at: number; value: Promise<Value> } | null = null;
  return () => {
    if (kept !== null && clock.now() - kept.at <= maxAgeMs) return kept.value;
    const value = read();
    kept = { at: clock.now(), value };
    value.catch(() => {
      kept = null;
    });
    return value;
  };
}
