import { beforeEach, describe, expect, test } from 'vitest';
import type { Files } from './memory-repository.ts';
import { bad, conflictsOf, RevertWorld } from './revert-world.ts';

let world: RevertWorld;

beforeEach(() => {
  world = new RevertWorld();
});

describe('moved files', () => {
  const { 'base/deploy.yaml': deploy, ...others } = bad;
  const broken = { ...bad, 'base/deploy.yaml': String(deploy).replace('false', 'true') };

  test('a change is taken back where the file is now', async () => {
    const head = { ...others, 'base/workload.yaml': broken['base/deploy.yaml']! };
    const revert = await world.plan(head, { before: bad, after: broken });
    expect(world.filesAfter(revert)).toEqual({ ...others, 'base/workload.yaml': deploy });
  });

  test('a change is taken back where the file is now, even when it was edited on the way', async () => {
    const edited = String(broken['base/deploy.yaml']).replace('shop', 'shop-web');
    const revert = await world.plan({ ...others, 'lib/deploy.yaml': edited }, { before: bad, after: broken });
    expect(world.filesAfter(revert)).toEqual({
      ...others,
      'lib/deploy.yaml': String(deploy).replace('shop', 'shop-web'),
    });
  });

  test('a file that the head deleted does not come back', async () => {
    const revert = await world.plan(others, { before: bad, after: broken });
    expect(conflictsOf(revert)).toEqual([
      'base/deploy.yaml: changed-and-deleted (later deleted, revert changed)',
    ]);
  });

  test('a move that is taken back carries later changes along', async () => {
    const moved = { ...others, 'base/workload.yaml': deploy! };
    const head = { ...moved, 'base/workload.yaml': broken['base/deploy.yaml']! };
    const revert = await world.plan(head, { before: bad, after: moved });
    expect(world.filesAfter(revert)).toEqual(broken);
  });

  test('a file that both moved, to different places, is a conflict at all three', async () => {
    const moved = { ...others, 'base/workload.yaml': deploy! };
    const head = { ...others, 'lib/workload.yaml': deploy! };
    expect(conflictsOf(await world.plan(head, { before: bad, after: moved }))).toMatchInlineSnapshot(`
      [
        "base/workload.yaml: moved-twice (later deleted, revert deleted) with lib/workload.yaml, lib/deploy.yaml",
        "lib/deploy.yaml: moved-twice (later unchanged, revert moved) with base/workload.yaml, lib/workload.yaml",
        "lib/workload.yaml: moved-twice (later moved, revert unchanged) with base/workload.yaml, lib/deploy.yaml",
      ]
    `);
  });

  test('a file added to a folder that the revert moves away is a question for a person', async () => {
    const moved = { ...others, 'lib/deploy.yaml': deploy! };
    const head = { ...moved, 'lib/new.yaml': 'kind: Service\n' };
    expect(conflictsOf(await world.plan(head, { before: bad, after: moved }))).toMatchInlineSnapshot(`
      [
        "base/new.yaml: folder-moved (later moved, revert unchanged) with lib/new.yaml",
      ]
    `);
  });
});

describe('moved files that meet', () => {
  const long = (mark: string) => Array.from({ length: 12 }, (_, line) => `- line ${line} ${mark}\n`).join('');

  test('a change does not get lost where git would drop it', async () => {
    // The revert moves `a` onto `b`; the head has the same `b` already, and a newer `a`.
    const before: Files = { b: long('x'), other: 'x\n' };
    const after: Files = { a: long('x'), other: 'x\n' };
    const head: Files = { a: `${long('x')}- newer\n`, b: long('x'), other: 'later\n' };
    expect(conflictsOf(await world.plan(head, { before, after }))).toEqual([
      'b: moved-onto-another (later added, revert moved) with a',
    ]);
  });

  test('a file that its folder would take back to where it was is not lost either', async () => {
    const base: Files = { 'd/keep': 'k\n', 'd/x': long('x'), 'e/y1': long('y1'), 'e/y2': long('y2') };
    const before: Files = { 'd/keep': 'k\n', 'd/x': long('x'), 'd/y1': long('y1'), 'd/y2': long('y2') };
    const head: Files = { 'd/keep': 'k\n', 'e/x': long('x'), 'e/y1': long('y1'), 'e/y2': long('y2') };
    expect(conflictsOf(await world.plan(head, { before, after: base }))).toEqual([
      'd/x: unclear (later moved, revert unchanged) with e/x',
    ]);
  });

  test('a symlink put in place of a moved file stays, and the move is taken back', async () => {
    const before: Files = { old: long('x'), other: 'x\n' };
    const after: Files = { new: long('x'), other: 'x\n' };
    const link = { mode: '120000', content: 'other' } as const;
    const revert = await world.plan({ new: link, other: 'x\n' }, { before, after });
    expect(conflictsOf(revert)).toEqual(['old: changed-and-deleted (later deleted, revert moved)']);
  });
});

describe('entries that are no text', () => {
  const link = { mode: '120000', content: 'dev' } as const;
  const module = { mode: '160000', content: 'a'.repeat(40) } as const;
  const run = { mode: '100755', content: '#!/bin/sh\n' } as const;
  const logo = { mode: '100644', content: Buffer.from([0, 1, 2]) } as const;
  const start: Files = {
    'a/link': link,
    'a/module': module,
    'a/run.sh': run,
    'a/logo.png': logo,
    'a/text': 'text\n',
  };

  test('are carried by mode and id', async () => {
    const after = {
      ...start,
      'a/link': { ...link, content: 'prod' },
      'a/module': { ...module, content: 'b'.repeat(40) },
      'a/run.sh': { ...run, mode: '100644' as const },
      'a/logo.png': { ...logo, content: Buffer.from([0, 9]) },
    };
    const head = { ...after, 'a/text': 'later\n' };
    const revert = await world.plan(head, { before: start, after });
    expect(world.filesAfter(revert)).toEqual({
      ...world.repository.read(world.repository.write(start)),
      'a/text': 'later\n',
    });
    expect(revert).toMatchObject({
      changes: [
        { path: 'a/link', mode: '120000' },
        { path: 'a/logo.png', mode: '100644' },
        { path: 'a/module', mode: '160000', id: module.content },
        { path: 'a/run.sh', mode: '100755' },
      ],
    });
  });

  test('mode and content come from different sides', async () => {
    const after = { ...start, 'a/run.sh': { ...run, mode: '100644' as const } };
    const head = { ...start, 'a/run.sh': '#!/bin/bash\n' };
    expect(world.filesAfter(await world.plan(head, { before: start, after }))).toMatchObject({
      'a/run.sh': '100755 #!/bin/bash\n',
    });
  });

  test('a file that came twice conflicts when only one of the two is executable', async () => {
    const { 'a/run.sh': _, ...without } = start;
    const head = { ...without, 'a/run.sh': '#!/bin/sh\n' };
    expect(conflictsOf(await world.plan(head, { before: start, after: without }))).toEqual([
      'a/run.sh: mode (later added, revert added)',
    ]);
  });

  test.each([
    ['a/link', { ...link, content: 'prod' }, { ...link, content: 'staging' }, 'symlink'],
    ['a/module', { ...module, content: 'b'.repeat(40) }, { ...module, content: 'c'.repeat(40) }, 'submodule'],
    [
      'a/logo.png',
      { ...logo, content: Buffer.from([0, 9]) },
      { ...logo, content: Buffer.from([0, 7]) },
      'binary',
    ],
    ['a/text', 'bad\n', { mode: '120000' as const, content: 'bad' }, 'type'],
  ] as const)('%s conflicts when it changed again', async (path, after, later, why) => {
    const revert = await world.plan(
      { ...start, [path]: later },
      { before: start, after: { ...start, [path]: after } },
    );
    expect(conflictsOf(revert)).toEqual([`${path}: ${why} (later changed, revert changed)`]);
  });
});

describe('a file and a folder of one name', () => {
  const file: Files = { conf: 'one\n', other: 'x\n' };
  const folder: Files = { 'conf/a': 'two\n', 'conf/b': 'three\n', other: 'x\n' };

  test('a file gives way to the folder that was there before', async () => {
    const revert = await world.plan({ ...file, other: 'later\n' }, { before: folder, after: file });
    expect(world.filesAfter(revert)).toEqual({ ...folder, other: 'later\n' });
  });

  test('a folder gives way to the file that was there before, and is deleted file by file', async () => {
    const revert = await world.plan({ ...folder, other: 'later\n' }, { before: file, after: folder });
    expect(world.filesAfter(revert)).toEqual({ ...file, other: 'later\n' });
    expect(revert).toMatchObject({
      changes: [
        { path: 'conf/a', deleted: true },
        { path: 'conf/b', deleted: true },
        { path: 'conf', mode: '100644' },
      ],
    });
  });

  test('they conflict when both would stay', async () => {
    const revert = await world.plan({ ...folder, 'conf/c': 'later\n' }, { before: file, after: folder });
    expect(conflictsOf(revert)).toMatchInlineSnapshot(`
      [
        "conf: file-and-folder (later changed, revert changed)",
      ]
    `);
  });
});
