/**
 * Which later commits stand in the way: for every conflicting path, those of the commits after the suspect that
 * touched it. People read them in the report of a conflict and may take them back too.
 */
import { type CommitTrees, type GitObjects, isSameItem, type RevertLimits, usualLimits } from './objects.ts';
import type { PathConflict } from './places.ts';
import { Workspace } from './workspace.ts';

/**
 * Commits of `later` that changed a conflicting path or one related to it, by path, in the order given. Throws
 * `ObjectProblem` when a tree cannot be read.
 */
export async function commitsInTheWay(
  objects: GitObjects,
  conflicts: readonly PathConflict[],
  later: readonly CommitTrees[],
  limits: RevertLimits = usualLimits,
): Promise<Map<string, string[]>> {
  const workspace = new Workspace(objects, limits);
  const found = await Promise.all(
    conflicts.map(async ({ path, related }) => {
      const touched = await Promise.all(
        later.map((commit) => touchesAny(workspace, commit, [path, ...related])),
      );
      return [path, later.filter((_, index) => touched[index]).map(({ commit }) => commit)] as const;
    }),
  );
  return new Map(found);
}

async function touchesAny(
  workspace: Workspace,
  commit: CommitTrees,
  paths: readonly string[],
): Promise<boolean> {
  const touches = await Promise.all(paths.map((path) => touchesPath(workspace, commit, path)));
  return touches.includes(true);
}

async function touchesPath(workspace: Workspace, commit: CommitTrees, path: string): Promise<boolean> {
  if (commit.tree === commit.firstParentTree) return false;
  const [before, after] = await Promise.all([
    workspace.readPath(commit.firstParentTree, path),
    workspace.readPath(commit.tree, path),
  ]);
  return !isSameItem(before, after);
}
