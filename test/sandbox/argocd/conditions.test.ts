import { describe, expect, it } from 'vitest';
import {
  errorOccurred,
  rolloutCondition,
  rolloutConfigCondition,
  UP_TO_DATE,
  withConditions,
} from '../../../src/sandbox/argocd/conditions.ts';
import type { ApplicationSetStatus } from '../../../src/sandbox/argocd/objects.ts';
import { rollingSyncSteps } from '../../../src/sandbox/argocd/steps.ts';
import { expectationOf, RECORDINGS, recordingOf } from './recorded.ts';

function statement(status: ApplicationSetStatus | undefined) {
  const conditions = (status?.conditions ?? []).map(
    ({ type, status: value, reason, message }) => `${type} ${value} ${reason}: ${message}`,
  );
  return [...conditions, `${status?.health?.status}: ${status?.health?.message}`];
}

describe('conditions and health of an ApplicationSet', () => {
  it.each(RECORDINGS)('%s: each change of them is what the entries of that moment lead to', (name) => {
    for (const applicationSet of expectationOf(name).applicationSets) {
      const { sets, isProgressive, version } = recordingOf(name, applicationSet);
      let changes = 0;
      for (const [index, { object, line }] of sets.entries()) {
        const before = sets[index - 1]?.object.status;
        if (index === 0 || JSON.stringify(before?.conditions) === JSON.stringify(object.status?.conditions))
          continue;
        changes += 1;
        const steps = isProgressive ? rollingSyncSteps(object) : undefined;
        const rollout = rolloutCondition(steps ?? [], object.status?.applicationStatus ?? []);
        const config = version === '3.6' ? [rolloutConfigCondition(undefined)] : [];
        const possible = [[...config, rollout], [UP_TO_DATE]].map((conditions) => {
          const update = withConditions(before ?? {}, {
            conditions,
            isParametersGenerated: true,
            isRollingSync: true,
            hasHealth: true,
            now: '2026-12-01T00:00:00Z',
          });
          return statement({ ...before, ...update });
        });
        expect(possible, `line ${line}`).toContainEqual(statement(object.status));
      }
      expect(changes).toBeGreaterThan(0);
    }
  });

  it('turns an error into ErrorOccurred and Degraded, and takes the conditions of a rollout away without RollingSync', () => {
    const update = { isParametersGenerated: true, hasHealth: true, now: '2026-12-01T00:00:00Z' };
    const rolling = withConditions(
      {},
      { ...update, conditions: [rolloutCondition([], [])], isRollingSync: true },
    );
    const error = errorOccurred('ApplicationValidationError', 'two are called shop-dev-1');
    const after = withConditions(rolling!, { ...update, conditions: [error], isRollingSync: false });
    expect(statement(after)).toMatchInlineSnapshot(`
      [
        "ErrorOccurred True ApplicationValidationError: two are called shop-dev-1",
        "ParametersGenerated True ParametersGenerated: Successfully generated parameters for all Applications",
        "ResourcesUpToDate False ErrorOccurred: two are called shop-dev-1",
        "Degraded: two are called shop-dev-1",
      ]
    `);
  });

  it('changes nothing when it says the same again', () => {
    const update = {
      conditions: [UP_TO_DATE],
      isParametersGenerated: true,
      isRollingSync: true,
      hasHealth: true,
      now: '2026-12-01T00:00:00Z',
    };
    const first = withConditions({}, update)!;
    expect(withConditions(first, { ...update, now: '2026-12-01T01:00:00Z' })).toBeUndefined();
  });
});
