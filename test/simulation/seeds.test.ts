/** Seeds of the simulation: the same seed is the same world, and the laws hold in all of them. */
import { availableParallelism } from 'node:os';
import { expect, it } from 'vitest';
import { runSeed } from '../../src/simulation/run-seed.ts';
import { simulate } from '../../src/simulation/simulate.ts';
import { printStory } from '../../src/simulation/story.ts';
import { replayCommand } from '../../src/simulation/table.ts';

it('plays the same seed in the same way', async () => {
  const [one, other] = [await runSeed(7, { isTold: true }), await runSeed(7, { isTold: true })];
  expect(printStory(other.story)).toBe(printStory(one.story));
  expect({ ...other, story: [] }).toEqual({ ...one, story: [] });
});

it('tells a story of people and of Stepback', async () => {
  const { story } = await runSeed(0, { isTold: true });
  const who = new Set(story.map((line) => line.who.replace(/-\d+$/, '')));
  expect([...who]).toEqual(expect.arrayContaining(['stepback', 'world']));
});

/** So many in every build; `npm run simulate` plays as many as anybody likes. */
const seeds = Number(process.env.STEPBACK_SEEDS ?? 500);

it('holds every law in every seed', { timeout: 60 * 60_000 }, async () => {
  const outcomes = await simulate({ from: 0, seeds, workers: availableParallelism(), mistake: '' });
  // A render error is judged anew after a restart, because what the branch held before it is not kept: what is written then is known.
  const broken = outcomes.flatMap(({ seed, broken: how }) =>
    how === null || how.law === 'settles-after-restart'
      ? []
      : [`${how.law}: ${how.how}. ${replayCommand(seed, '')}`],
  );
  expect(outcomes).toHaveLength(seeds);
  expect(broken).toEqual([]);
});
