/** A law that nothing breaks proves nothing: each deliberate mistake is caught, by the seed that is known to catch it or by one near. */
import { describe, expect, it } from 'vitest';
import { laws } from '../../src/simulation/laws/all.ts';
import { mistakes } from '../../src/simulation/mistakes/all.ts';
import { runSeed } from '../../src/simulation/run-seed.ts';

/** One more call anywhere is another throw of the dice: a known seed may move, and then it is found again within so many. */
const searchedMax = 60;

const caught = mistakes.filter((mistake) => mistake.seed !== null);

describe.each(caught)('$name', (mistake) => {
  it(mistake.about, { timeout: 20 * 60_000 }, async () => {
    for (let tried = 0; tried < searchedMax; tried += 1) {
      const seed = tried === 0 ? (mistake.seed ?? 0) : tried - 1;
      const { broken } = await runSeed(seed, { mistake });
      // What a look after a restart writes is known of the product itself, so it proves another mistake only where it is meant.
      const isProof =
        broken !== null && (broken.law !== 'settles-after-restart' || broken.law === mistake.law);
      if (!isProof || (await runSeed(seed)).broken !== null) continue;
      expect(broken.how).not.toBe('');
      return;
    }
    expect.fail(`No seed below ${searchedMax} catches it.`);
  });
});

it('each says which law it breaks', () => {
  const names = [...laws.map((law) => law.name), 'settles', 'settles-after-restart'];
  expect(mistakes.map(({ law }) => law).filter((law) => !names.includes(law))).toEqual([]);
});
