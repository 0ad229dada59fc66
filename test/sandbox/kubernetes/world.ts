/** One line starts a small Kubernetes API server on a clock that only tests move, and a bare client for it. */
import { onTestFinished } from 'vitest';
import type { ObjectDraft } from '../../../src/sandbox/kubernetes/objects.ts';
import { type SmallKubernetesOptions, startSmallKubernetes } from '../../../src/sandbox/kubernetes/server.ts';
import { ObjectStore } from '../../../src/sandbox/kubernetes/store.ts';

export const APPLICATIONS = '/apis/argoproj.io/v1alpha1/applications';
export const IN_ARGOCD = '/apis/argoproj.io/v1alpha1/namespaces/argocd/applications';
export const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io';

export class FakeClock {
  timeMs = Date.parse('2026-12-01T12:00:00Z');
  readonly #timers = new Set<{ atMs: number; run: () => void }>();

  now(): number {
    return this.timeMs;
  }

  after(delayMs: number, run: () => void): () => void {
    const timer = { atMs: this.timeMs + delayMs, run };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  advance(durationMs: number): void {
    this.timeMs += durationMs;
    for (const timer of [...this.#timers].sort((one, other) => one.atMs - other.atMs)) {
      if (timer.atMs > this.timeMs || !this.#timers.delete(timer)) continue;
      timer.run();
    }
  }
}

/** A healthy Application as a draft. */
export function application(name: string, more: ObjectDraft = {}): ObjectDraft {
  return {
    metadata: { name, namespace: 'argocd', labels: { env: 'prod' }, ...more.metadata },
    spec: { project: 'default' },
    status: {
      sync: { status: 'Synced', revision: '951d058fdbb6d372d746cdc4817faabd6a128e6d' },
      health: { status: 'Healthy' },
    },
  };
}

export interface WireEvent {
  type: string;
  // biome-ignore lint/suspicious/noExplicitAny: what came over the wire is looked at freely in tests.
  object: any;
}

/** The lines of a watch, one after the other. */
class Lines {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #decoder = new TextDecoder();
  #text = '';
  /** How the body was cut into pieces. */
  readonly pieces: Uint8Array[] = [];

  constructor(response: Response) {
    this.#reader = response.body!.getReader();
  }

  /** The next event, or undefined after a clean end. Rejects when the connection breaks. */
  async next(): Promise<WireEvent | undefined> {
    while (!this.#text.includes('\n')) {
      const { done, value } = await this.#reader.read();
      if (done) return undefined;
      this.pieces.push(value);
      this.#text += this.#decoder.decode(value, { stream: true });
    }
    const [line, ...rest] = this.#text.split('\n');
    this.#text = rest.join('\n');
    return JSON.parse(line!) as WireEvent;
  }

  /** All events until the end. */
  async rest(): Promise<WireEvent[]> {
    const events: WireEvent[] = [];
    for (let event = await this.next(); event !== undefined; event = await this.next()) events.push(event);
    return events;
  }
}

/** Whether a piece of UTF-8 stops in the middle of a character. */
export function endsInsideCharacter(piece: Uint8Array): boolean {
  const lead = piece.findLastIndex((byte) => (byte & 0xc0) !== 0x80);
  const first = piece[lead] ?? 0;
  const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1;
  return piece.length - lead < length;
}

/** The server with its store, and requests to it. Closed when the test is finished. */
export async function startWorld(options: Partial<SmallKubernetesOptions> = {}) {
  const clock = new FakeClock();
  const store = options.store ?? new ObjectStore({ clock });
  const kubernetes = await startSmallKubernetes({ clock, ...options, store });
  onTestFinished(() => kubernetes.close());
  const fetched = (path: string, init: RequestInit = {}) =>
    fetch(kubernetes.url + path, {
      ...init,
      headers: { ...(options.token ? { authorization: `Bearer ${options.token}` } : {}), ...init.headers },
    });
  /** Status, headers and the body as JSON, or as text where it is none. */
  const request = async (
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ) => {
    const response = await fetched(path, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type') === 'application/json';
    return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
  };
  const get = (path: string, headers: Record<string, string> = {}) =>
    request('GET', path, undefined, headers);
  const watch = async (path: string, headers: Record<string, string> = {}) =>
    new Lines(await fetched(path, { headers }));
  return { clock, store, kubernetes, fetched, request, get, watch };
}
