/**
 * An Argo CD Application as the API serves it, cut down to what the domain needs. Total: no input makes it
 * throw. Whatever is not here is never looked at, which is also what keeps 10,000 of them in memory.
 */
import type {
  Application,
  Condition,
  HistoryEntry,
  OperationState,
  ResourceState,
  Source,
} from './objects.ts';
import { type Json, list, number, record, recordOrNull, text, textRecord, texts, time } from './read.ts';

/**
 * Reads one Application. `value` is the object as JSON.
 * Returns null when it has no name, which makes it nothing that could be kept.
 */
export function readApplication(value: unknown): Application | null {
  const object = record(value);
  const metadata = record(object.metadata);
  const name = text(metadata.name);
  if (name === '') return null;
  const namespace = text(metadata.namespace);
  const spec = record(object.spec);
  const status = record(object.status);
  const sync = record(status.sync);
  const health = record(status.health);
  const comparedTo = record(sync.comparedTo);
  const destination = record(spec.destination);
  return {
    key: `${namespace}/${name}`,
    namespace,
    name,
    uid: text(metadata.uid),
    resourceVersion: text(metadata.resourceVersion),
    createdAt: time(metadata.creationTimestamp),
    isBeingDeleted: metadata.deletionTimestamp !== undefined,
    labels: textRecord(metadata.labels),
    annotations: textRecord(metadata.annotations),
    owner: readOwner(metadata),
    sources: readSources(
      spec,
      textRecord(metadata.annotations)['argocd.argoproj.io/manifest-generate-paths'],
    ),
    destination: {
      name: text(destination.name),
      server: text(destination.server),
      namespace: text(destination.namespace),
    },
    project: text(spec.project),
    automated: readAutomated(record(spec.syncPolicy).automated),
    sync: {
      status: text(sync.status),
      revisions: readRevisions(sync),
      comparedSources: readSources(comparedTo),
    },
    health: {
      status: text(health.status),
      message: text(health.message),
      lastTransitionAt: time(health.lastTransitionTime),
    },
    reconciledAt: time(status.reconciledAt),
    requestedOperation: readRequestedOperation(object.operation),
    operation: readOperationState(status.operationState),
    history: list(status.history).map(readHistoryEntry).sort(byTime),
    conditions: readConditions(status.conditions),
    resources: list(status.resources).map(readResource),
  };
}

/** `ownerReferences` names the ApplicationSet; the controlling one wins. Also used for rows of the radar. */
export function readOwner(metadata: Json): { name: string; uid: string } | null {
  const owners = list(metadata.ownerReferences)
    .map(record)
    .filter(
      (owner) => text(owner.kind) === 'ApplicationSet' && text(owner.apiVersion).startsWith('argoproj.io/'),
    );
  const owner = owners.find((candidate) => candidate.controller === true) ?? owners[0];
  return owner === undefined ? null : { name: text(owner.name), uid: text(owner.uid) };
}

/**
 * `sources` when there are any, else `source`; the singular one is ignored then, as in Argo CD. `generatePaths`
 * is the annotation `argocd.argoproj.io/manifest-generate-paths`, "" when absent.
 */
export function readSources(spec: Json, generatePaths = ''): readonly Source[] {
  const several = list(spec.sources).map(readSource);
  const single = recordOrNull(spec.source);
  const all =
    several.length > 0 ? several : single === null || text(single.repoURL) === '' ? [] : [readSource(single)];
  return all.map((source) => ({
    ...source,
    alsoPaths: [...lentFiles(source, all), ...namedPaths(source, generatePaths)],
  }));
}

function readSource(value: unknown): Source {
  const source = record(value);
  const chart = text(source.chart);
  const ref = text(source.ref);
  const isOnlyLent = ref !== '' && text(source.path) === '';
  return {
    repoURL: text(source.repoURL),
    path: chart === '' && !isOnlyLent ? normalPath(text(source.path)) : null,
    alsoPaths: [],
    targetRevision: text(source.targetRevision),
    chart: chart === '' ? null : chart,
    ref: ref === '' ? null : ref,
    valueFiles: texts(record(source.helm).valueFiles),
  };
}

/** Value files that other sources take from this one as `$ref/path`. */
function lentFiles(source: Source, all: readonly Source[]): readonly string[] {
  if (source.ref === null) return [];
  const prefix = `$${source.ref}/`;
  return all.flatMap((other) =>
    other.valueFiles
      .filter((file) => file.startsWith(prefix))
      .map((file) => normalPath(file.slice(prefix.length))),
  );
}

/** Paths of the annotation: absolute from the root, relative from the source's folder, a pattern by what stands before it. */
function namedPaths(source: Source, generatePaths: string): readonly string[] {
  if (source.path === null || generatePaths === '') return [];
  return generatePaths
    .split(';')
    .map((path) => path.trim().replace(/[*?[{].*$/, ''))
    .filter((path) => path !== '' && path !== '.')
    .map((path) => normalPath(path.startsWith('/') ? path : `${source.path}/${path}`));
}

/** "./apps/web/" and "apps/web" are one folder; "." is the root; ".." goes up and never out. */
export function normalPath(path: string): string {
  const segments: string[] = [];
  for (const segment of path.split('/')) {
    if (segment === '..') segments.pop();
    else if (segment !== '' && segment !== '.') segments.push(segment);
  }
  return segments.join('/');
}

function readAutomated(value: unknown): Application['automated'] {
  const automated = recordOrNull(value);
  if (automated === null) return null;
  return {
    prune: automated.prune === true,
    selfHeal: automated.selfHeal === true,
    enabled: automated.enabled !== false,
  };
}

/** Plural fields when they hold something, else the singular one; "" is not a revision (PS20). */
export function readRevisions(value: Json): readonly string[] {
  const several = texts(value.revisions);
  if (several.length > 0) return several;
  const single = text(value.revision);
  return single === '' ? [] : [single];
}

function readRequestedOperation(value: unknown): Application['requestedOperation'] {
  const operation = recordOrNull(value);
  if (operation === null) return null;
  return {
    revisions: readRevisions(record(operation.sync)),
    username: text(record(operation.initiatedBy).username),
  };
}

function readOperationState(value: unknown): OperationState | null {
  const state = recordOrNull(value);
  if (state === null) return null;
  const operation = record(state.operation);
  const sync = record(operation.sync);
  const result = recordOrNull(state.syncResult);
  return {
    phase: text(state.phase),
    message: text(state.message),
    startedAt: time(state.startedAt),
    finishedAt: time(state.finishedAt),
    retryCount: number(state.retryCount, 0),
    retryLimit: number(record(operation.retry).limit, 0),
    pinnedRevisions: readRevisions(sync),
    isPartial: list(sync.resources).length > 0,
    isDryRun: sync.dryRun === true,
    username: text(record(operation.initiatedBy).username),
    result:
      result === null
        ? null
        : { revisions: readRevisions(result), resources: list(result.resources).map(readResource) },
  };
}

function readHistoryEntry(value: unknown): HistoryEntry {
  const entry = record(value);
  return {
    id: number(entry.id, 0),
    revisions: readRevisions(entry),
    deployedAt: time(entry.deployedAt) ?? 0,
    deployStartedAt: time(entry.deployStartedAt),
  };
}

function byTime(one: HistoryEntry, other: HistoryEntry): number {
  return one.deployedAt - other.deployedAt || one.id - other.id;
}

/** Conditions of an Application or an ApplicationSet. */
export function readConditions(value: unknown): readonly Condition[] {
  return list(value).map((item) => {
    const condition = record(item);
    return {
      type: text(condition.type),
      status: text(condition.status),
      reason: text(condition.reason),
      message: text(condition.message),
      lastTransitionAt: time(condition.lastTransitionTime),
    };
  });
}

function readResource(value: unknown): ResourceState {
  const resource = record(value);
  const health = record(resource.health);
  return {
    group: text(resource.group),
    kind: text(resource.kind),
    namespace: text(resource.namespace),
    name: text(resource.name),
    status: text(resource.status),
    health: text(health.status) === '' ? null : text(health.status),
    message: text(resource.message) || text(health.message),
    requiresPruning: resource.requiresPruning === true,
    hookType: text(resource.hookType) || (resource.hook === true ? 'Hook' : ''),
    hookPhase: text(resource.hookPhase),
    syncPhase: text(resource.syncPhase),
  };
}
