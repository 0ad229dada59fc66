/**
 * An incident put together again from what its own revert says, after the ledger was lost. What happened on GitHub since is
 * told by GitHub; what the stages do is told by the next look; the rest is a guess, and said to be one.
 */
import type { Incident, Phase, RevertPullRequest, SetStanding, Suspect, TimelineEntry } from './incident.ts';
import { type Memo, type NotedSet, notedMoments, type WholeMemo } from './memo.ts';
import { never } from './never.ts';
import type { AutoMerge, Opening } from './opening.ts';

/** A pull request of ours with a memo in it, as GitHub shows it. */
export interface FoundRevert {
  number: number;
  url: string;
  state: 'open' | 'closed';
  isMerged: boolean;
  mergedAt: number | null;
  isAutoMergeOn: boolean;
  baseBranch: string;
  headBranch: string;
  /** The newest commit of ours on its branch; "" when somebody else's is there. */
  headSha: string;
  baseSha: string;
  createdAt: number;
}

export interface Rebuilding {
  id: string;
  instance: string;
  host: string;
  /** `owner/name`. */
  repository: string;
  /** Where a revert would go that there is none of yet. */
  revertBranch: string;
  memo: Memo;
  suspects: readonly Suspect[];
  innocents: readonly Suspect[];
  opening: Opening;
  /** Keys of the ApplicationSets that are there. */
  isThere(key: string): boolean;
  now: number;
}

/** Null when the memo does not say enough, or none of its commits is there any more. Pure. */
export function rebuiltIncident(about: Rebuilding, revert: FoundRevert | null): Incident | null {
  const { memo, suspects, innocents, now } = about;
  const { whole } = memo;
  if (whole === null || suspects.length === 0) return null;
  const phase = revert === null ? memo.phase : phaseOf(memo.phase, revert);
  return {
    id: about.id,
    instance: about.instance,
    host: about.host,
    repository: about.repository,
    branch: revert?.baseBranch ?? whole.branch,
    revertBranch: revert?.headBranch ?? about.revertBranch,
    phase,
    obstacle: null,
    suspects,
    innocents,
    isWholeRange: whole.isWholeRange && suspects.length === whole.suspects.length,
    lastGoodTree: whole.lastGoodTree,
    sets: whole.sets.map((set) => rebuiltSet(set, phase, about.isThere(set.key))),
    pullRequest: revert === null ? null : rebuiltRevert(revert, phase, { ...memo, whole }, now),
    opening: about.opening,
    takenBackBy: memo.takenBackBy,
    openedAt: whole.openedAt,
    changedAt: now,
    timeline: timelineOf(memo, whole.openedAt, revert, now),
    written: { pullRequest: '', comments: {}, at: 0, state: '' },
    wanted: whole.wanted,
    dismissal: memo.dismissal,
    asked: whole.asked,
    rebuiltAt: now,
  };
}

/** What GitHub did with it counts; its own last word says who closed it. */
function phaseOf(written: Phase, { isMerged }: FoundRevert): Phase {
  switch (written) {
    case 'recovered':
      return isMerged ? 'recovered' : 'proposed';
    case 'merged':
    case 'noticed':
    case 'proposed':
      return isMerged ? 'merged' : 'proposed';
    case 'healed':
    case 'dismissed':
      // Merged all the same: by a person who wanted it after all.
      return isMerged ? 'merged' : written;
    default:
      return never(written);
  }
}

function rebuiltRevert(
  revert: FoundRevert,
  phase: Phase,
  { moments, dismissal, whole }: Memo & { whole: WholeMemo },
  now: number,
): RevertPullRequest {
  const { number, url, headBranch, headSha, baseSha } = revert;
  const isClosedByUs = revert.state === 'closed' && (phase === 'healed' || dismissal !== null);
  return {
    number,
    url,
    branch: headBranch,
    headSha,
    baseSha,
    isVerified: true,
    suspects: whole.suspects,
    closedAt: isClosedByUs ? (moments.healed ?? moments.dismissed ?? now) : null,
    // What was done when it was opened is not done a second time.
    isDraft: false,
    preparation: { people: [], teams: [], labels: [] },
    autoMerge: autoMergeOf(whole.isAutoMergeOff, revert, now),
  };
}

/** Nothing is known of its stages until it is looked at. */
function rebuiltSet(set: NotedSet, phase: Phase, isThere: boolean): SetStanding {
  const isOver = phase === 'recovered' || !isThere;
  return {
    key: set.key,
    name: set.key.split('/')[1] ?? set.key,
    verdict: isOver ? 'ok' : 'unknown',
    isFailing: false,
    failureKind: set.failureKind,
    bad: set.bad,
    lastGood: set.lastGood,
    isGuess: true,
    since: set.since,
    lookedAt: 0,
    total: set.total,
    having: 0,
    havingAtMost: set.havingAtMost,
    stages: [],
    evidence: [],
    prunes: false,
    isRecovered: isOver,
    isHealed: isOver,
    ...(isThere ? {} : { isGone: true }),
    left: [],
    ...(set.havingAtNotice === null ? {} : { havingAtNotice: set.havingAtNotice }),
    havingAtMerge: set.havingAtMerge,
  };
}

function autoMergeOf(isOff: boolean, { isAutoMergeOn, headSha }: FoundRevert, now: number): AutoMerge | null {
  if (!isOff && !isAutoMergeOn) return null;
  return { headSha, at: now, outcome: isOff ? 'turned-off' : 'enabled', message: '' };
}

function timelineOf(
  { moments }: Memo,
  openedAt: number,
  revert: FoundRevert | null,
  now: number,
): readonly TimelineEntry[] {
  const detail = revert === null ? '' : `#${revert.number}`;
  const known = notedMoments.flatMap((what): readonly TimelineEntry[] => {
    const at = what === 'merged' ? (revert?.mergedAt ?? moments.merged) : moments[what];
    return at === undefined ? [] : [{ at, what, detail: what === 'merged' ? detail : '' }];
  });
  const all: readonly TimelineEntry[] = [
    { at: openedAt, what: 'noticed', detail: '' },
    ...(revert === null ? [] : [{ at: revert.createdAt, what: 'proposed', detail } as const]),
    ...known,
  ];
  return [
    ...[...all].sort((one, other) => one.at - other.at),
    { at: now, what: 'rebuilt', detail: revert === null ? 'from my notice' : 'from the pull request' },
  ];
}
