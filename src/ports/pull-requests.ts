/** Pull requests of others while they are open, and what helps one of ours to be merged. */
import type { ChangedFile, PullRequest, Repository } from '../ports.ts';

export type MergeMethod = 'merge' | 'squash' | 'rebase';

export type AutoMergeOutcome =
  | 'enabled'
  /** The repository does not allow auto-merge, or not this method of merging. */
  | 'not-allowed'
  | 'method-not-allowed'
  /** The base branch has no rule, so there is nothing that auto-merge could wait for. */
  | 'nothing-required'
  /** All that is required is there: it could be merged at once. */
  | 'already-mergeable'
  | 'draft'
  | 'closed'
  /** Its head is not the one that was expected any more. */
  | 'moved';

/** Logins, and teams of the repository's owner by their slugs. */
export interface Reviewers {
  people: readonly string[];
  teams: readonly string[];
}

export interface PullRequests {
  /** Open ones onto a branch, null for any, the latest changed first. */
  openPullRequests(
    repository: Repository,
    baseBranch: string | null,
  ): Promise<{ pullRequests: readonly PullRequest[]; isComplete: boolean }>;
  /** Ours: every open one, and those that were closed and changed at `since` or later, as far as one looks back. */
  ownPullRequests(repository: Repository, since: number): Promise<readonly PullRequest[]>;
  /** What it changes. Not complete when the forge cut the list, or could not make one. */
  filesOfPullRequest(
    repository: Repository,
    number: number,
  ): Promise<{ files: readonly ChangedFile[]; isComplete: boolean }>;
  /** Asks for reviews, and gives back those who cannot be asked: strangers, the author, teams without access. */
  requestReviewers(repository: Repository, number: number, reviewers: Reviewers): Promise<Reviewers>;
  /** Lets the forge merge it when all that is required is there, as long as its head is this one. */
  enableAutoMerge(
    repository: Repository,
    pullRequest: Pick<PullRequest, 'nodeId' | 'headSha'>,
    method: MergeMethod,
  ): Promise<AutoMergeOutcome>;
  /** Takes that back; done also when it was not on. */
  disableAutoMerge(repository: Repository, pullRequest: Pick<PullRequest, 'nodeId'>): Promise<void>;
  /** Names of the checks without which nothing is merged into a branch, as far as the App may see its rules. */
  requiredChecks(repository: Repository, branch: string): Promise<readonly string[]>;
  /** Takes it out of draft. */
  markReadyForReview(repository: Repository, pullRequest: Pick<PullRequest, 'nodeId'>): Promise<void>;
}
