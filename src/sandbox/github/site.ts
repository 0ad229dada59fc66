/**
 * The one thing every act and every route of the small GitHub gets handed: the state, the repositories on the disk,
 * the clock, who the App is, and the way out for webhooks. Nothing here is random, so a seeded run repeats itself.
 */
import { join } from 'node:path';
import { BareRepository } from './git/bare-repository.ts';
import type { Signature } from './git/objects.ts';
import {
  type Account,
  emptyState,
  fullName,
  type Installation,
  type Repository,
  type State,
} from './state.ts';

/**
 * `now` is in milliseconds. `after` runs a task later: what slow answers and late webhooks use. Without it they use
 * the machine's own timers. The sandbox's clocks fit.
 */
export type SiteClock = { now(): number; after?(ms: number, task: () => void | Promise<void>): unknown };

/** The GitHub App that talks to this site. `publicKey` is a PEM. */
export type AppIdentity = {
  id: number;
  slug: string;
  name: string;
  clientId: string;
  owner: string;
  publicKey: string;
  permissions: Record<string, string>;
  events: string[];
  createdAt: number;
};

/** Who does something. `viaApp` is true for what came in with an installation token. */
export type Actor = { login: string; viaApp: boolean };

/** What the JSON of an answer is made from: a state (perhaps a stale one) and the address the caller used. */
export type View = { state: State; api: string; web: string; app: AppIdentity; site: Site };

/** A webhook to send: the payload lacks what every payload has (repository, sender, installation). */
export type Announcement = {
  event: string;
  action?: string;
  repository?: Repository;
  installation?: Installation;
  sender: string;
  payload: Record<string, unknown>;
};

/** The small GitHub behind its HTTP side. */
export class Site {
  readonly app: AppIdentity;
  readonly clock: SiteClock;
  readonly directory: string;
  state: State = emptyState();
  /** Base addresses of the API and of what a person opens in a browser; set once the port is known. */
  api = '';
  web = '';
  /** Sends a webhook; set by the root. */
  announce: (announcement: Announcement) => void = () => {};
  /** Called before anything changes, so that the state can be set aside for a stale read; set by the root. */
  beforeChange: () => void = () => {};
  /** Whether GitHub manages to sign what the App commits. */
  signsCommits: () => boolean = () => true;
  #lastId = 1_000;
  /** Whether everything is to be on the disk at once: somebody chose the directory, so somebody looks at it. */
  isDirectoryWatched = false;
  readonly #repositories = new Map<number, BareRepository>();

  constructor(app: AppIdentity, clock: SiteClock, directory: string) {
    this.app = app;
    this.clock = clock;
    this.directory = directory;
  }

  nextId(): number {
    this.#lastId += 1;
    return this.#lastId;
  }

  now(): number {
    return this.clock.now();
  }

  get botLogin(): string {
    return `${this.app.slug}[bot]`;
  }

  /** The App acting through an installation token. */
  get bot(): Actor {
    this.meet(this.botLogin);
    return { login: this.botLogin, viaApp: true };
  }

  view(): View {
    return { state: this.state, api: this.api, web: this.web, app: this.app, site: this };
  }

  /** The account of this login, made when nobody of that name was seen before; `[bot]` at its end makes it a bot. */
  meet(login: string, type?: Account['type']): Account {
    const key = login.toLowerCase();
    const known = this.state.accounts.get(key);
    if (known !== undefined) return known;
    const account: Account = {
      id: this.nextId(),
      login,
      type: type ?? (login.endsWith('[bot]') ? 'Bot' : 'User'),
    };
    this.state.accounts.set(key, account);
    return account;
  }

  /** Makes the bare repository of a new repository on the disk. */
  makeGit(repository: Repository): BareRepository {
    const path = join(this.directory, `${repository.owner}`, `${repository.name}.git`);
    const git = new BareRepository(path, repository.defaultBranch);
    if (this.isDirectoryWatched) git.watch();
    this.#repositories.set(repository.id, git);
    return git;
  }

  /** The bare repository on the disk. Throws when the repository was never made here. */
  git(repository: Repository): BareRepository {
    const git = this.#repositories.get(repository.id);
    if (git === undefined)
      throw new Error(`The small GitHub has no git repository for ${fullName(repository)}.`);
    return git;
  }

  /** Runs a task in `ms` by the site's clock. */
  later(ms: number, task: () => void | Promise<void>): void {
    if (this.clock.after !== undefined) this.clock.after(ms, task);
    else setTimeout(task, ms).unref();
  }

  /** How an account signs a commit at this moment: GitHub's private address where none is known. */
  signature(login: string, at = this.now()): Signature {
    const account = this.meet(login);
    const email = account.email ?? `${account.id}+${account.login}@users.noreply.github.com`;
    return { name: account.name ?? account.login, email, seconds: Math.floor(at / 1000), zone: '+0000' };
  }
}

/** The committer of everything that GitHub's own web interface and data API commits. */
export function webFlow(at: number): Signature {
  return { name: 'GitHub', email: 'noreply@github.com', seconds: Math.floor(at / 1000), zone: '+0000' };
}

/** Stands where GitHub's web-flow key would sign; it is how a verified commit is known again, also after an import. */
export const WEB_FLOW_SIGNATURE = [
  '-----BEGIN PGP SIGNATURE-----',
  '',
  'wsFcBAABCAAQ c21hbGwgR2l0SHViIHNpZ25zIG5vdGhpbmc=',
  '=3W8b',
  '-----END PGP SIGNATURE-----',
].join('\n');
