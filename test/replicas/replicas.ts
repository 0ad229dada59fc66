/**
 * Two real processes of Stepback over the sandbox, and the ways to kill them: `node src/main.ts` twice, as a Deployment
 * with two Pods runs it, against a small GitHub, a small Kubernetes API and a simulated Argo CD in the process of the test.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { argoRepositories } from '../../src/sandbox/argo-repositories.ts';
import { seededRandom } from '../../src/sandbox/argocd/habits.ts';
import { type ArgoCD, startArgoCD } from '../../src/sandbox/argocd/start.ts';
import { scaledClock } from '../../src/sandbox/clock.ts';
import { type SmallGitHub, startSmallGitHub } from '../../src/sandbox/github/small-github.ts';
import { type SmallKubernetes, startSmallKubernetes } from '../../src/sandbox/kubernetes/server.ts';
import { ObjectStore } from '../../src/sandbox/kubernetes/store.ts';

const root = join(import.meta.dirname, '..', '..');
const webhookSecret = 'a secret of the rounds';
const webhookPath = '/api/github/webhooks';
/** Of the cluster and of GitHub; the processes live in real time. */
const speed = 5;

export interface ReplicaWorld {
  github: SmallGitHub;
  store: ObjectStore;
  argocd: ArgoCD;
  replicas: readonly Replica[];
  close(): Promise<void>;
}

/** Starts the world and two replicas in it; resolves when both have started. */
export async function startReplicas(): Promise<ReplicaWorld> {
  const clock = scaledClock({ start: Date.now(), speed });
  const store = new ObjectStore({ clock });
  for (const kind of ['stageledgers', 'rollbacks', 'commandrequests']) {
    const file = join(root, `deploy/crds/${kind}.yaml`);
    store.create('customresourcedefinitions', parse(readFileSync(file, 'utf8')));
  }
  const github = await startSmallGitHub({ clock, authenticationClock: { now: () => Date.now() } });
  const kubernetes = await startSmallKubernetes({ store, clock });
  const argocd = startArgoCD({
    store,
    clock,
    clusters: ['dev', 'staging', 'prod'].map((env) => ({
      name: `${env}-1`,
      labels: { env },
      server: `https://${env}-1.k8s.acme.example:6443`,
    })),
    repositories: argoRepositories(github),
    random: seededRandom(1),
  });
  const folder = mkdtempSync(join(tmpdir(), 'replicas-'));
  const replicas = [
    new Replica('one', folder, github, kubernetes),
    new Replica('two', folder, github, kubernetes),
  ];
  await Promise.all(replicas.map((replica) => replica.start()));
  // As a Service does: a delivery goes to any replica that is there.
  const door = await openService(replicas);
  github.setWebhook({ url: `${door.url}${webhookPath}`, secret: webhookSecret });
  return {
    github,
    store,
    argocd,
    replicas,
    async close() {
      argocd.stop();
      await Promise.all(replicas.map((replica) => replica.stop()));
      await door.close();
      await kubernetes.close();
      await github.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export class Replica {
  readonly name: string;
  readonly #folder: string;
  readonly #github: SmallGitHub;
  readonly #kubernetes: SmallKubernetes;
  #child: ChildProcess | null = null;
  #port = 0;
  #starts = 0;
  readonly log: string[] = [];

  constructor(name: string, folder: string, github: SmallGitHub, kubernetes: SmallKubernetes) {
    this.name = name;
    this.#folder = folder;
    this.#github = github;
    this.#kubernetes = kubernetes;
  }

  /** Null while it is not there. */
  get url(): string | null {
    return this.#child === null ? null : `http://127.0.0.1:${this.#port}`;
  }

  /** Resolves when it answers; a process that ends before is an error with all that it said. */
  async start(): Promise<void> {
    this.#port = await freePort();
    this.#starts += 1;
    const child = spawn(process.execPath, ['src/main.ts'], {
      cwd: root,
      env: {
        PATH: process.env.PATH ?? '',
        HOME: this.#folder,
        NODE_COMPILE_CACHE: join(this.#folder, 'compiled'),
        APP_ID: String(this.#github.app.id),
        PRIVATE_KEY: this.#github.app.privateKey ?? '',
        WEBHOOK_SECRET: webhookSecret,
        GITHUB_API_URL: this.#github.url,
        STEPBACK_HOST_ALIASES: `github.com=${new URL(this.#github.url).hostname}`,
        KUBECONFIG: this.#kubeconfig(),
        STEPBACK_INSTANCE: 'argocd',
        STEPBACK_REPLICA: `${this.name}-${this.#starts}`,
        STEPBACK_POD_IP: '127.0.0.1',
        STEPBACK_LEASE_SECONDS: '3',
        STEPBACK_GRACE_SECONDS: '1',
        // Fifty rounds in one world are more reverts than an installation makes in a day.
        STEPBACK_REVERTS_PER_DAY: '1000',
        PORT: String(this.#port),
        HOST: '127.0.0.1',
      },
    });
    await new Promise<void>((resolve, reject) => {
      const hear = (data: Buffer): void => {
        this.log.push(...String(data).trimEnd().split('\n'));
        if (String(data).includes('"started"')) resolve();
      };
      child.stdout?.on('data', hear);
      child.stderr?.on('data', hear);
      child.once('exit', () =>
        reject(new Error(`Replica ${this.name} ended:\n${this.log.slice(-20).join('\n')}`)),
      );
    });
    this.#child = child;
  }

  /** As when its machine loses power: no signal is handled and nothing is put away. */
  kill(): Promise<void> {
    return this.#end('SIGKILL');
  }

  /** As Kubernetes ends a Pod. */
  stop(): Promise<void> {
    return this.#end('SIGTERM');
  }

  async #end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const child = this.#child;
    this.#child = null;
    if (child === null || child.exitCode !== null) return;
    const gone = new Promise((resolve) => child.once('close', resolve));
    child.kill(signal);
    await gone;
  }

  #kubeconfig(): string {
    const path = join(this.#folder, 'kubeconfig');
    writeFileSync(path, this.#kubernetes.kubeconfig());
    return path;
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Passes each request on to a replica that is there, each in its turn; 503 when none is. */
async function openService(replicas: readonly Replica[]): Promise<{ url: string; close(): Promise<void> }> {
  let turn = 0;
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    const there = replicas.filter(({ url }) => url !== null);
    turn += 1;
    const chosen = there[turn % Math.max(1, there.length)];
    try {
      if (chosen?.url == null) throw new Error('nobody is there');
      const headers = Object.entries(request.headers).filter(
        (entry): entry is [string, string] =>
          typeof entry[1] === 'string' && !['host', 'connection', 'content-length'].includes(entry[0]),
      );
      const answer = await fetch(`${chosen.url}${request.url}`, {
        method: request.method ?? 'POST',
        headers,
        body: Buffer.concat(parts),
      });
      response.writeHead(answer.status).end(await answer.text());
    } catch {
      response.writeHead(503).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
