/**
 * A change that somebody names by its commit or its pull request: the commits that it put on the branch, whichever way it
 * was merged. Only what lies on the branch's first-parent line can be taken back; what was merged in belongs to its merge.
 */
import type { NoChange } from '../domain/asked.ts';
import type { Suspect } from '../domain/incident.ts';
import type { Commit, Forge, PullRequest, Repository } from '../ports.ts';
import { firstParentLine } from './ranges.ts';

type NamedForge = Pick<
  Forge,
  | 'pullRequest'
  | 'pullRequestsOf'
  | 'commitBeginning'
  | 'commit'
  | 'branchHead'
  | 'range'
  | 'repository'
  | 'filesOf'
>;

/** Who names a commit in a pull request that was rebased means all of it; longer ones are refused. */
const commitsMax = 50;

export type NamedChange =
  | {
      kind: 'change';
      branch: string;
      /** Newest first, each with its first parent. */
      commits: readonly Suspect[];
      /** What the branch held before and after. */
      before: string;
      after: string;
    }
  | { kind: 'none'; why: NoChange };

type Named = { kind: 'commit'; sha: string } | { kind: 'pull-request'; number: number };

/** Throws WorldProblem when GitHub cannot be read. */
export async function namedChange(
  forge: NamedForge,
  repository: Repository,
  named: Named,
): Promise<NamedChange> {
  const found = named.kind === 'commit' ? await forge.commitBeginning(repository, named.sha) : null;
  if (named.kind === 'commit' && found === null) return none('not-found');
  const pullRequest =
    named.kind === 'pull-request'
      ? await forge.pullRequest(repository, named.number)
      : ((await forge.pullRequestsOf(repository, found?.sha ?? '')).find((one) => one.isMerged) ?? null);
  if (named.kind === 'pull-request' && pullRequest === null) return none('not-found');
  if (pullRequest !== null && (!pullRequest.isMerged || pullRequest.mergeCommit === null))
    return none('not-merged');
  // Taking a revert back by itself would fight with whoever merged it.
  if (pullRequest?.isOurs === true) return none('ours');
  const branch = pullRequest?.baseBranch ?? (await forge.repository(repository))?.defaultBranch ?? 'main';
  const head = await forge.branchHead(repository, branch);
  if (head === null) return none('not-on-the-branch');
  const merge = pullRequest?.mergeCommit ?? '';
  const own = found === null ? null : await lineFrom(forge, repository, found.sha, head.sha);
  const newest = own === null ? await forge.commit(repository, merge) : found;
  if (newest === null) return none('not-on-the-branch');
  if (own === null && (await lineFrom(forge, repository, merge, head.sha)) === null)
    return none('not-on-the-branch');
  const isWhole = pullRequest !== null && newest.sha === merge;
  const commits = isWhole ? await allOf(forge, repository, newest, pullRequest) : [newest];
  if (commits === null) return none('too-long');
  return changeOf(forge, repository, branch, commits, pullRequest);
}

function none(why: NoChange): NamedChange {
  return { kind: 'none', why };
}

/** Not null when the commit lies on the first-parent line of the head. */
async function lineFrom(
  forge: NamedForge,
  repository: Repository,
  sha: string,
  head: string,
): Promise<readonly Commit[] | null> {
  if (sha === '') return null;
  if (sha === head) return [];
  const range = await forge.range(repository, sha, head);
  if (range === null || range.status !== 'ahead' || !range.isComplete) return null;
  const line = firstParentLine(range, sha, head);
  return line[0]?.parents[0] === sha ? line : null;
}

/** A rebase put each commit of the pull request on the branch; a merge and a squash put one there. */
async function allOf(
  forge: NamedForge,
  repository: Repository,
  newest: Commit,
  { number }: PullRequest,
): Promise<readonly Commit[] | null> {
  const commits = [newest];
  for (let last = newest; last.parents.length === 1; ) {
    const before = await forge.commit(repository, last.parents[0] ?? '');
    const brought = before === null ? [] : await forge.pullRequestsOf(repository, before.sha);
    if (before === null || !brought.some((one) => one.number === number && one.isMerged)) break;
    if (commits.length === commitsMax) return null;
    commits.push(before);
    last = before;
  }
  return commits;
}

async function changeOf(
  forge: NamedForge,
  repository: Repository,
  branch: string,
  commits: readonly Commit[],
  pullRequest: PullRequest | null,
): Promise<NamedChange> {
  const suspects: Suspect[] = [];
  for (const commit of commits) {
    const [first] = commit.parents;
    const parent = first === undefined ? null : await forge.commit(repository, first);
    if (parent === null) return none('no-parent');
    if (commit.parents.length > 2) return none('octopus');
    const { files, isComplete } = await forge.filesOf(repository, commit.sha);
    suspects.push({
      sha: commit.sha,
      subject: pullRequest?.title ?? commit.message.split('\n')[0] ?? '',
      author: pullRequest?.author.login ?? commit.author.login ?? commit.author.name,
      pullRequest:
        pullRequest === null
          ? null
          : {
              number: pullRequest.number,
              title: pullRequest.title,
              url: pullRequest.url,
              author: pullRequest.author.login ?? pullRequest.author.name,
            },
      files: isComplete ? files.map((file) => file.path) : null,
      tree: commit.tree,
      firstParentTree: parent.tree,
    });
  }
  const before = commits.at(-1)?.parents[0] ?? '';
  return { kind: 'change', branch, commits: suspects, before, after: commits[0]?.sha ?? '' };
}
