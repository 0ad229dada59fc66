/**
 * Faults of an ApplicationSet itself, before any of its Applications is looked at: a strategy without steps, a policy that
 * forbids every sync, labels that no template sets, a switch that is off.
 */
import { labelLines } from './label-advice.ts';
import type { RolloutInput } from './rollout.ts';
import type { Reason, Verdict } from './verdict.ts';

export interface WholeVerdict {
  verdict: Verdict;
  code: Reason['code'];
  reason: Reason;
}

/** Faults of the ApplicationSet itself, before any of its Applications is looked at. */
export function verdictOfTheWhole(
  input: RolloutInput,
  applications: number,
  unselected: number,
): WholeVerdict | null {
  const { applicationSet: set } = input;
  const make = (verdict: Verdict, code: Reason['code'], field: string, value: string): WholeVerdict => ({
    verdict,
    code,
    reason: wholeReason(code, field, value),
  });
  if (input.blindness !== null) return make('unknown', 'blind', '', input.blindness);
  const isRolling = set.strategyType === 'RollingSync';
  if (isRolling && (set.steps ?? []).length === 0)
    return make(
      'misconfigured',
      'no-steps',
      'spec.strategy.rollingSync.steps',
      set.steps === null ? 'absent' : 'empty',
    );
  if (isRolling && /^create-(only|delete)$/.test(set.applicationsSync)) {
    return make(
      'misconfigured',
      'policy-prevents-sync',
      'spec.syncPolicy.applicationsSync',
      set.applicationsSync,
    );
  }
  if (isRolling && applications > 0 && applications === unselected) {
    const whole = make('misconfigured', 'no-application-in-a-step', 'status.applicationStatus[].step', '-1');
    return { ...whole, reason: { ...whole.reason, message: labelLines(set) } };
  }
  if (isRolling && input.featureFlag === 'off')
    return make('misconfigured', 'flag-off', 'argocd-cmd-params-cm', 'off');
  return null;
}

/** Where the strategy is ignored, a commit that breaks every cluster is still a failure to take back. */
export function yields({ code, reason }: WholeVerdict, ofStages: Verdict): boolean {
  const isIgnored = code === 'flag-off' || (code === 'no-steps' && reason.value === 'absent');
  return !isIgnored || ['ok', 'in-progress', 'unnoticed', 'manual-gate'].includes(ofStages);
}

/** Entries without targetRevisions make newer API servers refuse every write of the status (PS07). */
export function statusFaults(input: RolloutInput): readonly Reason[] {
  const entries = input.applicationSet.applicationStatus;
  if (!entries.some((entry) => entry.targetRevisions === null)) return [];
  const field = 'status.applicationStatus[].targetRevisions';
  return [
    { code: 'status-write-rejected', application: null, field, value: 'absent', since: null, message: '' },
  ];
}

/** A reason about the ApplicationSet itself. */
export function wholeReason(code: Reason['code'], field: string, value: string): Reason {
  return { code, application: null, field, value, since: null, message: '' };
}
