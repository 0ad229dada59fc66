/**
 * Questions about history that GitHub answers: who is whose ancestor, what is new between two commits, which
 * commits touched a path. They work on parsed commits in memory; the order is that of `git log --date-order`,
 * so that children come before their parents even when a clock stands still.
 */
import type { BareRepository } from './bare-repository.ts';
import type { Commit } from './objects.ts';
import { entryAt } from './tree-walk.ts';

/** Every commit reachable from these, themselves included. */
export function ancestors(git: BareRepository, from: Iterable<string>): Set<string> {
  const seen = new Set<string>();
  const queue = [...from];
  for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
    const commit = seen.has(id) ? undefined : git.commit(id);
    if (commit === undefined) continue;
    seen.add(id);
    queue.push(...commit.parents);
  }
  return seen;
}

/** True when `descendant` holds `ancestor` (or is it). */
export function isAncestor(git: BareRepository, ancestor: string, descendant: string): boolean {
  return ancestor === descendant || ancestors(git, [descendant]).has(ancestor);
}

/** The best common ancestors of two commits, as `git merge-base --all`; empty when their histories never met. */
export function mergeBases(git: BareRepository, a: string, b: string): string[] {
  if (a === b) return [a];
  const ofA = ancestors(git, [a]);
  if (ofA.has(b)) return [b];
  const ofB = ancestors(git, [b]);
  if (ofB.has(a)) return [a];
  const common = new Set([...ofA].filter((id) => ofB.has(id)));
  const beneath = ancestors(
    git,
    [...common].flatMap((id) => git.commit(id)?.parents ?? []),
  );
  return [...common].filter((id) => !beneath.has(id));
}

/** Commits that `heads` hold and `without` do not, newest first, children before parents. */
export function range(git: BareRepository, without: readonly string[], heads: readonly string[]): string[] {
  const old = ancestors(git, without);
  const fresh = [...ancestors(git, heads)].filter((id) => !old.has(id));
  return newestFirst(git, fresh);
}

/**
 * Commits reachable from `head` that changed `path`, newest first, with git's own simplification: where a
 * commit has the path just as one of its parents, only that parent is followed.
 */
export function touching(git: BareRepository, head: string, path: string): string[] {
  const shown: string[] = [];
  const seen = new Set<string>();
  const queue = [head];
  for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
    const commit = seen.has(id) ? undefined : git.commit(id);
    if (commit === undefined) continue;
    seen.add(id);
    const here = entryKey(git, commit, path);
    const same = commit.parents.find((parent) => entryKey(git, git.commit(parent), path) === here);
    if (same !== undefined) {
      queue.push(same);
      continue;
    }
    if (here !== '' || commit.parents.length > 0) shown.push(id);
    queue.push(...commit.parents);
  }
  return newestFirst(git, shown);
}

/** Puts commits in the order of `git log --date-order`: by committer date, never a parent before its child. */
function newestFirst(git: BareRepository, ids: readonly string[]): string[] {
  const children = new Map<string, number>(ids.map((id) => [id, 0]));
  const above = reachableParents(git, ids);
  for (const parents of above.values()) {
    for (const parent of parents) children.set(parent, (children.get(parent) ?? 0) + 1);
  }
  const seconds = (id: string) => git.commit(id)?.committer.seconds ?? 0;
  const ready = ids.filter((id) => children.get(id) === 0);
  const ordered: string[] = [];
  while (ready.length > 0) {
    let best = 0;
    for (let i = 1; i < ready.length; i++) {
      if (seconds(ready[i] as string) > seconds(ready[best] as string)) best = i;
    }
    const [id] = ready.splice(best, 1) as [string];
    ordered.push(id);
    for (const parent of above.get(id) ?? []) {
      const left = (children.get(parent) ?? 0) - 1;
      children.set(parent, left);
      if (left === 0) ready.push(parent);
    }
  }
  return ordered;
}

/** For each of `ids`, which others of them lie next beneath it, also through commits that are not among them. */
function reachableParents(git: BareRepository, ids: readonly string[]): Map<string, string[]> {
  const wanted = new Set(ids);
  const edges = new Map<string, string[]>();
  for (const id of ids) {
    const found = new Set<string>();
    const seen = new Set<string>();
    const queue = [...(git.commit(id)?.parents ?? [])];
    for (let parent = queue.pop(); parent !== undefined; parent = queue.pop()) {
      if (seen.has(parent)) continue;
      seen.add(parent);
      if (wanted.has(parent)) found.add(parent);
      else queue.push(...(git.commit(parent)?.parents ?? []));
    }
    edges.set(id, [...found]);
  }
  return edges;
}

function entryKey(git: BareRepository, commit: Commit | undefined, path: string): string {
  const entry = commit === undefined ? undefined : entryAt(git, commit.tree, path);
  return entry === undefined ? '' : `${entry.mode} ${entry.id}`;
}
