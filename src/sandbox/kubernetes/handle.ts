/** One request from its first line to its answer: who asks, for what, may they, what goes wrong, and then the thing itself. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type AccessUser, authenticate, forbidden, isAllowed } from './access.ts';
import { isReview, review } from './access-review.ts';
import { Answer } from './answer.ts';
import { type ApiTarget, targetOf } from './api-path.ts';
import type { RequestContext } from './context.ts';
import { discover, isPublic } from './discovery.ts';
import { type Fault, type FaultScript, faultOf } from './faults.ts';
import type { History } from './history.ts';
import type { Journal } from './journal.ts';
import { get, list } from './reads.ts';
import type { ResourceDefinition } from './resources.ts';
import type { ObjectStore } from './store.ts';
import { badRequest, noSuchKind, StoreProblem } from './store-problem.ts';
import type { Watches } from './watches.ts';
import { create, patch, remove, removeMany, update } from './writes.ts';

export interface World {
  store: ObjectStore;
  history: History;
  watches: Watches;
  faults: FaultScript;
  journal: Journal;
  users: readonly AccessUser[];
  now(): number;
  after(delayMs: number, run: () => void): () => void;
}

/** The server takes no larger body (k8s.io/apiserver, MaxRequestBodyBytes). */
const BODY_BYTES_MAX = 3_145_728;

/** Answers one request, refusals and faults included. Rejects only for a request line that is no URL. */
export async function handle(
  world: World,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const method = request.method ?? 'GET';
  const path = request.url ?? '/';
  const url = new URL(path, 'http://localhost');
  const target = targetOf(method, url.pathname, url.searchParams);
  const { verb, resource, namespace, name, subresource } = target ?? {};
  const faults = world.faults.hit({ method, path, verb, resource });
  const { accept } = request.headers;
  const asked = { method, path, verb, resource, namespace, name, subresource, accept };
  const entry = world.journal.open({ atMs: world.now(), ...asked });
  const answer = new Answer(response, entry, {
    faults,
    dateMs: world.now() + world.faults.dateSkewMs,
    after: world.after,
  });
  try {
    const body = await bodyOf(request);
    entry.body = body;
    if (await insteadOfEffect(faults, answer)) return;
    if (isPublic(url.pathname))
      return await discover(world.store, url.pathname, request.headers.host ?? '', answer);
    const user = authenticate(world.users, request.headers.authorization);
    entry.user = user.name;
    if (target === undefined)
      return await withoutTarget(world, method, url, request.headers.host ?? '', answer);
    const contentType = (request.headers['content-type'] ?? '').split(';')[0]!.trim();
    const { store, history } = world;
    const context = {
      store,
      history,
      query: url.searchParams,
      accept,
      contentType,
      body,
      faults,
      nowMs: world.now(),
    };
    if (isReview(target)) return await review(context, user, answer);
    const question = { ...target, name: target.name ?? nameSelected(url.searchParams) };
    if (!isAllowed(user, question)) throw forbidden(user, question);
    await dispatch(world.watches, context, definitionOf(store, target), target, answer);
  } catch (problem) {
    await answer.problem(problem instanceof StoreProblem ? problem : internal(problem));
  }
}

/** A list or watch of one name counts as a request for that name, so that rules with names allow it. */
function nameSelected(query: URLSearchParams): string | undefined {
  return /(?:^|,)metadata\.name==?([^,]+)/.exec(query.get('fieldSelector') ?? '')?.[1];
}

/** The whole body as JSON, undefined when empty. Throws a StoreProblem 413 or 400. */
async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of request) {
    bytes += (piece as Buffer).length;
    if (bytes <= BODY_BYTES_MAX) pieces.push(piece as Buffer);
  }
  if (bytes > BODY_BYTES_MAX) {
    const message = `Request entity too large: limit is ${BODY_BYTES_MAX}`;
    throw new StoreProblem(413, 'RequestEntityTooLarge', message);
  }
  if (bytes === 0) return undefined;
  try {
    return JSON.parse(Buffer.concat(pieces).toString());
  } catch (error) {
    throw badRequest(`error decoding the body: ${(error as Error).message}`);
  }
}

/** Plays the faults that come instead of the effect; true when there is nothing more to do. */
async function insteadOfEffect(faults: readonly Fault[], answer: Answer): Promise<boolean> {
  if (faultOf(faults, 'hang')) return true;
  if (faultOf(faults, 'reset')) {
    answer.reset();
    return true;
  }
  const status = faultOf(faults, 'status');
  if (status === undefined) return false;
  const { code, body, text, retryAfterSeconds } = status;
  if (retryAfterSeconds !== undefined) answer.header('retry-after', String(retryAfterSeconds));
  if (text !== undefined) await answer.text(code, text);
  else if (body !== undefined) await answer.json(code, body);
  else
    await answer.problem(
      new StoreProblem(code, 'InternalError', 'a fault that the script of the sandbox asked for'),
    );
  return true;
}

async function withoutTarget(
  world: World,
  method: string,
  url: URL,
  host: string,
  answer: Answer,
): Promise<void> {
  if (method !== 'GET') throw noSuchKind();
  await discover(world.store, url.pathname, host, answer);
}

function definitionOf(store: ObjectStore, target: ApiTarget): ResourceDefinition {
  const definition = store.definition(target.resource);
  const { group, version, namespaced, statusSubresource } = definition;
  const isServed = group === target.group && version === target.version;
  const fitsScope = namespaced
    ? target.namespace !== undefined || target.name === undefined
    : target.namespace === undefined;
  const fitsSubresource =
    target.subresource === undefined || (target.subresource === 'status' && statusSubresource);
  if (!isServed || !fitsScope || !fitsSubresource) throw noSuchKind();
  return definition;
}

function dispatch(
  watches: Watches,
  context: RequestContext,
  definition: ResourceDefinition,
  target: ApiTarget,
  answer: Answer,
): Promise<void> {
  switch (target.verb) {
    case 'get':
      return get(context, definition, target, answer);
    case 'list':
      return list(context, definition, target, answer);
    case 'watch':
      return watches.watch(context, definition, target, answer);
    case 'create':
      return create(context, definition, target, answer);
    case 'update':
      return update(context, definition, target, answer);
    case 'patch':
      return patch(context, definition, target, answer);
    case 'delete':
      return remove(context, definition, target, answer);
    case 'deletecollection':
      return removeMany(context, definition, target, answer);
  }
}

function internal(problem: unknown): StoreProblem {
  const message = problem instanceof Error ? (problem.stack ?? problem.message) : String(problem);
  return new StoreProblem(500, 'InternalError', `Internal error occurred: ${message}`);
}
