/**
 * Whether every ApplicationSet was looked at since a start, or could have been. Who has just begun knows of some that they fail, and
 * of others not yet: what spans several of them would say less than it said before, and then the same again.
 */
import type { ObjectKey } from '../domain/objects.ts';

export interface AllLookedAt {
  /** Begins anew, as with a lease. */
  start(): void;
  looked(key: ObjectKey): void;
  isSo(): boolean;
}

/** One that cannot be looked at, whose branch no right allows to read, holds up nothing for longer. */
const waitMsMax = 60_000;

export function openAllLookedAt(keys: () => Iterable<ObjectKey>, now: () => number): AllLookedAt {
  const lookedAt = new Set<ObjectKey>();
  let startedAt = now();
  return {
    start() {
      lookedAt.clear();
      startedAt = now();
    },
    looked: (key) => void lookedAt.add(key),
    isSo: () => now() - startedAt >= waitMsMax || [...keys()].every((key) => lookedAt.has(key)),
  };
}
