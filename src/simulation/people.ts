/**
 * The people of a seed and bad luck: they push, merge, fix, revert by hand and react to what Stepback opens; clusters and
 * watches fail. Nobody knows here what is right: they do what the dice say.
 */

import { EMPTY_TREE } from '../sandbox/github/git/objects.ts';
import { changedFiles } from '../sandbox/github/git/tree-diff.ts';
import { diceOf } from './dice.ts';
import { faultOf, filesOf, type Written } from './files.ts';
import { botLogin } from './memory-hub.ts';
import { type Happening, type Reaction, reactionOf } from './plan.ts';
import { repositoryName, startOfTime, type World } from './world.ts';

/** Lets everything happen that the plan holds. Call once, before time passes. */
export function letHappen(world: World): void {
  const { plan, time } = world;
  const people = new People(world);
  for (const happening of plan.happenings)
    time.world.after(startOfTime + happening.at - time.now(), () => people.do(happening));
  world.hub.subscribe((event) => {
    if (event.kind !== 'pull-request' || event.by !== botLogin || event.action !== 'opened') return;
    const { what, afterMs } = reactionOf(diceOf(plan.seed, `reaction to #${event.number}`));
    time.world.after(afterMs, () => people.react(event.number, what));
    const dice = diceOf(plan.seed, `command on #${event.number}`);
    const line = dice.pick([
      '/stepback status',
      '/stepback explain',
      '/stepback hold 10m',
      '/stepback help',
      '/stepback retry',
    ]);
    if (dice.chance(0.4)) time.world.after(dice.between(5, 400) * 1000, () => people.ask(event.number, line));
  });
}

class People {
  readonly #world: World;
  #branches = 0;

  constructor(world: World) {
    this.#world = world;
  }

  do(happening: Happening): void {
    const { argocd, time, story, hosts } = this.#world;
    if (this.#world.isResting) return;
    switch (happening.kind) {
      case 'change':
        this.#change(happening);
        return;
      case 'innocent':
        story.tell(happening.by, () => 'pushes something that feeds nothing');
        this.#push(happening.by, 'docs: how to pay', { 'docs/pay.md': `Slowly, since ${time.now()}.\n` });
        return;
      case 'unreachable':
        story.tell('world', () => `${happening.cluster} cannot be reached any more`);
        this.#reach(happening.cluster, false);
        time.world.after(happening.forMs, () => {
          story.tell('world', () => `${happening.cluster} can be reached again`);
          this.#reach(happening.cluster, true);
        });
        return;
      case 'window':
        story.tell('world', () => `a sync window closes on ${happening.cluster}`);
        argocd.closeWindow(happening.cluster);
        time.world.after(happening.forMs, () => {
          story.tell('world', () => `the sync window opens on ${happening.cluster}`);
          argocd.openWindow(happening.cluster);
        });
        return;
      case 'sick':
        story.tell('world', () => `${happening.application} falls ill, whatever it runs`);
        argocd.setHealth(happening.application, {
          status: 'Degraded',
          message: 'OOMKilled',
          isLasting: true,
        });
        time.world.after(happening.forMs, () => {
          story.tell('world', () => `${happening.application} is well again`);
          argocd.setHealth(happening.application, undefined);
        });
        return;
      case 'finish-hooks':
        this.#finishHooks();
        return;
      case 'cut-watch':
        story.tell('world', () => 'the watches are cut off');
        for (const { cluster } of hosts) cluster.cut();
        time.world.after(happening.forMs, () => {
          story.tell('world', () => 'the watches list again');
          for (const { cluster } of this.#world.hosts) cluster.mend();
          time.wakeHost();
        });
        return;
      case 'crash':
        for (const host of hosts) host.kill();
        return;
      case 'lost-ledger': {
        const { what, isDown } = happening;
        story.tell('dana', () => `deletes ${what} of the ledger${isDown ? ' while Stepback is down' : ''}`);
        if (isDown) for (const host of hosts) host.kill();
        this.#world.ledger.lose(what);
        return;
      }
      case 'second-replica':
        this.#world.startSecond(`second-${time.now()}`, happening.forMs);
    }
  }

  /** Types a command below a pull request. Its webhook comes once or twice, to whichever replica. */
  ask(number: number, line: string): void {
    const { hub, story, repository, isResting } = this.#world;
    if (isResting) return;
    story.tell('dana', () => `types "${line}" below #${number}`);
    this.#world.deliverCommand(number, hub.comment(repository, number, 'dana', line), line);
  }

  react(number: number, what: Reaction['what']): void {
    const { hub, story, repository, isResting } = this.#world;
    const pull = repository.pulls.get(number);
    if (isResting || pull === undefined || pull.state === 'closed') return;
    switch (what) {
      case 'merge':
      case 'squash': {
        const isMerged = hub.merge(repositoryName, number, 'dana', what);
        story.tell('dana', () =>
          isMerged ? `merges the revert #${number}` : `cannot merge the revert #${number}`,
        );
        return;
      }
      case 'close':
        story.tell('dana', () => `closes the revert #${number}`);
        hub.editPull(repository, number, { state: 'closed' }, 'dana', 'closed');
        return;
      case 'nothing':
        return;
      case 'fix':
        this.#fix();
        return;
      case 'push-on-branch':
        story.tell('dana', () => `pushes onto the branch of the revert #${number}`);
        hub.push(repositoryName, {
          branch: pull.head,
          by: 'dana',
          message: 'one more thing',
          files: { 'docs/revert.md': 'Mine.\n' },
        });
        return;
      case 'revert-by-hand':
        this.#revertByHand(pull.headSha);
    }
  }

  #change({ how, what, badness, where, by }: Happening & { kind: 'change' }): void {
    const { hub, story, time } = this.#world;
    const folders = what.map((name) => (name === 'base' ? 'base' : `apps/${name}`));
    const files = Object.assign({}, ...folders.map((folder) => this.#write(folder, { badness, where })));
    const title = `${what.join(' and ')}: ${badness ?? 'good'} change`;
    if (how === 'push') {
      const sha = this.#push(by, title, files);
      story.tell(
        by,
        () => `pushes ${sha.slice(0, 7)} "${title}"${where.length === 0 ? '' : ` on ${where.join(', ')}`}`,
      );
      return;
    }
    this.#branches += 1;
    const number = hub.propose(repositoryName, { by, title, branch: `change-${this.#branches}`, files });
    time.world.after(2_000, () => {
      const isMerged = hub.merge(repositoryName, number, by, how);
      const head = this.#world.repository.refs.get('main') ?? '';
      story.tell(by, () =>
        isMerged
          ? `merges #${number} "${title}"${where.length === 0 ? '' : ` on ${where.join(', ')}`} as ${head.slice(0, 7)} (${how})`
          : `cannot merge #${number}`,
      );
    });
  }

  /** The files of a new version of a folder. A file that is not there is not taken away. */
  #write(folder: string, written: Omit<Written, 'version'>): Record<string, string | null> {
    const { hub } = this.#world;
    const text = hub.file(repositoryName, `${folder}/config.json`) ?? '';
    const version = Number(/"version": "(\d+)"/.exec(text)?.[1] ?? 0) + 1;
    const files = Object.entries(filesOf(folder, { version, ...written }));
    return Object.fromEntries(
      files.filter(([path, value]) => value !== null || hub.file(repositoryName, path) !== undefined),
    );
  }

  #push(by: string, message: string, files: Record<string, string | null>): string {
    return this.#world.hub.push(repositoryName, { by, message, files });
  }

  /** Fixes forward whatever is bad on the branch. */
  #fix(): void {
    const { hub, plan, story } = this.#world;
    const folders = ['base', ...plan.sets.map((set) => `apps/${set.name}`)];
    const isBad = (folder: string): boolean =>
      ['config.json', 'migrate.json'].some((file) => {
        const text = hub.file(repositoryName, `${folder}/${file}`);
        return text !== undefined && plan.clusters.some(({ name }) => faultOf(text, name) !== null);
      });
    const files = Object.assign(
      {},
      ...folders.filter(isBad).map((folder) => this.#write(folder, { badness: null, where: [] })),
    );
    if (Object.keys(files).length === 0) return;
    const sha = this.#push('sam', 'fix what is broken', files);
    story.tell('sam', () => `pushes a fix, ${sha.slice(0, 7)}`);
  }

  /** Puts back by hand what the commits changed that a revert of ours names. */
  #revertByHand(revert: string): void {
    const { repository, story, hub } = this.#world;
    const { git } = repository;
    const oldest = [...(git.commit(revert)?.message ?? '').matchAll(/^Reverts: ([0-9a-f]{40})$/gm)].at(
      -1,
    )?.[1];
    const bad = oldest === undefined ? undefined : git.commit(oldest);
    const parent = bad?.parents[0];
    if (bad === undefined || parent === undefined) return;
    const before = git.commit(parent)?.tree ?? EMPTY_TREE;
    const paths = changedFiles(git, before, bad.tree).map(({ path }) => path);
    const files = Object.fromEntries(
      paths.map((path) => [path, hub.file(repositoryName, path, parent) ?? null]),
    );
    const sha = this.#push('sam', `Revert by hand\n\nThis reverts commit ${oldest}.`, files);
    story.tell('sam', () => `reverts ${oldest?.slice(0, 7)} by hand, ${sha.slice(0, 7)}`);
  }

  #reach(cluster: string, isReachable: boolean): void {
    const { argocd, plan } = this.#world;
    argocd.setReachable(cluster, isReachable);
    for (const set of plan.sets) argocd.refresh(`${set.name}-${cluster}`);
  }

  #finishHooks(): void {
    const { argocd, plan, story } = this.#world;
    for (const application of plan.sets.flatMap((set) =>
      plan.clusters.map(({ name }) => `${set.name}-${name}`),
    )) {
      const isWaiting = argocd.liveObjects(application).some(({ manifest }) => manifest.kind === 'Job');
      if (!isWaiting) continue;
      story.tell('world', () => `the hook of ${application} ends`);
      argocd.finishHook(application);
    }
  }
}
