/**
 * The plan that puts whole paths back to how an older tree has them; everything else stays as the branch has it. No
 * merge: whatever landed in these paths since goes away, which is what a person orders when changes cannot be told apart.
 */
import {
  emptyTreeId,
  type GitObjects,
  type Item,
  isSameItem,
  isTree,
  ObjectProblem,
  type RevertLimits,
  usualLimits,
} from './objects.ts';
import type { RevertPlan } from './plan-revert.ts';
import { changesBetween } from './tree-changes.ts';
import { Workspace } from './workspace.ts';

export interface RestoreRequest {
  /** Tree of the branch head. */
  headTree: string;
  /** Tree that holds the paths as they are to be. */
  goodTree: string;
  /** Files and folders from the root; "" is everything. */
  paths: readonly string[];
}

/** Plans it; never a conflict. Throws whatever `objects` throws besides `ObjectProblem`. */
export async function planRestore(
  objects: GitObjects,
  { headTree, goodTree, paths }: RestoreRequest,
  limits: RevertLimits = usualLimits,
): Promise<RevertPlan> {
  const workspace = new Workspace(objects, limits);
  try {
    let result = headTree;
    for (const path of paths) {
      const good: Item | undefined =
        path === '' ? { mode: '040000', id: goodTree } : await workspace.readPath(goodTree, path);
      result = await withPath(workspace, result, path === '' ? [] : path.split('/'), good);
    }
    if (result === headTree) return { kind: 'nothing' };
    if (!workspace.isMadeTree(result)) return { kind: 'tree', tree: result };
    const changes = await changesBetween(workspace, headTree, result);
    return { kind: 'changes', baseTree: headTree, tree: result, changes };
  } catch (error) {
    if (error instanceof ObjectProblem) return { kind: 'impossible', problem: error };
    throw error;
  }
}

/** The tree with another entry at the path, or with none; folders that become empty go. */
async function withPath(
  workspace: Workspace,
  tree: string,
  segments: readonly string[],
  item: Item | undefined,
): Promise<string> {
  const [name, ...rest] = segments;
  if (name === undefined) return item?.id ?? emptyTreeId;
  const entries = await workspace.readTree(tree);
  const before = entries.find((entry) => entry.name === name);
  const others = entries.filter((entry) => entry.name !== name);
  const after = rest.length === 0 ? item : await folderWith(workspace, before, rest, item);
  if (isSameItem(before, after)) return tree;
  return workspace.makeTree(after === undefined ? others : [...others, { name, ...after }]);
}

async function folderWith(
  workspace: Workspace,
  before: Item | undefined,
  rest: readonly string[],
  item: Item | undefined,
): Promise<Item | undefined> {
  // What is no folder gives way only to something.
  if (!isTree(before) && item === undefined) return before;
  const id = await withPath(
    workspace,
    isTree(before) ? (before?.id ?? emptyTreeId) : emptyTreeId,
    rest,
    item,
  );
  return id === emptyTreeId ? undefined : { mode: '040000', id };
}
