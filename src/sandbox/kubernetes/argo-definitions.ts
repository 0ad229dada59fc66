/**
 * Argo CD's own custom resource definitions, without their schemas: names, subresources and printer columns as in
 * https://github.com/argoproj/argo-cd/tree/v3.5.1/manifests/crds. The columns of Application are held against the
 * recorded Tables. Application has no status subresource: its status is written together with its spec.
 */
import { customResource } from './resources.ts';

const GROUP = 'argoproj.io';
const VERSION = 'v1alpha1';

/** The three definitions that every Argo CD installs. */
export const ARGO_DEFINITIONS = [
  customResource({
    group: GROUP,
    version: VERSION,
    kind: 'Application',
    plural: 'applications',
    shortNames: ['app', 'apps'],
    statusSubresource: false,
    columns: [
      { name: 'Sync Status', type: 'string', jsonPath: '.status.sync.status' },
      { name: 'Health Status', type: 'string', jsonPath: '.status.health.status' },
      { name: 'Revision', type: 'string', jsonPath: '.status.sync.revision', priority: 10 },
      { name: 'Project', type: 'string', jsonPath: '.spec.project', priority: 10 },
    ],
  }),
  customResource({
    group: GROUP,
    version: VERSION,
    kind: 'ApplicationSet',
    plural: 'applicationsets',
    shortNames: ['appset', 'appsets'],
    statusSubresource: true,
  }),
  customResource({
    group: GROUP,
    version: VERSION,
    kind: 'AppProject',
    plural: 'appprojects',
    shortNames: ['appproj', 'appprojs'],
    statusSubresource: false,
  }),
];
