/**
 * What Argo CD finds when it compares an Application with its sources: sync status, health, resources and conditions.
 * Ported from `CompareAppState` in https://github.com/argoproj/argo-cd/blob/v3.5.1/controller/state.go and
 * `setApplicationHealth` in https://github.com/argoproj/argo-cd/blob/v3.5.1/controller/health.go.
 */
import { isDeepStrictEqual } from 'node:util';
import type { LiveCluster, LiveObject } from './live-cluster.ts';
import { groupOf, isHook, type Manifest, objectKey, versionOf, waveOf } from './manifests.ts';
import type {
  ApplicationCondition,
  ApplicationObject,
  ApplicationSpec,
  ResourceStatus,
  Source,
  SyncStatus,
} from './objects.ts';
import { clusterInfoError, type Targets } from './repo-server.ts';
import type { HealthStatus } from './workload.ts';

export interface Comparison {
  sync: SyncStatus;
  health: { status: HealthStatus; message?: string };
  resources: ResourceStatus[];
  conditions: ApplicationCondition[];
  /** Whether the sources could be read. */
  isRendered: boolean;
  /** Every object that is wanted or there, with the two side by side; hooks that are wanted are not among them. */
  pairs: Pair[];
  /** The hooks that are wanted. */
  hooks: Manifest[];
}

export interface Pair {
  target?: Manifest;
  live?: LiveObject;
}

/** Worst first, as Argo CD orders them; Missing alone never makes an Application worse. */
const WORST_FIRST: HealthStatus[] = ['Unknown', 'Degraded', 'Missing', 'Progressing', 'Suspended', 'Healthy'];

/** The sources of an Application: `sources` where there are any, else the one `source`. */
export function sourcesOf(spec: ApplicationSpec): Source[] {
  if (spec.sources?.length) return spec.sources;
  return spec.source === undefined ? [] : [spec.source];
}

/**
 * Compares an Application with what its sources say. `revisions` are what was asked for, one a source: they are shown
 * when the sources cannot be read, so a render error shows the name of the branch (render-error).
 */
export function compareApplication(
  application: ApplicationObject,
  cluster: LiveCluster,
  targets: Targets,
  revisions: readonly string[],
): Comparison {
  const { namespace = '', name } = application.metadata;
  const isRendered = !('error' in targets);
  const wanted = isRendered ? targets.manifests.map((one) => inNamespace(one, application)) : [];
  const live = cluster.isReachable ? cluster.objects(`${namespace}/${name}`) : [];
  const pairs = pairUp(
    wanted.filter((manifest) => !isHook(manifest)),
    live,
    cluster,
  );
  const isKnown = isRendered && cluster.isReachable;
  const resources = pairs.map((pair) => resourceStatus(pair, isKnown)).sort(byKey);
  const isSynced = pairs.every((pair) => isHookObject(pair) || isInSync(pair));
  return {
    sync: {
      status: isKnown ? (isSynced ? 'Synced' : 'OutOfSync') : 'Unknown',
      ...shownRevisions(application, isRendered ? targets.revisions : revisions),
      comparedTo: comparedTo(application),
    },
    health: healthOf(pairs, cluster),
    resources,
    conditions: conditionsOf(cluster, targets),
    isRendered,
    pairs,
    hooks: wanted.filter(isHook),
  };
}

/** `revisions` when there are several sources, else `revision`. */
function shownRevisions(application: ApplicationObject, revisions: readonly string[]) {
  return application.spec.sources?.length ? { revisions: [...revisions] } : { revision: revisions[0] ?? '' };
}

function comparedTo({ spec }: ApplicationObject): SyncStatus['comparedTo'] {
  const { destination, source, sources } = spec;
  // Go's empty source stays beside several ones: multi-source.
  return sources?.length ? { destination, source: { repoURL: '' }, sources } : { destination, source };
}

function inNamespace(manifest: Manifest, application: ApplicationObject): Manifest {
  const namespace = manifest.metadata.namespace ?? application.spec.destination.namespace ?? '';
  return { ...manifest, metadata: { ...manifest.metadata, namespace } };
}

function pairUp(targets: readonly Manifest[], live: readonly LiveObject[], cluster: LiveCluster): Pair[] {
  const wanted = new Set(targets.map(objectKey));
  return [
    ...targets.map((target) => ({ target, live: cluster.isReachable ? cluster.find(target) : undefined })),
    ...live.filter(({ manifest }) => !wanted.has(objectKey(manifest))).map((object) => ({ live: object })),
  ];
}

function isHookObject(pair: Pair): boolean {
  return pair.target === undefined && pair.live !== undefined && isHook(pair.live.manifest);
}

function isInSync({ target, live }: Pair): boolean {
  return target !== undefined && live !== undefined && isDeepStrictEqual(target, live.manifest);
}

function resourceStatus(pair: Pair, isKnown: boolean): ResourceStatus {
  const manifest = (pair.live?.manifest ?? pair.target)!;
  const group = groupOf(manifest);
  const wave = waveOf(manifest);
  const hook = isHookObject(pair);
  const status = isKnown ? (isInSync(pair) ? 'Synced' : 'OutOfSync') : 'Unknown';
  return {
    ...(group === '' ? {} : { group }),
    ...(hook ? { hook } : {}),
    kind: manifest.kind,
    name: manifest.metadata.name,
    namespace: manifest.metadata.namespace,
    // A hook that is still there counts as something to prune, but has no status: hook-never-ends, line 188.
    ...(pair.target === undefined ? { requiresPruning: true } : {}),
    ...(hook && isKnown ? {} : { status }),
    ...(wave === 0 ? {} : { syncWave: wave }),
    version: versionOf(manifest),
  };
}

function byKey(one: ResourceStatus, other: ResourceStatus): number {
  const key = (resource: ResourceStatus) =>
    [resource.group ?? '', resource.kind, resource.namespace ?? '', resource.name].join('/');
  return key(one) < key(other) ? -1 : 1;
}

/** The worst health of what is there; Missing only when nothing is there at all, Healthy when nothing should be. */
function healthOf(pairs: readonly Pair[], cluster: LiveCluster): Comparison['health'] {
  const counted = pairs.filter((pair) => !isHookObject(pair));
  if (counted.length > 0 && counted.every(({ live }) => live === undefined)) return { status: 'Missing' };
  const known = counted.flatMap(({ live }) => {
    const status = live && cluster.health(live)?.status;
    return status === undefined ? [] : [{ status, manifest: live!.manifest }];
  });
  const worst = WORST_FIRST.find((status) => known.some((one) => one.status === status)) ?? 'Healthy';
  if (worst === 'Healthy') return { status: worst };
  const causes = known.filter(({ status }) => status === worst).map(({ manifest }) => causeName(manifest));
  const more = causes.length > 3 ? ` and ${causes.length - 3} more` : '';
  return { status: worst, message: `Caused by ${causes.slice(0, 3).join(', ')}${more}` };
}

function causeName(manifest: Manifest): string {
  const group = groupOf(manifest);
  const { namespace, name } = manifest.metadata;
  return `${group === '' ? '' : `${group}/`}${manifest.kind}:${namespace ? `${namespace}/` : ''}${name}`;
}

/** The texts of render-error and cluster-unreachable. */
function conditionsOf(cluster: LiveCluster, targets: Targets): ApplicationCondition[] {
  const conditions: ApplicationCondition[] = [];
  if (!cluster.isReachable) {
    const message = `Failed to load live state: failed to get cluster info for "${cluster.server}": ${clusterInfoError()}`;
    conditions.push(
      { type: 'ComparisonError', message },
      { type: 'UnknownError', message: clusterInfoError() },
    );
  }
  if ('error' in targets) {
    conditions.push({ type: 'ComparisonError', message: `Failed to load target state: ${targets.error}` });
  }
  const key = ({ type, message }: ApplicationCondition) => `${type}/${message}`;
  return conditions.sort((one, other) => (key(one) < key(other) ? -1 : 1));
}
