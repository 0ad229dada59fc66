/** Which pull requests belong to a commit: those that brought it, and open ones that hold it. */
import { commitsOfPull } from '../json/pulls.ts';
import type { View } from '../site.ts';
import type { PullRequest, Repository } from '../state.ts';

/**
 * The pull requests of a commit, merged ones first. A commit of a merge or a rebase belongs to the pull request that
 * brought it, a squash to the one it stands for; a commit pushed directly belongs to none.
 */
export function pullsOfCommit(view: View, repository: Repository, sha: string): PullRequest[] {
  const pulls = [...repository.pulls.values()];
  const merged = pulls.filter((pull) => pull.introduced.includes(sha));
  const open = pulls.filter(
    (pull) =>
      repository.issues.get(pull.number)?.state === 'open' &&
      commitsOfPull(view, repository, pull).includes(sha),
  );
  return [...merged, ...open];
}
