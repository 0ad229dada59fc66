/**
 * A watch is one JSON document a line. A line can be megabytes long, comes in many pieces, and a piece can end in the
 * middle of a character (KW07): so bytes are joined first and decoded then, and every byte is looked at once.
 */

/** A line longer than any object that etcd can hold; it would otherwise fill the memory. */
export class LineTooLong extends Error {
  constructor(bytesMax: number) {
    super(`a line is longer than ${Math.round(bytesMax / 1024 / 1024)} MB`);
    this.name = 'LineTooLong';
  }
}

const lineBytesMax = 64 * 1024 * 1024;

const newline = 0x0a;

/** The lines of a stream of bytes, without their ends; empty ones are left out. Throws LineTooLong. */
export async function* linesOf(
  chunks: AsyncIterable<Uint8Array>,
  bytesMax: number = lineBytesMax,
): AsyncGenerator<string, void, void> {
  let pieces: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      pieces.push(chunk.subarray(start, end));
      const line = decode(pieces);
      pieces = [];
      length = 0;
      start = end + 1;
      if (line !== '') yield line;
    }
    if (start === chunk.length) continue;
    pieces.push(chunk.subarray(start));
    length += chunk.length - start;
    if (length > bytesMax) throw new LineTooLong(bytesMax);
  }
  const rest = decode(pieces);
  if (rest !== '') yield rest;
}

function decode(pieces: readonly Uint8Array[]): string {
  return Buffer.concat(pieces).toString('utf8').trim();
}
