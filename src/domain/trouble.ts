/**
 * Since when an Application is unhealthy, and what that belongs to. Rule 6 of docs/argocd.md: what began during an
 * operation belongs to what the operation applies, and Degraded can be shown before the result is.
 */
import { changedAt } from './changed-at.ts';
import { type ContentFacts, isResolved, type Revisions, sameContent } from './content.ts';
import { deployedSince } from './history.ts';
import type { ApplicationMemory, Trouble } from './memory.ts';
import { meaningOf } from './messages.ts';
import type { Application } from './objects.ts';
import { appliedResources, isActive, isFreshResult, isWaitingForRetry } from './running.ts';

/** Health that is neither good nor merely on its way. */
const causePattern = /Caused by ([^\s,;]+)/i;

/** The trouble after one more look; null when it is Healthy. `memory` is that of the look, without its trouble. */
export function rememberTrouble(
  known: ApplicationMemory | null,
  application: Application,
  memory: ApplicationMemory,
  facts: ContentFacts,
  now: number,
): Trouble | null {
  const { health } = application;
  const before = known?.trouble ?? null;
  if (health.status === 'Healthy') return null;
  if (health.status !== 'Degraded') return before === null ? null : { ...before, degradedSince: null };
  const since = changedAt(known, health.lastTransitionAt, now);
  const causes = degradedResources(application);
  if (before === null) {
    const blamed = blamedFor(application, memory, health.lastTransitionAt);
    return {
      since,
      degradedSince: since,
      blamed,
      isDated: known !== null || health.lastTransitionAt !== null,
      healthyFrom: healthyFrom(known, application, blamed, facts),
      causes,
    };
  }
  return {
    ...before,
    degradedSince: before.degradedSince ?? since,
    blamed: onlyHooksSoFar(application, memory, before, facts)
      ? (memory.running?.revisions ?? before.blamed)
      : before.blamed,
    causes: causes.length > 0 ? causes : before.causes,
  };
}

/**
 * The last look found it Healthy, so it was Healthy on what is blamed from when that was deployed. Between the two looks
 * others may have been missed, in which it was Synced and quiet.
 */
function healthyFrom(
  known: ApplicationMemory | null,
  application: Application,
  blamed: Revisions | null,
  facts: ContentFacts,
): number | null {
  if (known === null || known.healthySince === null || blamed === null) return null;
  const from = deployedSince(application, blamed, facts) ?? known.runningSince;
  return from === null ? null : Math.max(from, known.healthySince);
}

/** `kind/name` of what is Degraded, as far as the Application says it (since 3.0 it mostly does not). */
export function degradedResources(application: Application): readonly string[] {
  const named = application.resources
    .filter((resource) => resource.health === 'Degraded')
    .map(
      (resource) =>
        `${resource.group === '' ? '' : `${resource.group}/`}${resource.kind}:${resource.namespace}/${resource.name}`,
    );
  const caused = causePattern.exec(application.health.message)?.[1];
  return named.length > 0 || caused === undefined ? named : [caused];
}

/**
 * What a degradation belongs to: what the operation applies during which it began (it can be shown before
 * the result is), else what ran then. Rule 6 of docs/argocd.md. `degradedAt` is the cluster's time, to the second.
 */
function blamedFor(
  application: Application,
  memory: ApplicationMemory,
  degradedAt: number | null,
): Revisions | null {
  const running = memory.running?.revisions ?? null;
  const operation = application.operation;
  const target = memory.operation?.target ?? null;
  const starts = application.history
    .filter((entry) => isResolved(application.sources, entry.revisions))
    .map((entry) => ({ at: entry.deployStartedAt ?? entry.deployedAt, revisions: entry.revisions }));
  // What a window holds back has applied nothing yet.
  const isHeld = operation !== null && meaningOf(operation.message) === 'sync-window';
  const changesSomething =
    operation !== null && !isHeld && (isActive(operation) || appliedResources(operation).length > 0);
  if (changesSomething && target !== null && operation.startedAt !== null) {
    starts.push({ at: operation.startedAt, revisions: target });
  }
  if (degradedAt === null)
    return isActive(operation) && !isHeld && !isWaitingForRetry(operation) ? (target ?? running) : running;
  const earlier = starts.filter((start) => start.at <= degradedAt).sort((one, other) => one.at - other.at);
  return earlier.at(-1)?.revisions ?? running;
}

/** The operation that was blamed turns out to have run hooks and nothing else. */
function onlyHooksSoFar(
  application: Application,
  memory: ApplicationMemory,
  trouble: Trouble,
  facts: ContentFacts,
): boolean {
  const { operation, sources } = application;
  if (!isActive(operation) || memory.operation === null || !isFreshResult(operation, memory.operation))
    return false;
  const target = memory.operation.target;
  const isBlamed =
    target !== null && trouble.blamed !== null && sameContent(sources, target, trouble.blamed, facts);
  return isBlamed && appliedResources(operation).length === 0;
}
