/**
 * One Octokit that speaks as somebody (the App, or one installation of it) and minds its manners. Around a request,
 * from the outside in: the limit gate, the lanes and the budget; retries; and for every single try the credentials,
 * the ETag of what was answered before and the observer. Only requests that can be repeated without harm are: "A time-out
 * on a create says nothing".
 */
import { retry } from '@octokit/plugin-retry';
import { Octokit } from '@octokit/rest';
import { type Clock, WorldProblem } from '../../ports.ts';
import { createConditionalReads } from './conditional-reads.ts';
import { graphqlRefusal } from './graphql-errors.ts';
import { type Budget, contentWindows, createBudget, createLane, type Lane, wait } from './lanes.ts';
import { createLimitGate, type LimitGate, type Traffic } from './limit-gate.ts';
import { isRefused, refusalOf } from './refusal.ts';

/** What was sent and what came back, for counting and for metrics. One for every try. */
export interface RequestEvent {
  phase: 'sent' | 'answered';
  method: string;
  /** The path with its parameters filled in and without the query. */
  path: string;
  /** Null when `sent`, and when there was no answer. */
  status: number | null;
  /** Of this try; 0 when `sent`. */
  durationMs: number;
}

/** How we reach the server, the same for every client. */
export interface Wire {
  /** `https://api.github.com`, `https://HOST/api/v3` for an Enterprise Server; no slash at the end. */
  baseUrl: string;
  /** For a proxy or an own certificate authority; the global one when absent. */
  fetch?: typeof fetch;
  clock: Clock;
  /** 0 up to 1, for jitter. */
  random: () => number;
  /** Tries after the first are made 1, 4 and 9 times this later. */
  retryBaseMs: number;
  /** How long a single try may take. */
  timeoutMs: number;
  onRequest?: (event: RequestEvent) => void;
}

/** Gives the `authorization` header. `refused` is GitHub's `Date` when the last one was not accepted, else null. */
export type Authorize = (refused: { date: string | null } | null) => Promise<string>;

const retriesMax = 3;
/** Well under the 100 that GitHub allows, for other replicas and webhooks to have room. */
const concurrentMax = 20;
/** A write that would have to wait longer for its turn is given up for this tick. */
const budgetWaitMsMax = 30_000;

/** Posting these twice gives the same as posting them once, or something that nobody sees. */
const repeatablePosts = [/\/git\/(blobs|trees|commits)$/, /\/access_tokens$/, /\/(labels|reactions)$/];
/** These are not content in GitHub's sense: nobody can see them. */
const uncountedWrites = [/\/git\/(blobs|trees)$/, /\/access_tokens$/];

/** A second try does not change a no, but for a time-out of the server (408); limits are the gate's. */
const finalStatuses = Array.from({ length: 100 }, (_, index) => 400 + index).filter(
  (status) => status !== 408,
);

const silent = { debug() {}, info() {}, warn() {}, error() {} };

/** An Octokit that speaks with the credentials of `authorize`. `who` names it in messages ("the App", an owner). */
export function createOctokit(wire: Wire, authorize: Authorize, who: string): Octokit {
  const manners: Manners = {
    gate: createLimitGate(wire.clock, wire.random, who),
    reads: createLane(concurrentMax),
    writesByRepository: new Map(),
    budget: createBudget(contentWindows, wire.clock),
  };
  const reads = createConditionalReads<Answer>();
  const SpeakingOctokit = Octokit.plugin(
    (octokit) => {
      octokit.hook.wrap('request', (send, options) => trySending(send as Send, options as Options, wire));
      octokit.hook.wrap('request', (send, options) => {
        const { method, url, headers } = octokit.request.endpoint.parse(options);
        const question = { method, url, accept: String(headers.accept ?? '') };
        return reads.read(question, (etag) => askedWith(send as Send, options as Options, etag));
      });
      octokit.hook.wrap('request', (send, options) =>
        authorized(send as Send, options as Options, authorize),
      );
    },
    retry,
    (octokit) => {
      octokit.hook.wrap('request', (send, options) =>
        withManners(send as Send, options as Options, wire, manners, who),
      );
    },
  );
  return new SpeakingOctokit({
    baseUrl: wire.baseUrl,
    userAgent: 'stepback',
    log: silent,
    request: { fetch: fetchWithTimeout(wire) },
    retry: { doNotRetry: finalStatuses, retries: retriesMax, retryAfterBaseValue: wire.retryBaseMs },
  });
}

interface Options {
  method: string;
  url: string;
  baseUrl: string;
  headers: Record<string, string | number | undefined>;
  request: { retries?: number };
  owner?: unknown;
  repo?: unknown;
}

interface Answer {
  status: number;
  headers: Record<string, string | number | undefined>;
  data: unknown;
  url: string;
}

type Send = (options: Options) => Promise<Answer>;

interface Manners {
  gate: LimitGate;
  reads: Lane;
  writesByRepository: Map<string, Lane>;
  budget: Budget;
}

async function withManners(send: Send, options: Options, wire: Wire, manners: Manners, who: string) {
  const path = pathOf(options);
  const traffic: Traffic = options.method === 'GET' || options.method === 'HEAD' ? 'read' : 'write';
  const isRepeatable = options.method !== 'POST' || repeatablePosts.some((pattern) => pattern.test(path));
  // All requests of a client share this object, and the retry plugin counts in it: each gets one of its own.
  options.request = { ...options.request, ...(isRepeatable ? {} : { retries: 0 }) };
  const lane = traffic === 'read' ? manners.reads : laneOf(manners, `${options.owner}/${options.repo}`);
  return lane(async () => {
    manners.gate.pass(traffic);
    if (traffic === 'write' && !uncountedWrites.some((pattern) => pattern.test(path))) {
      await waitForTurn(manners.budget, wire.clock, who);
      manners.gate.pass(traffic);
    }
    try {
      const answer = await send(options);
      const refusal = path.endsWith('/graphql') ? graphqlRefusal(answer) : null;
      if (refusal !== null) throw refusal;
      manners.gate.succeeded(traffic);
      return answer;
    } catch (error) {
      throw manners.gate.refused(error, traffic) ?? error;
    }
  });
}

/** One lane a repository. A client sees as many repositories as its installation has, so the map stays small. */
function laneOf(manners: Manners, repository: string): Lane {
  const key = repository.toLowerCase();
  const found = manners.writesByRepository.get(key);
  if (found !== undefined) return found;
  const lane = createLane(1);
  manners.writesByRepository.set(key, lane);
  return lane;
}

async function waitForTurn(budget: Budget, clock: Clock, who: string): Promise<void> {
  const delayMs = budget.take(budgetWaitMsMax);
  if (delayMs === null) {
    const retryAfterMs = budget.waitMs();
    throw new WorldProblem(
      'transient',
      `Stepback has written to GitHub for ${who} as often as GitHub allows (80 times a minute, 500 times an hour). ` +
        `Nothing is lost; it goes on in ${Math.ceil(retryAfterMs / 1000)} s.`,
      { retryAfterMs },
    );
  }
  if (delayMs > 0) await wait(clock, delayMs);
}

/** A token can be revoked before its time, and a new one needs a moment to be known: one more try, no more. */
async function authorized(send: Send, options: Options, authorize: Authorize): Promise<Answer> {
  options.headers.authorization = await authorize(null);
  try {
    return await send(options);
  } catch (error) {
    if (!isRefused(error, 401)) throw error;
    options.headers.authorization = await authorize({ date: refusalOf(error)?.headers.date ?? null });
    return send(options);
  }
}

function askedWith(send: Send, options: Options, etag: string | null): Promise<Answer> {
  // In place: the hook further in is bound to this object, whatever is handed on. A try before may have had an ETag.
  if (etag === null) delete options.headers['if-none-match'];
  else options.headers['if-none-match'] = etag;
  return send(options);
}

async function trySending(send: Send, options: Options, wire: Wire): Promise<Answer> {
  const startedAt = wire.clock.now();
  const { method } = options;
  const path = pathOf(options);
  const report = (phase: RequestEvent['phase'], status: number | null) =>
    wire.onRequest?.({ phase, method, path, status, durationMs: wire.clock.now() - startedAt });
  report('sent', null);
  try {
    const answer = await send(options);
    report('answered', answer.status);
    if (typeof answer.data === 'string' && answer.data !== '') throw notGitHub(answer);
    return answer;
  } catch (error) {
    if (!(error instanceof WorldProblem)) report('answered', refusalOf(error)?.status ?? null);
    throw error;
  }
}

/** A proxy's log-in page or a maintenance page comes with 200 and is no JSON. */
function notGitHub(answer: Answer): WorldProblem {
  return new WorldProblem(
    'transient',
    `The server at ${new URL(answer.url).host} answered with something that is not GitHub's API (a proxy's or a ` +
      'maintenance page, perhaps). Stepback tries again; if this stays so, check the API address and the proxy.',
  );
}

/** The template filled in as far as its parameters are in the path: `/repos/o/r/git/blobs`. */
function pathOf(options: Options): string {
  const parameters = options as unknown as Record<string, unknown>;
  const path = options.url.replace(/\{([a-z_]+)\}/g, (_, name: string) => String(parameters[name]));
  return (path.startsWith(options.baseUrl) ? path.slice(options.baseUrl.length) : path).replace(/\?.*$/, '');
}

/** Every try gets its own time; a signal handed to Octokit would be one for all tries. */
function fetchWithTimeout(wire: Wire): typeof fetch {
  return (url, init) =>
    (wire.fetch ?? globalThis.fetch)(url, { ...init, signal: AbortSignal.timeout(wire.timeoutMs) });
}
