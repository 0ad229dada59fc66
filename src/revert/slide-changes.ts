/**
 * A block of added or removed lines can often be shown a little higher or lower (of two equal lines, which one is
 * new?). The place matters to a merge: two changes conflict when they touch. Git moves every block as far down as
 * it goes, joins blocks that meet, and moves back up where the block then faces a change of the other version.
 * The rule is that of `xdl_change_compact` in git's xdiff, without the indent heuristic, which merges do not use.
 */
import { myersDiff } from './myers-diff.ts';

/** One version of a file: its lines by number, and which of them changed. */
export interface MarkedLines {
  lines: Int32Array;
  changed: Uint8Array;
}

/**
 * Moves the blocks of one version in place. Since 2.54 git compares a block that moved once more with the block it then
 * faces, because both may now hold equal lines. Does so, in both versions, when `isNewer`; says in any case whether
 * there was such a block. Throws `TooDifferent`.
 */
export function slideChanges(version: MarkedLines, other: MarkedLines, isNewer: boolean): boolean {
  const block = new Block(version);
  // The gap of the other version between the same two unchanged lines.
  const facing = new Block(other);
  let isCompared = false;
  do {
    if (block.isEmpty) continue;
    const { start, end } = block;
    slideBlock(block, facing);
    if (facing.isEmpty || (block.start === start && block.end === end)) continue;
    isCompared = true;
    if (isNewer) compareAgain(version, block, other, facing);
  } while (block.next() && facing.next());
  return isCompared;
}

function slideBlock(block: Block, facing: Block): void {
  let highestEnd: number;
  let facesChange: boolean;
  let length: number;
  do {
    length = block.length;
    while (block.slideUp()) facing.previous();
    highestEnd = block.end;
    facesChange = !facing.isEmpty;
    while (block.slideDown()) {
      facing.next();
      if (!facing.isEmpty) facesChange = true;
    }
    // It met a neighbour and grew: the larger block may move further.
  } while (length !== block.length);

  if (block.end === highestEnd || !facesChange) return;
  while (facing.isEmpty) {
    block.slideUp();
    facing.previous();
  }
}

function compareAgain(version: MarkedLines, block: Block, other: MarkedLines, facing: Block): void {
  const { left, right } = myersDiff(
    version.lines.subarray(block.start, block.end),
    other.lines.subarray(facing.start, facing.end),
  );
  version.changed.set(left, block.start);
  other.changed.set(right, facing.start);
}

/** The changed lines between two unchanged ones, possibly none; moves from gap to gap. */
class Block {
  start = 0;
  end = 0;
  readonly #lines: Int32Array;
  readonly #changed: Uint8Array;

  constructor({ lines, changed }: MarkedLines) {
    this.#lines = lines;
    this.#changed = changed;
    while (this.#changed[this.end]) this.end++;
  }

  get isEmpty(): boolean {
    return this.start === this.end;
  }

  get length(): number {
    return this.end - this.start;
  }

  next(): boolean {
    if (this.end === this.#changed.length) return false;
    this.start = this.end + 1;
    this.end = this.start;
    while (this.#changed[this.end]) this.end++;
    return true;
  }

  previous(): boolean {
    if (this.start === 0) return false;
    this.end = this.start - 1;
    this.start = this.end;
    while (this.#changed[this.start - 1]) this.start--;
    return true;
  }

  /** One line up, taking in a block that is then adjacent. */
  slideUp(): boolean {
    if (this.start === 0 || this.#lines[this.start - 1] !== this.#lines[this.end - 1]) return false;
    this.#changed[--this.start] = 1;
    this.#changed[--this.end] = 0;
    while (this.#changed[this.start - 1]) this.start--;
    return true;
  }

  slideDown(): boolean {
    if (this.end === this.#changed.length || this.#lines[this.start] !== this.#lines[this.end]) return false;
    this.#changed[this.start++] = 0;
    this.#changed[this.end++] = 1;
    while (this.#changed[this.end]) this.end++;
    return true;
  }
}
