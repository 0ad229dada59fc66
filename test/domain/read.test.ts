import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { configurationOf, sameConfiguration } from '../../src/domain/configuration.ts';
import { isResolved } from '../../src/domain/content.ts';
import { digestOf } from '../../src/domain/digest.ts';
import { readApplication, readOwner, readRevisions } from '../../src/domain/read-application.ts';
import { readApplicationSet } from '../../src/domain/read-application-set.ts';
import { normalPath, readSources } from '../../src/domain/read-sources.ts';
import { A, B, repoURL } from './world.ts';

const source = (change: object = {}) => ({ repoURL, path: 'apps/shop', targetRevision: 'main', ...change });

describe('an object that is odd', () => {
  it.for([
    null,
    undefined,
    7,
    'text',
    [],
    {},
    { metadata: [] },
    { metadata: { name: '' } },
    { metadata: { name: {} } },
  ])('is none when it has no name: %o', (value) => {
    expect(readApplication(value)).toBeNull();
    expect(readApplicationSet(value)).toBeNull();
  });

  it('is empty where something else stands than should', () => {
    const application = readApplication({
      metadata: { name: 'shop', labels: 'none', annotations: { a: 1, b: 'x' }, ownerReferences: {} },
      spec: { source: 'here', sources: {}, destination: [], syncPolicy: { automated: 'yes' } },
      operation: 'sync',
      status: {
        sync: { status: 5, revision: ['a'], revisions: 'b', comparedTo: 3 },
        health: null,
        reconciledAt: '12',
        operationState: { phase: {}, startedAt: 12, retryCount: '3', syncResult: { resources: [null, 'x'] } },
        history: [null, { deployedAt: 'never', revisions: [null] }, 'x'],
        conditions: { type: 'x' },
        resources: [{ health: 'Degraded', status: null }],
      },
    });
    expect(application).toMatchObject({
      key: '/shop',
      labels: {},
      annotations: { b: 'x' },
      owner: null,
      sources: [],
      automated: null,
      requestedOperation: null,
      sync: { status: '5', revisions: [] },
      health: { status: '', lastTransitionAt: null },
      reconciledAt: null,
      operation: { phase: '', startedAt: null, retryCount: 0, result: { revisions: [] } },
      conditions: [],
    });
    expect(application?.history.map((entry) => [entry.deployedAt, entry.revisions])).toEqual([
      [0, []],
      [0, ['']],
      [0, []],
    ]);
  });

  it('never makes a reader throw', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), fc.jsonValue({ maxDepth: 6 }), (spec, status) => {
        const metadata = { name: 'x', ownerReferences: spec, annotations: status, labels: spec };
        expect(readApplication({ metadata, spec, status, operation: spec })?.name).toBe('x');
        expect(readApplicationSet({ metadata, spec, status })?.name).toBe('x');
        readApplication(spec);
        readApplicationSet(status);
      }),
      { numRuns: 300, seed: 7 },
    );
  });

  it('may be nested deeper than anybody looks', () => {
    let nested: unknown = 'end';
    for (let depth = 0; depth < 5_000; depth++) nested = { a: [nested] };
    const spec = { source: source({ helm: nested }), generators: [{ matrix: { generators: [nested] } }] };
    expect(readApplication({ metadata: { name: 'x' }, spec })?.sources).toHaveLength(1);
    expect(readApplicationSet({ metadata: { name: 'x' }, spec })?.gitGenerators).toEqual([]);
  });
});

describe('revisions', () => {
  it.for([
    [{ revision: A }, [A]],
    [{ revision: '', revisions: ['15.7.1', A] }, ['15.7.1', A]],
    [{ revision: B, revisions: [A] }, [A]],
    [{ revision: A, revisions: [] }, [A]],
    [{ revision: '' }, []],
    [{}, []],
    [{ revisions: [null, A] }, ['', A]],
  ] as const)('of %o are %o', ([value, right]) => {
    expect(readRevisions(value)).toEqual(right);
  });

  it('name one content when each source has a commit, or a chart its version', () => {
    const [git] = readSources({ source: source() });
    const [chart] = readSources({ source: { repoURL: 'https://charts.example.org', chart: 'web' } });
    if (git === undefined || chart === undefined) throw new Error('No source.');
    expect(isResolved([git], [A])).toBe(true);
    expect(isResolved([git], ['main'])).toBe(false);
    expect(isResolved([git], [A.slice(0, 12)])).toBe(false);
    expect(isResolved([git], [])).toBe(false);
    expect(isResolved([chart, git], ['15.7.1', A])).toBe(true);
    expect(isResolved([chart, git], ['', A])).toBe(false);
    expect(isResolved([chart, git], ['15.7.1'])).toBe(false);
  });
});

describe('the owner', () => {
  const reference = (change: object) => ({
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'ApplicationSet',
    name: 'shop',
    ...change,
  });

  it('is the ApplicationSet that controls it, not another one nor another kind', () => {
    const ownerReferences = [
      reference({ kind: 'Application', name: 'parent', controller: true }),
      reference({ apiVersion: 'example.com/v1', name: 'foreign', controller: true }),
      reference({ name: 'first', uid: '1' }),
      reference({ name: 'second', uid: '2', controller: true }),
    ];
    expect(readOwner({ ownerReferences })).toEqual({ name: 'second', uid: '2' });
    expect(readOwner({ ownerReferences: ownerReferences.slice(0, 3) })).toEqual({ name: 'first', uid: '1' });
    expect(readOwner({ ownerReferences: ownerReferences.slice(0, 2) })).toBeNull();
    expect(readOwner({})).toBeNull();
  });
});

describe('a path', () => {
  it.for([
    ['apps/web', 'apps/web'],
    ['./apps//web/', 'apps/web'],
    ['/apps/web', 'apps/web'],
    ['apps/../lib/./web', 'lib/web'],
    ['../../etc', 'etc'],
    ['apps/../../..', ''],
    ['.', ''],
    ['/', ''],
    ['', ''],
    ['größe/日本', 'größe/日本'],
  ] as const)('%s is %s', ([path, right]) => {
    expect(normalPath(path)).toBe(right);
  });
});

describe('what feeds a source beside its folder', () => {
  const alsoOf = (sources: readonly object[], generatePaths = '') =>
    readSources({ sources }, generatePaths).map((one) => one.alsoPaths);

  it('are the files that other sources take from it', () => {
    const chart = {
      repoURL: 'https://charts.example.org',
      chart: 'web',
      helm: { valueFiles: ['$values/envs/dev.yaml', 'values.yaml', '$other/x.yaml'] },
    };
    expect(alsoOf([chart, { repoURL, ref: 'values' }])).toEqual([[], ['envs/dev.yaml']]);
  });

  it('are its own files that lie elsewhere', () => {
    const helm = {
      valueFiles: ['values.yaml', '../common.yaml', '/envs/dev.yaml', 'https://example.com/v.yaml'],
      fileParameters: [{ name: 'x', path: '../x.json' }],
    };
    expect(alsoOf([source({ helm })])).toEqual([['apps/common.yaml', 'envs/dev.yaml', 'apps/x.json']]);
    expect(alsoOf([source({ kustomize: { components: ['../../components/ha'] } })])).toEqual([
      ['components/ha'],
    ]);
    expect(alsoOf([source({ directory: { jsonnet: { libs: ['vendor'] } } })])).toEqual([['vendor']]);
    expect(alsoOf([source({ path: '.', helm })])).toEqual([[]]);
  });

  it('are the paths of the annotation, a pattern counting as the folder it begins in', () => {
    expect(alsoOf([source()], '.;../base;/lib/*.yaml;/envs/dev-*/x; ;')).toEqual([
      ['apps/base', 'lib', 'envs'],
    ]);
    expect(alsoOf([source()], '/')).toEqual([['']]);
  });
});

describe('the configuration of an Application', () => {
  const of = (...sources: readonly object[]) => configurationOf(readSources({ sources }));

  it('is the same for the same sources, however they are written', () => {
    const [same] = [of(source({ helm: { parameters: [{ name: 'a', value: '1' }], releaseName: '' } }))];
    expect(of(source({ helm: { parameters: [{ value: '1', name: 'a' }] }, kustomize: {} }))).toBe(same);
    expect(of(source({ targetRevision: 'refs/heads/main' }))).toBe(of(source()));
    expect(of(source({ targetRevision: '' }))).toBe(of(source({ targetRevision: 'HEAD' })));
  });

  it.for([
    { path: 'apps/next' },
    { repoURL: 'https://github.com/acme/other.git' },
    { targetRevision: 'release' },
    { helm: { parameters: [{ name: 'a', value: '1' }] } },
    { helm: { values: 'replicas: 2' } },
    { helm: { valueFiles: ['other.yaml'] } },
    { kustomize: { images: ['web:2'] } },
    { directory: { recurse: true } },
    { plugin: { env: [{ name: 'A', value: 'b' }] } },
  ])('is another one with %o', (change) => {
    expect(of(source(change))).not.toBe(of(source()));
  });

  it('is not changed by another pin, tag or version of a chart', () => {
    expect(of(source({ targetRevision: A }))).toBe(of(source({ targetRevision: B })));
    expect(of(source({ targetRevision: 'v1.4.6' }))).toBe(of(source({ targetRevision: 'v1.4.7' })));
    const chart = (targetRevision: string) =>
      of({ repoURL: 'https://charts.example.org', chart: 'web', targetRevision });
    expect(chart('15.7.0')).toBe(chart('15.7.1'));
  });

  it('is the same as one that nobody knows', () => {
    expect(of()).toBeNull();
    expect(sameConfiguration(null, 'x')).toBe(true);
    expect(sameConfiguration('x', 'x')).toBe(true);
    expect(sameConfiguration('x', 'y')).toBe(false);
  });

  it('is a short name, and not the same for texts that differ', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (one, other) => {
        expect(digestOf(one)).toMatch(/^[0-9a-f]{14}$/);
        expect(digestOf(one) === digestOf(other)).toBe(one === other);
      }),
      { numRuns: 300, seed: 7 },
    );
  });
});

describe('an ApplicationSet', () => {
  it('keeps what was written, also what the controller ignores', () => {
    const set = readApplicationSet({
      metadata: {
        name: 'shop',
        namespace: 'argocd',
        annotations: { 'argocd.argoproj.io/tracking-id': 'parent:argoproj.io/ApplicationSet:argocd/shop' },
      },
      spec: {
        strategy: {
          type: 'RollingSync',
          rollingSync: { steps: [{ maxUpdate: '5' }, { maxUpdate: 0 }, { maxUpdate: {} }, null] },
        },
        generators: [
          {
            git: {
              repoURL,
              revision: 'main',
              files: [{ path: 'envs/*.yaml' }, { path: 'old/*', exclude: true }],
            },
          },
          {
            matrix: {
              generators: [{ clusters: {} }, { git: { repoURL, directories: [{ path: 'apps/*' }] } }],
            },
          },
        ],
      },
      status: {
        applicationStatus: [
          { application: 'a', step: 2 },
          { application: 'b', targetRevisions: [A] },
        ],
      },
    });
    expect(set?.steps?.map((step) => step.maxUpdate)).toEqual(['5', 0, null, null]);
    expect(set?.owners).toEqual(['Application/parent']);
    expect(set?.generatorKinds).toEqual(['git', 'matrix']);
    expect(set?.gitGenerators).toEqual([
      { repoURL, revision: 'main', paths: ['envs/*.yaml'] },
      { repoURL, revision: '', paths: ['apps/*'] },
    ]);
    expect(set?.applicationStatus.map((entry) => [entry.step, entry.targetRevisions])).toEqual([
      ['2', null],
      ['', [A]],
    ]);
  });

  it('knows whose it is: an owner reference, a parent Application, Flux', () => {
    const metadata = {
      name: 'shop',
      ownerReferences: [{ kind: 'Platform', name: 'one' }],
      annotations: { 'argocd.argoproj.io/tracking-id': 'parent:argoproj.io/ApplicationSet:argocd/shop' },
      labels: { 'kustomize.toolkit.fluxcd.io/name': 'apps', 'helm.toolkit.fluxcd.io/name': 'charts' },
    };
    expect(readApplicationSet({ metadata })?.owners).toEqual([
      'Platform/one',
      'Application/parent',
      'Kustomization/apps',
      'HelmRelease/charts',
    ]);
  });

  const instance = { 'app.kubernetes.io/instance': 'apps' };
  it.each([
    ['Argo CD 2.x, which sets a label alone', { labels: instance }, ['Application/apps']],
    [
      'a tracking annotation beside the label',
      { labels: instance, annotations: { 'argocd.argoproj.io/tracking-id': 'parent:x:y/z' } },
      ['Application/parent'],
    ],
    [
      'a label of Helm, by its other label',
      { labels: { ...instance, 'app.kubernetes.io/managed-by': 'Helm' } },
      [],
    ],
    [
      'a label of Helm, by its annotation',
      { labels: instance, annotations: { 'meta.helm.sh/release-name': 'apps' } },
      [],
    ],
    ['an empty label', { labels: { 'app.kubernetes.io/instance': '' } }, []],
  ])('knows the parent Application by %s', (_, marks, owners) => {
    expect(readApplicationSet({ metadata: { name: 'shop', ...marks } })?.owners).toEqual(owners);
  });
});
