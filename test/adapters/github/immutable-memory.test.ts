import { expect, test, vi } from 'vitest';
import { createImmutableMemory } from '../../../src/adapters/github/immutable-memory.ts';

const weigh = (text: string) => text.length;

test('what was asked once is not asked again', async () => {
  const memory = createImmutableMemory(1_000);
  const ask = vi.fn(async () => 'tree');
  expect(await memory.recall('a', ask, weigh)).toBe('tree');
  expect(await memory.recall('a', ask, weigh)).toBe('tree');
  expect(ask).toHaveBeenCalledTimes(1);
});

test('two who ask at once ask once', async () => {
  const memory = createImmutableMemory(1_000);
  const ask = vi.fn(async () => 'tree');
  await Promise.all([memory.recall('a', ask, weigh), memory.recall('a', ask, weigh)]);
  expect(ask).toHaveBeenCalledTimes(1);
});

test('what is not there today may be there tomorrow', async () => {
  const memory = createImmutableMemory(1_000);
  const ask = vi.fn(async (): Promise<string | null> => null);
  await memory.recall('a', ask, weigh);
  ask.mockResolvedValue('pushed since');
  expect(await memory.recall('a', ask, weigh)).toBe('pushed since');
});

test('a failure is not remembered', async () => {
  const memory = createImmutableMemory(1_000);
  await expect(memory.recall('a', () => Promise.reject(new Error('no')), weigh)).rejects.toThrow('no');
  expect(await memory.recall('a', async () => 'tree', weigh)).toBe('tree');
});

test('what was not used for longest goes first when the room is used up', async () => {
  const memory = createImmutableMemory(40);
  const asked: string[] = [];
  const recall = (key: string) =>
    memory.recall(
      key,
      async () => {
        asked.push(key);
        return '0123456789';
      },
      weigh,
    );
  for (const key of ['a', 'b', 'c', 'd', 'a', 'e', 'a', 'b']) await recall(key);
  expect(asked).toEqual(['a', 'b', 'c', 'd', 'e', 'b']);
});

test('one large thing does not push everything else out', async () => {
  const memory = createImmutableMemory(40);
  const ask = vi.fn(async () => 'small');
  await memory.recall('a', ask, weigh);
  await memory.recall('large', async () => 'x'.repeat(30), weigh);
  await memory.recall('a', ask, weigh);
  expect(ask).toHaveBeenCalledTimes(1);
});
