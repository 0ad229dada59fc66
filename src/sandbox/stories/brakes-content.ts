/**
 * People who take a change back in words of their own are known by what they do, and strangers who only say so keep
 * nobody from anything.
 */
import { merge, reverts, type StageDirector, type Story, StoryFault, workload } from '../story.ts';
import { config, goodConfig, landBad, saidOn } from './bad-change.ts';
import { brakes } from './brakes.ts';
import { asleep } from './recover.ts';
import {
  everywhereOnVersionOne,
  isHealthyEverywhere,
  mergeAndRecover,
  oneRevert,
  repository,
} from './staging.ts';

/** Sam proposes what there was before, and says nothing of a revert. */
function goBack({ world }: StageDirector): number {
  return world.github.propose(repository, {
    by: 'sam',
    branch: 'calm',
    title: 'payments: version 1 will do for tonight',
    files: goodConfig,
  });
}

export const inOtherWords: Story = {
  name: 'in-other-words',
  about:
    'Sam takes the change back without saying so: Stepback supports it, until he makes something else of it.',
  async play(stage) {
    const { world } = stage;
    await everywhereOnVersionOne(stage);
    const old = world.github.propose(repository, {
      by: 'dana',
      branch: 'docs',
      title: 'docs: how to pay',
      files: { 'docs/pay.md': 'Slowly.\n' },
    });
    const bad = landBad(stage);
    const theirs = goBack(stage);
    stage.say(
      `#${old} lies open since before the change. Sam opens #${theirs}, which brings version 1 back.`,
    );
    await brakes(stage, bad, new RegExp(`takes it back already with #${theirs}`));
    if (!/no revert of my own/.test(saidOn(stage, theirs)))
      throw new StoryFault(`There is no word of support on #${theirs}.`);
    world.github.commit(repository, {
      author: 'sam',
      branch: 'calm',
      message: 'payments: try version 3',
      files: { [config]: workload('payments', { version: '3' }) },
    });
    stage.say(`Sam pushes something else to #${theirs}: it takes nothing back any more.`);
    await oneRevert(stage, repository, 8);
  },
  after: (stage) => mergeAndRecover(stage, repository),
};

export const undoneInOtherWords: Story = {
  name: 'undone-in-other-words',
  about: 'Sam has merged what was there before, without saying so: that is followed like a revert.',
  habits: asleep,
  async play(stage) {
    const { world } = stage;
    await everywhereOnVersionOne(stage);
    landBad(stage);
    await stage.expect(
      'dev-1 is Degraded',
      () =>
        stage.answer('payments')?.answer.rollout.reasons.some((reason) => reason.code === 'grace-time') ===
        true,
      4,
    );
    // Argo CD syncs everything a second time, and would take what is merged now.
    await stage.conductor.pass(30_000);
    const theirs = goBack(stage);
    world.github.mergePullRequest(repository, theirs, { by: 'sam', method: 'squash' });
    stage.say(`Sam merges #${theirs}, which brings version 1 back. Argo CD is not told in time.`);
    await stage.expect('it is followed', () => /not back yet/.test(saidOn(stage, theirs)), 8);
    world.argocd.webhook(`https://github.com/${repository}.git`, 'main');
    await stage.expect('all are back', () => /Recovered/.test(saidOn(stage, theirs)), 10);
    await stage.expect('payments is Healthy everywhere', () => isHealthyEverywhere(stage, 'payments'), 5);
    if (reverts(world, repository).length > 0) throw new StoryFault('There are two reverts.');
  },
};

export const strangersRevert: Story = {
  name: 'strangers-revert',
  about: 'A stranger opens a revert from a fork: who cannot merge it keeps nobody from opening one.',
  async play(stage) {
    const { world } = stage;
    await everywhereOnVersionOne(stage);
    const bad = landBad(stage);
    const theirs = world.github.proposeFromFork(repository, {
      by: 'mallory',
      branch: 'revert-ledger',
      title: 'Revert "payments: new ledger endpoint"',
      body: `Reverts ${repository}#${bad}`,
      files: goodConfig,
    });
    stage.say(`Mallory, whom nobody knows, opens #${theirs} from a fork.`);
    await oneRevert(stage, repository);
    if (saidOn(stage, theirs) !== '') throw new StoryFault(`Stepback speaks on #${theirs}.`);
  },
  async after(stage) {
    const { world } = stage;
    const theirs = world.github.pullRequests(repository).find(({ user }) => user === 'mallory');
    merge(world, repository, theirs?.number ?? 0, 'dana', 'squash');
    stage.say('Dana merges that one: merged, it counts.');
    await stage.expect('payments is Healthy everywhere', () => isHealthyEverywhere(stage, 'payments'), 10);
    await stage.expect(
      'my own revert is closed',
      () => reverts(world, repository).every(({ state }) => state === 'closed'),
      10,
    );
  },
};
