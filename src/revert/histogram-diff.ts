/**
 * Which lines changed between two versions of a file. Where the lines repeat there are several answers, all
 * correct, and they lead to different merges; so this finds the answer that git's merge finds: the histogram
 * method (the longest common run around the rarest line splits the file, again and again), which falls back to
 * Myers' method where every common line is too frequent.
 * The method is that of JGit's `HistogramDiff`; git took it over, and `merge-ort` uses it.
 */
import { myersDiff } from './myers-diff.ts';

/** One flag a line, 1 when the line is not in the other version. Lines are compared by number. */
export interface ChangedLines {
  left: Uint8Array;
  right: Uint8Array;
}

interface Region {
  leftStart: number;
  leftEnd: number;
  rightStart: number;
  rightEnd: number;
}

/** Lines that occur more often than this in the left region do not anchor anything. */
const occurrencesMax = 64;

/** Compares two files given as line numbers, equal numbers for equal lines. */
export function histogramDiff(left: Int32Array, right: Int32Array): ChangedLines {
  const changed = { left: new Uint8Array(left.length), right: new Uint8Array(right.length) };
  const todo: Region[] = [{ leftStart: 0, leftEnd: left.length, rightStart: 0, rightEnd: right.length }];
  for (let region = todo.pop(); region; region = todo.pop()) {
    const anchor = findAnchor(left, right, region);
    if (anchor === 'too-frequent') {
      myersRegion(left, right, region, changed);
    } else if (!anchor) {
      changed.left.fill(1, region.leftStart, region.leftEnd);
      changed.right.fill(1, region.rightStart, region.rightEnd);
    } else {
      todo.push(
        { ...region, leftEnd: anchor.leftStart, rightEnd: anchor.rightStart },
        { ...region, leftStart: anchor.leftEnd, rightStart: anchor.rightEnd },
      );
    }
  }
  return changed;
}

/**
 * The common run that splits a region: the longest, or a shorter one whose rarest line is rarer. Undefined when
 * there is no common line.
 */
function findAnchor(
  left: Int32Array,
  right: Int32Array,
  region: Region,
): Region | 'too-frequent' | undefined {
  const places = placesOfLines(left, region);
  const occurrences = (index: number) => places.get(left[index]!)!.length;
  let anchor: Region | undefined;
  let anchorRarity = occurrencesMax + 1;
  let hasCommonLine = false;

  let rightIndex = region.rightStart;
  while (rightIndex < region.rightEnd) {
    let nextRight = rightIndex + 1;
    const starts = places.get(right[rightIndex]!);
    if (starts) hasCommonLine = true;
    if (starts && starts.length <= anchorRarity) {
      let searched = -1;
      for (const start of starts) {
        // A start inside the run just looked at would give a part of it again.
        if (start <= searched) continue;
        const run = extendRun(left, right, region, start, rightIndex);
        searched = run.leftEnd - 1;
        nextRight = Math.max(nextRight, run.rightEnd);
        let rarity = starts.length;
        for (let index = run.leftStart; index < run.leftEnd; index++) {
          rarity = Math.min(rarity, occurrences(index));
        }
        const isLonger = run.leftEnd - run.leftStart > (anchor ? anchor.leftEnd - anchor.leftStart : 1);
        if (isLonger || rarity < anchorRarity) {
          anchor = run;
          anchorRarity = rarity;
        }
      }
    }
    rightIndex = nextRight;
  }
  return hasCommonLine && anchorRarity > occurrencesMax ? 'too-frequent' : anchor;
}

/** Where each line of the left region stands, in ascending order. */
function placesOfLines(left: Int32Array, region: Region): Map<number, number[]> {
  const places = new Map<number, number[]>();
  for (let index = region.leftStart; index < region.leftEnd; index++) {
    const line = left[index]!;
    const known = places.get(line);
    if (known) known.push(index);
    else places.set(line, [index]);
  }
  return places;
}

/** The longest run of common lines through one pair of equal lines. */
function extendRun(left: Int32Array, right: Int32Array, region: Region, atLeft: number, atRight: number) {
  let [leftStart, rightStart, leftEnd, rightEnd] = [atLeft, atRight, atLeft + 1, atRight + 1];
  while (
    leftStart > region.leftStart &&
    rightStart > region.rightStart &&
    left[leftStart - 1] === right[rightStart - 1]
  ) {
    leftStart--;
    rightStart--;
  }
  while (leftEnd < region.leftEnd && rightEnd < region.rightEnd && left[leftEnd] === right[rightEnd]) {
    leftEnd++;
    rightEnd++;
  }
  return { leftStart, leftEnd, rightStart, rightEnd };
}

function myersRegion(left: Int32Array, right: Int32Array, region: Region, changed: ChangedLines): void {
  const part = myersDiff(
    left.subarray(region.leftStart, region.leftEnd),
    right.subarray(region.rightStart, region.rightEnd),
  );
  changed.left.set(part.left, region.leftStart);
  changed.right.set(part.right, region.rightStart);
}
