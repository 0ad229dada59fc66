/** A bound on how much is asked of an API server at the same time, whoever asks. */

export class Limiter {
  readonly #waiting: (() => void)[] = [];
  #free: number;

  constructor(concurrencyMax: number) {
    this.#free = concurrencyMax;
  }

  /** Runs `task` when it is its turn. */
  async run<Result>(task: () => Promise<Result>): Promise<Result> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await task();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#free += 1;
      else next();
    }
  }

  /** `task` for each item, in the order of the items. After a failure nothing new is begun; throws the first one. */
  async map<Item, Result>(
    items: readonly Item[],
    task: (item: Item) => Promise<Result>,
  ): Promise<readonly Result[]> {
    let hasFailed = false;
    const results = items.map((item) =>
      this.run(async () => {
        if (hasFailed) throw new Error('Not begun, because another one has failed.');
        try {
          return await task(item);
        } catch (error) {
          hasFailed = true;
          throw error;
        }
      }),
    );
    return Promise.all(results);
  }
}
