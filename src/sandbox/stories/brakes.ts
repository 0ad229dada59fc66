/**
 * The brakes that people pull: a kill switch, limits, ages, changes that are never to be reverted. Each holds, says so
 * where the change can be read of, and lets go when its cause is gone.
 */
import { merge, push, reverts, type StageDirector, type Story, StoryFault, workload } from '../story.ts';
import { badConfig, config, landBad, saidOn } from './bad-change.ts';
import {
  configure,
  everywhereOnVersionOne,
  isHealthyEverywhere,
  mergeAndRecover,
  oneRevert,
  repository,
} from './staging.ts';

/** Waits for the word; then there must be no revert, for some minutes more. */
export async function brakes(stage: StageDirector, number: number, word: RegExp, minutes = 8): Promise<void> {
  await stage.expect(
    `Stepback says on #${number} why there is no revert`,
    () => word.test(saidOn(stage, number)),
    minutes,
  );
  await stage.conductor.pass(4 * 60_000);
  if (reverts(stage.world, repository).some((one) => one.state === 'open'))
    throw new StoryFault('There is a revert although a brake holds.');
}

/** Dana, who may write, opens an issue that stops Stepback; gives its number. */
export function stop({ world }: StageDirector): number {
  world.github.addCollaborator(repository, 'dana', 'write');
  return world.github.openIssue(repository, {
    by: 'dana',
    title: 'We migrate the database tonight',
    labels: ['stepback: stop'],
  });
}

export const stopped: Story = {
  name: 'stopped',
  about: 'Somebody opens an issue labelled "stepback: stop": people are told, and nothing else is written.',
  async play(stage) {
    const { github } = stage.world;
    await everywhereOnVersionOne(stage);
    const issue = stop(stage);
    stage.say(`Dana opens #${issue} with the label "stepback: stop".`);
    const bad = landBad(stage);
    await brakes(stage, bad, /stopped in this repository by #\d+/);
    github.edit(repository, issue, { by: 'dana', state: 'closed' });
    stage.say(`Dana closes #${issue}.`);
    await oneRevert(stage, repository, 6);
  },
  after: (stage) => mergeAndRecover(stage, repository),
};

export const stoppedLater: Story = {
  name: 'stopped-later',
  about:
    'Stepback is stopped while a revert is open: it does not touch its branch, and says so in the revert.',
  async play(stage) {
    const { github } = stage.world;
    await everywhereOnVersionOne(stage);
    landBad(stage);
    const number = await oneRevert(stage, repository);
    const head = github.pullRequest(repository, number)?.head.sha;
    const issue = stop(stage);
    push(stage.world, repository, 'payments: owners', { 'apps/payments/OWNERS': 'payments\n' }, 'sam');
    const body = (): string => github.pullRequest(repository, number)?.body ?? '';
    await stage.expect('the revert says so', () => /Stepback is stopped/.test(body()), 8);
    if (github.pullRequest(repository, number)?.head.sha !== head)
      throw new StoryFault('The branch moved although Stepback was stopped.');
    github.unlabel(repository, issue, 'stepback: stop', 'dana');
    await stage.expect('the revert does not say so any more', () => !/is stopped/.test(body()), 8);
  },
  after: (stage) => mergeAndRecover(stage, repository),
};

export const stoppedEverywhere: Story = {
  name: 'stopped-everywhere',
  about: 'The installation itself is stopped by its setting: people are told, and nothing else is written.',
  isStopped: true,
  async play(stage) {
    await everywhereOnVersionOne(stage);
    const bad = landBad(stage);
    await brakes(stage, bad, /stopped for the whole installation/);
  },
};

export const limit: Story = {
  name: 'limit',
  about:
    'One revert a day is allowed, and a second change fails: one issue says so, and no revert is opened.',
  async play(stage) {
    const { world } = stage;
    await everywhereOnVersionOne(stage);
    configure(stage, 'limits:\n  applicationSet: 1\n');
    landBad(stage);
    await oneRevert(stage, repository);
    await mergeAndRecover(stage, repository);
    push(world, repository, 'payments: hotfix', badConfig('3'), 'sam');
    stage.say('The next change, pushed by Sam without a pull request, fails as well.');
    const issues = () =>
      world.github.issues(repository).filter((one) => one.user === world.github.app.botLogin);
    await stage.expect('an issue says that the limit is reached', () => issues().length > 0, 8);
    await stage.conductor.pass(5 * 60_000);
    const [only, ...others] = issues();
    if (only === undefined || others.length > 0) throw new StoryFault('There should be one issue.');
    if (!only.labels.includes('stepback') || !/limit/.test(only.body ?? ''))
      throw new StoryFault('The issue does not say that the limit is reached.');
    if (reverts(world, repository).length !== 1) throw new StoryFault('There is a revert over the limit.');
  },
  async after(stage) {
    const { world } = stage;
    push(world, repository, 'payments: mend it', { [config]: workload('payments', { version: '4' }) }, 'sam');
    const isClosed = (): boolean =>
      world.github
        .issues(repository)
        .some((one) => one.user === world.github.app.botLogin && one.state === 'closed');
    await stage.expect('the issue is closed when it is well again', isClosed, 12);
    await stage.expect('version 4 is Healthy everywhere', () => isHealthyEverywhere(stage, 'payments'), 10);
    await stage.conductor.pass(10 * 60_000);
  },
};

export const failureTooOld: Story = {
  name: 'failure-too-old',
  about: 'When Stepback may act again, the failure is older than is configured: people live with it by now.',
  async play(stage) {
    const { github } = stage.world;
    await everywhereOnVersionOne(stage);
    configure(stage, 'times:\n  failureTooOld: 10m\n');
    const issue = stop(stage);
    const bad = landBad(stage);
    await brakes(stage, bad, /stopped in this repository/);
    await stage.conductor.pass(8 * 60_000);
    github.edit(repository, issue, { by: 'dana', state: 'closed' });
    stage.say('The stop is lifted when dev-1 has been failing for more than ten minutes.');
    await brakes(stage, bad, /failing since .* longer than/);
  },
};

export const culpritTooOld: Story = {
  name: 'culprit-too-old',
  about: 'The change landed longer ago than is configured before it broke anything: much may build on it.',
  async play(stage) {
    const { world } = stage;
    await everywhereOnVersionOne(stage);
    configure(stage, 'times:\n  culpritTooOld: 5m\n');
    const bad = world.github.propose(repository, {
      by: 'dana',
      branch: 'cache',
      title: 'payments: cache in memory',
      files: { [config]: workload('payments', { version: '2' }) },
    });
    merge(world, repository, bad, 'dana', 'squash');
    await stage.conductor.pass(8 * 60_000);
    world.argocd.setHealth('payments-dev-1', {
      status: 'Degraded',
      message: 'OOMKilled: container payments',
    });
    stage.say('Eight minutes after the change dev-1 runs out of memory.');
    await brakes(stage, bad, /landed at .* longer ago than/);
  },
};

export const optedOut: Story = {
  name: 'opted-out',
  about: 'The change has the label with which changes are never reverted: Stepback says so and leaves it.',
  async play(stage) {
    await everywhereOnVersionOne(stage);
    const bad = landBad(stage, ['stepback: skip']);
    await brakes(stage, bad, /never reverted/);
    stage.world.github.unlabel(repository, bad, 'stepback: skip', 'dana');
    stage.say('Dana takes the label off.');
    await oneRevert(stage, repository, 8);
  },
  after: (stage) => mergeAndRecover(stage, repository),
};
