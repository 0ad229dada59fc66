/**
 * What the revert engine reads: git trees and blobs, by id, through a port of two functions. It never writes;
 * the plan it returns says what to write. An object that is missing, broken or beyond a limit is an
 * `ObjectProblem`, so that a bad or hostile repository ends in a sentence and never in a wrong tree.
 */
import type { EntryMode, TreeEntry } from '../ports.ts';

/**
 * Reads of one repository. `readTree` gives the entries of one tree in any order, `readBlob` the bytes of a blob.
 * Both throw `ObjectProblem` when the repository has no such object or it is too large, and whatever they like
 * when the network fails: that passes through the engine unchanged.
 */
export interface GitObjects {
  readTree(treeId: string): Promise<readonly TreeEntry[]>;
  readBlob(blobId: string): Promise<Uint8Array>;
}

/** A commit on the first-parent line of the branch, with its tree and that of its first parent. */
export interface CommitTrees {
  commit: string;
  tree: string;
  firstParentTree: string;
}

/** What stands at a path in one version: mode and id of a file, symlink, submodule or tree. */
export interface Item {
  mode: EntryMode;
  id: string;
}

export type ObjectProblemReason = 'missing' | 'broken' | 'too-large' | 'too-deep' | 'too-many';

/** An object that cannot be used. Permanent: the same read will fail again. */
export class ObjectProblem extends Error {
  readonly reason: ObjectProblemReason;
  readonly objectId: string;

  constructor(reason: ObjectProblemReason, objectId: string, message: string) {
    super(message);
    this.name = 'ObjectProblem';
    this.reason = reason;
    this.objectId = objectId;
  }
}

/** How much one plan may read, in the worst case. Beyond it the plan is refused, not cut short. */
export interface RevertLimits {
  /** Folders inside one another. */
  depthMax: number;
  treesMax: number;
  blobsMax: number;
  /** A larger blob is still taken whole, but neither merged by lines nor compared. */
  blobBytesMax: number;
  /** Lines looked at when files that went are compared with files that came. */
  linesComparedMax: number;
}

export const usualLimits: RevertLimits = {
  depthMax: 100,
  treesMax: 5_000,
  blobsMax: 2_000,
  blobBytesMax: 5_000_000,
  linesComparedMax: 20_000_000,
};

/** Git's empty tree, which exists in every repository without being written. */
export const emptyTreeId = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';

/** Git's empty blob, which is never taken for a moved file. */
export const emptyBlobId = 'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391';

export function isTree(item: Item | undefined): boolean {
  return item?.mode === '040000';
}

/** Ordinary files, executable or not; the only entries whose content is merged. */
export function isRegular(item: Item | undefined): boolean {
  return item?.mode === '100644' || item?.mode === '100755';
}

export function isSameItem(left: Item | undefined, right: Item | undefined): boolean {
  return left?.mode === right?.mode && left?.id === right?.id;
}
