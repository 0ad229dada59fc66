/**
 * The simulated Argo CD: both controllers on an object store, the clusters they deploy to, and a handle to do to them
 * what people, hooks, networks and bad luck do. What others write through the API (an `operation`, the refresh
 * annotation, the steps of an ApplicationSet, the phase Terminating) is noticed as the real controllers notice it.
 */
import type { Clock } from '../clock.ts';
import type { ObjectStore } from '../kubernetes/store.ts';
import { ApplicationController } from './application-controller.ts';
import { ApplicationSetLoop } from './applicationset-loop.ts';
import { duration, GOOD_HABITS, type Habits, type Random } from './habits.ts';
import { type HealthOverride, LiveCluster, type LiveObject } from './live-cluster.ts';
import {
  type ApplicationObject,
  type ArgoVersion,
  type Cluster,
  REFRESH_ANNOTATION,
  type Retry,
  SET_REFRESH_ANNOTATION,
} from './objects.ts';
import { Level } from './refresh.ts';
import { RepoServer, type Repositories } from './repo-server.ts';
import { noticesOf } from './webhook.ts';

export interface ArgoCDOptions {
  store: ObjectStore;
  repositories: Repositories;
  clock: Clock;
  /** All luck comes from here; `seededRandom(seed)` makes one. */
  random: Random;
  version?: ArgoVersion;
  clusters: readonly Cluster[];
  /** Whether `--enable-progressive-syncs` is on; true unless said otherwise. */
  isProgressive?: boolean;
  habits?: Partial<Habits>;
}

export interface SyncByHand {
  username?: string;
  prune?: boolean;
  /** The commit that it names; its retries keep it. */
  revision?: string;
  retry?: Retry;
}

/** An Application is named `name`, or `namespace/name` where the name alone is not unique. */
export interface ArgoCD {
  /** The knobs, which may be turned while it runs. */
  readonly habits: Habits;
  /** What GitHub's push webhook does: every Application that follows the branch is refreshed, after a while. */
  webhook(repoURL: string, branch: string): void;
  refresh(application: string, type?: 'normal' | 'hard'): void;
  refreshApplicationSet(namespace: string, name: string): void;
  /** A person writes an `operation` on the Application, as `kubectl patch` does. */
  syncByHand(application: string, how?: SyncByHand): void;
  /** A person ends the operation. */
  terminate(application: string): void;
  /** The credentials of a cluster stop working, or work again. */
  setReachable(cluster: string, isReachable: boolean): void;
  /** A sync window closes on these clusters: nothing is synced there. */
  closeWindow(...clusters: string[]): void;
  /** It opens again, on all clusters when none is named; that wakes nobody. */
  openWindow(...clusters: string[]): void;
  /** Something happens to what runs, against what its manifests say; undefined when it is over. */
  setHealth(application: string, health: HealthOverride | undefined): void;
  /** Something in the cluster changes every object that the Application applies from now on, so that it stays OutOfSync. */
  setMeddled(application: string, isMeddled: boolean): void;
  /** The hook Job that an Application waits for ends. */
  finishHook(application: string, isSuccessful?: boolean): void;
  /** The feature flag: a controller restarts with the other setting. */
  setProgressive(isProgressive: boolean): void;
  /** What really runs: the objects of an Application, hooks too. The truth that others have to find out. */
  liveObjects(application: string): LiveObject[];
  /** No controller has anything to do right now; a retry or a poll may come later. */
  readonly isIdle: boolean;
  stop(): void;
}

/** Starts both controllers. Throws an Error when two clusters have one name. */
export function startArgoCD(options: ArgoCDOptions): ArgoCD {
  return new Simulation(options);
}

class Simulation implements ArgoCD {
  readonly habits: Habits;
  readonly #options: ArgoCDOptions;
  readonly #clusters = new Map<string, LiveCluster>();
  readonly #closedWindows = new Set<string>();
  readonly #controller: ApplicationController;
  readonly #loop: ApplicationSetLoop;
  #isProgressive: boolean;
  #isStopped = false;

  constructor(options: ArgoCDOptions) {
    const { store, clock, random, version = '3.5', clusters } = options;
    const habits: Habits = { ...GOOD_HABITS, ...options.habits };
    const takes = (kind: Parameters<typeof duration>[0]) => duration(kind, random, habits);
    this.#options = options;
    this.habits = habits;
    this.#isProgressive = options.isProgressive ?? true;
    for (const cluster of clusters) {
      if (this.#clusters.has(cluster.name)) {
        throw new Error(`Two clusters are called ${cluster.name}: give each its own name.`);
      }
      const onChange = (application: string) =>
        this.#controller.requestRefresh(application, Level.Recent, takes('watch'));
      this.#clusters.set(cluster.name, new LiveCluster(cluster, clock, onChange));
    }
    this.#controller = new ApplicationController({
      store,
      clock,
      random,
      habits,
      version,
      repoServer: new RepoServer(options.repositories, clock),
      clusterOf: (application) => this.#destination(application),
      isWindowClosed: (application) => this.#closedWindows.has(this.#destination(application)?.name ?? ''),
    });
    this.#loop = new ApplicationSetLoop({
      store,
      clock,
      clusters,
      version,
      isProgressive: () => this.#isProgressive,
      noticeMs: () => takes('notice'),
      writeMs: () => takes('write'),
    });
  }

  webhook(repoURL: string, branch: string): void {
    const { store, clock, random } = this.#options;
    for (const { application, afterMs } of noticesOf(store, repoURL, branch, this.habits, random)) {
      clock.after(afterMs, () => {
        const [namespace = '', name = ''] = application.split('/');
        const isThere = store.get('applications', namespace, name) !== undefined;
        if (isThere && !this.#isStopped) this.refresh(application);
      });
    }
  }

  refresh(application: string, type: 'normal' | 'hard' = 'normal'): void {
    this.#patch(application, { metadata: { annotations: { [REFRESH_ANNOTATION]: type } } });
  }

  refreshApplicationSet(namespace: string, name: string): void {
    const annotations = { [SET_REFRESH_ANNOTATION]: 'true' };
    this.#options.store.patchMerge('applicationsets', namespace, name, { metadata: { annotations } });
  }

  syncByHand(application: string, how: SyncByHand = {}): void {
    const { username = 'dana', retry, ...sync } = how;
    this.#patch(application, { operation: { initiatedBy: { username }, ...(retry ? { retry } : {}), sync } });
  }

  terminate(application: string): void {
    this.#patch(application, { status: { operationState: { phase: 'Terminating' } } });
  }

  setReachable(cluster: string, isReachable: boolean): void {
    this.#cluster(cluster).setReachable(isReachable);
  }

  closeWindow(...clusters: string[]): void {
    for (const name of clusters) this.#closedWindows.add(this.#cluster(name).name);
  }

  openWindow(...clusters: string[]): void {
    const names = clusters.length > 0 ? clusters : [...this.#closedWindows];
    for (const name of names) this.#closedWindows.delete(name);
  }

  setHealth(application: string, health: HealthOverride | undefined): void {
    const { cluster, key } = this.#live(application);
    cluster.override(key, health);
  }

  setMeddled(application: string, isMeddled: boolean): void {
    const { cluster, key } = this.#live(application);
    cluster.setMeddled(key, isMeddled);
  }

  finishHook(application: string, isSuccessful = true): void {
    const { cluster, key } = this.#live(application);
    const ended = isSuccessful
      ? ({ status: 'Healthy', message: 'job succeeded' } as const)
      : ({ status: 'Degraded', message: 'job failed' } as const);
    if (cluster.override(key, ended, true) === 0) throw new Error(`No hook of ${application} is running.`);
  }

  setProgressive(isProgressive: boolean): void {
    this.#isProgressive = isProgressive;
    this.#loop.wakeAll();
  }

  liveObjects(application: string): LiveObject[] {
    const { cluster, key } = this.#live(application);
    return cluster.objects(key);
  }

  get isIdle(): boolean {
    return this.#controller.isIdle && this.#loop.isIdle;
  }

  stop(): void {
    this.#isStopped = true;
    this.#controller.stop();
    this.#loop.stop();
  }

  #destination({ spec }: ApplicationObject): LiveCluster | undefined {
    const { name, server } = spec.destination;
    if (name) return this.#clusters.get(name);
    return [...this.#clusters.values()].find((cluster) => cluster.server === server);
  }

  #cluster(name: string): LiveCluster {
    const cluster = this.#clusters.get(name);
    if (cluster === undefined) throw new Error(`There is no cluster called ${name}.`);
    return cluster;
  }

  #live(name: string): { cluster: LiveCluster; key: string } {
    const application = this.#find(name);
    const cluster = this.#destination(application);
    if (cluster === undefined)
      throw new Error(`The Application ${name} has a destination that nobody knows.`);
    return { cluster, key: `${application.metadata.namespace}/${application.metadata.name}` };
  }

  #patch(name: string, patch: object): void {
    const { metadata } = this.#find(name);
    this.#options.store.patchMerge('applications', metadata.namespace ?? '', metadata.name, patch);
  }

  #find(name: string): ApplicationObject {
    const applications = this.#options.store.list<ApplicationObject>('applications');
    const [found, other] = applications.filter(({ metadata }) =>
      [metadata.name, `${metadata.namespace}/${metadata.name}`].includes(name),
    );
    if (found === undefined) throw new Error(`There is no Application called ${name}.`);
    if (other !== undefined)
      throw new Error(`Several Applications are called ${name}: write namespace/${name}.`);
    return found;
  }
}
