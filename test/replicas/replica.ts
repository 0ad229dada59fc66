/** One process of Stepback, as a Pod runs it: started, killed, drained, and what it said. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { join } from 'node:path';
import type { SmallGitHub } from '../../src/sandbox/github/small-github.ts';

export const root = join(import.meta.dirname, '..', '..');

export interface ReplicaPlace {
  /** Its home. */
  folder: string;
  /** Path of the file. */
  kubeconfig: string;
  github: SmallGitHub;
  webhookSecret: string;
}

/** Kubernetes waits half a minute before it kills; a busy machine gets longer. */
const drainMsMax = 120_000;
/** Of what it said so much is kept. */
const linesMax = 400;

export class Replica {
  readonly name: string;
  /** What it said, the newest last. */
  readonly log: string[] = [];
  /** What no ending of ours explains. */
  readonly faults: string[] = [];
  readonly #place: ReplicaPlace;
  readonly #port: number;
  readonly #listeners = new Set<() => void>();
  #child: ChildProcess | null = null;
  #isStarted = false;
  #starts = 0;

  private constructor(name: string, place: ReplicaPlace, port: number) {
    this.name = name;
    this.#place = place;
    this.#port = port;
  }

  static async prepare(name: string, place: ReplicaPlace): Promise<Replica> {
    return new Replica(name, place, await freePort());
  }

  /** It has started, and nobody has ended it. */
  get isThere(): boolean {
    return this.#isStarted;
  }

  /** Another one after each start, as the name of a Pod is. */
  get identity(): string {
    return `${this.name}-${this.#starts}`;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Resolves when it answers; a process that ends before is an error with all that it said. */
  async start(): Promise<void> {
    this.#starts += 1;
    this.log.push(`--- ${this.identity}`);
    const child = spawn(process.execPath, ['src/main.ts'], { cwd: root, env: this.#environment() });
    this.#child = child;
    await new Promise<void>((resolve, reject) => {
      const hear = (data: Buffer): void => {
        this.log.push(...String(data).trimEnd().split('\n'));
        this.log.splice(0, Math.max(0, this.log.length - linesMax));
        if (String(data).includes('"started"')) resolve();
      };
      child.stdout?.on('data', hear);
      child.stderr?.on('data', hear);
      child.once('exit', (code, signal) => {
        if (this.#child === child) {
          this.faults.push(`${this.identity} ended by itself with ${code ?? signal}`);
          this.#isStarted = false;
        }
        reject(new Error(`Replica ${this.name} ended:\n${this.log.slice(-20).join('\n')}`));
      });
    });
    this.#isStarted = true;
    this.#tell();
  }

  /** As when its machine loses power: no signal is handled and nothing is put away. It is dead when this returns. */
  async kill(): Promise<void> {
    await this.#end('SIGKILL');
  }

  /** As Kubernetes ends a Pod. One that does not end, or not well, is a fault. */
  async stop(): Promise<void> {
    const { identity } = this;
    const code = await this.#end('SIGTERM');
    if (code !== 0) this.faults.push(`${identity} was to drain, and ended with ${code}`);
  }

  /** The exit code; null when a signal ended it. */
  async #end(signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null> {
    const child = this.#child;
    this.#child = null;
    this.#isStarted = false;
    if (child === null || child.exitCode !== null) return 0;
    const gone = new Promise((resolve) => child.once('close', resolve));
    child.kill(signal);
    const patience = setTimeout(() => child.kill('SIGKILL'), drainMsMax);
    await gone;
    clearTimeout(patience);
    this.#tell();
    return child.exitCode;
  }

  #tell(): void {
    for (const listener of [...this.#listeners]) listener();
  }

  #environment(): Record<string, string> {
    const { folder, kubeconfig, github, webhookSecret } = this.#place;
    return {
      PATH: process.env.PATH ?? '',
      HOME: folder,
      NODE_COMPILE_CACHE: join(folder, 'compiled'),
      APP_ID: String(github.app.id),
      PRIVATE_KEY: github.app.privateKey ?? '',
      WEBHOOK_SECRET: webhookSecret,
      GITHUB_API_URL: github.url,
      STEPBACK_HOST_ALIASES: `github.com=${new URL(github.url).hostname}`,
      KUBECONFIG: kubeconfig,
      STEPBACK_INSTANCE: 'argocd',
      STEPBACK_REPLICA: this.identity,
      STEPBACK_POD_IP: '127.0.0.1',
      // Soon taken over, and not lost by every process that has to wait for its turn on a busy machine.
      STEPBACK_LEASE_SECONDS: '5',
      STEPBACK_GRACE_SECONDS: '1',
      // Fifty rounds in one world are more reverts than an installation makes in a day.
      STEPBACK_REVERTS_PER_DAY: '1000',
      PORT: String(this.#port),
      HOST: '127.0.0.1',
    };
  }
}

let nextPort = 20_000 + (process.pid % 10_000);

/** Below those that the system gives to anybody who connects: it stays free while its replica is away. */
async function freePort(): Promise<number> {
  for (;;) {
    nextPort += 1;
    const port = nextPort;
    const server = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false));
      server.listen(port, '127.0.0.1', () => resolve(true));
    });
    if (!isFree) continue;
    await new Promise((resolve) => server.close(resolve));
    return port;
  }
}
