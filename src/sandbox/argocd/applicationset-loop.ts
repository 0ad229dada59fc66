/**
 * Drives the ApplicationSet controller on the object store: wakes on the changes that wake the real one, reconciles one
 * ApplicationSet at a time, and makes its writes one after the other, with time in between in which others write too.
 */
import type { Clock } from '../clock.ts';
import type { StoreEvent } from '../kubernetes/objects.ts';
import type { ObjectStore } from '../kubernetes/store.ts';
import { type ApplicationSetWrite, reconcileApplicationSet } from './applicationset-controller.ts';
import {
  type ApplicationObject,
  type ApplicationSetObject,
  type ArgoVersion,
  type Cluster,
  SET_REFRESH_ANNOTATION,
} from './objects.ts';
import { wakesForApplication, wakesForApplicationSet } from './wake-ups.ts';
import { WorkQueue } from './work-queue.ts';

export interface LoopOptions {
  store: ObjectStore;
  clock: Clock;
  clusters: readonly Cluster[];
  version: ArgoVersion;
  isProgressive(): boolean;
  noticeMs(): number;
  writeMs(): number;
}

/** What the API serves of an Application that was created and not yet looked at, as recorded. */
const NEW_STATUS = {
  health: {},
  sourceHydrator: {},
  summary: {},
  sync: { comparedTo: { destination: {}, source: { repoURL: '' } }, status: '' },
};

export class ApplicationSetLoop {
  readonly #options: LoopOptions;
  readonly #queue: WorkQueue;
  readonly #unsubscribe: () => void;

  constructor(options: LoopOptions) {
    this.#options = options;
    this.#queue = new WorkQueue(options.clock, options.noticeMs, (key, done) => this.#reconcile(key, done));
    this.#unsubscribe = options.store.subscribe((event) => this.#onEvent(event));
    this.wakeAll();
  }

  get isIdle(): boolean {
    return this.#queue.isIdle;
  }

  /** Looks at every ApplicationSet, as after a restart or when a cluster was added. */
  wakeAll(): void {
    for (const { metadata } of this.#options.store.list<ApplicationSetObject>('applicationsets')) {
      this.#queue.add(`${metadata.namespace}/${metadata.name}`);
    }
  }

  stop(): void {
    this.#unsubscribe();
    this.#queue.stop();
  }

  #onEvent(event: StoreEvent): void {
    const { namespace, name } = event.object.metadata;
    if (event.resource === 'applicationsets') {
      if (event.type === 'DELETED') this.#collectGarbage(namespace ?? '', name);
      else if (event.type === 'ADDED' || this.#isWokenBySet(event)) this.#queue.add(`${namespace}/${name}`);
    }
    if (event.resource !== 'applications') return;
    const owner = event.object.metadata.ownerReferences?.find((one) => one.kind === 'ApplicationSet');
    if (owner !== undefined && this.#isWokenByApplication(event))
      this.#queue.add(`${namespace}/${owner.name}`);
  }

  #isWokenBySet({ previous, object }: StoreEvent): boolean {
    return wakesForApplicationSet(
      previous as unknown as ApplicationSetObject,
      object as unknown as ApplicationSetObject,
      this.#options.isProgressive(),
    );
  }

  /** A new Application wakes nobody: the controller has just made it. */
  #isWokenByApplication({ type, previous, object }: StoreEvent): boolean {
    if (type !== 'MODIFIED') return type === 'DELETED';
    return wakesForApplication(
      previous as unknown as ApplicationObject,
      object as unknown as ApplicationObject,
      this.#options.isProgressive(),
    );
  }

  /** What Kubernetes does to those whose owner is gone. */
  #collectGarbage(namespace: string, name: string): void {
    for (const { metadata } of this.#owned(namespace, name)) {
      this.#options.store.remove('applications', namespace, metadata.name);
    }
  }

  #owned(namespace: string, name: string): ApplicationObject[] {
    return this.#options.store
      .list<ApplicationObject>('applications', namespace)
      .filter(({ metadata }) =>
        metadata.ownerReferences?.some((owner) => owner.kind === 'ApplicationSet' && owner.name === name),
      );
  }

  #reconcile(key: string, done: () => void): void {
    const { store, clock, clusters, version, isProgressive } = this.#options;
    const [namespace = '', name = ''] = key.split('/');
    const applicationSet = store.get<ApplicationSetObject>('applicationsets', namespace, name);
    if (applicationSet === undefined) {
      done();
      return;
    }
    const { writes, requeueAfterMs } = reconcileApplicationSet({
      applicationSet,
      applications: this.#owned(namespace, name),
      clusters,
      now: clock.now(),
      version,
      isProgressive: isProgressive(),
    });
    if (requeueAfterMs !== undefined) this.#queue.addAfter(key, requeueAfterMs);
    this.#makeWrites(namespace, name, writes, done);
  }

  #makeWrites(
    namespace: string,
    name: string,
    writes: readonly ApplicationSetWrite[],
    done: () => void,
  ): void {
    const [first, ...rest] = writes;
    if (first === undefined) {
      done();
      return;
    }
    this.#options.clock.after(this.#options.writeMs(), () => {
      this.#write(namespace, name, first);
      this.#makeWrites(namespace, name, rest, done);
    });
  }

  /** One write; what it is about may be gone meanwhile. */
  #write(namespace: string, name: string, write: ApplicationSetWrite): void {
    const { store } = this.#options;
    const applicationSet = store.get<ApplicationSetObject>('applicationsets', namespace, name);
    if (applicationSet === undefined) return;
    const hasApplication = (of: string) => store.get('applications', namespace, of) !== undefined;
    switch (write.kind) {
      case 'status':
        store.replaceStatus('applicationsets', {
          ...applicationSet,
          status: { ...applicationSet.status, ...write.status },
        });
        return;
      case 'refreshed':
        store.patchMerge('applicationsets', namespace, name, {
          metadata: { annotations: { [SET_REFRESH_ANNOTATION]: null } },
        });
        return;
      case 'create':
        if (!hasApplication(write.application.metadata.name)) {
          store.create('applications', { ...write.application, status: NEW_STATUS });
        }
        return;
      case 'patch':
        if (hasApplication(write.name)) store.patchMerge('applications', namespace, write.name, write.patch);
        return;
      case 'remove':
        if (hasApplication(write.name)) store.remove('applications', namespace, write.name);
        return;
    }
  }
}
