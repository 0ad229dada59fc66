/**
 * Makes up histories of a repository: a first commit with a handful of files of every kind, and then people who edit,
 * add, delete, move, swap and break things, mostly near each other. What is taken back, and what landed in between,
 * is drawn as well. The same seed gives the same history.
 */
import type { LabTree } from './git-lab.ts';
import { type Draft, edits, firstFiles } from './history-edits.ts';
import { Random } from './random.ts';

export interface History {
  seed: number;
  /** Every commit, oldest first; `parents` are indices, the first one is the first parent. */
  commits: readonly { tree: LabTree; parents: readonly number[]; did: string }[];
  /** Commits to take back, newest first, by index. */
  suspects: readonly number[];
  head: number;
  /** All suspects are taken back by one merge with the commit before the oldest. */
  isWholeRange: boolean;
}

/** One history of the given seed. */
export function makeHistory(seed: number): History {
  const random = new Random(seed);
  const style = random.weighted({ ordinary: 3, crowded: 1 });
  const commits: { tree: LabTree; parents: number[]; did: string }[] = [
    { tree: firstFiles(random, style), parents: [], did: 'begin' },
  ];
  // Indices of the commits on the first-parent line.
  const line = [0];
  const length = random.between(2, 6);
  const hot: string[] = [];
  while (line.length <= length) {
    const parent = line.at(-1)!;
    const kind = random.weighted({ single: 10, squash: 4, merge: 3, undo: 1 });
    const before = commits[parent]!.tree;
    if (kind === 'undo' && line.length > 2) {
      // Somebody reverts an earlier commit by hand, whole.
      const back = commits[random.pick(line.slice(0, -1))]!;
      commits.push({ tree: back.tree, parents: [parent], did: 'undo' });
    } else {
      const draft: Draft = { files: new Map(before), hot, style };
      const count = kind === 'single' ? random.between(1, 2) : random.between(2, 6);
      const did = Array.from({ length: count }, () => edits.apply(random, draft)).join('+');
      const parents = [parent];
      if (kind === 'merge') {
        // The branch that is merged; its own commits do not matter to the first-parent line.
        commits.push({ tree: draft.files, parents: [random.pick(line)], did: `branch ${did}` });
        parents.push(commits.length - 1);
        if (random.chance(0.3)) edits.apply(random, draft);
      }
      commits.push({ tree: new Map(draft.files), parents, did: kind === 'merge' ? `merge ${did}` : did });
    }
    line.push(commits.length - 1);
  }
  return { seed, commits, head: line.at(-1)!, ...drawSuspects(random, line) };
}

function drawSuspects(random: Random, line: readonly number[]): Pick<History, 'suspects' | 'isWholeRange'> {
  const candidates = line.slice(1);
  const kind = random.weighted({ one: 10, some: 7, run: 3, range: 2, head: 1 });
  if (kind === 'head') return { suspects: [candidates.at(-1)!], isWholeRange: false };
  // Something lands after the suspects, or there is little to merge.
  const earlier = candidates.length > 1 ? candidates.slice(0, -1) : candidates;
  if (kind === 'one') return { suspects: [random.pick(earlier)], isWholeRange: false };
  if (kind === 'some') {
    const chosen = earlier.filter(() => random.chance(0.6));
    return { suspects: chosen.length > 0 ? chosen.reverse() : [earlier[0]!], isWholeRange: false };
  }
  const first = random.below(earlier.length);
  const last = random.between(first, earlier.length - 1);
  return { suspects: earlier.slice(first, last + 1).reverse(), isWholeRange: kind === 'range' };
}
