import { expect, test } from 'vitest';
import type { TreeEntry } from '../../src/ports.ts';
import { type GitObjects, ObjectProblem, type RevertLimits, usualLimits } from '../../src/revert/objects.ts';
import { planRevert, type RevertPlan } from '../../src/revert/plan-revert.ts';
import { type Files, MemoryRepository } from './memory-repository.ts';

const before: Files = { 'a/x.yaml': 'x: 1\n\ny: 1\n', 'b/y.yaml': 'y: 1\n' };
const after: Files = { ...before, 'a/x.yaml': 'x: 2\n\ny: 1\n' };
const head: Files = { ...before, 'a/x.yaml': 'x: 2\n\ny: 2\n' };

/** The revert of `after` on `head`, read through `objects`. */
function planThrough(
  objects: GitObjects,
  repository: MemoryRepository,
  limits?: RevertLimits,
): Promise<RevertPlan> {
  const suspect = { commit: 's', tree: repository.write(after), firstParentTree: repository.write(before) };
  return planRevert(objects, { headTree: repository.write(head), suspects: [suspect] }, limits);
}

/** The repository, with one answer replaced. */
function withTrees(
  repository: MemoryRepository,
  answer: (id: string, entries: readonly TreeEntry[]) => readonly TreeEntry[],
): GitObjects {
  return {
    readTree: async (id) => answer(id, await repository.readTree(id)),
    readBlob: (id) => repository.readBlob(id),
  };
}

function reasonOf(plan: RevertPlan): string {
  return plan.kind === 'impossible' ? plan.problem.reason : plan.kind;
}

test('in a sound repository the revert is clean', async () => {
  const repository = new MemoryRepository();
  expect((await planThrough(repository, repository)).kind).toBe('changes');
});

test('a tree that is missing makes the revert impossible, and says which', async () => {
  const repository = new MemoryRepository();
  const missing = repository.write({ 'x.yaml': 'x: 2\n\ny: 2\n' });
  const objects: GitObjects = {
    readTree: (id) => {
      if (id === missing) throw new ObjectProblem('missing', id, `There is no tree ${id}.`);
      return repository.readTree(id);
    },
    readBlob: (id) => repository.readBlob(id),
  };
  const plan = await planThrough(objects, repository);
  expect(plan).toMatchObject({ kind: 'impossible', problem: { reason: 'missing', objectId: missing } });
});

test('a blob that is missing makes the revert impossible', async () => {
  const repository = new MemoryRepository();
  const objects: GitObjects = {
    readTree: (id) => repository.readTree(id),
    readBlob: () => repository.readBlob('0'.repeat(40)),
  };
  expect(reasonOf(await planThrough(objects, repository))).toBe('missing');
});

test.each<[string, (entries: readonly TreeEntry[]) => readonly TreeEntry[]]>([
  ['a list that was cut', (entries) => entries.slice(1)],
  [
    'a name that was mangled',
    (entries) => entries.map((entry) => ({ ...entry, name: `${entry.name}\uFFFD` })),
  ],
  ['a name with a slash', (entries) => entries.map((entry) => ({ ...entry, name: `../${entry.name}` }))],
  ['the same name twice', (entries) => [...entries, ...entries]],
  [
    'an unknown mode',
    (entries) => entries.map((entry) => ({ ...entry, mode: '100664' as TreeEntry['mode'] })),
  ],
  ['no entries at all', () => []],
])('%s is noticed, because the tree no longer fits its id', async (_, spoil) => {
  const repository = new MemoryRepository();
  expect(
    reasonOf(
      await planThrough(
        withTrees(repository, (_id, entries) => spoil(entries)),
        repository,
      ),
    ),
  ).toBe('broken');
});

test('a tree that contains itself cannot keep the walk busy', async () => {
  const repository = new MemoryRepository();
  const objects = withTrees(repository, (id) => [{ name: 'again', mode: '040000', id }]);
  expect(reasonOf(await planThrough(objects, repository))).toBe('broken');
});

test('content that does not fit its id is noticed', async () => {
  const repository = new MemoryRepository();
  const objects: GitObjects = {
    readTree: (id) => repository.readTree(id),
    readBlob: async (id) => Buffer.concat([await repository.readBlob(id), Buffer.from('more\n')]),
  };
  expect(reasonOf(await planThrough(objects, repository))).toBe('broken');
});

test('folders may not lie too deep', async () => {
  const repository = new MemoryRepository();
  const path = `${'d/'.repeat(150)}x`;
  const [good, bad, now] = ['1\n\n1\n', '2\n\n1\n', '2\n\n2\n'].map((text) =>
    repository.write({ [path]: text }),
  );
  const suspects = [{ commit: 's', tree: bad!, firstParentTree: good! }];
  expect(reasonOf(await planRevert(repository, { headTree: now!, suspects }))).toBe('too-deep');
});

test('a plan reads only so many objects', async () => {
  const repository = new MemoryRepository();
  expect(reasonOf(await planThrough(repository, repository, { ...usualLimits, treesMax: 3 }))).toBe(
    'too-many',
  );
  expect(reasonOf(await planThrough(repository, repository, { ...usualLimits, blobsMax: 1 }))).toBe(
    'too-many',
  );
});

test('looking for moved files ends', async () => {
  const repository = new MemoryRepository();
  const files = (name: string, word: string): Files =>
    Object.fromEntries(
      Array.from({ length: 30 }, (_, index) => [`${name}/${word}${index}`, `${word}\n${index}\n`]),
    );
  const good = repository.write(files('old', 'a'));
  const bad = repository.write(
    Object.fromEntries(Object.entries(files('old', 'a')).map(([path, text]) => [path, `${text}bad\n`])),
  );
  const now = repository.write(files('new', 'b'));
  const suspects = [{ commit: 's', tree: bad, firstParentTree: good }];
  const plan = await planRevert(
    repository,
    { headTree: now, suspects },
    { ...usualLimits, linesComparedMax: 1000 },
  );
  expect(reasonOf(plan)).toBe('too-many');
});

test('a file too large to merge is a conflict, and is still taken whole', async () => {
  const repository = new MemoryRepository();
  const limits = { ...usualLimits, blobBytesMax: 8 };
  const plan = await planThrough(repository, repository, limits);
  expect(plan).toMatchObject({ kind: 'conflict', conflicts: [{ path: 'a/x.yaml', why: 'too-large' }] });

  const suspects = [
    { commit: 's', tree: repository.write(after), firstParentTree: repository.write(before) },
  ];
  const headTree = repository.write({ ...after, 'a/z.yaml': 'z\n' });
  expect(await planRevert(repository, { headTree, suspects }, limits)).toMatchObject({
    kind: 'changes',
    changes: [{ path: 'a/x.yaml' }],
  });
});

test('what the network throws is not swallowed', async () => {
  const repository = new MemoryRepository();
  const objects: GitObjects = {
    readTree: () => Promise.reject(new Error('connection reset')),
    readBlob: () => Promise.reject(new Error('connection reset')),
  };
  await expect(planThrough(objects, repository)).rejects.toThrow('connection reset');
});
