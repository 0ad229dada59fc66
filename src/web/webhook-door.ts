/**
 * The door that webhooks come in by: Probot's middleware, which checks the signature and calls the handlers, and around
 * it what it does not do itself. Nobody who cannot sign may cost us memory, log or work.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createNodeMiddleware, type Options, Probot } from 'probot';
import type { Forward } from './forward.ts';
import { type WebhookOptions, webhookHandlers } from './webhooks.ts';

export interface DoorOptions extends WebhookOptions {
  path: string;
  secret: string;
  /** Passes on what another replica should hear at once. */
  forward?: Forward | undefined;
  /** Told of every delivery that was not let in. */
  onRefused(): void;
}

export type Door = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** GitHub sends no more: https://docs.github.com/webhooks/webhook-events-and-payloads#payload-cap */
const bodyBytesMax = 25 * 1024 * 1024;
/** Of all deliveries that are being read at once. */
const allBytesMax = 4 * bodyBytesMax;
/** The log tells of refusals this often at the most. */
const tellEveryMs = 60_000;

/** Opens the door. Throws when there is no secret: Probot would take "development" for one. */
export async function openDoor(options: DoorOptions): Promise<Door> {
  if (options.secret === '')
    throw new Error('There is no webhook secret; the environment is to refuse that.');
  // Probot is our ear and never our mouth: the client that it makes for its handlers can sign in nowhere.
  const probot = new Probot({ githubToken: 'none', secret: options.secret, log: silentLog() });
  const middleware = await createNodeMiddleware(webhookHandlers(options), {
    probot,
    webhooksPath: options.path,
  });
  const refusals = createRefusals(options);
  let bytesHeld = 0;

  return async (request, response) => {
    const refusal = refusalBeforeReading(request, bytesHeld);
    if (refusal !== null) {
      refusals.tell(refusal.words);
      answer(response, refusal);
      return;
    }
    let held = 0;
    const body = await readBody(request, (bytes) => {
      held += bytes;
      bytesHeld += bytes;
      return bytesHeld <= allBytesMax;
    });
    try {
      if (body === 'gone') return;
      if (body === 'too-large' || !isObject(body)) {
        const refusal = body === 'too-large' ? tooLarge : noObject;
        refusals.tell(refusal.words);
        answer(response, refusal);
        return;
      }
      // With these two the middleware takes the body from here and does not read the stream.
      Object.assign(request, { body: {}, rawBody: body });
      await middleware(request, response);
      if (response.statusCode >= 400) refusals.tell(`it was answered with ${response.statusCode}`);
      else await options.forward?.(request.headers, body);
    } finally {
      bytesHeld -= held;
    }
  };
}

interface Refusal {
  status: number;
  words: string;
}

const tooLarge: Refusal = { status: 413, words: 'it is larger than 25 MB, and GitHub sends no such thing' };
const noObject: Refusal = { status: 400, words: 'its body is no JSON object' };

/** Probot finds its handlers by this name in an object of JavaScript, which has more names than those of handlers. */
const eventPattern = /^[a-z][a-z0-9_]{0,99}$/;

/** GitHub's are UUIDs. By it the press of a button is told from the next one. */
const numberPattern = /^[\w-]{1,100}$/;

function refusalBeforeReading(request: IncomingMessage, bytesHeld: number): Refusal | null {
  if (request.method !== 'POST') return { status: 405, words: 'webhooks are posted' };
  if (request.headers['x-hub-signature-256'] === undefined) {
    return { status: 401, words: 'it is not signed; set the webhook secret on the settings page of the App' };
  }
  if (!eventPattern.test(String(request.headers['x-github-event']))) {
    return { status: 400, words: 'it names no event' };
  }
  if (!numberPattern.test(String(request.headers['x-github-delivery'] ?? ''))) {
    return { status: 400, words: 'it has no number' };
  }
  if (Number(request.headers['content-length'] ?? 0) > bodyBytesMax) return tooLarge;
  if (bytesHeld > allBytesMax) return { status: 503, words: 'too many are being read at once' };
  return null;
}

function answer(response: ServerResponse, refusal: Refusal): void {
  // What is still to come of the request is not read.
  response.writeHead(refusal.status, {
    'content-type': 'text/plain; charset=utf-8',
    connection: 'close',
    ...(refusal.status === 405 ? { allow: 'POST' } : {}),
  });
  response.end(`This delivery is refused: ${refusal.words}.\n`);
}

/** The body, as long as it keeps to the limit and `hold` agrees; `gone` when the sender went away. */
async function readBody(
  request: IncomingMessage,
  hold: (bytes: number) => boolean,
): Promise<Buffer | 'too-large' | 'gone'> {
  const parts: Buffer[] = [];
  let bytes = 0;
  try {
    // Leaving the loop must not destroy the connection: the sender is to hear why.
    for await (const part of request.iterator({ destroyOnReturn: false })) {
      bytes += part.length;
      if (!hold(part.length) || bytes > bodyBytesMax) return 'too-large';
      parts.push(part);
    }
  } catch {
    return 'gone';
  }
  return Buffer.concat(parts);
}

function isObject(body: Buffer): boolean {
  return /^\s*\{/.test(body.toString('latin1', 0, 100));
}

/** Anybody can make refusals, so they must not fill the log: one line a minute, with how many there were. */
function createRefusals(options: DoorOptions): { tell(words: string): void } {
  let toldAt = Number.NEGATIVE_INFINITY;
  let untold = 0;
  return {
    tell(words) {
      options.onRefused();
      const now = options.clock.now();
      if (now - toldAt < tellEveryMs) {
        untold += 1;
        return;
      }
      options.log.warn(`a webhook was refused: ${words}`, { othersSinceLastTold: untold });
      toldAt = now;
      untold = 0;
    },
  };
}

/** Probot tells of every wrong signature at length; our own log tells of it with measure. */
function silentLog(): NonNullable<Options['log']> {
  const ignore = () => {};
  const log: Record<string, unknown> = {};
  for (const level of ['trace', 'debug', 'info', 'warn', 'error', 'fatal']) log[level] = ignore;
  log.child = () => log;
  return log as unknown as NonNullable<Options['log']>;
}
