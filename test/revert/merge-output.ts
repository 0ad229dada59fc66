/**
 * What `git merge-tree --write-tree --stdin -z` prints, read back. Each record is `1 NUL tree NUL NUL` for a clean
 * merge; for a conflict `0 NUL tree NUL`, the unmerged files, an empty field, the messages with their paths and types,
 * and another empty field.
 */

/** What git said of one merge. */
export type GitMerge =
  | { kind: 'clean'; tree: string }
  /** `tree` holds what could be merged, and conflict markers. */
  | { kind: 'conflict'; tree: string; paths: readonly string[]; messages: readonly string[] }
  /** Git itself gave up on a failed assertion, which it does on a few merges. */
  | { kind: 'died'; stderr: string };

/** The complete records of an output, which may break off where git died. */
export function readMerges(output: Buffer): GitMerge[] {
  const fields = output.toString().split('\0');
  const merges: GitMerge[] = [];
  let at = 0;
  // What follows the last NUL is no field.
  const next = (): string => {
    if (at >= fields.length - 1) throw new BrokenOff();
    return fields[at++]!;
  };
  try {
    while (at < fields.length - 1) merges.push(readMerge(next));
  } catch (error) {
    if (!(error instanceof BrokenOff)) throw error;
  }
  return merges;
}

class BrokenOff extends Error {}

function readMerge(next: () => string): GitMerge {
  const isClean = next() === '1';
  const tree = next();
  if (isClean) {
    next();
    return { kind: 'clean', tree };
  }
  const paths = new Set<string>();
  for (let file = next(); file !== ''; file = next()) {
    paths.add(withoutBranch(file.replace(/^\d+ \w+ \d\t/, '')));
  }
  const messages: string[] = [];
  for (let count = next(); /^\d+$/.test(count); count = next()) {
    const involved = Array.from({ length: Number(count) }, next);
    const type = next();
    // Some folder conflicts leave no path unmerged: they are told in words alone.
    if (/unclear split|in way of directory|directory rename collision/.test(type)) paths.add(involved[0]!);
    messages.push(next().trim());
  }
  return { kind: 'conflict', tree, paths: [...paths].sort(), messages };
}

/** Git keeps both files of some conflicts by giving them the branch's name; the branches are commit ids here. */
function withoutBranch(path: string): string {
  return path.replace(/(~[0-9a-f]{40}(_\d+)?)+$/, '');
}
