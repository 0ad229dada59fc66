import { describe, expect, it } from 'vitest';
import type { ApplicationObject, OperationState, Retry } from '../../../src/sandbox/argocd/objects.ts';
import { afterFailure, beginOperation, operationPatch } from '../../../src/sandbox/argocd/operation.ts';

const NOON = Date.parse('2026-12-01T12:00:00Z');

function application(operationState?: Partial<OperationState>): ApplicationObject {
  return {
    metadata: {
      name: 'shop-dev-1',
      namespace: 'argocd',
      uid: '1',
      resourceVersion: '1',
      creationTimestamp: '2026-12-01T00:00:00Z',
    },
    spec: { destination: {} },
    status: {
      health: {},
      sync: { status: 'OutOfSync', comparedTo: { destination: {} } },
      operationState: operationState as OperationState,
    },
    operation: { sync: { prune: true }, retry: { limit: 5 } },
  };
}

function waiting(retryCount: number, retry: Retry = { limit: 5 }): Partial<OperationState> {
  return {
    operation: { sync: {}, retry },
    phase: 'Running',
    startedAt: '2026-12-01T11:00:00Z',
    finishedAt: '2026-12-01T12:00:00Z',
    retryCount,
    syncResult: { revision: 'bad' },
  };
}

function waitSeconds(retryCount: number, retry?: Retry): number {
  const beginning = beginOperation(application(waiting(retryCount, retry)), NOON);
  return beginning.kind === 'wait' ? (beginning.untilMs - NOON) / 1000 : 0;
}

describe('the retries of an operation', () => {
  it('wait 10, 20, 40, 80 and 160 seconds, and never more than three minutes', () => {
    expect([1, 2, 3, 4, 5, 6].map((count) => waitSeconds(count))).toEqual([10, 20, 40, 80, 160, 180]);
  });

  it('wait as the operation itself says', () => {
    expect(waitSeconds(1, { limit: 2, backoff: { duration: '1m', factor: 1, maxDuration: '10m' } })).toBe(60);
  });

  it('forget their results, so that the branch is resolved again', () => {
    const beginning = beginOperation(application(waiting(2)), NOON + 20_000);
    expect(beginning).toMatchObject({
      kind: 'work',
      isNew: true,
      state: { message: 'Retrying operation. Attempt #2' },
    });
    expect(beginning.kind === 'work' && beginning.state.syncResult).toBeUndefined();
    expect(beginning.kind === 'work' && beginning.state.finishedAt).toBeUndefined();
  });

  it('a failed attempt is Running and has finished; the message names a shorter wait than the one that holds', () => {
    const state: OperationState = {
      operation: { retry: { limit: 5 } },
      phase: 'Failed',
      startedAt: '2026-12-01T12:00:00Z',
      message: 'refused',
    };
    expect(afterFailure(state, NOON + 58_000)).toMatchObject({
      phase: 'Running',
      retryCount: 1,
      finishedAt: '2026-12-01T12:00:58Z',
      message: 'refused. Retrying attempt #1 at 12:01PM.',
    });
    expect(afterFailure({ ...state, retryCount: 5 }, NOON)).toMatchObject({
      phase: 'Failed',
      message: 'refused (retried 5 times).',
    });
    expect(afterFailure({ ...state, operation: {} }, NOON)).toEqual({ ...state, operation: {} });
  });
});

describe('what is written of an operation', () => {
  it('a new one leaves the message, the count and the result of the one before as they were', () => {
    const before = { ...waiting(3), phase: 'Failed' as const };
    const beginning = beginOperation(application(before), NOON);
    const patch =
      beginning.kind === 'work' ? operationPatch(application(before), beginning.state, NOON) : undefined;
    expect(patch).toEqual({
      status: {
        operationState: {
          operation: { sync: { prune: true }, retry: { limit: 5 } },
          phase: 'Running',
          startedAt: '2026-12-01T12:00:00Z',
          finishedAt: null,
        },
      },
    });
  });

  it('its end takes the request away', () => {
    const state: OperationState = { operation: {}, phase: 'Succeeded', startedAt: '2026-12-01T12:00:00Z' };
    expect(operationPatch(application(), state, NOON)).toMatchObject({
      operation: null,
      status: { operationState: { phase: 'Succeeded', finishedAt: '2026-12-01T12:00:00Z' } },
    });
  });

  it('what is stored already is not written again', () => {
    const state = { operation: {}, phase: 'Running' as const, startedAt: '2026-12-01T12:00:00Z' };
    expect(operationPatch(application(state), state, NOON)).toBeUndefined();
  });
});
