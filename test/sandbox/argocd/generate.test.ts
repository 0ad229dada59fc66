import { describe, expect, it } from 'vitest';
import { reconcileApplicationSet } from '../../../src/sandbox/argocd/applicationset-controller.ts';
import { generateApplications } from '../../../src/sandbox/argocd/generate.ts';
import type { ApplicationSetObject, Cluster } from '../../../src/sandbox/argocd/objects.ts';

const clusters: Cluster[] = [
  { name: 'Dev_1', labels: { env: 'dev' }, server: 'https://dev-1.k8s.acme.example:6443' },
  { name: 'lab', labels: {}, server: 'https://lab.k8s.acme.example:6443' },
];

function applicationSet(spec: Partial<ApplicationSetObject['spec']>): ApplicationSetObject {
  return {
    metadata: {
      name: 'shop',
      namespace: 'argocd',
      uid: '1',
      resourceVersion: '1',
      creationTimestamp: '2026-12-01T00:00:00Z',
    },
    spec: {
      generators: [{ clusters: { selector: { matchExpressions: [{ key: 'env', operator: 'Exists' }] } } }],
      template: {
        metadata: {
          name: 'shop-{{nameNormalized}}',
          labels: { env: '{{metadata.labels.env}}', tier: '{{ values.tier }}' },
        },
        spec: { destination: { server: '{{server}}', namespace: 'shop' } },
      },
      ...spec,
    },
  };
}

const labels = (spec: Partial<ApplicationSetObject['spec']>) =>
  generateApplications(applicationSet(spec), clusters).map(({ metadata }) => [
    metadata.name,
    metadata.labels,
  ]);

describe('generated Applications', () => {
  it('fasttemplate fills in what the cluster has and leaves the rest standing', () => {
    expect(labels({})).toEqual([['shop-dev-1', { env: 'dev', tier: '{{ values.tier }}' }]]);
    const values = { tier: '{{metadata.labels.env}}-tier' };
    expect(labels({ generators: [{ clusters: { values } }] })).toEqual([
      ['shop-dev-1', { env: 'dev', tier: 'dev-tier' }],
      ['shop-lab', { env: '{{metadata.labels.env}}', tier: '{{metadata.labels.env}}-tier' }],
    ]);
  });

  it('a Go template reads fields and index, and what is missing has no value', () => {
    const template = {
      metadata: {
        name: 'shop-{{.nameNormalized}}',
        labels: {
          env: '{{index .metadata.labels "env"}}',
          tier: '{{.metadata.labels.tier}}',
          up: '{{ .name | upper }}',
        },
      },
      spec: { destination: { server: '{{.server}}' } },
    };
    expect(labels({ goTemplate: true, template, generators: [{ clusters: {} }] })).toEqual([
      ['shop-dev-1', { env: 'dev', tier: '<no value>', up: 'DEV_1' }],
      ['shop-lab', { env: '', tier: '<no value>', up: 'LAB' }],
    ]);
  });

  it('a list generator gives one Application an element', () => {
    const generators = [{ list: { elements: [{ name: 'a', server: 'https://a' }] } }];
    const template = { metadata: { name: 'shop-{{name}}' }, spec: { destination: { server: '{{server}}' } } };
    expect(generateApplications(applicationSet({ generators, template }), clusters)[0]).toMatchObject({
      metadata: { name: 'shop-a', finalizers: ['resources-finalizer.argocd.argoproj.io'] },
      spec: { project: 'default', destination: { server: 'https://a' } },
    });
  });

  it('a template that cannot be filled in becomes a condition, and nothing is written to Applications', () => {
    const template = {
      metadata: { name: '{{.nothing}}' },
      spec: { destination: {} },
    };
    const { writes, requeueAfterMs } = reconcileApplicationSet({
      applicationSet: applicationSet({ goTemplate: true, goTemplateOptions: ['missingkey=error'], template }),
      applications: [],
      clusters,
      now: 0,
      version: '3.5',
      isProgressive: true,
    });
    expect(writes.map(({ kind }) => kind)).toEqual(['status']);
    expect(JSON.stringify(writes)).toContain('map has no entry for key \\"nothing\\"');
    expect(requeueAfterMs).toBe(180_000);
  });
});
