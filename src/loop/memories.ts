/**
 * What survives a restart, kept in the ledger: one memory an ApplicationSet and every incident. Written only when
 * something changed that would be missed, and fenced by the version that was read: when somebody else wrote
 * meanwhile, the look is thrown away and made again.
 */
import { digestOf } from '../domain/digest.ts';
import { bytesOf, fitIncident } from '../domain/fit-incident.ts';
import { type Incident, isOpen } from '../domain/incident.ts';
import type { ObjectKey } from '../domain/objects.ts';
import { toForget } from '../domain/retention.ts';
import { packMemory, type StoredMemory } from '../domain/stored-memory.ts';
import { unpackMemory } from '../domain/unpack-memory.ts';
import { emptyStageMemory, type StageMemory } from '../domain/watcher.ts';
import type { Ledger } from '../ports.ts';
import { WorldProblem } from '../ports.ts';

export interface Memories {
  memory(key: ObjectKey): Promise<StageMemory>;
  /**
   * As a look begins, and never within one: what somebody else may have written since is read again. What waits for its batch is
   * worth more than what another look made of the same.
   */
  freshen(key: ObjectKey): void;
  /**
   * In how many milliseconds it will be written, null when it is: that of a large ApplicationSet, which changes all the time
   * while it rolls, is written in batches. Throws a transient WorldProblem when another replica was faster.
   */
  saveMemory(key: ObjectKey, memory: StageMemory, now: number): Promise<number | null>;
  /** Writes what is not written yet; of all when no key is given. Throws as `saveMemory`. */
  flush(key?: ObjectKey): Promise<void>;
  /** Writes it again where somebody took it away while nothing changed. Asks the ledger now and then alone. Throws as `saveMemory`. */
  keepThere(key: ObjectKey, now: number): Promise<void>;
  forget(key: ObjectKey): void;
  /** Everything is read again: another replica may have written meanwhile. */
  forgetAll(): void;
  /** The incidents are read again. Never while a look is under way, which would write over what it has not seen. */
  readIncidentsAgain(): Promise<void>;
  incidents(): Promise<readonly Incident[]>;
  saveIncident(incident: Incident): Promise<void>;
  /** Cuts the incidents that are over by age and count; gives how many. */
  forgetOld(now: number): Promise<number>;
}

interface Held {
  version: string | null;
  value: StageMemory;
  /** Of what was written last. */
  essence: string;
  writtenAt: number;
  /** It is not written as it is now: it waits for its batch. */
  isHeldBack: boolean;
}

/** `saying`: what would be missed of it, as it was written last; that of hundreds of ApplicationSets is long, and not made twice. */
interface KeptIncident {
  value: Incident;
  /** Null when somebody took it away: it is written anew. */
  version: string | null;
  saying: string;
}

/** A memory of some hundred Applications is small; one of thousands has a megabyte. */
const smallMax = 300;
const batchMs = 15_000;
/** How often it is asked whether what nobody changes is still there. */
const thereMs = 10 * 60_000;

/** `onOthers`: told whenever it shows that somebody else wrote the ledger meanwhile, so what else is known may be old as well. */
export function openMemories(
  ledger: Ledger<StoredMemory, Incident>,
  onOthers: () => void = () => {},
): Memories {
  const memories = new Map<ObjectKey, Held>();
  const askedAt = new Map<ObjectKey, number>();
  /** Another replica showed since they were read or written. */
  const doubtful = new Set<ObjectKey>();
  let incidents: Map<string, KeptIncident> | null = null;

  function others(): void {
    for (const key of memories.keys()) doubtful.add(key);
    onOthers();
  }

  async function load(): Promise<Map<string, KeptIncident>> {
    incidents ??= await read();
    return incidents;
  }

  async function read(): Promise<Map<string, KeptIncident>> {
    const stored = await ledger.incidents();
    return new Map(stored.map((one) => [one.value.id, { ...one, saying: sayingOf(one.value) }]));
  }

  /** What is open and not there any more was taken away by somebody: what is known of it is written anew. */
  async function readOver(before: ReadonlyMap<string, KeptIncident>): Promise<Map<string, KeptIncident>> {
    const now = await read();
    if ([...now].some(([id, { version }]) => version !== before.get(id)?.version)) others();
    for (const [id, { value }] of before)
      if (isOpen(value) && !now.has(id)) now.set(id, { value, version: null, saying: '' });
    return now;
  }

  async function write(key: ObjectKey, value: StageMemory, now: number): Promise<void> {
    const held = memories.get(key);
    const essence = essenceOf(value);
    if (held !== undefined && held.essence === essence) {
      memories.set(key, { ...held, value, isHeldBack: false });
      return;
    }
    // Where no answer comes it may be written all the same: what the ledger holds is read again.
    memories.delete(key);
    const packed = packMemory(value);
    let version = await ledger.saveMemory(key, packed, held?.version ?? null);
    // Somebody took it away: what was known is not lost with it.
    if (version === 'conflict' && held?.version != null && (await ledger.memory(key)) === null)
      version = await ledger.saveMemory(key, packed, null);
    if (version === 'conflict') {
      others();
      throw new WorldProblem('transient', `Another replica wrote the ledger of ${key}. I look again.`);
    }
    memories.set(key, { version, value, essence, writtenAt: now, isHeldBack: false });
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
        writtenAt: Number.NEGATIVE_INFINITY,
        isHeldBack: false,
      });
      return value;
    },
    async saveMemory(key, value, now) {
      const held = memories.get(key);
      const isLarge = Object.keys(value.applications).length > smallMax;
      const waitMs = isLarge && held !== undefined ? held.writtenAt + batchMs - now : 0;
      if (waitMs <= 0 || held === undefined) {
        await write(key, value, now);
        return null;
      }
      const isHeldBack = essenceOf(value) !== held.essence;
      memories.set(key, { ...held, value, isHeldBack });
      return isHeldBack ? waitMs : null;
    },
    async flush(key) {
      const keys = key === undefined ? [...memories.keys()] : [key];
      const problems: unknown[] = [];
      for (const one of keys) {
        const held = memories.get(one);
        // Asked at every look that finds nothing to do: what is written costs nothing then.
        if (held?.isHeldBack !== true) continue;
        // One that cannot be written takes none of the others with it.
        await write(one, held.value, held.writtenAt).catch((problem) => problems.push(problem));
      }
      if (problems.length > 0) throw problems[0];
    },
    async keepThere(key, now) {
      const held = memories.get(key);
      if (held?.version == null || now - (askedAt.get(key) ?? Number.NEGATIVE_INFINITY) < thereMs) return;
      askedAt.set(key, now);
      const stored = await ledger.memory(key);
      if (stored?.version === held.version) return;
      memories.delete(key);
      if (stored !== null) return others();
      memories.set(key, { ...held, version: null, essence: '' });
      await write(key, held.value, now);
    },
    freshen(key) {
      if (doubtful.delete(key) && memories.get(key)?.isHeldBack === false) memories.delete(key);
    },
    forget: (key) => void memories.delete(key),
    forgetAll() {
      doubtful.clear();
      memories.clear();
      incidents = null;
    },
    async readIncidentsAgain() {
      if (incidents === null) return;
      const before = incidents;
      incidents = await readOver(before);
      // One that is over says what was taken back and what a person dismissed; it is missed as well.
      for (const [id, { value, version }] of before) {
        if (version === null || incidents.has(id)) continue;
        const again = await ledger.saveIncident(id, value, null);
        if (again !== 'conflict') incidents.set(id, { value, version: again, saying: sayingOf(value) });
      }
    },
    async incidents() {
      // In one order, whoever looks: the ledger lists them by name, and the newest of several counts.
      return [...(await load()).values()].map((stored) => stored.value).sort(byAge);
    },
    async saveIncident(whole) {
      const known = await load();
      const all = sayingOf(whole);
      const incident = fitIncident(whole, bytesOf(all));
      const before = known.get(incident.id) ?? null;
      const saying = incident === whole ? all : sayingOf(incident);
      if (before?.saying === saying) {
        known.set(incident.id, { ...before, value: incident });
        return;
      }
      let version = await ledger.saveIncident(incident.id, incident, before?.version ?? null);
      if (version === 'conflict') {
        incidents = await readOver(known);
        const isGone =
          before !== null && before.version !== null && incidents.get(incident.id)?.version == null;
        if (isGone) version = await ledger.saveIncident(incident.id, incident, null);
      }
      if (version === 'conflict') {
        throw new WorldProblem('transient', `Another replica wrote incident ${incident.id}. I look again.`);
      }
      (await load()).set(incident.id, { value: incident, version, saying });
    },
    async forgetOld(now) {
      const known = await load();
      const old = toForget(
        [...known.values()].map((stored) => stored.value),
        now,
      );
      for (const { id } of old) {
        await ledger.forgetIncident(id);
        known.delete(id);
      }
      return old.length;
    },
  };
}

/** Those of this Argo CD and of the others of the installation; one can be among both, and counts once. */
export async function everyIncident(
  own: Memories,
  elsewhere: (() => Promise<readonly Incident[]>) | undefined,
): Promise<readonly Incident[]> {
  const [mine, theirs] = await Promise.all([own.incidents(), elsewhere?.() ?? []]);
  return [...new Map([...theirs, ...mine].map((one) => [`${one.instance} ${one.id}`, one])).values()];
}

function byAge(one: Incident, other: Incident): number {
  return one.openedAt - other.openedAt || (one.id < other.id ? -1 : 1);
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
    one.operation,
    // Since when something lasts is said: another moment after a restart would be other words.
    [one.runningSince, one.outOfSync, one.comparisonError],
    [one.progressingSince, one.requestedSince, one.healthySince],
  ]);
  const said = [
    applications,
    // Once all is back, the next look that finds another commit ends it by itself.
    memory.followed?.isRecovered === false ? { ...memory.followed, failedAt: 0 } : null,
    memory.orders,
    memory.checks.commits,
    memory.heads,
    memory.incidents ?? [],
  ];
  return digestOf(JSON.stringify(said, inOneOrder));
}

/** What was read from the ledger has its fields in another order than what a look made, and says the same. */
function inOneOrder(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
}
