/**
 * How an ApplicationSet stands in an incident: per stage, who runs the bad commit, who got it ahead of its
 * turn, who is still ahead of it. The numbers that people are told come from here and from nowhere else.
 */
import type { ContentFacts, Revisions } from './content.ts';
import type { RolloutFailure } from './failure.ts';
import type { SetStanding, StageStanding } from './incident.ts';
import { runsBad } from './recovery.ts';
import { everyApplication, type Rollout, type Stage, type StageApplication } from './rollout.ts';
import type { Reason } from './verdict.ts';
import type { Answer } from './watcher.ts';

/** Worst first, as Argo CD orders health. */
const healthOrder = ['Unknown', 'Degraded', 'Missing', 'Progressing', 'Suspended', 'Healthy'];

/** The standing after a look. `before` is the one of the look before; null at the first. */
export function standingOf(
  answer: Answer,
  before: SetStanding | null,
  facts: ContentFacts,
  now: number,
): SetStanding {
  const { rollout, failure } = answer;
  const bad = failure?.bad ?? before?.bad ?? null;
  const stages = rollout.stages.map((stage) => stageStanding(stage, rollout, bad, facts));
  const having = everyApplication(rollout).filter((one) => bad !== null && runsBad(one, bad, facts)).length;
  const reasons = evidenceOf(failure);
  return {
    key: rollout.applicationSet.key,
    name: rollout.applicationSet.name,
    verdict: rollout.verdict,
    failureKind: failure?.kind ?? before?.failureKind ?? 'degraded',
    bad,
    lastGood: failure?.lastGood?.revisions ?? before?.lastGood ?? null,
    isGuess: failure?.lastGood?.isGuess ?? before?.isGuess ?? false,
    since: Math.min(
      failure?.since ?? Number.POSITIVE_INFINITY,
      before?.since ?? Number.POSITIVE_INFINITY,
      now,
    ),
    lookedAt: now,
    total: rollout.stages.reduce((sum, stage) => sum + stage.applications.length, 0),
    having,
    havingAtMost: Math.max(having, before?.havingAtMost ?? 0),
    stages,
    evidence: reasons.length > 0 ? reasons : (before?.evidence ?? []),
    prunes: rollout.applicationSet.templatePrunes,
    isRecovered: answer.isRecovered === true,
    left: answer.left.map((one) => ({ application: one.application.name, reasons: one.assessment.reasons })),
  };
}

function evidenceOf(failure: RolloutFailure | null): readonly Reason[] {
  return (failure?.failing ?? []).flatMap((one) => one.assessment.reasons);
}

function stageStanding(
  stage: Stage,
  rollout: Rollout,
  bad: Revisions | null,
  facts: ContentFacts,
): StageStanding {
  const names = (some: readonly StageApplication[]): readonly string[] =>
    some.map((one) => one.application.name);
  const having = stage.applications.filter((one) => bad !== null && runsBad(one, bad, facts));
  const worst = [...stage.applications].sort((one, other) => rank(one) - rank(other))[0];
  return {
    number: stage.number,
    name: stage.name,
    selector: stage.selector,
    pace: stage.pace,
    applications: stage.applications.length,
    having: names(having),
    partly: names(having.filter((one) => one.isPartial)),
    outOfOrder: names(having.filter((one) => rollout.outOfOrder.includes(one))),
    failing: names(stage.applications.filter((one) => one.assessment.failure !== null)),
    ahead: names(stage.applications.filter((one) => !having.includes(one) && one.assessment.isMoving)),
    health: worst?.application.health.status ?? '',
    message: worst?.assessment.reasons.find((reason) => reason.message !== '')?.message ?? '',
    verdict: stage.verdict,
  };
}

function rank(one: StageApplication): number {
  const position = healthOrder.indexOf(one.application.health.status);
  return position === -1 ? healthOrder.length : position;
}
