/**
 * Changes that share a repository: two ApplicationSets hit by one commit, innocent commits around a bad one, and a later
 * commit that stands in the way of the revert.
 */
import { createSet, land, merge, push, reverts, type Story, StoryFault, workload } from '../story.ts';
import {
  everywhereOnVersionOne,
  isHealthyEverywhere,
  mergeAndRecover,
  oneComment,
  oneRevert,
  repository,
} from './staging.ts';

export const twoSets: Story = {
  name: 'two-sets',
  about:
    'One commit changes two ApplicationSets; one breaks in dev, the other in staging. One revert answers both.',
  async play(stage) {
    const { world } = stage;
    const shop = 'acme/shop';
    world.github.createRepository({
      owner: 'acme',
      name: 'shop',
      files: {
        'apps/orders/config.json': workload('orders', { version: '1' }),
        'apps/returns/config.json': workload('returns', { version: '1' }),
      },
    });
    for (const name of ['orders', 'returns']) createSet(world, { name, repository: shop });
    await stage.expect(
      'both are Healthy everywhere',
      () => ['orders', 'returns'].every((name) => isHealthyEverywhere(stage, name)),
      6,
    );
    const bad = land(world, shop, 'shop: new price format', {
      'apps/orders/config.json': workload('orders', {
        version: '2',
        'health.dev-1': 'Degraded',
        message: 'cannot parse price',
      }),
      'apps/returns/config.json': workload('returns', {
        version: '2',
        'health.staging-1': 'Degraded',
        message: 'cannot parse price',
      }),
    });
    stage.say(`Dana merges #${bad}, which changes orders and returns.`);
    const number = await oneRevert(stage, shop);
    await oneComment(stage, shop, bad);
    await stage.expect(
      'the revert speaks of both',
      () => /orders/.test(bodyOf(number)) && /returns/.test(bodyOf(number)),
      6,
    );
    if (reverts(world, shop).length !== 1) throw new StoryFault('There should be one revert for both.');
    function bodyOf(of: number): string {
      return world.github.pullRequest(shop, of)?.body ?? '';
    }
  },
  after: (stage) => mergeAndRecover(stage, 'acme/shop', ['orders', 'returns']),
};

export const monorepo: Story = {
  name: 'monorepo',
  about: 'Innocent commits land before and after the bad one: they stay.',
  async play(stage) {
    const { world } = stage;
    await everywhereOnVersionOne(stage);
    push(world, repository, 'docs: how to pay', { 'docs/pay.md': 'Slowly.\n' }, 'sam');
    const bad = land(world, repository, 'payments: new ledger endpoint', {
      'apps/payments/config.json': workload('payments', {
        version: '2',
        'health.dev-1': 'Degraded',
        message: 'back-off restarting failed container',
      }),
    });
    push(world, repository, 'docs: how to be paid', { 'docs/paid.md': 'Quickly.\n' }, 'sam');
    stage.say(`A commit before #${bad} and one after it touch only docs.`);
    const number = await oneRevert(stage, repository);
    await oneComment(stage, repository, bad);
    const files = world.github.filesOfPullRequest(repository, number).map((file) => file.path);
    if (files.join() !== 'apps/payments/config.json')
      throw new StoryFault(
        `The revert should change apps/payments/config.json alone, and changes ${files.join(', ')}.`,
      );
  },
  after: (stage) => mergeAndRecover(stage, repository),
};

export const conflict: Story = {
  name: 'conflict',
  about: 'A later commit changed the same line: Stepback names it and opens nothing that cannot be merged.',
  async play(stage) {
    const { world } = stage;
    const path = 'apps/payments/config.json';
    await everywhereOnVersionOne(stage);
    const bad = land(world, repository, 'payments: new ledger endpoint', {
      [path]: workload('payments', { version: '2', 'health.dev-1': 'Degraded', message: 'exit code 1' }),
    });
    await stage.expect(
      'dev-1 is Degraded',
      () =>
        stage.answer('payments')?.answer.rollout.reasons.some((reason) => reason.code === 'grace-time') ===
        true,
      4,
    );
    // An image updater writes over the same line before anybody looks; Argo CD is not told in time.
    world.github.commit(repository, {
      author: 'image-updater',
      message: 'payments: version 3',
      files: {
        [path]: workload('payments', { version: '3', 'health.dev-1': 'Degraded', message: 'exit code 1' }),
      },
    });
    stage.say('The image updater writes version 3 over the bad line.');
    await stage.expect(
      `Stepback says on #${bad} what stands in the way`,
      () =>
        world.github
          .comments(repository, bad)
          .some((comment) => comment.user === world.github.app.botLogin && comment.body.includes(path)),
      8,
    );
    if (reverts(world, repository).length > 0)
      throw new StoryFault('There is a revert although it conflicts.');
  },
};

export const fixedForward: Story = {
  name: 'fixed-forward',
  about: 'A person fixes forward instead of merging the revert: Stepback closes it with a word.',
  async play(stage) {
    const { world } = stage;
    const path = 'apps/payments/config.json';
    await everywhereOnVersionOne(stage);
    land(world, repository, 'payments: new ledger endpoint', {
      [path]: workload('payments', { version: '2', 'health.staging-1': 'Degraded', message: 'exit code 1' }),
    });
    const number = await oneRevert(stage, repository);
    stage.say(`Dana does not merge #${number} but a fix.`);
    const fix = world.github.propose(repository, {
      by: 'dana',
      branch: 'fix',
      title: 'payments: mend the ledger',
      files: { [path]: workload('payments', { version: '3' }) },
    });
    merge(world, repository, fix, 'dana', 'squash');
    await stage.expect(
      'the revert is closed',
      () => world.github.pullRequest(repository, number)?.state === 'closed',
      12,
    );
    await stage.expect('version 3 is Healthy everywhere', () => isHealthyEverywhere(stage, 'payments'), 10);
  },
};
