/**
 * The life of an operation: how it starts, is retried, ends, and what is written each time. Ported from
 * `processRequestedAppOperation` and `setOperationState` in
 * https://github.com/argoproj/argo-cd/blob/v3.5.1/controller/appcontroller.go, and from `NextRetryAt` in
 * https://github.com/argoproj/argo-cd/blob/v3.5.1/pkg/apis/application/v1alpha1/types.go. Pure: states in, patches out.
 */
import { type ApplicationObject, type OperationState, type Retry, timestamp } from './objects.ts';

/** What to do with an operation that is being looked at. */
export type Beginning =
  /** Work on it, first writing this state when it is not what is stored. */
  | { kind: 'work'; state: OperationState; isNew: boolean }
  /** A failed attempt waits for its retry. */
  | { kind: 'wait'; untilMs: number };

/** Looks at an Application with an `operation`: start it, go on with it, try again, or wait. */
export function beginOperation(application: ApplicationObject, now: number): Beginning {
  const stored = application.status?.operationState;
  const operation = application.operation ?? {};
  if (stored === undefined || isCompleted(stored)) {
    // Only these fields are written, as a merge patch: message, retryCount and syncResult of the operation before stay
    // visible until the new one has its own (degraded-in-staging, line 41).
    return { kind: 'work', isNew: true, state: { operation, phase: 'Running', startedAt: timestamp(now) } };
  }
  if (stored.phase === 'Running' && stored.finishedAt !== undefined) {
    const retryAt = nextRetryAt(
      stored.operation.retry,
      Date.parse(stored.finishedAt),
      stored.retryCount ?? 0,
    );
    if (retryAt > now) return { kind: 'wait', untilMs: retryAt };
    return { kind: 'work', isNew: true, state: retried(stored) };
  }
  return { kind: 'work', isNew: false, state: stored };
}

/**
 * The next attempt (sync-failed-revert-while-retrying, line 204). Its results are forgotten, so it resolves the branch
 * again, unless the operation itself names a revision.
 */
function retried(stored: OperationState): OperationState {
  const { finishedAt: _finishedAt, syncResult: _syncResult, ...state } = stored;
  const isRefreshed = stored.operation.retry?.refresh === true;
  const sync = isRefreshed
    ? { ...stored.operation.sync, revision: undefined, revisions: undefined }
    : stored.operation.sync;
  const latest = isRefreshed ? ' with latest revisions' : '';
  return {
    ...state,
    operation: { ...stored.operation, sync },
    message: `Retrying operation${latest}. Attempt #${stored.retryCount ?? 0}`,
  };
}

/**
 * What becomes of an attempt that failed: with retries left it stays Running and gets the time at which it finished,
 * which is how one waits for its retry; else it is Failed. The time named in the message is the back-off of one attempt
 * less than the one that then holds (both seen in sync-failed-exhausted).
 */
export function afterFailure(state: OperationState, now: number): OperationState {
  const retryCount = state.retryCount ?? 0;
  const limit = state.operation.retry?.limit ?? 0;
  if (limit >= 0 && retryCount >= limit) {
    return retryCount > 0 ? { ...state, message: `${state.message} (retried ${retryCount} times).` } : state;
  }
  const retryAt = nextRetryAt(state.operation.retry, now, retryCount);
  return {
    ...state,
    phase: 'Running',
    finishedAt: timestamp(now),
    retryCount: retryCount + 1,
    message: `${state.message}. Retrying attempt #${retryCount + 1} at ${kitchenTime(retryAt)}.`,
  };
}

/** Whether the operation is over. */
export function isCompleted(state: OperationState): boolean {
  return state.phase === 'Succeeded' || state.phase === 'Failed' || state.phase === 'Error';
}

/**
 * The merge patch that stores a state; undefined when it is stored already. A completed operation gets its
 * `finishedAt`, and `operation` is taken away.
 */
export function operationPatch(
  application: ApplicationObject,
  state: OperationState,
  now: number,
): object | undefined {
  const stored = application.status?.operationState;
  if (stored !== undefined && JSON.stringify(sorted(stored)) === JSON.stringify(sorted(state)))
    return undefined;
  const isOver = isCompleted(state);
  const finishedAt = isOver ? timestamp(now) : state.finishedAt;
  const isCleared = finishedAt === undefined && stored?.finishedAt !== undefined;
  return {
    ...(isOver ? { operation: null } : {}),
    status: {
      operationState: { ...withoutZero(state), ...(isCleared ? { finishedAt: null } : { finishedAt }) },
    },
  };
}

/** Go leaves out an empty message and a count of 0, so a merge patch does not reset them. */
function withoutZero({ message, retryCount, ...state }: OperationState) {
  return { ...state, ...(message ? { message } : {}), ...(retryCount ? { retryCount } : {}) };
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([key, inner]) => [key, sorted(inner)]),
  );
}

/** 5 s, doubled with each retry, at most three minutes, unless the operation says otherwise. */
function nextRetryAt(retry: Retry | undefined, lastAttempt: number, retryCount: number): number {
  const { duration = '5s', factor = 2, maxDuration = '3m' } = retry?.backoff ?? {};
  const waitMs = milliseconds(duration) * factor ** retryCount;
  const maxMs = milliseconds(maxDuration);
  return lastAttempt + (maxMs > 0 ? Math.min(maxMs, waitMs) : waitMs);
}

function milliseconds(duration: string): number {
  const units: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };
  const parts = [...duration.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g)];
  if (parts.length === 0) return Number(duration) * 1000 || 0;
  return parts.reduce((sum, [, value, unit]) => sum + Number(value) * (units[unit ?? ''] ?? 0), 0);
}

/** Go's `time.Kitchen`: 3:04PM. */
function kitchenTime(at: number): string {
  const date = new Date(at);
  const hour = date.getUTCHours();
  const minutes = String(date.getUTCMinutes()).padStart(2, '0');
  return `${hour % 12 || 12}:${minutes}${hour < 12 ? 'AM' : 'PM'}`;
}
