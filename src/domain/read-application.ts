/**
 * An Argo CD Application as the API serves it, cut down to what the domain needs. Total: no input makes it
 * throw. Whatever is not here is never looked at, which is also what keeps 10,000 of them in memory.
 */
import { configurationOf } from './configuration.ts';
import { digestOf } from './digest.ts';
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
  const annotations = textRecord(metadata.annotations);
  const generatePaths = annotations['argocd.argoproj.io/manifest-generate-paths'] ?? '';
  return {
    key: `${namespace}/${name}`,
    namespace,
    name,
    uid: text(metadata.uid),
    resourceVersion: text(metadata.resourceVersion),
    createdAt: time(metadata.creationTimestamp),
    isBeingDeleted: metadata.deletionTimestamp !== undefined,
    labels: textRecord(metadata.labels),
    annotations,
    owner: readOwner(metadata),
    sources: readSources(spec, generatePaths),
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
      comparedSources: readSources(comparedTo, generatePaths),
    },
    health: {
      status: text(health.status),
      message: text(health.message),
      lastTransitionAt: time(health.lastTransitionTime),
    },
    reconciledAt: time(status.reconciledAt),
    requestedOperation: readRequestedOperation(object.operation),
    operation: readOperationState(status.operationState, generatePaths),
    history: list(status.history)
      .map((entry) => readHistoryEntry(entry, generatePaths))
      .sort(byTime),
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
    alsoPaths: [
      ...new Set([
        ...source.alsoPaths,
        ...lentFiles(source, all),
        ...namedPaths(source.path, generatePaths.split(';')),
      ]),
    ],
  }));
}

function readSource(value: unknown): Source {
  const source = record(value);
  const repoURL = text(source.repoURL);
  const chart = text(source.chart) || imageOf(repoURL);
  const ref = text(source.ref);
  const isOnlyLent = ref !== '' && text(source.path) === '';
  const path = chart === '' && !isOnlyLent ? normalPath(text(source.path)) : null;
  return {
    repoURL,
    path,
    alsoPaths: namedPaths(path, ownFiles(source)).filter((file) => !isWithin(file, path)),
    targetRevision: text(source.targetRevision),
    chart: chart === '' ? null : chart,
    ref: ref === '' ? null : ref,
    valueFiles: texts(record(source.helm).valueFiles),
    parameters: parametersOf(source),
  };
}

/** The image of an OCI source is a chart to us: its revisions are digests and tags, and no forge knows them. */
function imageOf(repoURL: string): string {
  if (!/^oci:\/\//i.test(repoURL)) return '';
  return repoURL.split('/').findLast((segment) => segment !== '') ?? repoURL;
}

/** All of a source but what has a field of its own. */
function parametersOf(source: Json): string {
  const { repoURL: _url, path: _path, targetRevision: _target, chart: _chart, ref: _ref, ...rest } = source;
  const { valueFiles: _files, ...helm } = record(rest.helm);
  const described = canonical({ ...rest, helm }, 0);
  return described === '' ? '' : digestOf(described);
}

/** Nothing of a source is deeper; what is deeper is cut, so that no input makes this throw. */
const depthMax = 20;

/** The same text for the same value, whatever the order of its keys; "" for what is empty. */
function canonical(value: unknown, depth: number): string {
  if (value === null || value === undefined || value === '' || value === false || depth > depthMax) return '';
  if (Array.isArray(value))
    return value.length === 0 ? '' : `[${value.map((item) => canonical(item, depth + 1)).join(',')}]`;
  if (typeof value !== 'object') return JSON.stringify(value) ?? '';
  const entries = Object.entries(value)
    .map(([key, item]) => [key, canonical(item, depth + 1)])
    .filter(([, described]) => described !== '')
    .map(([key, described]) => `${JSON.stringify(key)}:${described}`);
  return entries.length === 0 ? '' : `{${entries.sort().join(',')}}`;
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

/** Files and folders that a source names beside its own: they can lie anywhere in the repository. */
function ownFiles(source: Json): readonly string[] {
  const helm = record(source.helm);
  const jsonnet = record(record(source.directory).jsonnet);
  return [
    ...texts(helm.valueFiles),
    ...list(helm.fileParameters).map((parameter) => text(record(parameter).path)),
    ...texts(record(source.kustomize).components),
    ...texts(jsonnet.libs).map((library) => `/${library}`),
  ].filter((file) => !file.startsWith('$') && !file.includes('://'));
}

function isWithin(file: string, folder: string | null): boolean {
  return folder === '' || (folder !== null && `${file}/`.startsWith(`${folder}/`));
}

/** Paths from the root when they begin with a slash, else from `folder`; a pattern counts as the folder it begins in. */
function namedPaths(folder: string | null, paths: readonly string[]): readonly string[] {
  if (folder === null) return [];
  return paths
    .map((path) => path.trim().replace(/[^/*?[{]*[*?[{].*$/, ''))
    .filter((path) => path !== '' && path !== '.')
    .map((path) => normalPath(path.startsWith('/') ? path : `${folder}/${path}`));
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

function readOperationState(value: unknown, generatePaths: string): OperationState | null {
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
        : {
            revisions: readRevisions(result),
            configuration: configurationOf(readSources(result, generatePaths)),
            resources: list(result.resources).map(readResource),
          },
  };
}

function readHistoryEntry(value: unknown, generatePaths: string): HistoryEntry {
  const entry = record(value);
  return {
    id: number(entry.id, 0),
    revisions: readRevisions(entry),
    deployedAt: time(entry.deployedAt) ?? 0,
    deployStartedAt: time(entry.deployStartedAt),
    configuration: configurationOf(readSources(entry, generatePaths)),
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
