/**
 * The composition root: environment → adapters → loops → web, and the way back when it is told to stop. Whatever keeps
 * it from starting is told in sentences, all of them at once, with exit code 1; a stack trace is for faults of ours.
 */
import { readFileSync } from 'node:fs';
import { systemClock } from './adapters/clock.ts';
import { createForge } from './adapters/github/forge.ts';
import { connectToGitHub, type GitHub } from './adapters/github/github.ts';
import { problemOf } from './adapters/github/problem-of.ts';
import { fetchThroughProxy } from './adapters/github/proxy.ts';
import type { KubernetesCluster } from './adapters/kubernetes/cluster.ts';
import { openLease } from './adapters/kubernetes/lease.ts';
import { openClusters } from './adapters/kubernetes/open-clusters.ts';
import { KubernetesLedger } from './adapters/ledger/kubernetes-ledger.ts';
import { KubernetesMailbox } from './adapters/ledger/kubernetes-mailbox.ts';
import { leaseName } from './adapters/ledger/names.ts';
import type { Incident } from './domain/incident.ts';
import { isReadableIncident } from './domain/readable-incident.ts';
import type { StoredMemory } from './domain/stored-memory.ts';
import { summarizeIncident, summarizeMemory } from './domain/summaries.ts';
import { type Environment, readEnvironment } from './environment.ts';
import type { Neighbour } from './loop/command-instances.ts';
import { type Loop, openLoop } from './loop/loop.ts';
import { openRedeliveries } from './loop/redeliveries.ts';
import { openWriteBudget } from './loop/write-budget.ts';
import type { Leader } from './ports/leadership.ts';
import type { Mailbox } from './ports/mailbox.ts';
import { type Ledger, type Log, WorldProblem } from './ports.ts';
import { linksBelow } from './render/links.ts';
import { missingPermissions } from './web/app-needs.ts';
import { openForward } from './web/forward.ts';
import { logWith, openLog } from './web/log.ts';
import { openWeb, serve } from './web/server.ts';
import { openTally } from './web/tally.ts';
import { subscribedEvents } from './web/webhooks.ts';

interface Place {
  /** Where Argo CD is, and what is ours beside it. */
  namespace: string;
  cluster: KubernetesCluster;
  ledger: Ledger<StoredMemory, Incident>;
  mailbox: Mailbox;
}

const version: string = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version;

async function main(): Promise<void> {
  const { environment, faults } = readEnvironment();
  if (environment === null) refuse(faults);
  const stopped = untilStopped();
  const clock = systemClock;
  const log = openLog(environment.logLevel, clock, (line) => process.stdout.write(line));
  const tally = openTally(clock);
  const { proxy, apiUrl, ...rest } = environment;
  const github = connectToGitHub({
    ...rest,
    baseUrl: apiUrl,
    clock,
    fetch: proxy === null ? undefined : fetchThroughProxy(proxy),
    onRequest: tally.requested,
  });
  const forge = createForge(github);
  const places = openPlaces(environment, log);
  const app = await checkApp(github);
  const usable = await checkPlaces(places);
  const problems = [...app.problems, ...usable.problems];
  // One of several clusters that is out of reach must not leave the others without a watch.
  if (app.problems.length > 0 || usable.count === 0) refuse(problems);
  for (const problem of problems) log.warn('something is missing', { problem });

  const writeBudget = openWriteBudget();
  const me: Leader = {
    identity: environment.replica.name,
    address:
      environment.replica.host === null ? null : `http://${environment.replica.host}:${environment.port}`,
  };
  const watched = places.map(({ cluster, ledger, mailbox, namespace }, index) => {
    const leadership = openLease({
      client: cluster.client,
      namespace,
      name: leaseName(cluster.instance),
      me,
      clock,
      log: logWith(log, { instance: cluster.instance }),
      durationMs: environment.replica.leaseMs,
    });
    const loop = openLoop({
      cluster,
      forge,
      ledger,
      mailbox,
      isFirstInstance: index === 0,
      neighbours: () => neighboursOf(watched, index),
      clock,
      log: logWith(log, { instance: cluster.instance }),
      limits: environment.limits,
      isStopped: environment.isStopped,
      incidentsElsewhere: () => incidentsOf(watched),
      writeBudget,
      linksFor: ({ owner, name }) => linksBelow(`${github.webUrl}/${owner}/${name}`),
      onFailure: (key, problem) => tally.failed(cluster.instance, key, problem),
      onTick: (key, outcome) => tally.ticked(cluster.instance, key, outcome),
      isLeading: () => leadership.isLeading(),
    });
    return { cluster, loop, mailbox, leadership };
  });
  const web = await openWeb({
    ...environment,
    watched,
    forge,
    host: github.names.host,
    appLogin: `${app.slug}[bot]`,
    tally,
    clock,
    log,
    version,
    forward: openForward({
      leaders: () =>
        addressesOf(
          watched.map(({ leadership }) => leadership.leader()),
          me,
        ),
      path: environment.webhookPath,
      clock,
      log,
    }),
  });
  const server = await serve(web, environment);
  const instances = places.map(({ cluster }) => cluster.instance);
  log.info('started', { version, app: app.slug, port: server.port, instances });

  const redeliveries = openRedeliveries({
    forge,
    clock,
    log,
    events: subscribedEvents,
    isLeading: () => watched.some(({ leadership }) => leadership.isLeading()),
  });
  const steppingDown = new AbortController();
  const running = Promise.all(watched.map(({ loop }) => loop.run()));
  const standing = Promise.all(
    watched.map(({ loop, leadership }) =>
      leadership.run((isLeading) => {
        if (!isLeading) return;
        loop.lead();
        void redeliveries.look();
      }, steppingDown.signal),
    ),
  );
  redeliveries.start();
  log.info('stopping', { signal: await Promise.race([stopped, running]) });
  await redeliveries.stop();
  await server.close();
  await Promise.all(watched.map(({ loop }) => loop.stop()));
  await running;
  // Last of all: while a look is let end, no other replica may begin one.
  steppingDown.abort();
  await standing;
  log.info('stopped');
  // Connections that are kept warm would keep the process for some seconds more.
  process.exit(0);
}

/** The others, in their order. */
function neighboursOf(watched: readonly { loop: Loop }[], own: number): readonly Neighbour[] {
  return watched.flatMap(({ loop }, index) =>
    index === own ? [] : [{ isBefore: index < own, about: (letter, line) => loop.about(letter, line) }],
  );
}

/** What can be read; an Argo CD that is out of reach must not keep the others from acting. */
async function incidentsOf(watched: readonly { loop: Loop }[]): Promise<readonly Incident[]> {
  const found = await Promise.allSettled(watched.map(({ loop }) => loop.incidents()));
  return found.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
}

function openPlaces({ kubeconfig, clusters }: Environment, log: Log): readonly Place[] {
  const opened = openClusters({ kubeconfig, clusters, clock: systemClock, random: Math.random });
  return opened.map((cluster, index) => {
    const namespace = clusters[index]?.argocdNamespace ?? 'argocd';
    return {
      namespace,
      cluster,
      ledger: new KubernetesLedger<StoredMemory, Incident>({
        client: cluster.client,
        instance: cluster.instance,
        namespace,
        clock: systemClock,
        summarizeMemory,
        summarizeIncident,
        isReadable: isReadableIncident,
        onUnreadable: (rollback) =>
          log.warn('an incident in the ledger is not understood; it is put together again', { rollback }),
      }),
      mailbox: new KubernetesMailbox({ client: cluster.client, instance: cluster.instance, namespace }),
    };
  });
}

/** Those to whom something can be passed on. */
function addressesOf(leaders: readonly (Leader | null)[], me: Leader): readonly string[] {
  const others = leaders.filter((leader) => leader !== null && leader.identity !== me.identity);
  return [...new Set(others.flatMap((leader) => leader?.address ?? []))];
}

/** Whether the key is one of this App, and whether the App may do what we do. No second try: whoever starts us waits. */
async function checkApp(github: GitHub): Promise<{ slug: string; problems: readonly string[] }> {
  try {
    const { data } = await github.app.request('GET /app', { request: { retries: 0 } });
    return { slug: data?.slug ?? '', problems: missingPermissions({ ...data?.permissions }) };
  } catch (error) {
    return { slug: '', problems: [sentenceOf(problemOf(error, 'read the description of the App'))] };
  }
}

/** How many of the clusters can be used, and what is wrong with the others. */
async function checkPlaces(
  places: readonly Place[],
): Promise<{ count: number; problems: readonly string[] }> {
  const found = await Promise.all(places.map(checkPlace));
  return { count: found.filter((problems) => problems.length === 0).length, problems: found.flat() };
}

async function checkPlace({ cluster, ledger, mailbox }: Place): Promise<readonly string[]> {
  const problems = await cluster.checkAccess();
  if (problems.length > 0) return problems;
  try {
    // Every kind of ours is asked for something: it need not be there, but the kind must.
    await Promise.all([
      ledger.incidents(),
      mailbox.waiting(),
      ledger.memory('argocd/stepback-asks-whether-this-can-be-read'),
    ]);
    return [];
  } catch (problem) {
    return [sentenceOf(problem)];
  }
}

function sentenceOf(problem: unknown): string {
  if (problem instanceof WorldProblem) return problem.message;
  throw problem;
}

/** The first signal that asks us to stop; a second one ends the process at once, as without us. */
function untilStopped(): Promise<string> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve(signal));
  });
}

/** The adapters speak to those who run already ("I try again"): the last line puts that right. */
function refuse(sentences: readonly string[]): never {
  const them = sentences.length === 1 ? 'it is' : 'they are';
  const end = `Stepback did not start. Start it again when ${them} put right.`;
  for (const sentence of [...sentences, end]) process.stderr.write(`${sentence}\n`);
  process.exit(1);
}

try {
  await main();
} catch (problem) {
  refuse([sentenceOf(problem)]);
}
