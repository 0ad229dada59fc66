/**
 * Who we are to an API server. client-node reads kubeconfigs, runs login plugins and knows proxies; what it gives is
 * taken as headers and a dispatcher, and the requests are made by undici's own fetch, because its `Watch` gives up
 * after 30 s of silence and drops lines that it cannot read. Tokens of service accounts rotate, so everything is asked for again
 * every minute (as client-go does) and read from the files again when the server says 401.
 */
import { existsSync } from 'node:fs';
import { HttpMethod, KubeConfig, RequestContext } from '@kubernetes/client-node';
import { Agent, type Dispatcher } from 'undici';
import { type Clock, WorldProblem } from '../../ports.ts';
import { quote } from './api-problem.ts';

export type KubeconfigSource =
  | { kind: 'file'; path: string }
  | { kind: 'text'; text: string }
  /** Inside a Pod. `root` is where /var/run/secrets is looked for, "" on a real machine. */
  | { kind: 'in-cluster'; root?: string };

export interface Credentials {
  headers: Readonly<Record<string, string>>;
  dispatcher: Dispatcher;
}

const renewMs = 60_000;

/** The credentials of one context of a kubeconfig. */
export class ContextCredentials {
  /** The address of the API server, without a slash at the end. */
  readonly server: string;
  /** The name of the context. */
  readonly context: string;
  readonly #load: () => KubeConfig;
  readonly #clock: Clock;
  #config: KubeConfig | null;
  #dispatcher: Dispatcher | null = null;
  #current: { credentials: Promise<Credentials>; askedAt: number } | null = null;

  /** `context` null takes the current one. Throws a permanent WorldProblem when the kubeconfig cannot be used. */
  constructor(source: KubeconfigSource, context: string | null, clock: Clock) {
    this.#load = () => loadContext(source, context);
    this.#clock = clock;
    const config = this.#load();
    this.#config = config;
    this.server = config.getCurrentCluster()?.server ?? '';
    this.context = source.kind === 'in-cluster' ? 'in-cluster' : config.getCurrentContext();
  }

  /** Throws a permanent WorldProblem when a login plugin or a file of the kubeconfig fails. */
  current(): Promise<Credentials> {
    const known = this.#current;
    if (known !== null && this.#clock.now() - known.askedAt < renewMs) return known.credentials;
    const credentials = this.#ask();
    this.#current = { credentials, askedAt: this.#clock.now() };
    // What failed is asked for again at the next request.
    credentials.catch(() => {
      if (this.#current?.credentials === credentials) this.#current = null;
    });
    return credentials;
  }

  /** Reads everything again from its files, after the server refused `refused`; once, however many were refused. */
  async renew(refused: Credentials): Promise<Credentials> {
    const known = this.#current;
    if (known !== null && (await known.credentials) !== refused) return known.credentials;
    this.expire();
    return this.current();
  }

  /** Everything is read from its files again before the next request. */
  expire(): void {
    this.#config = null;
    this.#dispatcher = null;
    this.#current = null;
  }

  async #ask(): Promise<Credentials> {
    const config = this.#config ?? this.#load();
    this.#config = config;
    const request = new RequestContext(this.server, HttpMethod.GET);
    try {
      await config.applySecurityAuthentication(request);
    } catch (error) {
      throw cannotLogIn(config.getCurrentContext(), error);
    }
    // One dispatcher for as long as the kubeconfig stands: each has connections of its own.
    this.#dispatcher ??= request.getDispatcher() ?? new Agent();
    return { headers: request.getHeaders(), dispatcher: this.#dispatcher };
  }
}

function loadContext(source: KubeconfigSource, context: string | null): KubeConfig {
  const config = new KubeConfig();
  try {
    if (source.kind === 'file') config.loadFromFile(source.path);
    else if (source.kind === 'text') config.loadFromString(source.text);
    else loadInCluster(config, source.root ?? '');
  } catch (error) {
    if (error instanceof WorldProblem) throw error;
    throw new WorldProblem(
      'permanent',
      `The kubeconfig${source.kind === 'file' ? ` ${source.path}` : ''} cannot be read, so no cluster can be watched. Check the file: ${quote(String(error instanceof Error ? error.message : error))}`,
      { cause: error },
    );
  }
  if (context !== null) config.setCurrentContext(context);
  refuseUnusable(config);
  return config;
}

function loadInCluster(config: KubeConfig, root: string): void {
  if (!existsSync(`${root}/var/run/secrets/kubernetes.io/serviceaccount/token`)) {
    throw new WorldProblem(
      'permanent',
      'Stepback does not run inside a Kubernetes Pod with a service account, and no kubeconfig is given. Name a kubeconfig, or set automountServiceAccountToken.',
    );
  }
  config.loadFromCluster(root);
}

function refuseUnusable(config: KubeConfig): void {
  const name = config.getCurrentContext();
  const known = config.getContexts().map((context) => context.name);
  if (!known.includes(name)) {
    throw new WorldProblem(
      'permanent',
      `The kubeconfig has no context "${quote(String(name ?? ''))}". It has: ${known.map(quote).join(', ') || 'none'}. Name one of these.`,
    );
  }
  const cluster = config.getCurrentCluster();
  if (cluster === null || config.getCurrentUser() === null) {
    throw new WorldProblem(
      'permanent',
      `Context "${quote(name)}" of the kubeconfig names a cluster or a user that the file does not have. Add it, or choose another context.`,
    );
  }
  if (cluster.server.startsWith('http:') && !cluster.skipTLSVerify) {
    throw new WorldProblem(
      'permanent',
      `Context "${quote(name)}" of the kubeconfig uses plain http, which would send credentials in the open. Use https; for a sandbox on this machine set insecure-skip-tls-verify: true.`,
    );
  }
}

function cannotLogIn(context: string, error: unknown): WorldProblem {
  const words = quote(String(error instanceof Error ? error.message : error));
  return new WorldProblem(
    'permanent',
    `The credentials of context "${quote(context)}" cannot be had, so nothing of that cluster is seen. Check the login plugin and the files that the kubeconfig names: ${words}`,
    { cause: error },
  );
}
