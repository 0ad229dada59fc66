/**
 * Which Applications are left out of the verdict, and why: people ignore some for good in the configuration, ignore kinds
 * whose health says nothing, and snooze one or a stage for a while. A failure of one that is left out is no failure; it is
 * seen and said all the same. And how many of a stage must fail before any of it counts.
 */
import type { Assessment } from './look.ts';
import type { Application, ObjectKey, ResourceState } from './objects.ts';
import type { Orders, Snooze } from './orders.ts';
import type { StageApplication } from './rollout.ts';
import type { Reason } from './verdict.ts';

/** What is configured for one ApplicationSet. */
export interface Exceptions {
  ignoresApplication(key: ObjectKey): boolean;
  /** `group` is "" for the core group. */
  ignoresKind(group: string, kind: string): boolean;
  /** At least 1, and at most as many as there are. */
  failuresNeeded(stage: { number: number; name: string; applications: number }): number;
}

/** Everything counts, and one failure is enough. */
export const noExceptions: Exceptions = {
  ignoresApplication: () => false,
  ignoresKind: () => false,
  failuresNeeded: () => 1,
};

export type LeftOut =
  | { kind: 'ignored-application' }
  /** Degraded by nothing but resources of kinds that are ignored. */
  | { kind: 'ignored-kind'; resources: readonly string[] }
  | { kind: 'snoozed'; snooze: Snooze };

/** Null when it counts. `stage` is null for what is in none. A snooze ends at its moment, not after it. */
export function leftOut(
  application: Application,
  stage: { number: number; name: string } | null,
  exceptions: Exceptions,
  orders: Orders,
  now: number,
): LeftOut | null {
  if (exceptions.ignoresApplication(application.key)) return { kind: 'ignored-application' };
  const snooze = orders.snoozes.find((one) => now < one.until && isMeant(one, application, stage));
  if (snooze !== undefined) return { kind: 'snoozed', snooze };
  const degraded = application.resources.filter(({ health }) => health === 'Degraded');
  // Argo CD need not say which resources are Degraded; what nobody names is not taken for ignored.
  const isIgnored =
    application.health.status === 'Degraded' &&
    degraded.length > 0 &&
    degraded.every(({ group, kind }) => exceptions.ignoresKind(group, kind));
  return isIgnored ? { kind: 'ignored-kind', resources: degraded.map(nameOf) } : null;
}

function isMeant(
  snooze: Snooze,
  { name, key }: Application,
  stage: { number: number; name: string } | null,
): boolean {
  if (snooze.kind === 'application') return snooze.name === name || snooze.name === key;
  return stage !== null && (snooze.name === String(stage.number) || snooze.name === stage.name);
}

function nameOf({ kind, name }: ResourceState): string {
  return `${kind} ${name}`;
}

/** The assessment of an Application that is left out: whatever is wrong with it is told, and counts for nothing. */
export function excused(assessment: Assessment, why: LeftOut, application: string): Assessment {
  const isWrong =
    assessment.verdict !== 'ok' &&
    (assessment.verdict !== 'in-progress' || assessment.reasons.some(({ code }) => code === 'grace-time'));
  if (!isWrong) return assessment;
  const told = assessment.reasons.filter(({ code }) => code !== 'grace-time');
  return {
    ...assessment,
    verdict: 'ok',
    reasons: [...told, reasonOf(why, application)],
    failure: null,
    lookAgainAt: why.kind === 'snoozed' ? why.snooze.until : null,
  };
}

function reasonOf(why: LeftOut, application: string): Reason {
  const reason: Reason = { code: why.kind, application, field: '', value: '', since: null, message: '' };
  switch (why.kind) {
    case 'ignored-application':
      return reason;
    case 'ignored-kind':
      return { ...reason, field: 'status.resources[].health', value: why.resources.join(', ') };
    case 'snoozed':
      // Until when is a moment of ours, which no field of the cluster holds.
      return { ...reason, value: why.snooze.by, since: why.snooze.until, message: why.snooze.name };
  }
}

/** A failure of a stage in which too few fail: it may still become one. */
function belowThreshold(
  assessment: Assessment,
  stage: { name: string; failing: number; needed: number },
): Assessment {
  return {
    ...assessment,
    verdict: 'in-progress',
    failure: null,
    reasons: [
      ...assessment.reasons,
      {
        code: 'below-threshold',
        application: null,
        field: stage.name,
        value: `${stage.failing} of ${stage.needed}`,
        since: null,
        message: '',
      },
    ],
  };
}

/** What is wrong with those that are left out, and why that counts for nothing. */
export function toldOfLeftOut(all: readonly StageApplication[]): readonly Reason[] {
  return all.flatMap(({ leftOut: why, assessment }) =>
    why !== null && assessment.reasons.some(({ code }) => code === why.kind) ? assessment.reasons : [],
  );
}

/** Failures of stages in which too few Applications fail count for nothing yet. `stages`: those with a number. */
export function withThresholds(
  all: readonly StageApplication[],
  stages: ReadonlyMap<number, string>,
  exceptions: Exceptions,
): readonly StageApplication[] {
  const short = new Map<number, { name: string; failing: number; needed: number }>();
  for (const [number, name] of stages) {
    const counting = all.filter((one) => one.step === number && one.leftOut === null);
    const failing = counting.filter((one) => one.assessment.failure !== null).length;
    const needed = exceptions.failuresNeeded({ number, name, applications: counting.length });
    if (failing > 0 && failing < needed) short.set(number, { name, failing, needed });
  }
  return all.map((one) => {
    const stage = short.get(one.step);
    return stage === undefined || one.assessment.failure === null
      ? one
      : { ...one, assessment: belowThreshold(one.assessment, stage) };
  });
}
