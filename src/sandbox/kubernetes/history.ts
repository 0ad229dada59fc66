/**
 * What a real API server keeps in its watch cache and etcd before compaction: the last writes, so that a watch can go on from an
 * older version and a list in pages can show the state in which it began. What fell out of it is answered with 410.
 */
import type { StoredObject, StoreEvent } from './objects.ts';
import type { ObjectStore } from './store.ts';
import { StoreProblem } from './store-problem.ts';
import { keyOf } from './write-rules.ts';

export class History {
  readonly #store: ObjectStore;
  readonly #eventsMax: number;
  readonly #events: StoreEvent[] = [];
  readonly #stop: () => void;
  #oldest: number;

  /** Follows the store until `close`, remembering the last `eventsMax` writes. */
  constructor(store: ObjectStore, eventsMax: number) {
    this.#store = store;
    this.#eventsMax = eventsMax;
    this.#oldest = store.resourceVersion;
    this.#stop = store.subscribe((event) => this.#remember(event));
  }

  /** The oldest version a watch can begin with. */
  get oldest(): number {
    return this.#oldest;
  }

  /** Writes after a version, oldest first. Throws a StoreProblem 410 in the words of a watch. */
  since(resource: string, version: number): StoreEvent[] {
    if (version < this.#oldest) {
      throw new StoreProblem(410, 'Expired', `too old resource version: ${version} (${this.#oldest})`);
    }
    const events: StoreEvent[] = [];
    for (let index = this.#events.length - 1; index >= 0; index -= 1) {
      const event = this.#events[index]!;
      if (event.resourceVersion <= version) break;
      if (event.resource === resource) events.push(event);
    }
    return events.reverse();
  }

  /** All objects of a resource as they were at a version, in list order; undefined when that is too long ago. */
  snapshot(resource: string, version: number): StoredObject[] | undefined {
    if (version < this.#oldest) return undefined;
    const later = this.since(resource, version);
    if (later.length === 0) return this.#store.list(resource);
    const definition = this.#store.definition(resource);
    const key = ({ metadata }: StoredObject) => keyOf(definition, metadata.namespace ?? '', metadata.name);
    const objects = new Map(this.#store.list(resource).map((object) => [key(object), object]));
    for (const event of later.reverse()) {
      if (event.previous === undefined) objects.delete(key(event.object));
      else objects.set(key(event.previous), event.previous);
    }
    return [...objects].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, object]) => object);
  }

  /** Forgets everything: every older version and every continue token is too old now, as after a compaction. */
  forget(): void {
    this.#events.length = 0;
    this.#oldest = this.#store.resourceVersion;
  }

  close(): void {
    this.#stop();
  }

  #remember(event: StoreEvent): void {
    this.#events.push(event);
    // Cutting in bulk keeps the cost of one write constant.
    if (this.#events.length < this.#eventsMax * 1.25) return;
    const dropped = this.#events.splice(0, this.#events.length - this.#eventsMax);
    this.#oldest = dropped.at(-1)!.resourceVersion;
  }
}
