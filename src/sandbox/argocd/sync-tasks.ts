/**
 * One step of a sync: what `Sync` and `Terminate` of Argo CD's engine do each time an operation is looked at. A task is
 * one object in one phase; what became of it is kept in `syncResult.resources`, and read back at the next step. Ported
 * from https://github.com/argoproj/argo-cd/blob/v3.5.1/gitops-engine/pkg/sync/sync_context.go (SyncFail hooks left out).
 */
import type { Pair } from './comparison.ts';
import type { LiveCluster, LiveObject } from './live-cluster.ts';
import {
  groupOf,
  hookDeletePolicies,
  hookPhases,
  imagesOf,
  isHook,
  type Manifest,
  type SyncPhase,
  versionOf,
  waveOf,
} from './manifests.ts';
import type { OperationPhase, ResourceResult } from './objects.ts';

export interface SyncStep {
  /** `namespace/name` of the Application. */
  application: string;
  cluster: LiveCluster;
  pairs: readonly Pair[];
  hooks: readonly Manifest[];
  revisions: readonly string[];
  prune: boolean;
  /** What earlier steps of the operation did; also what was left of the operation before (sync-window). */
  results: readonly ResourceResult[];
}

export interface SyncOutcome {
  phase: OperationPhase;
  message: string;
  results: ResourceResult[];
  /** More waves follow: Argo CD gives the cluster two seconds before it looks (`delayBetweenSyncWaves`). */
  isBetweenWaves: boolean;
}

interface Task {
  phase: SyncPhase;
  wave: number;
  manifest: Manifest;
  isHook: boolean;
  isPrune: boolean;
  live?: LiveObject;
  result?: ResourceResult;
}

const PHASES: SyncPhase[] = ['PreSync', 'Sync', 'PostSync'];

/** The order in which kinds are applied, as far as the sandbox has them; all others come after. */
const KINDS = ['Namespace', 'Secret', 'ConfigMap', 'Service', 'Deployment', 'StatefulSet', 'Job', 'Ingress'];

/** Takes the operation one step on: applies what is due, or finds out how it stands with what was applied. */
export function syncStep(step: SyncStep): SyncOutcome {
  const run = new Run(step);
  const { tasks } = run;
  for (const task of tasks) if (isRunning(task)) run.observe(task);
  const first = tasks[0];
  const last = tasks.at(-1);
  const isMultiStep = first?.phase !== last?.phase || first?.wave !== last?.wave;
  const running = tasks.filter((task) => isRunning(task) && (isMultiStep || task.isHook));
  if (running.length > 0) return run.waiting(running);
  if (tasks.some((task) => task.result?.hookPhase === 'Failed' || task.result?.hookPhase === 'Error')) {
    return run.failed('one or more synchronization tasks completed unsuccessfully');
  }
  const pending = tasks.filter((task) => !task.result?.hookPhase);
  if (pending.length === 0) return run.outcome('Succeeded', 'successfully synced (no more tasks)');
  const due = pending.filter((task) => task.phase === pending[0]?.phase && task.wave === pending[0].wave);
  const isFinal = due.length === pending.length;
  return run.runTasks(due, isFinal);
}

/** Ends the operation as a person asked: hooks that run are deleted, what was applied stays (hook-never-ends). */
export function terminateStep(step: SyncStep): SyncOutcome {
  const run = new Run(step);
  for (const task of run.tasks) {
    if (!task.isHook || !isRunning(task)) continue;
    if (task.live !== undefined) step.cluster.remove(task.live);
    run.note(task, task.result?.status ?? 'Synced', 'Failed', 'Terminated');
  }
  return run.outcome('Failed', 'Operation terminated');
}

function isRunning(task: Task): boolean {
  return task.result?.hookPhase === 'Running';
}

class Run {
  readonly tasks: Task[];
  readonly #step: SyncStep;
  readonly #results: ResourceResult[];

  constructor(step: SyncStep) {
    this.#step = step;
    this.#results = [...step.results];
    this.tasks = tasksOf(step).map((task) => ({
      ...task,
      result: this.#results.find((one) => isOf(one, task)),
    }));
  }

  outcome(phase: OperationPhase, message: string, isBetweenWaves = false): SyncOutcome {
    return { phase, message, results: this.#results, isBetweenWaves };
  }

  waiting(tasks: readonly Task[], isBetweenWaves = false): SyncOutcome {
    const hook = tasks.find((task) => task.isHook);
    const { manifest } = (hook ?? tasks[0])!;
    const what = `${groupOf(manifest)}/${manifest.kind}/${manifest.metadata.name}`;
    const reason = hook === undefined ? 'healthy state of' : 'completion of hook';
    const kind = tasks.every((task) => task.isHook) ? 'hooks' : 'resources';
    const more = tasks.length > 1 ? ` and ${tasks.length - 1} more ${kind}` : '';
    return this.outcome('Running', `waiting for ${reason} ${what}${more}`, isBetweenWaves);
  }

  failed(message: string): SyncOutcome {
    const reasons = this.tasks.flatMap(({ result }) =>
      result?.status === 'SyncFailed' ? [result.message] : [],
    );
    return this.outcome('Failed', reasons.length > 0 ? `${message}, reason: ${reasons.join(',')}` : message);
  }

  /** How it stands with an object that was applied; the health of one that is gone says nothing. */
  observe(task: Task): void {
    const live = task.live;
    if (live === undefined) return;
    const health = this.#step.cluster.health(live);
    const status = task.result?.status ?? 'Synced';
    if (health === undefined || health.status === 'Healthy') {
      this.note(task, status, 'Succeeded', health?.message ?? '');
    } else if (health.status === 'Degraded' || (task.isHook && health.status === 'Unknown')) {
      this.note(task, status, 'Failed', health.message);
    } else if (task.isHook) {
      this.note(task, status, 'Running', health.message);
    }
  }

  /** Prunes, deletes hooks that were left from before, applies. */
  runTasks(due: readonly Task[], isFinal: boolean): SyncOutcome {
    for (const task of due) if (task.isPrune) this.#prune(task);
    const leftovers = due.filter(
      ({ isHook: hook, live, manifest }) =>
        hook && live !== undefined && hookDeletePolicies(manifest).includes('BeforeHookCreation'),
    );
    if (leftovers.length > 0) {
      for (const { live } of leftovers) this.#step.cluster.remove(live!);
      const what = leftovers.map(
        ({ manifest: one }) => `${groupOf(one)}/${one.kind}/${one.metadata.name}`,
      )[0];
      return this.outcome('Running', `waiting for deletion of hook ${what}`);
    }
    const created = due.filter((task) => !task.isPrune);
    for (const task of created) this.#apply(task);
    const isFailed = due.some((task) => task.result?.status === 'SyncFailed');
    if (isFailed) {
      const running = due.filter(isRunning);
      return running.length > 0 ? this.waiting(running) : this.failed('one or more objects failed to apply');
    }
    if (isFinal && !due.some((task) => task.isHook)) {
      // Healthy or not: a sync of one wave has succeeded when its manifests are applied (degraded-in-staging).
      return this.outcome('Succeeded', 'successfully synced (all tasks run)');
    }
    return this.waiting(due, !isFinal);
  }

  #prune(task: Task): void {
    if (!this.#step.prune) this.note(task, 'PruneSkipped', 'Succeeded', 'ignored (requires pruning)');
    else {
      this.#step.cluster.remove(task.live!);
      this.note(task, 'Pruned', 'Succeeded', 'pruned');
    }
  }

  #apply(task: Task): void {
    const applied = this.#step.cluster.apply(this.#step.application, task.manifest, this.#step.revisions);
    if ('refusal' in applied) this.note(task, 'SyncFailed', 'Failed', applied.refusal);
    else this.note(task, 'Synced', 'Running', applied.message);
  }

  /** Writes down what became of a task (`setResourceResult`); an empty message keeps the one there was. */
  note(task: Task, status: string, hookPhase: string, message: string): void {
    const { manifest } = task;
    const images = imagesOf(manifest);
    const result: ResourceResult = {
      group: groupOf(manifest),
      hookPhase,
      ...(task.isHook ? { hookType: task.phase } : {}),
      ...(images.length > 0 ? { images } : {}),
      kind: manifest.kind,
      message: message || task.result?.message || '',
      name: manifest.metadata.name,
      namespace: manifest.metadata.namespace ?? '',
      status,
      syncPhase: task.phase,
      version: versionOf(manifest),
    };
    const index = this.#results.findIndex((one) => isOf(one, task));
    this.#results.splice(index < 0 ? this.#results.length : index, index < 0 ? 0 : 1, result);
    task.result = result;
  }
}

function isOf(result: ResourceResult, { manifest, phase }: Omit<Task, 'result'>): boolean {
  return (
    result.syncPhase === phase &&
    result.kind === manifest.kind &&
    result.group === groupOf(manifest) &&
    result.name === manifest.metadata.name &&
    result.namespace === (manifest.metadata.namespace ?? '')
  );
}

/** The tasks of a sync in their order: phase, wave, kind, name. A hook that is only there makes none. */
function tasksOf(step: SyncStep): Omit<Task, 'result'>[] {
  const resources = step.pairs.flatMap(({ target, live }) => {
    const manifest = (target ?? live?.manifest)!;
    if (isHook(manifest)) return [];
    const phase: SyncPhase = 'Sync';
    return [{ phase, wave: waveOf(manifest), manifest, isHook: false, isPrune: target === undefined, live }];
  });
  const hooks = step.hooks.flatMap((manifest) =>
    hookPhases(manifest).map((phase) => {
      return {
        phase,
        wave: waveOf(manifest),
        manifest,
        isHook: true,
        isPrune: false,
        live: step.cluster.find(manifest),
      };
    }),
  );
  const kind = ({ manifest }: Omit<Task, 'result'>) => {
    const index = KINDS.indexOf(manifest.kind);
    return index < 0 ? KINDS.length : index;
  };
  return [...resources, ...hooks].sort(
    (one, other) =>
      PHASES.indexOf(one.phase) - PHASES.indexOf(other.phase) ||
      one.wave - other.wave ||
      kind(one) - kind(other) ||
      (one.manifest.metadata.name < other.manifest.metadata.name ? -1 : 1),
  );
}
