/** Looking into trees: the entry at a path, everything beneath a tree, and a new tree from a list of edits. */
import type { BareRepository } from './bare-repository.ts';
import { TREE_MODE, type TreeEntry } from './objects.ts';

/** An entry with its whole path from the root, slashes between the parts. */
export type PathEntry = { path: string; mode: string; id: string };

/** What to put at a path: an entry, or null to take away what is there. */
export type Edit = { mode: string; id: string } | null;

/** The entry at a path, or undefined. The empty path is the tree itself. */
export function entryAt(git: BareRepository, treeId: string, path: string): TreeEntry | undefined {
  let entry: TreeEntry = { mode: TREE_MODE, name: '', id: treeId };
  for (const name of path.split('/').filter((part) => part !== '')) {
    if (entry.mode !== TREE_MODE) return undefined;
    const next = git.tree(entry.id)?.find((one) => one.name === name);
    if (next === undefined) return undefined;
    entry = next;
  }
  return entry;
}

/** Every entry beneath a tree, folders before what they hold, in git's order: what `?recursive=1` lists. */
export function listRecursive(git: BareRepository, treeId: string, prefix = ''): PathEntry[] {
  const found: PathEntry[] = [];
  for (const { mode, name, id } of git.tree(treeId) ?? []) {
    const path = prefix + name;
    found.push({ path, mode, id });
    if (mode === TREE_MODE) found.push(...listRecursive(git, id, `${path}/`));
  }
  return found;
}

/**
 * The id of the tree that results from edits to `treeId` (undefined: from nothing). Folders are made as needed
 * and vanish when they are empty; a file gives way to a folder of its name and the other way round.
 * `git` writes the new trees.
 */
export function editTree(
  git: BareRepository,
  treeId: string | undefined,
  edits: ReadonlyMap<string, Edit>,
): string {
  const entries = new Map(
    (treeId === undefined ? [] : (git.tree(treeId) ?? [])).map((one) => [one.name, one]),
  );
  const beneath = new Map<string, Map<string, Edit>>();
  for (const [path, edit] of edits) {
    const slash = path.indexOf('/');
    if (slash < 0) {
      if (edit === null) entries.delete(path);
      else entries.set(path, { name: path, ...edit });
      continue;
    }
    const name = path.slice(0, slash);
    const inner = beneath.get(name) ?? new Map<string, Edit>();
    beneath.set(name, inner.set(path.slice(slash + 1), edit));
  }
  for (const [name, inner] of beneath) {
    const before = entries.get(name);
    const id = editTree(git, before?.mode === TREE_MODE ? before.id : undefined, inner);
    if ((git.tree(id) ?? []).length === 0) {
      if (before === undefined || before.mode === TREE_MODE) entries.delete(name);
    } else entries.set(name, { mode: TREE_MODE, name, id });
  }
  return git.writeTree([...entries.values()]);
}
