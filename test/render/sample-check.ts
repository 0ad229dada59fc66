/** One check of payments from which tests of words begin: seven Applications in three stages, on their way. */
import type { CheckStage } from '../../src/domain/check-stages.ts';
import type { CommitCheck } from '../../src/domain/commit-check.ts';
import { bad, lastGood } from './sample-incident.ts';

export function checkStage(number: number, name: string, change: Partial<CheckStage> = {}): CheckStage {
  const applications = change.applications ?? 3;
  const names = Array.from({ length: applications }, (_, index) => `payments-${name}-${index + 1}`);
  return {
    number,
    name,
    applications,
    having: 0,
    runs: applications === 0 ? [] : [{ commit: lastGood, isThis: false, names }],
    outOfOrder: [],
    partly: [],
    failing: [],
    health: 'Healthy',
    message: '',
    verdict: 'waiting',
    ...change,
  };
}

/** dev has it, staging begins, and prod-2 got it ahead of its turn. */
export function commitCheckOf(change: Partial<CommitCheck> = {}): CommitCheck {
  return {
    key: 'argocd/payments',
    name: 'payments',
    sha: bad,
    state: { kind: 'rolling' },
    stages: [
      checkStage(1, 'dev', {
        applications: 1,
        having: 1,
        runs: [{ commit: bad, isThis: true, names: ['payments-dev-1'] }],
        verdict: 'ok',
      }),
      checkStage(2, 'staging', {
        having: 1,
        runs: [
          { commit: bad, isThis: true, names: ['payments-staging-1'] },
          { commit: lastGood, isThis: false, names: ['payments-staging-2', 'payments-staging-3'] },
        ],
        health: 'Progressing',
        message: 'waiting for the rollout to finish',
        verdict: 'in-progress',
      }),
      checkStage(3, 'prod', {
        having: 1,
        runs: [
          { commit: bad, isThis: true, names: ['payments-prod-2'] },
          { commit: lastGood, isThis: false, names: ['payments-prod-1', 'payments-prod-3'] },
        ],
        outOfOrder: ['payments-prod-2'],
      }),
    ],
    reasons: [],
    ...change,
  };
}
