/**
 * What is known of one kind of object, by key, and what changed. Lists, events, repeated events and late ones all end
 * here, so what is told further on is only what is new: an older state never replaces a newer one, and an
 * object that was made again under the same name is another object (KW10).
 */
import type { ObjectKey } from '../../domain/objects.ts';
import { isOlderVersion } from './versions.ts';

export interface Indexed {
  key: ObjectKey;
  uid: string;
  resourceVersion: string;
}

/** `before` null: it is new. `after` null: it is gone. */
export type OnChange<Item> = (before: Item | null, after: Item | null) => void;

export class ObjectIndex<Item extends Indexed> {
  readonly #items = new Map<ObjectKey, Item>();
  readonly #onChange: OnChange<Item>;

  constructor(onChange: OnChange<Item>) {
    this.#onChange = onChange;
  }

  get items(): ReadonlyMap<ObjectKey, Item> {
    return this.#items;
  }

  get(key: ObjectKey): Item | undefined {
    return this.#items.get(key);
  }

  /**
   * A whole list of `namespace` (null: of all). What is not in it is gone, also what was deleted while nobody
   * looked. The list is the truth, also where its versions are older: a cluster can be set back to an earlier state.
   */
  replace(namespace: string | null, items: readonly Item[]): void {
    const listed = new Map(items.map((item) => [item.key, item]));
    const prefix = namespace === null ? '' : `${namespace}/`;
    for (const [key, before] of this.#items) {
      if (!key.startsWith(prefix) || listed.has(key)) continue;
      this.#items.delete(key);
      this.#onChange(before, null);
    }
    for (const [key, item] of listed) {
      const before = this.#items.get(key) ?? null;
      this.#items.set(key, item);
      const isSame =
        before !== null && before.uid === item.uid && before.resourceVersion === item.resourceVersion;
      if (!isSame) this.#onChange(before, item);
    }
  }

  /** One object as an event tells it. Repeated and late events change nothing. */
  changed(item: Item): void {
    const before = this.#items.get(item.key) ?? null;
    if (before !== null) {
      if (isOlderVersion(item.resourceVersion, before.resourceVersion)) return;
      if (before.uid === item.uid && before.resourceVersion === item.resourceVersion) return;
    }
    this.#items.set(item.key, item);
    this.#onChange(before, item);
  }

  /** One object that is gone; a newer object of the same name stays. */
  deleted(item: Indexed): void {
    const before = this.#items.get(item.key);
    if (before === undefined || before.uid !== item.uid) return;
    this.#items.delete(item.key);
    this.#onChange(before, null);
  }
}
