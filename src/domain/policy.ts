/**
 * The times and thresholds by which a rollout is judged. One value, handed in; the configuration makes it,
 * a recording brings its own. Durations are milliseconds.
 */
export interface Policy {
  /** A failure must last this long, without a break, before it is one. */
  graceMs: number;
  /** How long after Healthy a degradation still counts against the commit. */
  bakeMs: number;
  /** Progressing for this long without an end is told to people, never reverted. */
  stalledMs: number;
  /** An attempt of an operation that runs for this long is told to people, never reverted. */
  stuckMs: number;
  /** Out of sync for this long with no sync coming. */
  unnoticedMs: number;
  /** So many failed attempts make a sync failed. */
  syncAttempts: number;
}

const minute = 60_000;

/** The defaults of the product, for times of people and not of recordings. */
export const defaultPolicy: Policy = {
  graceMs: 2 * minute,
  bakeMs: 30 * minute,
  stalledMs: 30 * minute,
  stuckMs: 30 * minute,
  unnoticedMs: 10 * minute,
  syncAttempts: 2,
};
