/**
 * The objects of one plan: those of the repository, read at most once each and checked, and those that the merge
 * made, held in memory under the id that git would give them. A merge of several suspects therefore runs on trees
 * that exist nowhere yet, with the same code as on trees that do.
 */
import type { TreeEntry } from '../ports.ts';
import { blobId, sortedAsInGit, treeId } from './object-ids.ts';
import {
  emptyTreeId,
  type GitObjects,
  type Item,
  isTree,
  ObjectProblem,
  type RevertLimits,
} from './objects.ts';

const objectIdShape = /^[0-9a-f]{40}$/;
const entryModes = new Set<string>(['100644', '100755', '120000', '160000', '040000']);

export class Workspace {
  readonly limits: RevertLimits;
  readonly #objects: GitObjects;
  readonly #trees = new Map<string, Promise<readonly TreeEntry[]>>();
  readonly #blobs = new Map<string, Promise<Uint8Array>>();
  readonly #madeTrees = new Map<string, readonly TreeEntry[]>();
  readonly #madeBlobs = new Map<string, { content: Uint8Array; madeFrom: string }>();

  constructor(objects: GitObjects, limits: RevertLimits) {
    this.#objects = objects;
    this.limits = limits;
  }

  /**
   * Entries of a tree in git's order; none for the empty tree. Throws `ObjectProblem` for a tree that is not what
   * its id says (a cut list, a mangled name) or has names that cannot be one segment of a path.
   */
  readTree(id: string): Promise<readonly TreeEntry[]> {
    const made = this.#madeTrees.get(id);
    if (made) return Promise.resolve(made);
    if (id === emptyTreeId) return Promise.resolve([]);
    let read = this.#trees.get(id);
    if (!read) {
      if (this.#trees.size >= this.limits.treesMax) return Promise.reject(tooMany(id, 'trees'));
      read = this.#objects.readTree(id).then((entries) => checkedTree(id, entries));
      this.#trees.set(id, read);
    }
    return read;
  }

  /** Bytes of a blob. Throws `ObjectProblem` when it is not what its id says or is over the limit. */
  readBlob(id: string): Promise<Uint8Array> {
    const made = this.#madeBlobs.get(id);
    if (made) return Promise.resolve(made.content);
    let read = this.#blobs.get(id);
    if (!read) {
      if (this.#blobs.size >= this.limits.blobsMax) return Promise.reject(tooMany(id, 'blobs'));
      read = this.#objects.readBlob(id).then((content) => this.#checkedBlob(id, content));
      this.#blobs.set(id, read);
    }
    return read;
  }

  /** The entry of one name, or undefined. */
  async readEntry(tree: string | undefined, name: string): Promise<Item | undefined> {
    if (tree === undefined) return undefined;
    return (await this.readTree(tree)).find((entry) => entry.name === name);
  }

  /** What stands at a path below a tree, or undefined. */
  async readPath(tree: string, path: string): Promise<Item | undefined> {
    let item: Item | undefined = { mode: '040000', id: tree };
    for (const segment of path.split('/')) {
      if (!item || !isTree(item)) return undefined;
      item = await this.readEntry(item.id, segment);
    }
    return item;
  }

  /** Keeps a tree in memory and gives its id. */
  makeTree(entries: readonly TreeEntry[]): string {
    const id = treeId(entries);
    if (!this.#trees.has(id)) this.#madeTrees.set(id, sortedAsInGit(entries));
    return id;
  }

  /** Keeps a merged blob in memory and gives its id. `ours` is the blob that the merge changed. */
  makeBlob(content: Uint8Array, ours: string): string {
    const id = blobId(content);
    if (this.#blobs.has(id)) return id;
    this.#madeBlobs.set(id, { content, madeFrom: this.#madeBlobs.get(ours)?.madeFrom ?? ours });
    return id;
  }

  isMadeTree(id: string): boolean {
    return this.#madeTrees.has(id);
  }

  /** Content of a blob that the merge made, and the stored blob it grew from; undefined for a stored blob. */
  madeBlob(id: string): { content: Uint8Array; madeFrom: string } | undefined {
    return this.#madeBlobs.get(id);
  }

  /** The stored blob that merged content grew from. */
  originOf(content: Uint8Array): string | undefined {
    return this.#madeBlobs.get(blobId(content))?.madeFrom;
  }

  #checkedBlob(id: string, content: Uint8Array): Uint8Array {
    if (content.length > this.limits.blobBytesMax) {
      throw new ObjectProblem(
        'too-large',
        id,
        `Blob ${id} has ${content.length} bytes; only files up to ${this.limits.blobBytesMax} bytes are merged.`,
      );
    }
    if (blobId(content) !== id) throw broken(id, 'blob');
    return content;
  }
}

function checkedTree(id: string, entries: readonly TreeEntry[]): readonly TreeEntry[] {
  const names = new Set<string>();
  for (const entry of entries) {
    const isSound =
      entry.name !== '' &&
      entry.name !== '.' &&
      entry.name !== '..' &&
      !/[/\0]/.test(entry.name) &&
      !names.has(entry.name) &&
      entryModes.has(entry.mode) &&
      objectIdShape.test(entry.id);
    if (!isSound) throw broken(id, 'tree');
    names.add(entry.name);
  }
  if (treeId(entries) !== id) throw broken(id, 'tree');
  return sortedAsInGit(entries);
}

function broken(id: string, type: 'tree' | 'blob'): ObjectProblem {
  return new ObjectProblem(
    'broken',
    id,
    `The ${type} ${id} does not have the content its id stands for, so nothing is written; revert by hand.`,
  );
}

function tooMany(id: string, what: string): ObjectProblem {
  return new ObjectProblem(
    'too-many',
    id,
    `This revert needs more ${what} than may be read for one plan; revert by hand.`,
  );
}
