/**
 * GitHub as the other files of this folder know it: one server, who may speak there about which repository, and what
 * was learned that cannot change. Every conversation (commits, trees, pull requests…) is a file of its own that gets
 * this handed in; more of them can be added without touching the ones that are there.
 */
import type { Octokit } from '@octokit/rest';
import { type Clock, type Repository, WorldProblem } from '../../ports.ts';
import { type AppKey, authorizeApp, readKey } from './app-credentials.ts';
import { createImmutableMemory, type ImmutableMemory } from './immutable-memory.ts';
import { createInstallations, type Standing } from './installations.ts';
import { createOctokit, type RequestEvent, type Wire } from './octokit.ts';
import type { HostNames } from './repository-url.ts';

export interface GitHubOptions extends AppKey {
  /** `https://api.github.com` (default) or `https://HOST/api/v3` of an Enterprise Server. */
  baseUrl?: string;
  /** The server as `repoURL` names it; taken from `baseUrl` when absent. */
  host?: string;
  /** Other names of the host in `repoURL`, such as SSH aliases: alias → host. */
  hostAliases?: Readonly<Record<string, string>>;
  clock: Clock;
  /** For a proxy or an own certificate authority; the global `fetch` when absent. */
  fetch?: typeof fetch;
  /** 0 up to 1; `Math.random` when absent. */
  random?: () => number;
  /** Retries come 1, 4 and 9 times this later; 1,000 when absent. */
  retryBaseMs?: number;
  /** How long one try may take; 30,000 when absent. */
  timeoutMs?: number;
  /** Told of every request and every answer. */
  onRequest?: (event: RequestEvent) => void;
}

/** A client that speaks about one repository. */
interface Voice extends Standing {
  /** The repository, as the parameters of its paths. */
  here: { owner: string; repo: string };
}

export interface GitHub {
  names: HostNames;
  /** Where people look, without a slash at the end. */
  webUrl: string;
  clock: Clock;
  memory: ImmutableMemory;
  /** Speaks as the App itself: deliveries, its own description. */
  app: Octokit;
  /** Null when the App is not installed there. */
  findVoice(repository: Repository): Promise<Voice | null>;
  /** Throws a permanent WorldProblem when the App is not installed there. */
  voice(repository: Repository): Promise<Voice>;
}

const publicApi = 'https://api.github.com';
/** About what a thousand trees of a hundred entries weigh. */
const memoryWeightMax = 32 * 1024 * 1024;

/** Makes no request. Throws a permanent WorldProblem when the private key or the address cannot be read. */
export function connectToGitHub(options: GitHubOptions): GitHub {
  const baseUrl = (options.baseUrl ?? publicApi).replace(/\/+$/, '');
  const { webUrl, host } = placesOf(baseUrl);
  readKey(options);
  const { clock } = options;
  const wire: Wire = {
    baseUrl,
    fetch: options.fetch,
    clock,
    random: options.random ?? Math.random,
    retryBaseMs: options.retryBaseMs ?? 1_000,
    timeoutMs: options.timeoutMs ?? 30_000,
    onRequest: options.onRequest,
  };
  const app = createOctokit(wire, authorizeApp(options, clock), 'the App');
  const installations = createInstallations(app, wire);
  async function findVoice(repository: Repository): Promise<Voice | null> {
    const standing = await installations.find(repository);
    return standing && { ...standing, here: { owner: repository.owner, repo: repository.name } };
  }

  return {
    names: { host: options.host ?? host, aliases: options.hostAliases ?? {} },
    webUrl,
    clock,
    memory: createImmutableMemory(memoryWeightMax),
    app,
    findVoice,
    async voice(repository) {
      const voice = await findVoice(repository);
      if (voice === null) throw notInstalledProblem(repository);
      return voice;
    },
  };
}

/** The pages for people and the API have one host, except at github.com and its enterprise clouds (`api.`). */
function placesOf(baseUrl: string): { webUrl: string; host: string } {
  const url = URL.parse(baseUrl);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new WorldProblem(
      'permanent',
      `The address of the GitHub API, "${baseUrl}", is none. Give https://HOST/api/v3 for an Enterprise Server, or ` +
        'nothing for github.com.',
    );
  }
  const isCloud = url.hostname === 'api.github.com' || /^api\..+\.ghe\.com$/.test(url.hostname);
  const strip = (text: string) => (isCloud ? text.replace(/^api\./, '') : text);
  return { webUrl: `${url.protocol}//${strip(url.host)}`, host: strip(url.hostname) };
}

function notInstalledProblem(repository: Repository): WorldProblem {
  const name = `${repository.owner}/${repository.name}`;
  return new WorldProblem(
    'permanent',
    `The GitHub App is not installed on ${name}, so Stepback can neither read nor revert there. Install it there, ` +
      'or add the repository to those that the installation covers.',
    { notInstalledOn: repository },
  );
}
