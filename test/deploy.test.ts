/** The manifests in `deploy/`, held against each other and against the code: a name that leads nowhere fails here. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { settings } from '../src/environment/settings.ts';
import { readEnvironment } from '../src/environment.ts';
import { startWeb } from './web/world.ts';

// biome-ignore lint/suspicious/noExplicitAny: manifests are looked at freely.
type Manifest = any;

const root = join(import.meta.dirname, '..');
const folder = join(root, 'deploy');
const text = (path: string): string => readFileSync(join(root, path), 'utf8');

const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.yaml'))
  .sort();
const manifests: ReadonlyMap<string, readonly Manifest[]> = new Map(
  files.map((name) => [
    name,
    parseAllDocuments(text(`deploy/${name}`), { uniqueKeys: true }).map((document) => {
      expect(document.errors, name).toEqual([]);
      return document.toJS();
    }),
  ]),
);
const all = [...manifests.values()].flat();
const only = (kind: string): Manifest => {
  const found = all.filter((manifest) => manifest.kind === kind);
  expect(found, kind).toHaveLength(1);
  return found[0];
};

const deployment = only('Deployment');
const pod = deployment.spec.template.spec;
const container = pod.containers[0];
const variables: readonly Manifest[] = container.env;

test('every file is part of the whole, but for the example of a way in and the rights to intervene', () => {
  const { resources } = only('Kustomization');
  const apart = ['ingress.yaml', 'kustomization.yaml', 'rbac-freeze.yaml', 'rbac-recover.yaml'];
  expect([...resources, ...apart].sort()).toEqual(files);
});

test('the whole only reads what is not its own', () => {
  const { resources } = only('Kustomization');
  const rules: Manifest[] = resources
    .flatMap((name: string) => manifests.get(name) ?? [])
    .flatMap((manifest: Manifest) => manifest.rules ?? []);
  const own = ['stepback.dev', 'coordination.k8s.io'];
  const foreign = rules.filter(({ apiGroups }) => !apiGroups.some((group: string) => own.includes(group)));
  expect(foreign.length).toBeGreaterThan(0);
  expect(new Set(foreign.flatMap(({ verbs }) => verbs))).toEqual(new Set(['get', 'list', 'watch']));
});

test('every object has a name and lives beside Argo CD, or belongs to the whole cluster', () => {
  const wide = ['CustomResourceDefinition', 'ClusterRole', 'ClusterRoleBinding', 'Kustomization'];
  for (const { kind, apiVersion, metadata } of all) {
    expect(apiVersion, kind).toBeTypeOf('string');
    if (kind !== 'Kustomization') expect(metadata.name, kind).toMatch(/^[a-z.-]+$/);
    expect(metadata?.namespace, kind).toBe(wide.includes(kind) ? undefined : 'argocd');
  }
});

test('the variables are settings of Stepback, and enough of them to start', () => {
  const names = variables.map(({ name }) => name);
  expect(names.filter((name) => !Object.hasOwn(settings, name))).toEqual([]);
  const given = Object.fromEntries(variables.map(({ name, value }) => [name, value ?? '']));
  const inPod = { ...given, APP_ID: '1', WEBHOOK_SECRET: 'hush', KUBERNETES_SERVICE_HOST: '10.0.0.1' };
  // Only the key is missing here: its file is on no machine but that of the Pod.
  expect(readEnvironment(inPod).faults).toEqual([
    expect.stringMatching(`^PRIVATE_KEY_PATH names ${given.PRIVATE_KEY_PATH}`),
  ]);
});

test('what is secret comes from the one Secret that the instructions make, with the keys that they give it', () => {
  const asked = [
    ...variables.flatMap(({ valueFrom }) => (valueFrom?.secretKeyRef ? [valueFrom.secretKeyRef] : [])),
    ...pod.volumes.flatMap(({ secret }: Manifest) =>
      secret.items.map(({ key }: Manifest) => ({ name: secret.secretName, key })),
    ),
  ];
  expect(new Set(asked.map(({ name }) => name))).toEqual(new Set(['stepback']));
  const instructions = text('deploy/kustomization.yaml');
  expect(instructions).toContain('-n argocd create secret generic stepback ');
  const made = [...instructions.matchAll(/--from-(?:literal|file)=([a-z.-]+)=/g)].map(([, key]) => key);
  expect(asked.map(({ key }) => key).sort()).toEqual(made.sort());
});

test('the key lies where the variable says', () => {
  const path = variables.find(({ name }) => name === 'PRIVATE_KEY_PATH')?.value;
  const [mount] = container.volumeMounts;
  const volume = pod.volumes.find(({ name }: Manifest) => name === mount.name);
  expect(`${mount.mountPath}/${volume.secret.items[0].path}`).toBe(path);
});

test('the Pod runs as nobody of importance, as the account that has the rights', () => {
  const account = only('ServiceAccount');
  expect(pod.serviceAccountName).toBe(account.metadata.name);
  for (const binding of all.filter(({ kind }) => kind.endsWith('Binding'))) {
    const { name, namespace } = account.metadata;
    expect(binding.subjects).toEqual([{ kind: 'ServiceAccount', name, namespace }]);
    const role = all.find(
      ({ kind, metadata }) => kind === binding.roleRef.kind && metadata.name === binding.roleRef.name,
    );
    expect(role, binding.roleRef.name).toBeDefined();
  }
  expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1000 });
  expect(container.securityContext).toEqual({
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ['ALL'] },
  });
  // STEPBACK_PORT and its like would come from the Service of the same name.
  expect(pod.enableServiceLinks).toBe(false);
});

test('ports, labels and paths lead to one another, and to pages that there are', async () => {
  const service = only('Service');
  const ingress = only('Ingress');
  const labels = deployment.spec.template.metadata.labels;
  expect(deployment.spec.selector.matchLabels).toEqual(labels);
  expect(service.spec.selector).toEqual(labels);
  const [port] = container.ports;
  expect(port.containerPort).toBe(Number(settings.PORT.fallback.replaceAll('`', '')));
  expect(service.spec.ports[0].targetPort).toBe(port.name);
  const [path] = ingress.spec.rules[0].http.paths;
  expect(path.backend.service).toEqual({
    name: service.metadata.name,
    port: { name: service.spec.ports[0].name },
  });
  expect(`\`${path.path}\``).toBe(settings.WEBHOOK_PATH.fallback);
  const web = await startWeb();
  const probes = [container.startupProbe, container.readinessProbe, container.livenessProbe];
  for (const { httpGet } of probes) {
    expect(httpGet.port).toBe(port.name);
    expect((await web.get(httpGet.path)).status).toBe(200);
  }
  expect((await web.get(service.metadata.annotations['prometheus.io/path'])).status).toBe(200);
  expect(service.metadata.annotations['prometheus.io/port']).toBe(String(service.spec.ports[0].port));
});

test('the image is of this version, of the Node that is tested, and starts what there is', () => {
  const { version, devDependencies } = JSON.parse(text('package.json'));
  const [image] = only('Kustomization').images;
  expect([image.name, image.newTag]).toEqual([container.image, version]);
  const dockerfile = text('deploy/Dockerfile');
  expect(dockerfile).toContain(`-t stepback:${version} .`);
  const bases = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, base]) => base);
  const [major] = devDependencies.node.split('.');
  expect(bases).toEqual([`node:${major}-slim`, `node:${major}-slim`]);
  expect(dockerfile).toMatch(/^USER 1000:1000$/m);
  const [, command] = /^CMD (.*)$/m.exec(dockerfile) ?? [];
  const script = JSON.parse(text('package.json')).scripts.start;
  expect(JSON.parse(command ?? '').join(' ')).toBe(script);
  expect(dockerfile).toContain('npm ci --omit=dev');
});

test('the image leaves nothing out that the product imports', () => {
  const copied = [...text('deploy/Dockerfile').matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, some]) =>
    (some ?? '').split(' '),
  );
  const admitted = text('deploy/Dockerfile.dockerignore').split('\n');
  expect(copied.filter((path) => !existsSync(join(root, path)) || !admitted.includes(`!${path}`))).toEqual(
    [],
  );
  const product = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !/^(sandbox|simulation)\//.test(name))
    .filter((name) => /(from |import\()'(\.\.?\/)+sandbox\//.test(text(`src/${name}`)));
  for (const apart of ['src/sandbox', 'src/simulation'])
    expect(text('deploy/Dockerfile.dockerignore')).toContain(apart);
  expect(product).toEqual([]);
});
