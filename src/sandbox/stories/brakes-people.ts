/**
 * Brakes for what people do themselves: they revert by hand, they closed our revert, they bring a change back on purpose,
 * they push the fix first. And a destination that makes everything fail at once, which no commit does.
 */
import { createSet, merge, push, reverts, type Story, StoryFault, workload } from '../story.ts';
import { badConfig, config, goodConfig, landBad, proposeRevert, saidOn } from './bad-change.ts';
import { brakes } from './brakes.ts';
import {
  configure,
  everywhereOnVersionOne,
  isHealthyEverywhere,
  mergeAndRecover,
  oneRevert,
  repository,
} from './staging.ts';

export const humanRevert: Story = {
  name: 'human-revert',
  about:
    'A person opens a revert first: Stepback supports it with one comment and follows it when it is merged.',
  async play(stage) {
    const { world } = stage;
    await everywhereOnVersionOne(stage);
    const bad = landBad(stage);
    const theirs = proposeRevert(stage, bad);
    stage.say(`Sam opens #${theirs}, a revert, before the grace time is over.`);
    await brakes(stage, bad, new RegExp(`takes it back already with #${theirs}`));
    if (!/no revert of my own/.test(saidOn(stage, theirs)))
      throw new StoryFault(`There is no word of support on #${theirs}.`);
    merge(world, repository, theirs, 'sam', 'squash');
    stage.say(`Sam merges #${theirs}.`);
    await stage.expect(
      'it is followed until all are back',
      () => /Recovered/.test(saidOn(stage, theirs)),
      10,
    );
    await stage.expect('payments is Healthy everywhere', () => isHealthyEverywhere(stage, 'payments'), 5);
    if (reverts(world, repository).length > 0) throw new StoryFault('There are two reverts.');
  },
};

export const humanGivesUp: Story = {
  name: 'human-gives-up',
  about: 'A person closes their own revert unmerged: then Stepback opens one.',
  async play(stage) {
    const { world } = stage;
    await everywhereOnVersionOne(stage);
    const bad = landBad(stage);
    const theirs = world.github.propose(repository, {
      by: 'sam',
      branch: 'revert-ledger',
      title: 'Revert "payments: new ledger endpoint"',
      files: goodConfig,
    });
    await brakes(stage, bad, /takes it back already/);
    world.github.closePullRequest(repository, theirs, 'sam');
    stage.say(`Sam closes #${theirs}.`);
    await oneRevert(stage, repository, 6);
  },
  after: (stage) => mergeAndRecover(stage, repository),
};

export const abandoned: Story = {
  name: 'abandoned',
  about:
    'A person closed the revert, its branch is gone, and so is the ledger: it is not opened a second time.',
  async play(stage) {
    const { world } = stage;
    const { github, store } = world;
    await everywhereOnVersionOne(stage);
    const bad = landBad(stage);
    const number = await oneRevert(stage, repository);
    const branch = github.pullRequest(repository, number)?.head.ref ?? '';
    github.closePullRequest(repository, number, 'dana');
    await stage.expect('that is noted', () => /A person closed/.test(saidOn(stage, bad)), 3);
    github.push(repository, { branch, sha: null, by: 'dana' });
    for (const { metadata } of store.list('rollbacks'))
      store.remove('rollbacks', metadata.namespace ?? '', metadata.name);
    await world.restart();
    stage.say('Dana closes the revert and deletes its branch; the ledger is lost.');
    await stage.expect('it is known again', () => store.list('rollbacks').length === 1, 5);
    await brakes(stage, bad, /A person closed/);
    if (reverts(world, repository).length !== 1) throw new StoryFault('It was opened a second time.');
  },
};

export const revertOfRevert: Story = {
  name: 'revert-of-revert',
  about:
    'A person brings back on purpose what had been taken back, and it fails again: Stepback does not fight.',
  async play(stage) {
    const { world } = stage;
    await everywhereOnVersionOne(stage);
    landBad(stage);
    const revert = await oneRevert(stage, repository);
    const title = world.github.pullRequest(repository, revert)?.title ?? '';
    await mergeAndRecover(stage, repository);
    const again = world.github.propose(repository, {
      by: 'dana',
      branch: 'again',
      title: `Revert "${title}"`,
      files: badConfig(),
    });
    merge(world, repository, again, 'dana', 'squash');
    stage.say(`Dana reverts the revert with #${again}.`);
    await brakes(stage, again, /brings back what had been taken back/);
  },
};

export const newerCommit: Story = {
  name: 'newer-commit',
  about:
    'A newer commit lands before the revert is opened: first it is seen whether it is the fix. It is not.',
  async play(stage) {
    const { world } = stage;
    await everywhereOnVersionOne(stage);
    const bad = landBad(stage);
    await stage.expect(
      'dev-1 is Degraded',
      () =>
        stage.answer('payments')?.answer.rollout.reasons.some((reason) => reason.code === 'grace-time') ===
        true,
      4,
    );
    const fix = { 'apps/payments/OWNERS': 'team payments\n' };
    world.github.commit(repository, { author: 'sam', message: 'payments: try this', files: fix });
    stage.say('Sam pushes a commit that changes the same folder. Argo CD is not told in time.');
    await stage.expect('that is said', () => /landed since and changes/.test(saidOn(stage, bad)), 6);
    if (reverts(world, repository).length > 0) throw new StoryFault('The revert did not wait.');
    await oneRevert(stage, repository, 15);
  },
};

export const storm: Story = {
  name: 'storm',
  about:
    'dev-1 makes everything fail, also what did not change: that is the destination, and nothing is reverted.',
  async play(stage) {
    const { world } = stage;
    const shop = 'acme/shop';
    const names = ['orders', 'returns'];
    await everywhereOnVersionOne(stage);
    world.github.createRepository({
      owner: 'acme',
      name: 'shop',
      files: Object.fromEntries(
        names.map((name) => [`apps/${name}/config.json`, workload(name, { version: '1' })]),
      ),
    });
    for (const name of names) createSet(world, { name, repository: shop });
    await stage.expect(
      'all are Healthy everywhere',
      () => names.every((name) => isHealthyEverywhere(stage, name)),
      6,
    );
    await stage.conductor.pass(15 * 60_000);
    const bad = landBad(stage);
    for (const name of names)
      world.argocd.setHealth(`${name}-dev-1`, { status: 'Degraded', message: 'node is not ready' });
    stage.say(
      `Dana merges #${bad}, and at the same time dev-1 loses a node: orders and returns fail as well.`,
    );
    await brakes(stage, bad, /it is the destination, not the commit/);
    for (const name of names) world.argocd.setHealth(`${name}-dev-1`, undefined);
    stage.say('The node is back, and payments-dev-1 is Degraded still.');
    await oneRevert(stage, repository, 8);
  },
  after: (stage) => mergeAndRecover(stage, repository),
};

export const threshold: Story = {
  name: 'threshold',
  about:
    'Two Applications of staging must fail before it counts, and one does: there is no revert until then.',
  async play(stage) {
    const { world } = stage;
    await everywhereOnVersionOne(stage);
    configure(stage, 'thresholds:\n  staging: 2\nignore:\n  applications: ["*-dev-1"]\n');
    push(world, repository, 'payments: version 2', {
      [config]: workload('payments', {
        version: '2',
        'health.staging-1': 'Degraded',
        'health.staging-2': 'Degraded',
        message: 'exit code 1',
      }),
    });
    const codes = (): readonly string[] =>
      stage.answer('payments')?.answer.rollout.reasons.map((reason) => reason.code) ?? [];
    await stage.expect('one failure is not enough', () => codes().includes('below-threshold'), 8);
    if (reverts(world, repository).length > 0) throw new StoryFault('One failure was enough.');
  },
};
