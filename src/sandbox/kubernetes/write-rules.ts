/** What becomes of an object when somebody writes it: which parts are taken, which stay, what the server counts. */
import { isDeepStrictEqual } from 'node:util';
import { jsonCopy, type ObjectMetadata, type StoredObject } from './objects.ts';
import type { ResourceDefinition } from './resources.ts';
import { invalid } from './store-problem.ts';

/** The key within a resource: `namespace/name`, or the name of what has no namespace. */
export function keyOf(definition: ResourceDefinition, namespace: string, name: string): string {
  return definition.namespaced ? `${namespace}/${name}` : name;
}

/**
 * Metadata with the name and namespace that a writer may leave to the server in part. Throws a StoreProblem 422 when there
 * is no way to a name.
 */
export function identified(
  definition: ResourceDefinition,
  metadata: Partial<ObjectMetadata>,
  uid: string,
): ObjectMetadata {
  const name = metadata.name || (metadata.generateName && `${metadata.generateName}${uid.slice(0, 5)}`);
  if (!name) {
    const message = 'Required value: name or generateName is required';
    throw invalid(definition, '', [{ field: 'metadata.name', message }]);
  }
  const namespace = definition.namespaced ? { namespace: metadata.namespace ?? 'default' } : {};
  return { uid, resourceVersion: '', creationTimestamp: '', ...metadata, name, ...namespace };
}

/**
 * The object as it will be stored, its resourceVersion still the old one. A write to the status subresource takes
 * only the status, any other write of such a kind everything but the status.
 */
export function afterWrite(
  definition: ResourceDefinition,
  current: StoredObject,
  given: StoredObject,
  subresource: 'status' | undefined,
): StoredObject {
  const taken =
    subresource === 'status' ? withStatus(current, given) : withoutStatus(definition, current, given);
  const { apiVersion, kind } = current;
  const next = { ...taken, apiVersion, kind, metadata: ownedByServer(current, taken) };
  if (definition.generation && contentChanged(definition, current, next)) {
    next.metadata.generation = (current.metadata.generation ?? 0) + 1;
  }
  return next;
}

function withStatus(current: StoredObject, given: StoredObject): StoredObject {
  return given.status === undefined ? jsonCopy(current) : { ...jsonCopy(current), status: given.status };
}

function withoutStatus(
  definition: ResourceDefinition,
  current: StoredObject,
  given: StoredObject,
): StoredObject {
  if (!definition.statusSubresource) return { ...given };
  const { status: _ignored, ...rest } = given;
  return (current.status === undefined ? rest : { ...rest, status: current.status }) as StoredObject;
}

/** What a writer cannot change about an object, whatever it sends. */
function ownedByServer(current: StoredObject, next: StoredObject): StoredObject['metadata'] {
  const { name, namespace, uid, resourceVersion, creationTimestamp, generation } = current.metadata;
  const { deletionTimestamp, deletionGracePeriodSeconds } = current.metadata;
  const kept = { name, namespace, uid, resourceVersion, creationTimestamp, generation };
  return jsonCopy({ ...next.metadata, ...kept, deletionTimestamp, deletionGracePeriodSeconds });
}

/**
 * The generation counts changes of everything but the metadata and, where it is written apart, the status. So it does
 * count the status of an Application, which has no status subresource (seen in the recordings).
 */
function contentChanged(definition: ResourceDefinition, current: StoredObject, next: StoredObject): boolean {
  const content = (object: StoredObject) => ({
    ...object,
    metadata: undefined,
    ...(definition.statusSubresource ? { status: undefined } : {}),
  });
  return !isDeepStrictEqual(content(current), content(next));
}
