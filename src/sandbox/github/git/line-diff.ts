/**
 * The difference of two texts by lines: how many were added and taken away, and the patch GitHub shows.
 * Myers' greedy algorithm (An O(ND) Difference Algorithm, 1986), the one git uses. Beyond a size no patch is made,
 * as GitHub leaves it out of answers about big files.
 */

export type LineDifference = { additions: number; deletions: number; patch?: string };

type Edit = { sign: ' ' | '-' | '+'; text: string };

/** Lines of context around a change. */
const CONTEXT = 3;
/** Beyond this many differing lines the whole middle is counted as replaced and no patch is made. */
const DIFFERENCE_MAX = 1_000;

/** Compares two texts. Both may lack a newline at their end; the patch then says so, as git's does. */
export function diffLines(before: string, after: string): LineDifference {
  const edits = editsBetween(linesOf(before), linesOf(after));
  if (edits === undefined) return wholesale(linesOf(before), linesOf(after));
  const additions = edits.filter((edit) => edit.sign === '+').length;
  const deletions = edits.filter((edit) => edit.sign === '-').length;
  return { additions, deletions, patch: patchOf(edits) };
}

/** Lines with their newline, so that a missing one at the end is a difference. */
function linesOf(text: string): string[] {
  return text === '' ? [] : text.split(/(?<=\n)/);
}

function editsBetween(a: readonly string[], b: readonly string[]): Edit[] | undefined {
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end])
    end++;
  const middle = shortestEdits(a.slice(start, a.length - end), b.slice(start, b.length - end));
  if (middle === undefined) return undefined;
  const same = (lines: readonly string[]): Edit[] => lines.map((text) => ({ sign: ' ', text }));
  return [...same(a.slice(0, start)), ...middle, ...same(a.slice(a.length - end))];
}

function shortestEdits(a: readonly string[], b: readonly string[]): Edit[] | undefined {
  const frontiers: Map<number, number>[] = [];
  let frontier = new Map<number, number>([[1, 0]]);
  for (let d = 0; d <= Math.min(a.length + b.length, DIFFERENCE_MAX); d++) {
    frontiers.push(new Map(frontier));
    const next = new Map(frontier);
    for (let k = -d; k <= d; k += 2) {
      const down = k === -d || (k !== d && (next.get(k - 1) ?? -1) < (next.get(k + 1) ?? -1));
      let x = down ? (next.get(k + 1) ?? 0) : (next.get(k - 1) ?? 0) + 1;
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x++;
      next.set(k, x);
      if (x >= a.length && x - k >= b.length) return walkBack(a, b, frontiers);
    }
    frontier = next;
  }
  return undefined;
}

function walkBack(a: readonly string[], b: readonly string[], frontiers: Map<number, number>[]): Edit[] {
  const edits: Edit[] = [];
  let x = a.length;
  let y = b.length;
  for (let d = frontiers.length - 1; d >= 0; d--) {
    const frontier = frontiers[d] as Map<number, number>;
    const k = x - y;
    const down = k === -d || (k !== d && (frontier.get(k - 1) ?? -1) < (frontier.get(k + 1) ?? -1));
    const fromX = d === 0 ? 0 : (frontier.get(down ? k + 1 : k - 1) ?? 0);
    const fromY = d === 0 ? 0 : fromX - (down ? k + 1 : k - 1);
    while (x > fromX && y > fromY) {
      x--;
      y--;
      edits.push({ sign: ' ', text: a[x] as string });
    }
    if (d === 0) break;
    if (down) edits.push({ sign: '+', text: b[--y] as string });
    else edits.push({ sign: '-', text: a[--x] as string });
  }
  return edits.reverse();
}

function patchOf(edits: readonly Edit[]): string {
  const lines: string[] = [];
  let before = 1;
  let after = 1;
  let at = 0;
  while (at < edits.length) {
    const first = edits.findIndex((edit, i) => i >= at && edit.sign !== ' ');
    if (first < 0) break;
    const from = Math.max(at, first - CONTEXT);
    before += from - at;
    after += from - at;
    const to = hunkEnd(edits, first);
    const hunk = edits.slice(from, to);
    const old = hunk.filter((edit) => edit.sign !== '+').length;
    const fresh = hunk.filter((edit) => edit.sign !== '-').length;
    lines.push(`@@ -${span(before, old)} +${span(after, fresh)} @@`);
    for (const { sign, text } of hunk) {
      lines.push(sign + text.replace(/\n$/, ''));
      if (!text.endsWith('\n')) lines.push('\\ No newline at end of file');
    }
    before += old;
    after += fresh;
    at = to;
  }
  return lines.join('\n');
}

function hunkEnd(edits: readonly Edit[], first: number): number {
  let last = first;
  for (let i = first; i < edits.length && i - last <= CONTEXT * 2; i++) {
    if (edits[i]?.sign !== ' ') last = i;
  }
  return Math.min(edits.length, last + CONTEXT + 1);
}

function span(start: number, count: number): string {
  if (count === 0) return `${start - 1},0`;
  return count === 1 ? `${start}` : `${start},${count}`;
}

function wholesale(a: readonly string[], b: readonly string[]): LineDifference {
  const inB = new Set(b);
  const inA = new Set(a);
  const deletions = a.filter((line) => !inB.has(line)).length;
  const additions = b.filter((line) => !inA.has(line)).length;
  return { additions, deletions };
}
