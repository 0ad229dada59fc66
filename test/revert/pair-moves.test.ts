import { describe, expect, test } from 'vitest';
import { planRevert } from '../../src/revert/plan-revert.ts';
import { GitLab, type LabTree } from './git-lab.ts';
import type { Files } from './memory-repository.ts';
import { RevertWorld } from './revert-world.ts';

/** Twelve lines, of which the first `count` are the file's own. */
function text(own: string, count: number): string {
  return Array.from({ length: 12 }, (_, line) => `- ${line < count ? own : 'common'} line ${line}\n`).join(
    '',
  );
}

/** A change of one line, which the suspect makes and the revert takes back. */
function changed(content: string): string {
  return content.replace('line 8', 'line eight');
}

/** Where the revert of a change to `old/x.txt` goes when the head has these files instead. */
async function targetOf(head: Files): Promise<string[]> {
  const world = new RevertWorld();
  const before: Files = { 'old/x.txt': text('x', 6), keep: 'keep\n' };
  const after: Files = { ...before, 'old/x.txt': changed(text('x', 6)) };
  const revert = await world.plan({ ...head, keep: 'keep\n' }, { before, after });
  return revert.kind === 'changes' ? revert.changes.map(({ path }) => path) : [revert.kind];
}

describe('a file that went is found', () => {
  test('by its content, whatever it is called now', async () => {
    const moved = changed(text('x', 6));
    expect(await targetOf({ 'new/y.txt': `${moved}- more\n`, 'new/z.txt': text('z', 12) })).toEqual([
      'new/y.txt',
    ]);
  });

  test('by its name, when it is alike enough', async () => {
    const nearly = changed(text('x', 6)).replace('x line 0', 'line 0');
    const more = `${changed(text('x', 6))}- more\n`;
    expect(await targetOf({ 'new/x.txt': nearly, 'new/better.txt': more })).toEqual(['new/x.txt']);
  });

  test('by what is most alike, when the file of its name is not alike enough', async () => {
    const half = changed(text('x', 6)).replaceAll(/x line [0-3]/g, 'other');
    const more = `${changed(text('x', 6))}- more\n`;
    expect(await targetOf({ 'new/x.txt': half, 'new/better.txt': more })).toEqual(['new/better.txt']);
  });

  test('not at all, when less than half of it is left', async () => {
    expect(await targetOf({ 'new/y.txt': text('y', 12) })).toEqual(['conflict']);
  });
});

test.each([5, 60])('%i files of one content that all moved are paired as git pairs them', async (count) => {
  const numbers = Array.from({ length: count }, (_, index) => index);
  const files = (name: (index: number) => string, content: (index: number) => string): LabTree =>
    new Map(numbers.map((index) => [name(index), { mode: '100644', content: Buffer.from(content(index)) }]));
  const old = (index: number) => `old${index}/file${index}`;
  // What is taken back made every file the same; the head then moved all of them, under other names.
  const before = files(old, (index) => `${text('x', 6)}- own ${index}\n`);
  const after = files(old, () => text('x', 6));
  const head = files(
    (index) => `new${index}/moved${index}`,
    () => text('x', 6),
  );

  const lab = new GitLab();
  try {
    const [theirs, base, ours] = lab.writeHistories(
      [before, after, head].map((tree) => ({ tree, parents: [] })),
    );
    const suspects = [{ commit: 's', tree: base!, firstParentTree: theirs! }];
    const plan = await planRevert(lab.objects, { headTree: ours!, suspects });
    const git = lab.mergeTrees([{ base: base!, ours: ours!, theirs: theirs! }])[0]!;
    expect(git.kind).toBe('clean');
    expect(plan).toMatchObject({ kind: 'changes', tree: git.kind === 'clean' && git.tree });
  } finally {
    await lab.close();
  }
});
