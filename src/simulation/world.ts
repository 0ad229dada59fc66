/**
 * The world of one seed: virtual time, a GitHub, a cluster with its simulated Argo CD, the ledger, and the machines on which
 * Stepbacks run. Webhooks go out from here, late, never or twice.
 */

import type { Incident } from '../domain/incident.ts';
import type { StoredMemory } from '../domain/stored-memory.ts';
import type { Repository } from '../ports.ts';
import { argoRepositories } from '../sandbox/argo-repositories.ts';
import { type ArgoCD, startArgoCD } from '../sandbox/argocd/start.ts';
import { entryAt } from '../sandbox/github/git/tree-walk.ts';
import { ObjectStore } from '../sandbox/kubernetes/store.ts';
import { type Dice, diceOf } from './dice.ts';
import { filesOf } from './files.ts';
import { type Host, startHost } from './host.ts';
import { type HubEvent, type HubRepository, MemoryHub } from './memory-hub.ts';
import { MemoryLedger } from './memory-ledger.ts';
import { MemoryMailbox } from './memory-mailbox.ts';
import type { Mistake } from './mistake.ts';
import type { Plan, PlannedSet } from './plan.ts';
import { Story } from './story.ts';
import type { Call } from './through-trouble.ts';
import { noTrouble, type Trouble } from './trouble.ts';
import { Truth } from './truth.ts';
import { VirtualTime } from './virtual-time.ts';

/** Every seed begins at this moment. */
export const startOfTime = Date.parse('2026-12-01T02:00:00Z');
export const repositoryName = 'acme/fleet';
export const repositoryUrl = `https://github.com/${repositoryName}.git`;
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
  readonly figures: Figures = { calls: 0, crashes: 0, ticks: 0 };
  hosts: Host[] = [];
  isResting = false;
  /** Methods that left a Stepback in doubt; `second` when there were two. */
  readonly doubts = new Set<string>();
  /** Told of every writing call that had its effect. */
  onWrite: (call: Call) => void = () => {};
  readonly #dice: Dice;
  readonly #mistake: Mistake | null;

  constructor(plan: Plan, options: { isTold: boolean; mistake: Mistake | null }) {
    this.plan = plan;
    this.#mistake = options.mistake;
    this.#dice = diceOf(plan.seed, 'world');
    this.story = new Story(() => this.time.now(), options.isTold);
    this.store = new ObjectStore({ clock: this.time.world, objectBytesMax: Number.POSITIVE_INFINITY });
    this.hub = new MemoryHub(() => this.time.now());
    this.repository = this.hub.create(repositoryName, firstFiles(plan));
    this.repository.permissions.set('dana', 'write');
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

  /** The webhook of a comment with a command in it: it is posted, and whoever runs is told. */
  deliverCommand(number: number, commentId: number, line: string): void {
    const times = this.#dice.chance(this.trouble().doubled) ? 2 : 1;
    for (let time = 0; time < times; time += 1) {
      this.time.world.after(this.#dice.between(100, 4_000), async () => {
        const now = Math.floor(this.time.now() / 1000) * 1000;
        await this.mailbox.post({
          id: `comment-${commentId}`,
          repository: place,
          number,
          isPullRequest: true,
          commentId,
          check: null,
          applicationSet: null,
          sender: { login: 'dana', isBot: false, isOurs: false },
          lines: [line],
          hasMore: false,
          saidAt: now,
          receivedAt: now,
        });
        for (const { loop } of this.hosts) loop.posted();
        this.time.wakeHost();
      });
    }
  }

  trouble(): Trouble {
    return this.isResting ? noTrouble : this.plan.trouble;
  }

  #start(name: string, skewMs: number, onDeath: () => void): Host {
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
          this.onWrite(call);
        },
        onDoubt: ({ method }) => this.doubts.add(method),
        onTick: () => {
          this.figures.ticks += 1;
        },
      },
      onDeath,
    );
  }

  /** Webhooks: to Argo CD, and to every Stepback. */
  #deliver(event: HubEvent): void {
    const { lost, doubled } = this.trouble();
    if (event.kind === 'pushed' && event.branch === 'main' && !this.#dice.chance(lost / 2))
      this.argocd.webhook(repositoryUrl, 'main');
    if (event.kind === 'comment') return;
    const isLost = this.#dice.chance(lost);
    // A push is found at the next look; what went astray of a pull request is asked for again after a while.
    if (isLost && event.kind === 'pushed') return;
    const times = !isLost && this.#dice.chance(doubled) ? 2 : 1;
    for (let time = 0; time < times; time += 1) {
      const lateMs = isLost ? this.#dice.between(60, 600) * 1_000 : this.#dice.between(100, 4_000);
      this.time.world.after(lateMs, () => {
        for (const { loop } of this.hosts) {
          if (event.kind === 'pushed') loop.pushed(place, event.branch, event.sha);
          else void loop.pullRequestChanged(place).catch(() => {});
        }
        this.time.wakeHost();
      });
    }
  }
}

function firstFiles(plan: Plan): Record<string, string> {
  const folders = [...plan.sets.map((set) => `apps/${set.name}`), 'base'];
  const files = folders.flatMap((folder) =>
    Object.entries(filesOf(folder, { version: 1, badness: null, where: [] })),
  );
  const there = files.filter((entry): entry is [string, string] => entry[1] !== null);
  return { 'README.md': '# fleet\n', ...Object.fromEntries(there) };
}

/** What Argo CD's repo server reads. */
function readable(hub: MemoryHub): Parameters<typeof argoRepositories>[0] {
  return {
    repositories: () => [repositoryName],
    resolve(name, revision) {
      const { refs, git } = hub.get(name);
      const sha = refs.get(revision === 'HEAD' || revision === '' ? 'main' : revision) ?? revision;
      return git.commit(sha) === undefined ? undefined : sha;
    },
    folder(name, sha, path) {
      const { git } = hub.get(name);
      const tree = git.commit(sha)?.tree;
      const entries = tree === undefined ? undefined : git.tree(entryAt(git, tree, path)?.id ?? '');
      const files = entries?.filter(({ mode }) => mode === '100644');
      return (
        files && new Map(files.map(({ name: file, id }) => [file, git.blob(id)?.toString('utf8') ?? '']))
      );
    },
  };
}

function applicationSetOf({ environments }: Plan, set: PlannedSet): object {
  const source = (path: string): object => ({ repoURL: repositoryUrl, path, targetRevision: 'main' });
  const own = source(`apps/${set.name}`);
  const steps = environments.map((env, index) => {
    const maxUpdate = set.maxUpdates[index];
    return {
      matchExpressions: [{ key: 'env', operator: 'In', values: [env] }],
      ...(maxUpdate === undefined ? {} : { maxUpdate }),
    };
  });
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'ApplicationSet',
    metadata: { name: set.name, namespace: 'argocd' },
    spec: {
      generators: [{ clusters: {} }],
      strategy: { type: 'RollingSync', rollingSync: { steps } },
      template: {
        metadata: { name: `${set.name}-{{name}}`, labels: { env: '{{metadata.labels.env}}' } },
        spec: {
          project: 'default',
          ...(set.hasBase ? { sources: [own, source('base')] } : { source: own }),
          destination: { server: '{{server}}', namespace: set.name },
          syncPolicy: { automated: { prune: set.prunes } },
        },
      },
    },
  };
}
