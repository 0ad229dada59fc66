/**
 * What is remembered of one Application from look to look. Argo CD keeps only the present, and history
 * forgets after three rollouts; so the last good revision, since when something is wrong and what was being
 * applied when it began are our own record. The record is a fold over the looks: it depends on nothing but
 * this Application's own looks in their order, so events of other objects may arrive in any order.
 */
import { type ContentFacts, isResolved, type Revisions, sameContent } from './content.ts';
import { meaningOf } from './messages.ts';
import type { Application } from './objects.ts';
import {
  appliedResources,
  isActive,
  isFreshResult,
  isWaitingForRetry,
  type OperationMemory,
  type Running,
  resultSignature,
  runningOf,
} from './running.ts';

/** One content that an Application has run, and how it fared. Times by our own clock. */
export interface ContentRecord {
  revisions: Revisions;
  appliedAt: number;
  /** First Synced and Healthy with no other operation; null when it never was. */
  healthyAt: number | null;
  /** Start and last sight of the newest healthy spell. */
  healthySince: number | null;
  healthyUntil: number | null;
  /** The longest time it was Degraded without a break. */
  degraded: { from: number; lastedMs: number; causes: readonly string[] } | null;
  /** Taken from history and not seen by us. */
  isGuess: boolean;
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
  causes: readonly string[];
}

export interface FailedSync {
  revisions: Revisions;
  attempts: number;
  since: number;
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
  /** Since when OutOfSync, and towards what. */
  outOfSync: { since: number; revisions: Revisions } | null;
  /** Since when the comparison cannot be made. */
  comparisonError: { since: number } | null;
  /** Since when Synced and Progressing or Missing. */
  progressingSince: number | null;
}

const contentsMax = 12;

/** Health that is neither good nor merely on its way. */
const causePattern = /Caused by ([^\s,;]+)/i;

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
  if (known !== null && isOlder(application.resourceVersion, known.resourceVersion)) return known;
  const operation = rememberOperation(known, application, now);
  const running = runningOf(application, operation, known?.running ?? null, facts);
  const runningSince = sinceContentRuns(known, application, running, facts, now);
  const base: ApplicationMemory = {
    uid: application.uid,
    resourceVersion: application.resourceVersion,
    seenAt: now,
    running,
    runningSince,
    operation,
    contents: known?.contents ?? guessFromHistory(application, facts),
    trouble: null,
    failedSync: rememberFailedSync(known, application, operation, running, facts, now),
    outOfSync: rememberOutOfSync(known, application, facts, now),
    comparisonError: rememberComparisonError(known, application, now),
    progressingSince: rememberProgressing(known, application, now),
  };
  const trouble = rememberTrouble(known, application, base, facts, now);
  const withTrouble = { ...base, trouble };
  return { ...withTrouble, contents: rememberContents(withTrouble, application, facts, now) };
}

/** Versions of one API server are decimal and grow; anything else is not compared. */
function isOlder(version: string, than: string): boolean {
  const decimal = /^[0-9]{1,20}$/;
  return decimal.test(version) && decimal.test(than) && BigInt(version) < BigInt(than);
}

/**
 * When a change happened that this look shows first: not before the last look, not after now, and where the
 * cluster gives a time (cut to the second) not later than the end of that second.
 */
function changedAt(known: ApplicationMemory | null, clusterTime: number | null, now: number): number {
  if (known === null) return Math.min(now, clusterTime ?? now);
  if (clusterTime === null) return now;
  return Math.min(now, Math.max(known.seenAt, clusterTime + 999));
}

function rememberOperation(
  known: ApplicationMemory | null,
  application: Application,
  now: number,
): OperationMemory | null {
  const operation = application.operation;
  if (operation === null) return null;
  const before = known?.operation ?? null;
  const isWaiting = isWaitingForRetry(operation);
  const isSame = before !== null && before.startedAt === operation.startedAt;
  const isNewAttempt = !isSame || (before.isWaiting && !isWaiting && isActive(operation));
  if (!isNewAttempt) return { ...before, isWaiting, target: targetOf(application, before) ?? before.target };
  const started: OperationMemory = {
    startedAt: operation.startedAt,
    target: null,
    staleResult: leftOver(known, application),
    attemptSince: known === null || !isActive(operation) ? Math.min(now, operation.startedAt ?? now) : now,
    isWaiting,
  };
  return { ...started, target: targetOf(application, started) };
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
  if (known?.running && sameContent(sources, known.running.revisions, running.revisions, facts)) {
    return known.runningSince ?? now;
  }
  if (known !== null) return now;
  const first = application.history.findLastIndex(
    (entry) => !sameContent(sources, entry.revisions, running.revisions, facts),
  );
  return Math.min(now, application.history[first + 1]?.deployedAt ?? running.at);
}

/** History is only the first guess: what was deployed there may have been bad. */
function guessFromHistory(application: Application, facts: ContentFacts): readonly ContentRecord[] {
  const records: ContentRecord[] = [];
  for (const entry of application.history) {
    if (!isResolved(application.sources, entry.revisions)) continue;
    const isKnown = records.some((record) =>
      sameContent(application.sources, record.revisions, entry.revisions, facts),
    );
    if (isKnown) continue;
    records.push({
      revisions: entry.revisions,
      appliedAt: entry.deployStartedAt ?? entry.deployedAt,
      healthyAt: entry.deployedAt,
      healthySince: entry.deployedAt,
      healthyUntil: entry.deployedAt,
      degraded: null,
      isGuess: true,
    });
  }
  return records;
}

function rememberFailedSync(
  known: ApplicationMemory | null,
  application: Application,
  memory: OperationMemory | null,
  running: Running | null,
  facts: ContentFacts,
  now: number,
): FailedSync | null {
  const { operation, sources } = application;
  const before = stillFailing(known?.failedSync ?? null, application, running, facts);
  if (operation === null || memory === null || !isFailedAttempt(application)) return before;
  const target = memory.target;
  if (target === null) return before;
  const total = operation.retryCount + (operation.phase === 'Running' ? 0 : 1);
  const isSameContent = before !== null && sameContent(sources, before.revisions, target, facts);
  if (!isSameContent) {
    return {
      revisions: target,
      attempts: Math.max(1, total),
      since: changedAt(known, operation.finishedAt, now),
      lastAttemptAt: operation.finishedAt,
      message: operation.message,
    };
  }
  const isCounted = before.lastAttemptAt === operation.finishedAt;
  return {
    ...before,
    attempts: Math.max(total, before.attempts + (isCounted ? 0 : 1)),
    lastAttemptAt: operation.finishedAt,
    message: operation.message,
  };
}

/** Failed attempts are forgotten when the content was applied after all or is compared with no longer. */
function stillFailing(
  before: FailedSync | null,
  application: Application,
  running: Running | null,
  facts: ContentFacts,
): FailedSync | null {
  if (before === null) return null;
  const { sources, sync } = application;
  const isApplied =
    running !== null &&
    !running.isPartial &&
    sameContent(sources, running.revisions, before.revisions, facts);
  const isOvertaken =
    sync.status === 'Synced' && !sameContent(sources, sync.revisions, before.revisions, facts);
  return isApplied || isOvertaken ? null : before;
}

/** An attempt that failed by what it applied: not one that was ended, held back or could not reach anybody. */
function isFailedAttempt(application: Application): boolean {
  const operation = application.operation;
  if (operation === null || operation.isDryRun) return false;
  const hasFailed =
    isWaitingForRetry(operation) || operation.phase === 'Failed' || operation.phase === 'Error';
  if (!hasFailed) return false;
  const meaning = meaningOf(operation.message);
  return meaning === 'other' || meaning === 'missing-kind';
}

function rememberOutOfSync(
  known: ApplicationMemory | null,
  application: Application,
  facts: ContentFacts,
  now: number,
): ApplicationMemory['outOfSync'] {
  if (application.sync.status !== 'OutOfSync') return null;
  const before = known?.outOfSync ?? null;
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

function rememberTrouble(
  known: ApplicationMemory | null,
  application: Application,
  memory: ApplicationMemory,
  facts: ContentFacts,
  now: number,
): Trouble | null {
  const { health } = application;
  const before = known?.trouble ?? null;
  if (health.status === 'Healthy') return null;
  if (health.status !== 'Degraded') return before === null ? null : { ...before, degradedSince: null };
  const since = changedAt(known, health.lastTransitionAt, now);
  const causes = degradedResources(application);
  if (before === null) {
    return {
      since,
      degradedSince: since,
      blamed: blamedFor(application, memory, health.lastTransitionAt),
      isDated: known !== null || health.lastTransitionAt !== null,
      causes,
    };
  }
  return {
    ...before,
    degradedSince: before.degradedSince ?? since,
    blamed: onlyHooksSoFar(application, memory, before, facts)
      ? (memory.running?.revisions ?? before.blamed)
      : before.blamed,
    causes: causes.length > 0 ? causes : before.causes,
  };
}

/** `kind/name` of what is Degraded, as far as the Application says it (since 3.0 it mostly does not). */
export function degradedResources(application: Application): readonly string[] {
  const named = application.resources
    .filter((resource) => resource.health === 'Degraded')
    .map(
      (resource) =>
        `${resource.group === '' ? '' : `${resource.group}/`}${resource.kind}:${resource.namespace}/${resource.name}`,
    );
  const caused = causePattern.exec(application.health.message)?.[1];
  return named.length > 0 || caused === undefined ? named : [caused];
}

/**
 * What a degradation belongs to: what the operation applies during which it began (it can be shown before
 * the result is), else what ran then. Rule 6 of docs/argocd.md. `degradedAt` is the cluster's time, to the second.
 */
function blamedFor(
  application: Application,
  memory: ApplicationMemory,
  degradedAt: number | null,
): Revisions | null {
  const running = memory.running?.revisions ?? null;
  const operation = application.operation;
  const target = memory.operation?.target ?? null;
  const starts = application.history
    .filter((entry) => isResolved(application.sources, entry.revisions))
    .map((entry) => ({ at: entry.deployStartedAt ?? entry.deployedAt, revisions: entry.revisions }));
  const changesSomething =
    operation !== null && (isActive(operation) || appliedResources(operation).length > 0);
  if (changesSomething && target !== null && operation.startedAt !== null) {
    starts.push({ at: operation.startedAt, revisions: target });
  }
  if (degradedAt === null)
    return isActive(operation) && !isWaitingForRetry(operation) ? (target ?? running) : running;
  const earlier = starts.filter((start) => start.at <= degradedAt).sort((one, other) => one.at - other.at);
  return earlier.at(-1)?.revisions ?? running;
}

/** The operation that was blamed turns out to have run hooks and nothing else. */
function onlyHooksSoFar(
  application: Application,
  memory: ApplicationMemory,
  trouble: Trouble,
  facts: ContentFacts,
): boolean {
  const { operation, sources } = application;
  if (!isActive(operation) || memory.operation === null || !isFreshResult(operation, memory.operation))
    return false;
  const target = memory.operation.target;
  const isBlamed =
    target !== null && trouble.blamed !== null && sameContent(sources, target, trouble.blamed, facts);
  return isBlamed && appliedResources(operation).length === 0;
}

function rememberContents(
  memory: ApplicationMemory,
  application: Application,
  facts: ContentFacts,
  now: number,
): readonly ContentRecord[] {
  const { sources } = application;
  const running = memory.running;
  if (running === null) return memory.contents;
  const index = memory.contents.findLastIndex((record) =>
    sameContent(sources, record.revisions, running.revisions, facts),
  );
  const found = index === -1 ? null : (memory.contents[index] ?? null);
  const record: ContentRecord = found ?? {
    revisions: running.revisions,
    appliedAt: memory.runningSince ?? now,
    healthyAt: null,
    healthySince: null,
    healthyUntil: null,
    degraded: null,
    isGuess: false,
  };
  const updated = withHealth(record, memory, application, facts, now);
  const others = memory.contents.filter((_, position) => position !== index);
  // Content that comes back (a revert) is the newest again.
  const wasLast = index === memory.contents.length - 1;
  const ordered =
    wasLast && index !== -1
      ? [...others, updated]
      : [...others, { ...updated, revisions: running.revisions }];
  return ordered.slice(-contentsMax);
}

function withHealth(
  record: ContentRecord,
  memory: ApplicationMemory,
  application: Application,
  facts: ContentFacts,
  now: number,
): ContentRecord {
  if (isQuietlyHealthy(application, memory, facts)) {
    const isSpell =
      record.healthySince !== null &&
      !record.isGuess &&
      record.healthyUntil !== null &&
      memory.trouble === null;
    return {
      ...record,
      revisions: memory.running?.revisions ?? record.revisions,
      healthyAt: record.healthyAt ?? now,
      healthySince: isSpell && !wasDegradedSince(record) ? record.healthySince : now,
      healthyUntil: now,
      isGuess: false,
    };
  }
  const { trouble } = memory;
  if (trouble?.degradedSince == null || trouble.blamed === null) return record;
  if (!sameContent(application.sources, trouble.blamed, record.revisions, facts)) return record;
  const lastedMs = now - trouble.degradedSince;
  if (
    record.degraded !== null &&
    record.degraded.lastedMs > lastedMs &&
    record.degraded.from !== trouble.degradedSince
  )
    return record;
  return { ...record, degraded: { from: trouble.degradedSince, lastedMs, causes: trouble.causes } };
}

/** The newest healthy spell ended in a degradation: the next look that is Healthy begins another. */
function wasDegradedSince(record: ContentRecord): boolean {
  return (
    record.degraded !== null && record.healthyUntil !== null && record.degraded.from >= record.healthyUntil
  );
}

/** Synced and Healthy on what it runs, with no operation on anything else. */
export function isQuietlyHealthy(
  application: Application,
  memory: ApplicationMemory,
  facts: ContentFacts,
): boolean {
  const { sources, sync, health } = application;
  const running = memory.running;
  if (running === null || running.isPartial || sync.status !== 'Synced' || health.status !== 'Healthy')
    return false;
  if (!sameContent(sources, sync.revisions, running.revisions, facts)) return false;
  return !hasOtherOperation(application, memory, running.revisions, facts);
}

/** An operation on other content than this runs or waits for its retry. Rule 8: on the same it is housekeeping. */
export function hasOtherOperation(
  application: Application,
  memory: ApplicationMemory,
  revisions: Revisions,
  facts: ContentFacts,
): boolean {
  if (!isActive(application.operation)) return false;
  const target = memory.operation?.target ?? null;
  return target !== null && !sameContent(application.sources, target, revisions, facts);
}
