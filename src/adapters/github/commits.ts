/** Single commits and the files they changed. A commit never changes, so both are remembered. */
import { isCommit } from '../../domain/objects.ts';
import type { ChangedFile, Commit, Repository } from '../../ports.ts';
import type { GitHub } from './github.ts';
import { allPages, hasNextPage, pageSize } from './paging.ts';
import { isRefused } from './refusal.ts';
import { absent } from './visible.ts';

/** What we read of a commit in GitHub's answers. */
export interface RawCommit {
  sha: string;
  commit: {
    message: string;
    tree: { sha: string };
    author: { name?: string; date?: string } | null;
    committer: { date?: string } | null;
  };
  author: object | null;
  parents: readonly { sha: string }[];
}

interface RawFile {
  filename: string;
  status: string;
  previous_filename?: string;
}

/** GitHub lists 3,000 changed files of a commit and no more. */
const filesMax = 3_000;
/** A commit's objects around its message, and a path with its framing: rough bytes in memory. */
const commitWeight = 500;
const fileWeight = 100;

/**
 * Null when the repository has no such commit. GitHub keeps commits for a while that no branch holds any more, and
 * those of forks: being there does not mean being on the branch, which only a range tells.
 */
export async function readCommit(
  github: GitHub,
  repository: Repository,
  sha: string,
): Promise<Commit | null> {
  if (!isCommit(sha)) return null;
  return github.memory.recall(
    `${keyOf(repository)} commit ${sha}`,
    async () => {
      const { octokit, here } = await github.voice(repository);
      try {
        // Files come along and are not wanted here: as few as can be.
        const { data } = await octokit.request('GET /repos/{owner}/{repo}/commits/{ref}', {
          ...here,
          ref: sha,
          per_page: 1,
        });
        return commitOf(data);
      } catch (error) {
        if (isAbsentCommit(error)) return absent(github, repository);
        throw error;
      }
    },
    (commit) => commitWeight + commit.message.length,
  );
}

/** The one commit that begins with these digits; null when there is none, or GitHub finds several or a branch of that name. */
export async function readCommitBeginning(
  github: GitHub,
  repository: Repository,
  digits: string,
): Promise<Commit | null> {
  if (isCommit(digits)) return readCommit(github, repository, digits);
  if (!/^[0-9a-f]{7,39}$/.test(digits)) return null;
  try {
    const { octokit, here } = await github.voice(repository);
    const { data } = await octokit.request('GET /repos/{owner}/{repo}/commits/{ref}', {
      ...here,
      ref: digits,
      per_page: 1,
    });
    const commit = commitOf(data);
    return commit.sha.startsWith(digits) ? commit : null;
  } catch (error) {
    if (isAbsentCommit(error)) return absent(github, repository);
    throw error;
  }
}

/** Files a commit changed against its first parent. `isComplete` is false when GitHub cut the list at 3,000. */
export async function readFilesOf(
  github: GitHub,
  repository: Repository,
  sha: string,
): Promise<{ files: readonly ChangedFile[]; isComplete: boolean }> {
  const read = async () => {
    const { octokit, here } = await github.voice(repository);
    const { items } = await allPages(async (page) => {
      const { data, headers } = await octokit.request('GET /repos/{owner}/{repo}/commits/{ref}', {
        ...here,
        ref: sha,
        per_page: pageSize,
        page,
      });
      return { items: data.files ?? [], hasNext: hasNextPage(headers.link) };
    }, filesMax / pageSize);
    return { files: items.map(changedFileOf), isComplete: items.length < filesMax };
  };
  return github.memory.recall(
    `${keyOf(repository)} files ${sha}`,
    read,
    ({ files }) => commitWeight + files.length * fileWeight,
  );
}

/** Ours of GitHub's, from the endpoints of commits, branches and comparisons alike. */
export function commitOf(raw: RawCommit): Commit {
  const committedAt = Date.parse(raw.commit.committer?.date ?? raw.commit.author?.date ?? '');
  return {
    sha: raw.sha,
    tree: raw.commit.tree.sha,
    parents: raw.parents.map((parent) => parent.sha),
    message: raw.commit.message,
    author: { login: loginOf(raw.author), name: raw.commit.author?.name ?? 'unknown' },
    committedAt: Number.isNaN(committedAt) ? 0 : committedAt,
  };
}

/** How things of one repository are called in the memory. */
export function keyOf(repository: Repository): string {
  return `${repository.host}/${repository.owner}/${repository.name}`.toLowerCase();
}

/** An unknown commit is 404 or 422 "No commit found for SHA", by endpoint and by how it is written. */
export function isAbsentCommit(error: unknown): boolean {
  return isRefused(error, 404) || isRefused(error, 422, /no commit found/i);
}

/** GitHub gives null, or an empty object, when no account goes with the address of a commit. */
function loginOf(author: RawCommit['author']): string | null {
  return author !== null && 'login' in author && typeof author.login === 'string' ? author.login : null;
}

/** Ours of GitHub's, from the endpoints of commits and pull requests alike. */
export function changedFileOf(raw: RawFile): ChangedFile {
  return {
    path: raw.filename,
    previousPath: raw.status === 'renamed' ? (raw.previous_filename ?? null) : null,
    change: changeOf(raw.status),
  };
}

/** A copy is a new file; what GitHub calls `changed` (the mode alone) and anything newer is a modification. */
function changeOf(status: string): ChangedFile['change'] {
  switch (status) {
    case 'added':
    case 'copied':
      return 'added';
    case 'removed':
    case 'renamed':
      return status;
    default:
      return 'modified';
  }
}
