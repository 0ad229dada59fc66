/**
 * The commits between two commits. GitHub gives a comparison in pages and says on each how many commits there are
 * in all; nothing may be concluded from what a cut list does not hold (GH09). Its list of files is not used: it
 * stops at 300 and is on the first page only.
 */
import { isCommit } from '../../domain/objects.ts';
import type { CommitRange, Repository } from '../../ports.ts';
import { commitOf, keyOf } from './commits.ts';
import type { GitHub } from './github.ts';
import { pageSize } from './paging.ts';
import { isRefused } from './refusal.ts';
import { absent } from './visible.ts';

/** Nobody reads a revert of more. */
const commitsMax = 2_500;

/** Null when either end is not there, or they have no common ancestor. Oldest first. */
export async function readRange(
  github: GitHub,
  repository: Repository,
  base: string,
  head: string,
): Promise<CommitRange | null> {
  // Between two commits, not branches, the answer stays the same.
  if (!isCommit(base) || !isCommit(head)) return readComparison(github, repository, base, head);
  return github.memory.recall(
    `${keyOf(repository)} range ${base}...${head}`,
    () => readComparison(github, repository, base, head),
    (range) => 500 + range.commits.length * 1_000,
  );
}

async function readComparison(
  github: GitHub,
  repository: Repository,
  base: string,
  head: string,
): Promise<CommitRange | null> {
  const { octokit, here } = await github.voice(repository);
  const readPage = async (page: number) => {
    const { data } = await octokit.request('GET /repos/{owner}/{repo}/compare/{basehead}', {
      ...here,
      basehead: `${base}...${head}`,
      per_page: pageSize,
      page,
    });
    return data;
  };
  try {
    const first = await readPage(1);
    const pages = Math.ceil(Math.min(first.total_commits, commitsMax) / pageSize);
    const restOfPages = Array.from({ length: Math.max(0, pages - 1) }, (_, index) => readPage(index + 2));
    const rest = await Promise.all(restOfPages);
    const commits = [first, ...rest].flatMap((page) => page.commits).map(commitOf);
    return {
      status: first.status,
      mergeBase: first.merge_base_commit.sha,
      commits,
      isComplete: commits.length === first.total_commits,
    };
  } catch (error) {
    if (isRefused(error, 404) || isRefused(error, 422, /no commit found/i)) return absent(github, repository);
    throw error;
  }
}
