/**
 * The process itself: `node src/main.ts` against a small GitHub and a small Kubernetes API, first with everything that
 * can be wrong at the start, then running until it is told to stop.
 */
import { spawn } from 'node:child_process';
import { createHmac, generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { type SmallGitHub, startSmallGitHub } from '../src/sandbox/github/small-github.ts';
import type { AccessRule } from '../src/sandbox/kubernetes/access.ts';
import { type SmallKubernetes, startSmallKubernetes } from '../src/sandbox/kubernetes/server.ts';
import { ObjectStore } from '../src/sandbox/kubernetes/store.ts';

const root = join(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'main-'));
const clock = { now: () => Date.now() };

let github: SmallGitHub;
let cluster: SmallKubernetes;
/** What has to be closed when all is over. */
const opened: { close(): Promise<void> }[] = [];

beforeAll(async () => {
  github = await startSmallGitHub();
  cluster = await startCluster();
  opened.push(github);
});

afterAll(async () => {
  await Promise.all(opened.map((one) => one.close()));
  rmSync(folder, { recursive: true, force: true });
});

/** A cluster with an Argo CD and with the kinds of the ledger, unless they are left out. */
async function startCluster(
  options: { kinds?: readonly string[]; hasArgoCD?: boolean; allow?: readonly AccessRule[] } = {},
): Promise<SmallKubernetes> {
  const { kinds = ['stageledgers', 'rollbacks', 'commandrequests'], hasArgoCD = true, allow } = options;
  const store = new ObjectStore({ clock, ...(hasArgoCD ? {} : { definitions: [] }) });
  for (const kind of kinds) {
    const definition = parse(readFileSync(join(root, `deploy/crds/${kind}.yaml`), 'utf8'));
    store.create('customresourcedefinitions', definition);
  }
  const started = await startSmallKubernetes({
    store,
    clock,
    token: 'of-stepback',
    ...(allow ? { allow } : {}),
  });
  opened.push(started);
  return started;
}

function fileOf(name: string, content: string): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

function kubeconfigOf(one: SmallKubernetes): string {
  return fileOf(`config-${new URL(one.url).port}`, one.kubeconfig());
}

/** An environment in which it would start. */
function healthy(): Record<string, string> {
  return {
    PATH: process.env.PATH ?? '',
    HOME: folder,
    APP_ID: String(github.app.id),
    PRIVATE_KEY: github.app.privateKey ?? '',
    WEBHOOK_SECRET: 'a secret of the test',
    GITHUB_API_URL: github.url,
    KUBECONFIG: kubeconfigOf(cluster),
    STEPBACK_INSTANCE: 'argocd',
    PORT: '0',
    HOST: '127.0.0.1',
  };
}

/** A place where nobody listens: the port of a server that is gone. */
async function closedPlace(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `127.0.0.1:${port}`;
}

async function unreachable(one: SmallKubernetes): Promise<string> {
  return one.kubeconfig().replace(/127\.0\.0\.1:\d+/, await closedPlace());
}

interface Running {
  /** Resolves with the fields of the first line of the log with this message. */
  logged(message: string): Promise<Record<string, unknown>>;
  stop(signal: 'SIGTERM' | 'SIGINT'): void;
  ended: Promise<{ code: number | null; errors: string; lines: readonly string[] }>;
}

function start(environment: Readonly<Record<string, string>>): Running {
  // What was compiled once is not compiled again for each process.
  const env = { ...environment, NODE_COMPILE_CACHE: join(folder, 'compiled') };
  const child = spawn(process.execPath, ['src/main.ts'], { cwd: root, env });
  const lines: string[] = [];
  let rest = '';
  let errors = '';
  let wake: () => void = () => {};
  child.stdout.on('data', (data) => {
    const parts = (rest + String(data)).split('\n');
    rest = parts.pop() ?? '';
    lines.push(...parts);
    wake();
  });
  child.stderr.on('data', (data) => {
    errors += String(data);
  });
  const ended = new Promise<{ code: number | null; errors: string; lines: readonly string[] }>((resolve) => {
    child.on('close', (code) => {
      resolve({ code, errors, lines });
      wake();
    });
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return {
    async logged(message) {
      for (;;) {
        const found = lines.map((line) => JSON.parse(line)).find((line) => line.message === message);
        if (found !== undefined) return found;
        if (child.exitCode !== null)
          throw new Error(`It ended without "${message}": ${errors}${lines.join('\n')}`);
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
    stop: (signal) => void child.kill(signal),
    ended,
  };
}

/** What a start that fails tells, a line a fault. The words of the adapters are tested with the adapters. */
async function refusal(change: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const { code, errors, lines } = await start({ ...healthy(), ...change }).ended;
  expect(lines).toEqual([]);
  expect(errors).not.toMatch(/^\s+at |node:internal|file:\/\//m);
  expect(code).toBe(1);
  const sentences = errors.trimEnd().split('\n');
  expect(sentences.pop()).toMatch(
    /^Stepback did not start\. Start it again when (it is|they are) put right\.$/,
  );
  return sentences;
}

/** What is wrong with GitHub and with the cluster is told together, so two are tried with one process. */
describe('a start that fails tells why in sentences, without a stack trace, with exit code 1:', () => {
  test('nothing is set', async () => {
    const { code, errors } = await start({ HOME: folder }).ended;
    expect(code).toBe(1);
    expect(errors.split('\n').map((line) => line.split(' ')[0])).toEqual([
      'APP_ID',
      'PRIVATE_KEY',
      'WEBHOOK_SECRET',
      'Stepback',
      'Stepback',
      '',
    ]);
  });

  test('a key of another App, and a cluster that is out of reach', async () => {
    const { privateKey } = generateKeyPairSync('rsa', {
      modulusLength: 2048,
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
    });
    const config = fileOf('closed', await unreachable(cluster));
    expect(await refusal({ PRIVATE_KEY: privateKey, KUBECONFIG: config })).toEqual([
      expect.stringMatching(
        /^GitHub refused to read the description of the App \(401.*private key is not one/,
      ),
      expect.stringMatching(/^The Kubernetes API of cluster "argocd" cannot be reached .*ECONNREFUSED/),
    ]);
  });

  test('an App that GitHub does not know, and credentials that the cluster does not take', async () => {
    const config = fileOf('nobody', cluster.kubeconfig().replace('of-stepback', 'of-nobody'));
    expect(await refusal({ APP_ID: '99', KUBECONFIG: config })).toEqual([
      expect.stringMatching(/^GitHub refused to read the description of the App \(40[14]: /),
      expect.stringMatching(/^The Kubernetes API of cluster "argocd" does not accept our credentials/),
    ]);
  });

  test('an App that may too little, and a cluster without Argo CD', async () => {
    const poor = await startSmallGitHub({ app: { permissions: { metadata: 'read', contents: 'read' } } });
    opened.push(poor);
    const bare = await startCluster({ hasArgoCD: false });
    expect(await refusal({ GITHUB_API_URL: poor.url, KUBECONFIG: kubeconfigOf(bare) })).toEqual([
      'The GitHub App lacks permissions, so Stepback could not do its work: Checks (read and write), Contents (read and write), Issues (read and write), Members of the organisation (read), Pull requests (read and write). Add them on the settings page of the App, and let an owner of the organisation accept them.',
      expect.stringMatching(
        /^The API of cluster "argocd" does not know applications.argoproj.io. Argo CD is not/,
      ),
    ]);
  });

  test('no GitHub, and a cluster without our own kinds', async () => {
    const bare = await startCluster({ kinds: ['stageledgers'] });
    const change = { GITHUB_API_URL: `http://${await closedPlace()}`, KUBECONFIG: kubeconfigOf(bare) };
    expect(await refusal(change)).toEqual([
      expect.stringMatching(/^Stepback could not read the description of the App, .*ECONNREFUSED/),
      expect.stringMatching(/ does not know rollbacks.stepback.dev.* kubectl apply -f deploy\/crds\.$/),
    ]);
  });

  test('a page that is not GitHub, and a cluster where it may too little', async () => {
    const page = createServer((_, response) => response.end('<html>Log in</html>'));
    await new Promise<void>((resolve) => page.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void page.close());
    const { port } = page.address() as AddressInfo;
    const allow = [{ verbs: ['get', 'list'], resources: ['applications', 'applicationsets'] }];
    const poor = await startCluster({ allow });
    const change = { GITHUB_API_URL: `http://127.0.0.1:${port}`, KUBECONFIG: kubeconfigOf(poor) };
    const [ofGitHub, ...ofCluster] = await refusal(change);
    expect(ofGitHub).toMatch(/^The server at .* answered with something that is not GitHub's API/);
    expect(ofCluster.length).toBeGreaterThan(2);
    for (const sentence of ofCluster)
      expect(sentence).toMatch(/ has no right to .* as deploy\/rbac\.yaml does\.$/);
  });

  test('a context that the kubeconfig does not have', async () => {
    expect(await refusal({ STEPBACK_CONTEXTS: 'prod' })).toEqual([
      'The kubeconfig has no context "prod". It has: sandbox. Name one of these.',
    ]);
  });

  test('a port that is taken', async () => {
    const { port } = new URL(cluster.url);
    expect(await refusal({ PORT: port })).toEqual([
      `Stepback cannot listen on port ${port} (EADDRINUSE). Another program listens there. Stop it, or name another port in PORT.`,
    ]);
  });
});

describe('a start that goes well', () => {
  async function get(port: unknown, path: string): Promise<{ status: number; body: string }> {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { connection: 'close' } });
    return { status: answer.status, body: await answer.text() };
  }

  test('ends in a Stepback that sees, answers webhooks, and leaves in good order', async () => {
    const running = start(healthy());
    const { port, app, instances } = await running.logged('started');
    expect([app, instances]).toEqual(['stepback', ['argocd']]);
    let ready = await get(port, '/readyz');
    // Each request is a round trip in which the first list may come.
    while (ready.status === 503) ready = await get(port, '/readyz');
    expect(ready.body).toMatch(/^argocd: seen, last heard of \d+ s ago\.\n$/);
    expect((await get(port, '/')).body).toContain('No ApplicationSet is seen here.');
    expect((await get(port, '/metrics')).body).toContain('stepback_ledger_readable{instance="argocd"} 1');
    // The App itself, and the webhooks that failed while nobody listened.
    expect((await get(port, '/metrics')).body).toMatch(
      /stepback_github_requests_total\{method="GET",status="200"\} [12]\n/,
    );
    const body = '{"zen":"Design for failure."}';
    const digest = createHmac('sha256', 'a secret of the test').update(body).digest('hex');
    const answer = await fetch(`http://127.0.0.1:${port}/api/github/webhooks`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-github-event': 'ping',
        'x-github-delivery': '1',
        'x-hub-signature-256': `sha256=${digest}`,
      },
      body,
    });
    expect(answer.status).toBe(200);
    running.stop('SIGTERM');
    const { code, errors, lines } = await running.ended;
    expect([code, errors]).toEqual([0, '']);
    const messages = lines.map((line) => JSON.parse(line).message);
    expect(messages.filter((message) => !message.includes('this replica'))).toEqual([
      'started',
      'GitHub reaches us: the webhook was pinged',
      'stopping',
      'stopped',
    ]);
  });

  test('watches what can be watched when one of several clusters is out of reach', async () => {
    const there = parse(cluster.kubeconfig());
    const gone = parse((await unreachable(cluster)).replaceAll('sandbox', 'gone'));
    const both = Object.fromEntries(
      Object.entries(there).map(([key, value]) => [
        key,
        Array.isArray(value) ? [...value, ...gone[key]] : value,
      ]),
    );
    const running = start({
      ...healthy(),
      KUBECONFIG: fileOf('both', JSON.stringify(both)),
      STEPBACK_INSTANCE: '',
      STEPBACK_CONTEXTS: 'dev=gone,prod=sandbox',
    });
    const { problem } = await running.logged('something is missing');
    expect(problem).toMatch(/^The Kubernetes API of cluster "dev" cannot be reached/);
    const { port, instances } = await running.logged('started');
    expect(instances).toEqual(['dev', 'prod']);
    expect(await get(port, '/readyz')).toMatchObject({
      status: 503,
      body: expect.stringContaining('dev: blind.'),
    });
    expect((await get(port, '/healthz')).status).toBe(200);
    running.stop('SIGINT');
    expect((await running.ended).code).toBe(0);
  });
});
