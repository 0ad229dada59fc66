/**
 * What the check run of a commit says for one ApplicationSet: queued, rolling, done, failing, overtaken, or waiting for
 * a person. Nothing is judged here: the rollout and the incident have been, this only says what that means for one commit.
 */
import {
  type CheckStage,
  checkStages,
  holds,
  isConcerned,
  isFed,
  isTouched,
  type LineCommit,
  runsCommit,
} from './check-stages.ts';
import type { ContentFacts } from './content.ts';
import type { Culprit } from './culprit.ts';
import type { Incident } from './incident.ts';
import type { ObjectKey } from './objects.ts';
import { everyApplication, staying } from './rollout.ts';
import type { Reason, Verdict } from './verdict.ts';
import type { Answer } from './watcher.ts';

/** Verdicts that end only when somebody does something. */
export type WaitingVerdict = Extract<
  Verdict,
  'manual-gate' | 'paused' | 'blocked' | 'stuck' | 'sick' | 'stalled' | 'unnoticed' | 'misconfigured'
>;

export type CheckState =
  /** It landed, and Argo CD has not begun with it. */
  | { kind: 'queued' }
  | { kind: 'rolling' }
  /** Every stage runs it and is Healthy. */
  | { kind: 'done' }
  /** A newer commit that feeds the ApplicationSet landed before every stage ran this one. */
  | { kind: 'overtaken'; by: string }
  | { kind: 'waiting'; verdict: WaitingVerdict }
  /** It is blamed. `incident` null: nobody is taken to task, `culprit` says why. */
  | { kind: 'failing'; incident: Incident | null; culprit: Culprit | null };

export interface CommitCheck {
  key: ObjectKey;
  name: string;
  sha: string;
  state: CheckState;
  stages: readonly CheckStage[];
  reasons: readonly Reason[];
}

export interface CheckInput {
  commit: LineCommit;
  answer: Answer;
  culprit: Culprit | null;
  /** All that are known. */
  incidents: readonly Incident[];
  facts: ContentFacts;
  /** The newest commit that feeds the ApplicationSet, when it is another one. */
  overtakenBy: string | null;
  /** It was done before: what is not its fault does not concern it any more. */
  isDone: boolean;
}

/** What there is to say. Pure. */
export function commitCheck(input: CheckInput): CommitCheck {
  const { answer, commit, facts } = input;
  const { applicationSet, reasons } = answer.rollout;
  return {
    key: applicationSet.key,
    name: applicationSet.name,
    sha: commit.sha,
    state: stateOf(input),
    stages: checkStages(answer.rollout, commit, facts),
    reasons,
  };
}

/** The incident in which this commit is blamed for a failure of this ApplicationSet; the newest of several. */
export function incidentOf(incidents: readonly Incident[], sha: string, key: ObjectKey): Incident | null {
  return (
    incidents.findLast(
      (incident) =>
        incident.sets.some((set) => set.key === key) &&
        incident.suspects.some((suspect) => suspect.sha === sha),
    ) ?? null
  );
}

/** What people are told at once when it changes, beside the state itself. */
export function chapterOf({ state }: CommitCheck): string {
  if (state.kind === 'waiting') return state.verdict;
  if (state.kind !== 'failing' || state.incident === null) return '';
  const { phase, pullRequest, obstacle } = state.incident;
  return `${phase} ${pullRequest?.number ?? ''} ${obstacle?.kind ?? ''}`;
}

/** Nothing will change what is said, whatever the stages do next. */
export function isLastWord({ state }: CommitCheck): boolean {
  switch (state.kind) {
    case 'done':
    case 'overtaken':
      return true;
    case 'failing':
      return state.incident !== null && ['recovered', 'dismissed', 'healed'].includes(state.incident.phase);
    default:
      return false;
  }
}

function stateOf(input: CheckInput): CheckState {
  const { answer, commit, culprit, overtakenBy } = input;
  const { verdict, applicationSet } = answer.rollout;
  const incident = incidentOf(input.incidents, commit.sha, applicationSet.key);
  const isEverywhere = overtakenBy === null && verdict === 'ok' && isWellEverywhere(input);
  const isOver = incident?.phase === 'healed' || incident?.phase === 'dismissed';
  // A false alarm, or one that healed by itself: what every stage runs in good health is no failure.
  if (isEverywhere && (incident === null || isOver)) return { kind: 'done' };
  if (incident !== null) return { kind: 'failing', incident, culprit: null };
  if (overtakenBy !== null) return input.isDone ? { kind: 'done' } : { kind: 'overtaken', by: overtakenBy };
  if (isBlamed(input)) return { kind: 'failing', incident: null, culprit };
  if (input.isDone) return { kind: 'done' };
  return onItsWay(input, verdict);
}

function isWellEverywhere({ answer, commit, facts }: CheckInput): boolean {
  return staying(answer.rollout.stages.flatMap((stage) => stage.applications)).every(
    (one) => !isConcerned(one, commit) || runsCommit(one, commit, facts),
  );
}

/** What fails is what this commit holds; or nobody knows what it is, and this is the newest. */
function isBlamed({ answer, commit, culprit, facts }: CheckInput): boolean {
  const { failure } = answer;
  if (culprit?.kind === 'suspects') return culprit.suspects.some((suspect) => suspect.sha === commit.sha);
  return failure !== null && (failure.bad === null || holds(failure.first, failure.bad, commit, facts));
}

function onItsWay({ answer, commit, facts }: CheckInput, verdict: Verdict): CheckState {
  const fed = everyApplication(answer.rollout).filter((one) => isFed(one, commit, facts));
  const hasBegun = fed.some((one) => isTouched(one, commit, facts));
  switch (verdict) {
    case 'manual-gate':
    case 'paused':
    case 'blocked':
    case 'stuck':
    case 'sick':
    case 'stalled':
    case 'unnoticed':
    case 'misconfigured':
      return { kind: 'waiting', verdict };
    case 'ok':
    case 'in-progress':
    case 'failed':
    case 'unknown':
      return { kind: hasBegun ? 'rolling' : 'queued' };
  }
}
