import { describe, expect, it } from 'vitest';
import { meaningOf, meaningOfFailure } from '../../src/domain/messages.ts';
import { applicationOf, rawApplication } from './world.ts';

const render =
  'Failed to load target state: failed to generate manifest for source 1 of 1: rpc error: code = Unknown desc = ';

describe('a message means', () => {
  it.for([
    // As recorded, or from the cases.
    [
      'destination',
      'Failed to load live state: failed to get cluster info for "https://prod-2.k8s.acme.example:6443": error synchronizing cache state : failed to get server version: failed to get server version: the server has asked for the client to provide credentials',
    ],
    [
      'destination',
      'Failed to load target state: failed to get cluster version for cluster "https://prod-2.k8s.acme.example:6443": failed to get cluster info for "https://prod-2.k8s.acme.example:6443": dial tcp: connection refused',
    ],
    [
      'destination',
      'error synchronizing cache state : failed to get server version: the server has asked for the client to provide credentials',
    ],
    [
      'destination',
      'application destination server "https://x" does not exist: there are no clusters with this name: prod',
    ],
    [
      'destination',
      'Internal error occurred: failed calling webhook "policy.example.com": Post "https://policy": no endpoints available',
    ],
    [
      'render',
      'Failed to load target state: failed to generate manifest for source 1 of 1: rpc error: code = FailedPrecondition desc = Failed to unmarshal "config.json": unexpected EOF',
    ],
    [
      'render',
      `${render}Manifest generation error (cached): \`kustomize build <path>/apps/shop/dev\` failed exit status 1`,
    ],
    ['render', `${render}apps/shop: app path does not exist`],
    [
      'transport',
      'Failed to load target state: rpc error: code = Unknown desc = Get "https://git.example.com/gitops.git/info/refs?service=git-upload-pack": read: connection reset by peer',
    ],
    [
      'health-script',
      'error setting app health: failed to get resource health for "Keycloak" with name "sso" in namespace "sso": <string>:11: attempt to compare string with nil',
    ],
    [
      'health-script',
      'ComparisonError: error setting app health: failed to get resource health for "Keycloak"',
    ],
    ['sync-window', 'Sync operation blocked by sync window'],
    ['terminated', 'Operation terminated'],
    ['terminated', 'operation is terminating due to timeout'],
    [
      'missing-kind',
      'The Kubernetes API could not find monitoring.coreos.com/ServiceMonitor for requested resource shop/web. Make sure the "ServiceMonitor" CRD is installed on the destination cluster.',
    ],
    ['missing-kind', 'no matches for kind "Widget" in version "example.com/v1"'],
    [
      'other',
      'one or more synchronization tasks completed unsuccessfully, reason: Service "billing-metrics" is invalid: [spec.ports[0].port: Invalid value: 99999: must be between 1 and 65535, inclusive',
    ],
    [
      'other',
      'one or more objects failed to apply, reason: admission webhook "policy.example.com" denied the request. Retrying attempt #3 at 12:01PM.',
    ],
    ['other', 'successfully synced (all tasks run)'],
    ['other', ''],
    // As Argo CD and what it calls write them.
    ['transport', 'failed to connect to repo server: context canceled'],
    ['transport', `${render}failed to list refs: authentication required: Repository not found.`],
    [
      'transport',
      `${render}\`git fetch origin --tags --force --prune\` failed exit status 128: fatal: could not read Username for 'https://github.com': terminal prompts disabled`,
    ],
    [
      'transport',
      'rpc error: code = Unavailable desc = connection error: desc = "transport: Error while dialing: dial tcp 10.0.0.7:8081: connect: connection refused"',
    ],
    ['transport', `${render}\`helm pull --destination /tmp/x\` failed timeout after 1m30s`],
    ['transport', `${render}unexpected status code 503 while fetching https://charts.example.org/index.yaml`],
    [
      'transport',
      `${render}Get "https://charts.example.org/index.yaml": tls: failed to verify certificate: x509: certificate has expired`,
    ],
    ['transport', `${render}Unable to resolve 'release-9' to a commit SHA`],
    ['settings', 'Failed to load application project: appprojects.argoproj.io "shop" not found'],
    [
      'settings',
      'failed to find a matching service account to impersonate: no matching service account found',
    ],
    // Quoted by a renderer that had all it needed: the commit all the same.
    [
      'render',
      `${render}\`helm template . --name-template shop\` failed exit status 1: Error: execution error at (shop/templates/check.yaml:3:4): the message must not be "connection refused"`,
    ],
    [
      'render',
      `${render}\`helm template .\` failed exit status 1: Error: template: shop/templates/web.yaml:12:20: executing "shop/templates/web.yaml" at <.Values.timeout.http>: nil pointer evaluating interface {}.http`,
    ],
    [
      'render',
      `${render}\`helm template .\` failed exit status 1: Error: YAML parse error on shop/templates/web.yaml: error converting YAML to JSON: yaml: line 7: did not find expected key`,
    ],
    // Names that hold such words.
    [
      'render',
      `${render}Manifest generation error (cached): \`kustomize build <path>/apps/timeout-service\` failed exit status 1: Error: accumulating resources: open deployment.yaml: no such file or directory`,
    ],
    [
      'other',
      'one or more objects failed to apply, reason: ClusterRole.rbac.authorization.k8s.io "cluster reader" is invalid: not found',
    ],
    ['other', 'Job has reached the specified backoff limit'],
  ] as const)('%s: %s', ([meaning, message]) => {
    expect(meaningOf(message)).toBe(meaning);
  });

  it('the same in any case, and for any length in time', () => {
    expect(meaningOf('FAILED TO GET CLUSTER INFO')).toBe('destination');
    const long = `cluster "${'x'.repeat(200_000)} template: ${'y'.repeat(200_000)}`;
    const before = performance.now();
    expect(meaningOf(long)).toBe('other');
    expect(performance.now() - before).toBeLessThan(2_000);
  });
});

describe('a failed attempt', () => {
  const attempt = (...messages: readonly string[]) => {
    const resources = messages.map((message) => ({
      kind: 'ConfigMap',
      name: 'x',
      status: 'SyncFailed',
      message,
    }));
    const { operation } = applicationOf(
      rawApplication('dev', {
        operation: {
          phase: 'Failed',
          message: 'one or more objects failed to apply',
          syncResult: { resources },
        },
      }),
    );
    if (operation === null) throw new Error('There is an operation.');
    return meaningOfFailure(operation);
  };

  it('is the environment’s when every object says so', () => {
    expect(attempt('dial tcp 10.0.0.1:443: i/o timeout', 'connection refused')).toBe('transport');
    expect(attempt('failed calling webhook "x"')).toBe('destination');
  });

  it('is the commit’s when one object was refused for what it is', () => {
    expect(attempt('i/o timeout', 'spec.ports[0].port: Invalid value: 99999')).toBe('other');
    expect(attempt('spec.ports[0].port: Invalid value: 99999')).toBe('other');
    expect(attempt()).toBe('other');
  });
});
