/**
 * The world of one seed: virtual time, a GitHub, a cluster with its simulated Argo CD, the ledger, and the machines on which
 * Stepbacks run. Webhooks go out from here, late, never or twice.
 */

import type { Incident } from '../domain/incident.ts';
import type { StoredMemory } from '../domain/stored-memory.ts';
import type { Repository } from '../ports.ts';
import { argoRepositories } from '../sandbox/argo-repositories.ts';
import { type ArgoCD, startArgoCD } from '../sandbox/argocd/start.ts';
import { ObjectStore } from '../sandbox/kubernetes/store.ts';
import { type Dice, diceOf } from './dice.ts';
import { applicationSetOf, firstFiles, readable, repositoryName, repositoryUrl } from './first-objects.ts';
import { noteHabits } from './habits-seen.ts';
import { type Host, startHost } from './host.ts';
import { botLogin, type HubEvent, type HubRepository } from './hub-objects.ts';
import { MemoryHub } from './memory-hub.ts';
import { MemoryLedger } from './memory-ledger.ts';
import { MemoryMailbox } from './memory-mailbox.ts';
import type { Mistake } from './mistake.ts';
import type { Plan } from './plan.ts';
import { Seen } from './seen.ts';
import { Story } from './story.ts';
import { type FaultKind, Tally } from './tally.ts';
import type { Call, Written } from './through-trouble.ts';
import { noTrouble, type Trouble } from './trouble.ts';
import { Truth } from './truth.ts';
import { VirtualTime } from './virtual-time.ts';
import { type Delivery, Webhooks } from './webhooks.ts';

/** Every seed begins at this moment. */
export const startOfTime = Date.parse('2026-12-01T02:00:00Z');
const place: Repository = { host: 'github.com', owner: 'acme', name: 'fleet' };

export interface Figures {
  calls: number;
  crashes: number;
  ticks: number;
}

export class World {
  readonly plan: Plan;
  readonly time = new VirtualTime(startOfTime);
  readonly story: Story;
  readonly store: ObjectStore;
  readonly hub: MemoryHub;
  readonly repository: HubRepository;
  readonly argocd: ArgoCD;
  readonly ledger = new MemoryLedger<StoredMemory, Incident>();
  readonly mailbox = new MemoryMailbox();
  readonly truth: Truth;
  /** Writing calls of every Stepback that had their effect. */
  readonly writes: { at: number; who: string; call: Call }[] = [];
  readonly seen = new Seen();
  /** What was wrong with the last write, as far as orders go. */
  seenNow: string | null = null;
  readonly figures: Figures = { calls: 0, crashes: 0, ticks: 0 };
  readonly tally = new Tally();
  readonly webhooks: Webhooks;
  /** `maxUpdate` of each step as people left it; by ApplicationSet. */
  readonly wantedSteps: Map<string, (number | string | undefined)[]>;
  hosts: Host[] = [];
  /** What every Stepback asks GitHub, for whoever counts. */
  onCall: (call: Call) => void = () => {};
  isResting = false;
  /** Methods that left a Stepback in doubt; `second` when there were two. */
  readonly doubts = new Set<string>();
  /** Told of every writing call that had its effect. */
  onWrite: (written: Written) => void = () => {};
  readonly #dice: Dice;
  readonly #mistake: Mistake | null;
  #events = 0;

  constructor(plan: Plan, options: { isTold: boolean; mistake: Mistake | null }) {
    this.plan = plan;
    this.#mistake = options.mistake;
    this.#dice = diceOf(plan.seed, 'world');
    this.story = new Story(() => this.time.now(), options.isTold);
    this.store = new ObjectStore({ clock: this.time.world, objectBytesMax: Number.POSITIVE_INFINITY });
    this.hub = new MemoryHub(() => this.time.now());
    this.repository = this.hub.create(repositoryName, firstFiles(plan));
    for (const login of ['dana', 'sam']) this.repository.permissions.set(login, 'write');
    this.repository.requiredChecks = plan.mode === 'auto-merge' ? ['ci'] : [];
    this.wantedSteps = new Map(plan.sets.map(({ name, maxUpdates }) => [name, [...maxUpdates]]));
    this.webhooks = new Webhooks({
      time: this.time,
      dice: diceOf(plan.seed, 'webhooks'),
      story: this.story,
      trouble: () => this.trouble(),
      receivers: () => this.hosts,
      onFault: (kind) => this.tally.note(kind),
    });
    this.argocd = startArgoCD({
      store: this.store,
      clock: this.time.world,
      clusters: plan.clusters,
      repositories: argoRepositories(readable(this.hub)),
      random: diceOf(plan.seed, 'argocd').random,
      version: plan.version,
      habits: plan.habits,
    });
    this.truth = new Truth(
      this.store,
      this.repository,
      () => this.argocd,
      () => this.time.now(),
    );
    noteHabits(this.store, plan.environments, (kind) => this.tally.note(kind));
    this.hub.subscribe((event) => this.#deliver(event));
    for (const set of plan.sets) this.store.create('applicationsets', applicationSetOf(plan, set));
  }

  /** The Stepback that is always there: it is started again when it dies. */
  startMain(generation = 1): void {
    const restart = (): void => {
      this.figures.crashes += 1;
      this.hosts = this.hosts.filter((host) => !host.isDead());
      this.time.world.after(this.#dice.between(2, 30) * 1000, () => this.startMain(generation + 1));
    };
    this.hosts.push(this.#start(`stepback-${generation}`, this.plan.skewMs, restart));
    this.time.wakeHost();
  }

  /** A second one that believes it leads as well, for a while. */
  startSecond(name: string, forMs: number): void {
    this.doubts.add('second');
    this.tally.note('two-leaders');
    const skewMs = this.#dice.pick([0, this.#dice.between(-5, 5) * 1000]);
    const host = this.#start(name, skewMs, () => {
      this.figures.crashes += 1;
      this.hosts = this.hosts.filter((one) => !one.isDead());
    });
    this.hosts.push(host);
    this.time.wakeHost();
    this.time.world.after(forMs, () => this.#end(host));
  }

  /** Ends a Stepback in order; gives the promise of its end. */
  #end(host: Host): void {
    if (host.isDead() || !this.hosts.includes(host)) return;
    this.hosts = this.hosts.filter((one) => one !== host);
    void host.stop();
    this.time.wakeHost();
  }

  /** Ends all but the one that is always there. */
  endOthers(): void {
    for (const host of this.hosts.filter((one) => !one.name.startsWith('stepback-'))) this.#end(host);
  }

  /** Ends the one that is there and starts another. */
  replaceMain(): void {
    for (const host of [...this.hosts]) this.#end(host);
    this.startMain(1000);
  }

  nudgeAll(): void {
    for (const { loop } of this.hosts) for (const set of this.plan.sets) loop.nudge(`argocd/${set.name}`);
    this.time.wakeHost();
  }

  trouble(): Trouble {
    return this.isResting ? noTrouble : this.plan.trouble;
  }

  #start(name: string, skewMs: number, onDeath: () => void): Host {
    if (skewMs !== 0) this.tally.note('clock-skew');
    return startHost(
      {
        name,
        time: this.time,
        store: this.store,
        hub: this.hub,
        ledger: this.ledger,
        mailbox: this.mailbox,
        limits: this.plan.limits,
        skewMs,
        dice: diceOf(this.plan.seed, name),
        story: this.story,
        trouble: () => this.trouble(),
        isProgressive: () => true,
        mistake: this.#mistake,
        onWrite: (call) => {
          this.writes.push({ at: this.time.now(), who: name, call });
          this.seenNow = this.seen.note(call);
          this.onWrite(call);
        },
        onDoubt: ({ method }) => this.doubts.add(method),
        onCall: (call) => {
          this.figures.calls += 1;
          this.onCall(call);
        },
        onFault: (kind: FaultKind) => this.tally.note(kind),
        deliveries: this.webhooks.log(),
        place,
        pull: (number) => this.repository.pulls.get(number),
        onTick: () => {
          this.figures.ticks += 1;
        },
      },
      onDeath,
    );
  }

  /** Webhooks: to Argo CD, and to one of the Stepbacks. */
  #deliver(event: HubEvent): void {
    this.#events += 1;
    const guid = `event-${this.#events}`;
    if (event.kind === 'pushed' && event.branch === 'main' && !this.#dice.chance(this.trouble().lost / 2))
      this.argocd.webhook(repositoryUrl, 'main');
    const delivery = this.#deliveryOf(event, guid);
    if (delivery !== null) this.webhooks.send(delivery);
  }

  /** Null for what the App does not act upon. */
  #deliveryOf(event: HubEvent, guid: string): Delivery | null {
    const { by } = event;
    switch (event.kind) {
      case 'pushed':
        return { guid, event: 'push', branch: event.branch, sha: event.sha, by };
      case 'pull-request':
        return { guid, event: 'pull_request', number: event.number, action: event.action, by };
      case 'issue':
        return { guid, event: 'issues', number: event.number, action: event.action, by };
      case 'comment': {
        const { number, commentId } = event;
        const line = this.repository.comments.get(commentId)?.body ?? '';
        const saidAt = Math.floor(this.time.now() / 1000) * 1000;
        if (by === botLogin || !line.startsWith('/stepback')) return null;
        return { guid, event: 'issue_comment', number, commentId, by, saidAt, line };
      }
    }
  }
}
