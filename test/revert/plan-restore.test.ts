import fc from 'fast-check';
import { expect, it } from 'vitest';
import { planRestore } from '../../src/revert/plan-restore.ts';
import { type Files, MemoryRepository } from './memory-repository.ts';

const names = ['a', 'b', 'a/x', 'a/y', 'b/x/deep', 'c/z', 'c/y/one', 'c/y/two'];

/** Files whose names do not stand in each other's way. */
const files: fc.Arbitrary<Files> = fc
  .dictionary(fc.constantFrom(...names), fc.constantFrom('1', '2', '3'))
  .map((all) =>
    Object.fromEntries(
      Object.entries(all).filter(([path]) => !Object.keys(all).some((other) => other.startsWith(`${path}/`))),
    ),
  );

const isBelow = (path: string, folder: string): boolean =>
  folder === '' || path === folder || path.startsWith(`${folder}/`);

async function restored(head: Files, good: Files, paths: readonly string[]): Promise<Record<string, string>> {
  const repository = new MemoryRepository();
  const headTree = repository.write(head);
  const plan = await planRestore(repository, { headTree, goodTree: repository.write(good), paths });
  if (plan.kind === 'nothing') return repository.read(headTree);
  if (plan.kind === 'tree') return repository.read(plan.tree);
  if (plan.kind !== 'changes') throw new Error(`a plan of kind ${plan.kind}`);
  const made = repository.apply(plan.baseTree, plan.changes);
  expect(made, 'the tree that was announced').toBe(plan.tree);
  return repository.read(made);
}

it('puts the paths back and leaves everything else', async () => {
  await fc.assert(
    fc.asyncProperty(
      files,
      files,
      fc.uniqueArray(fc.constantFrom('a', 'b/x', 'c', 'c/y', 'd/e', ''), { minLength: 1 }),
      async (head, good, paths) => {
        const after = await restored(head, good, paths);
        const wanted = (of: Files, isIn: boolean) =>
          Object.entries(of).filter(([path]) => paths.some((folder) => isBelow(path, folder)) === isIn);
        // A file of the head gives way where a folder is put back, and the other way round.
        const expected = new Map(wanted(good, true));
        for (const [path, text] of wanted(head, false))
          if (![...expected.keys()].some((one) => one.startsWith(`${path}/`))) expected.set(path, text);
        for (const [path, text] of expected) expect(after[path]).toBe(text);
        for (const path of Object.keys(after)) expect([...expected.keys()]).toContain(path);
      },
    ),
    { numRuns: 500 },
  );
});

it('says that nothing is to be done where the branch has it so already', async () => {
  const repository = new MemoryRepository();
  const tree = repository.write({ 'apps/pay/config': '1', docs: '2' });
  const plan = await planRestore(repository, {
    headTree: tree,
    goodTree: tree,
    paths: ['apps/pay', 'not/there'],
  });
  expect(plan).toEqual({ kind: 'nothing' });
});

it('says that it cannot read what is not there', async () => {
  const repository = new MemoryRepository();
  const headTree = repository.write({ 'apps/pay/config': '1' });
  const plan = await planRestore(repository, { headTree, goodTree: 'f'.repeat(40), paths: ['apps/pay'] });
  expect(plan).toMatchObject({ kind: 'impossible', problem: { reason: 'missing' } });
});
