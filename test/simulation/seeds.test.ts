/** Seeds of the simulation: the same seed is the same world, and the laws hold in all of them. */
import { expect, it } from 'vitest';
import { runSeed } from '../../src/simulation/run-seed.ts';
import { printStory } from '../../src/simulation/story.ts';

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
