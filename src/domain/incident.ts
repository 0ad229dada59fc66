/**
 * An incident: a change that made at least one ApplicationSet fail, from the first notice until everything is
 * back. One change that hits several ApplicationSets is one incident, because it gets one revert. All that is
 * said about it on GitHub, on the page and by kubectl is rendered from this value alone.
 */
import { type Brake, trailersOf } from './brakes.ts';
import type { Bystander } from './bystanders.ts';
import type { Revisions } from './content.ts';
import type { PullRequestFacts, RangeCommit } from './culprit.ts';
import type { Containment } from './held-steps.ts';
import type { ObjectKey } from './objects.ts';
import type { AutoMerge, Opening, Preparation } from './opening.ts';
import type { Hold } from './orders.ts';
import type { LeftBehind } from './recovery-aid.ts';
import type { AidTally } from './recovery-figures.ts';
import type { Reason, Verdict } from './verdict.ts';

export type Phase =
  /** Failing, and no revert is open: no culprit, one that cannot be made, or one of ours that may not be opened again. */
  | 'noticed'
  /** The revert pull request is open. */
  | 'proposed'
  /** The revert is merged; stages are followed. */
  | 'merged'
  /** Every Application is back. */
  | 'recovered'
  /** It healed, or something else fixed it, before a revert was merged. */
  | 'healed'
  /** A person closed the revert: not this one. */
  | 'dismissed';

/** Why there is no revert pull request, or why it is not touched any more. */
export type Obstacle =
  | { kind: 'conflict'; paths: readonly { path: string; why: string; laterCommits: readonly string[] }[] }
  | { kind: 'already-undone'; by: string | null }
  | { kind: 'branch-missing'; branch: string }
  | { kind: 'archived' }
  /** GitHub, or a limit of what may be read, says no; its own words. */
  | { kind: 'refused'; message: string }
  | { kind: 'human-changed-branch'; branch: string }
  /** What is configured allows no revert pull request. */
  | { kind: 'mode'; mode: string }
  /** A person ordered that there be no reverts for a while. */
  | { kind: 'held'; by: string; until: number }
  | Brake;

/** A person asked for the revert by a command. It overrules what only holds back; never what keeps it from being right. */
export interface Wanted {
  by: string;
  at: number;
}

/** A person called it a false alarm. The reason is text of somebody else, on one line. */
export interface Dismissal {
  by: string;
  at: number;
  reason: string;
}

/**
 * A pull request that a person ordered by naming what to take back; nothing need fail. `revert`: the suspects. `restore`:
 * `paths` go back to how `tree` has them, whatever landed there since.
 */
export interface Asked {
  kind: 'revert' | 'restore';
  by: string;
  at: number;
  paths: readonly string[];
  tree: string | null;
}

export interface Suspect {
  sha: string;
  subject: string;
  author: string;
  pullRequest: PullRequestFacts | null;
  files: readonly string[] | null;
  tree: string;
  firstParentTree: string | null;
  /** The commit before it on its branch. Absent, as what follows, in incidents of an earlier version. */
  firstParent?: string | null;
  /** When it came to the branch, as far as anybody tells. */
  landedAt?: number | null;
  /** Keys of the trailers of its message. */
  trailers?: readonly string[];
}

export interface StageStanding {
  number: number;
  name: string;
  selector: string;
  pace: string;
  applications: number;
  /** Names of the Applications that run the bad commit, in whole or in part. */
  having: readonly string[];
  partly: readonly string[];
  outOfOrder: readonly string[];
  failing: readonly string[];
  /** Still on other content and meant to get what the branch holds. */
  ahead: readonly string[];
  /** The worst health in it, in Argo CD's word, with its message. */
  health: string;
  message: string;
  verdict: string;
  /** When the first of it was seen failing or with the bad commit, and when all of it was back; null before that. */
  hitAt?: number | null;
  backAt?: number | null;
}

/** How one ApplicationSet stands in the incident, as of the last look at it. */
export interface SetStanding {
  key: ObjectKey;
  name: string;
  verdict: Verdict;
  /** It fails on the change of this incident. Absent in incidents of an earlier version. */
  isFailing?: boolean;
  failureKind: 'degraded' | 'sync' | 'render';
  bad: Revisions | null;
  lastGood: Revisions | null;
  /** Last good comes from history or a rebuilt record: a guess. */
  isGuess: boolean;
  since: number;
  lookedAt: number;
  /** Applications in stages. */
  total: number;
  /** How many run the bad commit now, and at the worst. */
  having: number;
  havingAtMost: number;
  stages: readonly StageStanding[];
  evidence: readonly Reason[];
  /** The template prunes: a revert that deletes objects can finish. */
  prunes: boolean;
  isRecovered: boolean;
  /** As of the last look it is well again without the revert, and for long enough. */
  isHealed: boolean;
  /** The ApplicationSet itself is not there any more; absent while it is. */
  isGone?: boolean;
  /** A commit that landed since, with other content than the bad one and last good: what failed runs it, or is to. */
  newer?: string | null;
  /** Applications that are not back, and why. */
  left: readonly Left[];
  /** So many more are not back and not named in `left`; absent when there are none. See `countNotBack`. */
  leftMore?: number;
  /** A person ordered no reverts for it; absent or null when nobody did, or it is over. */
  held?: Hold | null;
  /** How many ran the bad commit when it was first noticed, and when the revert was merged; null before that. */
  havingAtNotice?: number;
  havingAtMerge?: number | null;
}

export interface Left {
  application: string;
  reasons: readonly Reason[];
  /** What keeps it from coming back; absent while nothing has been merged. */
  wayBack?: LeftBehind;
}

export interface RevertPullRequest {
  number: number;
  url: string;
  branch: string;
  /** The commit of ours that the branch holds. */
  headSha: string;
  /** Head of the base branch that it was computed on. */
  baseSha: string;
  isVerified: boolean;
  /** The commits that it takes back, as of its last computation. */
  suspects: readonly string[];
  /** Closed by us, because the matter healed or a person dismissed it by a command; null when it is to be open. */
  closedAt: number | null;
  /** Opened by us as a draft and not taken out of it since. Absent, like what follows, in incidents of an earlier version. */
  isDraft?: boolean;
  /** What was put on it when it was opened; null while that is still to be done. */
  preparation?: Preparation | null;
  /** What came of the wish that the forge merges it by itself; null when there was none. */
  autoMerge?: AutoMerge | null;
}

/** A pull request of somebody else that took every suspect back. */
export interface TakenBackBy {
  number: number;
  author: string;
}

export interface TimelineEntry {
  at: number;
  what:
    | 'noticed'
    | 'proposed'
    | 'grew'
    | 'recomputed'
    | 'merged'
    | 'recovered'
    | 'healed'
    | 'dismissed'
    | 'reopened'
    | 'obstacle'
    /** A person ordered something by a command. */
    | 'ordered'
    | 'held'
    | 'released'
    | 'not-held'
    /** The ledger did not know of it any more. */
    | 'rebuilt';
  detail: string;
}

export interface Incident {
  id: string;
  instance: string;
  host: string;
  /** `owner/name` of the repository that the revert goes to; "" while nobody knows. */
  repository: string;
  branch: string;
  revertBranch: string;
  phase: Phase;
  obstacle: Obstacle | null;
  /** Newest first. */
  suspects: readonly Suspect[];
  /** Commits of the range that stay, oldest first. */
  innocents: readonly Suspect[];
  /** Suspects of the range that an earlier incident settled, newest first: they stay. Absent as in an earlier version: none. */
  settled?: readonly Suspect[];
  isWholeRange: boolean;
  lastGoodTree: string | null;
  sets: readonly SetStanding[];
  pullRequest: RevertPullRequest | null;
  /** How its words are written, as configured when it was opened; absent before that, and in an earlier version. */
  opening?: Opening;
  /** What took the change back when it was not a revert of ours; absent or null when nothing did. */
  takenBackBy?: TakenBackBy | null;
  openedAt: number;
  /** When what is said last changed: texts speak as of then, so that a quiet tick changes no word. */
  changedAt: number;
  timeline: readonly TimelineEntry[];
  written: Written;
  /** Absent or null, as in stored incidents of before there were commands: nobody ordered it. */
  wanted?: Wanted | null;
  dismissal?: Dismissal | null;
  asked?: Asked | null;
  /** What was done after the merge to bring Applications back, and what came of it; absent when nothing was. */
  aids?: readonly AidTally[];
  /** When it was put together again after the ledger was lost: what was before is a guess. Absent when that never happened. */
  rebuiltAt?: number;
  /** ApplicationSets that it feeds and that did not fail on it; found when the revert is merged, absent before that. */
  bystanders?: readonly Bystander[];
  /** What is done about those that are still ahead, by ApplicationSet; incidents of before it existed have none. */
  containments?: readonly Containment[];
}

/** What was written last, so that a tick that changes nothing makes no call. Digests of title, body, comments. */
export interface Written {
  pullRequest: string;
  /** Number of a pull request → the comment of ours on it. */
  comments: Readonly<Record<string, { id: number; digest: string }>>;
  /** The pull request of somebody else that got a comment of support; absent or null while there is none. */
  supported?: number | null;
  /** The issue that says it where no pull request brought the change in; absent or null while there is none. */
  issue?: { number: number; digest: string; isOpen: boolean } | null;
  /** When it was written, and what the incident was then: while only numbers move, not every one is written. */
  at: number;
  state: string;
}

/** Phases in which something may still have to be done. */
export function isOpen(incident: Incident): boolean {
  return incident.phase === 'noticed' || incident.phase === 'proposed' || incident.phase === 'merged';
}

/** A commit of a range as an incident keeps it. */
export function suspectOf(commit: RangeCommit): Suspect {
  return {
    sha: commit.sha,
    subject: commit.pullRequest?.title ?? commit.message.split('\n')[0] ?? '',
    author: commit.pullRequest?.author ?? commit.author,
    pullRequest: commit.pullRequest,
    files: commit.files,
    tree: commit.tree,
    firstParentTree: commit.firstParentTree,
    firstParent: commit.firstParent,
    landedAt: commit.landedAt ?? null,
    trailers: trailersOf(commit.message),
  };
}

/** Adds a line to the timeline; the newest hundred stay. */
export function noted(incident: Incident, at: number, what: TimelineEntry['what'], detail: string): Incident {
  return { ...incident, timeline: [...incident.timeline, { at, what, detail }].slice(-100) };
}
