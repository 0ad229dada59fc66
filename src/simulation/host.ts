/**
 * A machine on which a Stepback runs: the real loop over ports that fail as the seed wants it. It can die between any two
 * calls, and the next one that is started knows only what GitHub and the ledger hold.
 */
import type { PartialSettings } from '../config/configuration.ts';
import type { Incident } from '../domain/incident.ts';
import type { ObjectKey } from '../domain/objects.ts';
import type { StoredMemory } from '../domain/stored-memory.ts';
import { type Loop, openLoop } from '../loop/loop.ts';
import { openRedeliveries } from '../loop/redeliveries.ts';
import type { TickResult } from '../loop/tick.ts';
import type { Deliveries } from '../ports/deliveries.ts';
import type { Interventions } from '../ports/interventions.ts';
import type { Mailbox } from '../ports/mailbox.ts';
import type { Clock, Forge, Ledger, Repository } from '../ports.ts';
import { linksBelow } from '../render/links.ts';
import type { ObjectStore } from '../sandbox/kubernetes/store.ts';
import type { Dice } from './dice.ts';
import { hear } from './hear.ts';
import type { HubPull } from './hub-objects.ts';
import { MemoryCluster } from './memory-cluster.ts';
import { memoryForge } from './memory-forge.ts';
import type { MemoryHub } from './memory-hub.ts';
import { memoryInterventions } from './memory-interventions.ts';
import type { MemoryLedger } from './memory-ledger.ts';
import type { MemoryMailbox } from './memory-mailbox.ts';
import type { Mistake } from './mistake.ts';
import { rivalInCluster, rivalInLedger, rivalInMailbox, rivalOnGitHub } from './rivals.ts';
import type { Story } from './story.ts';
import type { FaultKind } from './tally.ts';
import { type Call, type Through, throughTrouble, type Written } from './through-trouble.ts';
import type { Trouble } from './trouble.ts';
import type { VirtualTime } from './virtual-time.ts';
import type { Receiver } from './webhooks.ts';

export interface HostWish {
  name: string;
  time: VirtualTime;
  store: ObjectStore;
  hub: MemoryHub;
  ledger: MemoryLedger<StoredMemory, Incident>;
  mailbox: MemoryMailbox;
  limits: PartialSettings;
  /** Ahead of the cluster and of GitHub by so much. */
  skewMs: number;
  dice: Dice;
  story: Story;
  trouble(): Trouble;
  isProgressive(): boolean;
  mistake: Mistake | null;
  /** Told of every writing call that reached the world. */
  onWrite(written: Written): void;
  /** Told of every call whose effect or answer was in doubt. */
  onDoubt(call: Call): void;
  onCall(call: Call): void;
  onFault(kind: FaultKind): void;
  onTick(key: ObjectKey, result: TickResult | 'quiet' | null): void;
  /** GitHub's log of webhooks that went astray. */
  deliveries: Deliveries;
  /** The one repository, and what a webhook of a pull request tells of it. */
  place: Repository;
  pull(number: number): HubPull | undefined;
}

export interface Host extends Receiver {
  readonly name: string;
  readonly loop: Loop;
  readonly cluster: MemoryCluster;
  /** Dies at once, wherever it is. */
  kill(): void;
  /** Ends in order: what runs comes to its end. */
  stop(): Promise<void>;
}

/** Starts a Stepback. `onDeath` is called when it dies of its trouble. */
export function startHost(wish: HostWish, onDeath: () => void): Host {
  const { time, dice, story, name, hub, ledger } = wish;
  let isDead = false;
  const clock = mortalClock(time.host(wish.skewMs), () => isDead);
  const through: Through = {
    clock,
    dice,
    trouble: wish.trouble,
    isDead: () => isDead,
    die() {
      if (isDead) return;
      isDead = true;
      cluster.forget();
      story.tell(name, () => 'dies');
      onDeath();
    },
    onWrite: wish.onWrite,
    onDoubt: wish.onDoubt,
    onCall: wish.onCall,
    onFault: wish.onFault,
    tell: (what: () => string) => story.tell(name, what),
  };
  const cluster = new MemoryCluster({
    instance: 'argocd',
    store: wish.store,
    clock,
    clusterNow: () => time.now(),
    newsDelayMs: () => newsDelayMs(wish),
    nudgeTimes: () => nudgeTimes(wish),
    isProgressive: wish.isProgressive,
    interventions: throughTrouble<Interventions>(memoryInterventions(wish.store), through, {
      port: 'the cluster',
      plain: [],
      latencyMs: [3, 60],
      rival: rivalInCluster(wish.store, dice, () => time.now()),
      rivals: { setMaxUpdates: 15, sync: 10 },
    }),
  });
  const forge = throughTrouble<Forge>(memoryForge(hub, undefined, wish.deliveries), through, {
    port: 'GitHub',
    plain: ['repositoryOf', 'commitUrl'],
    latencyMs: [30, 250],
    stale: (lagMs) => memoryForge(hub, () => time.now() - lagMs, wish.deliveries),
    rival: rivalOnGitHub(hub),
    rivals: {
      createBranch: 5,
      createPullRequest: 8,
      moveBranch: 60,
      createComment: 4,
      updateComment: 4,
      updateIssue: 8,
    },
  });
  const kept = throughTrouble<Ledger<StoredMemory, Incident>>(ledger, through, {
    port: 'the ledger',
    plain: [],
    latencyMs: [3, 40],
    listing: ['incidents'],
    rival: rivalInLedger(ledger),
  });
  const seen = throughTrouble<MemoryCluster>(cluster, through, {
    port: 'the cluster',
    plain: ['run', 'applicationSets', 'rows', 'sight', 'instance'],
    latencyMs: [3, 60],
    listing: ['closeLook'],
  });
  const mailbox = throughTrouble<Mailbox>(wish.mailbox, through, {
    port: 'the mailbox',
    plain: ['all', 'touch'],
    latencyMs: [3, 40],
    listing: ['waiting'],
    rival: rivalInMailbox(wish.mailbox),
    rivals: { settle: 5 },
  });
  const ports = { cluster: seen, forge, ledger: kept, mailbox, clock };
  const loop = openLoop({
    ...ports,
    log: { info: () => {}, warn: () => {} },
    limits: wish.limits,
    linksFor: ({ owner, name: repository }) => linksBelow(`https://github.com/${owner}/${repository}`),
    onTick: wish.onTick,
    onFailure: (key, problem, retryInMs) =>
      story.tell(
        name,
        () => `fails to look at ${key}: ${problem} (again in ${Math.round(retryInMs / 1000)} s)`,
      ),
    ...(wish.mistake?.made(ports) ?? {}),
  });
  story.tell(name, () => 'starts');
  const log = { info: () => {}, warn: () => {} };
  const redeliveries = openRedeliveries({ forge, clock, log, events });
  const running = loop.run();
  redeliveries.start();
  return {
    name,
    loop,
    cluster,
    hear: (delivery) => hear({ loop, mailbox, clock, place: wish.place, pull: wish.pull }, delivery),
    isDead: () => isDead,
    kill: through.die,
    async stop() {
      await Promise.all([running, loop.stop(), redeliveries.stop()]);
      isDead = true;
      story.tell(name, () => 'ends');
    },
  };
}

/** The webhooks that Stepback asks for. */
const events = ['push', 'pull_request', 'issue_comment', 'issues', 'check_run'];

/** News of the cluster is quick, but for the times when a watch lags. */
function newsDelayMs({ dice, trouble, onFault }: HostWish): number {
  if (!dice.chance(trouble().late)) return dice.between(5, 250);
  onFault('news-late');
  return dice.between(1_000, 12_000);
}

function nudgeTimes({ dice, trouble, onFault }: HostWish): number {
  const { lost, doubled } = trouble();
  const times = dice.chance(lost) ? 0 : dice.chance(doubled) ? 2 : 1;
  if (times !== 1) onFault(times === 0 ? 'news-lost' : 'news-doubled');
  return times;
}

/** A dead process sets no timers and hears of none. */
function mortalClock(clock: Clock, isDead: () => boolean): Clock {
  return {
    now: () => clock.now(),
    after(delayMs, run) {
      if (isDead()) return () => {};
      return clock.after(delayMs, () => {
        if (!isDead()) run();
      });
    },
  };
}
