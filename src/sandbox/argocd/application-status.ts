/**
 * `status.applicationStatus[]` of an ApplicationSet: the two passes of one reconciliation. The first looks at every
 * Application and moves its entry on, the second lets Waiting ones become Pending as far as the steps and maxUpdate
 * allow. Ported from `UpdateApplicationSetApplicationStatus` and `UpdateApplicationSetApplicationStatusProgress` in
 * https://github.com/argoproj/argo-cd/blob/v3.5.1/applicationset/progressivesync/progressive_sync.go. Each transition
 * names the recording in which the real controller made it.
 */
import {
  type ApplicationObject,
  type ApplicationStatusEntry,
  comparedRevisions,
  type RolloutStep,
} from './objects.ts';
import { maxUpdateOf, type StepAssignment, stepLabel } from './steps.ts';

/** What the real controller writes as messages. */
const MESSAGES = {
  unknown: 'No Application status found, defaulting status to Waiting',
  revisionChanged: 'Application has pending changes, setting status to Waiting',
  specChanged: 'Application has pending changes (spec differs), setting status to Waiting',
  bothChanged: 'Application has pending changes (revision and spec differ), setting status to Waiting',
  syncedHealthy: 'Application resource has synced, updating status to Healthy',
  syncedNotHealthy: 'Application resource has synced, updating status to Progressing',
  pending: 'Application moved to Pending status, watching for the Application resource to start Progressing',
  syncSucceeded:
    'Application resource completed a sync successfully, updating status from Pending to Progressing',
  syncCompleted: 'Application resource completed a sync, updating status from Pending to Progressing',
  syncStarted: 'Application resource became Progressing, updating status from Pending to Progressing',
  cannotSync: 'Application resource has error and cannot sync, updating status to Progressing',
  healthy: 'Application resource became Healthy, updating status from Progressing to Healthy',
} as const;

export interface FirstPass {
  /** The entries as they are stored now. */
  current: readonly ApplicationStatusEntry[];
  applications: readonly ApplicationObject[];
  assignment: StepAssignment;
  /** Whether the spec that would be generated differs from the one the Application has. */
  isSpecChanged(application: ApplicationObject): boolean;
  /** RFC 3339. */
  now: string;
}

/** The first pass: one entry for each Application that exists. */
export function followApplications(input: FirstPass): ApplicationStatusEntry[] {
  return input.applications.map((application) => {
    const name = application.metadata.name;
    const stored = input.current.find((entry) => entry.application === name);
    const before = stored ?? newEntry(application, input);
    const entry = { ...before, step: stepLabel(input.assignment, name) };
    return followOne(entry, before, application, input);
  });
}

/** Seen in every recording, just after the Applications were created. */
function newEntry(application: ApplicationObject, input: FirstPass): ApplicationStatusEntry {
  return {
    application: application.metadata.name,
    lastTransitionTime: input.now,
    message: MESSAGES.unknown,
    status: 'Waiting',
    step: stepLabel(input.assignment, application.metadata.name),
    targetRevisions: comparedRevisions(application),
  };
}

function followOne(
  entry: ApplicationStatusEntry,
  before: ApplicationStatusEntry,
  application: ApplicationObject,
  input: FirstPass,
): ApplicationStatusEntry {
  const revisions = comparedRevisions(application);
  const isRevisionChanged = revisions.join('\n') !== before.targetRevisions.join('\n');
  const isSpecChanged = input.isSpecChanged(application);
  let next = entry;
  // Whatever it was before, a new revision makes it Waiting: every recording with a second push. A new spec does too
  // (template-change-not-noticed), but an Application that is still Synced and Healthy is Healthy again in the same
  // breath, and being OutOfSync afterwards wakes nothing.
  if (isRevisionChanged || isSpecChanged) {
    const message =
      isRevisionChanged && isSpecChanged
        ? MESSAGES.bothChanged
        : isRevisionChanged
          ? MESSAGES.revisionChanged
          : MESSAGES.specChanged;
    next = {
      ...entry,
      targetRevisions: revisions,
      message,
      status: 'Waiting',
      lastTransitionTime: input.now,
    };
  }
  const health = application.status?.health?.status;
  const isSynced = application.status?.sync?.status === 'Synced';
  const isSyncedAndHealthy = isSynced && health === 'Healthy';
  if (next.status === 'Waiting') {
    if (!isSynced) return next;
    // Without any sync: prod in degraded-in-staging and render-error, once the revert is what the branch holds; and
    // Progressing in sick-before-the-change, where staging-2 is Synced and Degraded.
    return isSyncedAndHealthy
      ? moved(next, 'Healthy', MESSAGES.syncedHealthy, input.now)
      : moved(next, 'Progressing', MESSAGES.syncedNotHealthy, input.now);
  }
  if (before.status === 'Pending') {
    const message = progressOf(application, before);
    if (message !== undefined) next = moved(next, 'Progressing', message, input.now);
  }
  // It stays Progressing whatever happens until it is Synced and Healthy: degraded-in-staging, revert-needs-prune.
  if (before.status === 'Progressing' && isSyncedAndHealthy) {
    return moved(next, 'Healthy', MESSAGES.healthy, input.now);
  }
  return next;
}

function moved(
  entry: ApplicationStatusEntry,
  status: ApplicationStatusEntry['status'],
  message: string,
  now: string,
): ApplicationStatusEntry {
  return { ...entry, status, message, lastTransitionTime: now };
}

/**
 * The message with which a Pending entry becomes Progressing, or undefined when it stays. It needs a comparison and an
 * operation that both began in a later second than the entry became Pending. That is why each sync is followed by a
 * second one of the same commit, and why a hook or a failed sync keeps it Pending for minutes (hook-never-ends,
 * sync-failed-exhausted).
 */
function progressOf(application: ApplicationObject, entry: ApplicationStatusEntry): string | undefined {
  const since = Date.parse(entry.lastTransitionTime);
  const { reconciledAt, operationState, conditions } = application.status ?? {};
  if (reconciledAt !== undefined && Date.parse(reconciledAt) <= since) return undefined;
  if (operationState !== undefined && Date.parse(operationState.startedAt) > since) {
    if (operationState.phase === 'Succeeded') return MESSAGES.syncSucceeded;
    if (operationState.phase === 'Failed' || operationState.phase === 'Error') return MESSAGES.syncCompleted;
    return MESSAGES.syncStarted;
  }
  // UnknownError is one of the three conditions that an unreachable cluster leaves (cluster-unreachable); an
  // InvalidSpecError was not recorded, the source is `isApplicationWithError`.
  const hasError = conditions?.some(({ type }) => type === 'InvalidSpecError' || type === 'UnknownError');
  return hasError ? MESSAGES.cannotSync : undefined;
}

export interface SecondPass {
  current: readonly ApplicationStatusEntry[];
  steps: readonly RolloutStep[];
  assignment: StepAssignment;
  /** The Applications of the open steps. */
  open: ReadonlySet<string>;
  /** RFC 3339. */
  now: string;
}

/**
 * The second pass: Waiting entries of open steps become Pending while their step has a free slot. Without steps there
 * are no entries. An Application in no step is counted in the first one, and takes a slot there while it is
 * Progressing: in Go a missing key of `appStepMap` reads as 0.
 */
export function admitWaiting(input: SecondPass): ApplicationStatusEntry[] {
  if (input.steps.length === 0) return [];
  const stepOf = (entry: ApplicationStatusEntry) => input.assignment.firstStep.get(entry.application) ?? 0;
  const totals = input.steps.map(() => 0);
  const updating = input.steps.map(() => 0);
  for (const entry of input.current) {
    const step = stepOf(entry);
    totals[step] = (totals[step] ?? 0) + 1;
    if (entry.status === 'Pending' || entry.status === 'Progressing')
      updating[step] = (updating[step] ?? 0) + 1;
  }
  return input.current.map((entry) => {
    const step = stepOf(entry);
    const { limit } = maxUpdateOf(input.steps[step], totals[step] ?? 0);
    const hasSlot = (updating[step] ?? 0) < limit;
    if (entry.status !== 'Waiting' || !input.open.has(entry.application) || !hasSlot) return entry;
    updating[step] = (updating[step] ?? 0) + 1;
    return moved(entry, 'Pending', MESSAGES.pending, input.now);
  });
}

/**
 * What is stored after a pass: the new entries, sorted, if any of them differs in status, step or message; else the old
 * ones. A revision alone is not written, so `targetRevisions` can lag behind (`setAppSetApplicationStatus`; in no-step
 * dev-1 gets its new revision only because the message of prod-1 changed).
 */
export function storedEntries(
  current: readonly ApplicationStatusEntry[],
  next: readonly ApplicationStatusEntry[],
): { entries: readonly ApplicationStatusEntry[]; isWritten: boolean } {
  const byName = new Map(current.map((entry) => [entry.application, entry]));
  const isWritten =
    current.length !== next.length ||
    next.some((entry) => {
      const old = byName.get(entry.application);
      return old?.status !== entry.status || old.step !== entry.step || old.message !== entry.message;
    });
  if (!isWritten) return { entries: current, isWritten };
  const entries = [...next].sort((one, other) => (one.application < other.application ? -1 : 1));
  return { entries, isWritten };
}
