/**
 * The shapes of what a Kubernetes API server stores, as far as the small one needs them. Objects are plain JSON;
 * only the metadata has a meaning to the server itself.
 */

export interface OwnerReference {
  apiVersion: string;
  kind: string;
  name: string;
  uid: string;
  controller?: boolean;
  blockOwnerDeletion?: boolean;
}

export interface ObjectMetadata {
  name: string;
  namespace?: string;
  generateName?: string;
  uid: string;
  /** A number in a string, as on the wire. */
  resourceVersion: string;
  generation?: number;
  /** RFC 3339 with whole seconds, as the API server writes it. */
  creationTimestamp: string;
  deletionTimestamp?: string;
  deletionGracePeriodSeconds?: number;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  finalizers?: string[];
  ownerReferences?: OwnerReference[];
  managedFields?: unknown[];
}

export interface StoredObject {
  apiVersion: string;
  kind: string;
  metadata: ObjectMetadata;
  spec?: unknown;
  status?: unknown;
  [field: string]: unknown;
}

/** What a writer hands in: the server fills in the rest of the metadata. */
export interface ObjectDraft {
  apiVersion?: string;
  kind?: string;
  metadata?: Partial<ObjectMetadata>;
  spec?: unknown;
  status?: unknown;
  /** Of an Application. */
  operation?: unknown;
  /** Of a ConfigMap or a Secret. */
  data?: unknown;
}

export interface StoreEvent {
  type: 'ADDED' | 'MODIFIED' | 'DELETED';
  /** The plural name, say `applications`. */
  resource: string;
  /** The object after the change; for DELETED its last state, with the version of the deletion. */
  object: StoredObject;
  /** The object before the change; absent for ADDED. */
  previous?: StoredObject;
  resourceVersion: number;
}

/** Freezes plain JSON all the way down and returns it, so that a reader can keep it without copying. */
export function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const inner of Object.values(value)) deepFreeze(inner);
  }
  return value;
}

/** The same copy, but for what is frozen: that was stored once, cannot change any more and is shared. */
export function sharingCopy<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  if (Array.isArray(value)) return value.map((inner) => sharingCopy(inner === undefined ? null : inner)) as T;
  const copy: Record<string, unknown> = {};
  for (const [name, inner] of Object.entries(value)) if (inner !== undefined) copy[name] = sharingCopy(inner);
  return copy as T;
}

/** A deep copy as the wire makes it: what JSON cannot say (undefined, functions) is gone. */
export function jsonCopy<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}
