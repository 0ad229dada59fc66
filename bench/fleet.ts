/**
 * A fleet for measuring: ApplicationSets of twenty Applications each, Synced and Healthy on one commit, as many as are
 * asked for.
 */
import { record } from '../src/domain/read.ts';

export const good = 'a'.repeat(40);
export const bad = 'b'.repeat(40);
export const perSet = 20;

/** One ApplicationSet as the API serves it. */
export function rawSet(index: number): Record<string, unknown> {
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'ApplicationSet',
    metadata: {
      name: `team-${index}`,
      namespace: 'argocd',
      uid: `set-${index}`,
      resourceVersion: '1',
      generation: 1,
    },
    spec: {
      strategy: {
        type: 'RollingSync',
        rollingSync: {
          steps: ['dev', 'staging', 'prod'].map((env) => ({
            matchExpressions: [{ key: 'env', operator: 'In', values: [env] }],
          })),
        },
      },
      template: { metadata: { labels: { env: '{{metadata.labels.env}}' } }, spec: {} },
    },
    status: { applicationStatus: [] },
  };
}

/** One Application of it as the API serves it. */
export function rawApplication(
  set: number,
  index: number,
  version: number,
  revision = good,
  health = 'Healthy',
): Record<string, unknown> {
  const env = index === 0 ? 'dev' : index < 6 ? 'staging' : 'prod';
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: {
      name: `team-${set}-${env}-${index}`,
      namespace: 'argocd',
      uid: `app-${set}-${index}`,
      resourceVersion: String(version),
      labels: { env },
      ownerReferences: [
        {
          apiVersion: 'argoproj.io/v1alpha1',
          kind: 'ApplicationSet',
          name: `team-${set}`,
          uid: `set-${set}`,
          controller: true,
        },
      ],
    },
    spec: {
      project: 'default',
      source: { repoURL: 'https://github.com/acme/fleet.git', path: `teams/${set}`, targetRevision: 'main' },
      destination: { name: `${env}-${index}`, namespace: 'app' },
    },
    status: {
      sync: { status: 'Synced', revision },
      health: { status: health, lastTransitionTime: '2026-12-01T10:00:00Z' },
      reconciledAt: '2026-12-01T10:00:00Z',
      history: [{ id: 0, revision: good, deployedAt: '2026-12-01T09:00:00Z' }],
    },
  };
}

/** A row of the API server's own Table for it. */
export function rawRow(application: Record<string, unknown>): Record<string, unknown> {
  const status = record(application.status);
  return {
    cells: [
      record(application.metadata).name,
      record(status.sync).status,
      record(status.health).status,
      record(status.sync).revision,
      'default',
    ],
    object: { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: application.metadata },
  };
}
