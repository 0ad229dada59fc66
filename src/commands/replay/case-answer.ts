/**
 * What is said about one ApplicationSet of a case file: the row of a replay, and all that helps to understand a single
 * picture of a cluster: each stage's verdict, whom a revert would concern, whether it would take effect.
 */
import { type Culprit, changedSources, type Tracking, trackingOf, whyNoRange } from '../../domain/culprit.ts';
import type { RolloutFailure } from '../../domain/failure.ts';
import type { FlagAnswer } from '../../domain/feature-flag.ts';
import type { Application, Source } from '../../domain/objects.ts';
import { pinOrigin } from '../../domain/pin.ts';
import { runsBad } from '../../domain/recovery.ts';
import { everyApplication, type Rollout, type StageApplication } from '../../domain/rollout.ts';
import { isActive } from '../../domain/running.ts';
import { isReadableMaxUpdate } from '../../domain/stages.ts';
import { revertStance } from '../../domain/stance.ts';
import type { ReasonCode } from '../../domain/verdict.ts';
import type { Answer, Sighting } from '../../domain/watcher.ts';
import { type ReplayRow, rowOf } from './replay.ts';

export type Blame = 'commit' | 'template' | 'environment' | 'health-check' | 'pre-existing';

export interface CaseAnswer extends ReplayRow {
  /** Number of the stage → its verdict, the one revision that all of it runs (null: none, or several), its limit. */
  stages: Readonly<Record<string, { verdict: string; runs: string | null; maxUpdate: number }>>;
  unselected: readonly string[];
  orphans: readonly string[];
  reasonCodes: readonly ReasonCode[];
  stance: 'propose' | 'hold' | 'never';
  /** Why hold or never; "" for propose. */
  stanceReason: string;
  blame: Blame | null;
  /** What failed, one revision a source; null when nothing did or the commit is not known. */
  failedOn: readonly string[] | null;
  /** What the failing Applications, or else all of them, would go back to. */
  lastGood: readonly string[] | null;
  /** Applications that run what failed, and those that do not. */
  affected: readonly string[];
  unaffected: readonly string[];
  /** Indexes of the sources that changed between last good and what failed or runs. */
  changedSources: readonly number[];
  /** Index of a git source → from and to. */
  ranges: Readonly<Record<string, readonly [string, string]>>;
  /** Index of a chart → its versions before and after. */
  chartChanges: Readonly<Record<string, readonly [string, string]>>;
  /** When a landed revert would reach every Application: at once, when an operation ends, or never. */
  revertTakesEffect: 'with-its-sync' | 'only-after-operation-ends' | 'never';
  culpritRepository: string | null;
  applications: Readonly<Record<string, CaseApplication>>;
  /** The verdict at each moment of the file. */
  verdicts: readonly string[];
  diagnosis: readonly string[];
  lint: readonly string[];
}

export interface CaseApplication {
  runs: readonly string[] | null;
  /** What it is compared with. */
  target: readonly string[] | null;
  /** It runs what it is compared with. */
  isOnTarget: boolean;
  lastDeployed: readonly string[] | null;
  tracks: readonly Tracking[];
  /** What its operation applies, the attempts that failed and how many more are tried; null without an operation. */
  operation: { phase: string; attempting: readonly string[] | null; attempt: number; limit: number } | null;
}

export interface CaseSight {
  answer: Answer;
  sighting: Sighting;
  verdicts: readonly string[];
  flag: FlagAnswer | null;
  /** Applications of the file that may have applied the ApplicationSet. */
  parents: readonly Application[];
}

/** Pure. */
export function caseAnswerOf(sight: CaseSight): CaseAnswer {
  const { answer, sighting, verdicts } = sight;
  const { rollout, failure } = answer;
  const culprit = failure === null ? null : whyNoRange(failure);
  const stance = revertStance(rollout, failure, culprit);
  const all = everyApplication(rollout);
  const lastGood =
    failure === null ? (all.find((one) => one.lastGood !== null)?.lastGood ?? null) : failure.lastGood;
  const isAffected = (one: StageApplication): boolean =>
    failure?.failing.includes(one) === true ||
    (failure?.bad != null &&
      runsBad(one, { bad: failure.bad, lastGood: lastGood?.revisions ?? null }, sighting.facts));
  return {
    ...rowOf(1, 0, answer, culprit),
    stages: stagesOf(rollout),
    unselected: namesOf(rollout.unselected),
    orphans: namesOf(rollout.orphans),
    reasonCodes: [...new Set(rollout.reasons.map((reason) => reason.code))],
    stance: stance.kind,
    stanceReason: stance.kind === 'propose' ? '' : stance.why,
    blame: blameOf(rollout, failure),
    failedOn: failure?.bad ?? null,
    lastGood: lastGood?.revisions ?? null,
    affected: namesOf(all.filter(isAffected)),
    unaffected: namesOf(all.filter((one) => !isAffected(one))),
    ...changesOf(failure?.first ?? all[0], failure?.bad ?? null, lastGood?.revisions ?? null),
    revertTakesEffect: takesEffect(all),
    culpritRepository: culpritRepositoryOf(sight, culprit),
    applications: Object.fromEntries(all.map((one) => [one.application.name, applicationOf(one)])),
    verdicts,
    diagnosis: diagnosisOf(sight),
    lint: lintOf(rollout),
  };
}

function namesOf(some: readonly StageApplication[]): readonly string[] {
  return some.map((one) => one.application.name).sort();
}

function stagesOf(rollout: Rollout): CaseAnswer['stages'] {
  return Object.fromEntries(
    rollout.stages.map((stage) => {
      const runs = new Set(stage.applications.map((one) => one.runs?.join('+') ?? null));
      const [only = null] = runs;
      const { verdict, maxUpdate } = stage;
      return [String(stage.number), { verdict, runs: runs.size === 1 ? only : null, maxUpdate }];
    }),
  );
}

/** Which causes a reason names; what is not here blames nothing. */
const blames: Readonly<Partial<Record<ReasonCode, Blame>>> = {
  'template-edited': 'template',
  'health-script-error': 'health-check',
  'health-unknown': 'health-check',
  'destination-unreachable': 'environment',
  'transport-trouble': 'environment',
  'sync-window': 'environment',
  'missing-kind': 'environment',
  'unhealthy-before-the-change': 'pre-existing',
  'healthy-beyond-the-bake-time': 'pre-existing',
  'same-failure-on-last-good': 'pre-existing',
  'commit-does-not-explain-render-error': 'pre-existing',
  'nothing-new-came': 'pre-existing',
  'began-before-we-looked': 'pre-existing',
};

function blameOf(rollout: Rollout, failure: RolloutFailure | null): Blame | null {
  if (failure !== null) return failure.isTemplateEdited ? 'template' : 'commit';
  const named = rollout.reasons.map((reason) => blames[reason.code]);
  return named.find((blame) => blame !== undefined) ?? null;
}

function changesOf(
  one: StageApplication | undefined,
  bad: readonly string[] | null,
  lastGood: readonly string[] | null,
): Pick<CaseAnswer, 'changedSources' | 'ranges' | 'chartChanges'> {
  const revisions = bad ?? one?.runs ?? null;
  if (one === undefined || revisions === null || lastGood === null)
    return { changedSources: [], ranges: {}, chartChanges: {} };
  const changed = changedSources(lastGood, revisions);
  const between = (isOf: (source: Source) => boolean): Readonly<Record<string, readonly [string, string]>> =>
    Object.fromEntries(
      changed
        .filter((index) => {
          const source = one.application.sources[index];
          return source !== undefined && isOf(source);
        })
        .map((index) => [String(index), [lastGood[index] ?? '', revisions[index] ?? '']]),
    );
  return {
    changedSources: changed,
    ranges: between((source) => source.chart === null),
    chartChanges: between((source) => source.chart !== null),
  };
}

/** An operation keeps the commit it began with, and nothing newer is applied before it ends (PS09, PS11). */
function takesEffect(all: readonly StageApplication[]): CaseAnswer['revertTakesEffect'] {
  const follows = all.flatMap((one) => one.application.sources.map(trackingOf));
  if (follows.length > 0 && !follows.includes('branch')) return 'never';
  const isBusy = all.some(
    ({ application }) =>
      isActive(application.operation) &&
      (application.operation.finishedAt === null || application.operation.pinnedRevisions.length > 0),
  );
  return isBusy ? 'only-after-operation-ends' : 'with-its-sync';
}

/** Where the change lies that would have to be taken back; null when nobody can tell. */
function culpritRepositoryOf(sight: CaseSight, culprit: Culprit | null): string | null {
  const { rollout, failure } = sight.answer;
  const one = failure?.first ?? everyApplication(rollout)[0];
  const index = (one?.application.sources ?? []).findIndex((source) => trackingOf(source) === 'pinned');
  if (index !== -1) return pinOrigin(rollout.applicationSet, index, sight.parents)?.repoURL ?? null;
  if (failure === null || culprit !== null) return null;
  const changed = changedSources(failure.lastGood?.revisions ?? [], failure.bad ?? []);
  const git = failure.first.application.sources.filter(
    (source, at) => changed.includes(at) && source.chart === null,
  );
  return git.length === 1 ? (git[0]?.repoURL ?? null) : null;
}

function applicationOf({ application, memory, runs, target }: StageApplication): CaseApplication {
  const { operation } = application;
  return {
    runs,
    target,
    isOnTarget: runs !== null && runs.join() === target?.join(),
    lastDeployed: application.history.at(-1)?.revisions ?? null,
    tracks: application.sources.map(trackingOf),
    operation:
      operation === null
        ? null
        : {
            phase: operation.phase,
            attempting: memory.operation?.target ?? null,
            attempt: memory.failedSync?.attempts ?? operation.retryCount,
            limit: operation.retryLimit,
          },
  };
}

/** What is wrong with the settings around the rollout. */
function diagnosisOf({ answer, flag }: CaseSight): readonly string[] {
  const ofFlag = (flag?.diagnosis ?? []).map((one) => (one === 'flag-off' ? 'strategy-ignored' : one));
  const codes: readonly ReasonCode[] = [
    'no-steps',
    'no-application-in-a-step',
    'policy-prevents-sync',
    'status-write-rejected',
  ];
  const ofRollout = answer.rollout.reasons
    .map((reason) => reason.code)
    .filter((code) => codes.includes(code));
  return [...new Set([...ofFlag, ...ofRollout])];
}

/** What is written in the ApplicationSet and does not do what it seems to. */
function lintOf({ applicationSet, reasons }: Rollout): readonly string[] {
  const isUnreadable = (applicationSet.steps ?? []).some((step) => !isReadableMaxUpdate(step.maxUpdate));
  return [
    ...reasons.map((reason) => reason.code).filter((code) => code === 'policy-prevents-sync'),
    ...(isUnreadable ? ['maxUpdate-not-int-or-percent'] : []),
  ];
}
