/** Failures that come, go and come again, in one place or in several, and one that comes back after the revert. */
import { land, merge, reverts, type StageDirector, type Story, StoryFault, workload } from '../story.ts';
import { badConfig, config, proposeRevert, saidOn } from './bad-change.ts';
import {
  everywhereOnVersionOne,
  isHealthyEverywhere,
  mergeAndRecover,
  oneComment,
  oneRevert,
  repository,
} from './staging.ts';

/** A new ledger endpoint that dev-1 bears now and then, as the script of its health says; gives the number of the pull request. */
function landChanging({ world }: StageDirector, health: string): number {
  return land(world, repository, 'payments: new ledger endpoint', {
    [config]: workload('payments', {
      version: '2',
      'health.dev-1': health,
      message: 'connection to the ledger refused',
    }),
  });
}

export const relapse: Story = {
  name: 'relapse',
  about:
    'dev-1 heals after the revert was opened, which is closed with a word; it fails again, and the same one opens.',
  async play(stage) {
    const { github } = stage.world;
    await everywhereOnVersionOne(stage);
    const bad = landChanging(stage, 'Degraded for 150s then Healthy for 180s then Degraded');
    stage.say(`Dana merges #${bad}. dev-1 is Degraded, but not for good.`);
    const number = await oneRevert(stage, repository);
    const stateOf = (): string | undefined => github.pullRequest(repository, number)?.state;
    await stage.expect(
      'the revert is closed when dev-1 is Healthy for a while',
      () => stateOf() === 'closed',
      6,
    );
    stage.say('dev-1 is Healthy again, and Stepback has closed the revert.');
    await stage.expect('the same revert is opened again', () => stateOf() === 'open', 6);
    await oneRevert(stage, repository);
    await oneComment(stage, repository, bad);
  },
  after: (stage) => mergeAndRecover(stage, repository),
};

export const goodAgain: Story = {
  name: 'good-again',
  about:
    'What healed stays well for the bake time: it is last good, and the next bad change is taken back alone.',
  revertsMax: 2,
  limits: { bakeMs: 10 * 60_000 },
  async play(stage) {
    const { world } = stage;
    await everywhereOnVersionOne(stage);
    landChanging(stage, 'Degraded for 240s then Healthy');
    const healed = await oneRevert(stage, repository);
    await stage.expect(
      'the revert is closed when dev-1 is well',
      () => world.github.pullRequest(repository, healed)?.state === 'closed',
      8,
    );
    await stage.conductor.pass(20 * 60_000);
    stage.say('For twenty minutes nothing happens. Then Sam merges a change that fails.');
    const bad = world.github.propose(repository, {
      by: 'sam',
      branch: 'cache',
      title: 'payments: cache in memory',
      files: badConfig('3'),
    });
    merge(world, repository, bad, 'sam', 'squash');
    await stage.expect('there is a second revert', () => reverts(world, repository).length === 2, 8);
    if (world.github.pullRequest(repository, healed)?.state !== 'closed')
      throw new StoryFault('The change that had healed is taken back too.');
  },
  after: (stage) => mergeAndRecover(stage, repository),
};

export const relapseBraked: Story = {
  name: 'relapse-braked',
  about:
    'What healed fails again, and Sam takes it back by hand meanwhile: the closed revert stays closed until he gives up.',
  async play(stage) {
    const { github } = stage.world;
    await everywhereOnVersionOne(stage);
    const bad = landChanging(stage, 'Degraded for 150s then Healthy for 180s then Degraded');
    const number = await oneRevert(stage, repository);
    const stateOf = (): string | undefined => github.pullRequest(repository, number)?.state;
    await stage.expect('the revert is closed when dev-1 is well', () => stateOf() === 'closed', 6);
    const theirs = proposeRevert(stage, bad);
    stage.say(`dev-1 is well, and my revert is closed. Sam trusts it less and opens #${theirs}.`);
    await stage.expect(
      'it is said that the revert stays closed, and why',
      () => new RegExp(`stays closed\\*\\*.*takes it back already with #${theirs}`).test(saidOn(stage, bad)),
      10,
    );
    await stage.conductor.pass(4 * 60_000);
    if (stateOf() !== 'closed') throw new StoryFault('There are two reverts of one change.');
    github.closePullRequest(repository, theirs, 'sam');
    stage.say(`Sam closes #${theirs}.`);
    await stage.expect('the same revert is opened again', () => stateOf() === 'open', 6);
    await oneRevert(stage, repository);
  },
  after: (stage) => mergeAndRecover(stage, repository),
};

export const twoStages: Story = {
  name: 'two-stages',
  about: 'dev-1 breaks late and staging-1 at once: one revert names both stages.',
  async play(stage) {
    await everywhereOnVersionOne(stage);
    const bad = land(stage.world, repository, 'payments: new ledger endpoint', {
      [config]: workload('payments', {
        version: '2',
        'health.dev-1': 'Healthy for 10s then Degraded',
        'health.staging-1': 'Degraded',
        message: 'connection to the ledger refused',
      }),
    });
    stage.say(`Dana merges #${bad}. It fails in dev and in staging.`);
    const number = await oneRevert(stage, repository);
    await oneComment(stage, repository, bad);
    await stage.expect(
      'the revert names both',
      () => {
        const body = stage.world.github.pullRequest(repository, number)?.body ?? '';
        return ['payments-dev-1', 'payments-staging-1'].every((name) => body.includes(name));
      },
      4,
    );
  },
  after: (stage) => mergeAndRecover(stage, repository),
};

const job = JSON.stringify({
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: {
    name: 'migrate',
    annotations: {
      'argocd.argoproj.io/hook': 'PreSync',
      'sandbox.stepback.dev/health': 'Healthy after 1s',
      'sandbox.stepback.dev/health.staging-2': 'Progressing',
    },
  },
});

export const lateHook: Story = {
  name: 'late-hook',
  about: 'A hook of the bad commit ends after the revert was merged: the bad commit is applied after all.',
  async play(stage) {
    const { world } = stage;
    await everywhereOnVersionOne(stage, { maxUpdates: ['100%', '100%', 1] });
    const bad = land(world, repository, 'payments: migrate the tables', {
      'apps/payments/migrate.json': `${job}\n`,
      [config]: workload('payments', {
        version: '2',
        'health.staging-1': 'Degraded',
        'health.staging-2': 'Degraded',
        message: 'table ledger is locked',
      }),
    });
    stage.say(`Dana merges #${bad}. staging-1 breaks, and in staging-2 its hook runs and runs.`);
    const number = await oneRevert(stage, repository);
    await oneComment(stage, repository, bad);
    merge(world, repository, number);
    stage.say(`Dana merges the revert, #${number}. The hook still runs.`);
    await stage.expect(
      'staging-1 is back',
      () => !(leftOf() ?? ['payments-staging-1']).includes('payments-staging-1'),
      6,
    );
    world.argocd.finishHook('payments-staging-2');
    stage.say('The hook ends, and Argo CD applies the bad commit in staging-2.');
    await stage.expect(
      'Stepback says that staging-2 is not back, and that a sync brings it back',
      () => {
        const body = world.github.pullRequest(repository, number)?.body ?? '';
        return (
          leftOf()?.includes('payments-staging-2') === true &&
          /no sync is coming.*sync payments-staging-2/.test(body)
        );
      },
      8,
    );
    function leftOf(): readonly string[] | undefined {
      const set = stage.answer('payments')?.incident?.sets[0];
      return set?.left.map((one) => one.application);
    }
  },
  async after(stage) {
    stage.world.argocd.syncByHand('payments-staging-2');
    stage.say('Dana syncs staging-2 by hand.');
    await stage.expect(
      'every Application is back',
      () => isHealthyEverywhere(stage, 'payments') && stage.answer('payments')?.answer.isRecovered === true,
      10,
    );
    const [incident] = await stage.world.loop.incidents();
    if (incident?.phase !== 'recovered')
      throw new StoryFault('The incident is not over although all are back.');
  },
};
