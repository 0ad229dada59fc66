/**
 * What never changes need not be asked twice: commits, trees and blobs are named by their content. The memory is
 * bounded by what it holds, not by how many things it holds, because one tree can be as large as a thousand; what
 * was not used for longest goes first.
 */

export interface ImmutableMemory {
  /**
   * The value of `key`, from memory or from `ask`. Two at once ask once. Null is not remembered: what is not there
   * today may be pushed tomorrow. Throws what `ask` throws.
   */
  recall<Value>(
    key: string,
    ask: () => Promise<Value>,
    weigh: (value: NonNullable<Value>) => number,
  ): Promise<Value>;
}

/** Holds values up to `weightMax` in all (about bytes); a value heavier than a quarter of that is not kept. */
export function createImmutableMemory(weightMax: number): ImmutableMemory {
  const kept = new Map<string, { value: unknown; weight: number }>();
  const asked = new Map<string, Promise<unknown>>();
  let weightInAll = 0;

  function keep(key: string, value: unknown, weight: number): void {
    if (weight > weightMax / 4) return;
    kept.set(key, { value, weight });
    weightInAll += weight;
    for (const [oldestKey, oldest] of kept) {
      if (weightInAll <= weightMax) return;
      kept.delete(oldestKey);
      weightInAll -= oldest.weight;
    }
  }

  return {
    async recall<Value>(
      key: string,
      ask: () => Promise<Value>,
      weigh: (value: NonNullable<Value>) => number,
    ) {
      const found = kept.get(key);
      if (found !== undefined) {
        kept.delete(key);
        kept.set(key, found);
        return found.value as Value;
      }
      const pending = asked.get(key) as Promise<Value> | undefined;
      if (pending !== undefined) return pending;
      const asking = ask()
        .then((value) => {
          if (value !== null && value !== undefined) keep(key, value, weigh(value));
          return value;
        })
        .finally(() => asked.delete(key));
      asked.set(key, asking);
      return asking;
    },
  };
}
