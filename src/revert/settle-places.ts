/**
 * The last step of a merge: every place gets its outcome, folder by folder, and the folders become trees. A folder
 * that ends up empty is not there; a file and a folder of one name conflict only if both stay.
 * Rules: `process_entry` of git's merge-ort.
 */
import type { TreeEntry } from '../ports.ts';
import { isSameType, mergeFile } from './merge-file.ts';
import type { Item } from './objects.ts';
import {
  type ConflictReason,
  hasAny,
  nameOf,
  type PathConflict,
  type Place,
  parentOf,
  type Side,
  type SideChange,
} from './places.ts';
import type { Workspace } from './workspace.ts';

/** Outcome of the file at a place: what stays, if anything, and why it cannot be decided. */
interface Outcome {
  item: Item | undefined;
  conflict?: ConflictReason;
}

/** Merges all places into one tree, held in the workspace. The tree means nothing when there are conflicts. */
export async function settlePlaces(
  workspace: Workspace,
  places: ReadonlyMap<string, Place>,
): Promise<{ root: string; conflicts: PathConflict[] }> {
  const children = Map.groupBy(places.values(), (place) => parentOf(place.path));
  const conflicts: PathConflict[] = [];

  const settleFolder = async (folder: string): Promise<TreeEntry[]> => {
    const settled = await Promise.all((children.get(folder) ?? []).map(settle));
    return settled.flatMap((entry) => (entry ? [entry] : []));
  };

  const settle = async (place: Place): Promise<TreeEntry | undefined> => {
    // A file sent after its folder may lie below a path that is a file; that is a conflict down there.
    const below = await settleFolder(place.path);
    const name = nameOf(place.path);
    const isFolder = below.length > 0 && hasAny(place.trees) && !isTakenWhole(place);
    const folder: TreeEntry | undefined = isFolder
      ? { name, mode: '040000', id: workspace.makeTree(below) }
      : undefined;
    const outcome = await settleFile(workspace, place, folder !== undefined);
    if (outcome.conflict) conflicts.push(conflictAt(place, outcome.conflict));
    return folder ?? (outcome.item && { name, ...outcome.item });
  };

  const root = workspace.makeTree(await settleFolder(''));
  return { root, conflicts };
}

/** A folder that one side left alone comes from the other side as it is, without a look inside. */
function isTakenWhole(place: Place): boolean {
  return place.settled !== undefined && place.settled.item !== undefined;
}

async function settleFile(workspace: Workspace, place: Place, isFolderHere: boolean): Promise<Outcome> {
  const { files, agreement } = place;
  if (place.settled) return place.settled;
  if (!hasAny(files)) return { item: undefined };
  if (isFolderHere && !files.ours && !files.theirs) return { item: undefined };
  const forced = isFolderHere ? 'file-and-folder' : place.conflict;

  if (agreement === 'same-on-both') return { item: files.ours, conflict: forced };
  if (agreement !== 'none') {
    const item = agreement === 'ours-unchanged' ? files.theirs : files.ours;
    return { item, conflict: item && forced };
  }
  if (files.ours && files.theirs) {
    if (!isSameType(files.ours, files.theirs)) return { item: undefined, conflict: 'type' };
    const merge = await mergeFile(workspace, files.base, files.ours, files.theirs);
    return { item: merge.item, conflict: forced ?? merge.conflict };
  }
  const one = files.ours ?? files.theirs;
  if (files.base && one) return { item: one, conflict: forced ?? 'changed-and-deleted' };
  return { item: one, conflict: forced };
}

/** A conflict at a place, with what either side did there. */
export function conflictAt(place: Place, why: ConflictReason): PathConflict {
  return {
    path: place.path,
    why,
    later: changeOf(place, 'ours'),
    revert: changeOf(place, 'theirs'),
    related: place.related ?? [],
  };
}

function changeOf(place: Place, side: Side): SideChange {
  const base = place.files.base ?? place.trees.base;
  const item = place.files[side] ?? place.trees[side];
  if (place.movedFrom?.[side] !== undefined) return 'moved';
  if (item === undefined) return base === undefined ? 'unchanged' : 'deleted';
  if (base === undefined) return 'added';
  return JSON.stringify(base) === JSON.stringify(item) ? 'unchanged' : 'changed';
}
