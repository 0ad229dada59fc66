/**
 * One conversation with one API server: a request, and its answer as JSON or as a stream of bytes. Everything that
 * can go wrong comes out as an ApiProblem. Nothing waits for ever: an answer that falls silent is given up.
 */
import { fetch, type Response } from 'undici';
import { type Json, recordOrNull } from '../../domain/read.ts';
import type { Clock } from '../../ports.ts';
import { ApiProblem, type Asked, problemOfAnswer, problemOfNonsense } from './api-problem.ts';
import type { ContextCredentials, Credentials } from './credentials.ts';
import { Exchange } from './exchange.ts';
import { type Resource, resourcePath } from './resource.ts';

export interface ApiRequest {
  /** The verb of RBAC, from which the method follows. */
  verb: 'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'delete';
  resource: Resource;
  /** Null: all namespaces, or a kind that is in none. */
  namespace: string | null;
  name?: string;
  subresource?: 'status';
  /** The file that grants what is asked; `deploy/rbac.yaml` when absent. */
  rights?: string;
  query?: Readonly<Record<string, string>>;
  accept?: string;
  body?: unknown;
  signal?: AbortSignal;
  /** How long the answer may be silent. */
  silenceMs?: number;
  /** How long a JSON answer may be. */
  bytesMax?: number;
}

export interface ApiAnswer {
  object: Json;
  /** The server's own time, from its `Date`; null when a proxy took it away. */
  observedAt: number | null;
}

export interface ApiStream {
  observedAt: number | null;
  /** Must be iterated or returned; throws ApiProblem. */
  chunks: AsyncGenerator<Uint8Array, void, void>;
}

/** Metadata that an object needs to be written back. */
export interface Writable {
  metadata: { name: string; namespace?: string; resourceVersion?: string };
}

const silenceMsOfAnswers = 25_000;
/** V8 cannot make longer strings than half a gigabyte; a list as long as this is read in pages. */
const answerBytesMax = 256 * 1024 * 1024;
const errorBytesMax = 64 * 1024;

const methods = {
  get: 'GET',
  list: 'GET',
  watch: 'GET',
  create: 'POST',
  update: 'PUT',
  patch: 'PATCH',
  delete: 'DELETE',
} as const;

export class ApiClient {
  readonly cluster: string;
  readonly #credentials: ContextCredentials;
  readonly #clock: Clock;
  #skewMs = 0;

  constructor(cluster: string, credentials: ContextCredentials, clock: Clock) {
    this.cluster = cluster;
    this.#credentials = credentials;
    this.#clock = clock;
  }

  /** What time it is in the cluster: our clock, put right by the last `Date` that was seen (KW08). */
  serverNow(): number {
    return this.#clock.now() + this.#skewMs;
  }

  /** One object; null when there is none. Throws ApiProblem, also when the kind is not known. */
  async get(
    resource: Resource,
    namespace: string | null,
    name: string,
    signal?: AbortSignal,
  ): Promise<ApiAnswer | null> {
    try {
      return await this.request({ verb: 'get', resource, namespace, name, signal });
    } catch (problem) {
      if (problem instanceof ApiProblem && problem.reason === 'not-found') return null;
      throw problem;
    }
  }

  /** One page of a list, or all of it when the server gives it at once. Throws ApiProblem. */
  list(
    resource: Resource,
    namespace: string | null,
    options: Pick<ApiRequest, 'query' | 'accept' | 'signal' | 'bytesMax'> = {},
  ): Promise<ApiAnswer> {
    return this.request({ verb: 'list', resource, namespace, ...options });
  }

  /** Throws ApiProblem, `already-exists` when the name is taken. */
  create(resource: Resource, namespace: string | null, object: unknown): Promise<ApiAnswer> {
    return this.request({ verb: 'create', resource, namespace, body: object });
  }

  /** Writes the whole object over the version it carries. Throws ApiProblem, `conflict` when that is not the last. */
  replace(
    resource: Resource,
    object: Writable,
    options: { subresource?: 'status' } = {},
  ): Promise<ApiAnswer> {
    const { name, namespace } = object.metadata;
    return this.request({
      verb: 'update',
      resource,
      namespace: namespace ?? null,
      name,
      body: object,
      ...options,
    });
  }

  /**
   * JSON merge patch (RFC 7396). With `metadata.resourceVersion` in the patch it is fenced like a replacement.
   * Throws ApiProblem.
   */
  patch(
    resource: Resource,
    namespace: string | null,
    name: string,
    patch: unknown,
    options: Pick<ApiRequest, 'subresource' | 'rights'> = {},
  ): Promise<ApiAnswer> {
    return this.request({ verb: 'patch', resource, namespace, name, body: patch, ...options });
  }

  /** Deletes one object; of exactly this version when one is given. Throws ApiProblem. */
  async delete(
    resource: Resource,
    namespace: string | null,
    name: string,
    resourceVersion?: string,
  ): Promise<void> {
    const preconditions = resourceVersion === undefined ? undefined : { resourceVersion };
    const body = { apiVersion: 'v1', kind: 'DeleteOptions', preconditions };
    await this.request({ verb: 'delete', resource, namespace, name, body });
  }

  /** One request with a JSON answer. Throws ApiProblem. */
  async request(request: ApiRequest): Promise<ApiAnswer> {
    const { observedAt, chunks } = await this.stream(request);
    const asked = this.asked(request);
    const bytesMax = request.bytesMax ?? answerBytesMax;
    const body = await collect(chunks, bytesMax);
    if (body === null) throw new ApiProblem('too-large', tooLargeAnswer(asked, bytesMax));
    const object = recordOrNull(parsed(body));
    if (object === null) throw problemOfNonsense(asked, body.slice(0, 200));
    return { object, observedAt };
  }

  /** One request with an answer that is read as it comes. Throws ApiProblem. */
  async stream(request: ApiRequest): Promise<ApiStream> {
    const asked = this.asked(request);
    // Owner references are not validated; a path must not lead elsewhere, and no object has such a name.
    if (isNoName(request.name) || isNoName(request.namespace ?? undefined)) {
      throw new ApiProblem('not-found', `There is no object of this name in cluster "${this.cluster}".`);
    }
    const silenceMs = request.silenceMs ?? silenceMsOfAnswers;
    const exchange = new Exchange(this.#clock, asked, silenceMs, request.signal);
    try {
      let credentials = await this.#credentials.current();
      let response = await this.#fetch(request, credentials, exchange);
      if (response.status === 401) {
        await response.body?.cancel();
        credentials = await this.#credentials.renew(credentials);
        response = await this.#fetch(request, credentials, exchange);
      }
      const observedAt = this.#dateOf(response);
      if (!response.ok) throw await refusal(asked, response, exchange);
      return { observedAt, chunks: exchange.chunksOf(response) };
    } catch (error) {
      exchange.end();
      const problem = exchange.problemOf(error);
      // The authority of the cluster may have changed: the files are read again before the next request.
      if (problem instanceof ApiProblem && problem.reason === 'untrusted') this.#credentials.expire();
      throw problem;
    }
  }

  /** What a request asks, for the sentences about it. */
  asked(request: Pick<ApiRequest, 'verb' | 'resource' | 'namespace' | 'name' | 'rights'>): Asked {
    const { verb, resource, namespace, name, rights } = request;
    return {
      cluster: this.cluster,
      server: this.#credentials.server,
      verb,
      resource,
      namespace,
      name,
      rights,
    };
  }

  #fetch(request: ApiRequest, credentials: Credentials, exchange: Exchange): Promise<Response> {
    const path = resourcePath(request.resource, request.namespace, request.name, request.subresource);
    const url = new URL(this.#credentials.server + path);
    for (const [name, value] of Object.entries(request.query ?? {})) url.searchParams.set(name, value);
    const headers: Record<string, string> = {
      ...credentials.headers,
      accept: request.accept ?? 'application/json',
      'user-agent': 'stepback',
    };
    if (request.body !== undefined) {
      headers['content-type'] =
        request.verb === 'patch' ? 'application/merge-patch+json' : 'application/json';
    }
    return fetch(url, {
      method: methods[request.verb],
      headers,
      body: request.body === undefined ? null : JSON.stringify(request.body),
      dispatcher: credentials.dispatcher,
      signal: exchange.signal,
      redirect: 'error',
    });
  }

  #dateOf(response: Response): number | null {
    const date = Date.parse(response.headers.get('date') ?? '');
    if (Number.isNaN(date)) return null;
    this.#skewMs = date - this.#clock.now();
    return date;
  }
}

function isNoName(name: string | undefined): boolean {
  return name === '' || name === '.' || name === '..';
}

async function refusal(asked: Asked, response: Response, exchange: Exchange): Promise<ApiProblem> {
  const body = (await collect(exchange.chunksOf(response), errorBytesMax)) ?? '';
  const retryAfter = response.headers.get('retry-after');
  const seconds = retryAfter === null ? Number.NaN : Number(retryAfter);
  return problemOfAnswer(asked, response.status, body, Number.isNaN(seconds) ? null : seconds);
}

/** All of a stream as text; null when it is longer than `bytesMax`. */
async function collect(chunks: AsyncIterable<Uint8Array>, bytesMax: number): Promise<string | null> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    length += chunk.length;
    if (length > bytesMax) return null;
    pieces.push(chunk);
  }
  return Buffer.concat(pieces).toString('utf8');
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}

function tooLargeAnswer(asked: Asked, bytesMax: number): string {
  return `The answer of cluster "${asked.cluster}" to the request to ${asked.verb} ${asked.resource.plural} is larger than ${Math.round(bytesMax / 1024 / 1024)} MB, which is not read at once. It is read in pages where that is possible.`;
}
