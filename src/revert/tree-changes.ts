/**
 * What to write over the head's tree to get the merged one, in the words of GitHub's `POST git/trees`: existing
 * blobs, submodules and whole folders by id, merged files by content, deleted files by name. A folder that goes is
 * deleted file by file, and a file that gives way to a folder (or the other way round) is deleted first, so that
 * nothing hangs on how a forge reads such a pair. Deletions come first, each part in the order of the paths.
 */
import type { TreeChange, TreeEntry } from '../ports.ts';
import { compareBytes } from './object-ids.ts';
import { type Item, isSameItem, isTree, ObjectProblem } from './objects.ts';
import { joinPath } from './places.ts';
import type { Workspace } from './workspace.ts';

/** Changes that turn `head` into `result`, both tree ids. Throws `ObjectProblem`. */
export async function changesBetween(
  workspace: Workspace,
  head: string,
  result: string,
): Promise<TreeChange[]> {
  const changes = await folderChanges(workspace, '', head, result);
  const isDeletion = (change: TreeChange) => ('deleted' in change ? 0 : 1);
  return changes.sort(
    (left, right) => isDeletion(left) - isDeletion(right) || compareBytes(left.path, right.path),
  );
}

async function folderChanges(
  workspace: Workspace,
  folder: string,
  head: string | undefined,
  result: string,
): Promise<TreeChange[]> {
  const [before, after] = await Promise.all([
    head === undefined ? [] : workspace.readTree(head),
    workspace.readTree(result),
  ]);
  const namesAfter = new Map(after.map((entry) => [entry.name, entry]));
  const namesBefore = new Map(before.map((entry) => [entry.name, entry]));
  const parts = [
    ...before
      .filter((entry) => isTree(entry) !== isTree(namesAfter.get(entry.name)) || !namesAfter.has(entry.name))
      .map((entry) => deletions(workspace, joinPath(folder, entry.name), entry)),
    ...after
      .filter((entry) => !isSameItem(entry, namesBefore.get(entry.name)))
      .map((entry) => entryChanges(workspace, folder, namesBefore.get(entry.name), entry)),
  ];
  return (await Promise.all(parts)).flat();
}

async function entryChanges(
  workspace: Workspace,
  folder: string,
  before: Item | undefined,
  entry: TreeEntry,
): Promise<TreeChange[]> {
  const path = joinPath(folder, entry.name);
  if (isTree(entry) && workspace.isMadeTree(entry.id)) {
    return folderChanges(workspace, path, isTree(before) ? before?.id : undefined, entry.id);
  }
  const made = isTree(entry) ? undefined : workspace.madeBlob(entry.id);
  return [
    made ? { path, mode: entry.mode, content: made.content } : { path, mode: entry.mode, id: entry.id },
  ];
}

async function deletions(workspace: Workspace, path: string, item: Item): Promise<TreeChange[]> {
  if (!isTree(item)) return [{ path, deleted: true }];
  if (path.split('/').length > workspace.limits.depthMax) {
    throw new ObjectProblem('too-deep', item.id, `The folder ${path} lies too deep to be deleted.`);
  }
  const entries = await workspace.readTree(item.id);
  const parts = entries.map((entry) => deletions(workspace, joinPath(path, entry.name), entry));
  return (await Promise.all(parts)).flat();
}
