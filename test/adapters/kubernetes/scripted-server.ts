/** An API server that answers by script, over real HTTP: what a test writes down is what goes over the wire. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { ApiClient } from '../../../src/adapters/kubernetes/api-client.ts';
import { ContextCredentials } from '../../../src/adapters/kubernetes/credentials.ts';
import { Happenings } from '../happenings.ts';
import { TestClock } from '../test-clock.ts';

export interface Asked {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingMessage['headers'];
  body: string;
  isWatch: boolean;
}

export interface Answer {
  status?: number;
  headers?: Readonly<Record<string, string>>;
  /** JSON unless it is text. */
  body?: unknown;
  /** Writes the body itself, and ends it or does not. */
  stream?: (response: ServerResponse) => void;
}

export type Script = (asked: Asked, number: number) => Answer;

export class ScriptedServer {
  readonly asked: Asked[] = [];
  readonly url: string;
  readonly #happenings = new Happenings();

  /** Stops listening before the test ends. */
  readonly close: () => Promise<void>;

  constructor(url: string, close: () => Promise<void>) {
    this.url = url;
    this.close = close;
  }

  note(asked: Asked): void {
    this.asked.push(asked);
    this.#happenings.happened();
  }

  /** Resolves when something that is asked makes it true. */
  until(condition: () => boolean): Promise<void> {
    return this.#happenings.until(condition);
  }

  /** Resolves when so many requests have come, and gives the last of them. */
  async request(count: number): Promise<Asked> {
    await this.#happenings.until(() => this.asked.length >= count);
    return this.asked[count - 1]!;
  }

  kubeconfig(user: Readonly<Record<string, unknown>> = {}): string {
    return JSON.stringify({
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': 'prod',
      clusters: [{ name: 'c', cluster: { server: this.url, 'insecure-skip-tls-verify': true } }],
      users: [{ name: 'u', user }],
      contexts: [{ name: 'prod', context: { cluster: 'c', user: 'u' } }],
    });
  }
}

/** Starts a server that lives as long as the test. */
export async function scriptedServer(script: Script): Promise<ScriptedServer> {
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  onTestFinished(close);
  const { port } = server.address() as AddressInfo;
  const scripted = new ScriptedServer(`http://127.0.0.1:${port}`, close);
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = '';
    for await (const chunk of request) body += chunk;
    const url = new URL(request.url ?? '/', scripted.url);
    const asked: Asked = {
      method: request.method ?? '',
      path: url.pathname,
      query: url.searchParams,
      headers: request.headers,
      body,
      isWatch: url.searchParams.has('watch'),
    };
    const number = scripted.asked.length;
    const { status = 200, headers = {}, body: content = {}, stream } = script(asked, number);
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    scripted.note(asked);
    if (stream === undefined) response.end(typeof content === 'string' ? content : JSON.stringify(content));
    else {
      response.flushHeaders();
      stream(response);
    }
  }
  return scripted;
}

/** A client of a scripted server, on a clock that stands still. */
export async function scriptedClient(script: Script) {
  const server = await scriptedServer(script);
  const clock = new TestClock();
  const credentials = new ContextCredentials({ kind: 'text', text: server.kubeconfig() }, null, clock);
  return { server, clock, client: new ApiClient('prod', credentials, clock) };
}

/** One event a line. */
export function lines(...events: readonly unknown[]): string {
  return events.map((event) => `${JSON.stringify(event)}\n`).join('');
}
