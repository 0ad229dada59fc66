/**
 * The Cluster port over the memory of a small Kubernetes API server, without HTTP: a watch that tells late, skips, repeats
 * and is cut off at times, and close looks that know of an Application what the watch has told.
 */
import type { Application, ApplicationRow, ApplicationSet, ObjectKey } from '../domain/objects.ts';
import type { Json } from '../domain/read.ts';
import { list, record, text, textRecord } from '../domain/read.ts';
import { readApplication, readOwner, readRevisions } from '../domain/read-application.ts';
import { readApplicationSet } from '../domain/read-application-set.ts';
import type { Interventions } from '../ports/interventions.ts';
import type { Clock, CloseLook, Cluster, FeatureFlag, Nudge, Sight } from '../ports.ts';
import type { StoredObject } from '../sandbox/kubernetes/objects.ts';
import type { ObjectStore } from '../sandbox/kubernetes/store.ts';

export interface MemoryClusterOptions {
  instance: string;
  store: ObjectStore;
  /** The clock of the machine that looks. */
  clock: Clock;
  /** The time of the cluster. */
  clusterNow(): number;
  /** How long the next news is under way. */
  newsDelayMs(): number;
  /** How often the next nudge is given: 0 is lost, 2 is said twice. */
  nudgeTimes(): number;
  isProgressive(): boolean;
  interventions: Interventions;
}

/** For so long the watch may be silent before it is called blind. */
const silenceMsMax = 15_000;

type Kind = 'applications' | 'applicationsets';

export class MemoryCluster implements Cluster {
  readonly instance: string;
  readonly argocdNamespace = 'argocd';
  readonly interventions: Interventions;
  readonly #options: MemoryClusterOptions;
  readonly #known = {
    applications: new Map<string, StoredObject>(),
    applicationsets: new Map<string, StoredObject>(),
  };
  readonly #sets = new Map<ObjectKey, ApplicationSet>();
  #onNudge: (nudge: Nudge) => void = () => {};
  #unsubscribe: () => void = () => {};
  #isNewsWaiting = false;
  #hasListed = false;
  #cutSince: number | null = null;
  #changed = new Map<string, { kind: Kind; key: string }>();

  constructor(options: MemoryClusterOptions) {
    this.instance = options.instance;
    this.interventions = options.interventions;
    this.#options = options;
  }

  run(onNudge: (nudge: Nudge) => void, signal: AbortSignal): Promise<void> {
    const { store } = this.#options;
    this.#onNudge = onNudge;
    for (const kind of ['applicationsets', 'applications'] as const)
      for (const object of store.list<StoredObject>(kind))
        this.#changed.set(`${kind} ${keyOf(object)}`, { kind, key: keyOf(object) });
    this.#hearLater();
    this.#unsubscribe = store.subscribe((event) => {
      if (event.resource !== 'applications' && event.resource !== 'applicationsets') return;
      const key = keyOf(event.object);
      this.#changed.set(`${event.resource} ${key}`, { kind: event.resource, key });
      this.#hearLater();
    });
    return new Promise((resolve) => {
      signal.addEventListener('abort', () => {
        this.forget();
        resolve();
      });
    });
  }

  /** Nobody listens any more. */
  forget(): void {
    this.#unsubscribe();
    this.#onNudge = () => {};
  }

  /** The watch is cut off: nothing is told until it is mended. */
  cut(): void {
    this.#cutSince ??= this.#options.clock.now();
  }

  /** The watch is answered 410: what happened meanwhile is told by nobody, and everything is listed again. */
  expire(listMs: number): void {
    this.cut();
    this.#options.clock.after(listMs, () => {
      this.#changed = new Map();
      for (const kind of ['applicationsets', 'applications'] as const) {
        const there = this.#options.store.list<StoredObject>(kind).map(keyOf);
        for (const key of new Set([...this.#known[kind].keys(), ...there]))
          this.#changed.set(`${kind} ${key}`, { kind, key });
      }
      this.mend();
    });
  }

  /** The watch lists again what it has missed. */
  mend(): void {
    this.#cutSince = null;
    this.#hear();
  }

  applicationSets(): ReadonlyMap<ObjectKey, ApplicationSet> {
    return this.#sets;
  }

  rows(applicationSet: ObjectKey): readonly ApplicationRow[] {
    return this.#owned(applicationSet).map(rowOf);
  }

  sight(): Sight {
    const now = this.#options.clock.now();
    const since = this.#cutSince;
    const isBlind = since !== null && now - since > silenceMsMax;
    if (!this.#hasListed) return { lastHeardAt: 0, blindness: 'Nothing has been listed yet. Wait a moment.' };
    return {
      lastHeardAt: since ?? now,
      blindness: isBlind ? 'The watch of the cluster has told nothing for a while.' : null,
    };
  }

  async closeLook(applicationSet: ObjectKey): Promise<CloseLook | null> {
    const [namespace = '', name = ''] = applicationSet.split('/', 2);
    const { store, clusterNow } = this.#options;
    const object = store.get<StoredObject>('applicationsets', namespace, name);
    const set = object === undefined ? null : setOf(object);
    if (set === null) return null;
    const applications = this.#owned(applicationSet)
      .map(applicationOf)
      .filter((application) => application !== null)
      .sort((one, other) => (one.key < other.key ? -1 : 1));
    // The time of the look is the `Date` of an answer, which has whole seconds.
    return {
      applicationSet: set,
      applications,
      observedAt: Math.floor(clusterNow() / 1000) * 1000,
      sight: this.sight(),
    };
  }

  async application(key: ObjectKey): Promise<Application | null> {
    const [namespace = '', name = ''] = key.split('/', 2);
    const object = this.#options.store.get<StoredObject>('applications', namespace, name);
    return object === undefined ? null : applicationOf(object);
  }

  async featureFlag(): Promise<FeatureFlag> {
    return { state: this.#options.isProgressive() ? 'on' : 'off', evidence: [] };
  }

  #owned(applicationSet: ObjectKey): StoredObject[] {
    return [...this.#known.applications.values()].filter((object) => ownerOf(object) === applicationSet);
  }

  #hearLater(): void {
    if (this.#isNewsWaiting) return;
    this.#isNewsWaiting = true;
    this.#options.clock.after(this.#options.newsDelayMs(), () => {
      this.#isNewsWaiting = false;
      if (this.#cutSince === null) this.#hear();
    });
  }

  /** Takes in what has changed, and says of whom. */
  #hear(): void {
    this.#hasListed = true;
    const told = new Set<ObjectKey>();
    for (const { kind, key } of this.#changed.values()) {
      const [namespace = '', name = ''] = key.split('/', 2);
      const after = this.#options.store.get<StoredObject>(kind, namespace, name);
      const before = this.#known[kind].get(key);
      if (before === after) continue;
      if (after === undefined) this.#known[kind].delete(key);
      else this.#known[kind].set(key, after);
      if (kind === 'applicationsets') this.#hearSet(key, after);
      const concerned =
        kind === 'applicationsets'
          ? [key]
          : [before, after].map((one) => (one === undefined ? null : ownerOf(one)));
      for (const one of concerned) if (one !== null) told.add(one);
    }
    this.#changed = new Map();
    for (const applicationSet of told)
      for (let times = this.#options.nudgeTimes(); times > 0; times -= 1) this.#onNudge({ applicationSet });
  }

  #hearSet(key: ObjectKey, object: StoredObject | undefined): void {
    const set = object === undefined ? null : setOf(object);
    if (set === null) this.#sets.delete(key);
    else this.#sets.set(key, set);
  }
}

/** Stored objects never change, so each is read once. */
const applicationsRead = new WeakMap<StoredObject, Application>();
const setsRead = new WeakMap<StoredObject, ApplicationSet>();
const rowsRead = new WeakMap<StoredObject, ApplicationRow>();

function applicationOf(object: StoredObject): Application | null {
  return once(applicationsRead, object, () => readApplication(asJson(object)));
}

function setOf(object: StoredObject): ApplicationSet | null {
  return once(setsRead, object, () => readApplicationSet(asJson(object)));
}

function rowOf(object: StoredObject): ApplicationRow {
  return once(rowsRead, object, () => readRow(object))!;
}

function readRow(object: StoredObject): ApplicationRow {
  const status = record(object.status);
  const sync = record(status.sync);
  return {
    key: keyOf(object),
    uid: object.metadata.uid,
    resourceVersion: object.metadata.resourceVersion,
    owner: readOwner(asJson(object.metadata)),
    labels: textRecord(object.metadata.labels),
    syncStatus: text(sync.status),
    healthStatus: text(record(status.health).status),
    // The column shows the one revision; of several sources it shows none.
    revision: list(sync.revisions).length > 0 ? '' : (readRevisions(sync)[0] ?? ''),
  };
}

function once<Value extends object>(
  known: WeakMap<StoredObject, Value>,
  object: StoredObject,
  read: () => Value | null,
): Value | null {
  const before = known.get(object);
  if (before !== undefined) return before;
  const value = read();
  if (value !== null) known.set(object, value);
  return value;
}

function ownerOf({ metadata }: StoredObject): ObjectKey | null {
  const owner = metadata.ownerReferences?.find(
    (one) => one.kind === 'ApplicationSet' && one.controller !== false,
  );
  return owner === undefined ? null : `${metadata.namespace}/${owner.name}`;
}

function keyOf({ metadata }: StoredObject): ObjectKey {
  return `${metadata.namespace}/${metadata.name}`;
}

function asJson(value: object): Json {
  return value as Json;
}
