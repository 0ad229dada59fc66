/**
 * A folder that one side moved while the other side added a file to it: should the new file move along? Git says so
 * and, as it is set up by default, asks a person; so it is a conflict here too. It matters all the same where exactly
 * the file would have gone, because other files may meet it there.
 * Rules: `collect_renames` and `apply_directory_rename_modifications` of git's merge-ort.
 */
import type { FolderCounts } from './folder-tally.ts';
import { emptyTreeId } from './objects.ts';
import type { Pairing } from './pair-moves.ts';
import {
  type ConflictReason,
  hasAny,
  onlyVersion,
  otherSide,
  type Place,
  parentOf,
  type Side,
  sides,
} from './places.ts';

/** A file that moved on one side. `from` equals the old place of an added file that only its folder's move concerns. */
export interface Move {
  side: Side;
  from: string;
  to: string;
}

export interface FolderConflict {
  path: string;
  why: ConflictReason;
  related: readonly string[];
}

/** Old folder → where it went as a whole. */
type FolderMoves = Map<string, string>;

/** New path → files that would all go there because their folders moved. */
type Landings = Map<string, { paths: Set<string>; isReported: boolean }>;

/**
 * The moves of both sides, with added files sent after their folders. Changes `places`, where such a file then stands
 * at its new path in conflict.
 */
export function applyFolderMoves(
  places: Map<string, Place>,
  pairings: Record<Side, Pairing>,
): { moves: Move[]; conflicts: FolderConflict[] } {
  const conflicts: FolderConflict[] = [];
  const folders = {
    ours: majorityMoves(pairings.ours.folderCounts, conflicts),
    theirs: majorityMoves(pairings.theirs.folderCounts, conflicts),
  };
  for (const folder of [...folders.ours.keys()].filter((folder) => folders.theirs.has(folder))) {
    folders.ours.delete(folder);
    folders.theirs.delete(folder);
  }
  const landings = {
    ours: landingsOf(pairings.ours, folders.theirs),
    theirs: landingsOf(pairings.theirs, folders.ours),
  };

  const moves: Move[] = [];
  for (const side of sides) {
    for (const { path, from } of pairings[side].arrivals) {
      const to = landingPath(places, path, side, folders, landings, conflicts);
      if (to !== undefined) relocate(places, path, to, side, conflicts);
      if (to !== undefined || from !== undefined) moves.push({ side, from: from ?? path, to: to ?? path });
    }
  }
  return { moves, conflicts };
}

/** Folders with one target that got more files than any other; a tie is a conflict. */
function majorityMoves(counts: FolderCounts, conflicts: FolderConflict[]): FolderMoves {
  const moves: FolderMoves = new Map();
  for (const [folder, targets] of counts) {
    const ranked = [...targets].sort(([, left], [, right]) => right - left);
    const [first, second] = ranked;
    if (!first) continue;
    if (second && second[1] === first[1]) {
      conflicts.push({ path: folder, why: 'folder-split', related: ranked.map(([target]) => target) });
    } else {
      moves.set(folder, first[0]);
    }
  }
  return moves;
}

function landingsOf(pairing: Pairing, otherFolders: FolderMoves): Landings {
  const landings: Landings = new Map();
  for (const { path } of pairing.arrivals) {
    const folder = movedFolderOf(path, otherFolders);
    if (folder === undefined) continue;
    const to = movedPath(path, folder, otherFolders.get(folder)!);
    const landing = landings.get(to) ?? { paths: new Set(), isReported: false };
    landing.paths.add(path);
    landings.set(to, landing);
  }
  return landings;
}

/** Where an arrival should go because the other side moved a folder around it; undefined when it stays. */
function landingPath(
  places: Map<string, Place>,
  path: string,
  side: Side,
  folders: Record<Side, FolderMoves>,
  landings: Record<Side, Landings>,
  conflicts: FolderConflict[],
): string | undefined {
  const other = otherSide(side);
  if (landings[other].has(path)) return undefined;
  const folder = movedFolderOf(path, folders[other]);
  if (folder === undefined) return undefined;
  const newFolder = folders[other].get(folder)!;
  // Our side moved that folder on, to somewhere else: following would end in the middle of nowhere.
  if (folders[side].has(newFolder)) return undefined;

  const to = movedPath(path, folder, newFolder);
  const landing = landings[side].get(to)!;
  if (!isInTheWay(places.get(to), side) && landing.paths.size === 1) return to;
  if (!landing.isReported) conflicts.push({ path: to, why: 'folder-moved', related: [...landing.paths] });
  landing.isReported = true;
  return undefined;
}

function movedFolderOf(path: string, folders: FolderMoves): string | undefined {
  for (let folder = parentOf(path); folder !== ''; folder = parentOf(folder)) {
    if (folders.has(folder)) return folder;
  }
  return undefined;
}

function movedPath(path: string, folder: string, newFolder: string): string {
  const rest = path.slice(folder.length + 1);
  return newFolder === '' ? rest : `${newFolder}/${rest}`;
}

function isInTheWay(place: Place | undefined, side: Side): boolean {
  if (!place) return false;
  return place.settled !== undefined || place.files[side] !== undefined || place.trees[side] !== undefined;
}

/** Moves the file of one side to another path, together with the folders that path needs. */
function relocate(
  places: Map<string, Place>,
  from: string,
  to: string,
  side: Side,
  conflicts: FolderConflict[],
): void {
  const place = places.get(from);
  if (!place || place.settled || onlyVersion(place.files) !== side) {
    conflicts.push({ path: from, why: 'unclear', related: [to] });
    return;
  }
  for (let folder = parentOf(to); folder !== '' && !places.has(folder); folder = parentOf(folder)) {
    places.set(folder, { path: folder, files: {}, trees: { [side]: emptyTreeId }, agreement: 'none' });
  }
  const item = place.files[side];
  if (hasAny(place.trees)) place.files = {};
  else places.delete(from);

  const target: Place = places.get(to) ?? { path: to, files: {}, trees: {}, agreement: 'none' };
  // Back to where a file of the base was: before 2.51 git may lose the file, cleanly.
  const isOldGround = target.files.base !== undefined;
  target.files = { ...target.files, [side]: item };
  target.movedFrom = { ...target.movedFrom, [side]: from };
  target.conflict = isOldGround ? 'unclear' : 'folder-moved';
  target.related = [from];
  places.set(to, target);
}
