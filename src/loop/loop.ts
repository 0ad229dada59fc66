/**
 * The loop: nudges name an ApplicationSet and put it on the queue; a tick reads everything again. Webhooks and
 * watch events are nothing but nudges. A slow timer nudges everything, so what was missed is found.
 */

import type { PartialSettings } from '../config/configuration.ts';
import { completeSettings } from '../config/merge.ts';
import { policyOf } from '../config/resolve.ts';
import { emptyContent } from '../content/learn.ts';
import { placeName } from '../content/place-name.ts';
import type { Incident } from '../domain/incident.ts';
import { isOpen } from '../domain/incident.ts';
import type { ObjectKey } from '../domain/objects.ts';
import type { StoredMemory } from '../domain/stored-memory.ts';
import type { Mailbox } from '../ports/mailbox.ts';
import {
  type Clock,
  type Cluster,
  type Forge,
  type Ledger,
  type Log,
  type Repository,
  WorldProblem,
} from '../ports.ts';
import type { Links } from '../render/links.ts';
import { followersOf, openCheckBook } from './check-book.ts';
import { openCheckWriter } from './check-writer.ts';
import { aboutLine, type Neighbour } from './command-instances.ts';
import { executeLetter } from './commands.ts';
import { openConfigurations } from './configurations.ts';
import { openFollowers } from './followers.ts';
import { freshFor } from './fresh-for.ts';
import { openHeads } from './heads.ts';
import { openLetters } from './letters.ts';
import { everyIncident, openMemories } from './memories.ts';
import { placeOf } from './move-on.ts';
import { keepOneReply } from './one-comment.ts';
import { openPullRequestChecks } from './pull-request-checks.ts';
import { openQueue } from './queue.ts';
import { openStops, writingWhenReadable } from './stops.ts';
import { type TickResult, tick } from './tick.ts';
import { openWhereInstalled } from './where-installed.ts';
import type { World } from './world.ts';
import type { WriteBudget } from './write-budget.ts';

export interface LoopOptions {
  cluster: Cluster;
  forge: Forge;
  ledger: Ledger<StoredMemory, Incident>;
  mailbox: Mailbox;
  /** Of several Argo CDs the one that answers what concerns none; true when there is one. */
  isFirstInstance?: boolean;
  /** The other Argo CDs of this installation, which get the same letters; none when absent. */
  neighbours?(): readonly Neighbour[];
  clock: Clock;
  log: Log;
  /** What the installation allows at the most: only what was set, because defaults are no limits. */
  limits: PartialSettings;
  linksFor(repository: Repository): Links;
  /** The kill switch of the installation. */
  isStopped?: boolean;
  /** Incidents of the other Argo CDs of this installation, for its limits; what cannot be read counts for nothing. */
  incidentsElsewhere?(): Promise<readonly Incident[]>;
  /** Shared by all loops of one process, because GitHub counts what the App writes; one of its own when absent. */
  writeBudget?: WriteBudget;
  /** Whether this replica acts; the others watch, answer webhooks and show pages. Asked before each look. */
  isLeading?(): boolean;
  /** How long a nudged ApplicationSet waits for more nudges. */
  settleMs?: number;
  /** How often everything is looked at without a nudge. */
  slowMs?: number;
  /** How often the mailbox is read without a nudge: another replica may have got the webhook. */
  mailboxMs?: number;
  /** Told of each look that failed, with the problem in a sentence; it is made again. */
  onFailure?(key: ObjectKey, problem: string, retryInMs: number): void;
  /** Told after each tick; null: the ApplicationSet is gone. For pages and for tests that wait. */
  onTick?(key: ObjectKey, result: TickResult | 'quiet' | null): void;
}

export interface Loop {
  /** Watches the cluster until `stop`. Resolves when the watch has ended. */
  run(): Promise<void>;
  nudge(key: ObjectKey): void;
  /** This replica began to act: what it knew may be old, and whatever happened meanwhile is looked at. */
  lead(): void;
  /** A push webhook: every ApplicationSet that follows the branch is looked at. */
  pushed(repository: Repository, branch: string, sha: string): void;
  /** Something happened to a pull request of the repository: its open incidents are looked at. */
  pullRequestChanged(repository: Repository): Promise<void>;
  /** A letter was posted: the mailbox is read. */
  posted(): void;
  /** The repository got or lost what tells Stepback to stop: every ApplicationSet that it feeds is looked at. */
  repositoryChanged(repository: Repository): void;
  /** An open pull request is new, or not what it was: it is told how it would roll out. */
  pullRequestTouched(repository: Repository, number: number): void;
  /** Resolves when no tick runs and none is due now. */
  idle(): Promise<void>;
  stop(): Promise<void>;
  /** The last answer of each ApplicationSet. */
  results(): ReadonlyMap<ObjectKey, TickResult>;
  incidents(): Promise<readonly Incident[]>;
  /** What a line of a letter is about here. Throws WorldProblem. */
  about: Neighbour['about'];
  /** ApplicationSets that are being looked at, are to be, or are to be tried again. */
  queueLength(): number;
}

const minuteMs = 60_000;
/** A replica that does not act shows what was written so long ago at the most. */
const readAgainMs = 10_000;
/** What another replica, which believed to lead as well, wrote last of all is looked for so long after it has shown. */
const aloneMs = 5 * minuteMs;
/** On the queue, where no ApplicationSet has such a name. */
const mailboxKey = 'mailbox';
const retentionKey = 'old incidents';
const leadKey = 'lead';

export function openLoop(options: LoopOptions): Loop {
  const { cluster, clock, log } = options;
  const slowMs = options.slowMs ?? 5 * minuteMs;
  const isLeading = options.isLeading ?? (() => true);
  let incidentsReadAt = Number.NEGATIVE_INFINITY;
  let otherShowedAt = Number.NEGATIVE_INFINITY;
  const mailboxMs = options.mailboxMs ?? 10_000;
  const memories = openMemories(options.ledger, otherShowed);
  const results = new Map<ObjectKey, TickResult>();
  const { forge, leaveOut } = openWhereInstalled(options.forge, clock, log);
  const stops = openStops(options.forge, clock, options.isStopped ?? false);
  const world: World = {
    ...options,
    forge,
    memories,
    heads: openHeads(forge, clock),
    content: emptyContent(),
    checkBook: openCheckBook(),
    commentBook: new Map(),
    besideBook: new Map(),
    recollected: new Set(),
    checkWriter: openCheckWriter(writingWhenReadable(options.forge, stops), clock, options.writeBudget),
    culprits: new Map(),
    headMaxAgeMs: slowMs,
    configurations: openConfigurations(options.forge, clock, log, options.limits, slowMs),
    policy: policyOf(completeSettings(options.limits)),
    featureFlag: freshFor(clock, minuteMs, () => cluster.featureFlag()),
    stops,
    everyIncident: () => everyIncident(memories, options.incidentsElsewhere),
    rollouts: () => [...results.values()].map(({ answer }) => answer.rollout),
  };
  const followers = openFollowers();
  const pullRequests = openPullRequestChecks(world, results, isLeading);
  /** Nothing follows these: what is pushed to them is told by their pull requests. */
  const revertBranches = new Set<string>();
  const ending = new AbortController();
  let cancelSlow: (() => void) | null = null;
  let cancelMailbox: (() => void) | null = null;
  const chores = new Map<string, { work(): Promise<void>; failed: string }>([
    [mailboxKey, { work: readMailbox, failed: 'the mailbox could not be read' }],
    [retentionKey, { work: forgetOldIncidents, failed: 'old incidents could not be forgotten' }],
    [leadKey, { work: leadAlone, failed: 'what another replica left could not be looked for' }],
  ]);

  const queue = openQueue({
    clock,
    settleMs: options.settleMs ?? 1_000,
    backoffMs: 1_000,
    backoffMsMax: 5 * minuteMs,
    workersMax: 1,
    askedPauseMs: (error) => (error instanceof WorldProblem ? error.retryAfterMs : null),
    async work(key) {
      if (!isLeading()) return;
      const chore = chores.get(key);
      if (chore !== undefined) return chore.work();
      const result = await look(key);
      if (result === null) results.delete(key);
      else if (result === 'quiet') pullRequests.looked(key, result, []);
      else remember(key, result, await world.memories.incidents());
      options.onTick?.(key, result);
    },
    onFailure(key, error, retryInMs) {
      const problem = error instanceof Error ? error.message : String(error);
      const chore = chores.get(key);
      if (chore !== undefined) return log.warn(chore.failed, { problem, retryInMs });
      log.warn('a look failed', { applicationSet: key, problem, retryInMs });
      options.onFailure?.(key, problem, retryInMs);
    },
  });

  const letters = openLetters({
    mailbox: options.mailbox,
    clock,
    log,
    execute: (letter, context) => executeLetter(world, letter, context),
    keepOneReply: (letter) => keepOneReply(options.forge, cluster.instance, letter),
    context: {
      isFirstInstance: options.isFirstInstance ?? true,
      neighbours: () => options.neighbours?.() ?? [],
      nudge: (key) => queue.add(key, 0),
    },
  });

  /** Made again without a source that lies where the App is not installed. */
  async function look(key: ObjectKey): ReturnType<typeof tick> {
    try {
      return await tick(world, key, results.get(key) ?? null);
    } catch (problem) {
      if (!leaveOut(problem)) throw problem;
      return look(key);
    }
  }

  async function readMailbox(): Promise<void> {
    const againInMs = await letters.read();
    if (againInMs !== null) queue.add(mailboxKey, againInMs);
  }

  /** What was to be written in a batch. What cannot be written now is seen again by whoever looks next. */
  async function flushAll(): Promise<void> {
    try {
      await world.memories.flush();
    } catch (problem) {
      if (!(problem instanceof WorldProblem)) throw problem;
      log.warn('a memory could not be written before the end', { problem: problem.message });
    }
  }

  async function forgetOldIncidents(): Promise<void> {
    // One that another replica opened, while both believed that they lead, is seen by nobody else.
    await world.memories.readIncidentsAgain();
    const count = await world.memories.forgetOld(clock.now());
    if (count > 0) log.info('forgot incidents that were over long ago', { count });
  }

  /** Another replica believes that it leads as well, and writes check runs too. */
  function otherShowed(): void {
    world.checkWriter.forgetAll();
    otherShowedAt = clock.now();
    queue.add(leadKey, aloneMs);
  }

  /** What it wrote after it had shown, with what it knew, is found by nobody who relies on what he wrote himself. */
  async function leadAlone(): Promise<void> {
    const stillMs = otherShowedAt + aloneMs - clock.now();
    if (stillMs > 0) {
      queue.add(leadKey, stillMs);
      return;
    }
    await world.memories.flush();
    lead();
  }

  function lead(): void {
    forgetAll(world);
    results.clear();
    letters.lookBack();
    queue.add(mailboxKey, 0);
    pullRequests.start();
    for (const key of cluster.applicationSets().keys()) queue.add(key);
  }

  function nudgeMailbox(): void {
    cancelMailbox = clock.after(mailboxMs, nudgeMailbox);
    queue.add(mailboxKey, 0);
  }

  function remember(key: ObjectKey, result: TickResult, all: readonly Incident[]): void {
    results.set(key, result);
    pullRequests.looked(key, result, all);
    const { incident } = result;
    if (incident !== null) revertBranches.add(`${placeName(placeOf(incident))} ${incident.revertBranch}`);
    for (const application of result.answer.rollout.stages.flatMap((stage) => stage.applications)) {
      for (const source of application.application.sources)
        followers.follow(options.forge.repositoryOf(source.repoURL), key);
    }
    if (result.lookAgainInMs !== null) queue.add(key, result.lookAgainInMs);
  }

  async function incidents(): Promise<readonly Incident[]> {
    // What another replica writes is read again, for the page.
    if (!isLeading() && clock.now() - incidentsReadAt >= readAgainMs) {
      incidentsReadAt = clock.now();
      forgetAll(world);
    }
    return world.memories.incidents();
  }

  function nudgeAll(): void {
    cancelSlow = clock.after(slowMs, nudgeAll);
    queue.add(retentionKey);
    for (const key of cluster.applicationSets().keys()) queue.add(key);
  }

  return {
    async run() {
      cancelSlow = clock.after(slowMs, nudgeAll);
      nudgeMailbox();
      pullRequests.start();
      await cluster.run(({ applicationSet }) => queue.add(applicationSet), ending.signal);
    },
    nudge: (key) => queue.add(key, 0),
    lead,
    pushed(repository, branch, sha) {
      if (revertBranches.has(`${placeName(repository)} ${branch}`)) return;
      world.configurations.changed(repository);
      world.heads.announce(repository, branch, sha);
      pullRequests.pushed(repository);
      const followed = followersOf(world, repository);
      for (const key of followed) world.checkBook.news.add(key);
      for (const key of new Set([...followers.concernedBy(repository), ...followed])) queue.add(key);
    },
    async pullRequestChanged(repository) {
      const open = (await world.memories.incidents()).filter(
        (incident) => isOpen(incident) || incident.phase === 'healed',
      );
      const here = open.filter(
        (incident) =>
          incident.repository.toLowerCase() === `${repository.owner}/${repository.name}`.toLowerCase(),
      );
      for (const key of here.flatMap((incident) => incident.sets.map((set) => set.key))) queue.add(key);
    },
    posted: () => queue.add(mailboxKey, 0),
    repositoryChanged(repository) {
      stops.changed(repository);
      for (const key of followers.of(repository)) queue.add(key);
    },
    pullRequestTouched: (repository, number) => pullRequests.touched(repository, number),
    async idle() {
      await Promise.all([queue.idle(), pullRequests.idle()]);
    },
    async stop() {
      ending.abort();
      cancelSlow?.();
      cancelMailbox?.();
      await Promise.all([queue.stop(), pullRequests.stop()]);
      if (isLeading()) await flushAll();
    },
    results: () => results,
    incidents,
    async about(letter, line) {
      await incidents();
      return aboutLine(world, letter, line);
    },
    queueLength: () => queue.length(),
  };
}

/** Another replica may have written meanwhile: all is read and looked for again. */
function forgetAll({ memories, checkWriter, checkBook, commentBook, recollected }: World): void {
  memories.forgetAll();
  recollected.clear();
  checkWriter.forgetAll();
  checkBook.crowds.clear();
  commentBook.clear();
}
