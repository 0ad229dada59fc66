/** After the merge nobody looks: a webhook is lost, or a sync window opens, which wakes nobody. A refresh helps. */
import { merge, type Story, StoryFault } from '../story.ts';
import {
  asleep,
  everyApplicationIsBack,
  expectAids,
  expectWords,
  mergeUnnoticed,
  revertInStaging,
  versionIn,
} from './recover.ts';
import { repository } from './staging.ts';

export const unnoticed: Story = {
  name: 'recover-unnoticed',
  about: 'Argo CD does not notice the merged revert; Stepback may refresh, does, and all come back.',
  habits: asleep,
  limits: { recover: 'refresh' },
  async play(stage) {
    const { revert } = await revertInStaging(stage);
    mergeUnnoticed(stage, revert);
    await expectWords(stage, revert, 'that the revert is not noticed', /not been compared with the revert/);
    await expectWords(stage, revert, 'that it asked for a look', /I asked Argo CD to compare/, 4);
  },
  after: (stage) => everyApplicationIsBack(stage, 2),
};

export const unnoticedAdvice: Story = {
  name: 'recover-advice',
  about: 'The same where Stepback may only advise: it gives the command, and Dana types it.',
  habits: asleep,
  async play(stage) {
    const { revert } = await revertInStaging(stage, { options: { maxUpdates: ['100%', '100%', 1] } });
    mergeUnnoticed(stage, revert);
    await expectWords(stage, revert, 'which command helps', /argocd app get \S+ --refresh/);
    await stage.conductor.pass(10 * 60_000);
    expectAids(stage, []);
  },
  async after(stage) {
    for (const { metadata } of stage.world.store.list('applications'))
      stage.world.argocd.refresh(metadata.name);
    stage.say('Dana refreshes every Application by hand.');
    await everyApplicationIsBack(stage, 2);
  },
};

export const windowOpens: Story = {
  name: 'recover-window',
  about: 'A sync window closes before the revert lands; when it opens nobody wakes, and Stepback refreshes.',
  habits: asleep,
  limits: { recover: 'refresh' },
  async play(stage) {
    const { revert } = await revertInStaging(stage, { options: { maxUpdates: ['100%', '100%', 1] } });
    stage.world.argocd.closeWindow('staging-1');
    merge(stage.world, repository, revert);
    stage.say(`A sync window closes over staging-1, and Dana merges the revert, #${revert}.`);
    await expectWords(stage, revert, 'that staging-1 waits for its window', /waits for a sync window/);
    if (versionIn(stage, 'payments-staging-1') !== '2')
      throw new StoryFault('staging-1 is back although its window is closed.');
  },
  async after(stage) {
    stage.world.argocd.openWindow();
    stage.say('The window opens.');
    await everyApplicationIsBack(stage, 2);
  },
};
