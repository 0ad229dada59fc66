/**
 * Get and list: whole objects, Tables or bare metadata; in pages that keep showing the state in which they began; from the cache
 * with `resourceVersion=0`. Rules: https://kubernetes.io/docs/reference/using-api/api-concepts/ and k8s.io/apiserver/pkg/storage.
 */
import type { Answer } from './answer.ts';
import type { ApiTarget } from './api-path.ts';
import type { RequestContext } from './context.ts';
import { decodeContinue, encodeContinue } from './continue-token.ts';
import { faultOf } from './faults.ts';
import type { StoredObject } from './objects.ts';
import type { ResourceDefinition } from './resources.ts';
import { assertSelectable, matcherOf } from './selectors.ts';
import { badRequest, notFound, StoreProblem } from './store-problem.ts';
import { type ListMetadata, metadataOf, tableOf, type View, viewOf } from './tables.ts';
import { keyOf } from './write-rules.ts';

/** One object, or its status where that is asked for. */
export async function get(
  context: RequestContext,
  definition: ResourceDefinition,
  target: ApiTarget,
  answer: Answer,
): Promise<void> {
  const { store, query, accept } = context;
  const stale = faultOf(context.faults, 'staleRead');
  const wanted = (object: StoredObject) =>
    object.metadata.name === target.name && object.metadata.namespace === target.namespace;
  const object = stale
    ? snapshotAt(context, definition, behind(context, stale.behind)).find(wanted)
    : store.get(definition.plural, target.namespace ?? '', target.name!);
  if (object === undefined) throw notFound(definition, target.name!);
  const view = viewOf(accept, query.get('includeObject'));
  await answer.json(200, oneIn(view, definition, object, context.nowMs));
}

/** An object in the view that was asked for. */
export function oneIn(
  view: View,
  definition: ResourceDefinition,
  object: StoredObject,
  nowMs: number,
): object {
  if (view.as === 'objects') return object;
  if (view.as === 'metadata') return metadataOf(object);
  const { resourceVersion } = object.metadata;
  const options = { includeObject: view.includeObject, headers: true, nowMs };
  return tableOf(definition, [object], { resourceVersion }, options);
}

/** The objects of a resource, in one namespace or all, by label and field, whole or in pages. */
export async function list(
  context: RequestContext,
  definition: ResourceDefinition,
  target: ApiTarget,
  answer: Answer,
): Promise<void> {
  const { query } = context;
  const view = viewOf(context.accept, query.get('includeObject'));
  const gone = faultOf(context.faults, 'gone');
  const token = query.get('continue');
  if (token) {
    const { version, start } = decodeContinue(token);
    const isExpired = gone !== undefined || (version !== -1 && version < context.history.oldest);
    if (isExpired) return answer.problem(expiredContinue(), encodeContinue(-1, start));
  } else if (gone) {
    throw new StoreProblem(410, 'Expired', 'The resourceVersion for the provided list is too old.');
  }
  const page = pageOf(context, definition, target);
  await answer.json(200, listIn(view, definition, page, context.nowMs));
}

interface Page {
  metadata: ListMetadata;
  items: StoredObject[];
}

function pageOf(context: RequestContext, definition: ResourceDefinition, target: ApiTarget): Page {
  const { query } = context;
  assertSelectable(definition.custom, query.get('fieldSelector'));
  const labelSelector = query.get('labelSelector');
  const fieldSelector = query.get('fieldSelector');
  const matches = matcherOf(labelSelector, fieldSelector);
  const { version, objects, start } = stateAsked(context, definition);
  const shortKey = (object: StoredObject) =>
    target.namespace === undefined
      ? keyOf(definition, object.metadata.namespace ?? '', object.metadata.name)
      : object.metadata.name;
  const inScope = objects.filter(
    (object) =>
      (target.namespace === undefined || object.metadata.namespace === target.namespace) &&
      shortKey(object) >= start,
  );
  // A list from the cache (resourceVersion=0) ignores the limit: it is always whole.
  const limit = query.get('resourceVersion') === '0' ? 0 : Number(query.get('limit') ?? 0);
  const items: StoredObject[] = [];
  for (const [index, object] of inScope.entries()) {
    if (matches(object)) items.push(object);
    if (limit === 0 || items.length < limit || index === inScope.length - 1) continue;
    const isUnselected = !labelSelector && !fieldSelector;
    const metadata: ListMetadata = {
      resourceVersion: String(version),
      continue: encodeContinue(version, `${shortKey(object)}\0`),
      // With a selector nobody has counted what is left (recorded).
      ...(isUnselected ? { remainingItemCount: inScope.length - index - 1 } : {}),
    };
    return { metadata, items };
  }
  return { metadata: { resourceVersion: String(version) }, items };
}

/** Which state of the resource a list shows, and from which key on. */
function stateAsked(context: RequestContext, definition: ResourceDefinition) {
  const { store, query } = context;
  const current = store.resourceVersion;
  const token = query.get('continue');
  if (token) {
    const { version, start } = decodeContinue(token);
    if (version === -1) return { version: current, objects: store.list(definition.plural), start };
    return { version, objects: snapshotAt(context, definition, version), start };
  }
  const stale = faultOf(context.faults, 'staleRead');
  if (stale) {
    const version = behind(context, stale.behind);
    return { version, objects: snapshotAt(context, definition, version), start: '' };
  }
  const asked = Number(query.get('resourceVersion') ?? 0);
  if (Number.isNaN(asked))
    throw badRequest(
      `Invalid value: "${query.get('resourceVersion')}": strconv.ParseUint: parsing: invalid syntax`,
    );
  if (asked > current) throw tooLargeVersion(asked, current);
  if (query.get('resourceVersionMatch') === 'Exact') {
    return { version: asked, objects: snapshotAt(context, definition, asked), start: '' };
  }
  return { version: current, objects: store.list(definition.plural), start: '' };
}

function behind(context: RequestContext, writes: number): number {
  return Math.max(context.history.oldest, context.store.resourceVersion - writes);
}

function snapshotAt(
  context: RequestContext,
  definition: ResourceDefinition,
  version: number,
): StoredObject[] {
  const objects = context.history.snapshot(definition.plural, version);
  if (objects !== undefined) return objects;
  throw new StoreProblem(410, 'Expired', 'The resourceVersion for the provided list is too old.');
}

/** A version the server has not reached: a real one waits three seconds and then says this. */
export function tooLargeVersion(asked: number, current: number): StoreProblem {
  const message = `Timeout: Too large resource version: ${asked}, current: ${current}`;
  const causes = [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }];
  return new StoreProblem(504, 'Timeout', message, { causes, retryAfterSeconds: 1 });
}

function expiredContinue(): StoreProblem {
  const message =
    'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue ' +
    'parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided ' +
    'token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was ' +
    'returned and now may show up in the list.';
  return new StoreProblem(410, 'Expired', message);
}

function listIn(view: View, definition: ResourceDefinition, page: Page, nowMs: number): object {
  const { metadata, items } = page;
  if (view.as === 'table') {
    return tableOf(definition, items, metadata, { includeObject: view.includeObject, headers: true, nowMs });
  }
  if (view.as === 'metadata') {
    return {
      kind: 'PartialObjectMetadataList',
      apiVersion: 'meta.k8s.io/v1',
      metadata,
      items: items.map(metadataOf),
    };
  }
  const { group, version, kind, custom } = definition;
  const apiVersion = group === '' ? version : `${group}/${version}`;
  // Lists of custom resources always carry `continue`, and their items say what they are; built-in ones do neither.
  if (custom) return { apiVersion, items, kind: `${kind}List`, metadata: { continue: '', ...metadata } };
  const bare = items.map(({ apiVersion: _version, kind: _kind, ...rest }) => rest);
  return { kind: `${kind}List`, apiVersion, metadata, items: bare };
}
