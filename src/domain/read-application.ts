/**
 * An Argo CD Application as the API serves it, cut down to what the domain needs. Total: no input makes it
 * throw. Whatever is not here is never looked at, which is also what keeps 10,000 of them in memory.
 */
import { configurationOf } from './configuration.ts';
import type { Application, Condition, HistoryEntry, OperationState, ResourceState } from './objects.ts';
import { type Json, list, number, record, recordOrNull, text, textRecord, texts, time } from './read.ts';
import { readSources } from './read-sources.ts';

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
    reason: reasonOf(operation),
  };
}

function reasonOf(operation: Json): string {
  return text(
    list(operation.info)
      .map(record)
      .find((one) => one.name === 'Reason')?.value,
  );
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
    reason: reasonOf(operation),
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
  };
}
