/** What happens to pull requests short of merging: opened, edited, closed, and following their branches. */
import { isAncestor, range } from '../git/history.ts';
import type { Actor, Site } from '../site.ts';
import { branchHead, type Issue, type PullRequest, type Repository } from '../state.ts';
import { announceIssue, makeIssue, record, setState } from './issues.ts';
import { moveRef, setRefQuietly } from './refs.ts';

/** Opens a pull request between two branches that exist, or from a fork's commit; whoever calls has checked that it may be. */
export function openPull(
  site: Site,
  repository: Repository,
  actor: Actor,
  values: {
    title: string;
    body: string | null;
    head: string;
    base: string;
    draft: boolean;
    fork?: { owner: string; sha: string } | undefined;
  },
): PullRequest {
  const issue = makeIssue(site, repository, actor, values);
  const pull: PullRequest = {
    id: issue.id,
    number: issue.number,
    headRef: values.head,
    headOwner: values.fork?.owner ?? null,
    baseRef: values.base,
    headSha: values.fork?.sha ?? (branchHead(repository, values.head) as string),
    baseSha: branchHead(repository, values.base) as string,
    draft: values.draft,
    mergedAt: null,
    mergedBy: null,
    mergeSha: null,
    introduced: [],
    reviewers: [],
    teamReviewers: [],
    autoMerge: null,
  };
  repository.pulls.set(pull.number, pull);
  setRefQuietly(site, repository, `refs/pull/${pull.number}/head`, pull.headSha);
  announceIssue(site, repository, actor, issue, 'opened');
  return pull;
}

/** Closes a pull request without merging it, or opens it again. Opening needs its head branch. */
export function setPullState(
  site: Site,
  repository: Repository,
  actor: Actor,
  pull: PullRequest,
  state: 'open' | 'closed',
): void {
  const issue = issueOf(repository, pull);
  if (issue.state === state) return;
  if (state === 'open' && pull.headOwner === null)
    pull.headSha = branchHead(repository, pull.headRef) ?? pull.headSha;
  if (state === 'closed') pull.baseSha = branchHead(repository, pull.baseRef) ?? pull.baseSha;
  pull.autoMerge = null;
  setState(site, issue, actor, state);
  announceIssue(site, repository, actor, issue, state === 'closed' ? 'closed' : 'reopened');
}

/** Turns a draft into a pull request that may be merged. */
export function markReady(site: Site, repository: Repository, actor: Actor, pull: PullRequest): void {
  if (!pull.draft) return;
  pull.draft = false;
  const issue = issueOf(repository, pull);
  issue.updatedAt = site.now();
  record(site, issue, actor, 'ready_for_review');
  announceIssue(site, repository, actor, issue, 'ready_for_review');
}

/** Notes that a pull request is in: `introduced` are the commits it put on its base branch. */
export function markMerged(
  site: Site,
  repository: Repository,
  actor: Actor,
  pull: PullRequest,
  merged: { sha: string; introduced: string[]; baseSha: string },
): void {
  pull.mergedAt = site.now();
  pull.mergedBy = actor.login;
  pull.mergeSha = merged.sha;
  pull.introduced = merged.introduced;
  pull.baseSha = merged.baseSha;
  pull.autoMerge = null;
  const issue = issueOf(repository, pull);
  record(site, issue, actor, 'merged', { commit: merged.sha });
  setState(site, issue, actor, 'closed');
  announceIssue(site, repository, actor, issue, 'closed');
}

/**
 * Moves a branch as a push does, with what follows: pull requests from it are synchronized (or closed, when it is
 * gone), pull requests into it whose commits it now holds are merged.
 */
export function pushBranch(
  site: Site,
  repository: Repository,
  actor: Actor,
  branch: string,
  after: string | undefined,
): void {
  const before = branchHead(repository, branch);
  if (before === after) return;
  moveRef(site, repository, actor, `refs/heads/${branch}`, after);
  for (const pull of openPulls(repository)) {
    if (pull.headRef === branch && pull.headOwner === null)
      followHead(site, repository, actor, pull, before, after);
    else if (pull.baseRef === branch) followBase(site, repository, actor, pull, before, after);
  }
}

/** The open pull requests of a repository. */
export function openPulls(repository: Repository): PullRequest[] {
  return [...repository.pulls.values()].filter((pull) => issueOf(repository, pull).state === 'open');
}

/** The issue side of a pull request. */
export function issueOf(repository: Repository, pull: PullRequest): Issue {
  return repository.issues.get(pull.number) as Issue;
}

function followHead(
  site: Site,
  repository: Repository,
  actor: Actor,
  pull: PullRequest,
  before: string | undefined,
  after: string | undefined,
): void {
  if (after === undefined) {
    record(site, issueOf(repository, pull), actor, 'head_ref_deleted');
    setPullState(site, repository, actor, pull, 'closed');
    return;
  }
  pull.headSha = after;
  pull.baseSha = branchHead(repository, pull.baseRef) ?? pull.baseSha;
  setRefQuietly(site, repository, `refs/pull/${pull.number}/head`, after);
  const issue = issueOf(repository, pull);
  issue.updatedAt = site.now();
  announceIssue(site, repository, actor, issue, 'synchronize', { before, after });
}

function followBase(
  site: Site,
  repository: Repository,
  actor: Actor,
  pull: PullRequest,
  before: string | undefined,
  after: string | undefined,
): void {
  if (after === undefined) {
    setPullState(site, repository, actor, pull, 'closed');
    return;
  }
  const git = site.git(repository);
  if (before === undefined || !isAncestor(git, pull.headSha, after)) return;
  const introduced = range(git, [before], [pull.headSha]);
  // The commit that brought it in: a merge made by hand, or the head itself after a fast-forward.
  const brought = range(git, [before], [after]).find((sha) =>
    git.commit(sha)?.parents.slice(1).includes(pull.headSha),
  );
  const sha = brought ?? pull.headSha;
  markMerged(site, repository, actor, pull, {
    sha,
    introduced: [...new Set([...introduced, sha])],
    baseSha: before,
  });
}
