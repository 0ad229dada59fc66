/**
 * What survives a restart, kept in the ledger: one memory an ApplicationSet and every incident. Written only when
 * something changed that would be missed, and fenced by the version that was read: when somebody else wrote
 * meanwhile, the look is thrown away and made again.
 */
import { digestOf } from '../domain/digest.ts';
import type { Incident } from '../domain/incident.ts';
import type { ObjectKey } from '../domain/objects.ts';
import { packMemory, type StoredMemory, unpackMemory } from '../domain/stored-memory.ts';
import { emptyStageMemory, type StageMemory } from '../domain/watcher.ts';
import type { Ledger, Stored } from '../ports.ts';
import { WorldProblem } from '../ports.ts';

export interface Memories {
  memory(key: ObjectKey): Promise<StageMemory>;
  /** Throws a transient WorldProblem when another replica was faster. */
  saveMemory(key: ObjectKey, memory: StageMemory): Promise<void>;
  forget(key: ObjectKey): void;
  /** Everything is read again: another replica may have written meanwhile. */
  forgetAll(): void;
  incidents(): Promise<readonly Incident[]>;
  saveIncident(incident: Incident): Promise<void>;
}

interface Held {
  version: string | null;
  value: StageMemory;
  essence: string;
}

export function openMemories(ledger: Ledger<StoredMemory, Incident>): Memories {
  const memories = new Map<ObjectKey, Held>();
  let incidents: Map<string, Stored<Incident>> | null = null;

  async function load(): Promise<Map<string, Stored<Incident>>> {
    incidents ??= new Map((await ledger.incidents()).map((stored) => [stored.value.id, stored]));
    return incidents;
  }

  return {
    async memory(key) {
      const held = memories.get(key);
      if (held !== undefined) return held.value;
      const stored = await ledger.memory(key);
      // What cannot be read (of another version, or edited) is lost: history is the first guess again.
      const value = unpackMemory(stored?.value ?? null) ?? emptyStageMemory;
      memories.set(key, {
        version: stored?.version ?? null,
        value,
        essence: stored === null ? '' : essenceOf(value),
      });
      return value;
    },
    async saveMemory(key, value) {
      const held = memories.get(key);
      const essence = essenceOf(value);
      if (held !== undefined && held.essence === essence) {
        memories.set(key, { ...held, value });
        return;
      }
      const version = await ledger.saveMemory(key, packMemory(value), held?.version ?? null);
      if (version === 'conflict') {
        memories.delete(key);
        throw new WorldProblem('transient', `Another replica wrote the ledger of ${key}. I look again.`);
      }
      memories.set(key, { version, value, essence });
    },
    forget: (key) => void memories.delete(key),
    forgetAll() {
      memories.clear();
      incidents = null;
    },
    async incidents() {
      return [...(await load()).values()].map((stored) => stored.value);
    },
    async saveIncident(incident) {
      const known = await load();
      const before = known.get(incident.id) ?? null;
      if (before !== null && sayingOf(before.value) === sayingOf(incident)) {
        known.set(incident.id, { ...before, value: incident });
        return;
      }
      const version = await ledger.saveIncident(incident.id, incident, before?.version ?? null);
      if (version === 'conflict') {
        incidents = null;
        throw new WorldProblem('transient', `Another replica wrote incident ${incident.id}. I look again.`);
      }
      known.set(incident.id, { value: incident, version });
    },
  };
}

/** What would be missed of an incident after a restart: not the moments at which it was looked at. */
function sayingOf(incident: Incident): string {
  return JSON.stringify({ ...incident, sets: incident.sets.map((set) => ({ ...set, lookedAt: 0 })) });
}

/** A digest of what would be missed after a restart: not the moment of the last look, nor of the last comparison. */
function essenceOf(memory: StageMemory): string {
  const applications = Object.entries(memory.applications).map(([key, one]) => [
    key,
    one.uid,
    one.running === null ? null : { ...one.running, at: 0 },
    one.contents.map((record) => ({
      ...record,
      healthyUntil: 0,
      degraded: record.degraded === null ? null : { ...record.degraded, lastedMs: 0, endedAt: 0 },
    })),
    one.trouble,
    one.failedSync,
    one.operation?.startedAt ?? null,
  ]);
  const said = [applications, memory.followed, memory.orders, memory.checks.commits];
  return digestOf(JSON.stringify(said, inOneOrder));
}

/** What was read from the ledger has its fields in another order than what a look made, and says the same. */
function inOneOrder(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
}
