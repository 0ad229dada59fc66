/**
 * One line makes a small GitHub with a repository, people and an installed App, a client that speaks plain HTTP and
 * has every answer judged by GitHub's description, and a listener that webhooks are delivered to.
 */
import { createHmac, createSign } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { onTestFinished } from 'vitest';
import {
  type SmallGitHub,
  type SmallGitHubOptions,
  startSmallGitHub,
} from '../../../src/sandbox/github/small-github.ts';
import { faultOfAnswer, faultOfWebhook } from './openapi.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers are JSON of any shape, judged by GitHub's description.
export type Body = any;
export type Reply = { status: number; body: Body; headers: Headers };
export type Hook = { event: string; guid: string; payload: Body };

export const SECRET = 'a secret of the sandbox';
/** 1 December 2026, noon. */
export const NOON = Date.UTC(2026, 11, 1, 12);

/** A clock that moves only when it is told to. */
export class HandClock {
  time = NOON;
  now = () => this.time;
  pass(ms: number): void {
    this.time += ms;
  }
}

export class World {
  readonly github: SmallGitHub;
  readonly clock: HandClock;
  readonly hooks: Hook[] = [];
  /** What the listener answers to webhooks. */
  hookStatus = 200;
  /** Whether the payloads of webhooks are held against GitHub's description; their signatures always are. */
  judgesWebhooks = false;
  repo = 'example-org/gitops';
  #token: string | undefined;

  constructor(github: SmallGitHub, clock: HandClock) {
    this.github = github;
    this.clock = clock;
  }

  /** Calls with the App's installation token. The answer must be one that GitHub describes. */
  async call(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Reply> {
    this.#token ??= (
      await this.asApp('POST', `/app/installations/${await this.installation()}/access_tokens`)
    ).body.token;
    return this.send(method, path, body, { authorization: `token ${this.#token}`, ...headers });
  }

  get(path: string, headers?: Record<string, string>): Promise<Reply> {
    return this.call('GET', this.path(path), undefined, headers);
  }

  post(path: string, body: unknown): Promise<Reply> {
    return this.call('POST', this.path(path), body);
  }

  patch(path: string, body: unknown): Promise<Reply> {
    return this.call('PATCH', this.path(path), body);
  }

  /** Calls as the App itself, with a JWT. */
  asApp(method: string, path: string, body?: unknown): Promise<Reply> {
    return this.send(method, path, body, { authorization: `Bearer ${this.jwt()}` });
  }

  async send(method: string, path: string, body: unknown, headers: Record<string, string>): Promise<Reply> {
    const answer = await fetch(this.github.url + path, {
      method,
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
      redirect: 'manual',
    });
    const text = await answer.text();
    const isJson = answer.headers.get('content-type')?.startsWith('application/json') ?? false;
    const parsed = text === '' ? undefined : isJson ? JSON.parse(text) : text;
    const plain = new URL(this.github.url + path).pathname
      .replace(/^\/api\/v3/, '')
      .replace(/^\/repositories\/\d+/, '/repos/o/r');
    const judged = isJson && !plain.endsWith('/graphql') && ![301, 304, 307].includes(answer.status);
    const fault = judged ? faultOfAnswer(method, plain, answer.status, parsed) : null;
    if (fault !== null)
      throw new Error(`${method} ${path} answered ${answer.status}, but ${fault}\n${text.slice(0, 2_000)}`);
    return { status: answer.status, body: parsed, headers: answer.headers };
  }

  /** `…` at the start of a path stands for the repository. */
  path(path: string): string {
    return path.startsWith('/') ? path : `/repos/${this.repo}/${path}`.replace(/\/$/, '');
  }

  async installation(): Promise<number> {
    return (await this.asApp('GET', '/app/installations')).body[0].id;
  }

  /** The App's JWT; claims may be overridden. */
  jwt(claims: Record<string, unknown> = {}, key = this.github.app.privateKey as string): string {
    const now = Math.floor(Date.now() / 1000);
    const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const all = { iat: now - 30, exp: now + 500, iss: this.github.app.id, ...claims };
    const unsigned = `${encode({ alg: 'RS256', typ: 'JWT' })}.${encode(all)}`;
    return `${unsigned}.${createSign('RSA-SHA256').update(unsigned).sign(key).toString('base64url')}`;
  }

  /** Waits for the webhooks under way and gives those of an event (and action) since the last time it was asked. */
  async heard(event?: string, action?: string): Promise<Body[]> {
    await this.github.settled();
    // In the order in which they were sent: they travel side by side.
    const sent = this.github.deliveries.map(({ guid }) => guid);
    return this.hooks
      .splice(0)
      .sort((a, b) => sent.indexOf(a.guid) - sent.indexOf(b.guid))
      .filter((hook) => event === undefined || hook.event === event)
      .filter((hook) => action === undefined || hook.payload.action === action)
      .map((hook) => hook.payload);
  }
}

/** The files that the repository begins with. */
const FILES = {
  'apps/shop/values.yaml': 'replicas: 1\nimage: shop:1\n',
  'apps/shop/base/kustomization.yaml': 'resources: []\n',
  'run.sh': { mode: '100755' as const, content: '#!/bin/sh\n' },
  'README.md': '# GitOps\n',
};

/** Starts it all, and stops it when the test ends. */
export async function startWorld(options: SmallGitHubOptions = {}): Promise<World> {
  const clock = new HandClock();
  const github = await startSmallGitHub({ clock, ...options });
  const world = new World(github, clock);
  const listener = await listen(world);
  const { port } = listener.address() as { port: number };
  github.setWebhook({ url: `http://127.0.0.1:${port}/webhooks`, secret: SECRET });
  onTestFinished(async () => {
    await github.close();
    listener.closeAllConnections();
    await new Promise((resolve) => listener.close(resolve));
  });
  github.addPerson({ login: 'dana', name: 'Dana', email: 'dana@acme.example' });
  github.createRepository({
    owner: 'example-org',
    name: 'gitops',
    files: FILES,
    author: 'dana',
    collaborators: { dana: 'admin', rene: 'write', toni: 'triage' },
  });
  await world.heard();
  return world;
}

async function listen(world: World): Promise<Server> {
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const text = Buffer.concat(parts);
    const expected = `sha256=${createHmac('sha256', SECRET).update(text).digest('hex')}`;
    const payload = JSON.parse(text.toString('utf8'));
    const event = String(request.headers['x-github-event']);
    const fault = world.judgesWebhooks ? faultOfWebhook(event, payload) : null;
    const isSigned = request.headers['x-hub-signature-256'] === expected;
    const guid = String(request.headers['x-github-delivery']);
    world.hooks.push({
      event,
      guid,
      payload: isSigned && fault === null ? payload : { broken: fault ?? 'signature' },
    });
    response.statusCode = world.hookStatus;
    response.end('heard');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}
