/**
 * A small Kubernetes API server over real HTTP, so that Stepback's ordinary adapter can be tried, shown and broken without a
 * cluster. What it answers is held against recorded answers of a real server (test/recordings/api-server).
 */
import { createServer as createPlainServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { AccessRule, AccessUser } from './access.ts';
import { FaultScript } from './faults.ts';
import { handle } from './handle.ts';
import { History } from './history.ts';
import { Journal } from './journal.ts';
import { kubeconfigOf } from './kubeconfig.ts';
import type { ObjectStore, StoreClock } from './store.ts';
import { Watches } from './watches.ts';

export interface SmallKubernetesOptions {
  store: ObjectStore;
  /**
   * The server's time, for the Date header and ages. Its `after` drives bookmarks and the ends of watches; without one, real timers
   * do, which never keep the process alive.
   */
  clock: StoreClock & { after?(delayMs: number, run: () => void): () => void };
  /** The bearer token of the one user; without one nobody needs a token. */
  token?: string;
  /** The name of that user in refusals. */
  user?: string;
  /** What that user may do; everything when not given. */
  allow?: 'everything' | readonly AccessRule[];
  /** More users, each with a token of its own. */
  users?: readonly AccessUser[];
  /** PEM texts; with them the server speaks https. */
  tls?: { key: string; cert: string };
  /** 0, any free port, when not given. Always on 127.0.0.1. */
  port?: number;
  /** How many writes a watch can go back; 5,000 when not given. */
  historyEventsMax?: number;
  /** One minute when not given. */
  bookmarkEveryMs?: number;
  /** The name of the context in the kubeconfig; `sandbox` when not given. */
  context?: string;
}

export interface SmallKubernetes {
  url: string;
  store: ObjectStore;
  faults: FaultScript;
  journal: Journal;
  history: History;
  watches: Watches;
  /** Users and what they may do; may be changed at any time. */
  users: AccessUser[];
  /** YAML for a user, by token; the first user's when not given. */
  kubeconfig(token?: string): string;
  /** Breaks all connections and stops listening. */
  close(): Promise<void>;
}

const BOOKMARK_EVERY_MS = 60_000;
const WATCH_MS = 45 * 60_000;
const HISTORY_EVENTS_MAX = 5_000;

/** Starts listening on 127.0.0.1 and returns the handle once the port is open. */
export async function startSmallKubernetes(options: SmallKubernetesOptions): Promise<SmallKubernetes> {
  const { store, clock, tls, token } = options;
  const history = new History(store, options.historyEventsMax ?? HISTORY_EVENTS_MAX);
  const now = () => clock.now();
  const after = clock.after === undefined ? realTimer : clock.after.bind(clock);
  const watches = new Watches(store, history, {
    now,
    after,
    bookmarkEveryMs: options.bookmarkEveryMs ?? BOOKMARK_EVERY_MS,
    watchMs: WATCH_MS,
  });
  const first: AccessUser = {
    token,
    name: options.user ?? 'system:serviceaccount:argocd:stepback',
    allow: options.allow ?? 'everything',
  };
  const users = [first, ...(options.users ?? [])];
  const faults = new FaultScript();
  const journal = new Journal();
  const world = { store, history, watches, faults, journal, users, now, after };
  const listener = (request: IncomingMessage, response: ServerResponse) => {
    handle(world, request, response).catch(() => response.destroy());
  };
  const server = tls === undefined ? createPlainServer(listener) : createTlsServer(tls, listener);
  // A pooled connection that the server closes in the very moment of its next use would be a fault nobody asked for.
  server.keepAliveTimeout = 120_000;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  const url = `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}`;
  const certificate = tls?.cert;
  const context = options.context ?? 'sandbox';
  return {
    url,
    store,
    faults,
    journal,
    history,
    watches,
    users,
    kubeconfig: (asked = token) =>
      kubeconfigOf({ url, token: asked, certificate, context, namespace: 'argocd' }),
    close: async () => {
      watches.close();
      history.close();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

function realTimer(delayMs: number, run: () => void): () => void {
  const timer = setTimeout(run, delayMs);
  timer.unref();
  return () => clearTimeout(timer);
}
