/** Pull requests: listing, opening, editing, merging, their files and commits, and who is asked to review. */
import { announceIssue, editIssue, record } from '../acts/issues.ts';
import { mergeabilityOf, mergePull } from '../acts/merge.ts';
import { issueOf, openPull, setPullState } from '../acts/pulls.ts';
import { range } from '../git/history.ts';
import { type Answer, invalid, notFound, ok, unprocessable } from '../http/answers.ts';
import type { Call, Route } from '../http/call.ts';
import { roleOf } from '../json/accounts.ts';
import { commitJson, fileJson } from '../json/commits.ts';
import { commitsOfPull, filesOfPull, fullPullJson, pullJson } from '../json/pulls.ts';
import { branchHead, fullName, type MergeMethod, type PullRequest } from '../state.ts';
import { checkBody, checkTitle } from './limits-of-text.ts';

const READ = ['pull_requests:read'];
const WRITE = ['pull_requests:write'];
/** GitHub lists at most this many commits of a pull request. */
const COMMITS_MAX = 250;

/** Routes of pull requests. */
export const pullRoutes: Route[] = [
  { method: 'GET', path: '/repos/{owner}/{repo}/pulls', needs: READ, handle: list },
  { method: 'POST', path: '/repos/{owner}/{repo}/pulls', needs: WRITE, handle: create },
  {
    method: 'GET',
    path: '/repos/{owner}/{repo}/pulls/{pull_number}',
    needs: READ,
    handle: (call) => ok(whole(call, pullOf(call))),
  },
  { method: 'PATCH', path: '/repos/{owner}/{repo}/pulls/{pull_number}', needs: WRITE, handle: edit },
  {
    method: 'GET',
    path: '/repos/{owner}/{repo}/pulls/{pull_number}/files',
    needs: READ,
    handle: (call) => {
      const pull = pullOf(call);
      const files = filesOfPull(call.view, call.repository, pull);
      return call.paged(files, (file) => fileJson(call.view, call.repository, pull.headSha, file));
    },
  },
  {
    method: 'GET',
    path: '/repos/{owner}/{repo}/pulls/{pull_number}/commits',
    needs: READ,
    handle: (call) => {
      const commits = commitsOfPull(call.view, call.repository, pullOf(call)).slice(0, COMMITS_MAX);
      return call.paged(commits, (sha) => commitJson(call.view, call.repository, sha));
    },
  },
  {
    method: 'PUT',
    path: '/repos/{owner}/{repo}/pulls/{pull_number}/merge',
    needs: ['contents:write'],
    handle: merge,
  },
  {
    method: 'GET',
    path: '/repos/{owner}/{repo}/pulls/{pull_number}/merge',
    needs: READ,
    handle: (call) => {
      if (pullOf(call).mergedAt === null) throw notFound();
      return { status: 204 };
    },
  },
  {
    method: 'POST',
    path: '/repos/{owner}/{repo}/pulls/{pull_number}/requested_reviewers',
    needs: WRITE,
    handle: requestReview,
  },
];

/** The pull request of the path's number. Throws 404. */
function pullOf(call: Call): PullRequest {
  const pull = call.repository.pulls.get(call.numberParam('pull_number'));
  if (pull === undefined) throw notFound();
  return pull;
}

function whole(call: Call, pull: PullRequest): Record<string, unknown> {
  return fullPullJson(call.view, call.repository, pull, mergeabilityOf(call.site, call.repository, pull));
}

function list(call: Call): Answer {
  const { query, repository, view } = call;
  const state = query.get('state') ?? 'open';
  const head = query.get('head');
  const base = query.get('base');
  const field = query.get('sort') === 'updated' ? 'updatedAt' : 'createdAt';
  const direction = query.get('direction') ?? (query.has('sort') && field !== 'createdAt' ? 'asc' : 'desc');
  const owner = repository.owner.toLowerCase();
  const wanted = [...repository.pulls.values()].filter((pull) => {
    const issue = issueOf(repository, pull);
    const label = `${pull.headOwner?.toLowerCase() ?? owner}:${pull.headRef}`;
    return (
      (state === 'all' || issue.state === state) &&
      // A head without its owner finds nothing.
      (head === null || head.replace(/^[^:]*/, (name) => name.toLowerCase()) === label) &&
      (base === null || pull.baseRef === base)
    );
  });
  wanted.sort((a, b) => {
    const difference = issueOf(repository, a)[field] - issueOf(repository, b)[field] || a.number - b.number;
    return direction === 'asc' ? difference : -difference;
  });
  return call.paged(wanted, (pull) => pullJson(view, repository, pull));
}

function create(call: Call): Answer {
  const { repository, site, actor } = call;
  const title = call.text('title');
  const head = call.text('head')?.replace(/^[^:]*:/, '');
  const base = call.text('base');
  for (const [field, value] of Object.entries({ head, base, title })) {
    if (value === undefined || value === '') {
      throw invalid({ resource: 'PullRequest', code: 'missing_field', field });
    }
  }
  checkTitle('PullRequest', title);
  checkBody('PullRequest', call.body.body);
  checkBranches(call, head as string, base as string);
  const pull = openPull(site, repository, actor, {
    title: title as string,
    body: call.text('body') ?? null,
    head: head as string,
    base: base as string,
    draft: call.body.draft === true,
  });
  return ok(whole(call, pull), 201);
}

function checkBranches(call: Call, head: string, base: string): void {
  const { repository, git } = call;
  const [headSha, baseSha] = [branchHead(repository, head), branchHead(repository, base)];
  if (baseSha === undefined) throw invalid({ resource: 'PullRequest', field: 'base', code: 'invalid' });
  if (headSha === undefined) throw invalid({ resource: 'PullRequest', field: 'head', code: 'invalid' });
  const open = [...repository.pulls.values()].find(
    (pull) =>
      pull.headRef === head &&
      pull.headOwner === null &&
      pull.baseRef === base &&
      issueOf(repository, pull).state === 'open',
  );
  if (open !== undefined) {
    const message = `A pull request already exists for ${repository.owner}:${head}.`;
    throw invalid({ resource: 'PullRequest', code: 'custom', message });
  }
  if (range(git, [baseSha], [headSha]).length === 0) {
    throw invalid({
      resource: 'PullRequest',
      code: 'custom',
      message: `No commits between ${base} and ${head}`,
    });
  }
}

function edit(call: Call): Answer {
  const { site, repository, actor } = call;
  const pull = pullOf(call);
  const issue = issueOf(repository, pull);
  const { state } = call.body;
  checkTitle('PullRequest', call.text('title'));
  checkBody('PullRequest', call.body.body);
  if (state !== undefined && state !== 'open' && state !== 'closed') {
    throw invalid({ resource: 'PullRequest', field: 'state', code: 'invalid' });
  }
  if (state === 'open' && issue.state === 'closed') checkReopening(call, pull);
  const base = call.text('base');
  if (base !== undefined && base !== pull.baseRef) {
    if (branchHead(repository, base) === undefined) {
      throw invalid({ resource: 'PullRequest', field: 'base', code: 'invalid' });
    }
    const changes = { base: { ref: { from: pull.baseRef }, sha: { from: pull.baseSha } } };
    pull.baseRef = base;
    pull.baseSha = branchHead(repository, base) as string;
    announceIssue(site, repository, actor, issue, 'edited', { changes });
  }
  const body = call.body.body === null ? '' : call.text('body');
  editIssue(site, repository, actor, issue, { title: call.text('title'), body });
  if (state !== undefined) setPullState(site, repository, actor, pull, state);
  return ok(whole(call, pull));
}

function checkReopening(call: Call, pull: PullRequest): void {
  const { repository } = call;
  const message =
    pull.mergedAt !== null
      ? 'Cannot change a merged pull request back to open.'
      : pull.headOwner === null && branchHead(repository, pull.headRef) === undefined
        ? `state cannot be changed. The ${pull.headRef} branch has been deleted.`
        : undefined;
  if (message !== undefined)
    throw invalid({ resource: 'PullRequest', code: 'invalid', field: 'state', message });
}

function merge(call: Call): Answer {
  const method = call.text('merge_method') ?? 'merge';
  if (!['merge', 'squash', 'rebase'].includes(method)) {
    throw invalid({ resource: 'PullRequest', field: 'merge_method', code: 'invalid' });
  }
  const sha = mergePull(call.site, call.repository, call.actor, pullOf(call), {
    method: method as MergeMethod,
    title: call.text('commit_title'),
    message: call.text('commit_message'),
    sha: call.text('sha'),
  });
  return ok({ sha, merged: true, message: 'Pull Request successfully merged' });
}

function requestReview(call: Call): Answer {
  const { repository, site, actor, view } = call;
  const pull = pullOf(call);
  const issue = issueOf(repository, pull);
  const people = call.texts('reviewers');
  const teams = call.texts('team_reviewers');
  if (people.some((login) => login.toLowerCase() === issue.user.toLowerCase())) {
    throw unprocessable('Review cannot be requested from pull request author.');
  }
  const strangers =
    people.some((login) => roleOf(repository, login) === undefined) ||
    teams.some((slug) => !view.state.teams.has(`${repository.owner}/${slug}`.toLowerCase()));
  if (strangers) {
    throw unprocessable(
      `Reviews may only be requested from collaborators. One or more of the users or teams you specified is not a collaborator of the ${fullName(repository)} repository.`,
    );
  }
  for (const login of people.filter((one) => !pull.reviewers.includes(one))) {
    pull.reviewers.push(site.meet(login).login);
    record(site, issue, actor, 'review_requested', { reviewer: login });
  }
  pull.teamReviewers.push(...teams.filter((slug) => !pull.teamReviewers.includes(slug)));
  issue.updatedAt = site.now();
  return ok(pullJson(view, repository, pull), 201);
}
