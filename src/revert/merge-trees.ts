/**
 * The three-way merge of three git trees, without a working copy: `git merge-tree --write-tree` in memory. A clean
 * merge has the content git would give it; where this differs from git it only ever conflicts more
 * (docs/decisions/0003-three-way-merge-and-where-it-differs-from-git.md).
 */
import { applyFolderMoves, type FolderConflict } from './folder-moves.ts';
import { followMoves } from './follow-moves.ts';
import { type Pairing, pairMoves } from './pair-moves.ts';
import { type PathConflict, type Place, sides } from './places.ts';
import { conflictAt, settlePlaces } from './settle-places.ts';
import { surveyTrees } from './survey-trees.ts';
import type { Workspace } from './workspace.ts';

export type TreeMerge = { kind: 'merged'; tree: string } | { kind: 'conflict'; conflicts: PathConflict[] };

/**
 * Merges `ours` and `theirs`, which both grew from `base`; all three are tree ids. New objects stay in the workspace.
 * Reads nothing when two of the three are equal. Throws `ObjectProblem` for objects that cannot be used.
 */
export async function mergeTrees(
  workspace: Workspace,
  base: string,
  ours: string,
  theirs: string,
): Promise<TreeMerge> {
  if (base === ours || ours === theirs) return { kind: 'merged', tree: theirs };
  if (base === theirs) return { kind: 'merged', tree: ours };

  const survey = await surveyTrees(workspace, base, ours, theirs);
  const [oursPairing, theirsPairing] = await Promise.all(
    sides.map((side) => pairMoves(workspace, survey[side])),
  );
  const pairings = { ours: oursPairing!, theirs: theirsPairing! };
  const { moves, conflicts: folderConflicts } = applyFolderMoves(survey.places, pairings);
  const moveConflicts = await followMoves(workspace, survey, moves);
  const { root, conflicts } = await settlePlaces(workspace, survey.places);

  const loose = [
    ...folderConflicts,
    ...moveConflicts,
    ...unclearMoves(oursPairing!),
    ...unclearMoves(theirsPairing!),
  ];
  const all = [...loose.map((conflict) => pathConflict(conflict, survey.places)), ...conflicts];
  return all.length > 0 ? { kind: 'conflict', conflicts: byPath(all) } : { kind: 'merged', tree: root };
}

function unclearMoves(pairing: Pairing): FolderConflict[] {
  return pairing.unclear.map((path) => ({ path, why: 'unclear', related: [] }));
}

function pathConflict(
  { path, why, related }: FolderConflict,
  places: ReadonlyMap<string, Place>,
): PathConflict {
  const place = places.get(path);
  if (place) return { ...conflictAt(place, why), related };
  return { path, why, later: 'moved', revert: 'moved', related };
}

/** One conflict a path, the first that is given, in the order of the paths. */
function byPath(conflicts: readonly PathConflict[]): PathConflict[] {
  const first = new Map<string, PathConflict>();
  for (const conflict of conflicts) if (!first.has(conflict.path)) first.set(conflict.path, conflict);
  return [...first.values()].sort((left, right) => (left.path < right.path ? -1 : 1));
}
