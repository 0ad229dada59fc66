/** Pull requests: found by the commit they brought or the branch they come from, opened, edited. */
import { type PullRequest, type Repository, WorldProblem } from '../../ports.ts';
import { patiently } from './freshness.ts';
import type { GitHub } from './github.ts';
import { allPages, hasNextPage, pageSize } from './paging.ts';
import { type AppIdentity, isApp, personOf } from './people.ts';
import { isRefused, refusalOf } from './refusal.ts';
import { absent } from './visible.ts';

/** What we read of a pull request in GitHub's answers, of lists and of single ones. */
interface RawPull {
  number: number | bigint;
  node_id: string;
  html_url: string;
  title: string;
  body: string | null;
  user: { login: string; type?: string } | null;
  state: string;
  draft?: boolean;
  auto_merge?: object | null;
  merged_at: string | null;
  merge_commit_sha: string | null;
  base: { ref: string; repo: { full_name: string } };
  head: { ref: string; sha: string; repo: { full_name: string } | null };
  labels: readonly { name?: string }[];
  created_at: string;
}

/** More pull requests of one commit or one branch than this are a mistake somewhere. */
const pagesMax = 10;

/** Pull requests that brought a commit in, merged ones first; empty for a commit pushed directly (GH15). */
export async function readPullRequestsOf(
  github: GitHub,
  repository: Repository,
  sha: string,
): Promise<readonly PullRequest[]> {
  const { octokit, app, here } = await github.voice(repository);
  const { items } = await allPages(async (page) => {
    const { data, headers } = await octokit.request('GET /repos/{owner}/{repo}/commits/{commit_sha}/pulls', {
      ...here,
      commit_sha: sha,
      per_page: pageSize,
      page,
    });
    return { items: data, hasNext: hasNextPage(headers.link) };
  }, pagesMax);
  const pulls = items.map((raw) => pullRequestOf(raw, app));
  return [...pulls.filter((pull) => pull.isMerged), ...pulls.filter((pull) => !pull.isMerged)];
}

/**
 * Pull requests from a branch of this repository, of any state, newest first. GitHub finds nothing when the owner is
 * not written before the branch (GH05), and finds branches of that name in forks of the same owner too.
 */
export async function readPullRequestsFrom(
  github: GitHub,
  repository: Repository,
  headBranch: string,
): Promise<readonly PullRequest[]> {
  const { octokit, app, here } = await github.voice(repository);
  const { items } = await allPages(async (page) => {
    const { data, headers } = await octokit.request('GET /repos/{owner}/{repo}/pulls', {
      ...here,
      head: `${repository.owner}:${headBranch}`,
      state: 'all',
      sort: 'created',
      direction: 'desc',
      per_page: pageSize,
      page,
    });
    return { items: data, hasNext: hasNextPage(headers.link) };
  }, pagesMax);
  return items
    .filter((raw) => raw.head.ref === headBranch && raw.head.repo?.full_name === raw.base.repo.full_name)
    .map((raw) => pullRequestOf(raw, app));
}

/** Null when there is no such pull request. */
export async function readPullRequest(
  github: GitHub,
  repository: Repository,
  number: number,
): Promise<PullRequest | null> {
  const { octokit, app, here } = await github.voice(repository);
  try {
    const { data } = await octokit.request('GET /repos/{owner}/{repo}/pulls/{pull_number}', {
      ...here,
      pull_number: number,
    });
    return pullRequestOf(data, app);
  } catch (error) {
    if (isRefused(error, 404)) return absent(github, repository);
    throw error;
  }
}

type Outcome =
  | { kind: 'created'; pullRequest: PullRequest }
  | { kind: 'exists' }
  | { kind: 'nothing-between' };

/**
 * Opens a pull request, once: after a time-out it must be looked for. Its refusals are all 422 and differ by their
 * words: it exists already (GH05), there is nothing between the two branches (GH06), or the base is gone (GH14).
 */
export async function createPullRequest(
  github: GitHub,
  repository: Repository,
  pullRequest: { title: string; body: string; head: string; base: string; isDraft: boolean },
): Promise<Outcome> {
  const { octokit, app, here } = await github.voice(repository);
  const outcome = await patiently(
    github.clock,
    async (): Promise<Outcome | { kind: 'not-seen-yet'; error: unknown }> => {
      try {
        const { data } = await octokit.request('POST /repos/{owner}/{repo}/pulls', {
          ...here,
          title: pullRequest.title,
          body: pullRequest.body,
          head: pullRequest.head,
          base: pullRequest.base,
          draft: pullRequest.isDraft,
        });
        return { kind: 'created', pullRequest: pullRequestOf(data, app) };
      } catch (error) {
        if (isRefused(error, 422, /pull request already exists/i)) return { kind: 'exists' };
        if (isInvalid(error, 'base')) throw baseGoneProblem(repository, pullRequest.base, error);
        const isEarlyHead = isInvalid(error, 'head');
        if (!isEarlyHead && !isRefused(error, 422, /no commits between/i)) throw error;
        const isNothing = !isEarlyHead && (await isNothingBetween(github, repository, pullRequest));
        return isNothing ? { kind: 'nothing-between' } : { kind: 'not-seen-yet', error };
      }
    },
    (value) => value.kind === 'not-seen-yet',
  );
  if (outcome.kind === 'not-seen-yet')
    throw branchNotSeenProblem(repository, pullRequest.head, outcome.error);
  return outcome;
}

/** Safe to repeat: it says how things should be. */
export async function updatePullRequest(
  github: GitHub,
  repository: Repository,
  number: number,
  change: { title?: string; body?: string; state?: 'open' | 'closed' },
): Promise<void> {
  const { octokit, here } = await github.voice(repository);
  await octokit.request('PATCH /repos/{owner}/{repo}/pulls/{pull_number}', {
    ...here,
    pull_number: number,
    ...change,
  });
}

/**
 * True when the head truly brings nothing: no commit of its own, or the same tree. False when GitHub had only not
 * seen the new branch yet.
 */
async function isNothingBetween(
  github: GitHub,
  repository: Repository,
  { base, head }: { base: string; head: string },
): Promise<boolean> {
  const { octokit, here } = await github.voice(repository);
  const { data } = await octokit.request('GET /repos/{owner}/{repo}/compare/{basehead}', {
    ...here,
    basehead: `${base}...${head}`,
    per_page: pageSize,
  });
  const last = data.commits.length === data.total_commits ? data.commits.at(-1) : undefined;
  return data.ahead_by === 0 || last?.commit.tree.sha === data.base_commit.commit.tree.sha;
}

/** Ours of GitHub's, from lists and of single ones. */
export function pullRequestOf(raw: RawPull, app: AppIdentity): PullRequest {
  const isMerged = raw.merged_at !== null;
  return {
    number: Number(raw.number),
    nodeId: raw.node_id,
    url: raw.html_url,
    title: raw.title,
    body: raw.body ?? '',
    author: personOf(raw.user),
    state: raw.state === 'open' ? 'open' : 'closed',
    isMerged,
    isDraft: raw.draft === true,
    isAutoMergeOn: raw.auto_merge != null,
    // Before the merge this field holds a trial merge that is on no branch.
    mergeCommit: isMerged ? raw.merge_commit_sha : null,
    mergedAt: raw.merged_at === null ? null : Date.parse(raw.merged_at),
    baseBranch: raw.base.ref,
    headBranch: raw.head.ref,
    headSha: raw.head.sha,
    // A fork that was deleted is named no more.
    isFromFork: raw.head.repo?.full_name.toLowerCase() !== raw.base.repo.full_name.toLowerCase(),
    isOurs: isApp(app, raw.user),
    labels: raw.labels.flatMap((label) => (label.name === undefined ? [] : [label.name])),
    createdAt: Date.parse(raw.created_at),
  };
}

/** True when GitHub finds a field of the request invalid. */
export function isInvalid(error: unknown, field: string): boolean {
  const refusal = refusalOf(error);
  return refusal?.status === 422 && refusal.fields.includes(field);
}

function baseGoneProblem(repository: Repository, base: string, cause: unknown): WorldProblem {
  return new WorldProblem(
    'transient',
    `There is no branch ${base} in ${repository.owner}/${repository.name} any more, so no pull request can be opened ` +
      'onto it; it was renamed or deleted. Stepback reads the repository again. A targetRevision that names the old ' +
      'branch does not follow a rename: change it.',
    { cause },
  );
}

function branchNotSeenProblem(repository: Repository, head: string, cause: unknown): WorldProblem {
  return new WorldProblem(
    'transient',
    `GitHub does not see the new branch ${head} of ${repository.owner}/${repository.name} yet, so the pull request ` +
      'could not be opened. Stepback tries again in a moment.',
    { cause },
  );
}
