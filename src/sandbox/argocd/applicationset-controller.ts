/**
 * One reconciliation of an ApplicationSet, as a value: from what the API serves to the writes that Argo CD's
 * ApplicationSet controller would make, in its order. No clock, no store: the runner makes the writes and decides when
 * to reconcile again. Ported from `Reconcile` in
 * https://github.com/argoproj/argo-cd/blob/v3.5.1/applicationset/controllers/applicationset_controller.go.
 */
import { admitWaiting, followApplications, storedEntries } from './application-status.ts';
import {
  type ConditionDraft,
  errorOccurred,
  rolloutCondition,
  rolloutConfigCondition,
  UP_TO_DATE,
  withConditions,
} from './conditions.ts';
import { type DesiredApplication, generateApplications } from './generate.ts';
import { saysTheSame } from './json.ts';
import {
  type ApplicationObject,
  type ApplicationSetObject,
  type ApplicationSetStatus,
  type ApplicationStatusEntry,
  type ArgoVersion,
  type Cluster,
  type RolloutStep,
  SET_REFRESH_ANNOTATION,
  timestamp,
} from './objects.ts';
import { rolloutConfigIssue } from './rollout-config.ts';
import { assignSteps, openForSync, rollingSyncSteps } from './steps.ts';
import {
  type ApplicationWrite,
  applicationWrites,
  ownedApplications,
  withRollout,
} from './write-applications.ts';

export interface ReconcileInput {
  applicationSet: ApplicationSetObject;
  /** The Applications it owns. */
  applications: readonly ApplicationObject[];
  clusters: readonly Cluster[];
  /** Milliseconds since 1970. */
  now: number;
  version: ArgoVersion;
  /** Whether `--enable-progressive-syncs` is on. */
  isProgressive: boolean;
}

export type ApplicationSetWrite =
  | ApplicationWrite
  /** Fields of the status to put over the stored ones; undefined takes a field away. */
  | { kind: 'status'; status: ApplicationSetStatus }
  /** The refresh annotation has done its work. */
  | { kind: 'refreshed' };

export interface Reconciliation {
  writes: ApplicationSetWrite[];
  /** When to come back without being woken; absent means never, as with a cluster generator. */
  requeueAfterMs?: number;
}

/** `ReconcileRequeueOnValidationError`. */
const REQUEUE_AFTER_ERROR_MS = 3 * 60_000;

/** What one reconciliation of the ApplicationSet writes. Never throws: a template that fails becomes a condition. */
export function reconcileApplicationSet(input: ReconcileInput): Reconciliation {
  if (input.applicationSet.metadata.deletionTimestamp !== undefined) return { writes: [] };
  const pass = new Pass(input);
  let desired: DesiredApplication[];
  try {
    desired = generateApplications(input.applicationSet, input.clusters);
  } catch (error) {
    pass.setConditions([errorOccurred('RenderTemplateParamsError', (error as Error).message)], false);
    return { writes: pass.writes, requeueAfterMs: REQUEUE_AFTER_ERROR_MS };
  }
  if (input.version === '3.3') pass.setResources(input.applications);
  const steps = rollingSyncSteps(input.applicationSet);
  const startedWith = pass.entries;
  let open = new Set<string>();
  if (!input.isProgressive || steps === undefined) {
    if (pass.entries.length > 0) pass.setEntries([]);
  } else if (steps.length === 0 && input.version === '3.6') {
    pass.setConditions([errorOccurred('ApplicationSetRolloutError', 'No steps defined for rollout')]);
    return { writes: pass.writes, requeueAfterMs: REQUEUE_AFTER_ERROR_MS };
  } else {
    open = rollOut(pass, steps, desired);
  }
  const fault = duplicateName(input.applicationSet, desired);
  if (fault !== undefined) pass.setConditions([errorOccurred('ApplicationValidationError', fault)]);
  // The operation goes to who was Pending when the reconciliation began: Argo CD hands the ApplicationSet on by value
  // here. So an Application that has just become Progressing is synced once more (degraded-in-staging, line 48).
  const isRolling = input.isProgressive && steps !== undefined && steps.length > 0;
  const wanted = isRolling
    ? desired.map((application) => withRollout(application, open, startedWith, input.version))
    : desired;
  pass.writes.push(...applicationWrites(input.applicationSet, input.applications, wanted));
  if (input.version !== '3.3') pass.setResources(input.applications, wanted);
  if (input.applicationSet.metadata.annotations?.[SET_REFRESH_ANNOTATION] !== undefined) {
    pass.writes.push({ kind: 'refreshed' });
  }
  if (fault !== undefined) return { writes: pass.writes, requeueAfterMs: REQUEUE_AFTER_ERROR_MS };
  pass.setConditions([UP_TO_DATE]);
  return { writes: pass.writes };
}

/** The status as it changes during one reconciliation, and the writes so far. */
class Pass {
  readonly writes: ApplicationSetWrite[] = [];
  readonly input: ReconcileInput;
  readonly now: string;
  #status: ApplicationSetStatus;

  constructor(input: ReconcileInput) {
    this.input = input;
    this.now = timestamp(input.now);
    this.#status = input.applicationSet.status ?? {};
  }

  get entries(): readonly ApplicationStatusEntry[] {
    return this.#status.applicationStatus ?? [];
  }

  setEntries(next: readonly ApplicationStatusEntry[]): void {
    const { entries, isWritten } = storedEntries(this.entries, next);
    if (isWritten) this.#set({ applicationStatus: entries.length > 0 ? [...entries] : undefined });
  }

  setConditions(conditions: ConditionDraft[], isParametersGenerated = true): void {
    const changed = withConditions(this.#status, {
      conditions,
      isParametersGenerated,
      isRollingSync: rollingSyncSteps(this.input.applicationSet) !== undefined,
      hasHealth: this.input.version !== '3.3',
      now: this.now,
    });
    if (changed !== undefined) this.#set(changed);
  }

  setResources(applications: readonly ApplicationObject[], wanted?: readonly DesiredApplication[]): void {
    const next = ownedApplications(this.input.applicationSet, applications, wanted);
    const { resources, resourcesCount } = this.#status;
    if (!saysTheSame({ resources, resourcesCount }, next)) this.#set(next);
  }

  #set(status: ApplicationSetStatus): void {
    this.#status = { ...this.#status, ...status };
    this.writes.push({ kind: 'status', status });
  }
}

/** The part about progressive syncs (`PerformProgressiveSyncs`); returns the Applications that may sync now. */
function rollOut(
  pass: Pass,
  steps: readonly RolloutStep[],
  desired: readonly DesiredApplication[],
): Set<string> {
  const { applications, version } = pass.input;
  const assignment = assignSteps(steps, desired);
  const specs = new Map(desired.map(({ metadata, spec }) => [metadata.name, spec]));
  pass.setEntries(
    followApplications({
      current: pass.entries,
      applications,
      assignment,
      now: pass.now,
      isSpecChanged: ({ metadata, spec }) => {
        const wanted = specs.get(metadata.name);
        return wanted !== undefined && !isSameSpec(spec, wanted, version);
      },
    }),
  );
  const existing = new Set(applications.map(({ metadata }) => metadata.name));
  const open = openForSync(assignment, pass.entries, existing);
  const before = pass.entries;
  pass.setEntries(admitWaiting({ current: pass.entries, steps, assignment, open, now: pass.now }));
  const conditions = [rolloutCondition(steps, pass.entries)];
  if (version === '3.6') {
    const issue = rolloutConfigIssue(steps, desired, assignment, before);
    conditions.unshift(rolloutConfigCondition(issue));
  }
  pass.setConditions(conditions);
  return open;
}

/**
 * Up to 3.3 the generated spec is compared as it is. Where the template syncs automatically it always differs from the
 * written one, which has that switched off: the entry becomes Waiting at every look. Since 3.4 both are made comparable
 * first (https://github.com/argoproj/argo-cd/blob/v3.4.7/applicationset/controllers/applicationset_controller.go).
 */
function isSameSpec(
  live: ApplicationObject['spec'],
  wanted: ApplicationObject['spec'],
  version: ArgoVersion,
): boolean {
  if (version === '3.3' || wanted.syncPolicy?.automated === undefined) return saysTheSame(live, wanted);
  const automated = { ...wanted.syncPolicy.automated, enabled: false };
  return saysTheSame(live, { ...wanted, syncPolicy: { ...wanted.syncPolicy, automated } });
}

function duplicateName(applicationSet: ApplicationSetObject, desired: readonly DesiredApplication[]) {
  const seen = new Set<string>();
  for (const { metadata } of desired) {
    if (seen.has(metadata.name)) {
      return `ApplicationSet ${applicationSet.metadata.name} contains applications with duplicate name: ${metadata.name}`;
    }
    seen.add(metadata.name);
  }
  return undefined;
}
