/**
 * Works on the operation of one Application at a time (`processRequestedAppOperation` and `SyncAppState` in
 * https://github.com/argoproj/argo-cd/blob/v3.5.1/controller/). In the order of the recordings: the state Running; then,
 * when it has succeeded, the entry in the history; then the state with its result.
 */

import { compareApplication, sourcesOf } from './comparison.ts';
import type { ControllerOptions } from './controller-options.ts';
import type { DURATIONS } from './habits.ts';
import type { LiveCluster } from './live-cluster.ts';
import {
  type ApplicationObject,
  type OperationState,
  type RevisionHistory,
  type SyncResult,
  timestamp,
} from './objects.ts';
import { afterFailure, beginOperation, isCompleted, operationPatch } from './operation.ts';
import { Level } from './refresh.ts';
import { type SyncOutcome, syncStep, terminateStep } from './sync-tasks.ts';

interface WorkerOptions extends ControllerOptions {
  duration(kind: keyof typeof DURATIONS): number;
  requestRefresh(key: string, level: Level, afterMs?: number): void;
}

/** `ARGOCD_SYNC_WAVE_DELAY`. */
const WAVE_DELAY_MS = 2000;

const HISTORY_MAX = 10;

/** One operation being worked on: the Application as it was read, and the state so far. */
interface Job {
  key: string;
  application: ApplicationObject;
  state: OperationState;
  done(): void;
}

export class OperationWorker {
  readonly #options: WorkerOptions;

  constructor(options: WorkerOptions) {
    this.#options = options;
  }

  /** One item of the operation queue. */
  work(key: string, done: () => void): void {
    const { clock, random, habits, duration, requestRefresh } = this.#options;
    const application = this.#get(key);
    if (application?.operation === undefined) {
      if (application?.metadata.deletionTimestamp !== undefined) this.#finalize(key, application);
      done();
      return;
    }
    const beginning = beginOperation(application, clock.now());
    if (beginning.kind === 'wait') {
      requestRefresh(key, Level.Latest, beginning.untilMs - clock.now());
      done();
      return;
    }
    const { state, isNew } = beginning;
    if (isNew) {
      if (random() < habits.missedWakeUps) {
        done();
        return;
      }
      this.#store(key, application, state);
    }
    const ms = isNew ? duration('sync') : duration('finish');
    clock.after(ms, () => this.#sync({ key, application, state, done }));
  }

  /** `SyncAppState`: from the state of an operation to the next one. */
  async #sync(job: Job): Promise<void> {
    const { clock, repoServer, clusterOf, isWindowClosed, duration } = this.#options;
    const { key, application } = job;
    const operation = job.state.operation.sync ?? {};
    const syncResult = job.state.syncResult ?? newResult(application, operation);
    const state = { ...job.state, syncResult };
    const cluster = clusterOf(application);
    if (cluster === undefined) {
      this.#finish({
        ...job,
        state: { ...state, phase: 'Error', message: 'Failed to get destination cluster' },
      });
      return;
    }
    if (isWindowClosed(application)) {
      const message = state.phase === 'Running' ? 'Sync operation blocked by sync window' : state.message;
      this.#finish({ ...job, state: { ...state, message } });
      return;
    }
    const sources = syncResult.sources?.length
      ? syncResult.sources
      : syncResult.source
        ? [syncResult.source]
        : [];
    const asked = syncResult.revisions?.length ? syncResult.revisions : [syncResult.revision];
    const targets = await repoServer.targets(key, sources, asked, cluster, true);
    const comparison = compareApplication(application, cluster, targets, asked);
    const { revision = '', revisions } = comparison.sync;
    const known = { ...state, syncResult: { ...syncResult, revision, ...(revisions ? { revisions } : {}) } };
    const errors = comparison.conditions.filter(({ type }) => type === 'ComparisonError');
    if (errors.length > 0) {
      const message = errors.map(({ type, message: text }) => `${type}: ${text}`).join(';');
      this.#finish({ ...job, state: { ...known, phase: 'Error', message } });
      return;
    }
    const outcome = this.#step(job, cluster, comparison, known.syncResult);
    const next: OperationState = {
      ...known,
      phase: outcome.phase,
      message: outcome.message,
      syncResult: { ...known.syncResult, resources: outcome.results },
    };
    const isFull = !operation.resources?.length && operation.dryRun !== true;
    const reportMs = duration(outcome.phase === 'Succeeded' ? 'result' : 'failure');
    clock.after(outcome.isBetweenWaves ? WAVE_DELAY_MS : reportMs, () => {
      if (outcome.phase !== 'Succeeded' || !isFull) {
        this.#finish({ ...job, state: next });
        return;
      }
      this.#recordHistory(key, next);
      clock.after(duration('finish'), () => this.#finish({ ...job, state: next }));
    });
  }

  #step(
    job: Job,
    cluster: LiveCluster,
    comparison: ReturnType<typeof compareApplication>,
    syncResult: SyncResult,
  ): SyncOutcome {
    const { resources, prune = false } = job.state.operation.sync ?? {};
    const isSelected = (kind: string, name: string) =>
      !resources?.length || resources.some((one) => one.kind === kind && one.name === name);
    const pairs = comparison.pairs.filter(({ target, live }) => {
      const manifest = (target ?? live?.manifest)!;
      return isSelected(manifest.kind, manifest.metadata.name);
    });
    const step = {
      application: job.key,
      cluster,
      pairs,
      hooks: resources?.length ? [] : comparison.hooks,
      revisions: syncResult.revisions?.length ? syncResult.revisions : [syncResult.revision],
      prune,
      results: syncResult.resources ?? [],
    };
    return job.state.phase === 'Terminating' ? terminateStep(step) : syncStep(step);
  }

  /** The end of `processRequestedAppOperation`: retry or not, the state, and a refresh when it is over. */
  #finish(job: Job): void {
    const { clock, requestRefresh } = this.#options;
    const { key, application } = job;
    let { state } = job;
    const isTerminating = application.status?.operationState?.phase === 'Terminating';
    if (state.phase === 'Running' && this.#get(key)?.status?.operationState?.phase === 'Terminating') {
      state = { ...state, phase: 'Terminating', message: 'operation is terminating' };
    } else if ((state.phase === 'Failed' || state.phase === 'Error') && !isTerminating) {
      state = afterFailure(state, clock.now());
    }
    this.#store(key, application, state);
    if (isCompleted(state)) {
      const isAutomated = state.operation.initiatedBy?.automated === true;
      requestRefresh(key, isAutomated ? Level.Latest : Level.Forced);
    }
    job.done();
  }

  #recordHistory(key: string, state: OperationState): void {
    const application = this.#get(key);
    if (application === undefined) return;
    const history = application.status?.history ?? [];
    const { revision, revisions, source, sources } = state.syncResult as SyncResult;
    const entry: RevisionHistory = {
      deployStartedAt: state.startedAt,
      deployedAt: timestamp(this.#options.clock.now()),
      id: (history.at(-1)?.id ?? -1) + 1,
      ...(state.operation.initiatedBy ? { initiatedBy: state.operation.initiatedBy } : {}),
      ...(sources?.length ? { revisions, source: { repoURL: '' }, sources } : { revision, source }),
    };
    const limit = application.spec.revisionHistoryLimit ?? HISTORY_MAX;
    this.#patch(key, { status: { history: limit > 0 ? [...history, entry].slice(-limit) : [] } });
  }

  #store(key: string, application: ApplicationObject, state: OperationState): void {
    const patch = operationPatch(application, state, this.#options.clock.now());
    if (patch !== undefined) this.#patch(key, patch);
  }

  #patch(key: string, patch: object): void {
    const [namespace = '', name = ''] = key.split('/');
    if (this.#get(key) !== undefined) this.#options.store.patchMerge('applications', namespace, name, patch);
  }

  #get(key: string): ApplicationObject | undefined {
    const [namespace = '', name = ''] = key.split('/');
    return this.#options.store.get<ApplicationObject>('applications', namespace, name);
  }

  /** An Application that is being deleted takes its objects with it, as its finalizer says. */
  #finalize(key: string, application: ApplicationObject): void {
    const cluster = this.#options.clusterOf(application);
    if (cluster !== undefined && !cluster.isReachable) return;
    for (const object of cluster?.objects(key) ?? []) cluster?.remove(object);
    this.#patch(key, { metadata: { finalizers: null } });
  }
}

/** What the operation is about before anything is known: its own sources and revisions, else those of the spec. */
function newResult(
  application: ApplicationObject,
  operation: NonNullable<OperationState['operation']['sync']>,
): SyncResult {
  const isOwn = operation.source !== undefined || (operation.sources?.length ?? 0) > 0;
  const sources = isOwn ? operation.sources : application.spec.sources;
  const source = isOwn ? operation.source : sourcesOf(application.spec)[0];
  return {
    revision: operation.revision ?? '',
    ...(operation.revisions ? { revisions: operation.revisions } : {}),
    ...(source ? { source } : {}),
    ...(sources?.length ? { sources } : {}),
  };
}
