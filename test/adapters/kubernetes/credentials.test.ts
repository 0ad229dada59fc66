import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { ContextCredentials, type KubeconfigSource } from '../../../src/adapters/kubernetes/credentials.ts';
import { WorldProblem } from '../../../src/ports.ts';
import { TestClock } from '../test-clock.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

const kubeconfig = `
apiVersion: v1
kind: Config
current-context: prod
clusters:
  - { name: prod, cluster: { server: 'https://prod.example:6443/' } }
  - { name: open, cluster: { server: 'http://127.0.0.1:8001' } }
users:
  - { name: bot, user: { token: secret } }
contexts:
  - { name: prod, context: { cluster: prod, user: bot } }
  - { name: open, context: { cluster: open, user: bot } }
  - { name: broken, context: { cluster: nowhere, user: bot } }
`;

function sentenceOf(source: KubeconfigSource, context: string | null = null): string {
  try {
    new ContextCredentials(source, context, new TestClock());
  } catch (problem) {
    expect(problem).toBeInstanceOf(WorldProblem);
    expect((problem as WorldProblem).kind).toBe('permanent');
    return (problem as WorldProblem).message;
  }
  return 'no problem';
}

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'stepback-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

test('a context gives its server and its token', async () => {
  const credentials = new ContextCredentials({ kind: 'text', text: kubeconfig }, null, new TestClock());
  expect(credentials.server).toBe('https://prod.example:6443');
  expect(credentials.context).toBe('prod');
  expect((await credentials.current()).headers).toEqual({ Authorization: 'Bearer secret' });
});

test('a kubeconfig that cannot be used is one clear sentence', () => {
  const text = (value: string): KubeconfigSource => ({ kind: 'text', text: value });
  const sentences = [
    sentenceOf({ kind: 'file', path: '/nowhere/kubeconfig' }),
    sentenceOf(text('{')),
    sentenceOf(text('hello')),
    sentenceOf(text(kubeconfig), 'staging'),
    sentenceOf(text(kubeconfig), 'broken'),
    sentenceOf(text(kubeconfig), 'open'),
    sentenceOf({ kind: 'in-cluster', root: '/nowhere' }),
  ];
  expect(sentences).toMatchInlineSnapshot(`
    [
      "The kubeconfig /nowhere/kubeconfig cannot be read, so no cluster can be watched. Check the file: ENOENT: no such file or directory, open '/nowhere/kubeconfig'",
      "The kubeconfig cannot be read, so no cluster can be watched. Check the file: unexpected end of the stream within a flow collection (1:2)  1 | { ------^",
      "The kubeconfig has no context "". It has: none. Name one of these.",
      "The kubeconfig has no context "staging". It has: prod, open, broken. Name one of these.",
      "Context "broken" of the kubeconfig names a cluster or a user that the file does not have. Add it, or choose another context.",
      "Context "open" of the kubeconfig uses plain http, which would send credentials in the open. Use https; for a sandbox on this machine set insecure-skip-tls-verify: true.",
      "Stepback does not run inside a Kubernetes Pod with a service account, and no kubeconfig is given. Name a kubeconfig, or set automountServiceAccountToken.",
    ]
  `);
});

test('a login plugin that fails is one clear sentence, and is asked again at the next request', async () => {
  const user = {
    exec: {
      apiVersion: 'client.authentication.k8s.io/v1',
      command: '/nowhere/login',
      interactiveMode: 'Never',
    },
  };
  const text = kubeconfig.replace('{ token: secret }', JSON.stringify(user));
  const credentials = new ContextCredentials({ kind: 'text', text }, null, new TestClock());
  for (const _ of [1, 2]) {
    await expect(credentials.current()).rejects.toThrow(
      /^The credentials of context "prod" cannot be had, so nothing of that cluster is seen\. Check the login plugin/,
    );
  }
});

test('inside a Pod the token is the service account’s, and a rotated one is taken when the old one is refused', async () => {
  const root = temporaryFolder();
  const folder = join(root, 'var/run/secrets/kubernetes.io/serviceaccount');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'token'), 'first');
  writeFileSync(join(folder, 'ca.crt'), '');
  vi.stubEnv('KUBERNETES_SERVICE_HOST', '10.0.0.1');
  vi.stubEnv('KUBERNETES_SERVICE_PORT', '443');
  const credentials = new ContextCredentials({ kind: 'in-cluster', root }, null, new TestClock());
  expect(credentials.server).toBe('https://10.0.0.1:443');
  expect(credentials.context).toBe('in-cluster');
  const refused = await credentials.current();
  expect(refused.headers).toEqual({ Authorization: 'Bearer first' });
  writeFileSync(join(folder, 'token'), 'second');
  expect((await credentials.renew(refused)).headers).toEqual({ Authorization: 'Bearer second' });
});

test('credentials are asked for again every minute, with the same connections', async () => {
  const clock = new TestClock();
  const credentials = new ContextCredentials({ kind: 'text', text: kubeconfig }, null, clock);
  const first = await credentials.current();
  clock.advance(59_999);
  expect(await credentials.current()).toBe(first);
  clock.advance(1);
  const second = await credentials.current();
  expect(second).not.toBe(first);
  expect(second.dispatcher).toBe(first.dispatcher);
});

test('a kubeconfig file is read again after a refusal', async () => {
  const path = join(temporaryFolder(), 'kubeconfig');
  writeFileSync(path, kubeconfig);
  const credentials = new ContextCredentials({ kind: 'file', path }, null, new TestClock());
  const refused = await credentials.current();
  writeFileSync(path, kubeconfig.replace('secret', 'renewed'));
  const renewed = await credentials.renew(refused);
  expect(renewed.headers).toEqual({ Authorization: 'Bearer renewed' });
  expect(await credentials.renew(refused)).toBe(renewed);
});
