/**
 * Merging as GitHub's merge button does it. Where one side did not change anything the answer is the other side;
 * everything else is asked of `git merge-tree --write-tree`, the merge that GitHub itself runs.
 */
import type { BareRepository } from './bare-repository.ts';
import { mergeBases, range } from './history.ts';
import type { Commit } from './objects.ts';

/** A merged tree, or the paths on which both sides changed something different. */
export type MergeOutcome = { tree: string } | { conflicts: string[] };

/** Merges two commits; unrelated histories conflict on nothing in particular. */
export function mergeCommits(git: BareRepository, ours: string, theirs: string): MergeOutcome {
  return git.once(`merge ${ours} ${theirs}`, () => {
    const bases = mergeBases(git, ours, theirs);
    if (bases.length === 0) return { conflicts: [] };
    const [base, mine, other] = [bases[0] as string, ours, theirs].map((id) => git.commit(id)?.tree);
    if (bases.length === 1 && base === mine) return { tree: other as string };
    if (bases.length === 1 && base === other) return { tree: mine as string };
    return askGit(git, ours, theirs);
  });
}

/** Merges three trees. git before 2.40 knows no `--merge-base`, so three commits stand in for the trees. */
export function mergeTrees(git: BareRepository, base: string, ours: string, theirs: string): MergeOutcome {
  if (base === ours || ours === theirs) return { tree: theirs };
  if (base === theirs) return { tree: ours };
  return git.once(`trees ${base} ${ours} ${theirs}`, () => {
    const root = git.writeCommit(standIn(base, []));
    return askGit(git, git.writeCommit(standIn(ours, [root])), git.writeCommit(standIn(theirs, [root])));
  });
}

/**
 * Puts the commits of `head` that `base` lacks on top of `base`, one by one, as "Rebase and merge" does: authors
 * stay, merges are left out, commits that change nothing any more are dropped.
 *
 * @returns the new commits, oldest first, or the conflict that stopped it.
 */
export function rebase(
  git: BareRepository,
  base: string,
  head: string,
  committer: Commit['committer'],
): { commits: string[] } | { conflicts: string[] } {
  const commits: string[] = [];
  let tip = base;
  for (const id of range(git, [base], [head]).reverse()) {
    const commit = git.commit(id) as Commit;
    if (commit.parents.length > 1) continue;
    const parentTree = commit.parents[0] === undefined ? undefined : git.commit(commit.parents[0])?.tree;
    const tipTree = git.commit(tip)?.tree as string;
    const merged = mergeTrees(git, parentTree ?? git.writeTree([]), tipTree, commit.tree);
    if ('conflicts' in merged) return merged;
    if (merged.tree === tipTree) continue;
    tip = git.writeCommit({ ...commit, tree: merged.tree, parents: [tip], committer, signature: undefined });
    commits.push(tip);
  }
  return { commits };
}

function askGit(git: BareRepository, ours: string, theirs: string): MergeOutcome {
  try {
    const out = git.git(['merge-tree', '--write-tree', '--name-only', '--no-messages', '-z', ours, theirs]);
    return { tree: out.toString('latin1', 0, 40) };
  } catch (error) {
    const { status, stdout } = error as { status?: number; stdout?: Buffer };
    // 1 is a conflict; anything else is git failing, which must not pass for an answer.
    if (status !== 1 || stdout === undefined) throw error;
    return { conflicts: stdout.toString('utf8').split('\0').slice(1).filter(Boolean) };
  }
}

function standIn(tree: string, parents: string[]): Commit {
  const nobody = { name: 'Small GitHub', email: 'noreply@github.com', seconds: 0, zone: '+0000' };
  return { tree, parents, author: nobody, committer: nobody, message: 'Stands in for a tree in a merge\n' };
}
