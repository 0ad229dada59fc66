/**
 * The sandbox's own composition root: a small GitHub, a small Kubernetes API with a simulated Argo CD, and the real
 * Stepback against them, through its ordinary adapters and over real HTTP. The clock is either scaled, for people who
 * watch, or stepped, for stories that must not depend on how fast a machine is.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { createForge } from '../adapters/github/forge.ts';
import { connectToGitHub } from '../adapters/github/github.ts';
import { openClusters } from '../adapters/kubernetes/open-clusters.ts';
import { KubernetesLedger } from '../adapters/ledger/kubernetes-ledger.ts';
import { KubernetesMailbox } from '../adapters/ledger/kubernetes-mailbox.ts';
import type { PartialSettings } from '../config/configuration.ts';
import type { Incident } from '../domain/incident.ts';
import { isReadableIncident } from '../domain/readable-incident.ts';
import type { StoredMemory } from '../domain/stored-memory.ts';
import { summarizeIncident, summarizeMemory } from '../domain/summaries.ts';
import { type Loop, openLoop } from '../loop/loop.ts';
import { openRedeliveries } from '../loop/redeliveries.ts';
import type { TickResult } from '../loop/tick.ts';
import type { Cluster, Log } from '../ports.ts';
import { linksBelow } from '../render/links.ts';
import { openWeb, serve } from '../web/server.ts';
import { openTally } from '../web/tally.ts';
import { subscribedEvents } from '../web/webhooks.ts';
import { argoRepositories } from './argo-repositories.ts';
import { type Habits, seededRandom } from './argocd/habits.ts';
import type { ArgoVersion, Cluster as DestinationCluster } from './argocd/objects.ts';
import { type ArgoCD, startArgoCD } from './argocd/start.ts';
import type { Clock } from './clock.ts';
import { type SmallGitHub, startSmallGitHub } from './github/small-github.ts';
import type { StoredObject } from './kubernetes/objects.ts';
import { type SmallKubernetes, startSmallKubernetes } from './kubernetes/server.ts';
import { ObjectStore } from './kubernetes/store.ts';

export interface WorldOptions {
  clock: Clock;
  /** What the installation sets. */
  limits: PartialSettings;
  clusters: readonly DestinationCluster[];
  seed?: number;
  version?: ArgoVersion;
  isProgressive?: boolean;
  habits?: Partial<Habits>;
  /** Base of the links that people click; as on github.com when absent. */
  webUrl?: string;
  log?: Log;
  /** The kill switch of the installation. */
  isStopped?: boolean;
  /** The name of this Argo CD; of several that share a GitHub each has its own. */
  instance?: string;
  /** A GitHub that is there already, and that somebody else closes; one of its own when absent. */
  github?: SmallGitHub;
  /** Told of every request of Stepback to GitHub. */
  onRequest?: Parameters<typeof connectToGitHub>[0]['onRequest'];
  /** Told after every look that Stepback took. */
  onTick?(key: string, result: TickResult | 'quiet' | null): void;
}

export interface SandboxWorld {
  clock: Clock;
  clusters: readonly DestinationCluster[];
  github: SmallGitHub;
  kubernetes: SmallKubernetes;
  store: ObjectStore;
  argocd: ArgoCD;
  /** The Stepback that runs now. */
  readonly loop: Loop;
  /** Address of its own status page. */
  readonly statusUrl: string;
  /** Stops Stepback and starts another one, which knows only what GitHub and the cluster hold. */
  restart(): Promise<void>;
  /** Stops Stepback. Nobody hears webhooks until `restart`. */
  stopStepback(): Promise<void>;
  /** Resolves when nothing is under way: webhooks answered, watches caught up, no tick due now. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

/** A running Stepback. */
interface Stepback {
  loop: Loop;
  /** Its own status page. */
  url: string;
  isCaughtUp(store: ObjectStore): boolean;
  stop(): Promise<void>;
}

const silent: Log = { info: () => {}, warn: () => {} };
const webhookSecret = 'sandbox-webhook-secret';
const publicWeb = 'https://github.com';

/** Starts the whole world. Nothing is deployed yet: a story makes repositories and ApplicationSets. */
export async function startWorld(options: WorldOptions): Promise<SandboxWorld> {
  const { clock } = options;
  const store = new ObjectStore({ clock });
  for (const name of ['stageledgers', 'rollbacks', 'commandrequests'])
    store.create('customresourcedefinitions', definition(name));
  const github =
    options.github ??
    (await startSmallGitHub({ clock, authenticationClock: clock, webUrl: options.webUrl ?? publicWeb }));
  const kubernetes = await startSmallKubernetes({ store, clock });
  const argocd = startArgoCD({
    store,
    clock,
    clusters: options.clusters,
    repositories: argoRepositories(github),
    random: seededRandom(options.seed ?? 1),
    version: options.version,
    isProgressive: options.isProgressive,
    habits: options.habits,
  });
  let stepback = await startStepback(options, github, kubernetes);
  let isDown = false;
  return {
    clock,
    clusters: options.clusters,
    github,
    kubernetes,
    store,
    argocd,
    get statusUrl() {
      return stepback.url;
    },
    get loop() {
      return stepback.loop;
    },
    async restart() {
      if (!isDown) await stepback.stop();
      isDown = false;
      stepback = await startStepback(options, github, kubernetes);
    },
    async stopStepback() {
      isDown = true;
      await stepback.stop();
    },
    async settled() {
      for (let quiet = 0; quiet < 3; ) {
        const before = `${store.resourceVersion} ${github.journal.count()}`;
        await github.settled();
        if (!isDown) await catchUp(stepback, store);
        if (!isDown) await stepback.loop.idle();
        await nextTurn();
        quiet = before === `${store.resourceVersion} ${github.journal.count()}` ? quiet + 1 : 0;
      }
    },
    async close() {
      argocd.stop();
      if (!isDown) await stepback.stop();
      await kubernetes.close();
      if (options.github === undefined) await github.close();
    },
  };
}

/** The real Stepback, as `src/main.ts` puts it together, with the clock of the sandbox. */
async function startStepback(
  options: WorldOptions,
  github: SmallGitHub,
  kubernetes: SmallKubernetes,
): Promise<Stepback> {
  const { clock, limits, onTick, log = silent, webUrl = publicWeb, instance = 'argocd' } = options;
  const forge = createForge(
    connectToGitHub({
      appId: String(github.app.id),
      privateKey: () => github.app.privateKey ?? '',
      baseUrl: github.url,
      host: 'github.com',
      clock,
      onRequest: options.onRequest,
    }),
  );
  const [cluster] = openClusters({
    kubeconfig: { kind: 'text', text: kubernetes.kubeconfig() },
    clusters: [{ context: null, instance }],
    clock,
    random: seededRandom(1),
  });
  if (cluster === undefined) throw new Error('the sandbox has no cluster');
  const ledger = new KubernetesLedger<StoredMemory, Incident>({
    client: cluster.client,
    instance,
    namespace: 'argocd',
    clock,
    summarizeMemory,
    summarizeIncident,
    isReadable: isReadableIncident,
    onUnreadable: (rollback) => log.warn('an incident in the ledger is not understood', { rollback }),
  });
  const mailbox = new KubernetesMailbox({
    client: cluster.client,
    instance: cluster.instance,
    namespace: 'argocd',
  });
  const loop = openLoop({
    cluster,
    forge,
    ledger,
    mailbox,
    // One replica alone: whatever is posted is told at once.
    mailboxMs: 60_000,
    clock,
    log,
    limits,
    isStopped: options.isStopped,
    onTick,
    linksFor: ({ owner, name }) => linksBelow(`${webUrl}/${owner}/${name}`),
  });
  const watching = loop.run();
  const tally = openTally(clock);
  const web = await openWeb({
    watched: [{ cluster, loop, mailbox }],
    forge,
    clock,
    log,
    tally,
    version: 'sandbox',
    host: 'github.com',
    appLogin: github.app.botLogin,
    webhookPath: '/api/github/webhooks',
    webhookSecret,
  });
  const server = await serve(web, { port: 0, host: '127.0.0.1' });
  github.setWebhook({ url: `http://127.0.0.1:${server.port}/api/github/webhooks`, secret: webhookSecret });
  const redeliveries = openRedeliveries({ forge, clock, log, events: subscribedEvents });
  redeliveries.start();
  return {
    loop,
    url: `http://127.0.0.1:${server.port}`,
    isCaughtUp: (store) => hasSeenAll(cluster, store),
    async stop() {
      await redeliveries.stop();
      await server.close();
      await loop.stop();
      await watching;
    },
  };
}

/** Turns of the event loop in which everything that is on its way between us and ourselves arrives, many times over. */
const turnsMax = 2_000;

/** Waits for the watches; one that broke may wait for the clock before it is opened again, and is not waited for. */
async function catchUp(stepback: Stepback, store: ObjectStore): Promise<void> {
  for (let turn = 0; turn < turnsMax && !stepback.isCaughtUp(store); turn += 1) await nextTurn();
}

/** The watches have told everything that the API server holds. */
function hasSeenAll(cluster: Cluster, store: ObjectStore): boolean {
  const sets = store.list<StoredObject>('applicationsets');
  const applications = store.list<StoredObject>('applications');
  const isSetSeen = ({ metadata }: StoredObject): boolean =>
    cluster.applicationSets().get(`${metadata.namespace}/${metadata.name}`)?.resourceVersion ===
    metadata.resourceVersion;
  if (!sets.every(isSetSeen) || cluster.applicationSets().size !== sets.length) return false;
  const rows = new Map(
    sets
      .flatMap(({ metadata }) => cluster.rows(`${metadata.namespace}/${metadata.name}`))
      .map((row) => [row.uid, row.resourceVersion]),
  );
  return applications.every(
    ({ metadata }) =>
      metadata.ownerReferences === undefined || rows.get(metadata.uid ?? '') === metadata.resourceVersion,
  );
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function definition(name: string): never {
  const file = join(import.meta.dirname, '..', '..', 'deploy', 'crds', `${name}.yaml`);
  return parse(readFileSync(file, 'utf8')) as never;
}
