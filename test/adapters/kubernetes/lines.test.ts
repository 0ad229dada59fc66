import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LineTooLong, linesOf } from '../../../src/adapters/kubernetes/lines.ts';

async function* inPieces(text: string, sizes: readonly number[]): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  let at = 0;
  for (let turn = 0; at < bytes.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? 1;
    yield bytes.subarray(at, at + size);
    at += size;
  }
}

async function all(text: string, sizes: readonly number[], bytesMax?: number): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of linesOf(inPieces(text, sizes), bytesMax)) lines.push(line);
  return lines;
}

test('lines come out whole however the bytes are cut, also inside a character', async () => {
  const line = fc.string({ unit: 'binary', minLength: 1 }).map((text) => JSON.stringify(text));
  await fc.assert(
    fc.asyncProperty(
      fc.array(line),
      fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }),
      async (lines, sizes) => {
        expect(await all(lines.map((one) => `${one}\n`).join(''), sizes)).toEqual(lines);
      },
    ),
    { numRuns: 200 },
  );
});

test('a last line without an end is a line, and empty lines are none', async () => {
  expect(await all('{"a":1}\n\n{"b":2}', [3])).toEqual(['{"a":1}', '{"b":2}']);
});

test('a line longer than the limit is refused, and says how long it may be', async () => {
  const problem = await all(`${'x'.repeat(3 * 1024 * 1024)}\n`, [4096], 2 * 1024 * 1024).catch(
    (error) => error,
  );
  expect(problem).toBeInstanceOf(LineTooLong);
  expect(problem.message).toBe('a line is longer than 2 MB');
});

test('many short lines that are longer than the limit together are fine', async () => {
  expect(await all('abc\n'.repeat(1000), [7], 10)).toHaveLength(1000);
});
