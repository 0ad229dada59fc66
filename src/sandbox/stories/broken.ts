/**
 * Changes that never get as far as running: manifests that cannot be rendered, objects that the API server refuses, hooks
 * that never end; and the very first commit, which leaves nothing to go back to.
 */
import { createSet, land, push, reverts, type Story, StoryFault, workload } from '../story.ts';
import {
  commitEverywhere,
  everywhereOnVersionOne,
  isHealthyEverywhere,
  mergeAndRecover,
  oneComment,
  oneRevert,
  repository,
} from './staging.ts';

const config = 'apps/payments/config.json';

export const renderError: Story = {
  name: 'render-error',
  about: 'The change cannot be rendered: every stage shows an error at once and nothing is deployed.',
  async play(stage) {
    await everywhereOnVersionOne(stage);
    const bad = land(stage.world, repository, 'payments: shard count', {
      [config]: '{ "apiVersion": "v1", "kind": "ConfigMap", ',
    });
    stage.say(`Dana merges #${bad}, which no one can render.`);
    await oneRevert(stage, repository);
    await oneComment(stage, repository, bad);
  },
  after: (stage) => mergeAndRecover(stage, repository),
};

export const syncFailed: Story = {
  name: 'sync-failed',
  about: 'The API server refuses an object of the change; Argo CD retries for minutes.',
  async play(stage) {
    await everywhereOnVersionOne(stage);
    const bad = land(stage.world, repository, 'payments: expose metrics', {
      [config]: workload('payments', {
        version: '2',
        'refuse.dev-1': 'admission webhook "policy.acme.example" denied the request: no owner label',
      }),
    });
    stage.say(`Dana merges #${bad}. The API server of dev-1 refuses it.`);
    await oneRevert(stage, repository);
    await oneComment(stage, repository, bad);
  },
  after: (stage) => mergeAndRecover(stage, repository),
};

export const directPush: Story = {
  name: 'direct-push',
  about: 'The bad commit was pushed without a pull request: the revert names its author.',
  async play(stage) {
    await everywhereOnVersionOne(stage);
    push(
      stage.world,
      repository,
      'payments: hotfix',
      { [config]: workload('payments', { version: '2', health: 'Degraded', message: 'exit code 1' }) },
      'sam',
    );
    stage.say('Sam pushes a hotfix to main, without a pull request.');
    const number = await oneRevert(stage, repository);
    if (!stage.world.github.pullRequest(repository, number)?.body.includes('sam'))
      throw new StoryFault('The revert does not say who pushed the commit.');
  },
  after: (stage) => mergeAndRecover(stage, repository),
};

export const noBaseline: Story = {
  name: 'no-baseline',
  about: 'The very first commit is bad: there is nothing to go back to, and Stepback says so.',
  async play(stage) {
    const { world } = stage;
    world.github.createRepository({
      owner: 'acme',
      name: 'payments',
      files: {
        [config]: workload('payments', { version: '1', 'health.dev-1': 'Degraded', message: 'exit code 1' }),
      },
    });
    createSet(world, { name: 'payments', repository });
    stage.say('The first version is deployed, and dev-1 never becomes Healthy.');
    await stage.expect(
      'Stepback calls it failed',
      () => stage.answer('payments')?.answer.rollout.verdict === 'failed',
      8,
    );
    const culprit = stage.answer('payments')?.culprit;
    if (culprit?.kind !== 'none' || culprit.reason !== 'no-baseline')
      throw new StoryFault('Stepback does not say that there is nothing to go back to.');
    if (reverts(world, repository).length > 0)
      throw new StoryFault('There is a revert although there is nothing to go back to.');
  },
};

export const noLabels: Story = {
  name: 'no-labels',
  about: 'The ApplicationSet of a well-known guide: steps select a label that the template does not set.',
  async play(stage) {
    const { world } = stage;
    world.github.createRepository({
      owner: 'acme',
      name: 'payments',
      files: { [config]: workload('payments', { version: '1' }) },
    });
    createSet(world, { name: 'payments', repository, labels: null });
    stage.say('An ApplicationSet is created whose template copies no label of the clusters.');
    await stage.expect(
      'Stepback calls it misconfigured',
      () => stage.answer('payments')?.answer.rollout.verdict === 'misconfigured',
      5,
    );
    const reason = stage
      .answer('payments')
      ?.answer.rollout.reasons.find((one) => one.code === 'no-application-in-a-step');
    if (!reason?.message.includes("env: '{{metadata.labels.env}}'"))
      throw new StoryFault('Stepback does not say which lines to add.');
  },
};

export const heals: Story = {
  name: 'heals',
  about: 'staging-1 is Degraded for a moment and recovers by itself: nothing is opened.',
  async play(stage) {
    await everywhereOnVersionOne(stage);
    land(stage.world, repository, 'payments: warm caches', {
      [config]: workload('payments', {
        version: '2',
        'health.staging-1': 'Degraded for 20s then Healthy',
        message: 'warming up',
      }),
    });
    stage.say('Dana merges a change that needs a moment in staging-1.');
    await stage.expect(
      'version 2 is Healthy everywhere',
      () =>
        isHealthyEverywhere(stage, 'payments') &&
        commitEverywhere(stage, 'payments') === stage.world.github.head(repository),
      12,
    );
    if (reverts(stage.world, repository).length > 0)
      throw new StoryFault('There is a revert although nothing failed for longer than the grace time.');
  },
};
