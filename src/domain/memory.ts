/**
 * What is remembered of one Application from look to look. Argo CD keeps only the present, and history
 * forgets after three rollouts; so the last good revision, since when something is wrong and what was being
 * applied when it began are our own record. The record is a fold over the looks: it depends on nothing but
 * this Application's own looks in their order, so events of other objects may arrive in any order.
 */
import { changedAt } from './changed-at.ts';
import { isMadeAlike, type Making } from './configuration.ts';
import { type ContentFacts, isResolved, type Revisions, sameContent } from './content.ts';
import { guessFromHistory, guessWhatWasMissed, rememberContents } from './contents.ts';
import { rememberFailedSync } from './failed-sync.ts';
import { meaningOf } from './messages.ts';
import type { Application } from './objects.ts';
import {
  isActive,
  isFreshResult,
  isWaitingForRetry,
  type OperationMemory,
  type Running,
  resultSignature,
  runningOf,
} from './running.ts';
import { rememberTrouble } from './trouble.ts';

/** One content that an Application has run, and how it fared. Times by our own clock. */
export interface ContentRecord {
  revisions: Revisions;
  /** `configurationOf` the sources it was made from; null when nothing tells. */
  configuration: string | null;
  appliedAt: number;
  /** First Synced and Healthy with no other operation; null when it never was. */
  healthyAt: number | null;
  /** Start and last sight of the newest healthy spell. */
  healthySince: number | null;
  healthyUntil: number | null;
  /** The longest time it was Degraded without a break, and when the newest such time ended. */
  degraded: { from: number; lastedMs: number; endedAt: number; causes: readonly string[] } | null;
  /** Taken from history and not seen by us. */
  isGuess: boolean;
  /** Its first times are those of the history, whose beginning may be cut off. */
  isFromHistory: boolean;
}

/** Why an Application is unhealthy, and what it began with. */
export interface Trouble {
  since: number;
  /** Since when Degraded without a break; null while it is something else that is not Healthy. */
  degradedSince: number | null;
  /** What ran, or was being applied, when it began. */
  blamed: Revisions | null;
  /** Whether the start was seen or told by a time of the cluster; else nothing is concluded from it. */
  isDated: boolean;
  /** Since when it had been Healthy on what is blamed, up to the beginning; null when it had not. */
  healthyFrom: number | null;
  causes: readonly string[];
}

export interface FailedSync {
  revisions: Revisions;
  /** `configurationOf` what it was to apply; null when nothing tells. */
  configuration: string | null;
  attempts: number;
  since: number;
  /** Since when attempts have failed, whatever they were to apply: what fails on something already proves nothing of what comes next. */
  failingSince: number;
  /** The attempt that was counted last, so that no look counts it twice. */
  lastAttemptAt: number | null;
  message: string;
}

export interface ApplicationMemory {
  uid: string;
  resourceVersion: string;
  seenAt: number;
  running: Running | null;
  /** When the content that runs came, by our own clock. */
  runningSince: number | null;
  operation: OperationMemory | null;
  contents: readonly ContentRecord[];
  trouble: Trouble | null;
  failedSync: FailedSync | null;
  /** Since when OutOfSync, and towards what; while a comparison fails, what the one before it found. */
  outOfSync: { since: number; revisions: Revisions } | null;
  /** Since when the comparison cannot be made. */
  comparisonError: { since: number } | null;
  /** Since when Synced and Progressing or Missing. */
  progressingSince: number | null;
  /** Since when Healthy, on whatever it ran. */
  healthySince: number | null;
  /** Since when an operation is requested that has not begun. */
  requestedSince: number | null;
}

/**
 * The memory after one more look. `previous` null: never seen. A look that is older than the last one, or of
 * another object under the same name, changes nothing or begins anew. `now` is our own clock in milliseconds.
 */
export function remember(
  previous: ApplicationMemory | null,
  application: Application,
  facts: ContentFacts,
  now: number,
): ApplicationMemory {
  const known = previous !== null && previous.uid === application.uid ? previous : null;
  if (known !== null && isOlderVersion(application.resourceVersion, known.resourceVersion)) return known;
  const operation = rememberOperation(known, application, facts, now);
  const running = runningOf(application, operation, known?.running ?? null, facts);
  const runningSince = sinceContentRuns(known, application, running, facts, now);
  const base: ApplicationMemory = {
    uid: application.uid,
    resourceVersion: application.resourceVersion,
    seenAt: now,
    running,
    runningSince,
    operation,
    contents:
      known === null
        ? guessFromHistory(application, facts)
        : guessWhatWasMissed(known, running, application, facts),
    trouble: null,
    failedSync: rememberFailedSync(known, application, operation, running, facts, now),
    outOfSync: rememberOutOfSync(known, application, facts, now),
    comparisonError: rememberComparisonError(known, application, now),
    progressingSince: rememberProgressing(known, application, now),
    healthySince: rememberHealthy(known, application, now),
    requestedSince: rememberRequest(known, application, now),
  };
  const trouble = rememberTrouble(known, application, base, facts, now);
  const withTrouble = { ...base, trouble };
  return { ...withTrouble, contents: rememberContents(known, withTrouble, application, facts, now) };
}

/** True when a version is known to come before another: those of one API server are decimal and grow. */
export function isOlderVersion(version: string, than: string): boolean {
  const decimal = /^[0-9]{1,20}$/;
  return decimal.test(version) && decimal.test(than) && BigInt(version) < BigInt(than);
}

function rememberOperation(
  known: ApplicationMemory | null,
  application: Application,
  facts: ContentFacts,
  now: number,
): OperationMemory | null {
  const operation = application.operation;
  if (operation === null) return null;
  const before = known?.operation ?? null;
  const isWaiting = isWaitingForRetry(operation);
  const isSame = before !== null && before.startedAt === operation.startedAt;
  const isNewAttempt = !isSame || (before.isWaiting && !isWaiting && isActive(operation));
  const failures =
    operation.retryCount + (operation.phase === 'Failed' || operation.phase === 'Error' ? 1 : 0);
  const hasResults = (operation.result?.resources.length ?? 0) > 0;
  const isHeld = isActive(operation) && hasResults && meaningOf(operation.message) === 'sync-window';
  const attempt: OperationMemory = isNewAttempt
    ? {
        startedAt: operation.startedAt,
        target: null,
        staleResult: leftOver(known, application),
        attemptSince:
          known === null || !isActive(operation) ? Math.min(now, operation.startedAt ?? now) : now,
        isWaiting,
        failures,
        elsewhere: 0,
        hasLeftOvers: isHeld,
      }
    : { ...before, isWaiting, failures, hasLeftOvers: before.hasLeftOvers || isHeld };
  const target = targetOf(application, attempt) ?? attempt.target;
  return {
    ...attempt,
    target,
    elsewhere: isSame ? failuresElsewhere(before, application, target, facts) : 0,
  };
}

/** How many attempts of the operation had failed when it turned to what it applies now. */
function failuresElsewhere(
  before: OperationMemory,
  { sources }: Application,
  target: Revisions | null,
  facts: ContentFacts,
): number {
  const hasTurned =
    before.target !== null && target !== null && !sameContent(sources, before.target, target, facts);
  return hasTurned ? before.failures : before.elsewhere;
}

/** The result that a new attempt still shows of the one before it. */
function leftOver(known: ApplicationMemory | null, application: Application): string | null {
  const operation = application.operation;
  if (operation === null || !isActive(operation) || operation.finishedAt !== null) return null;
  const looksOld = /successfully synced|retrying operation/i.test(operation.message);
  return known !== null || looksOld ? resultSignature(operation) : null;
}

/** What an attempt applies: what it is pinned to, what it says it applied, else what was compared last. */
function targetOf(application: Application, memory: OperationMemory): Revisions | null {
  const operation = application.operation;
  const { sources } = application;
  if (operation === null) return null;
  if (
    operation.result !== null &&
    isFreshResult(operation, memory) &&
    isResolved(sources, operation.result.revisions)
  ) {
    return operation.result.revisions;
  }
  if (isResolved(sources, operation.pinnedRevisions)) return operation.pinnedRevisions;
  if (memory.target !== null) return memory.target;
  return isResolved(sources, application.sync.revisions) ? application.sync.revisions : null;
}

function sinceContentRuns(
  known: ApplicationMemory | null,
  application: Application,
  running: Running | null,
  facts: ContentFacts,
  now: number,
): number | null {
  if (running === null) return null;
  const { sources } = application;
  const isSame = (other: Making): boolean => isMadeAlike(sources, other, running, facts);
  if (known?.running && isSame(known.running)) return known.runningSince ?? now;
  if (known !== null) return now;
  const first = application.history.findLastIndex((entry) => !isSame(entry));
  return Math.min(now, application.history[first + 1]?.deployedAt ?? running.at);
}

function rememberOutOfSync(
  known: ApplicationMemory | null,
  application: Application,
  facts: ContentFacts,
  now: number,
): ApplicationMemory['outOfSync'] {
  const before = known?.outOfSync ?? null;
  if (application.conditions.some(({ type }) => type === 'ComparisonError')) return before;
  if (application.sync.status !== 'OutOfSync') return null;
  const revisions = application.sync.revisions;
  if (before !== null && sameContent(application.sources, before.revisions, revisions, facts)) return before;
  const lastOperation = application.operation?.finishedAt ?? null;
  return {
    since: known === null ? Math.min(now, lastOperation ?? application.reconciledAt ?? now) : now,
    revisions,
  };
}

function rememberComparisonError(
  known: ApplicationMemory | null,
  application: Application,
  now: number,
): ApplicationMemory['comparisonError'] {
  const condition = application.conditions.find((candidate) => candidate.type === 'ComparisonError');
  if (condition === undefined) return null;
  return known?.comparisonError ?? { since: changedAt(known, condition.lastTransitionAt, now) };
}

function rememberProgressing(
  known: ApplicationMemory | null,
  application: Application,
  now: number,
): number | null {
  const { health } = application;
  if (health.status !== 'Progressing' && health.status !== 'Missing') return null;
  return known?.progressingSince ?? changedAt(known, health.lastTransitionAt, now);
}

function rememberHealthy(
  known: ApplicationMemory | null,
  application: Application,
  now: number,
): number | null {
  const { health } = application;
  if (health.status !== 'Healthy') return null;
  return known?.healthySince ?? changedAt(known, health.lastTransitionAt, now);
}

/** The request stays while its operation runs; it waits only until that begins. */
function rememberRequest(
  known: ApplicationMemory | null,
  application: Application,
  now: number,
): number | null {
  if (application.requestedOperation === null || isActive(application.operation)) return null;
  return known?.requestedSince ?? now;
}
