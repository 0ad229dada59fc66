/**
 * One look at one Application: everything the rules judge it by, and the form of their answers.
 */
import { configurationOf, isMadeAlike } from './configuration.ts';
import { type ContentFacts, isResolved, sameContent } from './content.ts';
import type { ApplicationMemory } from './memory.ts';
import type { Application, ApplicationSet, ApplicationStatus } from './objects.ts';
import type { Policy } from './policy.ts';
import { isActive } from './running.ts';
import type { Failure, Reason, ReasonCode, Verdict } from './verdict.ts';

/** The head of a branch as a push webhook, or a look at the forge, told it. */
export interface BranchHead {
  repoURL: string;
  branch: string;
  sha: string;
  /** When we heard of it, by our own clock. */
  at: number;
  /** When the branch was last seen without it, where that is known: it was pushed at some time between the two. */
  unseenSince?: number;
}

/** Everything an Application is judged by. */
export interface Look {
  application: Application;
  applicationSet: ApplicationSet;
  /** What the ApplicationSet's status says of it. */
  entry: ApplicationStatus | null;
  step: number;
  memory: ApplicationMemory;
  facts: ContentFacts;
  heads: readonly BranchHead[];
  /** Commits that some Application of the set runs: they can be rendered. */
  rendered: ReadonlySet<string>;
  policy: Policy;
  now: number;
}

export interface Assessment {
  verdict: Verdict;
  reasons: readonly Reason[];
  failure: Failure | null;
  /** When this answer may change without an event. */
  lookAgainAt: number | null;
  /** It runs, or is told to run, something it does not have yet. */
  isMoving: boolean;
}

/** Makes a reason about one Application. */
export function reasonFor(
  look: Look,
  code: ReasonCode,
  details: Partial<Omit<Reason, 'code' | 'application'>> = {},
): Reason {
  return {
    code,
    application: look.application.name,
    field: '',
    value: '',
    since: null,
    message: '',
    ...details,
  };
}

/** An answer without a failure. */
export function answer(
  verdict: Verdict,
  reason: Reason,
  options: { lookAgainAt?: number | null; isMoving?: boolean } = {},
): Assessment {
  return {
    verdict,
    reasons: [reason],
    failure: null,
    lookAgainAt: options.lookAgainAt ?? null,
    isMoving: options.isMoving ?? false,
  };
}

/** The Application is told to run other content than it runs, and is not Synced with it. */
export function isOutOfSyncTowardsOther(look: Look): boolean {
  const { application, memory, facts } = look;
  if (application.sync.status !== 'OutOfSync') return false;
  const { running } = memory;
  if (running === null) return true;
  const { revisions, comparedSources } = application.sync;
  const compared = { revisions, configuration: configurationOf(comparedSources) };
  return !isMadeAlike(application.sources, compared, running, facts);
}

/** A sync is running, requested, or meant by the ApplicationSet's status. Rule 9 of docs/argocd.md. */
export function isSyncMeant(look: Look): boolean {
  const { application, entry, facts } = look;
  if (isActive(application.operation) || application.requestedOperation !== null) return true;
  if (application.automated?.enabled === true) return true;
  if (entry === null || look.step === -1) return false;
  if (entry.status === 'Waiting' || entry.status === 'Pending') return true;
  if (entry.status !== 'Progressing') return false;
  // Progressing for what was there before: the controller has not noticed the newer target (PS38).
  const targets = entry.targetRevisions ?? [];
  if (!isResolved(application.sources, targets)) return true;
  return sameContent(application.sources, targets, application.sync.revisions, facts);
}
