import { describe, expect, test } from 'vitest';
import { mergeLines } from '../../src/revert/merge-lines.ts';
import { blobId } from '../../src/revert/object-ids.ts';
import { GitLab, type LabFile } from './git-lab.ts';
import { Random } from './random.ts';

/** Merges texts whose lines are given as words: `a b c` is three lines. */
function mergeWords(base: string, ours: string, theirs: string): string {
  const merge = mergeLines(textOf(base), textOf(ours), textOf(theirs));
  if (merge.kind !== 'merged') return merge.kind;
  return Buffer.from(merge.content).toString().trim().replaceAll('\n', ' ');
}

function textOf(words: string): Uint8Array {
  return Buffer.from(words === '' ? '' : `${words.replaceAll(' ', '\n')}\n`);
}

function merge(base: string, ours: string, theirs: string): string {
  const result = mergeLines(Buffer.from(base), Buffer.from(ours), Buffer.from(theirs));
  return result.kind === 'merged' ? Buffer.from(result.content).toString() : result.kind;
}

describe('changes of both sides', () => {
  test('are put together when a line stands between them', () => {
    expect(mergeWords('a b c d e', 'A b c d e', 'a b c d E')).toBe('A b c d E');
    expect(mergeWords('a b c', 'A b c', 'a b C')).toBe('A b C');
  });

  test('conflict when they touch', () => {
    expect(mergeWords('a b', 'A b', 'a B')).toBe('conflict');
    expect(mergeWords('a b c', 'a c', 'a b X c')).toBe('conflict');
  });

  test('are taken once when they are the same', () => {
    expect(mergeWords('a b c d', 'a X c d', 'a X c D')).toBe('a X c D');
    expect(mergeWords('a b c', 'X Y c', 'X Y c')).toBe('X Y c');
  });

  test('may arrive at the same text in different ways', () => {
    expect(mergeWords('a b', 'x y z', 'x y z')).toBe('x y z');
  });

  test('conflict when both added different lines at one place', () => {
    expect(mergeWords('', 'a', 'b')).toBe('conflict');
    expect(mergeWords('a z', 'a x z', 'a y z')).toBe('conflict');
  });
});

describe('lines are whole lines', () => {
  test('a missing final newline is a difference', () => {
    expect(merge('a\nb\nc\n', 'A\nb\nc\n', 'a\nb\nc')).toBe('A\nb\nc');
    expect(merge('a\nb\n', 'a\nB\n', 'a\nb')).toBe('conflict');
  });

  test('CRLF stays CRLF, and is a difference to LF', () => {
    expect(merge('a\r\nb\r\nc\r\n', 'A\r\nb\r\nc\r\n', 'a\r\nb\r\nC\r\n')).toBe('A\r\nb\r\nC\r\n');
    expect(merge('a\r\nb\r\n', 'a\nb\n', 'a\r\nB\r\n')).toBe('conflict');
  });

  test('bytes that are no UTF-8 pass unchanged', () => {
    const latin = (text: string) => Buffer.from(text, 'latin1');
    const result = mergeLines(latin('\xe4\nb\nc\n'), latin('\xe4\nb\n\xff\n'), latin('\xe5\nb\nc\n'));
    expect(result).toEqual({ kind: 'merged', content: new Uint8Array(latin('\xe5\nb\n\xff\n')) });
  });

  test('a NUL within the first 8000 bytes makes a file binary', () => {
    const late = `${'x\n'.repeat(4000)}\0\n`;
    expect(merge('a\n', 'b\0\n', 'c\n')).toBe('binary');
    expect(merge(late, `${late}y\n`, `z\n${late}`)).toBe(`z\n${late}y\n`);
  });
});

test('texts of equal lines that git itself would only guess about are unclear', () => {
  const random = new Random(1);
  const noise = () => Array.from({ length: 2000 }, () => (random.chance(0.5) ? 'a' : 'b')).join(' ');
  expect(mergeWords(noise(), noise(), noise())).toBe('unclear');
});

test('texts that git aligns in two ways, before 2.54 and since, are unclear when the outcome hangs on it', () => {
  expect(mergeWords('a b b a b b a b', 'a b b a b a b', 'b a a b b b a b')).toBe('unclear');
});

test.each([
  { name: 'few different lines', seed: 1, words: [2, 3, 5, 12, 40], lines: 40, files: 1500 },
  {
    name: 'lines that repeat too often to anchor anything',
    seed: 2,
    words: [1, 2, 3],
    lines: 360,
    files: 300,
  },
])('thousands of merges are those of git: $name', async ({ seed, words, lines, files }) => {
  const random = new Random(seed);
  const versions = Array.from({ length: files }, () => {
    const stock = random.pick(words);
    const base = Array.from({ length: random.below(lines) }, () => `w${random.below(stock)}`);
    const edits = lines > 100 && random.chance(0.3) ? 60 : 4;
    return [base, edited(random, base, stock, edits), edited(random, base, stock, edits)].map(joined);
  });
  const lab = new GitLab();
  try {
    const tree = (version: number): Map<string, LabFile> =>
      new Map(versions.map((texts, file) => [`${file}`, { mode: '100644', content: texts[version]! }]));
    const [base, ours, theirs] = lab.writeHistories(
      [0, 1, 2].map((version) => ({ tree: tree(version), parents: [] })),
    );
    const git = lab.mergeTrees([{ base: base!, ours: ours!, theirs: theirs! }])[0]!;
    if (git.kind !== 'conflict')
      throw new Error(`Among so many files some must conflict, but git says: ${git.kind}`);
    const merged = new Map((await lab.objects.readTree(git.tree)).map(({ name, id }) => [name, id]));

    const outcomes = versions.map(([before, our, their], file) => {
      const wanted = git.paths.includes(`${file}`) ? 'conflict' : merged.get(`${file}`)!;
      const result = mergeLines(before!, our!, their!);
      const got = result.kind === 'merged' ? blobId(result.content) : result.kind;
      return { file, wanted, got };
    });
    // Of what one side did not touch, or both did alike, git never merges the lines.
    const real = outcomes.filter(({ file }) => new Set(versions[file]!.map(String)).size === 3);
    expect(real.filter(({ wanted, got }) => wanted !== got && got !== 'unclear')).toEqual([]);
    expect(real.filter(({ got }) => got === 'unclear').length).toBeLessThan(real.length / 50);
    expect(real.filter(({ wanted }) => wanted === 'conflict').length).toBeGreaterThan(real.length / 5);
    expect(real.filter(({ wanted }) => wanted !== 'conflict').length).toBeGreaterThan(real.length / 5);
  } finally {
    await lab.close();
  }
});

function edited(random: Random, base: readonly string[], stock: number, editsMax: number): string[] {
  const lines = [...base];
  for (let edits = random.between(1, editsMax); edits > 0; edits--) {
    const at = random.below(lines.length + 1);
    const fresh = Array.from({ length: random.between(1, 3) }, () =>
      random.chance(0.6) ? `w${random.below(stock + 1)}` : `new${random.below(random.pick([3, 1000]))}`,
    );
    const kind = random.weighted({ insert: 1, remove: 1, replace: 1, move: 1 });
    if (kind === 'insert') lines.splice(at, 0, ...fresh);
    else if (kind === 'remove') lines.splice(at, random.between(1, 3));
    else if (kind === 'replace') lines.splice(at, random.between(1, 3), ...fresh);
    else lines.splice(random.below(lines.length + 1), 0, ...lines.splice(at, 2));
  }
  return lines;
}

/** Lines with their ends; a few files lack the last one. */
function joined(lines: readonly string[]): Buffer {
  const isUnfinished = lines.length % 9 === 1;
  return Buffer.from(lines.join('\n') + (lines.length === 0 || isUnfinished ? '' : '\n'));
}
