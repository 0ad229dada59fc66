/**
 * A machine on which a Stepback runs: the real loop over ports that fail as the seed wants it. It can die between any two
 * calls, and the next one that is started knows only what GitHub and the ledger hold.
 */
import type { PartialSettings } from '../config/configuration.ts';
import type { Incident } from '../domain/incident.ts';
import type { ObjectKey } from '../domain/objects.ts';
import type { StoredMemory } from '../domain/stored-memory.ts';
import { type Loop, openLoop } from '../loop/loop.ts';
import type { TickResult } from '../loop/tick.ts';
import type { Interventions } from '../ports/interventions.ts';
import type { Mailbox } from '../ports/mailbox.ts';
import type { Clock, Forge, Ledger } from '../ports.ts';
import { linksBelow } from '../render/links.ts';
import type { ObjectStore } from '../sandbox/kubernetes/store.ts';
import type { Dice } from './dice.ts';
import { MemoryCluster } from './memory-cluster.ts';
import { memoryForge } from './memory-forge.ts';
import type { MemoryHub } from './memory-hub.ts';
import { memoryInterventions } from './memory-interventions.ts';
import type { MemoryLedger } from './memory-ledger.ts';
import type { MemoryMailbox } from './memory-mailbox.ts';
import type { Mistake } from './mistake.ts';
import type { Story } from './story.ts';
import { type Call, type Through, throughTrouble } from './through-trouble.ts';
import type { Trouble } from './trouble.ts';
import type { VirtualTime } from './virtual-time.ts';

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
  /** Told of every writing call that had its effect. */
  onWrite(call: Call): void;
  /** Told of every call whose effect or answer was in doubt. */
  onDoubt(call: Call): void;
  onTick(key: ObjectKey, result: TickResult | 'quiet' | null): void;
}

export interface Host {
  readonly name: string;
  readonly loop: Loop;
  readonly cluster: MemoryCluster;
  isDead(): boolean;
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
    tell: (what: () => string) => story.tell(name, what),
  };
  const cluster = new MemoryCluster({
    instance: 'argocd',
    store: wish.store,
    clock,
    clusterNow: () => time.now(),
    newsDelayMs: () => dice.between(5, 250),
    nudgeTimes: () => {
      const { lost, doubled } = wish.trouble();
      return dice.chance(lost) ? 0 : dice.chance(doubled) ? 2 : 1;
    },
    isProgressive: wish.isProgressive,
    interventions: throughTrouble<Interventions>(memoryInterventions(wish.store), through, {
      port: 'the cluster',
      plain: [],
      latencyMs: [3, 60],
    }),
  });
  const forge = throughTrouble<Forge>(memoryForge(hub), through, {
    port: 'GitHub',
    plain: ['repositoryOf', 'commitUrl'],
    latencyMs: [30, 250],
    stale: (lagMs) => memoryForge(hub, () => time.now() - lagMs),
  });
  const kept = throughTrouble<Ledger<StoredMemory, Incident>>(ledger, through, {
    port: 'the ledger',
    plain: [],
    latencyMs: [3, 40],
  });
  const seen = throughTrouble<MemoryCluster>(cluster, through, {
    port: 'the cluster',
    plain: ['run', 'applicationSets', 'rows', 'sight', 'instance'],
    latencyMs: [3, 60],
  });
  const mailbox = throughTrouble<Mailbox>(wish.mailbox, through, {
    port: 'the mailbox',
    plain: ['all'],
    latencyMs: [3, 40],
  });
  const ports = { cluster: seen, forge, ledger: kept, mailbox, clock };
  const loop = openLoop({
    ...ports,
    ...(wish.mistake?.made(ports) ?? {}),
    log: { info: () => {}, warn: () => {} },
    limits: wish.limits,
    linksFor: ({ owner, name: repository }) => linksBelow(`https://github.com/${owner}/${repository}`),
    onTick: wish.onTick,
    onFailure: (key, problem, retryInMs) =>
      story.tell(
        name,
        () => `fails to look at ${key}: ${problem} (again in ${Math.round(retryInMs / 1000)} s)`,
      ),
  });
  story.tell(name, () => 'starts');
  const running = loop.run();
  return {
    name,
    loop,
    cluster,
    isDead: () => isDead,
    kill: through.die,
    async stop() {
      const stopped = loop.stop();
      await Promise.all([running, stopped]);
      isDead = true;
      story.tell(name, () => 'ends');
    },
  };
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
