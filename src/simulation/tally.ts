/** What went wrong in a seed, counted by kind: a fault that never happens proves nothing. */

export const faultKinds = [
  // Of single calls.
  '5xx',
  'no-connection',
  '409',
  '410',
  '422',
  '403-limit',
  'time-out-after-the-effect',
  'old-answer',
  // A process dies between two calls.
  'crash-before-read',
  'crash-after-read',
  'crash-before-write',
  'crash-after-write',
  // Somebody else writes at the same moment, and the world answers so.
  'rival',
  'ref-exists',
  'ref-moved',
  'pull-request-exists',
  'version-conflict',
  'spec-changed',
  'sync-busy',
  'comment-deleted',
  // Webhooks.
  'event-lost',
  'event-failed',
  'event-redelivered',
  'event-doubled',
  'event-late',
  // The watch of the cluster.
  'news-lost',
  'news-doubled',
  'news-late',
  'watch-cut',
  'watch-expired',
  // Around.
  'clock-skew',
  'two-leaders',
  'archived',
  'stopped',
  'steps-edited',
  'ledger-lost',
  // What Argo CD and clusters are known for.
  'out-of-order',
  'late-degradation',
  'hook',
  'retry',
  'unreachable-cluster',
  'sync-window',
] as const;

export type FaultKind = (typeof faultKinds)[number];
export type FaultCounts = Readonly<Partial<Record<FaultKind, number>>>;

export class Tally {
  readonly #counts: Partial<Record<FaultKind, number>> = {};

  note(kind: FaultKind): void {
    this.#counts[kind] = (this.#counts[kind] ?? 0) + 1;
  }

  counts(): FaultCounts {
    return { ...this.#counts };
  }
}

/** The counts of several seeds together. */
export function allCounts(several: readonly FaultCounts[]): FaultCounts {
  const sums = faultKinds.map((kind) => [kind, several.reduce((sum, one) => sum + (one[kind] ?? 0), 0)]);
  return Object.fromEntries(sums) as FaultCounts;
}
