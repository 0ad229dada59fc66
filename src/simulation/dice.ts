/**
 * All chance of a seed. Each part of a world has dice of its own, named after it, so that one more throw in one place does
 * not change what happens in another.
 */
import { seededRandom } from '../sandbox/argocd/habits.ts';

export interface Dice {
  /** From 0 to less than 1. */
  random(): number;
  /** True with this probability. */
  chance(probability: number): boolean;
  /** A whole number from `least` to `most`, both included. */
  between(least: number, most: number): number;
  /** One of several. Throws when there is none. */
  pick<Value>(all: readonly Value[]): Value;
}

/** Dice of one part of one seed. */
export function diceOf(seed: number, part: string): Dice {
  const random = seededRandom(mixed(seed, part));
  const between = (least: number, most: number): number => least + Math.floor(random() * (most - least + 1));
  return {
    random,
    chance: (probability) => random() < probability,
    between,
    pick(all) {
      if (all.length === 0) throw new Error('There is nothing to pick from.');
      return all[between(0, all.length - 1)]!;
    },
  };
}

/** FNV-1a over the name, begun with the seed. */
function mixed(seed: number, part: string): number {
  let hash = (0x811c9dc5 ^ seed) >>> 0;
  for (const character of part) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  return hash;
}
