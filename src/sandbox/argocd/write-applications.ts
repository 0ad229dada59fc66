/**
 * What the ApplicationSet controller does to the Applications themselves: creates, updates and deletes them as far as
 * its policy allows, switches automated sync off on those it rolls out, and asks for their syncs by writing
 * `operation`. Ported from `createOrUpdateInCluster` in
 * https://github.com/argoproj/argo-cd/blob/v3.5.1/applicationset/controllers/applicationset_controller.go and from
 * `SyncDesiredApplications` in
 * https://github.com/argoproj/argo-cd/blob/v3.5.1/applicationset/progressivesync/progressive_sync.go.
 */
import type { DesiredApplication } from './generate.ts';
import { patchBetween, saysTheSame } from './json.ts';
import {
  type ApplicationObject,
  type ApplicationSetObject,
  type ApplicationSetStatus,
  type ApplicationStatusEntry,
  type ArgoVersion,
  type Operation,
  REFRESH_ANNOTATION,
} from './objects.ts';

export type ApplicationWrite =
  | { kind: 'create'; application: DesiredApplication }
  | { kind: 'patch'; name: string; patch: object }
  | { kind: 'remove'; name: string };

/** Annotations on a live Application that survive although they were not generated. */
const PRESERVED_ANNOTATIONS = [
  REFRESH_ANNOTATION,
  'notified.notifications.argoproj.io',
  'argocd.argoproj.io/hydrate',
];

/** `status.resources` holds no more; `resourcesCount` tells the number. */
const RESOURCES_MAX = 5000;

/**
 * The generated Application as RollingSync wants it: automated sync off, and with an operation when it is Pending in an
 * open step. Only an automated policy with prune makes the operation prune (revert-needs-prune has none). Since 3.4 a
 * policy that is automated but disabled is switched off in the same way.
 */
export function withRollout(
  application: DesiredApplication,
  open: ReadonlySet<string>,
  entries: readonly ApplicationStatusEntry[],
  version: ArgoVersion,
): DesiredApplication {
  const { syncPolicy } = application.spec;
  const automated = syncPolicy?.automated;
  const isEnabled = automated !== undefined && automated.enabled !== false;
  const prune = isEnabled && automated.prune === true;
  const isSwitchedOff = automated !== undefined && (isEnabled || version !== '3.3');
  const spec = isSwitchedOff
    ? { ...application.spec, syncPolicy: { ...syncPolicy, automated: { ...automated, enabled: false } } }
    : application.spec;
  const { name } = application.metadata;
  const isPending = entries.some((entry) => entry.application === name && entry.status === 'Pending');
  if (!open.has(name) || !isPending) return { ...application, spec };
  return { ...application, spec, operation: rollingSyncOperation(spec.syncPolicy, prune) };
}

function rollingSyncOperation(
  syncPolicy: DesiredApplication['spec']['syncPolicy'],
  prune: boolean,
): Operation {
  return {
    info: [
      { name: 'Reason', value: 'ApplicationSet RollingSync triggered a sync of this Application resource' },
    ],
    initiatedBy: { automated: true, username: 'applicationset-controller' },
    retry: syncPolicy?.retry ?? { limit: 5 },
    sync: {
      ...(syncPolicy?.syncOptions ? { syncOptions: syncPolicy.syncOptions } : {}),
      ...(prune ? { prune } : {}),
    },
  };
}

/**
 * The writes that bring the Applications where they should be. `create-only` and `create-delete` never update, so they
 * never write an operation either; `create-only` and `create-update` never delete (`applicationsSync`).
 */
export function applicationWrites(
  applicationSet: ApplicationSetObject,
  existing: readonly ApplicationObject[],
  wanted: readonly DesiredApplication[],
): ApplicationWrite[] {
  const policy = applicationSet.spec.syncPolicy?.applicationsSync ?? 'sync';
  const live = new Map(existing.map((application) => [application.metadata.name, application]));
  const byName = new Map(wanted.map((application) => [application.metadata.name, application]));
  const writes: ApplicationWrite[] = [];
  for (const name of [...byName.keys()].sort()) {
    const application = byName.get(name)!;
    const found = live.get(name);
    if (found === undefined) writes.push({ kind: 'create', application });
    else if (policy === 'sync' || policy === 'create-update') {
      const patch = patchBetween(found, updated(found, application));
      if (patch !== undefined) writes.push({ kind: 'patch', name, patch });
    }
  }
  if (policy === 'sync' || policy === 'create-delete') {
    for (const name of live.keys()) if (!byName.has(name)) writes.push({ kind: 'remove', name });
  }
  return writes;
}

function updated(found: ApplicationObject, wanted: DesiredApplication): ApplicationObject {
  const live = found.metadata.annotations;
  const kept = Object.entries(live ?? {}).filter(([key]) => PRESERVED_ANNOTATIONS.includes(key));
  const annotations = { ...wanted.metadata.annotations, ...Object.fromEntries(kept) };
  const { labels, finalizers, ownerReferences } = wanted.metadata;
  return {
    ...found,
    metadata: {
      ...found.metadata,
      annotations: saysTheSame(annotations, live) ? live : annotations,
      labels,
      finalizers,
      ownerReferences,
    },
    spec: wanted.spec,
    operation: wanted.operation ?? found.operation,
  };
}

/** `status.resources` and `resourcesCount`: the Applications that exist after the writes, by name. */
export function ownedApplications(
  applicationSet: ApplicationSetObject,
  existing: readonly ApplicationObject[],
  wanted?: readonly DesiredApplication[],
): Pick<ApplicationSetStatus, 'resources' | 'resourcesCount'> {
  const known = new Map(existing.map((application) => [application.metadata.name, application.status]));
  const names = new Set([...known.keys(), ...(wanted ?? []).map(({ metadata }) => metadata.name)]);
  const resources = [...names].sort().map((name) => {
    const status = known.get(name);
    return {
      group: 'argoproj.io',
      health: status?.health?.status ? { status: status.health.status } : {},
      kind: 'Application',
      name,
      namespace: applicationSet.metadata.namespace ?? '',
      ...(status?.sync?.status ? { status: status.sync.status } : {}),
      version: 'v1alpha1',
    };
  });
  if (resources.length === 0) return {};
  return { resources: resources.slice(0, RESOURCES_MAX), resourcesCount: resources.length };
}
