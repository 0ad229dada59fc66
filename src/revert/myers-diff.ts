/**
 * Which lines changed, by Eugene Myers' "An O(ND) Difference Algorithm and Its Variations" (1986), with the two
 * shortcuts that git's diff takes: equal ends are cut off first, and lines without a counterpart (or with too many,
 * in the middle of such lines) are set aside. Needed only where a file repeats its lines so much that the
 * histogram method finds no anchor. Git gives up looking for the best answer when a comparison becomes expensive;
 * so does this, by saying that it does not know, and the merge is then a conflict.
 */
import type { ChangedLines } from './histogram-diff.ts';

/** The two versions differ so much that git's answer would be a guess; there is no telling which. */
export class TooDifferent extends Error {}

/** Edit cost at which git begins to guess (`XDL_HEUR_MIN_COST` and `XDL_MAX_COST_MIN` of its xdiff). */
const costMax = 256;
const candidatesMax = 1024;
const windowLines = 100;
const keepOneIn = 4;

interface Box {
  leftStart: number;
  leftEnd: number;
  rightStart: number;
  rightEnd: number;
}

/** Compares two runs of lines given as numbers. Throws `TooDifferent`. */
export function myersDiff(left: Int32Array, right: Int32Array): ChangedLines {
  const changed = { left: new Uint8Array(left.length), right: new Uint8Array(right.length) };
  const box = withoutEqualEnds(left, right, {
    leftStart: 0,
    leftEnd: left.length,
    rightStart: 0,
    rightEnd: right.length,
  });
  const leftKept = keptLines(left, right, box.leftStart, box.leftEnd, changed.left);
  const rightKept = keptLines(right, left, box.rightStart, box.rightEnd, changed.right);
  const leftLines = Int32Array.from(leftKept, (index) => left[index]!);
  const rightLines = Int32Array.from(rightKept, (index) => right[index]!);

  const todo: Box[] = [
    { leftStart: 0, leftEnd: leftLines.length, rightStart: 0, rightEnd: rightLines.length },
  ];
  for (let next = todo.pop(); next; next = todo.pop()) {
    const rest = withoutEqualEnds(leftLines, rightLines, next);
    if (rest.leftStart === rest.leftEnd || rest.rightStart === rest.rightEnd) {
      for (let index = rest.leftStart; index < rest.leftEnd; index++) changed.left[leftKept[index]!] = 1;
      for (let index = rest.rightStart; index < rest.rightEnd; index++) changed.right[rightKept[index]!] = 1;
      continue;
    }
    const [atLeft, atRight] = middleOfPath(leftLines, rightLines, rest);
    todo.push({ ...rest, leftEnd: atLeft, rightEnd: atRight });
    todo.push({ ...rest, leftStart: atLeft, rightStart: atRight });
  }
  return changed;
}

function withoutEqualEnds(left: Int32Array, right: Int32Array, box: Box): Box {
  let { leftStart, leftEnd, rightStart, rightEnd } = box;
  while (leftStart < leftEnd && rightStart < rightEnd && left[leftStart] === right[rightStart]) {
    leftStart++;
    rightStart++;
  }
  while (leftStart < leftEnd && rightStart < rightEnd && left[leftEnd - 1] === right[rightEnd - 1]) {
    leftEnd--;
    rightEnd--;
  }
  return { leftStart, leftEnd, rightStart, rightEnd };
}

/** Indices of the lines worth comparing; the others are marked as changed. */
function keptLines(
  lines: Int32Array,
  other: Int32Array,
  start: number,
  end: number,
  changed: Uint8Array,
): number[] {
  const counts = new Map<number, number>();
  for (const line of other) counts.set(line, (counts.get(line) ?? 0) + 1);
  const many = Math.min(roughRoot(lines.length), candidatesMax);
  const matches = Array.from(lines, (line): 'none' | 'some' | 'many' => {
    const count = counts.get(line) ?? 0;
    return count === 0 ? 'none' : count >= many ? 'many' : 'some';
  });
  const kept: number[] = [];
  for (let index = start; index < end; index++) {
    const match = matches[index]!;
    if (match === 'some' || (match === 'many' && !isAmongUnmatched(matches, index, start, end))) {
      kept.push(index);
    } else {
      changed[index] = 1;
    }
  }
  return kept;
}

/** Whether a line with many counterparts stands within a run that mostly has none. */
function isAmongUnmatched(matches: readonly string[], index: number, start: number, end: number): boolean {
  const first = Math.max(start, index - windowLines);
  const last = Math.min(end - 1, index + windowLines);
  let manyCount = 2;
  let noneCount = 0;
  for (const [step, limit] of [
    [-1, first],
    [1, last],
  ] as const) {
    let noneOnThisSide = 0;
    for (let at = index + step; step < 0 ? at >= limit : at <= limit; at += step) {
      if (matches[at] === 'none') noneOnThisSide++;
      else if (matches[at] === 'many') manyCount++;
      else break;
    }
    if (noneOnThisSide === 0) return false;
    noneCount += noneOnThisSide;
  }
  return manyCount * keepOneIn < manyCount + noneCount;
}

/** A power of two near the square root, as git's limits use it. */
function roughRoot(value: number): number {
  let root = 1;
  for (let rest = value; rest > 0; rest >>= 2) root <<= 1;
  return root;
}

/**
 * Where the shortest path of edits crosses its middle: both ends search along the diagonals
 * (left index minus right index) until they meet.
 */
function middleOfPath(left: Int32Array, right: Int32Array, box: Box): [number, number] {
  const { leftStart, leftEnd, rightStart, rightEnd } = box;
  const lowest = leftStart - rightEnd;
  const highest = leftEnd - rightStart;
  const shift = 1 - lowest;
  const forward = new Int32Array(highest - lowest + 3);
  const backward = new Int32Array(highest - lowest + 3);
  const forwardMiddle = leftStart - rightStart;
  const backwardMiddle = leftEnd - rightEnd;
  const isOdd = ((forwardMiddle - backwardMiddle) & 1) !== 0;
  let [forwardLow, forwardHigh] = [forwardMiddle, forwardMiddle];
  let [backwardLow, backwardHigh] = [backwardMiddle, backwardMiddle];
  forward[forwardMiddle + shift] = leftStart;
  backward[backwardMiddle + shift] = leftEnd;

  for (let cost = 1; cost <= costMax; cost++) {
    if (forwardLow > lowest) forward[--forwardLow - 1 + shift] = -1;
    else forwardLow++;
    if (forwardHigh < highest) forward[++forwardHigh + 1 + shift] = -1;
    else forwardHigh--;
    for (let diagonal = forwardHigh; diagonal >= forwardLow; diagonal -= 2) {
      const below = forward[diagonal - 1 + shift]!;
      const above = forward[diagonal + 1 + shift]!;
      let at = below >= above ? below + 1 : above;
      while (at < leftEnd && at - diagonal < rightEnd && left[at] === right[at - diagonal]) at++;
      forward[diagonal + shift] = at;
      const isMet = isOdd && backwardLow <= diagonal && diagonal <= backwardHigh;
      if (isMet && backward[diagonal + shift]! <= at) return [at, at - diagonal];
    }

    if (backwardLow > lowest) backward[--backwardLow - 1 + shift] = 0x7fffffff;
    else backwardLow++;
    if (backwardHigh < highest) backward[++backwardHigh + 1 + shift] = 0x7fffffff;
    else backwardHigh--;
    for (let diagonal = backwardHigh; diagonal >= backwardLow; diagonal -= 2) {
      const below = backward[diagonal - 1 + shift]!;
      const above = backward[diagonal + 1 + shift]!;
      let at = below < above ? below : above - 1;
      while (at > leftStart && at - diagonal > rightStart && left[at - 1] === right[at - diagonal - 1]) at--;
      backward[diagonal + shift] = at;
      const isMet = !isOdd && forwardLow <= diagonal && diagonal <= forwardHigh;
      if (isMet && at <= forward[diagonal + shift]!) return [at, at - diagonal];
    }
  }
  throw new TooDifferent();
}
