import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import {
  configMapsOfInterest,
  type FeatureFlagView,
  featureFlagOf,
  flagArgument,
  flagConfigMap,
  flagKey,
  flagVariable,
  type Looked,
} from '../../src/domain/feature-flag.ts';

const morning = '2026-09-10T08:00:00Z';
const eleven = '2026-09-10T11:00:00Z';
const noon = '2026-09-10T12:00:00Z';

interface PodShape {
  args?: readonly string[];
  env?: readonly object[];
  envFrom?: readonly object[];
  startedAt?: string;
  name?: string;
}

/** A Pod as Argo CD's own manifests make it: the variable comes from the ConfigMap. */
function pod(shape: PodShape = {}) {
  const { args = [], env = [fromConfigMap()], envFrom = [], startedAt = noon, name = 'controller-0' } = shape;
  const container = {
    name: 'argocd-applicationset-controller',
    args: ['/usr/local/bin/argocd-applicationset-controller', ...args],
    env,
    envFrom,
  };
  return { metadata: { name }, spec: { containers: [container] }, status: { startTime: startedAt } };
}

function fromConfigMap(name = flagConfigMap, key = flagKey) {
  return { name: flagVariable, valueFrom: { configMapKeyRef: { name, key, optional: true } } };
}

function configMap(data: Readonly<Record<string, string>>, changedAt = morning) {
  const owned = Object.fromEntries(Object.keys(data).map((key) => [`f:${key}`, {}]));
  const managedFields = [{ manager: 'kubectl', time: changedAt, fieldsV1: { 'f:data': owned } }];
  return {
    metadata: { name: flagConfigMap, creationTimestamp: '2026-01-01T00:00:00Z', managedFields },
    data,
  };
}

const seen = (...objects: readonly unknown[]): Looked => ({ kind: 'seen', objects });
const hidden = (why: string): Looked => ({ kind: 'hidden', why });

/** Everything may be looked at, the flag is set, and the controller has been started since. */
function view(more: Partial<FeatureFlagView> = {}): FeatureFlagView {
  return {
    namespace: 'argocd',
    configMaps: { [flagConfigMap]: seen(configMap({ [flagKey]: 'true' })) },
    pods: seen(pod()),
    deployments: seen(),
    ...more,
  };
}

const withPod = (shape: PodShape, more: Partial<FeatureFlagView> = {}) =>
  view({ pods: seen(pod(shape)), ...more });
const withKey = (value: string) => view(withConfigMap(configMap({ [flagKey]: value })));
const withConfigMap = (...objects: readonly unknown[]) => ({
  configMaps: { [flagConfigMap]: seen(...objects) },
});
const deployment = (shape: PodShape) =>
  seen({ metadata: { name: 'controller' }, spec: { template: pod(shape) } });

test('set in the ConfigMap before the controller started: on', () => {
  expect(featureFlagOf(view())).toMatchInlineSnapshot(`
    {
      "diagnosis": [],
      "evidence": [
        "Progressive syncs are on by the key applicationsetcontroller.enable.progressive.syncs of ConfigMap argocd/argocd-cmd-params-cm.",
      ],
      "state": "on",
    }
  `);
});

test.each<[string, 'on' | 'off' | 'unknown', FeatureFlagView]>([
  ['the argument', 'on', withPod({ args: [flagArgument] }, withConfigMap())],
  ['the argument with a value', 'off', withPod({ args: [`${flagArgument}=false`] })],
  ['the last of two arguments', 'on', withPod({ args: [`${flagArgument}=0`, flagArgument] })],
  ['a variable set directly', 'on', withPod({ env: [{ name: flagVariable, value: 'T' }] }, withConfigMap())],
  [
    'a variable that overrides the ConfigMap',
    'off',
    withPod({ env: [{ name: flagVariable, value: 'false' }] }),
  ],
  ['neither argument nor variable', 'off', withPod({ env: [] })],
  ['no ConfigMap', 'off', view(withConfigMap())],
  ['no key', 'off', view(withConfigMap(configMap({ 'server.insecure': 'true' })))],
  ['"false"', 'off', withKey('false')],
  ['"yes", which Go does not take for true', 'off', withKey('yes')],
  [
    'a variable from a Secret',
    'unknown',
    withPod({ env: [{ name: flagVariable, valueFrom: { secretKeyRef: {} } }] }),
  ],
  ['an environment from a Secret', 'unknown', withPod({ env: [], envFrom: [{ secretRef: { name: 's' } }] })],
  [
    'an environment from another ConfigMap',
    'on',
    withPod(
      { env: [], envFrom: [{ configMapRef: { name: 'mine' }, prefix: 'ARGOCD_' }] },
      {
        configMaps: {
          mine: seen({ metadata: { name: 'mine' }, data: { [flagVariable.slice(7)]: 'true' } }),
        },
      },
    ),
  ],
  [
    'a ConfigMap that may not be read',
    'unknown',
    view({ configMaps: { [flagConfigMap]: hidden('No right.') } }),
  ],
  ['Pods that may not be read, and a set key', 'unknown', view({ pods: hidden('No right.') })],
  [
    'Pods that may not be read, and no key',
    'unknown',
    view({ ...withConfigMap(configMap({})), pods: hidden('No right.') }),
  ],
  [
    'nothing that may be read',
    'unknown',
    view({
      pods: hidden('No Pods.'),
      deployments: hidden('No Deployments.'),
      configMaps: { [flagConfigMap]: hidden('No ConfigMap.') },
    }),
  ],
  ['no controller at all, and a set key', 'unknown', view({ pods: seen() })],
  ['another namespace', 'unknown', view({ ...withConfigMap(), pods: seen() })],
  [
    'a Deployment with the argument where Pods are hidden',
    'on',
    view({ pods: hidden('No right.'), deployments: deployment({ args: [flagArgument] }) }),
  ],
  [
    'a Deployment that takes it from the ConfigMap where Pods are hidden',
    'unknown',
    view({ pods: hidden('No right.'), deployments: deployment({}) }),
  ],
  [
    'Pods that are over',
    'on',
    view({ pods: seen({ ...pod({ env: [] }), status: { phase: 'Failed' } }, pod()) }),
  ],
  ['Pods that do not agree', 'unknown', view({ pods: seen(pod(), pod({ env: [], name: 'controller-1' })) })],
])('%s: %s', (_name, state, given) => {
  const answer = featureFlagOf(given);
  expect(answer.state).toBe(state);
  expect(answer.evidence.length).toBeGreaterThan(0);
  for (const sentence of answer.evidence) expect(sentence).toMatch(/\.$/);
});

test('a Pod older than the change runs without it', () => {
  const changed = withConfigMap(configMap({ [flagKey]: 'true' }, eleven));
  expect(featureFlagOf(withPod({ startedAt: morning }, changed))).toMatchInlineSnapshot(`
    {
      "diagnosis": [
        "restart-needed",
      ],
      "evidence": [
        "Progressive syncs are set in ConfigMap argocd/argocd-cmd-params-cm but not active: Pod controller-0 started before the change and reads it only when it starts. Restart it: kubectl -n argocd rollout restart deployment argocd-applicationset-controller.",
      ],
      "state": "off",
    }
  `);
});

test('when the ConfigMap was changed in perhaps another key, it is said and not taken for certain', () => {
  const changed = withConfigMap(configMap({ [flagKey]: 'true', other: 'x' }, eleven));
  const answer = featureFlagOf(withPod({ startedAt: morning }, changed));
  expect([answer.state, answer.diagnosis]).toEqual(['unknown', ['restart-needed']]);
});

test('a change by a manager of other keys is none of this key', () => {
  const both = configMap({ [flagKey]: 'true' }, '2026-09-01T00:00:00Z');
  both.metadata.managedFields.push({
    manager: 'helm',
    time: eleven,
    fieldsV1: { 'f:data': { 'f:server.insecure': {} } },
  });
  expect(featureFlagOf(withPod({ startedAt: morning }, withConfigMap(both))).state).toBe('on');
});

test('a container that was started again inside its old Pod has read the change', () => {
  const restarted = pod({ startedAt: morning });
  const running = { startedAt: noon };
  const containerStatuses = [{ name: 'argocd-applicationset-controller', state: { running } }];
  const pods = seen({ ...restarted, status: { ...restarted.status, containerStatuses } });
  const changed = withConfigMap(configMap({ [flagKey]: 'true' }, eleven));
  expect(featureFlagOf(view({ ...changed, pods })).state).toBe('on');
});

test('switched off after the controller started: it may still run with it', () => {
  const changed = withConfigMap(configMap({ [flagKey]: 'false' }, eleven));
  expect(featureFlagOf(withPod({ startedAt: morning }, changed)).state).toBe('unknown');
});

test('the ConfigMaps to read are Argo CD’s own and those the Pods name', () => {
  const pods = seen(
    pod({ env: [fromConfigMap('mine', 'x')], envFrom: [{ configMapRef: { name: 'more' } }] }),
  );
  expect(configMapsOfInterest(pods, seen())).toEqual([flagConfigMap, 'mine', 'more']);
  expect(configMapsOfInterest(hidden('No right.'), seen())).toEqual([flagConfigMap]);
});

test.each([null, 'x', 5, [], {}, { spec: 7 }, { spec: { containers: [null, { name: 5, env: 'x' }] } }])(
  'a broken object (%j) is no exception',
  (odd) => {
    const broken = view({ pods: seen(odd), deployments: seen(odd), ...withConfigMap(odd) });
    expect(featureFlagOf(broken).state).not.toBe('on');
  },
);

/** The objects of one kind in a case of test/incidents. */
function caseObjects(folder: string, kind: string): readonly unknown[] {
  const path = fileURLToPath(new URL(`../incidents/${folder}/case.yaml`, import.meta.url));
  return parseAllDocuments(readFileSync(path, 'utf8'))
    .map((document) => document.toJS())
    .filter((object) => object.kind === kind);
}

function caseView(folder: string): FeatureFlagView {
  return view({
    pods: seen(...caseObjects(folder, 'Pod')),
    ...withConfigMap(...caseObjects(folder, 'ConfigMap')),
  });
}

test('PS33: a key that Argo CD does not know', () => {
  expect(featureFlagOf(caseView('PS33-feature-flag-off-all-at-once'))).toMatchInlineSnapshot(`
    {
      "diagnosis": [
        "flag-key-wrong",
        "flag-off",
      ],
      "evidence": [
        "ConfigMap argocd/argocd-cmd-params-cm has the key applicationsetcontroller.enable.progressive.rollouts, which Argo CD does not know, so RollingSync is ignored. Set applicationsetcontroller.enable.progressive.syncs: "true" there and restart argocd-applicationset-controller.",
      ],
      "state": "off",
    }
  `);
});

test('PS34: set, but the controller was not restarted', () => {
  expect(featureFlagOf(caseView('PS34-flag-set-but-controller-not-restarted'))).toMatchInlineSnapshot(`
    {
      "diagnosis": [
        "restart-needed",
      ],
      "evidence": [
        "Progressive syncs are set in ConfigMap argocd/argocd-cmd-params-cm but not active: Pod argocd-applicationset-controller-0 started before the change and reads it only when it starts. Restart it: kubectl -n argocd rollout restart deployment argocd-applicationset-controller.",
      ],
      "state": "off",
    }
  `);
});
