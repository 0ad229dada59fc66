/** What the simulated application controller needs of the world around it. */
import type { Clock } from '../clock.ts';
import type { ObjectStore } from '../kubernetes/store.ts';
import type { Habits, Random } from './habits.ts';
import type { LiveCluster } from './live-cluster.ts';
import type { ApplicationObject, ArgoVersion } from './objects.ts';
import type { RepoServer } from './repo-server.ts';

export interface ControllerOptions {
  store: ObjectStore;
  clock: Clock;
  random: Random;
  habits: Habits;
  version: ArgoVersion;
  repoServer: RepoServer;
  /** The destination of an Application, undefined when no such cluster is known. */
  clusterOf(application: ApplicationObject): LiveCluster | undefined;
  /** Whether a sync window forbids its syncs now. */
  isWindowClosed(application: ApplicationObject): boolean;
}
