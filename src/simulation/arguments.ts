/** What `npm run simulate` is asked for. */

export interface Wish {
  from: number;
  seeds: number;
  /** One seed, told as a story. */
  seed: number | null;
  workers: number;
}

export class ArgumentFault extends Error {}

const usage =
  'Usage: npm run simulate -- [--seeds 500] [--from 0] [--workers 2], or npm run simulate -- --seed 42';

/** Reads the arguments. Throws ArgumentFault with words for whoever typed them. */
export function readArguments(words: readonly string[], processors: number): Wish {
  const wish: Wish = { from: 0, seeds: 500, seed: null, workers: Math.max(1, processors) };
  for (let index = 0; index < words.length; index += 2) {
    const name = words[index]?.replace(/^--/, '') ?? '';
    const value = Number(words[index + 1]);
    const isKnown = name === 'from' || name === 'seeds' || name === 'seed' || name === 'workers';
    if (!isKnown) throw new ArgumentFault(`There is no option "${words[index]}". ${usage}`);
    if (!Number.isSafeInteger(value) || value < (name === 'workers' ? 1 : 0))
      throw new ArgumentFault(
        `--${name} takes a whole number, and not "${words[index + 1] ?? ''}". ${usage}`,
      );
    wish[name] = value;
  }
  return wish;
}
