/** Pull requests as GitHub's JSON shows them, in lists and on their own. */
import { mergeBases, range } from '../git/history.ts';
import { changedFilesWithLines, type FileChangeWithLines } from '../git/tree-diff.ts';
import type { View } from '../site.ts';
import { branchHead, type Issue, type PullRequest, type Repository } from '../state.ts';
import {
  associationOf,
  nodeId,
  optionalTimestamp,
  optionalUserJson,
  teamJson,
  timestamp,
  userJson,
} from './accounts.ts';
import { issueUrl, labelsJson } from './issues.ts';
import { repositoryPage, repositoryUrl, repositoryWithSettingsJson } from './repositories.ts';

/** What GitHub says about merging: `null` for mergeable while it has not worked it out. */
export type Mergeability = { mergeable: boolean | null; state: string };

/** A `pull-request-simple`, as lists have it. */
export function pullJson(view: View, repository: Repository, pull: PullRequest): Record<string, unknown> {
  const issue = repository.issues.get(pull.number) as Issue;
  const url = `${repositoryUrl(view, repository)}/pulls/${pull.number}`;
  const issues = issueUrl(view, repository, pull.number);
  const page = `${repositoryPage(view, repository)}/pull/${pull.number}`;
  const links = {
    self: url,
    html: page,
    issue: issues,
    comments: `${issues}/comments`,
    review_comments: `${url}/comments`,
    review_comment: `${repositoryUrl(view, repository)}/pulls/comments{/number}`,
    commits: `${url}/commits`,
    statuses: `${repositoryUrl(view, repository)}/statuses/${pull.headSha}`,
  };
  return {
    url,
    id: issue.id,
    node_id: nodeId('PR', issue.id),
    html_url: page,
    diff_url: `${page}.diff`,
    patch_url: `${page}.patch`,
    issue_url: links.issue,
    commits_url: links.commits,
    review_comments_url: links.review_comments,
    review_comment_url: links.review_comment,
    comments_url: links.comments,
    statuses_url: links.statuses,
    number: pull.number,
    state: issue.state,
    locked: false,
    active_lock_reason: null,
    title: issue.title,
    user: userJson(view, issue.user),
    body: issue.body,
    created_at: timestamp(issue.createdAt),
    updated_at: timestamp(issue.updatedAt),
    closed_at: optionalTimestamp(issue.closedAt),
    merged_at: optionalTimestamp(pull.mergedAt),
    merge_commit_sha: pull.mergeSha,
    assignee: null,
    assignees: [],
    requested_reviewers: pull.reviewers.map((login) => userJson(view, login)),
    requested_teams: pull.teamReviewers.flatMap((slug) => {
      const team = view.state.teams.get(`${repository.owner}/${slug}`.toLowerCase());
      return team === undefined ? [] : [teamJson(view, team)];
    }),
    labels: labelsJson(view, repository, issue),
    milestone: null,
    draft: pull.draft,
    head: headJson(view, repository, pull),
    base: sideJson(view, repository, pull.baseRef, pull.baseSha),
    _links: Object.fromEntries(Object.entries(links).map(([name, href]) => [name, { href }])),
    author_association: associationOf(view, repository, issue.user),
    auto_merge: autoMergeJson(view, pull),
  };
}

/** A whole `pull-request`. */
export function fullPullJson(
  view: View,
  repository: Repository,
  pull: PullRequest,
  { mergeable, state }: Mergeability,
): Record<string, unknown> {
  const files = filesOfPull(view, repository, pull);
  const comments = [...repository.comments.values()].filter((comment) => comment.issueNumber === pull.number);
  return {
    ...pullJson(view, repository, pull),
    merged: pull.mergedAt !== null,
    mergeable,
    rebaseable: mergeable,
    mergeable_state: state,
    merged_by: optionalUserJson(view, pull.mergedBy),
    comments: comments.length,
    review_comments: 0,
    maintainer_can_modify: false,
    commits: commitsOfPull(view, repository, pull).length,
    additions: files.reduce((sum, file) => sum + file.additions, 0),
    deletions: files.reduce((sum, file) => sum + file.deletions, 0),
    changed_files: files.length,
  };
}

/** The commits of a pull request, oldest first. */
export function commitsOfPull(view: View, repository: Repository, pull: PullRequest): string[] {
  return range(view.site.git(repository), [baseOf(repository, pull)], [pull.headSha]).reverse();
}

/** The files a pull request changes, against where it left its base branch. */
export function filesOfPull(view: View, repository: Repository, pull: PullRequest): FileChangeWithLines[] {
  const git = view.site.git(repository);
  const base = mergeBases(git, baseOf(repository, pull), pull.headSha)[0];
  const before = git.commit(base ?? '')?.tree;
  const after = git.commit(pull.headSha)?.tree;
  return before === undefined || after === undefined ? [] : changedFilesWithLines(git, before, after);
}

/** The `pull-request-minimal` that check runs list. */
export function minimalPullJson(
  view: View,
  repository: Repository,
  pull: PullRequest,
): Record<string, unknown> {
  const repo = { id: repository.id, url: repositoryUrl(view, repository), name: repository.name };
  const issue = repository.issues.get(pull.number) as Issue;
  return {
    id: issue.id,
    number: pull.number,
    url: `${repositoryUrl(view, repository)}/pulls/${pull.number}`,
    head: { ref: pull.headRef, sha: pull.headSha, repo },
    base: { ref: pull.baseRef, sha: pull.baseSha, repo },
  };
}

/** An open pull request is measured against its base branch as it is now, a closed one as it was. */
function baseOf(repository: Repository, pull: PullRequest): string {
  const open = repository.issues.get(pull.number)?.state === 'open';
  return (open ? branchHead(repository, pull.baseRef) : undefined) ?? pull.baseSha;
}

/** A fork is the same repository, but for whose it is. */
function headJson(view: View, repository: Repository, pull: PullRequest): Record<string, unknown> {
  const side = sideJson(view, repository, pull.headRef, pull.headSha);
  const { headOwner } = pull;
  if (headOwner === null) return side;
  const user = userJson(view, headOwner);
  const repo = {
    ...repositoryWithSettingsJson(view, repository),
    owner: user,
    full_name: `${headOwner}/${repository.name}`,
    fork: true,
  };
  return { ...side, label: `${headOwner}:${pull.headRef}`, user, repo };
}

function sideJson(view: View, repository: Repository, ref: string, sha: string): Record<string, unknown> {
  return {
    label: `${repository.owner}:${ref}`,
    ref,
    sha,
    user: userJson(view, repository.owner),
    repo: repositoryWithSettingsJson(view, repository),
  };
}

function autoMergeJson(view: View, pull: PullRequest): Record<string, unknown> | null {
  if (pull.autoMerge === null) return null;
  const { by, method, title, message } = pull.autoMerge;
  return {
    enabled_by: userJson(view, by),
    merge_method: method,
    commit_title: title,
    commit_message: message,
  };
}
