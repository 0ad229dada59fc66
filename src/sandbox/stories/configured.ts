/**
 * What `.github/stepback.yaml` makes of a revert: a draft first, merged by itself after checks, with reviewers, labels and
 * words of its own, by several files at once, and with a file that nobody can read.
 */
import { reverts, type StageDirector, type Story, StoryFault, workload } from '../story.ts';
import { config, landBad } from './bad-change.ts';
import {
  configure,
  everywhereOnVersionOne,
  isHealthyEverywhere,
  mergeAndRecover,
  oneRevert,
  repository,
} from './staging.ts';

function revertOf({ world }: StageDirector): ReturnType<typeof reverts>[number] {
  const revert = reverts(world, repository)[0];
  if (revert === undefined) throw new StoryFault('There is no revert.');
  return revert;
}

export const draft: Story = {
  name: 'draft',
  about: 'With mode propose the revert is a draft; when people trust it and raise the mode, it is ready.',
  async play(stage) {
    await everywhereOnVersionOne(stage);
    configure(stage, 'mode: propose\n');
    stage.say('Dana lets Stepback only propose.');
    landBad(stage);
    await oneRevert(stage, repository);
    if (!revertOf(stage).draft) throw new StoryFault('The revert is no draft.');
    configure(stage, 'mode: revert\n');
    stage.say('Dana raises the mode to revert.');
    await stage.expect('the revert is no draft any more', () => !revertOf(stage).draft, 2);
  },
  after: (stage) => mergeAndRecover(stage, repository),
};

export const byItself: Story = {
  name: 'by-itself',
  about: 'With mode auto-merge GitHub merges the revert itself, as soon as the required check has passed.',
  async play(stage) {
    const { github } = stage.world;
    await everywhereOnVersionOne(stage);
    github.protectBranch(repository, 'main', { requiredChecks: ['ci'] });
    github.setRepository(repository, { allow: { merge: false } });
    configure(stage, 'mode: auto-merge\n');
    stage.say('Dana lets GitHub merge reverts by itself. The branch requires the check ci.');
    const bad = github.propose(repository, {
      by: 'dana',
      branch: 'ledger',
      title: 'payments: new ledger endpoint',
      files: {
        [config]: workload('payments', { version: '2', 'health.dev-1': 'Degraded', message: 'exit code 1' }),
      },
    });
    github.reportCheck(repository, { sha: headOf(stage, bad), name: 'ci', conclusion: 'success' });
    github.mergePullRequest(repository, bad, { by: 'dana', method: 'squash' });
    stage.world.argocd.webhook(`https://github.com/${repository}.git`, 'main');
    stage.say(`Dana merges #${bad}. Its container does not start in dev-1.`);
    await oneRevert(stage, repository);
    await stage.expect('auto-merge is on', () => revertOf(stage).autoMerge === 'squash', 2);
    await stage.expect(
      'the revert says that it merges by itself',
      () => /merges by itself/.test(revertOf(stage).body),
      2,
    );
  },
  async after(stage) {
    const { github, argocd } = stage.world;
    const { number, head } = revertOf(stage);
    github.reportCheck(repository, { sha: head.sha, name: 'ci', conclusion: 'success' });
    argocd.webhook(`https://github.com/${repository}.git`, 'main');
    stage.say(`The check passes, and GitHub merges #${number}.`);
    if (revertOf(stage).state !== 'merged') throw new StoryFault(`#${number} was not merged.`);
    await stage.expect(
      'every Application is back',
      () => isHealthyEverywhere(stage, 'payments') && stage.answer('payments')?.answer.isRecovered === true,
      10,
    );
    await stage.expect('the revert says so', () => /Recovered/.test(revertOf(stage).body), 2);
  },
};

function headOf({ world }: StageDirector, number: number): string {
  return world.github.pullRequest(repository, number)?.head.sha ?? '';
}

export const nothingRequired: Story = {
  name: 'nothing-required',
  about: 'With mode auto-merge and no required check the revert waits for a person, and says why.',
  async play(stage) {
    await everywhereOnVersionOne(stage);
    configure(stage, 'mode: auto-merge\n');
    stage.say('Dana lets GitHub merge reverts by itself. Nothing is required on main.');
    landBad(stage);
    await oneRevert(stage, repository);
    await stage.expect(
      'the revert says why it waits',
      () => /requires no check/.test(revertOf(stage).body),
      2,
    );
    if (revertOf(stage).autoMerge !== null)
      throw new StoryFault('Auto-merge is on, with nothing to wait for.');
  },
  after: (stage) => mergeAndRecover(stage, repository),
};

export const ownWords: Story = {
  name: 'own-words',
  about: 'Reviewers, labels, templates and a sign-off: the revert looks as the team wants it.',
  async play(stage) {
    const { github } = stage.world;
    await everywhereOnVersionOne(stage);
    github.addTeam('acme', 'platform', ['kim']);
    github.addCollaborator(repository, 'kim', 'write');
    configure(
      stage,
      [
        'reviewers: { users: [kim, nobody-here], teams: [platform] }',
        'labels: [rollback]',
        'signOff: true',
        'templates:',
        '  branch: revert/{instance}-{commit}',
        '  title: "revert: {subject} ({stage})"',
        '  commitMessage: |',
        '    revert: {subject}',
        '',
        '    {failure}.',
        '',
      ].join('\n'),
    );
    stage.say('Dana names reviewers and a label, and how reverts are called.');
    landBad(stage);
    await oneRevert(stage, repository);
    await stage.expect('the reviewers are asked', () => revertOf(stage).reviewers.includes('kim'), 2);
    const { labels, teamReviewers, title, head } = revertOf(stage);
    const told = JSON.stringify({
      labels,
      teamReviewers,
      title,
      branch: head.ref.replace(/-[0-9a-f]{12}$/, ''),
    });
    const wanted =
      '{"labels":["rollback"],"teamReviewers":["platform"],"title":"revert: payments: new ledger endpoint (dev)","branch":"revert/argocd"}';
    if (told !== wanted) throw new StoryFault(`It should be ${wanted}, and is ${told}.`);
    github.unlabel(repository, revertOf(stage).number, 'rollback', 'dana');
    stage.say('Dana takes the label off. Nobody puts it on again.');
    await stage.conductor.pass(6 * 60_000);
    if (revertOf(stage).labels.length > 0) throw new StoryFault('The label is back.');
  },
  after: (stage) => mergeAndRecover(stage, repository),
};

export const stricter: Story = {
  name: 'stricter',
  about: 'The organisation, the repository and an annotation say different things: the strictest counts.',
  async play(stage) {
    const { world } = stage;
    await everywhereOnVersionOne(stage);
    world.github.createRepository({ owner: 'acme', name: '.github', files: { 'README.md': '# acme\n' } });
    configure(stage, 'mode: propose\n', 'acme/.github');
    configure(stage, 'mode: auto-merge\n');
    annotate(stage, { 'stepback.dev/mode': 'comment' });
    stage.say('The organisation wants drafts, the repository auto-merge, and an annotation comments only.');
    const bad = landBad(stage);
    const ours = (): string =>
      world.github.comments(repository, bad).find((one) => one.user === world.github.app.botLogin)?.body ??
      '';
    await stage.expect('Stepback comments', () => /configured to comment only/.test(ours()), 8);
    if (reverts(world, repository).length > 0)
      throw new StoryFault('There is a revert, and an annotation forbids it.');
    annotate(stage, { 'stepback.dev/mode': null });
    stage.say('The annotation is taken away.');
    await oneRevert(stage, repository);
    if (!revertOf(stage).draft) throw new StoryFault('The revert is no draft, as the organisation wants it.');
  },
  after: mergeDraftAndRecover,
};

/** Annotations of the ApplicationSet; null takes one away. */
function annotate({ world }: StageDirector, annotations: Record<string, string | null>): void {
  world.store.patchMerge('applicationsets', 'argocd', 'payments', { metadata: { annotations } });
}

async function mergeDraftAndRecover(stage: StageDirector): Promise<void> {
  const { number } = revertOf(stage);
  stage.world.github.markReadyForReview(repository, number, 'dana');
  stage.say('Dana marks the draft ready.');
  await mergeAndRecover(stage, repository);
}

export const badFile: Story = {
  name: 'bad-file',
  about: 'Somebody breaks the configuration: what counted before still counts until it is mended.',
  async play(stage) {
    const { world } = stage;
    await everywhereOnVersionOne(stage);
    configure(stage, 'mode: comment\n');
    configure(stage, 'mode: comment\nlabels rollback\n');
    stage.say('Dana lets Stepback only comment, and then breaks the file.');
    const bad = landBad(stage);
    await stage.expect(
      'Stepback comments',
      () => world.github.comments(repository, bad).some((one) => /configured to comment only/.test(one.body)),
      8,
    );
    if (reverts(world, repository).length > 0)
      throw new StoryFault('There is a revert, and comments were allowed.');
    configure(stage, 'mode: revert\nlabels: [rollback]\n');
    stage.say('Dana mends the file and allows reverts.');
    await oneRevert(stage, repository);
    await stage.expect('it has its label', () => revertOf(stage).labels.includes('rollback'), 2);
  },
  after: (stage) => mergeAndRecover(stage, repository),
};
