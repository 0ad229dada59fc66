/**
 * The figures of an incident: how long from the first trouble to the notice, from there to the revert, to the merge and until
 * all were back; how many had the bad commit when; what was done to bring them back.
 */
import type { Incident, SetStanding, TimelineEntry } from './incident.ts';
import type { Aid, Attempt } from './recovery-aid.ts';

export const recoverySteps = ['notice', 'revert', 'merge', 'recovery'] as const;

export type RecoveryStep = (typeof recoverySteps)[number];

/** How often an aid was given in an incident, and what came of it. */
export interface AidTally {
  aid: Aid;
  outcome: Attempt['outcome'];
  times: number;
}

/** Milliseconds each step took; null while it is not over, or when it is not known. */
export function stepsOf(incident: Incident): Readonly<Record<RecoveryStep, number | null>> {
  const began = Math.min(...incident.sets.map((set) => set.since));
  const noticed = momentOf(incident, 'noticed') ?? incident.openedAt;
  const moments = [
    Number.isFinite(began) ? began : null,
    noticed,
    momentOf(incident, 'proposed'),
    momentOf(incident, 'merged'),
    momentOf(incident, 'recovered'),
  ];
  const between = (index: number): number | null => {
    const [from, to] = [moments[index] ?? null, moments[index + 1] ?? null];
    return from === null || to === null ? null : Math.max(0, to - from);
  };
  return { notice: between(0), revert: between(1), merge: between(2), recovery: between(3) };
}

/** How many Applications had the bad commit; null where that is not known of every ApplicationSet. */
export function reachOf({ sets }: Incident): { notice: number | null; merge: number | null; worst: number } {
  const sum = (of: (set: SetStanding) => number | null | undefined): number | null =>
    sets.every((set) => typeof of(set) === 'number')
      ? sets.reduce((all, set) => all + (of(set) ?? 0), 0)
      : null;
  return {
    notice: sum((set) => set.havingAtNotice),
    merge: sum((set) => set.havingAtMerge),
    worst: sets.reduce((all, set) => all + set.havingAtMost, 0),
  };
}

/** One aid more. What was tried for an Application is forgotten when it is back; this stays. */
export function tallied(tally: readonly AidTally[], { aid, outcome }: Attempt): readonly AidTally[] {
  const isSame = (one: AidTally): boolean => one.aid === aid && one.outcome === outcome;
  if (!tally.some(isSame)) return [...tally, { aid, outcome, times: 1 }];
  return tally.map((one) => (isSame(one) ? { ...one, times: one.times + 1 } : one));
}

/** The last time that something happened, milliseconds since the epoch; null when it did not. */
export function momentOf(incident: Incident, what: TimelineEntry['what']): number | null {
  return incident.timeline.findLast((entry) => entry.what === what)?.at ?? null;
}
