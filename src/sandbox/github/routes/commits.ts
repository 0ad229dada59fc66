/** Commits: listing them, one with its files, comparing two, and the pull requests that brought one. */
import { mergeBases, range, touching } from '../git/history.ts';
import { changedFilesWithLines } from '../git/tree-diff.ts';
import { type Answer, linkHeader, notFound, ok, type Page, pageOf, Refusal, slice } from '../http/answers.ts';
import type { Call, Route } from '../http/call.ts';
import { commitJson, commitWithFilesJson, fileJson, loginOf } from '../json/commits.ts';
import { pullJson } from '../json/pulls.ts';
import { repositoryPage, repositoryUrl } from '../json/repositories.ts';
import { pullsOfCommit } from './pulls-of-commit.ts';
import { commitNamed, resolveCommit } from './resolve.ts';

/** A comparison without paging shows this many commits, and never more files. */
const COMPARED_COMMITS = 250;
const COMPARED_FILES_MAX = 300;
/** `GET commits/{ref}` pages its files by this many. */
const FILES_PER_PAGE = 300;

/** Routes of commits. */
export const commitRoutes: Route[] = [
  { method: 'GET', path: '/repos/{owner}/{repo}/commits', needs: ['contents:read'], handle: list },
  {
    method: 'GET',
    path: '/repos/{owner}/{repo}/commits/{ref}',
    needs: ['contents:read'],
    handle: (call) => {
      const sha = commitNamed(call, call.param('ref'));
      const page: Page = { page: pageOf(call.query).page, perPage: FILES_PER_PAGE };
      let total = 0;
      const body = commitWithFilesJson(call.view, call.repository, sha, (files) => {
        total = files.length;
        return slice(files, page);
      });
      return { status: 200, body, headers: linkHeader(call.url, total, page) };
    },
  },
  {
    method: 'GET',
    path: '/repos/{owner}/{repo}/commits/{commit_sha}/pulls',
    needs: ['contents:read'],
    handle: (call) => {
      const sha = resolveCommit(call, call.param('commit_sha'));
      if (sha === undefined) throw new Refusal(422, `No commit found for SHA: ${call.param('commit_sha')}`);
      const pulls = pullsOfCommit(call.view, call.repository, sha);
      return call.paged(pulls, (pull) => pullJson(call.view, call.repository, pull));
    },
  },
  {
    method: 'GET',
    path: '/repos/{owner}/{repo}/compare/{basehead}',
    needs: ['contents:read'],
    handle: compare,
  },
];

function list(call: Call): Answer {
  const name = call.query.get('sha') ?? 'HEAD';
  const head = resolveCommit(call, name);
  if (head === undefined) {
    if (call.repository.refs.size === 0) throw new Refusal(409, 'Git Repository is empty.');
    throw notFound();
  }
  const path = call.query.get('path');
  const all = path === null || path === '' ? range(call.git, [], [head]) : touching(call.git, head, path);
  const since = timeOf(call.query.get('since'), 0);
  const until = timeOf(call.query.get('until'), Number.POSITIVE_INFINITY);
  const author = call.query.get('author');
  const wanted = all.filter((sha) => {
    const commit = call.git.commit(sha);
    if (commit === undefined) return false;
    const at = commit.committer.seconds * 1000;
    const by =
      author === null || author === commit.author.email || author === loginOf(call.view, commit.author);
    return at >= since && at <= until && by;
  });
  return call.paged(wanted, (sha) => commitJson(call.view, call.repository, sha));
}

function compare(call: Call): Answer {
  const { view, repository, git } = call;
  const [base, head] = sidesOf(call);
  const mergeBase = mergeBases(git, base, head)[0];
  if (mergeBase === undefined) throw new Refusal(404, `No common ancestor between ${base} and ${head}.`);
  const ahead = range(git, [base], [head]).reverse();
  const behind = range(git, [head], [base]).length;
  const paged = call.query.has('page') || call.query.has('per_page');
  const page = pageOf(call.query);
  // Without paging GitHub shows the most recent 250, with it the oldest come first.
  const commits = paged ? slice(ahead, page) : ahead.slice(-COMPARED_COMMITS);
  const before = git.commit(mergeBase)?.tree as string;
  const after = git.commit(head)?.tree as string;
  const filesMax = Math.min(call.truncateTo ?? COMPARED_FILES_MAX, COMPARED_FILES_MAX);
  const files = page.page === 1 ? changedFilesWithLines(git, before, after).slice(0, filesMax) : [];
  const name = call.param('basehead');
  const htmlUrl = `${repositoryPage(view, repository)}/compare/${name}`;
  const body = {
    url: `${repositoryUrl(view, repository)}/compare/${name}`,
    html_url: htmlUrl,
    permalink_url: `${repositoryPage(view, repository)}/compare/${base.slice(0, 12)}...${head.slice(0, 12)}`,
    diff_url: `${htmlUrl}.diff`,
    patch_url: `${htmlUrl}.patch`,
    base_commit: commitJson(view, repository, base),
    merge_base_commit: commitJson(view, repository, mergeBase),
    status: statusOf(ahead.length, behind),
    ahead_by: ahead.length,
    behind_by: behind,
    total_commits: ahead.length,
    commits: commits.map((sha) => commitJson(view, repository, sha)),
    files: files.map((file) => fileJson(view, repository, head, file)),
  };
  return { ...ok(body), headers: paged ? linkHeader(call.url, ahead.length, page) : {} };
}

function statusOf(ahead: number, behind: number): string {
  if (ahead === 0) return behind === 0 ? 'identical' : 'behind';
  return behind === 0 ? 'ahead' : 'diverged';
}

/** The two commits of `base...head`; either may be written `owner:branch`. Throws 404. */
function sidesOf(call: Call): [string, string] {
  const sides = call.param('basehead').split('...');
  const [base, head] = sides.map((side) => resolveCommit(call, side.replace(/^[^:]*:/, '')));
  if (sides.length !== 2 || base === undefined || head === undefined) throw notFound();
  return [base, head];
}

function timeOf(text: string | null, otherwise: number): number {
  const ms = Date.parse(text ?? '');
  return Number.isNaN(ms) ? otherwise : ms;
}
