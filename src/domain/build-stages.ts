/**
 * The stages of a rollout: the steps of the ApplicationSet with the Applications of each, and one verdict a stage.
 */
import type { ApplicationSet, Step } from './objects.ts';
import type { RolloutInput, Stage, StageApplication } from './rollout.ts';
import { effectiveMaxUpdate, maxUpdateInWords, selectorInWords, stageName } from './stages.ts';
import { gravest, type StageVerdict } from './verdict.ts';

/** RollingSync with steps; anything else is AllAtOnce, silently. */
export function hasStages(applicationSet: ApplicationSet): boolean {
  return applicationSet.strategyType === 'RollingSync' && applicationSet.steps !== null;
}

/** In their order; one for everything where there are no steps. `all` are the Applications, `unselected` those in no step. */
export function stagesOf(
  input: RolloutInput,
  all: readonly StageApplication[],
  unselected: readonly StageApplication[],
): readonly Stage[] {
  const steps: readonly Step[] = hasStages(input.applicationSet)
    ? (input.applicationSet.steps ?? [])
    : [{ expressions: [], maxUpdate: null }];
  const names = stageNames(input.applicationSet);
  const stages: Stage[] = [];
  steps.forEach((step, index) => {
    const applications = all.filter((one) => one.step === index + 1);
    const maxUpdate = effectiveMaxUpdate(step.maxUpdate, applications.length);
    const areEarlierDone = stages.every(isDone);
    const heldBy =
      index === 0
        ? unselected.filter((one) => one.status?.status === 'Pending' || one.status?.status === 'Progressing')
        : [];
    stages.push({
      number: index + 1,
      name: names.get(index + 1) ?? '',
      selector: selectorInWords(step),
      pace: maxUpdateInWords(step.maxUpdate),
      maxUpdate,
      verdict: stageVerdict(applications, { maxUpdate, areEarlierDone, heldBySlots: heldBy.length }),
      applications,
    });
  });
  return stages;
}

/** Names by number, from 1. */
export function stageNames(applicationSet: ApplicationSet): ReadonlyMap<number, string> {
  if (!hasStages(applicationSet)) return new Map([[1, 'all at once']]);
  return new Map((applicationSet.steps ?? []).map((step, index) => [index + 1, stageName(step, index + 1)]));
}

/** Argo CD goes on; it does not know of what is left out. */
function isDone({ verdict, applications }: Stage): boolean {
  return (
    verdict === 'ok' &&
    applications.every((one) => one.leftOut === null || one.application.health.status === 'Healthy')
  );
}

/** The gravest of its Applications; what merely waits is told apart from what moves. */
function stageVerdict(
  applications: readonly StageApplication[],
  context: { maxUpdate: number; areEarlierDone: boolean; heldBySlots: number },
): StageVerdict {
  const verdict = gravest(applications.map((one) => one.assessment.verdict));
  if (verdict !== 'in-progress') return verdict;
  const moving = applications.filter((one) => one.assessment.verdict === 'in-progress');
  const isAllWaiting = moving.every(
    (one) =>
      one.status?.status === 'Waiting' &&
      one.assessment.isMoving &&
      ['OutOfSync', ''].includes(one.application.sync.status),
  );
  if (!isAllWaiting) return verdict;
  if (!context.areEarlierDone) return 'waiting';
  if (context.maxUpdate === 0) return 'manual-gate';
  // A quirk of the controller: what is in no step and Progressing takes a slot of step 1 (PS02).
  return context.heldBySlots >= context.maxUpdate ? 'blocked' : verdict;
}
