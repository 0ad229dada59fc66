/**
 * What people do with an open revert: close it, push to its branch, go on merging other things. Stepback does not fight
 * with them, and what it wrote stays true.
 */
import {
  land,
  merge,
  push,
  reverts,
  type StageDirector,
  type Story,
  StoryFault,
  workload,
} from '../story.ts';
import { badConfig, config, landBad } from './bad-change.ts';
import {
  everywhereOnVersionOne,
  isHealthyEverywhere,
  mergeAndRecover,
  oneComment,
  oneRevert,
  repository,
} from './staging.ts';

/** Version 1 everywhere, then a change that dev-1 does not bear; gives the numbers of its pull request and of the revert. */
async function revertOfABadChange(stage: StageDirector): Promise<{ bad: number; revert: number }> {
  await everywhereOnVersionOne(stage);
  const bad = landBad(stage);
  stage.say(`Dana merges #${bad}. Its container does not start in dev-1.`);
  const revert = await oneRevert(stage, repository);
  await oneComment(stage, repository, bad);
  return { bad, revert };
}

export const closed: Story = {
  name: 'closed',
  about: 'A person closes the revert: Stepback leaves the change alone, however long it fails.',
  async play(stage) {
    const { github } = stage.world;
    const { revert } = await revertOfABadChange(stage);
    github.closePullRequest(repository, revert, 'dana');
    stage.say(`Dana closes the revert, #${revert}: she wants to look for herself.`);
    await stage.expect('the closed revert says so', () => /closed/i.test(bodyOf(stage, revert)), 2);
    await stage.conductor.pass(10 * 60_000);
    if (github.pullRequest(repository, revert)?.state !== 'closed')
      throw new StoryFault(`Stepback reopened #${revert}, which a person had closed.`);
    if ((await oneRevert(stage, repository)) !== revert)
      throw new StoryFault('Stepback opened another revert of what a person had dismissed.');
    stage.say('Ten minutes later dev-1 is Degraded still, and nothing was opened.');
  },
};

export const dismissedThenAnother: Story = {
  name: 'dismissed-then-another',
  about:
    'Dana dismisses a failure; the next change fails too, and its range holds both: it alone is taken back.',
  revertsMax: 2,
  async play(stage) {
    const { world } = stage;
    await everywhereOnVersionOne(stage);
    world.github.addCollaborator(repository, 'dana', 'write');
    const first = land(world, repository, 'payments: new ledger endpoint', {
      [config]: workload('payments', {
        version: '2',
        'health.dev-1': 'Degraded for 240s then Healthy',
        message: 'connection to the ledger refused',
      }),
    });
    const dismissed = await oneRevert(stage, repository);
    world.github.comment(repository, dismissed, {
      by: 'dana',
      body: '/stepback dismiss the ledger was down',
    });
    stage.say(`Dana merges #${first}, and dismisses the revert: it was the ledger.`);
    await stage.expect('dev-1 is well again', () => isHealthyEverywhere(stage, 'payments'), 8);
    const second = world.github.propose(repository, {
      by: 'sam',
      branch: 'cache',
      title: 'payments: cache in memory',
      files: badConfig('3'),
    });
    merge(world, repository, second, 'sam', 'squash');
    stage.say(`Sam merges #${second}, whose container does not start. Last good lies before both.`);
    await stage.expect('there is a second revert', () => reverts(world, repository).length === 2, 8);
    const revert = reverts(world, repository).at(-1);
    const after = world.github.file(repository, config, revert?.head.sha);
    if (after === undefined || !/"version": "2"/.test(after))
      throw new StoryFault('It should take version 3 back to version 2, which Dana lets stay.');
    if (!new RegExp(`leaves.*#${first}.*decided`).test(revert?.body ?? ''))
      throw new StoryFault(`It does not say that #${first} stays.`);
  },
  after: (stage) => mergeAndRecover(stage, repository),
};

export const takenOver: Story = {
  name: 'taken-over',
  about: 'A person pushes to the branch of the revert: Stepback never overwrites that, and says so.',
  async play(stage) {
    const { github } = stage.world;
    const { revert } = await revertOfABadChange(stage);
    const branch = github.pullRequest(repository, revert)?.head.ref ?? '';
    const theirs = github.commit(repository, {
      author: 'dana',
      branch,
      message: 'Keep a note of what happened',
      files: { 'docs/incident.md': 'The new ledger endpoint does not start.\n' },
    });
    stage.say(`Dana adds a commit to the branch of #${revert}.`);
    await stage.expect(
      'the revert says that it is left alone',
      () => /pushed to/i.test(bodyOf(stage, revert)),
      6,
    );
    push(stage.world, repository, 'docs: how to pay', { 'docs/pay.md': 'Slowly.\n' }, 'sam');
    await stage.conductor.pass(6 * 60_000);
    if (github.branches(repository)[branch] !== theirs)
      throw new StoryFault('The commit that a person had pushed is not the head of the branch any more.');
  },
  after: (stage) => mergeAndRecover(stage, repository),
};

export const movingBranch: Story = {
  name: 'moving-branch',
  about:
    'Other changes land while the revert is open: it stays mergeable and takes back only what it should.',
  async play(stage) {
    const { world } = stage;
    const { revert } = await revertOfABadChange(stage);
    push(world, repository, 'docs: how to pay', { 'docs/pay.md': 'Slowly.\n' }, 'sam');
    land(
      world,
      repository,
      'payments: say who owns it',
      { 'apps/payments/OWNERS': 'team payments\n' },
      'sam',
    );
    stage.say('Sam lands two other changes, one of them beside the bad one.');
    await stage.conductor.pass(6 * 60_000);
    const files = world.github.filesOfPullRequest(repository, revert).map((file) => file.path);
    if (files.join() !== config)
      throw new StoryFault(`#${revert} should change ${config} alone, and changes ${files.join(', ')}.`);
  },
  async after(stage) {
    await mergeAndRecover(stage, repository);
    const { github } = stage.world;
    const kept = ['docs/pay.md', 'apps/payments/OWNERS'].filter(
      (path) => github.file(repository, path) === undefined,
    );
    if (kept.length > 0) throw new StoryFault(`The revert took away ${kept.join(' and ')}.`);
  },
};

function bodyOf({ world }: StageDirector, number: number): string {
  return world.github.pullRequest(repository, number)?.body ?? '';
}
