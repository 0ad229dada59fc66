/**
 * Create, update, patch and delete over HTTP: what the server checks about a request before the store decides. The sentences are those
 * of k8s.io/apiserver/pkg/endpoints/handlers.
 */
import type { Answer } from './answer.ts';
import type { ApiTarget } from './api-path.ts';
import type { RequestContext } from './context.ts';
import { jsonPatch } from './json-patch.ts';
import type { ObjectDraft, StoredObject } from './objects.ts';
import { oneIn } from './reads.ts';
import type { ResourceDefinition } from './resources.ts';
import { assertSelectable, matcherOf } from './selectors.ts';
import type { WriteOptions } from './store.ts';
import { badRequest, invalid, noSuchKind, notFound, StoreProblem } from './store-problem.ts';
import { viewOf } from './tables.ts';

const MERGE_PATCH = 'application/merge-patch+json';
const JSON_PATCH = 'application/json-patch+json';
const STRATEGIC_PATCH = 'application/strategic-merge-patch+json';
const APPLY_PATCH = 'application/apply-patch+yaml';

export async function create(
  context: RequestContext,
  definition: ResourceDefinition,
  target: ApiTarget,
  answer: Answer,
): Promise<void> {
  const draft = draftOf(context, definition, target);
  if (draft.metadata?.resourceVersion) {
    const message = 'resourceVersion should not be set on objects to be created';
    throw new StoreProblem(500, 'InternalError', message);
  }
  const created = context.store.create(definition.plural, draft, optionsOf(context, target));
  await written(context, definition, answer, 201, created);
}

export async function update(
  context: RequestContext,
  definition: ResourceDefinition,
  target: ApiTarget,
  answer: Answer,
): Promise<void> {
  const draft = draftOf(context, definition, target);
  const name = draft.metadata?.name;
  if (name !== target.name) {
    throw badRequest(`the name of the object (${name}) does not match the name on the URL (${target.name})`);
  }
  const updated = context.store.replace(definition.plural, draft, optionsOf(context, target));
  await written(context, definition, answer, 200, updated);
}

/** Merge patch, JSON patch and server-side apply; apply is a merge that creates what is missing. */
export async function patch(
  context: RequestContext,
  definition: ResourceDefinition,
  target: ApiTarget,
  answer: Answer,
): Promise<void> {
  const { store } = context;
  const { plural } = definition;
  const namespace = target.namespace ?? '';
  const name = target.name!;
  const options = optionsOf(context, target);
  const type = patchTypeOf(context, definition);
  const current = store.get(plural, namespace, name);
  if (type === APPLY_PATCH && !context.query.get('fieldManager')) {
    const fault = { field: 'fieldManager', message: 'Required value: is required for apply patch' };
    throw invalid({ group: 'meta.k8s.io', kind: 'PatchOptions' }, '', [fault]);
  }
  if (type === APPLY_PATCH && current === undefined && target.subresource === undefined) {
    const draft = draftOf(context, definition, target);
    const created = store.create(plural, { ...draft, metadata: { ...draft.metadata, name } }, options);
    return written(context, definition, answer, 201, created);
  }
  if (current === undefined) throw notFound(definition, name);
  assertObject(context, type === JSON_PATCH);
  const patched =
    type === JSON_PATCH
      ? store.replace(plural, jsonPatch(current, context.body) as StoredObject, options)
      : store.patchMerge(plural, namespace, name, context.body as object, options);
  await written(context, definition, answer, 200, patched);
}

export async function remove(
  context: RequestContext,
  definition: ResourceDefinition,
  target: ApiTarget,
  answer: Answer,
): Promise<void> {
  const { preconditions, dryRun } = (context.body ?? {}) as {
    preconditions?: { uid?: string; resourceVersion?: string };
    dryRun?: string[];
  };
  const options = optionsOf(context, target);
  const removed = context.store.remove(definition.plural, target.namespace ?? '', target.name!, {
    ...options,
    ...preconditions,
    dryRun: options.dryRun || dryRun?.includes('All'),
  });
  // What finalizers still hold is answered as an object, what is gone as a Status.
  if (removed.metadata.finalizers?.length) return written(context, definition, answer, 200, removed);
  const { name, uid } = removed.metadata;
  const { group, plural: kind } = definition;
  const details = { name, ...(group === '' ? {} : { group }), kind, uid };
  await answer.json(200, { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details });
}

/** Removes everything that the selectors match in one namespace. */
export async function removeMany(
  context: RequestContext,
  definition: ResourceDefinition,
  target: ApiTarget,
  answer: Answer,
): Promise<void> {
  const { store, query } = context;
  assertSelectable(definition.custom, query.get('fieldSelector'));
  const matches = matcherOf(query.get('labelSelector'), query.get('fieldSelector'));
  const items = store
    .list(definition.plural, target.namespace)
    .filter(matches)
    .map(({ metadata }) =>
      store.remove(definition.plural, metadata.namespace ?? '', metadata.name, optionsOf(context, target)),
    );
  const { group, version, kind } = definition;
  const apiVersion = group === '' ? version : `${group}/${version}`;
  const metadata = { resourceVersion: String(store.resourceVersion) };
  await answer.json(200, { kind: `${kind}List`, apiVersion, metadata, items });
}

/** The body as an object of this resource, in the namespace of the URL. */
function draftOf(context: RequestContext, definition: ResourceDefinition, target: ApiTarget): ObjectDraft {
  assertObject(context, false);
  const draft = context.body as ObjectDraft;
  const { group, version, kind } = definition;
  const apiVersion = group === '' ? version : `${group}/${version}`;
  if ((draft.kind ?? kind) !== kind || (draft.apiVersion ?? apiVersion) !== apiVersion) {
    throw badRequest(`${draft.kind} in version "${draft.apiVersion}" cannot be handled as a ${kind}`);
  }
  if (!definition.namespaced) return draft;
  if (target.namespace === undefined) {
    throw new StoreProblem(
      405,
      'MethodNotAllowed',
      'the server does not allow this method on the requested resource',
    );
  }
  const namespace = draft.metadata?.namespace ?? target.namespace;
  if (namespace !== target.namespace) {
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  }
  return { ...draft, metadata: { ...draft.metadata, namespace } };
}

function assertObject(context: RequestContext, isArray: boolean): void {
  const { body } = context;
  if (typeof body !== 'object' || body === null || Array.isArray(body) !== isArray) {
    throw badRequest(
      "the object provided is unrecognized (must be of type Object): couldn't get version/kind",
    );
  }
}

function patchTypeOf(context: RequestContext, definition: ResourceDefinition): string {
  const known = [JSON_PATCH, MERGE_PATCH, APPLY_PATCH, ...(definition.custom ? [] : [STRATEGIC_PATCH])];
  if (known.includes(context.contentType)) return context.contentType;
  const message = `the body of the request was in an unknown format - accepted media types include: ${known.join(', ')}`;
  throw new StoreProblem(415, 'UnsupportedMediaType', message);
}

function optionsOf(context: RequestContext, target: ApiTarget): WriteOptions {
  if (target.subresource !== undefined && target.subresource !== 'status') throw noSuchKind();
  return {
    dryRun: context.query.get('dryRun') === 'All',
    ...(target.subresource === 'status' ? { subresource: 'status' } : {}),
  };
}

async function written(
  context: RequestContext,
  definition: ResourceDefinition,
  answer: Answer,
  code: number,
  object: StoredObject,
) {
  const view = viewOf(context.accept, context.query.get('includeObject'));
  await answer.json(code, oneIn(view, definition, object, context.nowMs));
}
