/**
 * The HTTP side: every request goes through the same steps, in the order GitHub takes them, with a fault at any of
 * them when one is asked for. Routes run to their end without waiting, so one request never sees half of another.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Credentials } from '../credentials.ts';
import type { Fault, Faults } from '../faults.ts';
import type { Journal } from '../journal.ts';
import type { Limits } from '../limits.ts';
import type { Past } from '../past.ts';
import type { Site } from '../site.ts';
import { type Answer, notFound, Refusal } from './answers.ts';
import { Call } from './call.ts';
import {
  type Caller,
  checkPermission,
  findRepository,
  forbidden,
  identify,
  secondaryLimit,
  spend,
} from './gate.ts';
import { movedAnswer, prepare, readBody, type Target, targetOf, write } from './messages.ts';
import type { Match, Router } from './router.ts';

export type Machinery = {
  site: Site;
  router: Router;
  faults: Faults;
  journal: Journal;
  limits: Limits;
  credentials: Credentials;
  past: Past;
  /** Milliseconds that tokens and JWTs are held against. */
  authenticatedAt(): number;
};

/** POSTs that make nothing anybody could see, and so do not count as creating content. */
const NOT_CONTENT = [
  '/app/installations/{installation_id}/access_tokens',
  '/app/hook/deliveries/{delivery_id}/attempts',
];
/** Routes that cost nothing of the hourly limit. */
const FREE = ['/rate_limit', '/meta'];

/** Starts the server on 127.0.0.1. Port 0 takes any. */
export async function listen(machinery: Machinery, port: number): Promise<Server> {
  const server = createServer((request, response) => {
    serve(machinery, request, response).catch((error: unknown) => {
      response.statusCode = 500;
      response.end(JSON.stringify({ message: `The small GitHub broke: ${(error as Error).stack}` }));
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return server;
}

/** The port a server listens on. */
export function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

async function serve(
  machinery: Machinery,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { site, faults, journal } = machinery;
  const target = targetOf(request, site);
  const method = request.method ?? 'GET';
  const body = await readBody(request);
  const match = machinery.router.find(method, target.path);
  const fault = faults.forRequest({ method, path: target.path, body });
  if (fault?.kind === 'slow') await new Promise<void>((resolve) => site.later(fault.ms, resolve));
  const skipped = skips(fault);
  const outcome = skipped
    ? { answer: undefined, caller: undefined }
    : run(machinery, { request, target, match, method, body, fault });
  const given = faultyAnswer(machinery, fault, outcome.caller, match) ?? outcome.answer;
  const answer = given === undefined || fault?.kind === 'no-answer' ? undefined : prepare(request, given);
  if (answer?.status === 304)
    machinery.limits.refund(outcome.caller?.account ?? '', resourceOf(match), site.now());
  journal.add({
    at: site.now(),
    method,
    path: target.path,
    query: target.url.search,
    route: match?.route.path,
    body,
    status: answer?.status ?? 0,
    contentCreating: isContent(method, match),
    fault: fault?.kind,
    actor: outcome.caller?.actor.login,
  });
  if (answer === undefined) {
    // A hanging connection is closed by the caller's own time-out, or when the server closes.
    if (fault?.kind !== 'no-answer' || fault.hangs !== true) request.socket.destroy();
    return;
  }
  write(response, answer, rateHeaders(machinery, outcome.caller, match, fault), site.now());
}

type Work = {
  request: IncomingMessage;
  target: Target;
  match: Match | undefined;
  method: string;
  body: unknown;
  fault: Fault | undefined;
};

/** All that happens to a request that is not stopped on its way: the real answer, or the refusal. */
function run(machinery: Machinery, work: Work): { answer: Answer; caller: Caller | undefined } {
  let caller: Caller | undefined;
  try {
    const { site, credentials, limits } = machinery;
    const { match, method, target } = work;
    if (match === undefined) throw notFound();
    const { route, params } = match;
    caller = identify(
      site,
      credentials,
      work.request.headers.authorization,
      route,
      machinery.authenticatedAt(),
    );
    if (!FREE.includes(route.path))
      spend(limits, caller, resourceOf(match), isContent(method, match), site.now());
    const moved = movedAnswer(site, target, params, method);
    if (moved !== undefined) return { answer: moved, caller };
    return { answer: handle(machinery, work, match, caller), caller };
  } catch (error) {
    if (error instanceof Refusal) return { answer: error.answer(), caller };
    throw error;
  }
}

function handle(machinery: Machinery, work: Work, match: Match, caller: Caller): Answer {
  const { site } = machinery;
  const { fault, method, target, request } = work;
  const { route, params } = match;
  const reads = method === 'GET';
  const state = reads ? (staleState(machinery, fault) ?? site.state) : site.state;
  const repository = findRepository(state, params, caller);
  checkPermission(route, caller);
  if (!reads && repository?.archived === true) {
    throw new Refusal(403, 'Repository was archived so is read-only.');
  }
  if (!reads && (typeof work.body !== 'object' || work.body === null || Array.isArray(work.body))) {
    throw new Refusal(400, 'Problems parsing JSON');
  }
  if (!reads) site.beforeChange();
  return route.handle(
    new Call({
      site,
      view: { state, api: target.api, web: site.web, app: site.app, site },
      url: target.url,
      headers: request.headers,
      params,
      body: (work.body ?? {}) as Record<string, unknown>,
      actor: caller.actor,
      installation: caller.installation,
      repositoryIds: caller.repositoryIds,
      truncateTo: fault?.kind === 'truncated' ? fault.entries : undefined,
      repository,
    }),
  );
}

function staleState({ past, faults, site }: Machinery, fault: Fault | undefined) {
  if (fault?.kind === 'stale') {
    return fault.ms === undefined ? past.before(fault.writes ?? 1) : past.at(site.now() - fault.ms);
  }
  return faults.staleReadsMs > 0 ? past.at(site.now() - faults.staleReadsMs) : undefined;
}

/** Whether a fault keeps the request from having any effect. */
function skips(fault: Fault | undefined): boolean {
  switch (fault?.kind) {
    case undefined:
    case 'slow':
    case 'stale':
    case 'truncated':
      return false;
    case 'status':
      return fault.afterEffect !== true;
    case 'no-answer':
      return !fault.afterEffect;
    default:
      return true;
  }
}

/** The answer a fault puts in place of the real one; undefined where it leaves the real one, or none at all. */
function faultyAnswer(
  { limits, site }: Machinery,
  fault: Fault | undefined,
  caller: Caller | undefined,
  match: Match | undefined,
): Answer | undefined {
  switch (fault?.kind) {
    case 'status':
      return new Refusal(fault.status, fault.message ?? 'Server Error', undefined, fault.headers).answer();
    case 'rate-limit': {
      const { limit } = limits.state(caller?.account ?? '', resourceOf(match), site.now());
      const reset = Math.ceil(site.now() / 1000) + (fault.resetInSeconds ?? 60);
      return new Refusal(fault.status ?? 403, 'API rate limit exceeded for installation.', undefined, {
        'x-ratelimit-limit': String(limit),
        'x-ratelimit-remaining': '0',
        'x-ratelimit-used': String(limit),
        'x-ratelimit-reset': String(reset),
      }).answer();
    }
    case 'secondary-limit':
      return secondaryLimit(fault.status ?? 403, fault.retryAfterSeconds).answer();
    case 'forbidden':
      return forbidden(match?.route.needs).answer();
    case 'not-found':
      return notFound().answer();
    case 'unauthorized':
      return new Refusal(401, 'Bad credentials').answer();
    default:
      return undefined;
  }
}

function rateHeaders(
  { limits, site }: Machinery,
  caller: Caller | undefined,
  match: Match | undefined,
  fault: Fault | undefined,
): Record<string, string> {
  // A fault that answered by itself knows no caller; GitHub still says where the limit stands.
  const state = limits.state(caller?.account ?? 'installation', resourceOf(match), site.now());
  return {
    'x-ratelimit-limit': String(state.limit),
    'x-ratelimit-remaining': String(fault?.kind === 'rate-limit' ? 0 : state.remaining),
    'x-ratelimit-used': String(state.used),
    'x-ratelimit-reset': String(state.resetSeconds),
    'x-ratelimit-resource': resourceOf(match),
  };
}

function resourceOf(match: Match | undefined): string {
  return match?.route.path === '/graphql' ? 'graphql' : 'core';
}

function isContent(method: string, match: Match | undefined): boolean {
  return (
    ['POST', 'PUT', 'PATCH'].includes(method) &&
    match !== undefined &&
    !NOT_CONTENT.includes(match.route.path)
  );
}
