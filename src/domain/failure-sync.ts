/**
 * Sync attempts that fail. `Running` with `finishedAt` is one that waits for its retry; the final `Failed`
 * comes minutes later, so a small number of failed attempts says enough. What the destination lacks, what a
 * person ended and what a window held back is nobody's commit. PS05, PS10, PS43.
 */

import { isMadeAlike } from './configuration.ts';
import { sameContent } from './content.ts';
import { type LastGood, lastGoodOf, wasGoodOtherwise } from './last-good.ts';
import { type Assessment, answer, type Look, reasonFor } from './look.ts';
import { meaningOf } from './messages.ts';
import { isActive, isWaitingForRetry } from './running.ts';
import type { Reason } from './verdict.ts';

/** Null when no attempt has failed on what the Application is told to run. */
export function assessFailedSync(look: Look): Assessment | null {
  const { application, memory, facts, policy } = look;
  const failed = memory.failedSync;
  if (failed === null) return null;
  const { sources, sync } = application;
  const isTarget = sameContent(sources, sync.revisions, failed.revisions, facts);
  if (!isTarget) return null;
  const details = {
    field: 'status.operationState',
    value: `${failed.attempts} failed ${failed.attempts === 1 ? 'attempt' : 'attempts'}`,
    since: failed.since,
    message: failureMessage(look),
  };
  const lastGood = lastGoodOf(look, failed.revisions);
  if (isOnlyMissingKinds(look) && lastGood === null)
    return answer('blocked', reasonFor(look, 'missing-kind', details));
  const { running } = memory;
  const hasIt = running !== null && isMadeAlike(sources, running, failed, facts);
  if (hasIt && !running.isPartial) return null;
  if (failed.attempts < policy.syncAttempts && !isOver(look)) {
    // What was applied in part can be Degraded as well, and that is another answer.
    return hasIt && application.health.status === 'Degraded' ? null : stillTrying(look, details);
  }
  if (isIllFromBefore(look, lastGood))
    return answer('sick', reasonFor(look, 'unhealthy-before-the-change', details));
  if (wasGoodOtherwise(look, failed.revisions, failed.configuration))
    return answer('sick', reasonFor(look, 'template-edited', details));
  return {
    verdict: 'failed',
    reasons: [reasonFor(look, 'sync-failed', details)],
    failure: { kind: 'sync', revisions: failed.revisions, since: failed.since },
    lookAgainAt: null,
    isMoving: false,
  };
}

/** The operation has ended with the attempt that was counted last: there will be no other. */
function isOver({ application, memory }: Look): boolean {
  const { operation } = application;
  if (operation?.phase !== 'Failed' && operation?.phase !== 'Error') return false;
  return operation.finishedAt === memory.failedSync?.lastAttemptAt;
}

/**
 * All was applied, and the attempt failed on nothing but the health of what it applied, which was ill before it began, on
 * what it would go back to.
 */
function isIllFromBefore({ application, memory, facts }: Look, lastGood: LastGood | null): boolean {
  const blamed = memory.trouble?.blamed ?? null;
  if (application.health.status !== 'Degraded' || blamed === null || lastGood === null) return false;
  if (!sameContent(application.sources, blamed, lastGood.revisions, facts)) return false;
  const failing = (application.operation?.result?.resources ?? []).filter(
    ({ status, hookPhase }) => status === 'SyncFailed' || hookPhase === 'Failed' || hookPhase === 'Error',
  );
  return (
    failing.length > 0 && failing.every(({ status, hookType }) => status === 'Synced' && hookType === '')
  );
}

/** Too few attempts have failed to say so. Null when none is under way, or when one hangs: that is another answer. */
function stillTrying(look: Look, details: Partial<Reason>): Assessment | null {
  const { application, memory, policy, now } = look;
  if (!isActive(application.operation) || memory.operation === null) return null;
  if (isWaitingForRetry(application.operation))
    return answer('in-progress', reasonFor(look, 'waits-for-retry', details), { isMoving: true });
  const lookAgainAt = memory.operation.attemptSince + policy.stuckMs;
  if (now >= lookAgainAt) return null;
  return answer('in-progress', reasonFor(look, 'operation-runs', details), { lookAgainAt, isMoving: true });
}

function isOnlyMissingKinds(look: Look): boolean {
  const refused = (look.application.operation?.result?.resources ?? []).filter(
    (resource) => resource.status === 'SyncFailed',
  );
  return refused.length > 0 && refused.every((resource) => meaningOf(resource.message) === 'missing-kind');
}

/** The message of the resource that was refused says more than the one of the operation. */
function failureMessage(look: Look): string {
  const resources = look.application.operation?.result?.resources ?? [];
  const refused = resources.find(
    (resource) =>
      resource.status === 'SyncFailed' || resource.hookPhase === 'Failed' || resource.hookPhase === 'Error',
  );
  if (refused === undefined || refused.message === '') return look.memory.failedSync?.message ?? '';
  return `${refused.kind} ${refused.name}: ${refused.message}`;
}
