/**
 * When a change happened that a look shows first. The looks have our own clock, Argo CD writes its own and cuts it to
 * the second; both bound the moment, and the later bound counts, so that no grace time ends too early.
 */

/**
 * Milliseconds by our own clock: not after `now`, not before the last look (`known`, null when there was none), and
 * where the cluster gives a time not before the end of its second.
 */
export function changedAt(known: { seenAt: number } | null, clusterTime: number | null, now: number): number {
  if (clusterTime === null) return now;
  return Math.min(now, Math.max(known?.seenAt ?? 0, clusterTime + 999));
}

/** `seenAt` of a memory out of the ledger, where the last look is not kept: looks may have been missed since. */
export const seenLongAgo = 0;
