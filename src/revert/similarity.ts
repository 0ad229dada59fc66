/**
 * How alike two files are, as git measures it when it looks for moved files: both are cut into pieces (a line, or
 * 64 bytes), and the bytes of the pieces they share are set against the larger file. Pieces are compared by a small
 * hash, as git does, because half a percent decides whether a file "moved" or was deleted and written anew.
 * Rule: `estimate_similarity` and `diffcore_count_changes` of git.
 */
import { isBinary } from './merge-lines.ts';

/** Score of identical content. */
export const scoreMax = 60_000;

/** From here on, two files count as one that moved: 50 %. */
export const scoreMin = scoreMax / 2;

/** What is known of one file: its size, and for each piece the number of bytes in it. */
export interface Fingerprint {
  size: number;
  /** Complete pieces only, as git counted before version 2.44. */
  wholePieces: ReadonlyMap<number, number>;
  /** With the unfinished last line too, as git counts since. The same map where there is none. */
  allPieces: ReadonlyMap<number, number>;
}

const pieceBytesMax = 64;
const hashBase = 107_927;

/** Cuts a file into pieces. */
export function fingerprint(content: Uint8Array): Fingerprint {
  const pieces = new Map<number, number>();
  const isText = !isBinary(content);
  let [high, low, size] = [0, 0, 0];
  for (let index = 0; index < content.length; index++) {
    const byte = content[index]!;
    // A line that only changed its line end counts as the same.
    if (isText && byte === 0x0d && content[index + 1] === 0x0a) continue;
    [low, high] = [((low << 7) ^ (high >>> 25)) >>> 0, ((high << 7) ^ (low >>> 25)) >>> 0];
    low = (low + byte) >>> 0;
    size++;
    if (size < pieceBytesMax && byte !== 0x0a) continue;
    const piece = pieceHash(low, high);
    pieces.set(piece, (pieces.get(piece) ?? 0) + size);
    [high, low, size] = [0, 0, 0];
  }
  if (size === 0) return { size: content.length, wholePieces: pieces, allPieces: pieces };
  const rest = pieceHash(low, high);
  const allPieces = new Map(pieces).set(rest, (pieces.get(rest) ?? 0) + size);
  return { size: content.length, wholePieces: pieces, allPieces };
}

/** Similarity from 0 to `scoreMax`. `countRest` chooses between the two generations of git. */
export function similarity(left: Fingerprint, right: Fingerprint, countRest: boolean): number {
  const larger = Math.max(left.size, right.size);
  const smaller = Math.min(left.size, right.size);
  if (larger * (scoreMax - scoreMin) < (larger - smaller) * scoreMax || right.size === 0) return 0;
  const leftPieces = countRest ? left.allPieces : left.wholePieces;
  const rightPieces = countRest ? right.allPieces : right.wholePieces;
  let shared = 0;
  for (const [piece, size] of leftPieces) shared += Math.min(size, rightPieces.get(piece) ?? 0);
  return Math.floor((shared * scoreMax) / larger);
}

function pieceHash(low: number, high: number): number {
  return ((low + Math.imul(high, 0x61)) >>> 0) % hashBase;
}
