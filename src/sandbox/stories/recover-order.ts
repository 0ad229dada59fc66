/** Who comes back after whom: a stage that only a person moves, an earlier stage on its way, a cluster that is away. */
import type { ApplicationSetObject } from '../argocd/objects.ts';
import { merge, type Story } from '../story.ts';
import {
  awayWith,
  backAgain,
  everyApplicationIsBack,
  expectAids,
  expectWords,
  revertInStaging,
  versionIn,
} from './recover.ts';
import { repository } from './staging.ts';

export const gate: Story = {
  name: 'recover-gate',
  about: 'prod moves only by hand and prod-3 has the bad commit: Stepback says so and leaves it to people.',
  limits: { recover: 'sync' },
  async play(stage) {
    const { revert, commit } = await revertInStaging(stage);
    const set = stage.world.store.get<ApplicationSetObject>('applicationsets', 'argocd', 'payments');
    const steps = set?.spec.strategy?.rollingSync?.steps?.map((step, index) =>
      index === 2 ? { ...step, maxUpdate: 0 } : step,
    );
    const patch = { spec: { strategy: { rollingSync: { steps } } } };
    stage.world.store.patchMerge('applicationsets', 'argocd', 'payments', patch);
    stage.world.argocd.syncByHand('payments-prod-3', { username: 'sam', revision: commit });
    stage.say('Sam had synced prod-3 by hand.');
    await stage.expect('prod-3 has the bad commit', () => versionIn(stage, 'payments-prod-3') === '2', 3);
    merge(stage.world, repository, revert);
    stage.say(`Dana merges the revert, #${revert}.`);
    await expectWords(stage, revert, 'that prod moves only by hand', /prod-3` waits for a person/);
    await stage.conductor.pass(10 * 60_000);
    expectAids(stage, []);
  },
  async after(stage) {
    stage.world.argocd.syncByHand('payments-prod-3');
    stage.say('Dana syncs prod-3.');
    await everyApplicationIsBack(stage, 2);
  },
};

export const behindAStage: Story = {
  name: 'recover-behind',
  about: 'prod-2 got the bad commit ahead of its turn and comes back in its turn, after staging.',
  limits: { recover: 'sync' },
  habits: { noticeSpreadMs: 4_000, noticeFirst: ['payments-prod-2', 'payments-staging-1', 'payments-dev-1'] },
  async play(stage) {
    const { revert } = await revertInStaging(stage);
    stage.world.argocd.habits.noticeFirst = [];
    stage.world.argocd.habits.noticeSpreadMs = 40;
    // Going back takes staging-1 its time.
    stage.world.argocd.setHealth('payments-staging-1', {
      status: 'Progressing',
      message: 'moving data back',
      isLasting: true,
    });
    merge(stage.world, repository, revert);
    stage.say(`Dana merges the revert, #${revert}; staging-1 takes its time.`);
    await expectWords(
      stage,
      revert,
      'that prod-2 waits for staging',
      /prod-2` waits for .*staging.*comes first/,
    );
    await stage.conductor.pass(3 * 60_000);
    expectAids(stage, []);
  },
  async after(stage) {
    stage.world.argocd.setHealth('payments-staging-1', undefined);
    stage.say('staging-1 has moved its data back.');
    await everyApplicationIsBack(stage, 2);
  },
};

export const unreachable: Story = {
  name: 'recover-unreachable',
  about:
    'A cluster goes away before the revert lands: Stepback names it and syncs those that wait behind it.',
  limits: { recover: 'sync' },
  async play(stage) {
    const { revert } = await revertInStaging(stage, { options: { maxUpdates: ['100%', '100%', 1] } });
    awayWith(stage, 'dev-1');
    stage.say('The credentials of dev-1 expire.');
    await stage.conductor.pass(20_000);
    merge(stage.world, repository, revert);
    stage.say(`Dana merges the revert, #${revert}.`);
    await expectWords(stage, revert, 'who is in the way', /behind `payments-dev-1`/);
    await stage.expect('the neighbours are back', () => versionIn(stage, 'payments-staging-1') === '1', 6);
    await expectWords(
      stage,
      revert,
      'that dev-1 cannot be reached',
      /dev-1` cannot be reached by Argo CD/,
      4,
    );
  },
  async after(stage) {
    backAgain(stage, 'dev-1');
    stage.say('dev-1 can be reached again.');
    await everyApplicationIsBack(stage, 2);
  },
};
