/**
 * Serves the pages on this machine, sends what changes to those who look, and takes the verbs, from buttons as from another
 * terminal. Other sites that are open in the same browser can neither read nor press anything here.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ActFault } from '../acts.ts';
import type { SmallGitHub } from '../github/small-github.ts';
import { sandboxHeader } from '../talk.ts';
import { type VerbName, verbNamed } from '../verbs.ts';
import type { View } from '../view.ts';
import { contentSecurityPolicy, documentOf, type Page } from './layout.ts';
import { pageAt } from './pages.ts';

export interface PageServerOptions {
  /** 0 takes any that is free. */
  port: number;
  /** Null until the world is there. */
  look(): { view: View; github: SmallGitHub } | null;
  /** Does a verb and answers with words. Throws ActFault when it cannot be done. */
  act(verb: VerbName, words: readonly string[]): string;
}

export interface PageServer {
  url: string;
  port: number;
  /** Something may have changed: whoever looks is told soon. */
  changed(): void;
  close(): Promise<void>;
}

/** Another program has the port. */
export class PortTaken extends Error {}

interface Reader {
  response: ServerResponse;
  path: string;
  sent: Map<string, string>;
}

const pushEveryMs = 250;
const bodyBytesMax = 65_536;

/** Opens the port. Throws PortTaken. */
export async function servePages(options: PageServerOptions): Promise<PageServer> {
  const readers = new Set<Reader>();
  let hasChanged = false;
  const server = createServer((request, response) => {
    answer(options, readers, request, response).catch(() => response.destroy());
  });
  const port = await listen(server, options.port);
  const timer = setInterval(() => {
    if (!hasChanged) return;
    hasChanged = false;
    for (const reader of readers) push(options, reader);
  }, pushEveryMs);
  timer.unref();
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    changed() {
      hasChanged = true;
    },
    async close() {
      clearInterval(timer);
      for (const { response } of readers) response.end();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeIdleConnections();
      server.closeAllConnections();
      await closed;
    },
  };
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(error.code === 'EADDRINUSE' || error.code === 'EACCES' ? new PortTaken(error.message) : error),
    );
    server.listen(port, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
}

async function answer(
  options: PageServerOptions,
  readers: Set<Reader>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  response.setHeader(sandboxHeader, '1');
  response.setHeader('cache-control', 'no-store');
  response.setHeader('x-content-type-options', 'nosniff');
  // Stricter, and a browser would hide from us where a form of our own comes from.
  response.setHeader('referrer-policy', 'same-origin');
  if (!isOfThisMachine(request))
    return send(response, 403, 'This page is for the machine that it runs on.\n');
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
  if (pathname === '/do') return doVerb(options, request, response);
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return send(response, 405, 'This can only be read.\n');
  if (pathname === '/events') return listenTo(options, readers, searchParams.get('of') ?? '/', response);
  const page = pageOf(options, pathname);
  if (page === 'early') return send(response, 503, 'The sandbox is starting; load this again in a moment.\n');
  if (page === null) return send(response, 404, 'There is no such page in the sandbox. Try / instead.\n');
  response.setHeader('content-security-policy', contentSecurityPolicy);
  send(response, 200, documentOf(page), 'text/html; charset=utf-8');
}

/** A foreign name that leads here (DNS rebinding), and a form on a foreign site. */
function isOfThisMachine({ headers, socket }: IncomingMessage): boolean {
  const port = socket.localPort;
  const hosts = [`127.0.0.1:${port}`, `localhost:${port}`];
  if (!hosts.includes(headers.host ?? '')) return false;
  return headers.origin === undefined || hosts.some((host) => headers.origin === `http://${host}`);
}

function send(
  response: ServerResponse,
  status: number,
  body: string,
  type = 'text/plain; charset=utf-8',
): void {
  response.writeHead(status, { 'content-type': type });
  response.end(body);
}

function pageOf(options: PageServerOptions, path: string): Page | null | 'early' {
  const seen = options.look();
  if (seen === null) return 'early';
  try {
    return pageAt(path, seen.view, seen.github);
  } catch (problem) {
    if (problem instanceof URIError) return null;
    throw problem;
  }
}

/** Server-sent events: first nothing, then every section that is not as it was in the page. */
function listenTo(
  options: PageServerOptions,
  readers: Set<Reader>,
  path: string,
  response: ServerResponse,
): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write('retry: 1000\n\n');
  const reader: Reader = { response, path, sent: new Map() };
  readers.add(reader);
  response.on('close', () => readers.delete(reader));
  push(options, reader);
}

function push(options: PageServerOptions, { response, path, sent }: Reader): void {
  const page = pageOf(options, path);
  if (page === null || page === 'early') return;
  const changed: Record<string, string> = {};
  for (const { id, content } of [{ id: 'clock', content: page.clock }, ...page.sections]) {
    if (sent.get(id) === content.markup) continue;
    sent.set(id, content.markup);
    changed[id] = content.markup;
  }
  if (Object.keys(changed).length > 0)
    response.write(`event: sections\ndata: ${JSON.stringify(changed)}\n\n`);
}

async function doVerb(
  options: PageServerOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (request.method !== 'POST') return send(response, 405, 'Verbs are posted.\n');
  const isForm = request.headers['content-type'] === 'application/x-www-form-urlencoded';
  const { verb, words } = wishOf(await readBody(request), isForm);
  const known = verbNamed(verb);
  const [status, text] =
    known === undefined ? [400, `There is no "${verb}".`] : outcomeOf(options, known.name, words);
  if (!isForm) return send(response, status, JSON.stringify({ text }), 'application/json');
  if (status !== 200) return send(response, status, `${text}\n`);
  response.writeHead(303, { location: '/' });
  response.end();
}

function outcomeOf(
  options: PageServerOptions,
  verb: VerbName,
  words: readonly string[],
): readonly [status: number, text: string] {
  try {
    return [200, options.act(verb, words)];
  } catch (problem) {
    if (problem instanceof ActFault) return [400, problem.message];
    throw problem;
  }
}

function wishOf(body: string, isForm: boolean): { verb: string; words: readonly string[] } {
  if (isForm) {
    const form = new URLSearchParams(body);
    return { verb: form.get('verb') ?? '', words: form.getAll('word') };
  }
  const given: unknown = parsed(body);
  if (typeof given !== 'object' || given === null) return { verb: '', words: [] };
  const { verb, words } = given as { verb?: unknown; words?: unknown };
  return { verb: String(verb ?? ''), words: Array.isArray(words) ? words.map(String) : [] };
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}

async function readBody(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > bodyBytesMax) throw new Error('More than a verb needs.');
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}
