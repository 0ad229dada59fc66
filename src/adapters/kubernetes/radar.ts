/**
 * Every Application as a row, and which ApplicationSet owns it. One event costs the same whatever the size of the
 * fleet: it touches its own row and the rows' index of at most two ApplicationSets.
 */
import type { ApplicationRow, ObjectKey } from '../../domain/objects.ts';
import { ObjectIndex } from './object-index.ts';

export class Radar {
  readonly index: ObjectIndex<ApplicationRow>;
  readonly #bySet = new Map<ObjectKey, Map<ObjectKey, ApplicationRow>>();
  readonly #onNudge: (applicationSet: ObjectKey) => void;

  /** `onNudge` is called with the key of each ApplicationSet to which something happened, old owner and new. */
  constructor(onNudge: (applicationSet: ObjectKey) => void) {
    this.#onNudge = onNudge;
    this.index = new ObjectIndex((before, after) => this.#changed(before, after));
  }

  /** The rows of one ApplicationSet, in no order. */
  rows(applicationSet: ObjectKey): readonly ApplicationRow[] {
    return [...(this.#bySet.get(applicationSet)?.values() ?? [])];
  }

  #changed(before: ApplicationRow | null, after: ApplicationRow | null): void {
    const oldOwner = before === null ? null : ownerKey(before);
    const newOwner = after === null ? null : ownerKey(after);
    if (oldOwner !== null && oldOwner !== newOwner) this.#remove(oldOwner, before?.key ?? '');
    if (newOwner !== null && after !== null) this.#add(newOwner, after);
    if (oldOwner !== null) this.#onNudge(oldOwner);
    if (newOwner !== null && newOwner !== oldOwner) this.#onNudge(newOwner);
  }

  #add(owner: ObjectKey, row: ApplicationRow): void {
    const rows = this.#bySet.get(owner);
    if (rows === undefined) this.#bySet.set(owner, new Map([[row.key, row]]));
    else rows.set(row.key, row);
  }

  #remove(owner: ObjectKey, key: ObjectKey): void {
    const rows = this.#bySet.get(owner);
    rows?.delete(key);
    if (rows?.size === 0) this.#bySet.delete(owner);
  }
}

/** Owner references stay inside a namespace, so the ApplicationSet is in the Application's own. */
export function ownerKey(row: Pick<ApplicationRow, 'key' | 'owner'>): ObjectKey | null {
  // The name in an owner reference is not validated by the API; one with a slash would be somebody else's key.
  if (row.owner === null || row.owner.name === '' || row.owner.name.includes('/')) return null;
  return `${row.key.slice(0, row.key.indexOf('/'))}/${row.owner.name}`;
}
