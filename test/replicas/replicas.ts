/**
 * Two real processes of Stepback over the sandbox, and the ways to end them: `node src/main.ts` twice, as a Deployment
 * with two Pods runs it, against a small GitHub, a small Kubernetes API and a simulated Argo CD in the process of the test.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { argoRepositories } from '../../src/sandbox/argo-repositories.ts';
import { seededRandom } from '../../src/sandbox/argocd/habits.ts';
import { type ArgoCD, startArgoCD } from '../../src/sandbox/argocd/start.ts';
import { scaledClock } from '../../src/sandbox/clock.ts';
import { type SmallGitHub, startSmallGitHub } from '../../src/sandbox/github/small-github.ts';
import type { StoredObject } from '../../src/sandbox/kubernetes/objects.ts';
import { startSmallKubernetes } from '../../src/sandbox/kubernetes/server.ts';
import { ObjectStore } from '../../src/sandbox/kubernetes/store.ts';
import { Replica, root } from './replica.ts';
import { openService } from './service.ts';

const webhookSecret = 'a secret of the rounds';
const webhookPath = '/api/github/webhooks';

/** What a replica asked of GitHub or of the API server. */
export interface Call {
  /** `POST /repos/acme/app-01/git/refs`. */
  name: string;
  isWriting: boolean;
}

export interface ReplicaWorld {
  github: SmallGitHub;
  store: ObjectStore;
  argocd: ArgoCD;
  replicas: readonly Replica[];
  /** How many Applications can fail at once without any two of them on one destination. */
  lanes: number;
  /** The one that acts, as the Lease says; null when that one is not there. */
  acting(): Replica | null;
  /**
   * Told of every call before it is answered: of GitHub when it has had its effect, of the API server before that. Gives the way
   * to stop.
   */
  onCall(listener: (call: Call) => void): () => void;
  /** Told whenever anything changed: an object, a call to GitHub, a replica that came or went. Gives the way to stop. */
  onChange(listener: () => void): () => void;
  close(): Promise<void>;
}

/** Starts the world and `count` replicas in it; resolves when they have started. */
export async function startReplicas(options: { lanes: number; count?: number }): Promise<ReplicaWorld> {
  // One time for all: what the cluster and GitHub write down is what the processes see.
  const clock = scaledClock({ start: Date.now(), speed: 1 });
  const store = new ObjectStore({ clock });
  for (const kind of ['stageledgers', 'rollbacks', 'commandrequests']) {
    const file = join(root, `deploy/crds/${kind}.yaml`);
    store.create('customresourcedefinitions', parse(readFileSync(file, 'utf8')));
  }
  const unlimited = Number.POSITIVE_INFINITY;
  const github = await startSmallGitHub({
    clock,
    // Fifty incidents in minutes are more than an installation may write in an hour.
    limits: { core: unlimited, contentPerMinute: unlimited, contentPerHour: unlimited },
  });
  const kubernetes = await startSmallKubernetes({ store, clock });
  const argocd = startArgoCD({
    store,
    clock,
    clusters: lanesOf(options.lanes).flatMap(clustersOf),
    repositories: argoRepositories(github),
    random: seededRandom(1),
    habits: { webhookDelayMs: 100, slowness: 0.3 },
  });
  const folder = mkdtempSync(join(tmpdir(), 'replicas-'));
  const kubeconfig = join(folder, 'kubeconfig');
  writeFileSync(kubeconfig, kubernetes.kubeconfig());
  const place = { folder, kubeconfig, github, webhookSecret };
  const names = ['one', 'two', 'three'].slice(0, options.count ?? 2);
  const replicas = await Promise.all(names.map((name) => Replica.prepare(name, place)));
  await Promise.all(replicas.map((replica) => replica.start()));
  const service = await openService(replicas);
  github.setWebhook({ url: `${service.url}${webhookPath}`, secret: webhookSecret });
  return {
    github,
    store,
    argocd,
    replicas,
    lanes: options.lanes,
    acting() {
      const lease = store.get<StoredObject & { spec?: { holderIdentity?: string } }>(
        'leases',
        'argocd',
        'stepback',
      );
      const holder = lease?.spec?.holderIdentity;
      return replicas.find((replica) => replica.isThere && replica.identity === holder) ?? null;
    },
    onCall(listener) {
      const tell = ({ method, path }: { method: string; path: string }): void =>
        listener({ name: `${method} ${path}`, isWriting: method !== 'GET' });
      return both(github.journal.subscribe(tell), kubernetes.journal.subscribe(tell));
    },
    onChange(listener) {
      const stops = replicas.map((replica) => replica.onChange(listener));
      return both(store.subscribe(listener), github.journal.subscribe(listener), ...stops);
    },
    async close() {
      argocd.stop();
      await Promise.all(replicas.map((replica) => replica.stop()));
      await service.close();
      await kubernetes.close();
      await github.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function both(...stops: readonly (() => void)[]): () => void {
  return () => {
    for (const stop of stops) stop();
  };
}

const lanesOf = (lanes: number): readonly string[] =>
  Array.from({ length: lanes }, (_, index) => String(index + 1));

/** Several that fail on one destination at once would be a storm, and no commit's fault: each lane has its own three. */
function clustersOf(lane: string) {
  return ['dev', 'staging', 'prod'].map((env) => ({
    name: `${env}-${lane}`,
    labels: { env, lane },
    server: `https://${env}-${lane}.k8s.acme.example:6443`,
  }));
}
