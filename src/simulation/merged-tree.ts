/** The merge button in memory: whole files are merged, lines are not; that is all the people of the simulation need. */
import type { BareRepository } from '../sandbox/github/git/bare-repository.ts';
import { mergeBases } from '../sandbox/github/git/history.ts';
import { TREE_MODE, type TreeEntry } from '../sandbox/github/git/objects.ts';

/** The tree of both commits together; null when both changed one file differently. */
export function mergedTree(git: BareRepository, ours: string, theirs: string): string | null {
  const base = mergeBases(git, ours, theirs)[0];
  const [before, mine, other] = [base ?? '', ours, theirs].map((id) => git.commit(id)?.tree);
  if (before === undefined || mine === undefined || other === undefined) return null;
  return mergeTrees(git, before, mine, other);
}

function mergeTrees(git: BareRepository, base: string, ours: string, theirs: string): string | null {
  if (base === ours || ours === theirs) return theirs;
  if (base === theirs) return ours;
  const sides = [base, ours, theirs].map((id) => new Map((git.tree(id) ?? []).map((one) => [one.name, one])));
  const [before = new Map(), mine = new Map(), other = new Map()]: readonly Entries[] = sides;
  const entries: TreeEntry[] = [];
  for (const name of new Set([...before.keys(), ...mine.keys(), ...other.keys()])) {
    const merged = mergeEntry(git, before.get(name), mine.get(name), other.get(name));
    if (merged === null) return null;
    if (merged !== undefined) entries.push(merged);
  }
  return git.writeTree(entries);
}

type Entries = ReadonlyMap<string, TreeEntry>;

/** Undefined: it is gone. Null: both changed it. */
function mergeEntry(
  git: BareRepository,
  base: TreeEntry | undefined,
  ours: TreeEntry | undefined,
  theirs: TreeEntry | undefined,
): TreeEntry | undefined | null {
  if (base?.id === ours?.id || ours?.id === theirs?.id) return theirs;
  if (base?.id === theirs?.id) return ours;
  const isFolder = [base, ours, theirs].every((one) => one?.mode === TREE_MODE);
  if (!isFolder || base === undefined || ours === undefined || theirs === undefined) return null;
  const id = mergeTrees(git, base.id, ours.id, theirs.id);
  return id === null ? null : { ...ours, id };
}
