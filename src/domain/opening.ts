/**
 * How a revert is opened and handed over: the words that people configured for it, what was put on it, and whether the
 * forge merges it by itself. Set once: what a person changes afterwards is not fought.
 */
import type { Incident } from './incident.ts';

/** Templates of words, as configured when the revert was opened; what is configured later changes no open revert. */
export interface Opening {
  titleTemplate: string;
  messageTemplate: string;
  /** `name <address>` for the Developer Certificate of Origin; null when nothing is signed off. */
  signedOffBy: string | null;
}

export const defaultTitleTemplate = 'Revert "{subject}": {failure}';
export const defaultMessageTemplate = 'Revert "{subject}"\n\n{body}';

/** Who could not be asked for a review, and which labels could not be put on. */
export interface Preparation {
  people: readonly string[];
  teams: readonly string[];
  labels: readonly string[];
}

export interface AutoMerge {
  /** Head of the revert that it was asked for. */
  headSha: string;
  at: number;
  outcome: AutoMergeResult;
  /** The words of GitHub for what it refused; "" where there are none. */
  message: string;
}

export type AutoMergeResult =
  | 'enabled'
  /** The repository does not allow it. */
  | 'not-allowed'
  /** The branch requires no check, so nothing would be waited for. */
  | 'nothing-required'
  /** Everything that is required is there already; GitHub waits for nothing then. */
  | 'already-mergeable'
  /** So many were merged by themselves of late that this one waits for a person. */
  | 'over-limit'
  /** A person turned it off. */
  | 'turned-off'
  /** A person pushed to the branch, so what would be merged is not what was computed. */
  | 'not-ours'
  /** GitHub says no, in its own words. */
  | 'refused';

const dayMs = 24 * 60 * 60_000;

/** Whether another revert of the repository may be merged by itself: less than `max` of the others were in 24 hours. */
export function mayAutoMerge(
  incidents: readonly Incident[],
  incident: Incident,
  max: number,
  now: number,
): boolean {
  const place = (one: Incident): string => `${one.host}/${one.repository}`.toLowerCase();
  const others = incidents.filter((one) => {
    const auto = one.pullRequest?.autoMerge;
    return (
      one.id !== incident.id &&
      place(one) === place(incident) &&
      auto?.outcome === 'enabled' &&
      auto.at > now - dayMs
    );
  });
  return others.length < max;
}
