/**
 * A Forge against a GitHub that answers what a test says. Every request is held against GitHub's OpenAPI description
 * on its way out, so no test can pass with a request that GitHub would not take. Time leaps: whoever waits is woken
 * at once and the clock stands later.
 */
import { generateKeyPairSync } from 'node:crypto';
import nock from 'nock';
import { afterEach, beforeEach, expect } from 'vitest';
import { createForge } from '../../../src/adapters/github/forge.ts';
import { connectToGitHub, type GitHub, type GitHubOptions } from '../../../src/adapters/github/github.ts';
import type { RequestEvent } from '../../../src/adapters/github/octokit.ts';
import type { Clock, Forge, Repository } from '../../../src/ports.ts';
import { checkAgainstGitHub } from './described.ts';
import type { SentRequest } from './openapi.ts';

export const gitops: Repository = { host: 'github.com', owner: 'example-org', name: 'gitops' };
export const path = '/repos/example-org/gitops';

export const privateKey = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
}).privateKey;

/** Forty hex digits that begin with a word of hex digits, for commits and trees that are told apart by eye. */
export function sha(start: string): string {
  return start.padEnd(40, '0');
}

export interface LeapingClock extends Clock {
  /** What was waited for, in milliseconds. */
  readonly waits: readonly number[];
  leap(ms: number): void;
}

/** Begins at the machine's time, because an App's JWT is signed by it. */
export function leapingClock(): LeapingClock {
  let now = Math.floor(Date.now() / 1000) * 1000;
  const waits: number[] = [];
  return {
    waits,
    now: () => now,
    after(delayMs, run) {
      waits.push(delayMs);
      let isCancelled = false;
      queueMicrotask(() => {
        if (isCancelled) return;
        now += delayMs;
        run();
      });
      return () => {
        isCancelled = true;
      };
    },
    leap(ms) {
      now += ms;
    },
  };
}

export interface World {
  github: GitHub;
  forge: Forge;
  clock: LeapingClock;
  /** Requests in the order they went out, those for installations and tokens left out. */
  sent: SentRequest[];
  /** All of them, as the observer saw them. */
  events: RequestEvent[];
}

/** A healthy world: the App (7, `stepback`) is installed on `example-org` as installation 42. */
export function world(options: Partial<GitHubOptions> = {}): World {
  const clock = leapingClock();
  const sent: SentRequest[] = [];
  const events: RequestEvent[] = [];
  const github = connectToGitHub({
    appId: '7',
    privateKey: () => privateKey,
    clock,
    random: () => 0.5,
    retryBaseMs: 1,
    timeoutMs: 30_000,
    onRequest: (event) => events.push(event),
    ...options,
    fetch: checkedFetch(sent, options.fetch, options.baseUrl),
  });
  return { github, forge: createForge(github), clock, sent, events };
}

/** Notes every request and throws when GitHub's description does not know it. */
function checkedFetch(
  sent: SentRequest[],
  inner: typeof fetch = (url, init) => globalThis.fetch(url, init),
  baseUrl = 'https://api.github.com',
): typeof fetch {
  return async (url, init) => {
    const address = String(url);
    // An Enterprise Server has GraphQL beside the base of its REST API.
    const path = address.startsWith(baseUrl) ? address.slice(baseUrl.length) : new URL(address).pathname;
    const body = init?.body === undefined ? undefined : JSON.parse(String(init.body));
    const request = { method: init?.method ?? 'GET', path, body };
    const { route } = await checkAgainstGitHub(request);
    if (!/installation/.test(route)) sent.push(request);
    return inner(url, init);
  };
}

/** Answers the look-up of the installation and gives a token, as often as asked. */
export function installed(): void {
  nock('https://api.github.com').persist().get(`${path}/installation`).reply(200, installation());
  nock('https://api.github.com').persist().post('/app/installations/42/access_tokens').reply(201, token());
}

export function installation(change: object = {}): object {
  return { id: 42, app_id: 7, app_slug: 'stepback', suspended_at: null, ...change };
}

export function token(text = 'ghs_one', livesMs = 3_600_000): object {
  return { token: text, expires_at: new Date(Date.now() + livesMs).toISOString(), permissions: {} };
}

/** The API that answers single requests; what is not answered is an error, and so is an answer nobody asked for. */
export function api(): nock.Scope {
  return nock('https://api.github.com');
}

/** To be called once at the top of a test file. */
export function eachTestHasItsOwnGitHub(): void {
  beforeEach(() => {
    nock.disableNetConnect();
  });
  afterEach(() => {
    const unasked = nock.pendingMocks().filter((mock) => !/installation/.test(mock));
    nock.cleanAll();
    nock.enableNetConnect();
    expect(unasked, 'answers nobody asked for').toEqual([]);
  });
}

/** What an account looks like in GitHub's answers. */
export const accounts = {
  app: { login: 'stepback[bot]', id: 70, type: 'Bot' },
  otherBot: { login: 'renovate[bot]', id: 71, type: 'Bot' },
  person: { login: 'dev', id: 72, type: 'User' },
  /** A person whose name tries to pass for the App. */
  pretender: { login: 'stepback', id: 73, type: 'User' },
};

/** A commit as GitHub answers it. */
export function rawCommit(change: {
  sha: string;
  tree?: string;
  parents?: string[];
  message?: string;
}): object {
  return {
    sha: change.sha,
    commit: {
      message: change.message ?? 'Raise the memory limit',
      tree: { sha: change.tree ?? sha('7ee') },
      author: { name: 'Dev', email: 'dev@example.com', date: '2026-08-01T10:00:00Z' },
      committer: { name: 'GitHub', email: 'noreply@github.com', date: '2026-08-01T10:05:00Z' },
    },
    author: accounts.person,
    parents: (change.parents ?? []).map((parent) => ({ sha: parent })),
  };
}

/** A pull request as GitHub answers it, open and ours unless changed. */
export function rawPull(change: object = {}): object {
  return {
    number: 41,
    node_id: 'PR_kwDOA41',
    html_url: 'https://github.com/example-org/gitops/pull/41',
    title: 'Revert "Raise the memory limit"',
    body: null,
    user: accounts.app,
    state: 'open',
    draft: false,
    merged_at: null,
    merge_commit_sha: sha('7e57'),
    base: { ref: 'main', repo: { full_name: 'example-org/gitops' } },
    head: { ref: 'stepback/revert', sha: sha('4ead'), repo: { full_name: 'example-org/gitops' } },
    labels: [{ name: 'stepback' }],
    created_at: '2026-08-01T03:14:05Z',
    updated_at: '2026-08-01T03:14:05Z',
    ...change,
  };
}
