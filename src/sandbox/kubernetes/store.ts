/**
 * The memory of the small Kubernetes API server: objects per resource, one version counter over all of them, and the
 * rules a writer meets on a real server (optimistic locking, generation, finalizers, status apart from the rest).
 * Everything it hands out is frozen, so readers share objects without copying. Controllers of the sandbox use it
 * directly; everybody else comes over HTTP.
 */
import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { Announcer, type StoreListener } from './announcer.ts';
import { ARGO_DEFINITIONS } from './argo-definitions.ts';
import { mergePatch } from './merge-patch.ts';
import {
  deepFreeze,
  jsonCopy,
  type ObjectDraft,
  type StoredObject,
  type StoreEvent,
  sharingCopy,
} from './objects.ts';
import { BUILT_IN, definitionFrom, type ResourceDefinition } from './resources.ts';
import { alreadyExists, conflict, invalid, noSuchKind, notFound, StoreProblem } from './store-problem.ts';
import { admitted } from './structural-schema.ts';
import { afterWrite, identified, keyOf } from './write-rules.ts';

export interface StoreClock {
  /** Milliseconds since 1970. */
  now(): number;
}

export interface WriteOptions {
  /** Answer as if it were written, and write nothing. */
  dryRun?: boolean;
  /** Write the status subresource; a StoreProblem 404 where the kind has none. */
  subresource?: 'status';
}

const DEFINITIONS = 'customresourcedefinitions';
/** etcd refuses larger requests unless it is told otherwise (`--max-request-bytes`). */
const OBJECT_BYTES_MAX = 1_572_864;

export class ObjectStore {
  readonly #clock: StoreClock;
  readonly #seed: string;
  readonly #objectBytesMax: number;
  readonly #definitions = new Map<string, ResourceDefinition>();
  readonly #objects = new Map<string, Map<string, StoredObject>>();
  readonly #announcer = new Announcer();
  #version = 0;
  #created = 0;

  /**
   * `definitions` are CustomResourceDefinition objects to begin with; Argo CD's when not given. `seed` makes the uids:
   * the same seed and the same writes give the same uids. `objectBytesMax` is etcd's limit unless it is given.
   */
  constructor(options: {
    clock: StoreClock;
    definitions?: readonly ObjectDraft[];
    seed?: string;
    objectBytesMax?: number;
  }) {
    this.#objectBytesMax = options.objectBytesMax ?? OBJECT_BYTES_MAX;
    this.#clock = options.clock;
    this.#seed = options.seed ?? 'stepback';
    for (const definition of BUILT_IN) this.#definitions.set(definition.plural, definition);
    for (const definition of options.definitions ?? ARGO_DEFINITIONS) this.create(DEFINITIONS, definition);
  }

  /** The version of the last write; every write of any resource makes it one more. */
  get resourceVersion(): number {
    return this.#version;
  }

  /** What is served now, built-in and custom. */
  get definitions(): ResourceDefinition[] {
    return [...this.#definitions.values()];
  }

  /** The definition of a resource by its plural name; a StoreProblem 404 when it is not installed. */
  definition(resource: string): ResourceDefinition {
    const definition = this.#definitions.get(resource);
    if (definition === undefined) throw noSuchKind();
    return definition;
  }

  /** The object, frozen, or undefined. */
  get<T = StoredObject>(resource: string, namespace: string, name: string): T | undefined {
    const definition = this.definition(resource);
    return this.#objects.get(resource)?.get(keyOf(definition, namespace, name)) as T | undefined;
  }

  /** All objects of a resource, in one namespace or in all, in the order of etcd (namespace, then name). */
  list<T = StoredObject>(resource: string, namespace?: string): T[] {
    this.definition(resource);
    const entries = [...(this.#objects.get(resource) ?? [])];
    const wanted =
      namespace === undefined ? entries : entries.filter(([key]) => key.startsWith(`${namespace}/`));
    wanted.sort(([one], [other]) => (one < other ? -1 : 1));
    return wanted.map(([, object]) => object as T);
  }

  /**
   * Stores a new object: fills in uid, version, generation and creation time, and ignores a status that is written apart.
   * Throws a StoreProblem: 409 when the name is taken, 422 without a name or when the schema refuses it.
   */
  create<T = StoredObject>(resource: string, draft: ObjectDraft, options: WriteOptions = {}): T {
    const definition = this.definition(resource);
    const given = jsonCopy(draft) as StoredObject;
    const uid = this.#uid();
    const metadata = identified(definition, given.metadata ?? {}, uid);
    if (this.get(resource, metadata.namespace ?? '', metadata.name) !== undefined) {
      throw alreadyExists(definition, metadata.name);
    }
    if (definition.statusSubresource) delete given.status;
    for (const field of ['generation', 'deletionTimestamp', 'deletionGracePeriodSeconds'] as const) {
      delete metadata[field];
    }
    given.metadata = {
      ...metadata,
      uid,
      resourceVersion: '',
      ...(definition.generation ? { generation: 1 } : {}),
      creationTimestamp: this.#timestamp(),
    };
    return this.#commit(definition, 'ADDED', admitted(definition, given), undefined, options) as T;
  }

  /**
   * Stores an object exactly as it is given, over whatever is there: uid, generation, times and status as recorded; only the
   * version is a new one. For seeds and for playing recordings.
   */
  put<T = StoredObject>(resource: string, recorded: ObjectDraft): T {
    const definition = this.definition(resource);
    const given = jsonCopy(recorded) as StoredObject;
    const metadata = identified(definition, given.metadata ?? {}, '');
    const previous = this.get(resource, metadata.namespace ?? '', metadata.name);
    given.metadata = {
      ...metadata,
      uid: metadata.uid || previous?.metadata.uid || this.#uid(),
      creationTimestamp:
        metadata.creationTimestamp || previous?.metadata.creationTimestamp || this.#timestamp(),
      ...(definition.generation ? { generation: metadata.generation ?? 1 } : {}),
    };
    return this.#commit(definition, previous === undefined ? 'ADDED' : 'MODIFIED', given, previous, {}) as T;
  }

  /**
   * Writes a whole object over the stored one. With a status subresource the given status is ignored, as on a real
   * server. Throws a StoreProblem: 404, 409 when resourceVersion or uid are not those stored, 422 when there is
   * no resourceVersion and the kind demands one. A write that changes nothing is no write.
   */
  replace<T = StoredObject>(resource: string, draft: ObjectDraft, options: WriteOptions = {}): T {
    const definition = this.definition(resource);
    const next = sharingCopy(draft) as StoredObject;
    const current = this.#existing(definition, next.metadata?.namespace ?? '', next.metadata?.name ?? '');
    if (!next.metadata.resourceVersion && !definition.unconditionalUpdate) {
      const fault = {
        field: 'metadata.resourceVersion',
        message: 'Invalid value: 0x0: must be specified for an update',
      };
      throw invalid(definition, current.metadata.name, [fault]);
    }
    return this.#update(definition, current, next, options) as T;
  }

  /** Writes only the status; everything else in the draft is ignored. Throws as `replace` does. */
  replaceStatus<T = StoredObject>(resource: string, draft: ObjectDraft, options: WriteOptions = {}): T {
    return this.replace<T>(resource, draft, { ...options, subresource: 'status' });
  }

  /** Applies a JSON merge patch. A resourceVersion in the patch is checked (409). Throws a StoreProblem 404. */
  patchMerge<T = StoredObject>(
    resource: string,
    namespace: string,
    name: string,
    patch: object,
    options: WriteOptions = {},
  ): T {
    const definition = this.definition(resource);
    const current = this.#existing(definition, namespace, name);
    const next = mergePatch(current, jsonCopy(patch)) as StoredObject;
    return this.#update(definition, current, next, options) as T;
  }

  /**
   * Removes an object, or marks it for deletion while it has finalizers. Returns its last state.
   * Throws a StoreProblem 404, or 409 when a precondition does not hold.
   */
  remove<T = StoredObject>(
    resource: string,
    namespace: string,
    name: string,
    options: WriteOptions & { uid?: string; resourceVersion?: string } = {},
  ): T {
    const definition = this.definition(resource);
    const current = this.#existing(definition, namespace, name);
    this.#guard(definition, current, { uid: options.uid, resourceVersion: options.resourceVersion });
    if (!current.metadata.finalizers?.length) {
      return this.#commit(definition, 'DELETED', jsonCopy(current), current, options) as T;
    }
    if (current.metadata.deletionTimestamp !== undefined) return current as T;
    const marked = jsonCopy(current);
    marked.metadata.deletionTimestamp = this.#timestamp();
    marked.metadata.deletionGracePeriodSeconds = 0;
    if (marked.metadata.generation !== undefined) marked.metadata.generation += 1;
    return this.#commit(definition, 'MODIFIED', marked, current, options) as T;
  }

  /**
   * Tells every later write, in order, at once; returns the way to stop. A listener may write itself.
   */
  subscribe(listener: StoreListener): () => void {
    return this.#announcer.subscribe(listener);
  }

  #existing(definition: ResourceDefinition, namespace: string, name: string): StoredObject {
    const current = this.get(definition.plural, namespace, name);
    if (current === undefined) throw notFound(definition, name);
    return current;
  }

  #guard(
    definition: ResourceDefinition,
    current: StoredObject,
    given: { uid?: string; resourceVersion?: string },
  ) {
    const { name, uid, resourceVersion } = current.metadata;
    if (given.uid && given.uid !== uid) {
      const why = `Precondition failed: UID in precondition: ${given.uid}, UID in object meta: ${uid}`;
      throw conflict(definition, name, why);
    }
    if (given.resourceVersion && given.resourceVersion !== resourceVersion) throw conflict(definition, name);
  }

  #update(
    definition: ResourceDefinition,
    current: StoredObject,
    given: StoredObject,
    options: WriteOptions,
  ): StoredObject {
    this.#guard(definition, current, given.metadata);
    if (options.subresource === 'status' && !definition.statusSubresource) throw noSuchKind();
    const next = admitted(definition, afterWrite(definition, current, given, options.subresource));
    if (isDeepStrictEqual(next, current)) return current;
    const gone = next.metadata.deletionTimestamp !== undefined && !next.metadata.finalizers?.length;
    return this.#commit(definition, gone ? 'DELETED' : 'MODIFIED', next, current, options);
  }

  #commit(
    definition: ResourceDefinition,
    type: StoreEvent['type'],
    next: StoredObject,
    previous: StoredObject | undefined,
    options: WriteOptions,
  ): StoredObject {
    const { plural, group, version, kind } = definition;
    const apiVersion = group === '' ? version : `${group}/${version}`;
    const object: StoredObject = Object.assign({ apiVersion, kind }, next, { apiVersion, kind });
    this.#refuseTooLarge(object);
    if (options.dryRun) {
      object.metadata = { ...next.metadata, resourceVersion: previous?.metadata.resourceVersion ?? '' };
      return deepFreeze(object);
    }
    if (plural === DEFINITIONS) this.#redefine(type, object);
    this.#version += 1;
    object.metadata = { ...next.metadata, resourceVersion: String(this.#version) };
    deepFreeze(object);
    const objects = this.#objects.get(plural) ?? new Map<string, StoredObject>();
    this.#objects.set(plural, objects);
    const key = keyOf(definition, object.metadata.namespace ?? '', object.metadata.name);
    if (type === 'DELETED') objects.delete(key);
    else objects.set(key, object);
    this.#announcer.announce({ type, resource: plural, object, previous, resourceVersion: this.#version });
    return object;
  }

  #refuseTooLarge(object: StoredObject): void {
    if (this.#objectBytesMax === Number.POSITIVE_INFINITY) return;
    if (Buffer.byteLength(JSON.stringify(object)) <= this.#objectBytesMax) return;
    throw new StoreProblem(500, 'InternalError', 'etcdserver: request is too large');
  }

  #redefine(type: StoreEvent['type'], customResourceDefinition: StoredObject): void {
    const definition = definitionFrom(customResourceDefinition);
    if (definition === undefined) return;
    if (type !== 'DELETED') {
      this.#definitions.set(definition.plural, definition);
      return;
    }
    for (const object of this.list(definition.plural)) {
      this.#commit(definition, 'DELETED', jsonCopy(object), object, {});
    }
    this.#definitions.delete(definition.plural);
  }

  #timestamp(): string {
    return new Date(this.#clock.now()).toISOString().replace(/\.\d+Z$/, 'Z');
  }

  #uid(): string {
    this.#created += 1;
    const hash = createHash('sha256').update(`${this.#seed}/${this.#created}`).digest('hex');
    const parts = [hash.slice(0, 8), hash.slice(8, 12), `4${hash.slice(13, 16)}`, `8${hash.slice(17, 20)}`];
    return [...parts, hash.slice(20, 32)].join('-');
  }
}
