/**
 * Who is heard and where the answer stands: strangers from a fork, people who may write on a stranger's pull request, code
 * owners of the path, a press without any pull request, and a word while Stepback is stopped.
 */
import { land, merge, push, reverts, type Story, workload } from '../story.ts';
import { config, goodConfig, landBad } from './bad-change.ts';
import { stop } from './brakes.ts';
import { answers, ask, check, stateOf, twoPeople } from './commands.ts';
import { isHealthyEverywhere, mergeAndRecover, oneRevert, repository } from './staging.ts';

const fromAFork: Story = {
  name: 'from-a-fork',
  about:
    'Mallory commands from a fork and is told who may; Dana, who may write, commands under the same pull request.',
  async play(stage) {
    const { world } = stage;
    await twoPeople(stage);
    const bad = landBad(stage);
    const theirs = world.github.proposeFromFork(repository, {
      by: 'mallory',
      branch: 'ledger-fix',
      title: 'Fix the ledger',
      files: goodConfig,
    });
    stage.say(`Mallory, whom nobody knows, opens #${theirs} from a fork.`);
    const refused = await ask(stage, theirs, '/stepback hold 2h', 'mallory');
    check(/hold/.test(refused) && !/I open no revert/.test(refused), 'Mallory is refused');
    await oneRevert(stage, repository);
    const held = await ask(stage, theirs, '/stepback status', 'dana');
    check(/argocd\/payments/.test(held), 'Dana is told of payments under it');
    await ask(stage, theirs, '/stepback dismiss we know', 'mallory');
    check(reverts(world, repository)[0]?.state === 'open', 'a stranger dismisses nothing');
    check(answers(stage, bad).length === 0, 'nobody is answered elsewhere');
  },
  after: (stage) => mergeAndRecover(stage, repository),
};

const codeOwner: Story = {
  name: 'code-owner',
  about:
    'Reverts are for code owners of the path: Dana may write and is refused, Kim owns it and gets the revert.',
  async play(stage) {
    const { world } = stage;
    await twoPeople(stage, 'mode: comment\ncommands:\n  revert: { codeOwners: true }\n');
    world.github.addCollaborator(repository, 'kim', 'write');
    world.github.commit(repository, {
      author: 'dana',
      message: 'Say who owns what',
      files: { '.github/CODEOWNERS': '* @dana\n/apps/payments/ @kim\n' },
    });
    const bad = landBad(stage);
    await stage.conductor.pass(4 * 60_000);
    check(reverts(world, repository).length === 0, 'mode comment opens none by itself');
    const refused = await ask(stage, bad, '/stepback revert', 'dana');
    check(/code owner/i.test(refused), 'Dana is told that it is for code owners');
    check(reverts(world, repository).length === 0, 'a refused command opens none');
    await ask(stage, bad, '/stepback revert', 'kim');
    const revert = await oneRevert(stage, repository, 3);
    const held = world.github.file(
      repository,
      config,
      world.github.pullRequest(repository, revert)?.head.sha,
    );
    check(held === goodConfig[config], 'the revert brings version 1 back');
  },
  after: (stage) => mergeAndRecover(stage, repository),
};

const pressedAlone: Story = {
  name: 'pressed-alone',
  about: 'Dana presses Hold beside a commit that no pull request brought in: an issue takes the answers.',
  async play(stage) {
    const { world } = stage;
    await twoPeople(stage);
    const sha = push(world, repository, 'payments: faster start', {
      [config]: workload('payments', { version: '2' }),
    });
    const name = 'stepback / argocd/payments';
    await stage.conductor.pass(5_000);
    const press = (identifier: string): void =>
      world.github.clickCheckAction(repository, { name, sha }, { by: 'dana', identifier });
    press('hold');
    const issues = () =>
      world.github.issues(repository).filter((one) => one.user === world.github.app.botLogin);
    await stage.expect('an issue takes the answer', () => issues().length === 1, 2);
    const number = issues()[0]?.number ?? 0;
    await stage.expect('the press is answered there', () => answers(stage, number).length === 1, 2);
    press('explain');
    await stage.expect(
      'the next press is answered in the same',
      () => answers(stage, number).length === 2,
      2,
    );
    check(issues().length === 1, 'there is one issue for one commit');
  },
  after: (stage) =>
    stage.expect('version 2 is Healthy everywhere', () => isHealthyEverywhere(stage, 'payments'), 8),
};

const dismissedWhileStopped: Story = {
  name: 'dismissed-while-stopped',
  about:
    'Dana dismisses while Stepback is stopped: it closes nothing then, says so, and closes it when it goes on.',
  async play(stage) {
    const { github } = stage.world;
    await twoPeople(stage);
    landBad(stage);
    const revert = await oneRevert(stage, repository);
    const issue = stop(stage);
    await stage.conductor.pass(5_000);
    const answer = await ask(stage, revert, '/stepback dismiss the alert was a test');
    check(stateOf(stage, revert) === 'open', 'the revert stays open while Stepback is stopped');
    check(new RegExp(`#${revert}.* stays open for now`).test(answer), 'the answer says that it stays open');
    await stage.conductor.pass(6 * 60_000);
    check(stateOf(stage, revert) === 'open', 'it stays open for as long as that lasts');
    github.edit(repository, issue, { by: 'dana', state: 'closed' });
    stage.say(`Dana closes #${issue}, which stopped Stepback.`);
    await stage.expect('the revert is closed then', () => stateOf(stage, revert) === 'closed', 8);
  },
};

const whoseFailure: Story = {
  name: 'whose-failure',
  about:
    'dev-1 is never well between two bad changes; the first is taken back, and nobody can blame the second.',
  async play(stage) {
    const { world } = stage;
    await twoPeople(stage);
    landBad(stage);
    const revert = await oneRevert(stage, repository);
    const second = land(world, repository, 'payments: cache in memory', {
      'apps/payments/cache.json': workload('cache', { 'health.dev-1': 'Degraded', message: 'cache is full' }),
    });
    stage.say(`Dana merges #${second} onto it, which fails as well; dev-1 is Degraded all the time.`);
    await stage.conductor.pass(3 * 60_000);
    merge(world, repository, revert);
    stage.say(`Dana merges the revert, #${revert}.`);
    const said = (): string => world.github.pullRequest(repository, revert)?.body ?? '';
    await stage.expect('the revert says that something later fails', () => /a later commit/.test(said()), 10);
    await stage.conductor.pass(3 * 60_000);
    const why = await ask(stage, second, '/stepback explain');
    check(/nobody can tell/.test(why), 'it is said that nobody can tell whose failure it is');
    check(reverts(world, repository).length === 1, 'nothing more is taken back');
  },
};

const values = 'acme/values';

const twoRepositories: Story = {
  name: 'two-repositories',
  about:
    'Dana holds reverts in one of two repositories that feed payments; the other, where she may nothing, is free.',
  async play(stage) {
    const { world } = stage;
    const path = 'payments/config.json';
    world.github.createRepository({
      owner: 'acme',
      name: 'values',
      files: { [path]: workload('values', { version: '1' }) },
    });
    const sources = [repository, values].map((name, index) => ({
      repoURL: `https://github.com/${name}.git`,
      path: index === 0 ? 'apps/payments' : 'payments',
      targetRevision: 'main',
    }));
    await twoPeople(stage, '', { sources });
    const docs = land(world, repository, 'payments: owners', { 'apps/payments/OWNERS': 'payments\n' });
    await stage.conductor.pass(2 * 60_000);
    await stage.expect('it is Healthy everywhere', () => isHealthyEverywhere(stage, 'payments'), 8);
    await ask(stage, docs, '/stepback hold 2h');
    const refused = await ask(stage, docs, '/stepback snooze dev-1 2h');
    check(/acme\/values/.test(refused), 'the answer names the repository that a snooze would reach');
    const bad = { version: '2', 'health.dev-1': 'Degraded', message: 'exit code 1' };
    land(world, values, 'values: more memory', { [path]: workload('values', bad) }, 'kim');
    stage.say('Kim lands a change in the other repository, which dev-1 does not bear.');
    await oneRevert(stage, values);
  },
  after: (stage) => mergeAndRecover(stage, values),
};

export const whoIsHeard: readonly Story[] = [
  fromAFork,
  codeOwner,
  pressedAlone,
  dismissedWhileStopped,
  whoseFailure,
  twoRepositories,
];
