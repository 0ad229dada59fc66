/**
 * Follows moved files: what the other side did at the old path happens at the new one. When the head moved a file
 * that the suspect had changed, the change is taken back where the file is now; when it deleted the file, that is a
 * conflict, and the old file never comes back. Rules: `process_renames` of git's merge-ort.
 */
import type { FolderConflict, Move } from './folder-moves.ts';
import { isSameType, mergeFile } from './merge-file.ts';
import { compareBytes } from './object-ids.ts';
import { type Item, isRegular } from './objects.ts';
import { hasAny, onlyVersion, otherSide, type Place } from './places.ts';
import type { Survey } from './survey-trees.ts';
import type { Workspace } from './workspace.ts';

type Places = Map<string, Place>;

/** Carries the moves into the surveyed places and gives the conflicts that have no place of their own. */
export async function followMoves(
  workspace: Workspace,
  { places, isStartedOver }: Survey,
  moves: readonly Move[],
): Promise<FolderConflict[]> {
  const conflicts: FolderConflict[] = [];
  const inOrder = [...moves].sort((left, right) => compareBytes(left.from, right.from));
  for (let index = 0; index < inOrder.length; index++) {
    const move = inOrder[index]!;
    const old = places.get(move.from);
    // Taken whole, sent after its folder, or sent back: there is nothing to carry over.
    if (!old || old.settled || !hasAny(old.files) || move.from === move.to) continue;
    if (isStartedOver && isOntoUntouchedFolder(places.get(move.to), move)) {
      conflicts.push({ path: move.from, why: 'unclear', related: [move.to] });
      continue;
    }
    const next = inOrder[index + 1];
    const isFollowed =
      next?.from === move.from
        ? followBoth(places, old, move, next)
        : await followOne(workspace, places, old, move);
    if (next?.from === move.from) index++;
    if (!isFollowed) conflicts.push({ path: move.from, why: 'unclear', related: [move.to] });
  }
  return conflicts;
}

/** Both sides moved one file: to the same path, or apart. */
function followBoth(places: Places, old: Place, our: Move, their: Move): boolean {
  const ours = openPlace(places, our.to);
  const theirs = openPlace(places, their.to);
  if (!ours || !theirs) return false;
  ours.movedFrom = { ...ours.movedFrom, [our.side]: our.from };
  theirs.movedFrom = { ...theirs.movedFrom, [their.side]: their.from };
  if (our.to === their.to) {
    ours.files = { ...ours.files, base: old.files.base };
    old.settled = { item: undefined };
    return true;
  }
  const paths = [old.path, our.to, their.to];
  for (const place of [old, ours, theirs]) {
    place.conflict = 'moved-twice';
    place.related = paths.filter((path) => path !== place.path);
  }
  return true;
}

/** One side moved a file; the other side changed, deleted or replaced it, or put another file in its new place. */
async function followOne(workspace: Workspace, places: Places, old: Place, move: Move): Promise<boolean> {
  const other = otherSide(move.side);
  const target = openPlace(places, move.to);
  const moved = target?.files[move.side];
  if (!target || !moved) return false;
  target.movedFrom = { ...target.movedFrom, [move.side]: move.from };

  const isDeleted = onlyVersion(old.files) === 'base';
  const changed = old.files[other];
  if (!isDeleted && !changed) return false;
  const isTypeChanged = changed !== undefined && isRegular(changed) !== isRegular(moved);
  const isTaken = target.files[other] !== undefined && !isTypeChanged;

  if (isTaken && changed) {
    if (!isSameType(changed, moved)) return false;
    await mergeOntoAnother(workspace, old, target, move, changed, moved);
  } else if (isTaken) {
    markMovedAndDeleted(target, move);
  } else {
    target.files = { ...target.files, base: old.files.base };
    if (isTypeChanged) old.files = { ...old.files, base: undefined };
    else if (changed) target.files = { ...target.files, [other]: changed };
    else markMovedAndDeleted(target, move);
  }
  if (!isTypeChanged) old.settled = { item: undefined };
  return true;
}

/** The new path is taken on the other side: first carry the change over, then see whether the two files are one. */
async function mergeOntoAnother(
  workspace: Workspace,
  old: Place,
  target: Place,
  move: Move,
  changed: Item,
  moved: Item,
): Promise<void> {
  const [ours, theirs] = move.side === 'ours' ? [moved, changed] : [changed, moved];
  const merge = await mergeFile(workspace, old.files.base, ours, theirs);
  target.files = { ...target.files, [move.side]: merge.item };
  // Git does not look at the merged file again where both sides had put one and the same file here: of theirs the
  // change is lost, and of a conflict the markers may stay. It calls both clean.
  const isLost = target.agreement === 'same-on-both' && move.side === 'theirs' && merge.item.id !== moved.id;
  if (!merge.conflict && !isLost) return;
  target.conflict = 'moved-onto-another';
  target.related = [move.from];
}

function markMovedAndDeleted(target: Place, move: Move): void {
  target.conflict = 'moved-and-deleted';
  target.related = [move.from];
}

/** A file in place of a folder that the other side left alone: git before 2.55 crashes on it as it starts over. */
function isOntoUntouchedFolder(target: Place | undefined, move: Move): boolean {
  const folder = target?.trees.base;
  return folder !== undefined && folder === target?.trees[otherSide(move.side)];
}

function openPlace(places: Places, path: string): Place | undefined {
  const place = places.get(path);
  return place?.settled ? undefined : place;
}
