/**
 * Operations on the bad commit that outlive the merge of its revert: a hook that runs and runs, one that ended and applied
 * the bad commit after all, a retry that takes the revert by itself, and one that names the bad commit and never will.
 */

import { merge, type StageDirector, type Story, StoryFault } from '../story.ts';
import { stop } from './brakes.ts';
import {
  everyApplicationIsBack,
  expectAids,
  expectWords,
  revertInStaging,
  triesIn,
  versionIn,
} from './recover.ts';
import { repository } from './staging.ts';

const path = 'apps/payments/migrate.json';
const job = `${JSON.stringify({
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
})}\n`;
const allAtOnce = { maxUpdates: ['100%', '100%', 1] };

/** Up to the moment when the hook has ended after the merge, and the bad commit was applied in staging-2 after all. */
async function lateHookEnds(stage: StageDirector): Promise<number> {
  const { revert } = await revertInStaging(stage, { files: { [path]: job }, options: allAtOnce });
  merge(stage.world, repository, revert);
  stage.say(`Dana merges the revert, #${revert}.`);
  await stage.conductor.pass(20_000);
  stage.world.argocd.finishHook('payments-staging-2');
  stage.say('The hook ends in staging-2, and the bad commit is applied there after all.');
  await stage.expect('staging-2 has the bad commit', () => versionIn(stage, 'payments-staging-2') === '2', 2);
  return revert;
}

export const hookRuns: Story = {
  name: 'recover-hook-runs',
  about: 'A hook of the bad commit never ends in staging-2: Stepback ends the operation.',
  limits: { recover: 'sync' },
  async play(stage) {
    const { revert } = await revertInStaging(stage, { files: { [path]: job }, options: allAtOnce });
    merge(stage.world, repository, revert);
    stage.say(`Dana merges the revert, #${revert}. In staging-2 the hook runs and runs.`);
    await expectWords(
      stage,
      revert,
      'that the bad commit is still under way',
      /staging-2` has a sync of the bad/,
    );
    await expectWords(
      stage,
      revert,
      'that it ended it',
      /I ended the operation|I asked Argo CD to sync it/,
      6,
    );
  },
  async after(stage) {
    await everyApplicationIsBack(stage, 2);
    expectAids(stage, ['terminate payments-staging-2']);
  },
};

export const hookEnded: Story = {
  name: 'recover-hook-ended',
  about: 'A hook ends after the merge and the bad commit is applied after all: Stepback syncs staging-2.',
  limits: { recover: 'sync' },
  async play(stage) {
    const revert = await lateHookEnds(stage);
    await expectWords(stage, revert, 'that a sync was asked for', /staging-2.*I asked Argo CD to sync it/, 6);
  },
  async after(stage) {
    await everyApplicationIsBack(stage, 2);
    expectAids(stage, ['sync payments-staging-2']);
  },
};

export const noSyncComes: Story = {
  name: 'recover-no-sync',
  about: 'The same where Stepback may refresh, which does not help: it says that only a sync does.',
  limits: { recover: 'refresh' },
  async play(stage) {
    const revert = await lateHookEnds(stage);
    await expectWords(stage, revert, 'that no sync is coming', /no sync is coming/);
    await stage.conductor.pass(10 * 60_000);
    expectAids(stage, []);
  },
  async after(stage) {
    stage.world.argocd.syncByHand('payments-staging-2');
    stage.say('Dana syncs staging-2 by hand.');
    await everyApplicationIsBack(stage, 2);
  },
};

export const stoppedAfterTheMerge: Story = {
  name: 'recover-stopped',
  about:
    'Stepback is to sync and somebody stopped it: nothing is done to the cluster until the stop is over.',
  limits: { recover: 'sync' },
  async play(stage) {
    const { github } = stage.world;
    const revert = await lateHookEnds(stage);
    const issue = stop(stage);
    stage.say(`Dana opens #${issue} with the label "stepback: stop".`);
    await stage.conductor.pass(10 * 60_000);
    expectAids(stage, []);
    await expectWords(stage, revert, 'that a sync helps', /no sync is coming/, 2);
    github.edit(repository, issue, { by: 'dana', state: 'closed' });
    stage.say(`Dana closes #${issue}.`);
  },
  async after(stage) {
    await everyApplicationIsBack(stage, 2);
    expectAids(stage, ['sync payments-staging-2']);
  },
};

export const forbidden: Story = {
  name: 'recover-forbidden',
  about: 'Stepback is to sync, and the cluster does not let it: it names the file that gives the right.',
  limits: { recover: 'sync' },
  async play(stage) {
    const [user] = stage.world.kubernetes.users;
    // What deploy/rbac.yaml gives, and not deploy/rbac-recover.yaml.
    if (user !== undefined)
      user.allow = [
        { verbs: ['get', 'list', 'watch'], resources: ['*'] },
        { verbs: ['*'], resources: ['*'], groups: ['stepback.dev', 'authorization.k8s.io'] },
      ];
    const revert = await lateHookEnds(stage);
    await expectWords(
      stage,
      revert,
      'which file gives the right',
      /I may not sync it.*rbac-recover\.yaml/,
      8,
    );
    if (versionIn(stage, 'payments-staging-2') !== '2')
      throw new StoryFault('staging-2 is back although nobody may sync it.');
  },
  async after(stage) {
    stage.world.argocd.syncByHand('payments-staging-2');
    stage.say('Dana syncs staging-2 herself.');
    await everyApplicationIsBack(stage, 2);
  },
};

export const retryWaits: Story = {
  name: 'recover-retry',
  about: 'A failed sync waits for its retry when the revert lands, and takes it by itself: nothing to do.',
  limits: { recover: 'sync' },
  async play(stage) {
    const { revert } = await revertInStaging(stage, {
      data: {
        'refuse.staging-1': 'admission webhook "policy.acme.example" denied the request: no owner label',
      },
      options: { maxUpdates: ['100%', '100%', 1] },
    });
    await stage.expect(
      'the next try is more than a minute away',
      () => triesIn(stage, 'payments-staging-1') >= 4,
      4,
    );
    merge(stage.world, repository, revert);
    stage.say(`Dana merges the revert, #${revert}, while staging-1 waits for its next try.`);
    await expectWords(stage, revert, 'that the retry takes it', /waits for its retry[\s\S]*nothing to do/, 2);
  },
  async after(stage) {
    await everyApplicationIsBack(stage, 2);
    expectAids(stage, []);
  },
};

export const pinnedRetry: Story = {
  name: 'recover-pinned-retry',
  about: 'A sync by hand names the bad commit and tries it again and again: Stepback ends it.',
  limits: { recover: 'sync' },
  async play(stage) {
    const { revert, commit } = await revertInStaging(stage, {
      data: {
        'health.staging-1': 'Degraded',
        'refuse.prod-3': 'admission webhook "policy.acme.example" denied the request: no owner label',
        message: 'back-off restarting failed container',
      },
    });
    stage.world.argocd.syncByHand('payments-prod-3', {
      username: 'sam',
      revision: commit,
      retry: { limit: -1, backoff: { duration: '20s', factor: 1, maxDuration: '20s' } },
    });
    stage.say('Sam syncs prod-3 to the bad commit by hand, with as many retries as it takes.');
    await stage.conductor.pass(30_000);
    merge(stage.world, repository, revert);
    stage.say(`Dana merges the revert, #${revert}.`);
    await expectWords(stage, revert, 'that it is tried again and again', /names the bad commit itself/, 4);
  },
  async after(stage) {
    await everyApplicationIsBack(stage, 2);
    expectAids(stage, ['terminate payments-prod-3']);
  },
};

export const syncedByHand: Story = {
  name: 'recover-by-hand',
  about: 'Dana syncs staging-1 herself right after the merge: Stepback leaves it alone and says who is back.',
  limits: { recover: 'sync' },
  async play(stage) {
    const { revert } = await revertInStaging(stage, { options: allAtOnce });
    merge(stage.world, repository, revert);
    stage.world.argocd.syncByHand('payments-staging-1');
    stage.say(`Dana merges the revert, #${revert}, and syncs staging-1 herself.`);
    await stage.expect('staging-1 is back', () => versionIn(stage, 'payments-staging-1') === '1', 3);
    if (stage.world.github.pullRequest(repository, revert)?.state !== 'merged')
      throw new StoryFault('The revert is not merged.');
  },
  async after(stage) {
    await everyApplicationIsBack(stage, 2);
    expectAids(stage, []);
  },
};
