/**
 * A ledger in memory, fenced as the one of custom resources is: what is written must be written over what was read. Values
 * are kept as text, so nobody shares an object with anybody and only JSON survives.
 */
import type { ObjectKey } from '../domain/objects.ts';
import type { Ledger, Stored } from '../ports.ts';

interface Kept {
  text: string;
  version: string;
}

export class MemoryLedger<Memory, Incident> implements Ledger<Memory, Incident> {
  readonly #memories = new Map<ObjectKey, Kept>();
  readonly #incidents = new Map<string, Kept>();
  #version = 0;

  async memory(applicationSet: ObjectKey): Promise<Stored<Memory> | null> {
    const kept = this.#memories.get(applicationSet);
    return kept === undefined ? null : storedOf<Memory>(kept);
  }

  async saveMemory(
    applicationSet: ObjectKey,
    value: Memory,
    version: string | null,
  ): Promise<string | 'conflict'> {
    return this.#save(this.#memories, applicationSet, value, version);
  }

  async incidents(): Promise<readonly Stored<Incident>[]> {
    return [...this.#incidents.keys()].sort().map((id) => storedOf<Incident>(this.#incidents.get(id)!));
  }

  async saveIncident(id: string, value: Incident, version: string | null): Promise<string | 'conflict'> {
    return this.#save(this.#incidents, id, value, version);
  }

  async forgetIncident(id: string): Promise<void> {
    this.#incidents.delete(id);
  }

  /** Somebody labels an object, or all of this name: its value stays, and its version does not. False when there is none. */
  touch(key: string): boolean {
    let isThere = false;
    for (const place of [this.#memories, this.#incidents]) {
      const kept = place.get(key);
      if (kept === undefined) continue;
      isThere = true;
      this.#version += 1;
      place.set(key, { ...kept, version: String(this.#version) });
    }
    return isThere;
  }

  /** As when somebody deletes the custom resources. */
  lose(what: 'incidents' | 'memories' | 'everything'): void {
    if (what !== 'incidents') this.#memories.clear();
    if (what !== 'memories') this.#incidents.clear();
  }

  #save(place: Map<string, Kept>, key: string, value: unknown, version: string | null): string | 'conflict' {
    if ((place.get(key)?.version ?? null) !== version) return 'conflict';
    this.#version += 1;
    place.set(key, { text: JSON.stringify(value), version: String(this.#version) });
    return String(this.#version);
  }
}

function storedOf<Value>({ text, version }: Kept): Stored<Value> {
  return { value: JSON.parse(text) as Value, version };
}
