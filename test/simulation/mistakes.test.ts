/** A law that nothing breaks proves nothing: each has a deliberate mistake that breaks it, in the seed that is known to show it or one near. */
import { describe, expect, it } from 'vitest';
import { laws } from '../../src/simulation/laws/all.ts';
import { mistakes } from '../../src/simulation/mistakes/all.ts';
import { runSeed } from '../../src/simulation/run-seed.ts';
import { endings } from '../../src/simulation/table.ts';

/** One more call anywhere is another throw of the dice: a known seed may move, and then one is found within so many. */
const searchedMax = 200;

describe.each(mistakes)('$name', (mistake) => {
  it(mistake.about, { timeout: 20 * 60_000 }, async () => {
    const near = Array.from({ length: searchedMax }, (_, index) => index);
    for (const seed of [mistake.seed, ...near]) {
      const { broken } = await runSeed(seed, { mistake });
      if (broken?.law !== mistake.law) continue;
      // What the product itself breaks is no proof.
      if ((await runSeed(seed)).broken?.law === mistake.law) continue;
      expect(broken.how).not.toBe('');
      return;
    }
    expect.fail(
      `Neither seed ${mistake.seed} nor one below ${searchedMax} shows that it breaks ${mistake.law}.`,
    );
  });
});

it('shows of every law that it bites', () => {
  const broken = new Set(mistakes.map(({ law }) => law));
  const all = [...laws, ...endings].map(({ name }) => name);
  expect(all.filter((name) => !broken.has(name))).toEqual([]);
  expect([...broken].filter((name) => !all.includes(name))).toEqual([]);
});

it('knows a seed below 500 for each', () => {
  expect(mistakes.filter(({ seed }) => seed >= 500).map(({ name }) => name)).toEqual([]);
});
