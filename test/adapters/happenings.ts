/** Waiting for something to become true, woken by what happens and never by time. */
export class Happenings {
  readonly #waiting = new Set<() => void>();

  /** Something happened: whoever waits looks again. */
  happened(): void {
    for (const wake of [...this.#waiting]) wake();
  }

  async until(condition: () => boolean): Promise<void> {
    while (!condition()) {
      await new Promise<void>((resolve) => {
        const wake = () => {
          this.#waiting.delete(wake);
          resolve();
        };
        this.#waiting.add(wake);
      });
    }
  }
}
