/**
 * The people of a seed: they push, merge, fix, revert by hand, and react to what Stepback opens. Nobody knows here what is right: they
 * do what the dice say.
 */

import { EMPTY_TREE } from '../sandbox/github/git/objects.ts';
import { changedFiles } from '../sandbox/github/git/tree-diff.ts';
import { befall } from './befall.ts';
import { type Dice, diceOf } from './dice.ts';
import { faultOf, filesOf, type Written } from './files.ts';
import { repositoryName } from './first-objects.ts';
import type { Happening } from './happenings.ts';
import { botLogin } from './hub-objects.ts';
import { meddle } from './meddle.ts';
import { type Reaction, reactionOf } from './reactions.ts';
import { typedBy } from './typed.ts';
import { startOfTime, type World } from './world.ts';

/** Lets everything happen that the plan holds. Call once, before time passes. */
export function letHappen(world: World): void {
  const { plan, time } = world;
  const people = new People(world);
  for (const happening of plan.happenings)
    time.world.after(startOfTime + happening.at - time.now(), () => people.do(happening));
  world.hub.subscribe((event) => {
    if (event.kind === 'pull-request' && event.action === 'auto_merge_enabled')
      people.checkSoon(event.number);
    if (event.by !== botLogin) return;
    if (event.kind === 'pull-request' && event.action === 'opened') people.meet(event.number);
    if (event.kind === 'comment') people.read(event.number);
  });
}

class People {
  readonly #world: World;
  readonly #read = new Set<number>();
  #branches = 0;

  constructor(world: World) {
    this.#world = world;
  }

  /** Somebody finds a revert of ours, does something about it, and may type. */
  meet(number: number): void {
    const { plan, time } = this.#world;
    const { what, afterMs } = reactionOf(diceOf(plan.seed, `reaction to #${number}`));
    time.world.after(afterMs, () => this.react(number, what));
    const dice = diceOf(plan.seed, `command on #${number}`);
    if (dice.chance(0.45)) this.#type(number, dice);
  }

  /** Somebody reads our comment on their own pull request, and may type there. */
  read(number: number): void {
    if (this.#read.has(number)) return;
    this.#read.add(number);
    const dice = diceOf(this.#world.plan.seed, `command on the culprit #${number}`);
    if (dice.chance(0.3)) this.#type(number, dice);
  }

  /** Checks pass after a while; then GitHub merges what waits for them, in the name of who asked. */
  checkSoon(number: number): void {
    const { plan, time, repository, hub, story } = this.#world;
    const headSha = repository.pulls.get(number)?.headSha;
    time.world.after(diceOf(plan.seed, `checks of #${number}`).between(10, 240) * 1000, () => {
      const pull = repository.pulls.get(number);
      if (pull?.autoMerge == null || pull.state === 'closed') return;
      if (pull.headSha !== headSha) return this.checkSoon(number);
      const isMerged = hub.merge(repositoryName, number, botLogin, pull.autoMerge.method);
      story.tell('github', () => (isMerged ? `merges #${number} by itself` : `cannot merge #${number}`));
    });
  }

  /** While two lead somebody orders something: what one of them keeps the other must not write over. */
  #orderSoon(at: number): void {
    const { plan, time, repository } = this.#world;
    const dice = diceOf(plan.seed, `order at ${at}`);
    const line = dice.pick(['/stepback hold 10m', '/stepback freeze', '/stepback snooze stage 1 3m']);
    time.world.after(dice.between(5, 90) * 1000, () => {
      const open = repository.pulls
        .all()
        .findLast(({ user, state }) => user === botLogin && state === 'open');
      if (open !== undefined && dice.chance(0.7)) this.ask(open.number, line);
    });
  }

  #type(number: number, dice: Dice): void {
    for (const { line, afterMs } of typedBy(dice))
      this.#world.time.world.after(afterMs, () => this.ask(number, line));
  }

  do(happening: Happening): void {
    const { time, story } = this.#world;
    if (this.#world.isResting) return;
    const isWriting = ['change', 'innocent', 'proposal'].includes(happening.kind);
    if (isWriting && this.#world.repository.isArchived) return;
    switch (happening.kind) {
      case 'change':
        this.#change(happening);
        return;
      case 'innocent':
        story.tell(happening.by, () => 'pushes something that feeds nothing');
        this.#push(happening.by, 'docs: how to pay', { 'docs/pay.md': `Slowly, since ${time.now()}.\n` });
        return;
      case 'unreachable':
      case 'window':
      case 'sick':
      case 'finish-hooks':
      case 'cut-watch':
      case 'crash':
      case 'lost-ledger':
      case 'expire-watch':
        befall(this.#world, happening);
        return;
      case 'second-replica':
        this.#world.startSecond(`second-${time.now()}`, happening.forMs);
        this.#orderSoon(happening.at);
        return;
      case 'stop':
      case 'archive':
      case 'edit-steps':
      case 'touch-set':
        meddle(this.#world, happening);
        return;
      case 'proposal':
        this.#propose(happening);
    }
  }

  /** Types a command below a pull request. */
  ask(number: number, line: string): void {
    const { hub, story, repository, isResting } = this.#world;
    if (isResting || repository.isArchived) return;
    story.tell('dana', () => `types "${line}" below #${number}`);
    hub.comment(repository, number, 'dana', line);
  }

  #reopen(number: number): void {
    const { hub, story, repository, isResting } = this.#world;
    const pull = repository.pulls.get(number);
    const isThere =
      pull?.state === 'closed' && pull.mergedAt === null && repository.refs.get(pull.head) !== undefined;
    if (isResting || repository.isArchived || !isThere) return;
    story.tell('dana', () => `opens the revert #${number} again`);
    hub.editPull(repository, number, { state: 'open' }, 'dana', 'reopened');
  }

  react(number: number, what: Reaction['what']): void {
    const { hub, story, repository, isResting, time, plan } = this.#world;
    const pull = repository.pulls.get(number);
    if (isResting || repository.isArchived || pull === undefined || pull.state === 'closed') return;
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
      case 'close-and-reopen':
        story.tell('dana', () => `closes the revert #${number}, to think about it`);
        hub.editPull(repository, number, { state: 'closed' }, 'dana', 'closed');
        time.world.after(diceOf(plan.seed, `thoughts on #${number}`).between(5, 240) * 1000, () =>
          this.#reopen(number),
        );
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
      case 'make-it-worse':
        this.#makeWorse(pull.headSha, number);
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
    if (badness === 'degraded-late') this.#world.tally.note('late-degradation');
    if (badness === 'hook-hangs' || badness === 'hook-fails') this.#world.tally.note('hook');
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

  /** A pull request that stays open for a while. */
  #propose({ what, badness, by, forMs, isMerged }: Happening & { kind: 'proposal' }): void {
    const { hub, story, time, repository } = this.#world;
    const title = `${what}: proposal of a ${badness ?? 'good'} change`;
    this.#branches += 1;
    const files = this.#write(`apps/${what}`, { badness, where: [] });
    const number = hub.propose(repositoryName, { by, title, branch: `change-${this.#branches}`, files });
    story.tell(by, () => `proposes #${number} "${title}"`);
    time.world.after(forMs, () => {
      if (this.#world.isResting || repository.pulls.get(number)?.state === 'closed') return;
      const isIn = isMerged && hub.merge(repositoryName, number, by, 'squash');
      if (!isIn && !repository.isArchived)
        hub.editPull(repository, number, { state: 'closed' }, by, 'closed');
      story.tell(by, () => `${isIn ? 'merges' : 'closes'} #${number}`);
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

  /** Lands one more bad change where the revert is about, so that it has to be computed again; somebody merges it later. */
  #makeWorse(revert: string, number: number): void {
    const { plan, time } = this.#world;
    const dice = diceOf(plan.seed, `worse than #${number}`);
    const [path = ''] = this.#takenBack(revert)?.paths ?? [];
    const what = path.startsWith('base/') ? 'base' : (path.split('/')[1] ?? '');
    if (what !== 'base' && !plan.sets.some(({ name }) => name === what)) return;
    this.#change({
      at: 0,
      kind: 'change',
      how: 'push',
      what: [what],
      badness: 'degraded',
      where: [],
      by: 'sam',
    });
    time.world.after(dice.between(60, 300) * 1000, () =>
      this.react(number, dice.pick(['merge', 'squash', 'fix'])),
    );
  }

  /** Puts back by hand what the commits changed that a revert of ours names. */
  #revertByHand(revert: string): void {
    const { story, hub } = this.#world;
    const found = this.#takenBack(revert);
    if (found === null) return;
    const { oldest, parent, paths } = found;
    const files = Object.fromEntries(
      paths.map((path) => [path, hub.file(repositoryName, path, parent) ?? null]),
    );
    const sha = this.#push('sam', `Revert by hand\n\nThis reverts commit ${oldest}.`, files);
    story.tell('sam', () => `reverts ${oldest.slice(0, 7)} by hand, ${sha.slice(0, 7)}`);
  }

  /** The oldest commit that a commit of a revert names, and what it changed; null when it names none. */
  #takenBack(revert: string): { oldest: string; parent: string; paths: readonly string[] } | null {
    const { git } = this.#world.repository;
    const message = git.commit(revert)?.message ?? '';
    const oldest = [...message.matchAll(/^Reverts: ([0-9a-f]{40})$/gm)].at(-1)?.[1] ?? '';
    const bad = git.commit(oldest);
    const parent = bad?.parents[0];
    if (bad === undefined || parent === undefined) return null;
    const before = git.commit(parent)?.tree ?? EMPTY_TREE;
    return { oldest, parent, paths: changedFiles(git, before, bad.tree).map(({ path }) => path) };
  }
}
