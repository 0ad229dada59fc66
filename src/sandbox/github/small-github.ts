/**
 * A small GitHub: REST, a little GraphQL and signed webhooks over real bare git repositories, served on this
 * machine. Stepback's real adapter talks to it in the sandbox, in stories and in the simulation, so it shares no
 * code with that adapter and answers as GitHub does, its refusals and its bad days included.
 */
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import type { Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Credentials } from './credentials.ts';
import { Faults } from './faults.ts';
import { type Delivery, Hooks, type WebhookTarget } from './hooks.ts';
import { Router } from './http/router.ts';
import { listen, type Machinery, portOf } from './http/server.ts';
import { Journal } from './journal.ts';
import { DEFAULT_LIMITS, type LimitSettings, Limits } from './limits.ts';
import { Past } from './past.ts';
import { People } from './people.ts';
import { appRoutes } from './routes/apps.ts';
import { checkRunRoutes } from './routes/check-runs.ts';
import { commentRoutes } from './routes/comments.ts';
import { commitRoutes } from './routes/commits.ts';
import { contentRoutes } from './routes/contents.ts';
import { deliveryRoutes } from './routes/deliveries.ts';
import { gitObjectRoutes } from './routes/git-objects.ts';
import { graphqlRoutes } from './routes/graphql.ts';
import { issueRoutes } from './routes/issues.ts';
import { pullRoutes } from './routes/pulls.ts';
import { refRoutes } from './routes/refs.ts';
import { repositoryRoutes } from './routes/repositories.ts';
import { type AppIdentity, Site, type SiteClock } from './site.ts';

export type SmallGitHubOptions = {
  /** Every time that is stored or shown comes from here. Real time by default. */
  clock?: SiteClock;
  /** What tokens and JWTs expire by. Real time by default, because Octokit signs its JWTs by real time. */
  authenticationClock?: { now(): number };
  /** Where the bare repositories go; by default a new folder among the temporary files, which `close` removes. */
  directory?: string;
  /** 0, the default, takes any. */
  port?: number;
  /** Base of the links for people (`html_url`); the server's own address by default. */
  webUrl?: string;
  app?: Partial<Omit<AppIdentity, 'publicKey'>> & { publicKey?: string };
  webhook?: WebhookTarget;
  /** Infinity takes a limit away. */
  limits?: Partial<LimitSettings>;
};

const PERMISSIONS = {
  checks: 'write',
  contents: 'write',
  issues: 'write',
  members: 'read',
  metadata: 'read',
  pull_requests: 'write',
};
const EVENTS = ['check_run', 'issue_comment', 'issues', 'pull_request', 'push'];

const ROUTES = [
  ...repositoryRoutes,
  ...commitRoutes,
  ...contentRoutes,
  ...refRoutes,
  ...gitObjectRoutes,
  ...pullRoutes,
  ...issueRoutes,
  ...commentRoutes,
  ...checkRunRoutes,
  ...graphqlRoutes,
];

/**
 * Starts a small GitHub on 127.0.0.1. Throws when the port is taken.
 *
 * @returns the handle: people's and administrators' acts, looks, journal, faults, and `close`.
 */
export async function startSmallGitHub(options: SmallGitHubOptions = {}): Promise<SmallGitHub> {
  const clock = options.clock ?? { now: () => Date.now() };
  const authenticatedAt = () => (options.authenticationClock ?? { now: () => Date.now() }).now();
  const directory = options.directory ?? mkdtempSync(join(tmpdir(), 'small-github-'));
  const keys = keyPair();
  const site = new Site(appOf(options, clock, keys.publicKey), clock, directory);
  site.isDirectoryWatched = options.directory !== undefined;
  const faults = new Faults();
  const hooks = new Hooks(site, faults);
  hooks.target = options.webhook;
  site.announce = (announcement) => hooks.announce(announcement);
  site.signsCommits = () => !faults.unverifiedCommits;
  for (const login of ['web-flow', site.botLogin, site.app.owner]) site.meet(login);
  const [journal, credentials, past] = [new Journal(), new Credentials(), new Past()];
  site.beforeChange = () => {
    if (faults.needsPast) past.keep(site.state, site.now());
  };
  const limits = new Limits({ ...DEFAULT_LIMITS, ...options.limits });
  const router = new Router([
    ...appRoutes(credentials, limits, authenticatedAt),
    ...deliveryRoutes(hooks),
    ...ROUTES,
  ]);
  const machinery = { site, router, faults, journal, limits, credentials, past, authenticatedAt };
  const server = await listen(machinery, options.port ?? 0);
  site.api = `http://127.0.0.1:${portOf(server)}`;
  site.web = options.webUrl ?? site.api;
  const privateKey = options.app?.publicKey === undefined ? keys.privateKey : undefined;
  const temporary = options.directory === undefined;
  return new SmallGitHub({ ...machinery, hooks, server, privateKey, temporary });
}

type Parts = Machinery & { hooks: Hooks; server: Server; privateKey: string | undefined; temporary: boolean };

/** A running small GitHub. */
export class SmallGitHub extends People {
  /** Base of the API, without a slash at its end; the same is served under `/api/v3`. */
  readonly url: string;
  /** What Stepback needs to be this App. `privateKey` is undefined when a public key was handed in. */
  readonly app: {
    id: number;
    slug: string;
    clientId: string;
    botLogin: string;
    privateKey: string | undefined;
  };
  readonly journal: Journal;
  readonly faults: Faults;
  readonly limits: Limits;
  readonly #parts: Parts;

  constructor(parts: Parts) {
    super(parts.site);
    this.#parts = parts;
    const { id, slug, clientId } = parts.site.app;
    this.url = parts.site.api;
    this.app = { id, slug, clientId, botLogin: parts.site.botLogin, privateKey: parts.privateKey };
    this.journal = parts.journal;
    this.faults = parts.faults;
    this.limits = parts.limits;
  }

  /** Attempts to deliver webhooks, oldest first. */
  get deliveries(): readonly Delivery[] {
    return this.#parts.hooks.deliveries;
  }

  /** Where webhooks go from now on; undefined sends none. */
  setWebhook(target: WebhookTarget | undefined): void {
    this.#parts.hooks.target = target;
  }

  /** Resolves when every webhook under way has been answered. Those held or delayed are not waited for. */
  settled(): Promise<void> {
    return this.#parts.hooks.settled();
  }

  /** Sends the webhooks that the fate `hold` kept back; returns how many. */
  releaseDeliveries(): number {
    return this.#parts.hooks.release();
  }

  /** Redelivers an attempt, as a person does on the App's page. False when there is none of this id. */
  redeliver(id: number): boolean {
    return this.#parts.hooks.redeliver(id);
  }

  /** Makes all tokens worthless. */
  revokeTokens(): void {
    this.#parts.credentials.revoke();
  }

  /** Uses up the hour's calls for everybody who has called so far. */
  exhaustRateLimit(): void {
    this.limits.exhaust(this.site.now());
  }

  /** Replaces the App's key; JWTs signed with the old one are refused. Returns the new private key. */
  rotateAppKey(): string {
    const fresh = newKeyPair();
    this.site.app.publicKey = fresh.publicKey;
    return fresh.privateKey;
  }

  /** Cuts every connection, and removes the repositories if they lie in a temporary folder. */
  async close(): Promise<void> {
    const { hooks, server, site, temporary } = this.#parts;
    await hooks.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    if (temporary) rmSync(site.directory, { recursive: true, force: true });
  }
}

function appOf(options: SmallGitHubOptions, clock: SiteClock, publicKey: string): AppIdentity {
  const slug = options.app?.slug ?? 'stepback';
  return {
    id: 4_242,
    slug,
    name: slug,
    clientId: 'Iv1.5tepbac4',
    owner: 'stepback-dev',
    publicKey,
    permissions: PERMISSIONS,
    events: EVENTS,
    createdAt: clock.now(),
    ...options.app,
  };
}

type KeyPair = { publicKey: string; privateKey: string };
let keysOfProcess: KeyPair | undefined;

/** One key pair for the whole process: making one takes longer than everything else at the start. */
function keyPair(): KeyPair {
  keysOfProcess ??= newKeyPair();
  return keysOfProcess;
}

/** A key in the form in which GitHub hands it out. */
function newKeyPair(): KeyPair {
  const pair = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
  });
  return { publicKey: pair.publicKey, privateKey: pair.privateKey };
}
