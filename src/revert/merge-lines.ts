/**
 * The three-way merge of one text, by lines. A clean answer here must be the answer git would give, byte for byte;
 * so the changes of both sides are found as git finds them (`histogram-diff.ts`, `slide-changes.ts`) and put together
 * by git's rules: changes that touch conflict unless they are the same, a line includes its line end (a missing
 * final newline and CRLF are differences like any other), and a NUL in the first 8000 bytes makes a file binary.
 * Rules: `xdl_merge` at the level "zealous" and `buffer_is_binary` of git.
 */
import { histogramDiff } from './histogram-diff.ts';
import { TooDifferent } from './myers-diff.ts';
import { slideChanges } from './slide-changes.ts';

export type LineMerge =
  | { kind: 'merged'; content: Uint8Array }
  | { kind: 'conflict' }
  | { kind: 'binary' }
  /** Git's own answer would be a guess, or another one in another version of git. */
  | { kind: 'unclear' };

/** A change of one side: these lines of the base became those lines. Ends are exclusive. */
interface Change {
  baseStart: number;
  baseEnd: number;
  start: number;
  end: number;
}

/** A stretch where at least one side changed, in lines of both sides. */
interface Stretch {
  taken: 'ours' | 'theirs' | 'both-differ';
  oursStart: number;
  oursEnd: number;
  theirsStart: number;
  theirsEnd: number;
}

/** Merges two versions that grew from one base. All three are the bytes of whole files. */
export function mergeLines(base: Uint8Array, ours: Uint8Array, theirs: Uint8Array): LineMerge {
  if ([base, ours, theirs].some(isBinary)) return { kind: 'binary' };
  const numbers = new Map<string, number>();
  const [baseText, oursText, theirsText] = [base, ours, theirs].map((bytes) => textOf(bytes, numbers));
  const mergeAs = (isNewer: boolean): { merge: LineMerge; isSameInNewer: boolean } => {
    const our = changesOf(baseText!.numbers, oursText!.numbers, isNewer);
    const their = changesOf(baseText!.numbers, theirsText!.numbers, isNewer);
    const stretches = layTogether(our.changes, their.changes, baseText!, oursText!, theirsText!);
    const merge = compose(stretches, oursText!, theirsText!);
    return { merge, isSameInNewer: our.isSameInNewer && their.isSameInNewer };
  };
  try {
    const { merge, isSameInNewer } = mergeAs(false);
    if (isSameInNewer || isSameMerge(merge, mergeAs(true).merge)) return merge;
    return { kind: 'unclear' };
  } catch (error) {
    if (error instanceof TooDifferent) return { kind: 'unclear' };
    throw error;
  }
}

/** Git's test: a NUL within the first 8000 bytes. */
export function isBinary(content: Uint8Array): boolean {
  return content.subarray(0, 8000).includes(0);
}

interface Text {
  lines: readonly string[];
  numbers: Int32Array;
}

/** Lines with their line ends, one character a byte, and a number for each that is equal for equal lines. */
function textOf(content: Uint8Array, numbers: Map<string, number>): Text {
  const lines =
    Buffer.from(content.buffer, content.byteOffset, content.byteLength)
      .toString('latin1')
      .match(/[^\n]*\n|[^\n]+$/g) ?? [];
  return {
    lines,
    numbers: Int32Array.from(lines, (line) => {
      const known = numbers.get(line);
      if (known !== undefined) return known;
      numbers.set(line, numbers.size);
      return numbers.size - 1;
    }),
  };
}

/** The changes of one side, as git finds them before version 2.54 or since, and whether that can be another answer. */
function changesOf(
  base: Int32Array,
  side: Int32Array,
  isNewer: boolean,
): { changes: Change[]; isSameInNewer: boolean } {
  const changed = histogramDiff(base, side);
  const left = { lines: base, changed: changed.left };
  const right = { lines: side, changed: changed.right };
  const isBaseCompared = slideChanges(left, right, isNewer);
  const isSideCompared = slideChanges(right, left, isNewer);
  const changes: Change[] = [];
  let [baseIndex, index] = [0, 0];
  while (baseIndex < base.length || index < side.length) {
    const change = { baseStart: baseIndex, baseEnd: baseIndex, start: index, end: index };
    while (changed.left[change.baseEnd]) change.baseEnd++;
    while (changed.right[change.end]) change.end++;
    if (change.baseEnd > baseIndex || change.end > index) changes.push(change);
    baseIndex = change.baseEnd + 1;
    index = change.end + 1;
  }
  return { changes, isSameInNewer: !isBaseCompared && !isSideCompared };
}

function isSameMerge(left: LineMerge, right: LineMerge): boolean {
  if (left.kind !== 'merged' || right.kind !== 'merged') return left.kind === right.kind;
  return Buffer.compare(left.content, right.content) === 0;
}

/** Walks the changes of both sides along the base, and joins those that touch. */
function layTogether(
  oursChanges: readonly Change[],
  theirsChanges: readonly Change[],
  base: Text,
  ours: Text,
  theirs: Text,
): Stretch[] {
  const stretches: Stretch[] = [];
  let [oursNext, theirsNext] = [0, 0];
  while (oursNext < oursChanges.length || theirsNext < theirsChanges.length) {
    const our = oursChanges[oursNext];
    const their = theirsChanges[theirsNext];
    if (our && (!their || our.baseEnd < their.baseStart)) {
      // How far theirs lies from the base here.
      const shift = their ? their.start - their.baseStart : theirs.lines.length - base.lines.length;
      append(stretches, 'ours', our.start, our.end, our.baseStart + shift, our.baseEnd + shift);
      oursNext++;
    } else if (their && (!our || their.baseEnd < our.baseStart)) {
      const shift = our ? our.start - our.baseStart : ours.lines.length - base.lines.length;
      append(stretches, 'theirs', their.baseStart + shift, their.baseEnd + shift, their.start, their.end);
      theirsNext++;
    } else if (our && their) {
      if (!isSameChange(our, their, ours, theirs)) {
        const start = Math.min(our.baseStart, their.baseStart);
        const end = Math.max(our.baseEnd, their.baseEnd);
        append(
          stretches,
          'both-differ',
          our.start - (our.baseStart - start),
          our.end + (end - our.baseEnd),
          their.start - (their.baseStart - start),
          their.end + (end - their.baseEnd),
        );
      }
      // The change that ends later may touch the next one of the other side too.
      if (our.baseEnd >= their.baseEnd) theirsNext++;
      if (their.baseEnd >= our.baseEnd) oursNext++;
    }
  }
  return stretches;
}

function isSameChange(our: Change, their: Change, ours: Text, theirs: Text): boolean {
  return (
    our.baseStart === their.baseStart &&
    our.baseEnd === their.baseEnd &&
    isSameRun(ours, our.start, our.end, theirs, their.start, their.end)
  );
}

function append(
  stretches: Stretch[],
  taken: Stretch['taken'],
  oursStart: number,
  oursEnd: number,
  theirsStart: number,
  theirsEnd: number,
): void {
  const last = stretches.at(-1);
  if (last && (oursStart <= last.oursEnd || theirsStart <= last.theirsEnd)) {
    if (last.taken !== taken) last.taken = 'both-differ';
    last.oursEnd = oursEnd;
    last.theirsEnd = theirsEnd;
  } else {
    stretches.push({ taken, oursStart, oursEnd, theirsStart, theirsEnd });
  }
}

function compose(stretches: readonly Stretch[], ours: Text, theirs: Text): LineMerge {
  const parts: string[] = [];
  let written = 0;
  for (const stretch of stretches) {
    const { oursStart, oursEnd, theirsStart, theirsEnd } = stretch;
    if (stretch.taken === 'theirs') {
      parts.push(ours.lines.slice(written, oursStart).join(''));
      parts.push(theirs.lines.slice(theirsStart, theirsEnd).join(''));
      written = oursEnd;
    } else if (stretch.taken === 'both-differ') {
      // Both sides may have arrived at the same text by different ways.
      const isSame = isSameRun(ours, oursStart, oursEnd, theirs, theirsStart, theirsEnd);
      if (!isSame || oursStart === oursEnd) return { kind: 'conflict' };
    }
  }
  parts.push(ours.lines.slice(written).join(''));
  return { kind: 'merged', content: new Uint8Array(Buffer.from(parts.join(''), 'latin1')) };
}

function isSameRun(
  ours: Text,
  oursStart: number,
  oursEnd: number,
  theirs: Text,
  theirsStart: number,
  theirsEnd: number,
): boolean {
  if (oursEnd - oursStart !== theirsEnd - theirsStart) return false;
  for (let index = 0; index < oursEnd - oursStart; index++) {
    if (ours.numbers[oursStart + index] !== theirs.numbers[theirsStart + index]) return false;
  }
  return true;
}
