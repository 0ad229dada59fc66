/**
 * How an ApplicationSet stands in an incident: per stage, who runs the bad commit, who got it ahead of its
 * turn, who is still ahead of it. The numbers that people are told come from here and from nowhere else.
 */
import { type ContentFacts, sameContent } from './content.ts';
import type { RolloutFailure } from './failure.ts';
import type { Incident, Left, SetStanding, StageStanding } from './incident.ts';
import { isCommit } from './objects.ts';
import { holdAt } from './orders.ts';
import { type BadChange, hasHadSinceWell, notRecovered, runsBad } from './recovery.ts';
import { leftBehind } from './recovery-aid.ts';
import { everyApplication, type Rollout, type Stage, type StageApplication, staying } from './rollout.ts';
import { type StillOn, stillOn, takenCommits } from './still-on.ts';
import type { Reason } from './verdict.ts';
import type { Answer, Sighting } from './watcher.ts';
import { type WayBackInput, wayBackOf } from './way-back.ts';

/** So many Applications are named with their reasons; a set of thousands must still fit into an object. */
const namedMax = 100;

/** Worst first, as Argo CD orders health. */
const healthOrder = ['Unknown', 'Degraded', 'Missing', 'Progressing', 'Suspended', 'Healthy'];

/**
 * The standing after a look. `failure` is the one that belongs to this incident, null when there is none now;
 * `before` is the standing of the look before, null at the first.
 */
export function standingOf(
  answer: Answer,
  failure: RolloutFailure | null,
  before: SetStanding | null,
  sighting: Pick<Sighting, 'facts' | 'heads' | 'now'>,
  /** The incident that it is part of. */
  incident: Pick<Incident, 'phase' | 'suspects' | 'repository'>,
): SetStanding {
  const { facts, now } = sighting;
  const { rollout } = answer;
  const isMerged = incident.phase === 'merged';
  const bad = failure?.bad ?? before?.bad ?? null;
  const lastGood = failure?.lastGood?.revisions ?? before?.lastGood ?? null;
  const change = bad === null ? null : { bad, lastGood };
  const taken = takenCommits(incident);
  const left = leftOf(answer, change, { ...sighting, taken });
  const stages = rollout.stages.map((stage) =>
    timed(stageStanding(stage, rollout, change, facts), stage, left, before, now),
  );
  const having = staying(everyApplication(rollout)).filter(
    (one) => change !== null && runsBad(one, change, facts),
  ).length;
  const reasons = failure === null ? [] : evidenceOf(rollout);
  return {
    key: rollout.applicationSet.key,
    name: rollout.applicationSet.name,
    verdict: rollout.verdict,
    isFailing: failure !== null,
    failureKind: failure?.kind ?? before?.failureKind ?? 'degraded',
    bad,
    lastGood,
    isGuess: failure?.lastGood?.isGuess ?? before?.isGuess ?? false,
    since: Math.min(
      failure?.since ?? Number.POSITIVE_INFINITY,
      before?.since ?? Number.POSITIVE_INFINITY,
      now,
    ),
    lookedAt: now,
    total: rollout.stages.reduce((sum, stage) => sum + staying(stage.applications).length, 0),
    having,
    havingAtMost: Math.max(having, before?.havingAtMost ?? 0),
    stages,
    evidence: reasons.length > 0 ? reasons : (before?.evidence ?? []),
    prunes: rollout.applicationSet.templatePrunes,
    isRecovered: failure === null && left.length === 0,
    isHealed: false,
    held: holdAt(answer.memory.orders, incident.repository, now),
    newer: newerOf(rollout, change, reasons.length > 0 ? reasons : (before?.evidence ?? []), facts),
    left: left
      .slice(0, namedMax)
      .map((one) => leftStanding(one, { rollout, change, ...sighting }, before, isMerged)),
    ...(left.length > namedMax ? { leftMore: left.length - namedMax } : {}),
    havingAtNotice: before?.havingAtNotice ?? having,
    havingAtMerge: before?.havingAtMerge ?? (isMerged ? having : null),
  };
}

function leftStanding(
  one: StageApplication,
  input: Omit<WayBackInput, 'change'> & { change: BadChange | null },
  before: SetStanding | null,
  isMerged: boolean,
): Left {
  const left = { application: one.application.name, reasons: one.assessment.reasons };
  const { change } = input;
  if (!isMerged || change === null) return left;
  const known = before?.left.find(({ wayBack }) => wayBack?.key === one.application.key)?.wayBack ?? null;
  return { ...left, wayBack: leftBehind(wayBackOf({ ...input, change }, one), known, input.now) };
}

/** With the moments that the figures are made of: when it was hit, and when all of it was back. */
function timed(
  stage: StageStanding,
  { applications }: Stage,
  left: readonly StageApplication[],
  before: SetStanding | null,
  now: number,
): StageStanding {
  const known = before?.stages.find(({ number, name }) => number === stage.number && name === stage.name);
  const isHit = stage.having.length > 0 || stage.failing.length > 0;
  const hitAt = known?.hitAt ?? (isHit ? now : null);
  const isBack = hitAt !== null && !isHit && !applications.some((one) => left.includes(one));
  return { ...stage, hitAt, backAt: isBack ? (known?.backAt ?? now) : null };
}

/** The commit that all that failed runs, or is to run, in place of the bad one and of last good; null when there is none. */
function newerOf(
  rollout: Rollout,
  change: BadChange | null,
  evidence: readonly Reason[],
  facts: ContentFacts,
): string | null {
  const names = new Set(evidence.map((reason) => reason.application));
  const failed = everyApplication(rollout).filter((one) => names.has(one.application.name));
  const commits = new Set(failed.map((one) => newerCommit(one, change, facts)));
  const [only] = commits;
  return commits.size === 1 && only !== undefined ? only : null;
}

function newerCommit(one: StageApplication, change: BadChange | null, facts: ContentFacts): string | null {
  const { sources } = one.application;
  const revisions = one.target ?? one.runs;
  if (change === null || revisions === null || revisions.length !== sources.length) return null;
  const { bad, lastGood } = change;
  if (sameContent(sources, revisions, bad, facts)) return null;
  if (lastGood === null || sameContent(sources, revisions, lastGood, facts)) return null;
  return revisions.find((revision, index) => revision !== bad[index] && isCommit(revision)) ?? null;
}

/** Who is not back from the bad commit, or from any other that was taken back with it. */
function leftOf(answer: Answer, change: BadChange | null, asked: StillOn): readonly StageApplication[] {
  const left = new Set([...leftOfChange(answer, change, asked.facts), ...stillOn(answer.rollout, asked)]);
  return everyApplication(answer.rollout).filter((one) => left.has(one));
}

/**
 * Where another failure is followed by now, whoever had this one and has not been well since still counts: what runs in part
 * is not back.
 */
function leftOfChange(
  answer: Answer,
  change: BadChange | null,
  facts: ContentFacts,
): readonly StageApplication[] {
  if (change === null || answer.memory.followed?.bad.join() === change.bad.join()) return answer.left;
  const had = everyApplication(answer.rollout).filter((one) => hasHadSinceWell(one, change, facts));
  const applications = had.map((one) => one.application.key);
  return notRecovered(answer.rollout, { ...change, applications }, facts);
}

function evidenceOf(rollout: Rollout): readonly Reason[] {
  return rollout.failing.slice(0, namedMax).flatMap((one) => one.assessment.reasons);
}

function stageStanding(
  stage: Stage,
  rollout: Rollout,
  change: BadChange | null,
  facts: ContentFacts,
): StageStanding {
  const names = (some: readonly StageApplication[]): readonly string[] =>
    some.map((one) => one.application.name);
  const applications = staying(stage.applications);
  const having = applications.filter((one) => change !== null && runsBad(one, change, facts));
  const worst = [...applications].sort((one, other) => rank(one) - rank(other))[0];
  return {
    number: stage.number,
    name: stage.name,
    selector: stage.selector,
    pace: stage.pace,
    applications: applications.length,
    having: names(having),
    partly: names(having.filter((one) => one.isPartial)),
    outOfOrder: names(having.filter((one) => rollout.outOfOrder.includes(one))),
    failing: names(applications.filter((one) => one.assessment.failure !== null)),
    ahead: names(applications.filter((one) => !having.includes(one) && one.assessment.isMoving)),
    health: worst?.application.health.status ?? '',
    message: worst?.assessment.reasons.find((reason) => reason.message !== '')?.message ?? '',
    verdict: stage.verdict,
  };
}

function rank(one: StageApplication): number {
  const position = healthOrder.indexOf(one.application.health.status);
  return position === -1 ? healthOrder.length : position;
}
