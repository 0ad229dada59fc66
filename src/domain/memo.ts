/**
 * What an incident says of itself in its own words on GitHub, in the marker, so that it can be put together again when the
 * ledger is lost: what nobody else knows any more. What GitHub and the cluster tell themselves is asked there. Whoever may
 * edit the text could have changed it, so it is read as a stranger's words: cut, checked, and a guess.
 */
import type { Revisions } from './content.ts';
import type { Asked, Dismissal, Incident, Phase, SetStanding, TakenBackBy, Wanted } from './incident.ts';
import { isCommit, type ObjectKey } from './objects.ts';
import { type Json, list, number, record, recordOrNull, text, texts } from './read.ts';
import { momentOf } from './recovery-figures.ts';

/** Moments that the figures of an incident are made of; when the revert was opened is told by the revert. */
export const notedMoments = ['merged', 'recovered', 'healed', 'dismissed'] as const;

export interface NotedSet {
  key: ObjectKey;
  failureKind: SetStanding['failureKind'];
  bad: Revisions | null;
  lastGood: Revisions | null;
  since: number;
  total: number;
  havingAtMost: number;
  havingAtNotice: number | null;
  havingAtMerge: number | null;
}

/** What only the text about the revert itself holds; a comment on the change is shorter. */
export interface WholeMemo {
  openedAt: number;
  /** That it landed on. */
  branch: string;
  /** Newest first, as the incident has them. */
  suspects: readonly string[];
  innocents: readonly string[];
  isWholeRange: boolean;
  lastGoodTree: string | null;
  sets: readonly NotedSet[];
  wanted: Wanted | null;
  asked: Asked | null;
  /** A person turned auto-merge off. */
  isAutoMergeOff: boolean;
}

export interface Memo {
  phase: Phase;
  /** Number of the revert; null while there is none, and in the revert itself. */
  revert: number | null;
  dismissal: Dismissal | null;
  takenBackBy: TakenBackBy | null;
  moments: Readonly<Partial<Record<(typeof notedMoments)[number], number>>>;
  whole: WholeMemo | null;
}

const suspectsMax = 50;
const innocentsMax = 20;
const setsMax = 10;
const pathsMax = 20;
const reasonMax = 200;
const nameMax = 253;
const branchMax = 250;
const revisionsMax = 20;
const revisionMax = 100;

/** The memo in the revert itself: the same before it is opened as right after, so that opening it needs no second call. Pure. */
export function memoOfRevert(incident: Incident): Memo {
  const memo = memoOf(incident, true);
  return { ...memo, phase: memo.phase === 'noticed' ? 'proposed' : memo.phase, revert: null };
}

/**
 * The memo of an incident. It changes only with what is said, so that it alone is no reason to write. Pure.
 */
export function memoOf(incident: Incident, isWhole: boolean): Memo {
  const moments = notedMoments.flatMap((what) => {
    const at = momentOf(incident, what);
    return at === null ? [] : [[what, at] as const];
  });
  const { dismissal = null, takenBackBy = null } = incident;
  return {
    phase: incident.phase,
    revert: incident.pullRequest?.number ?? null,
    dismissal: dismissal === null ? null : { ...dismissal, reason: cut(dismissal.reason, reasonMax) },
    takenBackBy,
    moments: Object.fromEntries(moments),
    whole: isWhole ? wholeOf(incident) : null,
  };
}

function wholeOf(incident: Incident): WholeMemo {
  const { asked = null } = incident;
  return {
    openedAt: incident.openedAt,
    branch: cut(incident.branch, branchMax),
    suspects: incident.suspects.slice(0, suspectsMax).map(({ sha }) => sha),
    innocents: incident.innocents.slice(-innocentsMax).map(({ sha }) => sha),
    isWholeRange: incident.isWholeRange && incident.suspects.length <= suspectsMax,
    lastGoodTree: incident.lastGoodTree,
    sets: incident.sets.slice(0, setsMax).map((set) => ({
      key: cut(set.key, 2 * nameMax + 1),
      failureKind: set.failureKind,
      bad: set.bad === null ? null : revisionsOf(set.bad),
      lastGood: set.lastGood === null ? null : revisionsOf(set.lastGood),
      since: set.since,
      total: set.total,
      havingAtMost: set.havingAtMost,
      havingAtNotice: set.havingAtNotice ?? null,
      havingAtMerge: set.havingAtMerge ?? null,
    })),
    wanted: incident.wanted ?? null,
    // Half of the paths would be another order.
    asked: asked !== null && asked.paths.length <= pathsMax ? asked : null,
    isAutoMergeOff: incident.pullRequest?.autoMerge?.outcome === 'turned-off',
  };
}

/** Reads what `memoOf` gave, after it was JSON. Null for anything else. Never throws. */
export function readMemo(value: unknown): Memo | null {
  const memo = recordOrNull(value);
  const phase = phases.find((known) => known === memo?.phase);
  if (memo === null || phase === undefined) return null;
  const moments = record(memo.moments);
  const taken = recordOrNull(memo.takenBackBy);
  const dismissal = recordOrNull(memo.dismissal);
  return {
    phase,
    revert: numberOrNull(memo.revert),
    dismissal:
      dismissal === null ? null : { ...orderOf(dismissal), reason: cut(text(dismissal.reason), reasonMax) },
    takenBackBy:
      taken === null ? null : { number: number(taken.number, 0), author: cut(text(taken.author), 100) },
    moments: Object.fromEntries(
      notedMoments.flatMap((what) => {
        const at = numberOrNull(moments[what]);
        return at === null ? [] : [[what, at]];
      }),
    ),
    whole: readWhole(recordOrNull(memo.whole)),
  };
}

const phases: readonly Phase[] = ['noticed', 'proposed', 'merged', 'recovered', 'healed', 'dismissed'];

function readWhole(whole: Json | null): WholeMemo | null {
  if (whole === null) return null;
  const wanted = recordOrNull(whole.wanted);
  const asked = recordOrNull(whole.asked);
  return {
    openedAt: number(whole.openedAt, 0),
    branch: cut(text(whole.branch), branchMax),
    suspects: commitsOf(whole.suspects, suspectsMax),
    innocents: commitsOf(whole.innocents, innocentsMax),
    isWholeRange: whole.isWholeRange === true,
    lastGoodTree: commitsOf([whole.lastGoodTree], 1)[0] ?? null,
    sets: list(whole.sets)
      .slice(0, setsMax)
      .map((set) => readSet(record(set)))
      .filter((set) => set !== null),
    wanted: wanted === null ? null : orderOf(wanted),
    asked: asked === null ? null : readAsked(asked),
    isAutoMergeOff: whole.isAutoMergeOff === true,
  };
}

function readSet(set: Json): NotedSet | null {
  const key = text(set.key);
  if (!/^[^/\s]{1,253}\/[^/\s]{1,253}$/.test(key)) return null;
  const kinds = ['degraded', 'sync', 'render'] as const;
  return {
    key,
    failureKind: kinds.find((kind) => kind === set.failureKind) ?? 'degraded',
    bad: revisionsOf(set.bad),
    lastGood: revisionsOf(set.lastGood),
    since: number(set.since, 0),
    total: number(set.total, 0),
    havingAtMost: number(set.havingAtMost, 0),
    havingAtNotice: numberOrNull(set.havingAtNotice),
    havingAtMerge: numberOrNull(set.havingAtMerge),
  };
}

function readAsked(asked: Json): Asked | null {
  const kind = asked.kind === 'revert' || asked.kind === 'restore' ? asked.kind : null;
  if (kind === null) return null;
  const paths = texts(asked.paths);
  const [tree = null] = commitsOf([asked.tree], 1);
  if (paths.length > pathsMax || (kind === 'restore' && (tree === null || paths.length === 0))) return null;
  return { kind, ...orderOf(asked), paths, tree };
}

function orderOf(order: Json): { by: string; at: number } {
  return { by: cut(text(order.by), 100), at: number(order.at, 0) };
}

function revisionsOf(value: unknown): Revisions | null {
  return Array.isArray(value)
    ? texts(value)
        .slice(0, revisionsMax)
        .map((one) => cut(one, revisionMax))
    : null;
}

/** Ids of git objects: anything else would be asked of GitHub in vain. */
function commitsOf(value: unknown, max: number): readonly string[] {
  return texts(value).slice(0, max).filter(isCommit);
}

function numberOrNull(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

function cut(words: string, max: number): string {
  return words.slice(0, max).toWellFormed();
}
