/**
 * What is done for an Application that does not come back, as far as people allow it: when waiting has had its time, how often,
 * and how long after the last try. A remedy that did not help is not tried for ever; it is said that it did not.
 */
import type { ObjectKey } from './objects.ts';
import type { Hindrance, Remedy, WayBack } from './way-back.ts';

/** How far people let Stepback go: it says what to do, it asks Argo CD to compare, it also syncs and ends operations. */
export type RecoverMode = 'advise' | 'refresh' | 'sync';

export type Aid = 'refresh' | 'sync' | 'terminate';

export interface Attempt {
  aid: Aid;
  at: number;
  /** `refused`: it is not allowed in the cluster; `detail` says so in words. */
  outcome: 'done' | 'busy' | 'over' | 'gone' | 'refused';
  detail: string;
}

/** What keeps one Application from coming back, as an incident keeps it. */
export interface LeftBehind {
  key: ObjectKey;
  hindrance: Hindrance;
  remedy: Remedy;
  by: readonly string[];
  /** When this was first seen to be in its way. */
  since: number;
  /** Of the operation that its status shows, milliseconds since the epoch; null when there is none. */
  operationStartedAt: number | null;
  attempts: readonly Attempt[];
}

/** The newer view of one that is left, with what was tried for it before. */
export function leftBehind(way: WayBack, before: LeftBehind | null, now: number): LeftBehind {
  const { application } = way.application;
  // What is in the way in turns, as one attempt and the wait for the next, is in the way since the first.
  const isSame =
    before !== null &&
    (before.hindrance === way.hindrance ||
      (before.remedy === way.remedy && way.remedy === 'terminate-then-sync'));
  return {
    key: application.key,
    hindrance: way.hindrance,
    remedy: way.remedy,
    by: way.by.slice(0, 10),
    since: isSame ? before.since : now,
    operationStartedAt: application.operation?.startedAt ?? null,
    attempts: before?.attempts ?? [],
  };
}

/** So often each aid is given to one Application of an incident. */
const attemptsMax: Readonly<Record<Aid, number>> = { refresh: 3, sync: 3, terminate: 2 };
/** A window opens once; until then a look costs nothing. */
const windowRefreshesMax = 50;
const pauseMs: Readonly<Record<Aid, number>> = {
  refresh: 2 * 60_000,
  sync: 5 * 60_000,
  terminate: 5 * 60_000,
};

export interface DueAid {
  key: ObjectKey;
  aid: Aid;
  /** For `terminate`: the operation that is meant. */
  operationStartedAt: number | null;
}

/**
 * What helps this one now, and when it is due, milliseconds since the epoch; null when nothing is to be done by us.
 * `graceMs` is how long waiting gets.
 */
export function nextAid(
  left: LeftBehind,
  mode: RecoverMode,
  graceMs: number,
): { due: DueAid; at: number } | null {
  const aid = aidFor(left.remedy);
  if (aid === null || !isAllowed(aid, mode)) return null;
  const tried = left.attempts.filter((attempt) => attempt.aid === aid && attempt.outcome !== 'busy');
  const isWindow = left.hindrance === 'sync-window';
  if (tried.length >= (isWindow ? windowRefreshesMax : attemptsMax[aid])) return null;
  const last = left.attempts.findLast((attempt) => attempt.aid === aid);
  // What we ended ourselves is synced at once: that was the point of ending it.
  const hasEnded = aid === 'sync' && left.attempts.at(-1)?.aid === 'terminate';
  const patient = hasEnded ? left.since : left.since + graceMs;
  const at = Math.max(patient, last === undefined ? 0 : last.at + pauseMs[aid]);
  return { due: { key: left.key, aid, operationStartedAt: left.operationStartedAt }, at };
}

function aidFor(remedy: Remedy): Aid | null {
  switch (remedy) {
    case 'refresh':
      return 'refresh';
    case 'sync':
      return 'sync';
    case 'terminate-then-sync':
      return 'terminate';
    case 'wait':
    case 'person':
      return null;
  }
}

function isAllowed(aid: Aid, mode: RecoverMode): boolean {
  return mode === 'sync' || (mode === 'refresh' && aid === 'refresh');
}
