import { beforeEach, describe, expect, test } from 'vitest';
import type { Files } from './memory-repository.ts';
import { conflictsOf, RevertWorld } from './revert-world.ts';

let world: RevertWorld;

beforeEach(() => {
  world = new RevertWorld();
});

describe('what must never be written', () => {
  const before: Files = { 'a.yaml': 'x: 1\ny: 2\nz: 3\nw: 4\nv: 5\n', 'b.txt': 'b\n' };

  test('YAML that could be read before and could not any more', async () => {
    const after = { ...before, 'a.yaml': 'y: 2\nz: 3\nw: 4\nv: 5\n' };
    const head = { ...after, 'a.yaml': 'y: 2\nz: 3\nw: 4\nv: 5\nx: 9\n' };
    expect(conflictsOf(await world.plan(head, { before, after }))).toEqual([
      'a.yaml: broken-yaml (later changed, revert changed)',
    ]);
  });

  test('text that was no YAML before may stay none', async () => {
    const template = { 'a.yaml': '{{ if .x }}\nx: 1\ny: 2\n{{ end }}\n' };
    const after = { 'a.yaml': '{{ if .x }}\nx: 2\ny: 2\n{{ end }}\n' };
    const head = { 'a.yaml': '{{ if .x }}\nx: 2\ny: 2\n{{ end }}\nz: 3\n' };
    expect(world.filesAfter(await world.plan(head, { before: template, after }))).toEqual({
      'a.yaml': '{{ if .x }}\nx: 1\ny: 2\n{{ end }}\nz: 3\n',
    });
  });

  test('a moved file is held to the text it had before it moved', async () => {
    const lines = (x: number) => `x: ${x}\ny: 2\nz: 3\nw: 4\nv: 5\nu: 6\n`;
    const head = { 'new.yaml': `${lines(2)}x: 9\n`, 'b.txt': 'b\n' };
    const suspect = { before: { ...before, 'a.yaml': lines(1) }, after: { ...before, 'a.yaml': lines(2) } };
    // The head defines `x` twice already: it was no YAML before.
    expect(world.filesAfter(await world.plan(head, suspect))).toEqual({
      ...head,
      'new.yaml': `${lines(1)}x: 9\n`,
    });

    const sound = { 'new.yaml': lines(1).replace('x: 1\n', '').concat('x: 9\n'), 'b.txt': 'b\n' };
    const removal = {
      before: suspect.before,
      after: { ...before, 'a.yaml': lines(1).replace('x: 1\n', '') },
    };
    expect(conflictsOf(await world.plan(sound, removal))).toEqual([
      'new.yaml: broken-yaml (later changed, revert changed)',
    ]);
  });

  test('conflict markers that somebody committed and a suspect took away', async () => {
    const markers = '<<<<<<< HEAD\nb\n=======\nc\n>>>>>>> branch\n';
    const revert = await world.plan(
      { ...before, 'a.yaml': 'x: 9\n' },
      { before: { ...before, 'b.txt': markers }, after: before },
    );
    expect(conflictsOf(revert)).toEqual(['b.txt: conflict-markers (later changed, revert changed)']);
  });

  test('a row of equals signs is a heading', async () => {
    const heading = { ...before, 'b.txt': 'Title\n=======\n' };
    const revert = await world.plan({ ...before, 'a.yaml': 'x: 9\n' }, { before: heading, after: before });
    expect(world.filesAfter(revert)).toEqual({ ...heading, 'a.yaml': 'x: 9\n' });
  });
});
