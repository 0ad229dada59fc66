/**
 * The three-way merge of one file, symlink or submodule. Mode and content are merged apart from each other; what
 * equals the base gives way. Only the content of ordinary text files is ever mixed: everything else is taken whole
 * or conflicts. Rule: `handle_content_merge` of git's merge-ort, in a repository without checked-out submodules.
 */
import { mergeLines } from './merge-lines.ts';
import { type Item, isRegular, ObjectProblem } from './objects.ts';
import type { ConflictReason } from './places.ts';
import type { Workspace } from './workspace.ts';

export interface FileMerge {
  item: Item;
  conflict?: ConflictReason;
}

/**
 * Merges two versions of one type. Without a base both sides added the path. Throws `ObjectProblem` for missing or
 * broken blobs; a blob over the limit is a conflict.
 */
export async function mergeFile(
  workspace: Workspace,
  base: Item | undefined,
  ours: Item,
  theirs: Item,
): Promise<FileMerge> {
  const isModeOurs = ours.mode !== theirs.mode && ours.mode !== base?.mode;
  const mode = isModeOurs ? ours.mode : theirs.mode;
  const content = await mergeContent(workspace, base, ours, theirs);
  if (content.conflict) return { item: { mode, id: content.id }, conflict: content.conflict };
  const isModeConflict = isModeOurs && theirs.mode !== base?.mode;
  return { item: { mode, id: content.id }, conflict: isModeConflict ? 'mode' : undefined };
}

/** Files that git would put side by side: both ordinary, both symlinks or both submodules. */
export function isSameType(left: Item, right: Item): boolean {
  return left.mode === right.mode || (isRegular(left) && isRegular(right));
}

async function mergeContent(
  workspace: Workspace,
  base: Item | undefined,
  ours: Item,
  theirs: Item,
): Promise<{ id: string; conflict?: ConflictReason }> {
  if (ours.id === theirs.id || ours.id === base?.id) return { id: theirs.id };
  if (theirs.id === base?.id) return { id: ours.id };
  if (ours.mode === '120000') return { id: ours.id, conflict: 'symlink' };
  if (!isRegular(ours)) return { id: ours.id, conflict: 'submodule' };

  // A base of another type counts as an empty one.
  const baseId = base && isRegular(base) ? base.id : undefined;
  let texts: [Uint8Array, Uint8Array, Uint8Array];
  try {
    texts = await Promise.all([
      baseId === undefined ? new Uint8Array() : workspace.readBlob(baseId),
      workspace.readBlob(ours.id),
      workspace.readBlob(theirs.id),
    ]);
  } catch (error) {
    if (error instanceof ObjectProblem && error.reason === 'too-large') {
      return { id: ours.id, conflict: 'too-large' };
    }
    throw error;
  }
  const merge = mergeLines(...texts);
  if (merge.kind === 'merged') return { id: workspace.makeBlob(merge.content, ours.id) };
  if (merge.kind === 'conflict') return { id: ours.id, conflict: base ? 'same-lines' : 'added-twice' };
  return { id: ours.id, conflict: merge.kind };
}
