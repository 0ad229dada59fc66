/**
 * Names of git objects computed here, in memory. They let the engine treat a tree that nobody has written yet
 * like any other, compare it by id, and tell the caller which tree id the forge must answer with.
 * Format: https://git-scm.com/book/en/v2/Git-Internals-Git-Objects
 */
import { createHash } from 'node:crypto';
import type { TreeEntry } from '../ports.ts';

/** Id of a blob with these bytes. */
export function blobId(content: Uint8Array): string {
  return objectId('blob', content);
}

/** Id of a tree with these entries, which may come in any order. */
export function treeId(entries: readonly TreeEntry[]): string {
  const parts = sortedAsInGit(entries).map((entry) => {
    // Git writes the mode of a folder without its leading zero.
    const head = `${entry.mode === '040000' ? '40000' : entry.mode} ${entry.name}\0`;
    return Buffer.concat([Buffer.from(head), Buffer.from(entry.id, 'hex')]);
  });
  return objectId('tree', Buffer.concat(parts));
}

/** Entries in the order of a tree object: by bytes, a folder as if its name ended in a slash. */
export function sortedAsInGit<Entry extends TreeEntry>(entries: readonly Entry[]): Entry[] {
  return entries
    .map((entry) => ({ entry, key: Buffer.from(entry.mode === '040000' ? `${entry.name}/` : entry.name) }))
    .sort((left, right) => Buffer.compare(left.key, right.key))
    .map(({ entry }) => entry);
}

/** Order of paths and names by their UTF-8 bytes, as `strcmp` gives it. */
export function compareBytes(left: string, right: string): number {
  return left === right ? 0 : Buffer.compare(Buffer.from(left), Buffer.from(right));
}

function objectId(type: 'blob' | 'tree', content: Uint8Array): string {
  return createHash('sha1').update(`${type} ${content.length}\0`).update(content).digest('hex');
}
