/** Pull requests of others while they are open: what may land next, and what it would change. */
import type { ChangedFile, PullRequest, Repository } from '../../ports.ts';
import { changedFileOf } from './commits.ts';
import type { GitHub } from './github.ts';
import { allPages, hasNextPage, pageSize } from './paging.ts';
import { isInvalid, pullRequestOf } from './pulls.ts';

/** Of more open pull requests than a thousand, those that nobody touched for longest are left out. */
const openPagesMax = 10;
/** GitHub lists 3,000 files of a pull request and no more. */
const filesMax = 3_000;

/** Open pull requests onto a branch, null for any, the latest changed first. Not complete when there are over a thousand. */
export async function readOpenPullRequests(
  github: GitHub,
  repository: Repository,
  baseBranch: string | null,
): Promise<{ pullRequests: readonly PullRequest[]; isComplete: boolean }> {
  const { octokit, app, here } = await github.voice(repository);
  const { items, isComplete } = await allPages(async (page) => {
    const { data, headers } = await octokit.request('GET /repos/{owner}/{repo}/pulls', {
      ...here,
      state: 'open',
      base: baseBranch ?? undefined,
      sort: 'updated',
      direction: 'desc',
      per_page: pageSize,
      page,
    });
    return { items: data, hasNext: hasNextPage(headers.link) };
  }, openPagesMax);
  return { pullRequests: items.map((raw) => pullRequestOf(raw, app)), isComplete };
}

/** As many closed pull requests are looked through for ours. */
const closedPagesMax = 5;

/** Ours, open or closed of late: GitHub lists pull requests by no author, so all that were changed since are read. */
export async function readOwnPullRequests(
  github: GitHub,
  repository: Repository,
  since: number,
): Promise<readonly PullRequest[]> {
  const [open, closed] = await Promise.all([
    readOpenPullRequests(github, repository, null),
    readClosedPullRequests(github, repository, since),
  ]);
  return [...open.pullRequests, ...closed].filter((one) => one.isOurs);
}

async function readClosedPullRequests(
  github: GitHub,
  repository: Repository,
  since: number,
): Promise<readonly PullRequest[]> {
  const { octokit, app, here } = await github.voice(repository);
  const { items } = await allPages(async (page) => {
    const { data, headers } = await octokit.request('GET /repos/{owner}/{repo}/pulls', {
      ...here,
      state: 'closed',
      sort: 'updated',
      direction: 'desc',
      per_page: pageSize,
      page,
    });
    const recent = data.filter((raw) => Date.parse(raw.updated_at) >= since);
    return { items: recent, hasNext: recent.length === data.length && hasNextPage(headers.link) };
  }, closedPagesMax);
  return items.map((raw) => pullRequestOf(raw, app));
}

/**
 * Files that a pull request changes against where it left its base. Not complete when GitHub cut the list at 3,000,
 * and without any when it could not compare the two in time.
 */
export async function readFilesOfPullRequest(
  github: GitHub,
  repository: Repository,
  number: number,
): Promise<{ files: readonly ChangedFile[]; isComplete: boolean }> {
  const { octokit, here } = await github.voice(repository);
  try {
    const { items } = await allPages(async (page) => {
      const { data, headers } = await octokit.request('GET /repos/{owner}/{repo}/pulls/{pull_number}/files', {
        ...here,
        pull_number: number,
        per_page: pageSize,
        page,
      });
      return { items: data, hasNext: hasNextPage(headers.link) };
    }, filesMax / pageSize);
    return { files: items.map(changedFileOf), isComplete: items.length < filesMax };
  } catch (error) {
    if (isInvalid(error, 'diff')) return { files: [], isComplete: false };
    throw error;
  }
}
