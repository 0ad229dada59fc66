/**
 * The revert is noticed and synced, and yet: an object would have to be deleted, something keeps changing one, a later commit
 * landed meanwhile, or the revert that was merged is somebody else's.
 */
import { merge, push, type Story, StoryFault, workload } from '../story.ts';
import {
  awayWith,
  backAgain,
  config,
  everyApplicationIsBack,
  expectAids,
  expectWords,
  revertInStaging,
  versionIn,
} from './recover.ts';
import { repository } from './staging.ts';

const extra = 'apps/payments/extra.json';
const allAtOnce = { maxUpdates: ['100%', '100%', 1] };

export const needsPrune: Story = {
  name: 'recover-prune',
  about: 'The bad commit added an object and the template does not prune: Stepback names what is left over.',
  limits: { recover: 'sync' },
  async play(stage) {
    const { revert } = await revertInStaging(stage, {
      files: { [extra]: workload('ledger-cache', { size: '1' }) },
      options: { ...allAtOnce, prune: false },
    });
    merge(stage.world, repository, revert);
    stage.say(`Dana merges the revert, #${revert}.`);
    await expectWords(stage, revert, 'what is to be deleted', /ConfigMap ledger-cache.*--prune/);
    await stage.conductor.pass(5 * 60_000);
    expectAids(stage, []);
  },
  async after(stage) {
    for (const { metadata } of stage.world.store.list('applications'))
      stage.world.argocd.syncByHand(metadata.name, { prune: true });
    stage.say('Dana syncs with --prune.');
    await everyApplicationIsBack(stage, 2);
  },
};

export const neverInSync: Story = {
  name: 'recover-out-of-sync',
  about: 'Something in staging-1 changes the object after every sync: it has the revert and stays OutOfSync.',
  limits: { recover: 'sync' },
  async play(stage) {
    const { revert } = await revertInStaging(stage, { options: allAtOnce });
    stage.world.argocd.setMeddled('payments-staging-1', true);
    merge(stage.world, repository, revert);
    stage.say(`A new admission webhook changes what staging-1 gets; Dana merges the revert, #${revert}.`);
    await expectWords(
      stage,
      revert,
      'that it stays OutOfSync',
      /stays OutOfSync all the same.*ConfigMap payments/,
      8,
    );
    await stage.conductor.pass(10 * 60_000);
    expectAids(stage, []);
  },
  async after(stage) {
    stage.world.argocd.setMeddled('payments-staging-1', false);
    stage.world.argocd.syncByHand('payments-staging-1');
    stage.say('Dana takes the webhook away and syncs staging-1.');
    await everyApplicationIsBack(stage, 2);
  },
};

export const laterCommit: Story = {
  name: 'recover-later-commit',
  about: 'A later commit lands after the revert: Stepback, which may sync, does not bring that one anywhere.',
  limits: { recover: 'sync' },
  async play(stage) {
    const { revert } = await revertInStaging(stage, { options: allAtOnce });
    awayWith(stage, 'dev-1');
    await stage.conductor.pass(20_000);
    merge(stage.world, repository, revert);
    stage.say(`dev-1 cannot be reached, and Dana merges the revert, #${revert}.`);
    const next = { [config]: workload('payments', { version: '3' }) };
    push(stage.world, repository, 'payments: version 3', next, 'sam');
    stage.say('Sam pushes version 3 right after it.');
    await expectWords(stage, revert, 'what holds them', /later commit than the revert/, 8);
    await stage.conductor.pass(10 * 60_000);
    expectAids(stage, []);
    if (versionIn(stage, 'payments-staging-1') !== '2')
      throw new StoryFault('Something brought another commit to staging-1.');
  },
  async after(stage) {
    backAgain(stage, 'dev-1');
    stage.say('dev-1 can be reached again, and the rollout brings version 3 everywhere.');
    await everyApplicationIsBack(stage, 2);
  },
};
