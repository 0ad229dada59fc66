/** What people are told on their open pull requests, before anything is merged. */
import { land, merge, push, type StageDirector, type Story, StoryFault, workload } from '../story.ts';
import { everywhereOnVersionOne, mergeAndRecover, oneRevert, repository } from './staging.ts';

const config = 'apps/payments/config.json';
const blastRadius = 'stepback / blast radius';

const badFiles = {
  [config]: workload('payments', {
    version: '3',
    'health.dev-1': 'Degraded',
    message: 'back-off restarting failed container',
  }),
};

/** The newest check run of a name on the head of a pull request, as "success: title"; undefined while there is none. */
export function checkOf(stage: StageDirector, number: number, name = blastRadius): string | undefined {
  const { github } = stage.world;
  const sha = github.pullRequest(repository, number)?.head.sha;
  const run = github.checkRuns(repository, sha).findLast((one) => one.name === name);
  return run === undefined ? undefined : `${run.conclusion ?? run.status}: ${run.title}`;
}

async function expectCheck(stage: StageDirector, number: number, said: RegExp, minutes = 3): Promise<void> {
  const isSaid = (): boolean => said.test(checkOf(stage, number) ?? '');
  await stage.expect(`the check run on #${number} says ${said.source}`, isSaid, minutes);
}

export const beforeTheMerge: Story = {
  name: 'before-the-merge',
  about:
    'Open pull requests are told how they would roll out, what fails meanwhile, and what they land again.',
  async play(stage) {
    const { world } = stage;
    await everywhereOnVersionOne(stage);
    const open = world.github.propose(repository, {
      by: 'robin',
      branch: 'timeouts',
      title: 'payments: longer timeouts',
      files: { 'apps/payments/timeouts.json': workload('timeouts', { seconds: '30' }) },
    });
    const docs = world.github.propose(repository, {
      by: 'kim',
      branch: 'docs',
      title: 'Explain the ledger',
      files: { 'docs/ledger.md': '# The ledger\n' },
    });
    stage.say(`Robin opens #${open}, which changes payments, and Kim opens #${docs}, which explains it.`);
    await expectCheck(stage, open, /^success: .*dev, then staging, then prod; 12 clusters/);
    await expectCheck(stage, docs, /^neutral: Feeds no ApplicationSet/);
    const bad = land(world, repository, 'payments: new ledger endpoint', badFiles);
    stage.say(`Dana merges #${bad}. Its container does not start in dev-1.`);
    const revert = await oneRevert(stage, repository);
    await expectCheck(stage, open, /^neutral: argocd\/payments is failing right now in stage 1 \(dev\)/);
    await expectCheck(stage, revert, /^success: Takes back what fails/);
    if (checkOf(stage, docs)?.startsWith('neutral: Feeds no') !== true)
      throw new StoryFault('What feeds nothing has nothing to do with the failure.');
  },
  async after(stage) {
    const { github } = stage.world;
    await mergeAndRecover(stage, repository);
    await expectCheck(stage, 1, /^success: /);
    const again = github.propose(repository, {
      by: 'dana',
      branch: 'once-more',
      title: 'payments: ledger endpoint, once more',
      files: badFiles,
    });
    const updated = github.propose(repository, {
      by: 'argocd-image-updater[bot]',
      branch: 'image-updater-payments',
      title: 'build: automatic update of payments',
      files: badFiles,
    });
    stage.say(`Dana opens #${again} and the image updater #${updated}: both hold the same version again.`);
    await expectCheck(stage, again, /^neutral: Lands again what #4 took back/);
    await expectCheck(stage, updated, /^neutral: Lands again what #4 took back/);
  },
};

/** As Robin writes it; what the sandbox's Argo CD runs was made without a file. */
const setManifest = (path: string): string =>
  `${JSON.stringify({
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'ApplicationSet',
    metadata: { name: 'payments', namespace: 'argocd' },
    spec: { template: { spec: { source: { path } } } },
  })}\n`;

export const setItself: Story = {
  name: 'set-itself',
  about: 'A pull request changes the ApplicationSet itself, which no folder tells and no stage holds back.',
  async play(stage) {
    const { world } = stage;
    const files = { 'sets/payments.json': setManifest('apps/payments') };
    await everywhereOnVersionOne(stage, { files });
    const number = world.github.propose(repository, {
      by: 'robin',
      branch: 'another-folder',
      title: 'payments: take another folder',
      files: { 'sets/payments.json': setManifest('apps/payments-next') },
    });
    stage.say(`Robin opens #${number}, which changes the ApplicationSet and nothing in its folder.`);
    await expectCheck(stage, number, /^neutral: Changes the ApplicationSet argocd\/payments itself/);
  },
};

const file = '.github/stepback.yaml';

/** The newest check run about the configuration, wherever it is. */
export function configurationCheck({ world }: StageDirector, sha?: string): string | undefined {
  const run = world.github
    .checkRuns(repository, sha)
    .findLast((one) => one.name === 'stepback / configuration');
  return run === undefined ? undefined : `${run.conclusion}: ${run.title}`;
}

export const mendedWhileDown: Story = {
  name: 'mended-while-down',
  about: 'A configuration is broken, and mended while Stepback does not run: it is called good all the same.',
  async play(stage) {
    const { world } = stage;
    await everywhereOnVersionOne(stage);
    const broken = push(world, repository, 'Longer grace', { [file]: 'times:\n  grace: 3 parsecs\n' });
    await stage.expect(
      'the commit is told',
      () => configurationCheck(stage, broken)?.startsWith('failure') === true,
      8,
    );
    await world.stopStepback();
    const mended = push(world, repository, 'Mend the grace', { [file]: 'times:\n  grace: 3m\n' });
    stage.say('Stepback is down when Robin mends the file.');
    await stage.conductor.pass(60_000);
    await world.restart();
    await stage.expect(
      'the commit that mended it is called good',
      () => configurationCheck(stage, mended)?.startsWith('success') === true,
      8,
    );
  },
};

export const brokenConfiguration: Story = {
  name: 'broken-configuration',
  about:
    'A configuration with a fault is told so before its merge and after it, and the last good one stays.',
  async play(stage) {
    const { world } = stage;
    await everywhereOnVersionOne(stage);
    push(world, repository, 'Let Stepback only comment', { [file]: 'mode: comment\n' });
    await stage.conductor.pass(60_000);
    if (configurationCheck(stage) !== undefined) throw new StoryFault('A good configuration needs no word.');
    const number = world.github.propose(repository, {
      by: 'robin',
      branch: 'longer-grace',
      title: 'Longer grace',
      files: { [file]: 'mode: comment\ntimes:\n  grace: 3 parsecs\n' },
    });
    stage.say(`Robin opens #${number}, with a fault in the third line.`);
    await stage.expect(`#${number} is told`, () =>
      /^failure: .*line 3/.test(checkOf(stage, number, 'stepback / configuration') ?? ''),
    );
    merge(world, repository, number, 'robin', 'squash');
    const broken = world.github.branches(repository).main;
    stage.say('Robin merges it all the same.');
    await stage.expect(
      'the commit is told',
      () => /^failure: .*line 3/.test(configurationCheck(stage, broken) ?? ''),
      8,
    );
  },
  async after(stage) {
    const { world } = stage;
    const sha = push(world, repository, 'Mend the grace', { [file]: 'mode: comment\ntimes:\n  grace: 3m\n' });
    stage.say('Robin mends it.');
    await stage.expect(
      'the commit that mends it is called good',
      () => configurationCheck(stage, sha)?.startsWith('success') === true,
    );
  },
};
