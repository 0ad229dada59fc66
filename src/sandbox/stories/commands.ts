/**
 * Conversations with Stepback: people type commands under a pull request or press a button of a check run, and one
 * comment answers. Who may not is told who may, and whoever mistypes what was meant.
 */
import { parseMarker } from '../../domain/marker.ts';
import { land, merge, reverts, type StageDirector, type Story, StoryFault, workload } from '../story.ts';
import { config, landBad } from './bad-change.ts';
import { breakLate, everGot, heldIn } from './contain.ts';
import {
  commitEverywhere,
  configure,
  everywhereOnVersionOne,
  isHealthyEverywhere,
  mergeAndRecover,
  oneRevert,
  repository,
} from './staging.ts';

/** Somebody comments, and Stepback answers within a minute; gives the answer. */
export async function ask(stage: StageDirector, number: number, body: string, by = 'dana'): Promise<string> {
  const { github } = stage.world;
  const before = answers(stage, number).length;
  github.comment(repository, number, { by, body });
  await stage.expect(`${body} is answered`, () => answers(stage, number).length > before, 2);
  return answers(stage, number).at(-1) ?? '';
}

export function answers({ world }: StageDirector, number: number): readonly string[] {
  return world.github
    .comments(repository, number)
    .filter((one) => one.user === world.github.app.botLogin && parseMarker(one.body)?.kind === 'reply')
    .map((one) => one.body);
}

/** Dana may write, Sam may only triage. */
export async function twoPeople(
  stage: StageDirector,
  configuration = '',
  options: Parameters<typeof everywhereOnVersionOne>[1] = {},
): Promise<void> {
  await everywhereOnVersionOne(stage, options);
  const { github } = stage.world;
  github.addCollaborator(repository, 'dana', 'write');
  github.addCollaborator(repository, 'sam', 'triage');
  if (configuration !== '') configure(stage, configuration);
}

export function stateOf({ world }: StageDirector, number: number): string | undefined {
  return world.github.pullRequest(repository, number)?.state;
}

export function check(isTrue: boolean, what: string): void {
  if (!isTrue) throw new StoryFault(`It should be true that ${what}.`);
}

export const waited: Story = {
  name: 'asked-to-wait',
  about:
    'Dana holds reverts while she looks for herself, then asks for one all the same, dismisses it, and wants it back.',
  async play(stage) {
    await twoPeople(stage);
    const bad = landBad(stage);
    stage.say(`Dana merges #${bad}, and asks for time.`);
    await stage.conductor.pass(5_000);
    await ask(stage, bad, '/stepback status');
    await ask(stage, bad, '/stepback hold 2h', 'sam');
    await ask(stage, bad, 'Let me look first.\n\n/stepback hold 2h');
    await stage.conductor.pass(4 * 60_000);
    check(reverts(stage.world, repository).length === 0, 'no revert is opened while it is held');
    await ask(stage, bad, '/stepback explain', 'sam');
    await ask(stage, bad, '/stepback revert');
    const revert = await oneRevert(stage, repository);
    stage.say(`Dana wants the revert all the same: #${revert}.`);
    await ask(stage, revert, '/stepback dismiss the alert was a test');
    await stage.expect('the revert is closed', () => stateOf(stage, revert) === 'closed', 1);
    await stage.conductor.pass(4 * 60_000);
    check(stateOf(stage, revert) === 'closed', 'a dismissed revert stays closed');
    await ask(stage, bad, '/stepback resume');
    await ask(stage, bad, '/stepback retry');
    await stage.expect('the revert is open again', () => stateOf(stage, revert) === 'open', 2);
  },
  after: (stage) => mergeAndRecover(stage, repository),
};

export const named: Story = {
  name: 'named',
  about:
    'Nothing fails, and Dana takes back a change that she names; what she mistypes is told, and what is no change of ours.',
  async play(stage) {
    const { world } = stage;
    await twoPeople(stage);
    const good = land(world, repository, 'payments: faster start', {
      [config]: workload('payments', { version: '2' }),
    });
    const docs = land(world, repository, 'docs: how to pay', { 'docs/pay.md': 'Slowly.\n' });
    await stage.expect(
      'version 2 is Healthy everywhere',
      () =>
        isHealthyEverywhere(stage, 'payments') &&
        commitEverywhere(stage, 'payments') === world.github.head(repository),
      8,
    );
    await ask(stage, docs, '/stepback status');
    await ask(
      stage,
      docs,
      `/stepback revert #${docs}\n/stepback revert 0123456\n/stepback revert paymets\n/stepback revret`,
    );
    await ask(stage, docs, `/stepback revert #${good}`, 'sam');
    await ask(stage, docs, `/stepback revert #${good}`);
    const revert = await oneRevert(stage, repository);
    stage.say(`Dana asks for #${good} to be taken back: #${revert}.`);
    merge(world, repository, revert);
    await stage.expect(
      'the pull request says that it is back',
      () => /\*\*Recovered/.test(world.github.pullRequest(repository, revert)?.body ?? ''),
      10,
    );
    await ask(stage, revert, `/stepback revert #${revert}`);
    check(reverts(world, repository).length === 1, 'a revert of ours is not taken back');
  },
};

export const restored: Story = {
  name: 'restored',
  about:
    'Two changes lie on top of each other; Dana puts the whole path back to last good and reads first what goes away.',
  async play(stage) {
    const { world } = stage;
    await twoPeople(stage);
    const good = world.github.file(repository, config);
    const bad = landBad(stage);
    land(
      world,
      repository,
      'payments: say who owns it',
      { 'apps/payments/OWNERS': 'team payments\n' },
      'sam',
    );
    land(world, repository, 'docs: how to pay', { 'docs/pay.md': 'Slowly.\n' }, 'sam');
    await oneRevert(stage, repository);
    await ask(stage, bad, '/stepback restore');
    const number = world.github.pullRequests(repository).at(-1)?.number ?? 0;
    stage.say(`Dana asks for the whole path to be put back: #${number}.`);
    merge(world, repository, number);
    check(world.github.file(repository, config) === good, 'the path is back');
    check(world.github.file(repository, 'apps/payments/OWNERS') === undefined, 'what landed there is gone');
    check(world.github.file(repository, 'docs/pay.md') !== undefined, 'the rest stays');
    await stage.expect('every Application is Healthy', () => isHealthyEverywhere(stage, 'payments'), 10);
    await stage.expect(
      'both pull requests say so',
      () => reverts(world, repository).every((one) => one.state !== 'open'),
      10,
    );
  },
};

export const synced: Story = {
  name: 'synced',
  about:
    'Nobody may touch the cluster until the configuration names Dana; then she asks Argo CD for a sync of a stage.',
  async play(stage) {
    const { world } = stage;
    await twoPeople(stage);
    const docs = land(world, repository, 'payments: say who owns it', {
      'apps/payments/OWNERS': 'team payments\n',
    });
    await stage.expect('it is Healthy everywhere', () => isHealthyEverywhere(stage, 'payments'), 8);
    await ask(stage, docs, '/stepback sync staging');
    const names = ['sync', 'freeze', 'thaw'].map((verb) => `  ${verb}:\n    users: [dana]\n`).join('');
    configure(stage, `commands:\n${names}`);
    await stage.conductor.pass(2_000);
    await ask(stage, docs, '/stepback sync stagign\n/stepback sync staging', 'dana');
    await ask(stage, docs, '/stepback sync dev', 'sam');
    await stage.conductor.pass(60_000);
  },
};

export const frozen: Story = {
  name: 'asked-to-freeze',
  about:
    'dev-1 breaks late; Dana freezes what is ahead by a comment, lets it go, freezes again; a sync does not go past it.',
  async play(stage) {
    const names = ['freeze', 'thaw', 'sync'].map((verb) => `  ${verb}:\n    users: [dana]\n`).join('');
    await twoPeople(stage, `commands:\n${names}`);
    const bad = await breakLate(stage);
    const number = await oneRevert(stage, repository);
    await ask(stage, number, '/stepback freeze', 'sam');
    await ask(stage, number, '/stepback freeze');
    await heldIn(stage, ['100%', 0, 0]);
    stage.say('Dana freezes staging and prod with a comment.');
    await ask(stage, number, '/stepback freeze');
    await ask(stage, number, '/stepback thaw');
    await heldIn(stage, ['100%', '50%', 1]);
    stage.say('She lets them go, and freezes them again.');
    await ask(stage, number, '/stepback freeze');
    await heldIn(stage, ['100%', 0, 0]);
    const got = everGot(stage.world, bad).length;
    await ask(stage, number, '/stepback sync prod');
    await stage.conductor.pass(3 * 60_000);
    check(everGot(stage.world, bad).length === got, 'nobody else gets the bad commit while it is frozen');
  },
  async after(stage) {
    stage.world.argocd.setHealth('payments-dev-1', undefined);
    await mergeAndRecover(stage, repository);
    await heldIn(stage, ['100%', '50%', 1]);
  },
};

export const placed: Story = {
  name: 'placed',
  about:
    'Commands in a quote, in code or of a bot are none; an edit adds its own; a snoozed Application makes no failure.',
  async play(stage) {
    const { world } = stage;
    await twoPeople(stage);
    const bad = landBad(stage);
    await stage.conductor.pass(5_000);
    const quoted = world.github.comment(repository, bad, {
      by: 'dana',
      body: '> /stepback hold\n\n```\n/stepback hold\n```\n\nShould I?',
    });
    world.github.comment(repository, bad, { by: 'renovate[bot]', body: '/stepback hold' });
    await stage.conductor.pass(30_000);
    check(answers(stage, bad).length === 0, 'a quote, code and a bot are not answered');
    world.github.editComment(repository, quoted, {
      by: 'dana',
      body: '> /stepback hold\n\n/stepback snooze dev-1 20m\n',
    });
    await stage.expect('what the edit added is answered', () => answers(stage, bad).length === 1, 2);
    stage.say('Dana snoozes dev-1 by an edit of her comment.');
    await stage.conductor.pass(5 * 60_000);
    check(reverts(world, repository).length === 0, 'a snoozed Application opens no revert');
    await ask(stage, bad, '/stepback explain\n/stepback snooze devv 1h');
    await oneRevert(stage, repository, 30);
  },
  after: (stage) => mergeAndRecover(stage, repository),
};

export const pressed: Story = {
  name: 'pressed',
  about:
    'Dana presses Hold under the failing check run, and later Revert; the answers stand under the pull request.',
  async play(stage) {
    const { world } = stage;
    await twoPeople(stage);
    const bad = landBad(stage);
    const sha = world.github.head(repository) ?? '';
    const name = 'stepback / argocd/payments';
    const press = (identifier: string): void =>
      world.github.clickCheckAction(repository, { name, sha }, { by: 'dana', identifier });
    await stage.conductor.pass(40_000);
    press('hold');
    await stage.expect('the press is answered', () => answers(stage, bad).length === 1, 2);
    await stage.conductor.pass(3 * 60_000);
    check(reverts(world, repository).length === 0, 'no revert is opened while it is held');
    press('revert');
    await oneRevert(stage, repository);
  },
  after: (stage) => mergeAndRecover(stage, repository),
};

export const conversations: readonly Story[] = [waited, named, restored, synced, frozen, placed, pressed];
