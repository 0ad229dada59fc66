/** What the tracked branches hold, while GitHub answers with what was there a moment ago. */
import { expect, it } from 'vitest';
import { openHeads } from '../../src/loop/heads.ts';
import type { Forge, Repository } from '../../src/ports.ts';
import { TestClock } from '../adapters/test-clock.ts';

const repository: Repository = { host: 'github.com', owner: 'acme', name: 'shop' };
const [older, newer, newest] = ['1', '2', '3'].map((digit) => digit.repeat(40)) as [string, string, string];
const line = [older, newer, newest];
const source = {
  repoURL: 'https://github.com/acme/shop.git',
  path: 'apps',
  targetRevision: 'main',
  chart: null,
};
const applications = [{ sources: [source] }] as never;
const fiveMinutesMs = 5 * 60_000;

/** A branch, and what a look at it is answered. */
function branch() {
  const clock = new TestClock();
  const told = { sha: older, looks: 0 };
  const forge = {
    repositoryOf: () => repository,
    async branchHead() {
      told.looks += 1;
      return { sha: told.sha, committedAt: clock.now() - 3_600_000 };
    },
    async range(_: unknown, base: string, head: string) {
      const mergeBase = line.indexOf(base) < line.indexOf(head) ? base : head;
      return { mergeBase, commits: [] };
    },
  };
  const heads = openHeads(forge as unknown as Forge, clock);
  const head = async (): Promise<string | undefined> =>
    (await heads.of(applications, fiveMinutesMs)).at(-1)?.sha;
  return { clock, told, heads, head };
}

it('believes a push that was announced, and asks again, when the answer is from before it', async () => {
  const { clock, told, heads, head } = branch();
  heads.announce(repository, 'main', newer);
  expect(await head()).toBe(newer);
  clock.advance(10_000);
  expect(await head()).toBe(newer);
  told.sha = newer;
  expect(await head()).toBe(newer);
  const { looks } = told;
  expect(await head()).toBe(newer);
  expect(told.looks, 'it was looked at by now').toBe(looks);
});

it('believes the answer when it is newer than what was announced', async () => {
  const { told, heads, head } = branch();
  expect(await head()).toBe(older);
  told.sha = newest;
  heads.announce(repository, 'main', newer);
  expect(await head()).toBe(newest);
});

it('believes an answer from before it in the end, because a branch can be reset', async () => {
  const { clock, heads, head } = branch();
  heads.announce(repository, 'main', newer);
  expect(await head()).toBe(newer);
  clock.advance(61_000);
  expect(await head()).toBe(older);
});
