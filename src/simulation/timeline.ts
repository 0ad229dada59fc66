/**
 * Values that change, with what they were before: a GitHub that answers from a replica answers with what was true a moment ago.
 */

interface Change<Value> {
  at: number;
  /** Undefined: it was taken away. */
  value: Value | undefined;
}

export class Timeline<Key, Value> {
  readonly #changes = new Map<Key, Change<Value>[]>();

  /** Sets a value, or takes it away. */
  set(key: Key, value: Value | undefined, at: number): void {
    const changes = this.#changes.get(key);
    if (changes === undefined) this.#changes.set(key, [{ at, value }]);
    else changes.push({ at, value });
  }

  /** The value as it was at that time; as it is now when none is given. */
  get(key: Key, asOf = Number.POSITIVE_INFINITY): Value | undefined {
    return this.#changes.get(key)?.findLast((change) => change.at <= asOf)?.value;
  }

  /** All values of that time, in the order in which their keys were first set. */
  all(asOf = Number.POSITIVE_INFINITY): Value[] {
    return [...this.#changes.keys()].map((key) => this.get(key, asOf)).filter((value) => value !== undefined);
  }

  /** Every key that was ever set. */
  keys(): Key[] {
    return [...this.#changes.keys()];
  }
}
