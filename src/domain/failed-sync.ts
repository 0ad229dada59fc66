/**
 * Sync attempts that failed, counted over looks: the status shows only the last one, and the final `Failed` comes
 * minutes after the first.
 */
import { changedAt } from './changed-at.ts';
import { configurationOf, isMadeAlike, type Making } from './configuration.ts';
import { type ContentFacts, type Revisions, sameContent } from './content.ts';
import type { ApplicationMemory, FailedSync } from './memory.ts';
import { meaningOfFailure } from './messages.ts';
import type { Application, Source } from './objects.ts';
import { isWaitingForRetry, type OperationMemory, type Running } from './running.ts';

/** The failed attempts after one more look; null when none is known of what it is to apply. */
export function rememberFailedSync(
  known: ApplicationMemory | null,
  application: Application,
  memory: OperationMemory | null,
  running: Running | null,
  facts: ContentFacts,
  now: number,
): FailedSync | null {
  const { operation, sources } = application;
  const before = stillFailing(known?.failedSync ?? null, application, running, facts);
  if (operation === null || memory === null || !isFailedAttempt(application) || memory.hasLeftOvers)
    return before;
  const target = memory.target;
  if (target === null) return before;
  const total = memory.failures - memory.elsewhere;
  const configuration = operation.result?.configuration ?? configurationOf(application.sync.comparedSources);
  // It has all of it: that the same is refused when it is synced once more is nothing that counts, at whatever look.
  if (hasAll(running, { revisions: target, configuration }, sources, facts)) return null;
  // Nor does what failed before it was compared with, and is Synced to, something else.
  if (isOvertaken(application, target, facts)) return null;
  const isSameContent =
    before !== null && isMadeAlike(sources, before, { revisions: target, configuration }, facts);
  if (!isSameContent) {
    const since = changedAt(known, operation.finishedAt, now);
    return {
      revisions: target,
      configuration,
      attempts: Math.max(1, total),
      since,
      failingSince: before?.failingSince ?? since,
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
  const isApplied = hasAll(running, before, application.sources, facts);
  return isApplied || isOvertaken(application, before.revisions, facts) ? null : before;
}

function isOvertaken({ sources, sync }: Application, failed: Revisions, facts: ContentFacts): boolean {
  return sync.status === 'Synced' && !sameContent(sources, sync.revisions, failed, facts);
}

function hasAll(
  running: Running | null,
  other: Making,
  sources: readonly Source[],
  facts: ContentFacts,
): boolean {
  return running !== null && !running.isPartial && isMadeAlike(sources, running, other, facts);
}

/** An attempt that failed by what it applied: not one that was ended, held back or could not reach anybody. */
function isFailedAttempt(application: Application): boolean {
  const operation = application.operation;
  if (operation === null || operation.isDryRun) return false;
  const hasFailed =
    isWaitingForRetry(operation) || operation.phase === 'Failed' || operation.phase === 'Error';
  if (!hasFailed) return false;
  const meaning = meaningOfFailure(operation);
  return meaning === 'other' || meaning === 'missing-kind';
}
