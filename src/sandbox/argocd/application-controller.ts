/**
 * The simulated application controller: notices what happens to Applications and their objects, compares them (refresh)
 * and works on their operations. Two queues as in the real one; every refresh ends in a look at the operation. Ported
 * from https://github.com/argoproj/argo-cd/blob/v3.5.1/controller/appcontroller.go; the order of its writes is that of
 * the recordings.
 */
import type { StoreEvent } from '../kubernetes/objects.ts';
import { automatedSync } from './auto-sync.ts';
import { compareApplication, sourcesOf } from './comparison.ts';
import type { ControllerOptions } from './controller-options.ts';
import { duration } from './habits.ts';
import { patchBetween } from './json.ts';
import { type ApplicationObject, comparedRevisions, REFRESH_ANNOTATION, timestamp } from './objects.ts';
import { OperationWorker } from './operation-worker.ts';
import {
  Level,
  neededRefresh,
  refreshedStatus,
  unreadableSpec,
  withoutRefreshAnnotation,
} from './refresh.ts';
import { WorkQueue } from './work-queue.ts';

/** A repository that cannot be read is overlooked for so long where nobody asked for a refresh (`repoErrorGracePeriod`). */
const REPOSITORY_GRACE_MS = 180_000;

export class ApplicationController {
  readonly #options: ControllerOptions;
  readonly #refreshes: WorkQueue;
  readonly #operations: WorkQueue;
  readonly #requested = new Map<string, Level>();
  readonly #repositoryErrors = new Map<string, number>();
  readonly #polls = new Map<string, () => void>();
  readonly #unsubscribe: () => void;

  constructor(options: ControllerOptions) {
    this.#options = options;
    this.#refreshes = new WorkQueue(
      options.clock,
      () => this.#duration('notice'),
      (key, done) => this.#refresh(key, done),
    );
    const worker = new OperationWorker({
      ...options,
      duration: (kind) => this.#duration(kind),
      requestRefresh: (key, level, afterMs) => this.requestRefresh(key, level, afterMs),
    });
    this.#operations = new WorkQueue(
      options.clock,
      () => this.#duration('pickUp'),
      (key, done) => worker.work(key, done),
    );
    this.#unsubscribe = options.store.subscribe((event) => this.#onEvent(event));
    for (const { metadata } of options.store.list<ApplicationObject>('applications')) {
      this.#watch(`${metadata.namespace}/${metadata.name}`);
    }
  }

  get isIdle(): boolean {
    return this.#refreshes.isIdle && this.#operations.isIdle;
  }

  /** Asks for a comparison of an Application (`namespace/name`), now or later; the highest level asked for counts. */
  requestRefresh(key: string, level: Level, afterMs?: number): void {
    if (afterMs !== undefined) {
      this.#refreshes.addAfter(key, afterMs, () => this.requestRefresh(key, level));
      return;
    }
    const asked = this.#requested.get(key);
    this.#requested.set(key, asked === undefined || asked < level ? level : asked);
    this.#refreshes.add(key);
  }

  stop(): void {
    this.#unsubscribe();
    this.#refreshes.stop();
    this.#operations.stop();
    for (const cancel of this.#polls.values()) cancel();
  }

  #duration(kind: Parameters<typeof duration>[0]): number {
    return duration(kind, this.#options.random, this.#options.habits);
  }

  #onEvent(event: StoreEvent): void {
    if (event.resource !== 'applications') return;
    const key = `${event.object.metadata.namespace}/${event.object.metadata.name}`;
    if (event.type === 'ADDED') this.#watch(key);
    else if (event.type === 'MODIFIED') this.#refreshes.add(key);
    else {
      this.#polls.get(key)?.();
      this.#polls.delete(key);
    }
  }

  /** Looks at it now, and every few minutes from now on. */
  #watch(key: string): void {
    this.#refreshes.add(key);
    const { clock, random, habits } = this.#options;
    const plan = () => {
      const ms = habits.pollMs + random() * habits.pollJitterMs;
      const poll = () => {
        this.#refreshes.add(key);
        plan();
      };
      this.#polls.set(key, clock.after(ms, poll));
    };
    plan();
  }

  #get(key: string): ApplicationObject | undefined {
    const [namespace = '', name = ''] = key.split('/');
    return this.#options.store.get<ApplicationObject>('applications', namespace, name);
  }

  /** One item of the refresh queue (`processAppRefreshQueueItem`); the operation is looked at afterwards in any case. */
  async #refresh(key: string, done: () => void): Promise<void> {
    const { clock, repoServer, clusterOf, habits } = this.#options;
    const finish = () => {
      this.#operations.add(key);
      done();
    };
    const application = this.#get(key);
    if (application === undefined) {
      done();
      return;
    }
    const began = clock.now();
    const level = neededRefresh(application, this.#requested.get(key), began, habits.pollMs);
    if (level === undefined) {
      finish();
      return;
    }
    this.#requested.delete(key);
    const cluster = clusterOf(application);
    if (cluster === undefined) {
      this.#persist(application, unreadableSpec(application, timestamp(began)));
      finish();
      return;
    }
    if (application.metadata.annotations?.[REFRESH_ANNOTATION] === 'hard') repoServer.forget(key);
    const sources = sourcesOf(application.spec);
    const recent = level === Level.Recent ? comparedRevisions(application) : [];
    const revisions = sources.map(({ targetRevision }, index) => recent[index] || targetRevision || 'HEAD');
    const targets = await repoServer.targets(key, sources, revisions, cluster, level === Level.Forced);
    if ('error' in targets && level !== Level.Forced && this.#isErrorOverlooked(key, began)) {
      finish();
      return;
    }
    if (!('error' in targets)) this.#repositoryErrors.delete(key);
    clock.after(this.#duration('compare'), () => {
      const comparison = compareApplication(application, cluster, targets, revisions);
      this.#syncAutomatically(application, comparison);
      this.#persist(
        application,
        refreshedStatus(application, comparison, { ...this.#options, level, began }),
      );
      finish();
    });
  }

  /** With polling a render error shows only after three minutes; after a webhook at once. */
  #isErrorOverlooked(key: string, now: number): boolean {
    const since = this.#repositoryErrors.get(key);
    if (since === undefined) this.#repositoryErrors.set(key, now);
    return since === undefined || now - since <= REPOSITORY_GRACE_MS;
  }

  /** Where RollingSync is not in charge (flag-off): the operation is set before the new status is written. */
  #syncAutomatically(
    application: ApplicationObject,
    comparison: ReturnType<typeof compareApplication>,
  ): void {
    const { store, isWindowClosed } = this.#options;
    const { namespace = '', name } = application.metadata;
    const fresh = store.get<ApplicationObject>('applications', namespace, name);
    if (fresh === undefined || isWindowClosed(fresh)) return;
    const operation = automatedSync(fresh, comparison);
    if (operation === undefined) return;
    store.patchMerge('applications', namespace, name, { operation, status: { operationState: null } });
  }

  #persist(application: ApplicationObject, status: ApplicationObject['status']): void {
    const { store } = this.#options;
    const { namespace = '', name } = application.metadata;
    if (store.get('applications', namespace, name) === undefined) return;
    const before = {
      metadata: { annotations: application.metadata.annotations },
      status: application.status,
    };
    const after = { metadata: { annotations: withoutRefreshAnnotation(application) }, status };
    const patch = patchBetween(before, after);
    if (patch !== undefined) store.patchMerge('applications', namespace, name, patch);
  }
}
