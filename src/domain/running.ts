/**
 * Which commit does an Application run? No field says it. `sync.revision` is what it was compared with and
 * counts only when Synced; history holds only full syncs that succeeded; a running or failed operation may
 * have applied half of another commit. The newest of what is known wins, by the times that Argo CD wrote.
 */
import { configurationOf, isMadeAlike } from './configuration.ts';
import { type ContentFacts, isResolved, type Revisions } from './content.ts';
import { digestOf } from './digest.ts';
import type { Application, OperationState, ResourceState } from './objects.ts';

export interface Running {
  revisions: Revisions;
  /** `configurationOf` the sources it was made from; null when nothing tells. */
  configuration: string | null;
  /** When this was last known to be true, by the cluster's times. */
  at: number;
  /** Applied in part: the operation that brought it did not succeed, or not yet. */
  isPartial: boolean;
}

/** What is remembered of the operation that the status shows. */
export interface OperationMemory {
  startedAt: number | null;
  /** The commit that this attempt applies, once it is known. */
  target: Revisions | null;
  /** The result that was already there when the attempt began: it says nothing about it. */
  staleResult: string | null;
  /** When the attempt was first seen, by our own clock. */
  attemptSince: number;
  /** True between a failed attempt and its retry. */
  isWaiting: boolean;
  /** Attempts of the operation that have failed, and how many of these on other content than `target`. */
  failures: number;
  elsewhere: number;
  /**
   * A window held the attempt while the results of the one before it, or of the operation before it, stood there. Argo CD goes on
   * from those when the window opens, so what it then says failed need not be of this commit.
   */
  hasLeftOvers: boolean;
}

/** True while an operation works, waits for its retry or is being terminated. */
export function isActive(operation: OperationState | null): operation is OperationState {
  return operation !== null && (operation.phase === 'Running' || operation.phase === 'Terminating');
}

/** `Running` with `finishedAt` is a failed attempt that waits for its retry. */
export function isWaitingForRetry(operation: OperationState | null): boolean {
  return isActive(operation) && operation.finishedAt !== null;
}

/** A short text that changes when the result of an operation changes; short, because it is remembered. */
export function resultSignature(operation: OperationState): string | null {
  return operation.result === null ? null : digestOf(JSON.stringify([operation.result, operation.message]));
}

/** The result belongs to the attempt that the status shows, and not to the one before it. */
export function isFreshResult(operation: OperationState, memory: OperationMemory): boolean {
  if (operation.result === null) return false;
  if (!isActive(operation) || operation.finishedAt !== null) return true;
  return memory.staleResult === null || resultSignature(operation) !== memory.staleResult;
}

/** Ordinary resources that the operation has put into the cluster; a hook alone has changed nothing. */
export function appliedResources(operation: OperationState): readonly ResourceState[] {
  return (operation.result?.resources ?? []).filter(
    (resource) => resource.hookType === '' && (resource.status === 'Synced' || resource.status === 'Pruned'),
  );
}

/**
 * What the Application runs, or null when it runs nothing that can be named. `earlier` is what it ran when
 * it was last looked at; an answer of now is never older than that. Rules 2 and 3 of docs/argocd.md.
 */
export function runningOf(
  application: Application,
  operation: OperationMemory | null,
  earlier: Running | null,
  facts: ContentFacts,
): Running | null {
  const { sources, sync } = application;
  const deployed = [earlier, lastDeployed(application), lastApplied(application, operation)].filter(
    (candidate): candidate is Running => candidate !== null,
  );
  const newest = deployed.reduce<Running | null>(
    (best, candidate) => (best === null || candidate.at >= best.at ? candidate : best),
    null,
  );
  if (sync.status !== 'Synced' || !isResolved(sources, sync.revisions)) return newest;
  const compared: Running = {
    revisions: sync.revisions,
    configuration: configurationOf(sync.comparedSources),
    at: Math.max(application.reconciledAt ?? 0, earlier?.at ?? 0),
    isPartial: false,
  };
  const overtaken = deployed.find(
    (candidate) =>
      candidate !== earlier &&
      !isMadeAlike(sources, candidate, { ...compared, revisions: sync.revisions }, facts) &&
      isAfter(candidate, application.reconciledAt),
  );
  return overtaken ?? compared;
}

/** Something else was applied after the comparison: the word Synced is stale. */
function isAfter(candidate: Running, reconciledAt: number | null): boolean {
  if (reconciledAt === null) return false;
  return candidate.at > reconciledAt;
}

function lastDeployed(application: Application): Running | null {
  const entry = application.history.findLast((candidate) =>
    isResolved(application.sources, candidate.revisions),
  );
  if (entry === undefined) return null;
  const { revisions, configuration, deployedAt } = entry;
  return { revisions, configuration, at: deployedAt, isPartial: false };
}

function lastApplied(application: Application, memory: OperationMemory | null): Running | null {
  const operation = application.operation;
  if (operation === null || memory === null || operation.isDryRun) return null;
  if (operation.result === null || !isFreshResult(operation, memory)) return null;
  if (!isResolved(application.sources, operation.result.revisions)) return null;
  const isDone = operation.phase === 'Succeeded';
  if (!isDone && appliedResources(operation).length === 0) return null;
  return {
    revisions: operation.result.revisions,
    configuration: operation.result.configuration,
    at: operation.finishedAt ?? operation.startedAt ?? 0,
    isPartial: !isDone || operation.isPartial,
  };
}
