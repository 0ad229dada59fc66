import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { keyNames, keys } from '../src/config/keys.ts';
import { settings, type Variables } from '../src/environment/settings.ts';
import { type Environment, readEnvironment } from '../src/environment.ts';

const folder = mkdtempSync(join(tmpdir(), 'environment-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const pem = newKey();
const kubeconfig = fileOf('kubeconfig', 'kind: Config');
const healthy: Variables = {
  APP_ID: '4242',
  PRIVATE_KEY: pem,
  WEBHOOK_SECRET: 'a secret of the test',
  KUBECONFIG: kubeconfig,
};

function newKey(): string {
  return generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
  }).privateKey;
}

function fileOf(name: string, content: string): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

/** What is read from the healthy environment with a change; undefined takes a variable away. */
function read(change: Variables = {}): Environment {
  const { environment, faults } = readEnvironment({ ...healthy, ...change });
  expect(faults).toEqual([]);
  return environment!;
}

function faultsOf(change: Variables): readonly string[] {
  return readEnvironment({ ...healthy, ...change }).faults;
}

describe('a healthy environment', () => {
  test('needs four variables and has defaults for the rest', () => {
    const { privateKey, ...rest } = read();
    expect(privateKey().trim()).toBe(pem.trim());
    expect(rest).toEqual({
      replica: { name: expect.stringMatching(/-\d+$/), host: null, leaseMs: 15_000 },
      isStopped: false,
      appId: '4242',
      webhookSecret: 'a secret of the test',
      webhookPath: '/api/github/webhooks',
      apiUrl: 'https://api.github.com',
      hostAliases: {},
      proxy: null,
      kubeconfig: { kind: 'file', path: kubeconfig },
      clusters: [{ context: null, instance: undefined, argocdNamespace: 'argocd', namespaces: undefined }],
      limits: {},
      port: 3000,
      host: undefined,
      logLevel: 'info',
    });
  });

  test('may be empty strings where nothing is meant', () => {
    expect(read({ GHE_HOST: '', STEPBACK_CONTEXTS: ' ', PRIVATE_KEY_PATH: '' }).apiUrl).toBe(
      'https://api.github.com',
    );
  });

  test('loses the line end that a secret made with echo has', () => {
    expect(read({ WEBHOOK_SECRET: 'hush\n' }).webhookSecret).toBe('hush');
  });

  test('limits what the files of repositories may say by what is set, and by nothing else', () => {
    const change = {
      STEPBACK_MODE: 'Comment',
      STEPBACK_GRACE_SECONDS: '120',
      STEPBACK_BAKE_SECONDS: '2',
      STEPBACK_STALLED_SECONDS: '3',
      STEPBACK_STUCK_SECONDS: '4',
      STEPBACK_UNNOTICED_SECONDS: '5',
      STEPBACK_FAILURE_TOO_OLD_SECONDS: '6',
      STEPBACK_CULPRIT_TOO_OLD_SECONDS: '7',
      STEPBACK_SYNC_ATTEMPTS: '8',
      STEPBACK_REVERTS_PER_DAY: '0',
      STEPBACK_REPOSITORY_REVERTS_PER_DAY: '9',
      STEPBACK_APPLICATION_SET_REVERTS_PER_DAY: '10',
      STEPBACK_AUTO_MERGES_PER_DAY: '11',
      STEPBACK_CONTAIN: 'advise',
      STEPBACK_RECOVER: 'refresh',
    };
    const { limits } = read(change);
    expect(limits).toEqual({
      mode: 'comment',
      graceMs: 120_000,
      bakeMs: 2_000,
      stalledMs: 3_000,
      stuckMs: 4_000,
      unnoticedMs: 5_000,
      failureAgeMsMax: 6_000,
      culpritAgeMsMax: 7_000,
      syncAttempts: 8,
      revertsPerInstallationMax: 0,
      revertsPerRepositoryMax: 9,
      revertsPerApplicationSetMax: 10,
      autoMergesMax: 11,
      contain: 'advise',
      recover: 'refresh',
    });
    expect(read({ STEPBACK_GRACE_SECONDS: '120' }).limits, 'a default that is set is a limit').toEqual({
      graceMs: 120_000,
    });
    const named = keyNames.filter((name) => keys[name].setters.includes('environment'));
    expect(Object.keys(limits).sort(), 'every key of the environment').toEqual([...named].sort());
    expect(named.map((name) => keys[name].variable).sort()).toEqual(Object.keys(change).sort());
  });
});

describe('the private key', () => {
  const base64 = Buffer.from(pem).toString('base64');
  test.each([
    ['as it is', pem],
    ['with \\n for its line ends', pem.replaceAll('\n', '\\n')],
    ['with \\r\\n for its line ends', pem.replaceAll('\n', '\\r\\n')],
    ['in quotes', `"${pem.trim().replaceAll('\n', '\\n')}"`],
    ['with blanks for its line ends', pem.trim().replaceAll('\n', ' ')],
    ['in base64', base64],
    ['in base64 with line ends', base64.replace(/.{76}/g, '$&\n')],
  ])('is understood %s', (_, written) => {
    const { privateKey } = read({ PRIVATE_KEY: written });
    expect(privateKey().replaceAll('\r', '').trim()).toBe(pem.trim());
  });

  test('is read from its file again each time, and stays what it was while the file is broken', () => {
    const path = fileOf('rotated.pem', pem);
    const { privateKey } = read({ PRIVATE_KEY: undefined, PRIVATE_KEY_PATH: path });
    const next = newKey();
    writeFileSync(path, next);
    expect(privateKey().trim()).toBe(next.trim());
    writeFileSync(path, next.slice(0, 300));
    expect(privateKey().trim()).toBe(next.trim());
    rmSync(path);
    expect(privateKey().trim()).toBe(next.trim());
  });
});

describe('GitHub', () => {
  test.each([
    [{ GITHUB_API_URL: 'https://api.github.com/' }, 'https://api.github.com'],
    [{ GITHUB_API_URL: 'https://GitHub.Example.com/api/v3/' }, 'https://github.example.com/api/v3'],
    [{ GITHUB_API_URL: 'https://api.acme.ghe.com' }, 'https://api.acme.ghe.com'],
    [{ GITHUB_API_URL: 'http://127.0.0.1:4000' }, 'http://127.0.0.1:4000'],
    [{ GHE_HOST: 'github.example.com' }, 'https://github.example.com/api/v3'],
    [{ GHE_HOST: 'github.example.com:8443' }, 'https://github.example.com:8443/api/v3'],
    [{ GHE_HOST: 'acme.ghe.com' }, 'https://api.acme.ghe.com'],
    [{ GHE_HOST: 'github.com' }, 'https://api.github.com'],
    [
      { GHE_HOST: 'github.example.com', GITHUB_API_URL: 'https://github.example.com/api/v3' },
      'https://github.example.com/api/v3',
    ],
  ])('%j is reached at %s', (change, apiUrl) => {
    expect(read(change).apiUrl).toBe(apiUrl);
  });

  test('has aliases, and a proxy under either spelling', () => {
    expect(read({ STEPBACK_HOST_ALIASES: 'Work.github.com=github.com, gh=github.com' }).hostAliases).toEqual({
      'work.github.com': 'github.com',
      gh: 'github.com',
    });
    const proxy = { url: 'http://proxy:3128', except: '.example.com' };
    expect(read({ HTTPS_PROXY: 'http://proxy:3128', NO_PROXY: '.example.com' }).proxy).toEqual(proxy);
    expect(read({ https_proxy: 'http://proxy:3128', no_proxy: '.example.com' }).proxy).toEqual(proxy);
  });
});

describe('clusters', () => {
  test('are the Pod’s own without a kubeconfig', () => {
    const inPod = { KUBECONFIG: undefined, KUBERNETES_SERVICE_HOST: '10.0.0.1', STEPBACK_INSTANCE: 'prod' };
    expect(read(inPod).kubeconfig).toEqual({ kind: 'in-cluster' });
    expect(read(inPod).clusters[0]?.instance).toBe('prod');
  });

  test('can be several, each with its name and its namespace', () => {
    const { clusters } = read({
      STEPBACK_CONTEXTS: 'prod=arn:aws:eks:eu-west-1:123456789012:cluster/prod, kind-dev',
      STEPBACK_ARGOCD_NAMESPACE: 'argocd,argo',
      STEPBACK_NAMESPACES: 'argocd,team-a',
    });
    expect(clusters).toEqual([
      {
        context: 'arn:aws:eks:eu-west-1:123456789012:cluster/prod',
        instance: 'prod',
        argocdNamespace: 'argocd',
        namespaces: ['argocd', 'team-a'],
      },
      {
        context: 'kind-dev',
        instance: undefined,
        argocdNamespace: 'argo',
        namespaces: ['argocd', 'team-a'],
      },
    ]);
  });

  test('keep an equals sign in a context', () => {
    expect(read({ STEPBACK_CONTEXTS: 'a/b=c' }).clusters[0]?.context).toBe('a/b=c');
  });

  test('may not share a name in branches; long contexts of one account do not', () => {
    expect(faultsOf({ STEPBACK_CONTEXTS: 'prod.eu,prod-eu' })).toHaveLength(1);
    const arn = 'arn:aws:eks:eu-west-1:123456789012:cluster';
    expect(faultsOf({ STEPBACK_CONTEXTS: `${arn}/prod,${arn}/dev` })).toEqual([]);
    expect(faultsOf({ STEPBACK_CONTEXTS: `prod=${arn}/prod,dev=${arn}/dev` })).toEqual([]);
  });
});

describe('names that nobody knows', () => {
  test('are no fault when Kubernetes made them for a Service called stepback', () => {
    const links = [
      'STEPBACK_SERVICE_HOST',
      'STEPBACK_SERVICE_PORT',
      'STEPBACK_SERVICE_PORT_HTTP',
      'STEPBACK_PORT',
      'STEPBACK_PORT_80_TCP',
      'STEPBACK_PORT_80_TCP_ADDR',
      'STEPBACK_METRICS_SERVICE_HOST',
      'STEPBACK_METRICS_PORT_9090_TCP_PROTO',
    ];
    expect(faultsOf(Object.fromEntries(links.map((name) => [name, 'x'])))).toEqual([]);
  });
});

test('an empty environment tells everything that is missing at once', () => {
  expect(readEnvironment({ HOME: folder }).faults).toMatchInlineSnapshot(`
    [
      "APP_ID is not set, so Stepback does not know which GitHub App it is. Set it to the App ID on the settings page of the App.",
      "PRIVATE_KEY and PRIVATE_KEY_PATH are not set, so Stepback cannot sign in at GitHub. Make a private key on the settings page of the App, and name its file in PRIVATE_KEY_PATH.",
      "WEBHOOK_SECRET is not set, so Stepback could not tell webhooks of GitHub from those of anybody else. Make one with "openssl rand -hex 32", and set it here and on the settings page of the App.",
      "Stepback does not run in a Kubernetes cluster, KUBECONFIG is not set and there is no ~/.kube/config, so there is no cluster to watch. Name a kubeconfig in KUBECONFIG.",
    ]
  `);
});

/** Each change breaks one thing and must give one fault. */
const broken: readonly Variables[] = [
  { APP_ID: 'stepback' },
  { PRIVATE_KEY: 'hello' },
  { PRIVATE_KEY: pem.slice(0, 400) },
  { PRIVATE_KEY_PATH: '/run/secrets/key.pem' },
  { PRIVATE_KEY: undefined, PRIVATE_KEY_PATH: '/nowhere/key.pem' },
  { PRIVATE_KEY: undefined, PRIVATE_KEY_PATH: '/' },
  { WEBHOOK_SECRET: 'development' },
  { GITHUB_API_URL: 'github.example.com' },
  { GITHUB_API_URL: 'https://github.com' },
  { GITHUB_API_URL: 'https://github.example.com' },
  { GITHUB_API_URL: 'http://github.example.com/api/v3' },
  { GITHUB_API_URL: 'https://api.github.com', GHE_HOST: 'github.example.com' },
  { GHE_HOST: 'https://github.example.com' },
  { STEPBACK_POD_IP: 'pod-1' },
  { STEPBACK_HOST_ALIASES: 'work' },
  { HTTPS_PROXY: 'user:hunter2@proxy' },
  { KUBECONFIG: '/nowhere/config' },
  { KUBECONFIG: '/a/config:/b/config' },
  { KUBECONFIG: undefined, HOME: '/nowhere' },
  { KUBECONFIG: undefined, KUBERNETES_SERVICE_HOST: '10.0.0.1', STEPBACK_CONTEXTS: 'prod' },
  { STEPBACK_INSTANCE: 'Prod EU' },
  { STEPBACK_INSTANCE: 'prod', STEPBACK_CONTEXTS: 'a,b' },
  { STEPBACK_CONTEXTS: 'a,b,a' },
  { STEPBACK_CONTEXTS: 'prod=a,prod=b' },
  { STEPBACK_ARGOCD_NAMESPACE: 'argocd,argo' },
  { STEPBACK_NAMESPACES: 'team-*' },
  { STEPBACK_GRACE_SECONDS: '2m' },
  { STEPBACK_BAKE_SECONDS: '0' },
  { STEPBACK_SYNC_ATTEMPTS: '-1' },
  { STEPBACK_REVERTS_PER_DAY: 'none' },
  { STEPBACK_MODE: 'off' },
  { STEPBACK_CONTAIN: 'thaw' },
  { PORT: '70000' },
  { WEBHOOK_PATH: 'hooks' },
  { WEBHOOK_PATH: '/metrics' },
  { LOG_LEVEL: 'loud' },
  { LOG_LEVEL: 'constructor' },
  { STEPBACK_GRACE_SECOND: '60' },
  { STEPBACK_GRACE: '60' },
  { stepback_instance: 'prod' },
  { STEPBACK_COLOUR: 'red' },
];

test('each fault says what is wrong and what to do, and gives no secret away', () => {
  const told = broken.flatMap((change) => {
    const faults = faultsOf(change);
    expect(faults, JSON.stringify(change)).toHaveLength(1);
    return faults;
  });
  expect(told.join('\n')).not.toMatch(/hunter2|BEGIN RSA PRIVATE KEY-----\n/);
  expect(told).toMatchInlineSnapshot(`
    [
      "APP_ID is "stepback", which is no App ID. Set it to the number, or to the client id (Iv…), on the settings page of the App.",
      "PRIVATE_KEY is no RSA private key, so Stepback cannot sign in at GitHub. Give the whole PEM file that GitHub made, from "-----BEGIN RSA PRIVATE KEY-----" to the END line: as it is, with \\n for its line ends, or in base64.",
      "PRIVATE_KEY is no RSA private key, so Stepback cannot sign in at GitHub. Give the whole PEM file that GitHub made, from "-----BEGIN RSA PRIVATE KEY-----" to the END line: as it is, with \\n for its line ends, or in base64.",
      "PRIVATE_KEY and PRIVATE_KEY_PATH are both set, and Stepback does not guess which one is right. Unset one of them.",
      "PRIVATE_KEY_PATH names /nowhere/key.pem, which cannot be read (ENOENT). Check the path, and that the user whom Stepback runs as may read it.",
      "PRIVATE_KEY_PATH names /, which cannot be read (EISDIR). Check the path, and that the user whom Stepback runs as may read it.",
      "WEBHOOK_SECRET is "development", which everybody knows. Make another with "openssl rand -hex 32", and set it here and on the settings page of the App.",
      "GITHUB_API_URL is "github.example.com", which is no address. Set it to https://HOST/api/v3 of your Enterprise Server, or unset it for github.com.",
      "GITHUB_API_URL is "https://github.com", which is not where github.com has its API. Did you mean https://api.github.com?",
      "GITHUB_API_URL is "https://github.example.com", which is not where github.example.com has its API. Did you mean https://github.example.com/api/v3?",
      "GITHUB_API_URL is "http://github.example.com/api/v3", and plain http would send the credentials of the App in the open. Use https.",
      "GITHUB_API_URL is "https://api.github.com" and GHE_HOST is "github.example.com", and Stepback does not guess which one is right. Unset one of them.",
      "GHE_HOST is "https://github.example.com", which is no host name. Give the name alone, as github.example.com.",
      "STEPBACK_POD_IP is "pod-1", which is no IP address. Give the address of the Pod, or leave it out.",
      "STEPBACK_HOST_ALIASES has "work", which is not alias=host. Write it as work.github.com=github.com.",
      "HTTPS_PROXY is no address of a proxy. Write it as http://proxy.example.com:3128, with user:password@ before the host where that is needed.",
      "KUBECONFIG names "/nowhere/config", and there is no such file. Check the path.",
      "KUBECONFIG names 2 files, and Stepback reads one. Make one of them with "kubectl config view --flatten" and name that.",
      "Stepback does not run in a Kubernetes cluster, KUBECONFIG is not set and there is no ~/.kube/config, so there is no cluster to watch. Name a kubeconfig in KUBECONFIG.",
      "STEPBACK_CONTEXTS names contexts, and there is no kubeconfig that could have them. Mount one and name it in KUBECONFIG.",
      "STEPBACK_INSTANCE is "Prod EU", and it becomes part of the names of branches. Use up to 40 small letters, digits and dashes.",
      "STEPBACK_INSTANCE is one name and STEPBACK_CONTEXTS has several Argo CDs. Name them there: STEPBACK_CONTEXTS=prod=CONTEXT,dev=CONTEXT.",
      "STEPBACK_CONTEXTS has the context "a" twice, and it would be watched twice. Name it once.",
      "STEPBACK_CONTEXTS has "prod" and "prod", whose names in branches would be the same. Give each a name of its own: prod=CONTEXT,dev=CONTEXT.",
      "STEPBACK_ARGOCD_NAMESPACE has 2 namespaces for 1 contexts. Give one for all, or one for each context in the order of STEPBACK_CONTEXTS.",
      "STEPBACK_NAMESPACES has "team-*", which is no name of a namespace. Give names, several apart by commas; patterns do not work here.",
      "STEPBACK_GRACE_SECONDS is "2m". Give a whole number from 1 to 2592000.",
      "STEPBACK_BAKE_SECONDS is "0". Give a whole number from 1 to 2592000.",
      "STEPBACK_SYNC_ATTEMPTS is "-1". Give a whole number from 1 to 100.",
      "STEPBACK_REVERTS_PER_DAY is "none". Give a whole number from 0 to 10000.",
      "STEPBACK_MODE is "off". Use observe, comment, propose, revert or auto-merge.",
      "STEPBACK_CONTAIN is "thaw". Use off, advise or freeze.",
      "PORT is "70000". Give a whole number from 0 to 65535.",
      "WEBHOOK_PATH is "hooks", which is no path. Use one like /api/github/webhooks, and the same on the settings page of the App.",
      "WEBHOOK_PATH is "/metrics", where Stepback has a page of its own. Use one like /api/github/webhooks, and the same on the settings page of the App.",
      "LOG_LEVEL is "loud". Use info, warn or silent.",
      "LOG_LEVEL is "constructor". Use info, warn or silent.",
      "There is no setting STEPBACK_GRACE_SECOND, so it changes nothing. Did you mean STEPBACK_GRACE_SECONDS?",
      "There is no setting STEPBACK_GRACE, so it changes nothing. Did you mean STEPBACK_GRACE_SECONDS?",
      "There is no setting stepback_instance, so it changes nothing. Did you mean STEPBACK_INSTANCE?",
      "There is no setting STEPBACK_COLOUR, so it changes nothing. Unset it; the README lists all of them.",
    ]
  `);
});

test('every setting is read: a value that is nonsense to all of them is noticed, or taken', () => {
  const unread = Object.keys(settings).filter((name) => {
    const change = { [name]: '/\u0007 nonsense =' };
    const before = JSON.stringify(readEnvironment(healthy));
    return JSON.stringify(readEnvironment({ ...healthy, ...change })) === before;
  });
  // Without a proxy there is nothing to leave out.
  expect(unread).toEqual(['NO_PROXY']);
});

test('the manual has a row for every setting', () => {
  const manual = readFileSync(join(import.meta.dirname, '../docs/operating.md'), 'utf8');
  const rows = manual.split('\n').filter((line) => /^\| `[A-Z_]+` \|/.test(line));
  expect(rows).toEqual(
    Object.entries(settings).map(
      ([name, { meaning, fallback }]) => `| \`${name}\` | ${meaning} | ${fallback} |`,
    ),
  );
});
