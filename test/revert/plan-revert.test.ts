import { beforeEach, describe, expect, test } from 'vitest';
import { commitsInTheWay } from '../../src/revert/blame-conflicts.ts';
import type { PathConflict } from '../../src/revert/places.ts';
import { planRevert } from '../../src/revert/plan-revert.ts';
import { bad, conflictsOf, healthy, RevertWorld } from './revert-world.ts';

let world: RevertWorld;

beforeEach(() => {
  world = new RevertWorld();
});

describe('the usual case', () => {
  test('one suspect at the head is known without reading anything', async () => {
    const revert = await world.plan(bad, { before: healthy, after: bad });
    expect(revert).toEqual({ kind: 'tree', tree: world.repository.write(healthy) });
    expect(world.repository.reads).toEqual([]);
  });

  test('a whole range is one merge with last good', async () => {
    const headTree = world.repository.write({ ...bad, 'docs/readme.md': 'Read me not.\n' });
    const suspects = [{ commit: 'b', tree: headTree, firstParentTree: world.repository.write(bad) }];
    const wholeRange = world.repository.write(healthy);
    expect(await planRevert(world.repository, { headTree, suspects, wholeRange })).toEqual({
      kind: 'tree',
      tree: wholeRange,
    });
    expect(world.repository.reads).toEqual([]);
  });

  test('a later commit elsewhere costs one look at each root, and the folder is taken whole', async () => {
    const revert = await world.plan(
      { ...bad, 'docs/readme.md': 'Later.\n' },
      { before: healthy, after: bad },
    );
    expect(world.repository.reads).toHaveLength(3);
    expect(revert).toMatchObject({ kind: 'changes', changes: [{ path: 'apps', mode: '040000' }] });
    expect(world.filesAfter(revert)).toEqual({ ...healthy, 'docs/readme.md': 'Later.\n' });
  });

  test('a later commit in the same folder is kept, line by line', async () => {
    const head = { ...bad, 'apps/shop/dev/values.yaml': 'image: v2\n\nreplicas: 3\n' };
    const revert = await world.plan(head, { before: healthy, after: bad });
    expect(revert).toMatchObject({ changes: [{ path: 'apps/shop/dev/values.yaml', mode: '100644' }] });
    expect(world.filesAfter(revert)).toEqual({
      ...healthy,
      'apps/shop/dev/values.yaml': 'image: v1\n\nreplicas: 3\n',
    });
  });

  test('nothing is left to do when somebody took it back already', async () => {
    const revert = await world.plan(
      { ...healthy, 'docs/readme.md': 'Later.\n' },
      { before: healthy, after: bad },
    );
    expect(revert).toEqual({ kind: 'nothing' });
  });

  test('no suspect is a mistake of the caller', async () => {
    await expect(world.plan(bad)).rejects.toThrow('at least one suspect');
  });
});

test('several suspects come off newest first, and innocent commits between them stay', async () => {
  const first = { before: healthy, after: bad };
  const innocent = { ...bad, 'docs/readme.md': 'Innocent.\n' };
  const worse = { ...innocent, 'apps/shop/dev/values.yaml': 'image: v3\n\nreplicas: 2\n' };
  const head = { ...worse, 'apps/shop/prod/values.yaml': 'image: v1\n\nreplicas: 9\n' };
  const revert = await world.plan(head, { before: innocent, after: worse }, first);
  expect(world.filesAfter(revert)).toEqual({
    ...healthy,
    'docs/readme.md': 'Innocent.\n',
    'apps/shop/prod/values.yaml': 'image: v1\n\nreplicas: 9\n',
  });
});

test('a conflict names both sides, and the later commits that touched the path', async () => {
  const head = { ...bad, 'apps/shop/dev/values.yaml': 'image: v3\n\nreplicas: 2\n' };
  const revert = await world.plan({ ...head, 'docs/readme.md': 'Later.\n' }, { before: healthy, after: bad });
  expect(conflictsOf(revert)).toEqual([
    'apps/shop/dev/values.yaml: same-lines (later changed, revert changed)',
  ]);
  if (revert.kind !== 'conflict') return;
  const trees = [bad, head, { ...head, 'docs/readme.md': 'Later.\n' }].map((files) =>
    world.repository.write(files),
  );
  const later = [
    { commit: 'docs', tree: trees[2]!, firstParentTree: trees[1]! },
    { commit: 'updater', tree: trees[1]!, firstParentTree: trees[0]! },
  ];
  expect(await commitsInTheWay(world.repository, revert.conflicts, later)).toEqual(
    new Map([['apps/shop/dev/values.yaml', ['updater']]]),
  );
});

test('a commit that moved the file is in the way of the file', async () => {
  const { 'base/deploy.yaml': deploy, ...others } = healthy;
  const broken = { ...healthy, 'base/deploy.yaml': String(deploy).replace('false', 'true') };
  const moved = { ...others, 'lib/deploy.yaml': broken['base/deploy.yaml'] };
  const fixed = { ...others, 'lib/deploy.yaml': String(deploy).replace('false', '"no"') };
  const revert = await world.plan(fixed, { before: healthy, after: broken });
  expect(conflictsOf(revert)).toEqual(['lib/deploy.yaml: same-lines (later moved, revert changed)']);
  if (revert.kind !== 'conflict') return;
  const [first, second, third] = [broken, moved, fixed].map((files) => world.repository.write(files));
  const later = [
    { commit: 'fix', tree: third!, firstParentTree: second! },
    { commit: 'move', tree: second!, firstParentTree: first! },
  ];
  expect(await commitsInTheWay(world.repository, revert.conflicts, later)).toEqual(
    new Map([['lib/deploy.yaml', ['fix', 'move']]]),
  );
});

test('a commit that only touched the old name is in the way too', async () => {
  const trees = ['one', 'two'].map((text) => world.repository.write({ 'old.yaml': text, 'new.yaml': 'x' }));
  const conflict: PathConflict = {
    path: 'new.yaml',
    why: 'moved-and-deleted',
    later: 'moved',
    revert: 'deleted',
    related: ['old.yaml'],
  };
  const later = [{ commit: 'edit', tree: trees[1]!, firstParentTree: trees[0]! }];
  expect(await commitsInTheWay(world.repository, [conflict], later)).toEqual(
    new Map([['new.yaml', ['edit']]]),
  );
});
