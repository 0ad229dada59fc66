/**
 * `status.conditions` and `status.health` of an ApplicationSet. Ported from `setApplicationSetStatusCondition` in
 * https://github.com/argoproj/argo-cd/blob/v3.5.1/applicationset/controllers/applicationset_controller.go and from
 * `SetConditions` and `CalculateHealth` in
 * https://github.com/argoproj/argo-cd/blob/v3.5.1/pkg/apis/application/v1alpha1/applicationset_types.go.
 */
import type {
  ApplicationSetCondition,
  ApplicationSetStatus,
  ApplicationStatusEntry,
  RolloutStep,
} from './objects.ts';

export type ConditionDraft = Omit<ApplicationSetCondition, 'lastTransitionTime'>;

const ROLLOUT_CONDITIONS = ['RolloutProgressing', 'InvalidRolloutConfig'];

/** The applications were generated and written: what every reconciliation ends with. */
export const UP_TO_DATE: ConditionDraft = {
  type: 'ResourcesUpToDate',
  status: 'True',
  reason: 'ApplicationSetUpToDate',
  message: 'All applications have been generated successfully',
};

/** Something went wrong; `reason` is one of Argo CD's (`ApplicationSetReason…`). */
export function errorOccurred(reason: string, message: string): ConditionDraft {
  return { type: 'ErrorOccurred', status: 'True', reason, message };
}

/** Whether a rollout is under way, by the entries: the first step of which not all are Healthy. */
export function rolloutCondition(
  steps: readonly RolloutStep[],
  entries: readonly ApplicationStatusEntry[],
): ConditionDraft {
  const step = steps.findIndex((_, index) =>
    entries.some((entry) => entry.step === String(index + 1) && entry.status !== 'Healthy'),
  );
  return step < 0
    ? {
        type: 'RolloutProgressing',
        status: 'False',
        reason: 'ApplicationSetRolloutComplete',
        message: 'ApplicationSet Rollout has completed',
      }
    : {
        type: 'RolloutProgressing',
        status: 'True',
        reason: 'ApplicationSetModified',
        message: `ApplicationSet is performing rollout of step ${step + 1}`,
      };
}

/** What 3.6 says of the steps (`getInvalidRolloutConfig`). */
export function rolloutConfigCondition(issue: string | undefined): ConditionDraft {
  const type = 'InvalidRolloutConfig';
  return issue === undefined
    ? {
        type,
        status: 'False',
        reason: 'ApplicationSetValidRolloutConfig',
        message: 'Rolling Sync Configured correctly',
      }
    : { type, status: 'True', reason: 'ApplicationSetInvalidRolloutConfig', message: issue };
}

export interface ConditionUpdate {
  conditions: readonly ConditionDraft[];
  /** Whether the strategy is RollingSync; if not, the conditions about a rollout go away. */
  isRollingSync: boolean;
  isParametersGenerated: boolean;
  /** `status.health` came with 3.4. */
  hasHealth: boolean;
  /** RFC 3339. */
  now: string;
}

/** The conditions (and health) after an update, or undefined when nothing but times would change. */
export function withConditions(
  status: ApplicationSetStatus,
  update: ConditionUpdate,
): Pick<ApplicationSetStatus, 'conditions' | 'health'> | undefined {
  const stored = status.conditions ?? [];
  const given = withDependents(update).filter(
    ({ type }) => update.isRollingSync || !ROLLOUT_CONDITIONS.includes(type),
  );
  const replaced = new Set(given.map(({ type }) => type));
  if (!update.isRollingSync) for (const type of ROLLOUT_CONDITIONS) replaced.add(type);
  const kept = stored.filter(({ type }) => !replaced.has(type));
  const next = [...kept, ...given.map((draft) => withTime(draft, stored, update.now))];
  next.sort((one, other) => (one.type < other.type ? -1 : 1));
  const says = (conditions: readonly ConditionDraft[]) =>
    conditions
      .map(({ type, status, reason, message }) => [type, status, reason, message].join('\n'))
      .join('\n\n');
  if (says(next) === says(stored)) return undefined;
  return update.hasHealth ? { conditions: next, health: healthOf(next) } : { conditions: next };
}

/** ParametersGenerated comes with every update; being up to date and having an error exclude each other. */
function withDependents(update: ConditionUpdate): ConditionDraft[] {
  const drafts: ConditionDraft[] = [];
  for (const condition of update.conditions) {
    const { type, status, message, reason } = condition;
    drafts.push(condition);
    if (type === 'ResourcesUpToDate' && status === 'True') {
      drafts.push({ type: 'ErrorOccurred', status: 'False', reason, message });
    }
    if (type === 'ErrorOccurred' && status === 'True') {
      drafts.push({ type: 'ResourcesUpToDate', status: 'False', reason: 'ErrorOccurred', message });
    }
  }
  const type = 'ParametersGenerated';
  const cause = update.conditions[0]?.message ?? '';
  drafts.push(
    update.isParametersGenerated
      ? {
          type,
          status: 'True',
          reason: type,
          message: 'Successfully generated parameters for all Applications',
        }
      : { type, status: 'False', reason: 'ErrorOccurred', message: cause },
  );
  return drafts;
}

function withTime(
  draft: ConditionDraft,
  stored: readonly ApplicationSetCondition[],
  now: string,
): ApplicationSetCondition {
  const old = stored.find(({ type }) => type === draft.type);
  const isSame = old?.status === draft.status && old.reason === draft.reason && old.message === draft.message;
  return { ...draft, lastTransitionTime: isSame ? (old.lastTransitionTime ?? now) : now };
}

function healthOf(conditions: readonly ApplicationSetCondition[]): ApplicationSetStatus['health'] {
  const message = (type: string) =>
    conditions.find((one) => one.type === type && one.status === 'True')?.message;
  const error = message('ErrorOccurred');
  if (error !== undefined) return { status: 'Degraded', message: error };
  const progress = message('RolloutProgressing');
  if (progress !== undefined) return { status: 'Progressing', message: progress };
  const done = message('ResourcesUpToDate');
  if (done !== undefined) return { status: 'Healthy', message: done };
  return { status: 'Unknown', message: 'Waiting for health status to be determined' };
}
