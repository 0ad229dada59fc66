/** GitHub's merge button: whether a pull request can be merged, the three ways of doing it, and auto-merge. */
import { isAncestor } from '../git/history.ts';
import { mergeCommits, rebase } from '../git/merging.ts';
import { type Commit, subjectOf } from '../git/objects.ts';
import { Refusal } from '../http/answers.ts';
import { commitsOfPull, type Mergeability } from '../json/pulls.ts';
import { type Actor, type Site, WEB_FLOW_SIGNATURE, webFlow } from '../site.ts';
import {
  branchHead,
  fullName,
  type Issue,
  type MergeMethod,
  type PullRequest,
  type Repository,
} from '../state.ts';
import { issueOf, markMerged, openPulls, pushBranch } from './pulls.ts';

export type MergeWish = { method: MergeMethod; title?: string; message?: string; sha?: string };

const METHOD_NAMES: Record<MergeMethod, string> = {
  merge: 'Merge commits',
  squash: 'Squash merges',
  rebase: 'Rebase merges',
};

/** What GitHub says about merging a pull request once it has worked it out. */
export function mergeabilityOf(site: Site, repository: Repository, pull: PullRequest): Mergeability {
  const base = branchHead(repository, pull.baseRef);
  if (issueOf(repository, pull).state === 'closed' || base === undefined)
    return { mergeable: null, state: 'unknown' };
  if ('conflicts' in mergeCommits(site.git(repository), base, pull.headSha))
    return { mergeable: false, state: 'dirty' };
  if (pull.draft) return { mergeable: true, state: 'draft' };
  if (whatIsMissing(site, repository, pull) !== undefined) return { mergeable: true, state: 'blocked' };
  const failing = latestRuns(repository, pull.headSha).some((run) => !isPassing(run));
  return { mergeable: true, state: failing ? 'unstable' : 'clean' };
}

/**
 * Merges a pull request. Throws the 405 or 409 that GitHub answers when it cannot be.
 *
 * @returns the commit the base branch is on afterwards.
 */
export function mergePull(
  site: Site,
  repository: Repository,
  actor: Actor,
  pull: PullRequest,
  wish: MergeWish,
): string {
  const issue = issueOf(repository, pull);
  const base = branchHead(repository, pull.baseRef);
  if (issue.state === 'closed' || base === undefined) throw new Refusal(405, 'Pull Request is not mergeable');
  if (pull.draft) throw new Refusal(405, 'Pull Request is still a draft');
  if (!repository.allow[wish.method]) {
    throw new Refusal(405, `${METHOD_NAMES[wish.method]} are not allowed on this repository.`);
  }
  if (wish.sha !== undefined && wish.sha !== pull.headSha) {
    throw new Refusal(409, 'Head branch was modified. Review and try the merge again.');
  }
  const missing = whatIsMissing(site, repository, pull);
  if (missing !== undefined) throw new Refusal(405, missing);
  const original = commitsOfPull(site.view(), repository, pull);
  const made = makeCommits(site, repository, actor, pull, base, wish);
  const introduced = wish.method === 'merge' ? [...original, ...made] : made;
  const sha = made.at(-1) ?? base;
  // Noted before the push, so that the push does not find it merged by somebody's hand.
  markMerged(site, repository, actor, pull, { sha, introduced, baseSha: base });
  pushBranch(site, repository, actor, pull.baseRef, sha);
  if (repository.deleteBranchOnMerge && pull.headOwner === null)
    pushBranch(site, repository, actor, pull.headRef, undefined);
  return sha;
}

/** Merges every pull request whose auto-merge was only waiting for what has just happened. */
export function settleAutoMerges(site: Site, repository: Repository): void {
  for (const pull of openPulls(repository)) {
    if (pull.autoMerge === null || !isReady(mergeabilityOf(site, repository, pull))) continue;
    const { by, method, title, message } = pull.autoMerge;
    mergePull(site, repository, { login: by, viaApp: by === site.botLogin }, pull, {
      method,
      title,
      message,
    });
  }
}

/** Whether nothing stands between a pull request and its merge: GitHub's "clean status". */
export function isReady({ mergeable, state }: Mergeability): boolean {
  return mergeable === true && (state === 'clean' || state === 'unstable');
}

/** The title and message GitHub gives the commit of a merge or a squash. */
export function proposedWords(
  site: Site,
  repository: Repository,
  pull: PullRequest,
  method: MergeMethod,
): { title: string; message: string } {
  const issue = issueOf(repository, pull);
  if (method !== 'squash') {
    return {
      title: `Merge pull request #${pull.number} from ${repository.owner}/${pull.headRef}`,
      message: issue.title,
    };
  }
  const git = site.git(repository);
  const messages = commitsOfPull(site.view(), repository, pull).map(
    (sha) => git.commit(sha)?.message.trim() ?? '',
  );
  const [only] = messages;
  if (messages.length !== 1 || only === undefined) {
    const list = messages.map((message) => `* ${message}`).join('\n\n');
    return { title: `${issue.title} (#${pull.number})`, message: list };
  }
  const body = only.slice(subjectOf(only).length).trim();
  return { title: `${subjectOf(only)} (#${pull.number})`, message: body };
}

function makeCommits(
  site: Site,
  repository: Repository,
  actor: Actor,
  pull: PullRequest,
  base: string,
  wish: MergeWish,
): string[] {
  const git = site.git(repository);
  if (wish.method === 'rebase') {
    const rebased = rebase(git, base, pull.headSha, site.signature(actor.login));
    if ('conflicts' in rebased) throw new Refusal(405, 'This branch can’t be rebased');
    return rebased.commits;
  }
  const merged = mergeCommits(git, base, pull.headSha);
  if ('conflicts' in merged) throw new Refusal(405, 'Pull Request is not mergeable');
  const proposed = proposedWords(site, repository, pull, wish.method);
  const title = wish.title || proposed.title;
  const message = wish.message ?? proposed.message;
  const author = wish.method === 'squash' ? (issueOf(repository, pull) as Issue).user : actor.login;
  const commit: Commit = {
    tree: merged.tree,
    parents: wish.method === 'merge' ? [base, pull.headSha] : [base],
    author: site.signature(author),
    committer: webFlow(site.now()),
    message: message === '' ? `${title}\n` : `${title}\n\n${message}\n`,
    signature: WEB_FLOW_SIGNATURE,
  };
  return [git.writeCommit(commit)];
}

/** What the base branch's rules still ask for, in GitHub's words, or undefined. */
function whatIsMissing(site: Site, repository: Repository, pull: PullRequest): string | undefined {
  const rules = repository.rules.get(pull.baseRef);
  if (rules === undefined) return undefined;
  const passing = latestRuns(repository, pull.headSha).filter(isPassing);
  const missing = rules.requiredChecks.filter((name) => !passing.some((run) => run.name === name));
  if (missing.length === 1) return `Required status check "${missing[0]}" is expected.`;
  if (missing.length > 1)
    return `${missing.length} of ${rules.requiredChecks.length} required status checks are expected.`;
  const unsigned = commitsOfPull(site.view(), repository, pull).some(
    (sha) => site.git(repository).commit(sha)?.signature !== WEB_FLOW_SIGNATURE,
  );
  return rules.signedCommits && unsigned ? unsignedMessage(repository, pull.baseRef) : undefined;
}

/** The words with which GitHub refuses unsigned commits on a branch that wants signed ones. */
export function unsignedMessage(repository: Repository, branch: string): string {
  return `Repository rule violations found for refs/heads/${branch} of ${fullName(repository)}.\n\nCommits must have verified signatures.`;
}

/** Whether every commit that a branch would gain is signed, where its rules want that. */
export function mayHold(site: Site, repository: Repository, branch: string, sha: string): boolean {
  if (repository.rules.get(branch)?.signedCommits !== true) return true;
  const git = site.git(repository);
  const before = branchHead(repository, branch);
  if (before !== undefined && isAncestor(git, sha, before)) return true;
  return git.commit(sha)?.signature === WEB_FLOW_SIGNATURE;
}

function latestRuns(repository: Repository, sha: string) {
  const latest = new Map<string, { name: string; status: string; conclusion: string | null }>();
  for (const run of repository.checkRuns.values()) {
    if (run.headSha === sha) latest.set(`${run.app} ${run.name}`, run);
  }
  return [...latest.values()];
}

function isPassing(run: { status: string; conclusion: string | null }): boolean {
  return run.status === 'completed' && ['success', 'neutral', 'skipped'].includes(run.conclusion ?? '');
}
