/**
 * What an operation alone says of an Application: held by a window, without an end, refused by its cluster, under way on
 * another commit, never begun. Rules of `assess`, tried in its order.
 */
import { hasOtherOperation } from './contents.ts';
import { type Assessment, answer, isOutOfSyncTowardsOther, type Look, reasonFor } from './look.ts';
import { meaningOf, meaningOfFailure } from './messages.ts';
import { isActive, isWaitingForRetry } from './running.ts';

export function heldBySyncWindow(look: Look): Assessment | null {
  const { operation } = look.application;
  if (!isActive(operation) || meaningOf(operation.message) !== 'sync-window') return null;
  const reason = reasonFor(look, 'sync-window', {
    field: 'status.operationState.message',
    value: operation.message,
    since: look.memory.operation?.attemptSince ?? null,
    message: operation.message,
  });
  return { ...answer('blocked', reason), isMoving: true };
}

/** One attempt of an operation has no end: a hook or a wave that waits for ever, or a termination that hangs. */
export function runsTooLong(look: Look): Assessment | null {
  const { operation } = look.application;
  if (!isActive(operation) || isWaitingForRetry(operation) || look.memory.operation === null) return null;
  const since = look.memory.operation.attemptSince;
  const until = since + look.policy.stuckMs;
  if (look.now < until) return null;
  return answer(
    'stuck',
    reasonFor(look, 'operation-runs-too-long', {
      field: 'status.operationState.phase',
      value: operation.phase,
      since,
      message: operation.message,
    }),
    { isMoving: true },
  );
}

/** The last attempt did not reach the destination, or was refused there: no commit changes that. */
export function destinationRefuses(look: Look): Assessment | null {
  const { application, memory } = look;
  const { operation } = application;
  if (application.sync.status === 'Synced' || operation === null || operation.finishedAt === null)
    return null;
  const hasFailed = operation.phase !== 'Succeeded';
  if (!hasFailed || meaningOfFailure(operation) !== 'destination') return null;
  const reason = reasonFor(look, 'destination-unreachable', {
    field: 'status.operationState.message',
    value: operation.phase,
    since: memory.operation?.attemptSince ?? null,
    message: operation.message,
  });
  return { ...answer('blocked', reason), isMoving: true };
}

/** An operation on other content than it runs: on its way, whatever health says. */
export function otherOperation(look: Look): Assessment | null {
  const { application, memory, facts } = look;
  const { operation } = application;
  const running = memory.running?.revisions ?? null;
  const isOther =
    running === null ? isActive(operation) : hasOtherOperation(application, memory, running, facts);
  if (!isOther || operation === null) return null;
  const isWaiting = isWaitingForRetry(operation);
  const code = isWaiting
    ? 'waits-for-retry'
    : application.sync.status === 'Synced'
      ? 'operation-on-other-commit'
      : 'operation-runs';
  const since = memory.operation?.attemptSince ?? null;
  const lookAgainAt = isWaiting || since === null ? null : since + look.policy.stuckMs;
  return answer(
    'in-progress',
    reasonFor(look, code, {
      field: 'status.operationState.phase',
      value: operation.phase,
      since,
      message: operation.message,
    }),
    { lookAgainAt, isMoving: true },
  );
}

/** An operation was requested and nobody begins it: seen for minutes on Argo CD 3.3. */
export function neverStarts(look: Look): Assessment | null {
  const { memory, policy, now } = look;
  if (memory.requestedSince === null || !isOutOfSyncTowardsOther(look)) return null;
  const lookAgainAt = memory.requestedSince + policy.stuckMs;
  const isOver = now >= lookAgainAt;
  const reason = reasonFor(look, isOver ? 'operation-never-starts' : 'sync-is-coming', {
    field: 'operation',
    value: 'requested',
    since: memory.requestedSince,
  });
  return isOver
    ? answer('stuck', reason, { isMoving: true })
    : answer('in-progress', reason, { lookAgainAt, isMoving: true });
}
