/**
 * The revert of a bad change, computed without a clone: the tree that takes the suspects back and leaves everything
 * else as the branch has it. The suspects are taken back newest first, each by one three-way merge onto the result so
 * far, so commits between them stay. The plan says what to write; it writes nothing, and where it is not sure it says
 * which paths conflict and why. Specification: "Revert without a clone" in docs/ARCHITECTURE.md.
 */
import type { TreeChange } from '../ports.ts';
import { refuseBrokenTexts } from './check-texts.ts';
import { mergeTrees } from './merge-trees.ts';
import {
  type CommitTrees,
  type GitObjects,
  ObjectProblem,
  type RevertLimits,
  usualLimits,
} from './objects.ts';
import type { PathConflict } from './places.ts';
import { changesBetween } from './tree-changes.ts';
import { Workspace } from './workspace.ts';

export interface RevertRequest {
  /** Tree of the branch head, which the revert is made on. */
  headTree: string;
  /** Commits to take back, newest first; at least one. */
  suspects: readonly CommitTrees[];
  /** Tree of last good, when every commit since is a suspect: then one merge takes all of them back. */
  wholeRange?: string;
}

export type RevertPlan =
  /** The result is a tree that exists already, such as that of last good: no tree has to be written. */
  | { kind: 'tree'; tree: string }
  /** What to write over `baseTree`; the forge must answer with `tree`, or it understood something else. */
  | { kind: 'changes'; baseTree: string; tree: string; changes: readonly TreeChange[] }
  /** The branch is already as the revert would leave it. */
  | { kind: 'nothing' }
  /**
   * These paths cannot be decided. `suspect` is the commit that could not be taken back; there is none when all could
   * be, but the result is text that must not be written.
   */
  | { kind: 'conflict'; suspect?: string; conflicts: readonly PathConflict[] }
  /** The repository cannot be read as it would have to be; trying again will not help. */
  | { kind: 'impossible'; problem: ObjectProblem };

/**
 * Plans the revert. Reads no object at all when one suspect is the branch head. Throws whatever `objects` throws
 * besides `ObjectProblem`.
 */
export async function planRevert(
  objects: GitObjects,
  request: RevertRequest,
  limits: RevertLimits = usualLimits,
): Promise<RevertPlan> {
  if (request.suspects.length === 0) throw new Error('A revert needs at least one suspect.');
  try {
    return await plan(new Workspace(objects, limits), request);
  } catch (error) {
    if (error instanceof ObjectProblem) return { kind: 'impossible', problem: error };
    throw error;
  }
}

async function plan(workspace: Workspace, request: RevertRequest): Promise<RevertPlan> {
  const { headTree } = request;
  let result = headTree;
  for (const step of stepsOf(request)) {
    const merge = await mergeTrees(workspace, step.tree, result, step.firstParentTree);
    if (merge.kind === 'conflict')
      return { kind: 'conflict', suspect: step.commit, conflicts: merge.conflicts };
    result = merge.tree;
  }
  if (result === headTree) return { kind: 'nothing' };
  if (isKnownTree(request, result) || !workspace.isMadeTree(result)) return { kind: 'tree', tree: result };

  const changes = await changesBetween(workspace, headTree, result);
  const conflicts = await refuseBrokenTexts(workspace, headTree, changes);
  if (conflicts.length > 0) return { kind: 'conflict', conflicts };
  return { kind: 'changes', baseTree: headTree, tree: result, changes };
}

/** The merges to do, in order: one a suspect, or one for all of them. */
function stepsOf({ suspects, wholeRange }: RevertRequest): readonly CommitTrees[] {
  return wholeRange === undefined ? suspects : [{ ...suspects[0]!, firstParentTree: wholeRange }];
}

function isKnownTree({ suspects, wholeRange }: RevertRequest, tree: string): boolean {
  return (
    tree === wholeRange ||
    suspects.some((suspect) => suspect.tree === tree || suspect.firstParentTree === tree)
  );
}
