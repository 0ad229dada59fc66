/**
 * What an API server can answer instead of what was asked for, told apart and put into sentences: what happened, what
 * it means, what to do. Words of the server are quoted last, cut and on one line, because they can hold anything.
 */
import { list, number, record, text } from '../../domain/read.ts';
import { type ProblemKind, WorldProblem } from '../../ports.ts';
import { type Resource, resourceName } from './resource.ts';

export type ApiReason =
  | 'unreachable'
  | 'untrusted'
  | 'silent'
  | 'stopped'
  | 'unauthorized'
  | 'forbidden'
  | 'not-found'
  | 'no-such-kind'
  | 'conflict'
  | 'already-exists'
  | 'gone'
  | 'version-too-large'
  | 'invalid'
  | 'too-large'
  | 'too-many-requests'
  | 'server-error'
  | 'not-understood';

/** A problem with one request, `reason` for the code and `message` for people. */
export class ApiProblem extends WorldProblem {
  readonly reason: ApiReason;

  constructor(
    reason: ApiReason,
    message: string,
    options: { cause?: unknown; retryAfterMs?: number | undefined } = {},
  ) {
    super(kindOf(reason), message, options);
    this.name = 'ApiProblem';
    this.reason = reason;
  }
}

/** What was asked of whom, for the sentences. */
export interface Asked {
  cluster: string;
  server: string;
  verb: string;
  resource: Resource;
  namespace: string | null;
  name?: string;
  /** The file that grants it; `deploy/rbac.yaml` when absent. */
  rights?: string;
}

function kindOf(reason: ApiReason): ProblemKind {
  switch (reason) {
    case 'untrusted':
    case 'unauthorized':
    case 'forbidden':
    case 'not-found':
    case 'no-such-kind':
    case 'already-exists':
    case 'invalid':
    case 'too-large':
      return 'permanent';
    default:
      return 'transient';
  }
}

/**
 * The problem behind an answer that is not 2xx. `body` is the answer as text: a `Status` object, or plain text where
 * the path itself is unknown (a kind whose definition is missing) or a proxy answers.
 */
export function problemOfAnswer(
  asked: Asked,
  status: number,
  body: string,
  retryAfterSeconds: number | null,
): ApiProblem {
  const answer = readStatus(body);
  const reason = reasonOf(status, answer);
  const wait = retryAfterSeconds ?? answer.retryAfterSeconds;
  return new ApiProblem(reason, sentenceFor(reason, asked, status, answer.message || body), {
    retryAfterMs: wait === null ? undefined : wait * 1000,
  });
}

/** The problem behind an ERROR event inside a watch, whose object is a `Status`. */
export function problemOfErrorEvent(asked: Asked, object: unknown): ApiProblem {
  const body = JSON.stringify(object ?? null);
  return problemOfAnswer(asked, number(record(object).code, 500), body, null);
}

/** The problem behind a request or a stream that broke. `cause` is what fetch threw. */
export function problemOfFailure(asked: Asked, cause: unknown): ApiProblem {
  const { code, message } = deepestCause(cause);
  const reason = isAboutTrust(code, message) ? 'untrusted' : 'unreachable';
  const words = code === '' ? message : `${code}: ${message}`;
  return new ApiProblem(reason, sentenceFor(reason, asked, 0, words), { cause });
}

/** The problem of an answer that stopped coming. */
export function problemOfSilence(asked: Asked, silenceMs: number): ApiProblem {
  return new ApiProblem('silent', sentenceFor('silent', asked, 0, `${Math.round(silenceMs / 1000)} s`));
}

/** The problem of an answer that cannot be read; `words` say what is wrong with it. */
export function problemOfNonsense(asked: Asked, words: string): ApiProblem {
  return new ApiProblem('not-understood', sentenceFor('not-understood', asked, 200, words));
}

/** Foreign words on one line, at most 300 characters, without control characters. */
export function quote(words: string): string {
  const line = words.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').trim();
  return line.length > 300 ? `${line.slice(0, 299)}…` : line;
}

interface StatusAnswer {
  isStatus: boolean;
  reason: string;
  message: string;
  causes: readonly string[];
  retryAfterSeconds: number | null;
}

function readStatus(body: string): StatusAnswer {
  const status = record(parsed(body));
  const details = record(status.details);
  const retryAfterSeconds = number(details.retryAfterSeconds, -1);
  return {
    isStatus: text(status.kind) === 'Status',
    reason: text(status.reason),
    message: text(status.message),
    causes: list(details.causes).map((cause) => text(record(cause).reason)),
    retryAfterSeconds: retryAfterSeconds < 0 ? null : retryAfterSeconds,
  };
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}

function reasonOf(status: number, answer: StatusAnswer): ApiReason {
  if (answer.causes.includes('ResourceVersionTooLarge')) return 'version-too-large';
  if (/etcdserver: request is too large|limit is \d+/.test(answer.message)) return 'too-large';
  switch (status) {
    case 401:
      return 'unauthorized';
    case 403:
      return 'forbidden';
    case 404:
      return answer.isStatus ? 'not-found' : 'no-such-kind';
    case 409:
      return answer.reason === 'AlreadyExists' ? 'already-exists' : 'conflict';
    case 410:
      return 'gone';
    case 400:
    case 405:
    case 406:
    case 415:
    case 422:
      return 'invalid';
    case 413:
      return 'too-large';
    case 429:
      return 'too-many-requests';
    default:
      return status >= 500 ? 'server-error' : 'not-understood';
  }
}

function isAboutTrust(code: string, message: string): boolean {
  return (
    /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ERR_TLS|HOSTNAME_MISMATCH/i.test(code) || /certificate/i.test(message)
  );
}

/** fetch says "fetch failed" and keeps what happened in `cause`, sometimes several deep or in a list. */
function deepestCause(error: unknown): { code: string; message: string } {
  let current: unknown = error;
  for (let depth = 0; depth < 8; depth += 1) {
    const holder = current as { cause?: unknown; errors?: unknown[] } | null | undefined;
    const next = holder?.cause ?? holder?.errors?.[0];
    if (next === undefined || next === null) break;
    current = next;
  }
  const last = record(current);
  return { code: text(last.code), message: current instanceof Error ? current.message : String(current) };
}

function sentenceFor(reason: ApiReason, asked: Asked, status: number, words: string): string {
  const who = `cluster "${asked.cluster}"`;
  const where = asked.namespace === null ? '' : ` in namespace ${asked.namespace}`;
  const named =
    asked.name === undefined ? '' : ` ${asked.namespace === null ? '' : `${asked.namespace}/`}${asked.name}`;
  const kind = resourceName(asked.resource);
  const what = named === '' ? `${kind}${where || ' in all namespaces'}` : `${kind}${named}`;
  const said = quote(words) === '' ? '' : ` The answer was: ${quote(words)}`;
  const broke = ` The error was: ${quote(words)}`;
  switch (reason) {
    case 'unreachable':
      return `The Kubernetes API of ${who} cannot be reached at ${asked.server}, so nothing is seen there. Check that it runs, and the network and address; Stepback keeps trying.${broke}`;
    case 'untrusted':
      return `The certificates of ${who} at ${asked.server} are not accepted, so Stepback does not talk to it. Check certificate-authority, client-certificate and tls-server-name in the kubeconfig.${broke}`;
    case 'silent':
      return `The Kubernetes API of ${who} accepted a request to ${asked.verb} ${what} and then sent nothing for ${quote(words)}, so the connection counts as dead. Stepback connects again; if this repeats, look at proxies in between.`;
    case 'stopped':
      return `The request to ${asked.verb} ${what} was given up because Stepback is stopping.`;
    case 'unauthorized':
      return `The Kubernetes API of ${who} does not accept our credentials, also after they were read again, so nothing is seen there. Renew the token or certificate of this context.${said}`;
    case 'forbidden':
      return `In ${who} Stepback has no right to ${asked.verb} ${what}. Grant the verb "${asked.verb}" on ${kind}${where === '' ? ' for all namespaces' : where}, as ${asked.rights ?? 'deploy/rbac.yaml'} does.${said}`;
    case 'not-found':
      return `There is no ${what} in ${who}.${said}`;
    case 'no-such-kind':
      return `The API of ${who} does not know ${kind}. ${asked.resource.whenMissing}`;
    case 'conflict':
      return `In ${who} ${what} was changed by somebody else in between. It is read again before the next try.${said}`;
    case 'already-exists':
      return `In ${who} ${what} exists already.${said}`;
    case 'gone':
      return `The list of ${what} in ${who} has moved on too far to be continued. It is read again from the beginning.${said}`;
    case 'version-too-large':
      return `The state of ${who} is older than what was seen of it before (set back by a restore, perhaps). It is read again from the beginning.${said}`;
    case 'invalid':
      return `The Kubernetes API of ${who} refuses the request to ${asked.verb} ${what} as invalid. This is a fault of Stepback or of a version it does not know; please report it.${said}`;
    case 'too-large':
      return `The API of ${who} takes no object as large as this ${what}, so it was not written.${said}`;
    case 'too-many-requests':
      return `The Kubernetes API of ${who} has too many requests and asks for patience. Stepback waits and tries again.${said}`;
    case 'server-error':
      return `The Kubernetes API of ${who} failed with status ${status} when asked to ${asked.verb} ${what}. Stepback tries again.${said}`;
    case 'not-understood':
      return `The answer of ${who} to the request to ${asked.verb} ${what} cannot be understood (status ${status}). Check that ${asked.server} is a Kubernetes API server; Stepback tries again.${said}`;
  }
}
