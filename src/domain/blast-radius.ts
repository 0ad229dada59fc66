/**
 * What is said of an open pull request before it is merged: which ApplicationSets it feeds and how far that reaches,
 * whether one of them is failing right now, and whether it lands again what was just taken back. It is told and never
 * forbidden (docs/decisions/0005-the-blast-radius-never-blocks.md).
 */
import { type Incident, isOpen, type SetStanding, type Suspect } from './incident.ts';
import type { Reach } from './layout.ts';
import type { ObjectKey } from './objects.ts';
import { unselectedStep } from './stages.ts';

/** One stage, for words such as "stage 2 (staging)". */
export interface StageWords {
  number: number;
  name: string;
}

/** A rollout that fails now, of an ApplicationSet that the pull request feeds. */
export interface Trouble {
  key: ObjectKey;
  name: string;
  stage: StageWords | null;
  failureKind: SetStanding['failureKind'];
  /** The pull request that takes it back, when there is one; `isMerged`: its stages are not all back yet. */
  revert: { number: number; isMerged: boolean } | null;
}

/** The pull request brings in again what an incident took out. */
export interface Landing {
  incident: string;
  /** The pull request of ours that took it back; null when somebody else's did. */
  revert: number | null;
  suspect: Pick<Suspect, 'sha' | 'subject' | 'pullRequest'>;
  /** What failed on it. */
  key: ObjectKey;
  name: string;
  stage: StageWords | null;
  failureKind: SetStanding['failureKind'];
  /**
   * `same-content`: what feeds the ApplicationSet is to the letter what failed. `content`: its files hold the change, or
   * a part of it, again. `words`: it only says that it takes the revert back.
   */
  by: 'same-content' | 'content' | 'words';
}

/** The manifest of an ApplicationSet that it changes. */
export interface SetEdit {
  /** Of one that is watched; null of another one, which may be new, or made by a template. */
  key: ObjectKey | null;
  /** As written; null when a template makes it. */
  name: string | null;
  file: string;
  change: 'added' | 'changed' | 'removed';
}

/** What keeps the answer from being whole; each is said, because "nothing" must be certain. */
export type Doubt =
  /** So many ApplicationSets could not be looked at. */
  | { kind: 'cluster'; sets: number; problem: string }
  /** Whether these are fed cannot be told from files: a kustomization that cannot be read, or too many folders. */
  | { kind: 'unsure'; sets: readonly ObjectKey[] }
  /** The pull request and its branch have nothing in common, or GitHub cut what it says of them. */
  | { kind: 'no-comparison' };

export interface BlastRadius {
  /** The branch that the pull request would be merged into. */
  branch: string;
  /** The one that reaches most clusters first. */
  reaches: readonly Reach[];
  /** Its files decide which Applications these ApplicationSets generate. */
  generated: readonly { key: ObjectKey; files: readonly string[] }[];
  /** Manifests of ApplicationSets themselves. */
  edited: readonly SetEdit[];
  troubles: readonly Trouble[];
  landings: readonly Landing[];
  /** It is the revert of this incident. */
  takesBack: { incident: string; suspects: readonly Suspect[] } | null;
  doubts: readonly Doubt[];
}

/**
 * A required check has to let the fix of what fails through, so none of this fails. `neutral`: there is nothing to say,
 * or something that a person should read first.
 */
export function conclusionOf(radius: BlastRadius): 'success' | 'neutral' {
  if (radius.takesBack !== null && radius.reaches.length > 0) return 'success';
  const isFed = radius.reaches.length > 0;
  const alarms = [radius.troubles, radius.landings, radius.doubts, radius.edited];
  const isQuiet = alarms.every((some) => some.length === 0);
  return isFed && isQuiet ? 'success' : 'neutral';
}

/** Of a layout what tells which stage an Application is in. */
export interface Placed {
  key: ObjectKey;
  name: string;
  applications: readonly { name: string; step: number }[];
}

/** The failures among these ApplicationSets. `failing`: those whose last look said so, without an incident yet. */
export function troublesOf(
  layouts: readonly Placed[],
  incidents: readonly Incident[],
  failing: ReadonlyMap<ObjectKey, SetStanding['failureKind']>,
): readonly Trouble[] {
  return layouts.flatMap((layout): Trouble[] => {
    const { key, name } = layout;
    for (const incident of incidents.filter(isOpen)) {
      const standing = incident.sets.find((set) => set.key === key);
      if (standing === undefined || standing.isRecovered || standing.isHealed) continue;
      const revert =
        incident.pullRequest === null || incident.pullRequest.closedAt !== null
          ? null
          : { number: incident.pullRequest.number, isMerged: incident.phase === 'merged' };
      return [{ key, name, stage: stageOf(standing, layout), failureKind: standing.failureKind, revert }];
    }
    const failureKind = failing.get(key);
    return failureKind === undefined ? [] : [{ key, name, stage: null, failureKind, revert: null }];
  });
}

/** The first stage that fails, or, once all are well again, that the evidence is about. */
export function stageOf(
  standing: SetStanding,
  layout: Pick<Placed, 'applications'> | null,
): StageWords | null {
  const failing = standing.stages.find((stage) => stage.failing.length > 0);
  if (failing !== undefined) return { number: failing.number, name: failing.name };
  const steps = standing.evidence
    .map((reason) => layout?.applications.find((one) => one.name === reason.application)?.step)
    .filter((step): step is number => step !== undefined && step !== unselectedStep);
  const number = steps.length === 0 ? null : Math.min(...steps);
  const stage = standing.stages.find((one) => one.number === number);
  return stage === undefined ? null : { number: stage.number, name: stage.name };
}

/** So long after an incident somebody is told that a change was taken back before. */
export const rememberedMs = 30 * 24 * 60 * 60_000;

/** Incidents whose change could be landed again: of this place, of late, and not called a false alarm. */
export function couldLandAgain(
  incidents: readonly Incident[],
  place: { host: string; repository: string; branch: string },
  fed: ReadonlySet<ObjectKey>,
  now: number,
): readonly Incident[] {
  return incidents.filter(
    (incident) =>
      incident.host === place.host &&
      incident.repository.toLowerCase() === place.repository.toLowerCase() &&
      incident.branch === place.branch &&
      incident.phase !== 'dismissed' &&
      now - incident.openedAt <= rememberedMs &&
      incident.suspects.length > 0 &&
      incident.sets.some((set) => fed.has(set.key)),
  );
}

/**
 * Whether words of a pull request say that it takes a revert back: GitHub's own button writes "Reverts owner/name#3",
 * git writes "This reverts commit …" and "cherry picked from commit …".
 */
export function saysItLandsAgain(
  texts: readonly string[],
  incident: Pick<Incident, 'repository' | 'suspects' | 'pullRequest'>,
): boolean {
  const { pullRequest } = incident;
  const reverted = pullRequest === null ? [] : [pullRequest.headSha];
  const isReference = (text: string): boolean =>
    pullRequest !== null &&
    new RegExp(`\\breverts (?:${escaped(incident.repository)})?#${pullRequest.number}\\b`, 'i').test(text);
  return texts.some(
    (text) =>
      isReference(text) ||
      reverted.some((sha) => new RegExp(`\\breverts commit ${sha}\\b`, 'i').test(text)) ||
      incident.suspects.some((suspect) =>
        new RegExp(`\\bcherry picked from commit ${suspect.sha}\\b`, 'i').test(text),
      ),
  );
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
