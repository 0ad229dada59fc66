/**
 * The one HTTP server: webhooks come in, and the page, the metrics and the health go out. It holds no state of its own;
 * everything it shows and nudges was handed to it.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WorldProblem } from '../ports.ts';
import { expositionType, printMetrics } from './exposition.ts';
import { readiness } from './health.ts';
import { collectMetrics, type MetricsOptions } from './metrics.ts';
import { renderPage } from './page.ts';
import { contentSecurityPolicy } from './page-style.ts';
import { gatherStatus, type StatusOptions } from './status.ts';
import { type DoorOptions, openDoor } from './webhook-door.ts';

export interface WebOptions
  extends Omit<StatusOptions, 'clock' | 'forge'>,
    Omit<MetricsOptions, 'clock'>,
    Omit<DoorOptions, 'path' | 'secret' | 'forge' | 'onOutcome' | 'onRefused'> {
  forge: StatusOptions['forge'] & DoorOptions['forge'];
  webhookPath: string;
  webhookSecret: string;
}

export interface Web {
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>;
}

export interface WebServer {
  port: number;
  /** Takes nothing new in, and resolves when what is under way has been answered. */
  close(): Promise<void>;
}

interface Page {
  status: number;
  type: string;
  body: string;
  headers?: Readonly<Record<string, string>>;
}

const plain = 'text/plain; charset=utf-8';
/** Slow senders hold a connection no longer than this. */
const requestMsMax = 30_000;

/** Makes the answers; `serve` opens the port for them. */
export async function openWeb(options: WebOptions): Promise<Web> {
  const { watched, clock, log, tally, webhookPath } = options;
  const door = await openDoor({
    ...options,
    path: webhookPath,
    secret: options.webhookSecret,
    onOutcome: tally.received,
    onRefused: tally.refused,
  });
  const pages: Readonly<Record<string, () => Promise<Page>>> = {
    '/': async () => ({
      status: 200,
      type: 'text/html; charset=utf-8',
      body: renderPage(await gatherStatus(options)),
      headers: { 'content-security-policy': contentSecurityPolicy },
    }),
    '/healthz': async () => ({ status: 200, type: plain, body: 'alive\n' }),
    '/readyz': async () => {
      const { isReady, text } = readiness(watched, clock);
      return { status: isReady ? 200 : 503, type: plain, body: text };
    },
    '/metrics': async () => ({
      status: 200,
      type: expositionType,
      body: printMetrics(await collectMetrics(options)),
    }),
  };
  return {
    async handle(request, response) {
      try {
        const path = pathOf(request);
        if (path === webhookPath) await door(request, response);
        else send(request, response, await answerTo(request, path, pages));
      } catch (problem) {
        log.warn('a request could not be answered', { path: pathOf(request), problem: String(problem) });
        if (response.headersSent) response.destroy();
        else
          send(request, response, {
            status: 500,
            type: plain,
            body: 'Stepback has a fault; its log says which.\n',
          });
      }
    },
  };
}

async function answerTo(
  request: IncomingMessage,
  path: string,
  pages: Readonly<Record<string, () => Promise<Page>>>,
): Promise<Page> {
  const page = Object.hasOwn(pages, path) ? pages[path] : undefined;
  if (page === undefined)
    return { status: 404, type: plain, body: 'There is no such page. Try / instead.\n' };
  if (request.method === 'GET' || request.method === 'HEAD') return page();
  return { status: 405, type: plain, body: 'This page can only be read.\n', headers: { allow: 'GET, HEAD' } };
}

/** Without slashes at the end: people write them on the settings page of the App. */
function pathOf(request: IncomingMessage): string {
  const path = URL.parse(request.url ?? '/', 'http://localhost')?.pathname ?? '/';
  return path.replace(/\/+$/, '') || '/';
}

function send(request: IncomingMessage, response: ServerResponse, page: Page): void {
  response.writeHead(page.status, {
    'content-type': page.type,
    'content-length': Buffer.byteLength(page.body),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    ...page.headers,
  });
  response.end(request.method === 'HEAD' ? undefined : page.body);
}

/** Opens the port; 0 takes any that is free. Throws a permanent WorldProblem when it cannot be had. */
export async function serve(
  web: Web,
  place: { port: number; host?: string | undefined },
): Promise<WebServer> {
  const server = createServer(
    { requestTimeout: requestMsMax, headersTimeout: requestMsMax },
    (request, response) => {
      void web.handle(request, response);
    },
  );
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(portProblem(error, place.port)));
    server.listen(place.port, place.host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
      }),
  };
}

function portProblem(error: Error, port: number): WorldProblem {
  const code = 'code' in error ? String(error.code) : error.message;
  const advice =
    code === 'EADDRINUSE'
      ? 'Another program listens there. Stop it, or name another port in PORT.'
      : 'Check PORT and HOST; ports below 1024 are for the administrator of the machine.';
  return new WorldProblem('permanent', `Stepback cannot listen on port ${port} (${code}). ${advice}`, {
    cause: error,
  });
}
