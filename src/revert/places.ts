/**
 * The words of a three-way merge of trees. A *place* is one path and what stands there in the three versions: `base`
 * (the tree of the suspect), `ours` (the branch as it is now, or the result so far) and `theirs` (the tree before the
 * suspect, which the revert goes back to). A *shift* is a file that came or went on one side.
 */
import type { Item } from './objects.ts';
import { isSameItem } from './objects.ts';

export type Side = 'ours' | 'theirs';
export type Version = 'base' | Side;

export const sides = ['ours', 'theirs'] as const;

export function otherSide(side: Side): Side {
  return side === 'ours' ? 'theirs' : 'ours';
}

/** Which two of the three versions have the same file, when two have. */
export type Agreement = 'none' | 'ours-unchanged' | 'theirs-unchanged' | 'same-on-both';

export interface Place {
  path: string;
  /** Files, symlinks and submodules that stand here. Following moved files adds and removes some. */
  files: Partial<Record<Version, Item>>;
  /** Folders that stand here, by tree id. */
  trees: Partial<Record<Version, string>>;
  /** As the trees were walked, before moved files were followed. */
  agreement: Agreement;
  /** The outcome, where it needs no look at the content; `item` is undefined where nothing stays. */
  settled?: { item: Item | undefined };
  /** Set when this place conflicts whatever its content is. */
  conflict?: ConflictReason;
  /** The other paths of that conflict. */
  related?: readonly string[];
  /** Where the file of a side was in the base, when it moved here. */
  movedFrom?: Partial<Record<Side, string>>;
}

export interface Shift {
  kind: 'added' | 'removed';
  path: string;
  item: Item;
}

/** Why a path cannot be merged. */
export type ConflictReason =
  /** Both sides changed the same lines, or lines that touch. */
  | 'same-lines'
  | 'binary'
  | 'symlink'
  | 'submodule'
  /** Executable on one side only, and both sides changed that. */
  | 'mode'
  /** A file on one side, a symlink or submodule on the other. */
  | 'type'
  | 'changed-and-deleted'
  | 'added-twice'
  | 'moved-twice'
  | 'moved-and-deleted'
  | 'moved-onto-another'
  | 'file-and-folder'
  /** A file was added to a folder that the other side moved away. */
  | 'folder-moved'
  /** A folder's files went to several places, none of which has most of them. */
  | 'folder-split'
  /** Git's answer depends on a guess, or on its version. */
  | 'unclear'
  /** Too large to merge by lines. */
  | 'too-large'
  | 'conflict-markers'
  | 'broken-yaml';

export interface PathConflict {
  path: string;
  why: ConflictReason;
  /** What happened to the path since the suspect (`later`) and what the revert would do to it (`revert`). */
  later: SideChange;
  revert: SideChange;
  /** Other paths of the same conflict, such as the places a file was moved to. */
  related: readonly string[];
}

export type SideChange = 'unchanged' | 'changed' | 'added' | 'deleted' | 'moved';

export function parentOf(path: string): string {
  const slash = path.lastIndexOf('/');
  return slash < 0 ? '' : path.slice(0, slash);
}

export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

export function joinPath(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}

export function agreementOf(files: Place['files']): Agreement {
  if (files.base && isSameItem(files.base, files.ours)) return 'ours-unchanged';
  if (files.base && isSameItem(files.base, files.theirs)) return 'theirs-unchanged';
  if (files.ours && isSameItem(files.ours, files.theirs)) return 'same-on-both';
  return 'none';
}

export function hasAny(versions: Partial<Record<Version, unknown>>): boolean {
  return versions.base !== undefined || versions.ours !== undefined || versions.theirs !== undefined;
}

/** The only version there is, when there is just one. */
export function onlyVersion(versions: Partial<Record<Version, unknown>>): Version | undefined {
  const present = (['base', 'ours', 'theirs'] as const).filter((version) => versions[version] !== undefined);
  return present.length === 1 ? present[0] : undefined;
}
