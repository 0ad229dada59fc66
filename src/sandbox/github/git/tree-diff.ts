/** What changed between two trees, file by file, as GitHub lists it in commits, comparisons and pull requests. */
import { isUtf8 } from 'node:buffer';
import type { BareRepository } from './bare-repository.ts';
import { diffLines, type LineDifference } from './line-diff.ts';
import { SUBMODULE_MODE, TREE_MODE } from './objects.ts';
import { listRecursive, type PathEntry } from './tree-walk.ts';

/** One side of a change is missing when the file was added or removed. `changed` is a change of mode alone. */
export type FileChange = {
  path: string;
  previousPath?: string;
  status: 'added' | 'removed' | 'modified' | 'renamed' | 'changed';
  before?: { mode: string; id: string };
  after?: { mode: string; id: string };
};

export type FileChangeWithLines = FileChange & LineDifference;

/** Above this many bytes a file gets no patch, as at GitHub. */
const PATCH_BYTES_MAX = 512 * 1024;

/** The files that differ between two trees, in the order of their paths, renames found. */
export function changedFiles(git: BareRepository, before: string, after: string): FileChange[] {
  return git.once(`files ${before} ${after}`, () => {
    const changes: FileChange[] = [];
    collect(git, before, after, '', changes);
    return pairRenames(git, before, after, changes).sort((a, b) => (a.path < b.path ? -1 : 1));
  });
}

/** The same with the lines added and taken away, and the patch where the file is small text. */
export function changedFilesWithLines(
  git: BareRepository,
  before: string,
  after: string,
): FileChangeWithLines[] {
  return git.once(`lines ${before} ${after}`, () =>
    changedFiles(git, before, after).map((change) => ({ ...change, ...linesOf(git, change) })),
  );
}

function collect(
  git: BareRepository,
  before: string,
  after: string,
  prefix: string,
  changes: FileChange[],
): void {
  if (before === after) return;
  const old = new Map((git.tree(before) ?? []).map((entry) => [entry.name, entry]));
  for (const entry of git.tree(after) ?? []) {
    const was = old.get(entry.name);
    old.delete(entry.name);
    if (was?.id === entry.id && was.mode === entry.mode) continue;
    const path = prefix + entry.name;
    if (was?.mode === TREE_MODE && entry.mode === TREE_MODE) {
      collect(git, was.id, entry.id, `${path}/`, changes);
    } else if (was !== undefined && was.mode !== TREE_MODE && entry.mode !== TREE_MODE) {
      const status = was.id === entry.id ? 'changed' : 'modified';
      changes.push({ path, status, before: sideOf(was), after: sideOf(entry) });
    } else {
      if (was !== undefined) changes.push(...whole(git, { ...was, path }, 'removed'));
      changes.push(...whole(git, { ...entry, path }, 'added'));
    }
  }
  for (const entry of old.values()) {
    changes.push(...whole(git, { ...entry, path: prefix + entry.name }, 'removed'));
  }
}

function whole(git: BareRepository, entry: PathEntry, status: 'added' | 'removed'): FileChange[] {
  const files = entry.mode === TREE_MODE ? listRecursive(git, entry.id, `${entry.path}/`) : [entry];
  return files
    .filter((file) => file.mode !== TREE_MODE)
    .map((file) => ({
      path: file.path,
      status,
      [status === 'added' ? 'after' : 'before']: sideOf(file),
    }));
}

function sideOf(entry: { mode: string; id: string }): { mode: string; id: string } {
  return { mode: entry.mode, id: entry.id };
}

/** Joins a removal and an addition to a rename where git does; only git knows how alike two files are. */
function pairRenames(
  git: BareRepository,
  before: string,
  after: string,
  changes: FileChange[],
): FileChange[] {
  const removed = changes.filter((change) => change.status === 'removed');
  if (removed.length === 0 || !changes.some((change) => change.status === 'added')) return changes;
  const raw = git
    .git(['diff-tree', '-r', '-M', '--raw', '-z', '--no-abbrev', before, after])
    .toString('utf8');
  const fields = raw.split('\0');
  const renames = new Map<string, string>();
  for (let i = 0; i < fields.length - 1; ) {
    const renamed = /^:.* R\d+$/.test(fields[i] as string);
    if (renamed) renames.set(fields[i + 2] as string, fields[i + 1] as string);
    i += renamed ? 3 : 2;
  }
  const gone = new Set(renames.values());
  return changes
    .filter((change) => change.status !== 'removed' || !gone.has(change.path))
    .map((change) => {
      const previousPath = change.status === 'added' ? renames.get(change.path) : undefined;
      const was = removed.find((one) => one.path === previousPath);
      return previousPath === undefined
        ? change
        : { ...change, previousPath, status: 'renamed', before: was?.before };
    });
}

function linesOf(git: BareRepository, change: FileChange): LineDifference {
  const before = contentOf(git, change.before);
  const after = contentOf(git, change.after);
  if (before.equals(after)) return { additions: 0, deletions: 0 };
  if (isBinary(before) || isBinary(after)) return { additions: 0, deletions: 0 };
  const lines = diffLines(before.toString('utf8'), after.toString('utf8'));
  return Math.max(before.length, after.length) > PATCH_BYTES_MAX ? { ...lines, patch: undefined } : lines;
}

function contentOf(git: BareRepository, side: { mode: string; id: string } | undefined): Buffer {
  if (side === undefined) return Buffer.alloc(0);
  if (side.mode === SUBMODULE_MODE) return Buffer.from(`Subproject commit ${side.id}\n`);
  return git.blob(side.id) ?? Buffer.alloc(0);
}

/** git's own test: a NUL among the first 8,000 bytes. What is not UTF-8 is shown without lines as well. */
function isBinary(content: Buffer): boolean {
  return content.subarray(0, 8_000).includes(0) || !isUtf8(content);
}
