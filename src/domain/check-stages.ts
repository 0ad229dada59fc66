/**
 * The stages as the check of one commit shows them: which Application runs which commit. Commits with the same content
 * are one, so an innocent commit after it, or the revert of a later one, counts as this one.
 */
import { branchOf } from './configuration.ts';
import { type ContentFacts, contentKey } from './content.ts';
import type { Source } from './objects.ts';
import { type Rollout, type Stage, type StageApplication, staying } from './rollout.ts';
import { isActive } from './running.ts';
import type { StageVerdict } from './verdict.ts';

/** A commit on one line of history, and the sources that follow that line. */
export interface LineCommit {
  sha: string;
  /** Null for the first commit of all. */
  parent: string | null;
  /** `lineKeyOf` the sources that follow the line. */
  sources: ReadonlySet<string>;
}

export interface CheckStage {
  number: number;
  name: string;
  applications: number;
  /** How many run the commit, in whole or in part. */
  having: number;
  /** This commit first, then the others; null: nothing that can be named. */
  runs: readonly { commit: string | null; isThis: boolean; names: readonly string[] }[];
  outOfOrder: readonly string[];
  partly: readonly string[];
  failing: readonly string[];
  /** Of an Application that fails, else the worst health in it, in Argo CD's word. */
  health: string;
  message: string;
  verdict: StageVerdict;
}

/** Sources of one repository and branch have one key. */
export function lineKeyOf(source: Source): string {
  return `${source.repoURL} ${branchOf(source.targetRevision)}`;
}

/** Every stage, as of this look. */
export function checkStages(
  rollout: Rollout,
  commit: LineCommit,
  facts: ContentFacts,
): readonly CheckStage[] {
  return rollout.stages.map((stage) => checkStage(stage, rollout, commit, facts));
}

function checkStage(stage: Stage, rollout: Rollout, commit: LineCommit, facts: ContentFacts): CheckStage {
  const names = (some: readonly StageApplication[]): readonly string[] =>
    some.map((one) => one.application.name);
  const applications = staying(stage.applications);
  const having = applications.filter((one) => runsCommit(one, commit, facts));
  const early = new Set(rollout.outOfOrder);
  const failing = applications.filter((one) => one.assessment.failure !== null);
  const worst = failing[0] ?? [...applications].sort((one, other) => rank(one) - rank(other))[0];
  return {
    number: stage.number,
    name: stage.name,
    applications: applications.length,
    having: having.length,
    runs: groupsOf(applications, commit, facts),
    outOfOrder: names(having.filter((one) => early.has(one))),
    partly: names(having.filter((one) => one.isPartial)),
    failing: names(failing),
    health: worst?.application.health.status ?? '',
    message: messageOf(worst),
    verdict: stage.verdict,
  };
}

/** Of its health; of a sync that failed, what that said. */
function messageOf(one: StageApplication | undefined): string {
  if (one === undefined) return '';
  const told =
    one.assessment.failure === null
      ? undefined
      : one.assessment.reasons.find(({ message }) => message !== '');
  return told?.message ?? one.application.health.message;
}

function groupsOf(
  applications: readonly StageApplication[],
  commit: LineCommit,
  facts: ContentFacts,
): CheckStage['runs'] {
  const groups = new Map<string, { commit: string | null; isThis: boolean; names: string[] }>();
  for (const one of applications) {
    const isThis = runsCommit(one, commit, facts);
    const index = indexesOf(one, commit)[0] ?? 0;
    const revision = isThis ? commit.sha : (one.runs?.[index] ?? null);
    const source = one.application.sources[index];
    const key =
      revision === null || source === undefined || isThis
        ? `${revision}`
        : `${facts.ids.get(contentKey(source, revision)) ?? ''} ${source.repoURL}`.concat(revision);
    const group = groups.get(key) ?? { commit: revision, isThis, names: [] };
    groups.set(key, group);
    group.names.push(one.application.name);
  }
  return [...groups.values()].sort((one, other) => Number(other.isThis) - Number(one.isThis));
}

/** It has a source that follows the line of the commit. */
export function isConcerned(one: StageApplication, commit: LineCommit): boolean {
  return indexesOf(one, commit).length > 0;
}

/** What the commit brings it differs from what the commit before it did. */
export function isFed(
  one: StageApplication,
  { parent, ...commit }: LineCommit,
  facts: ContentFacts,
): boolean {
  return indexesOf(one, { ...commit, parent }).some((index) => {
    const source = one.application.sources[index];
    return (
      source !== undefined &&
      (parent === null || idAt(source, commit.sha, facts) !== idAt(source, parent, facts))
    );
  });
}

/** What it runs is what the commit holds for it. */
export function runsCommit(one: StageApplication, commit: LineCommit, facts: ContentFacts): boolean {
  return holds(one, one.runs, commit, facts);
}

/** It runs it, is told to run it, or an operation applies it. */
export function isTouched(one: StageApplication, commit: LineCommit, facts: ContentFacts): boolean {
  const applied = isActive(one.application.operation) ? (one.memory.operation?.target ?? null) : null;
  return [one.runs, one.target, applied].some((revisions) => holds(one, revisions, commit, facts));
}

/** True when the revisions hold, in every source of the line, what the commit holds. */
export function holds(
  one: StageApplication,
  revisions: readonly string[] | null,
  commit: LineCommit,
  facts: ContentFacts,
): boolean {
  const indexes = indexesOf(one, commit);
  if (revisions === null || indexes.length === 0) return false;
  return indexes.every((index) => {
    const source = one.application.sources[index];
    const revision = revisions[index];
    if (source === undefined || revision === undefined) return false;
    return idAt(source, revision, facts) === idAt(source, commit.sha, facts);
  });
}

function idAt(source: Source, revision: string, facts: ContentFacts): string {
  return facts.ids.get(contentKey(source, revision)) ?? revision;
}

function indexesOf(one: StageApplication, commit: LineCommit): readonly number[] {
  return one.application.sources.flatMap((source, index) =>
    source.chart === null && commit.sources.has(lineKeyOf(source)) ? [index] : [],
  );
}

/** Worst first, as Argo CD orders health. */
const healthOrder = ['Unknown', 'Degraded', 'Missing', 'Progressing', 'Suspended', 'Healthy'];

function rank(one: StageApplication): number {
  const position = healthOrder.indexOf(one.application.health.status);
  return position === -1 ? healthOrder.length : position;
}
