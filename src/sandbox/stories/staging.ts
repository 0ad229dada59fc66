/**
 * The main story and its close relatives: a good change walks through twelve clusters, a bad one stops on the way, and
 * one revert takes it back.
 */
import {
  createSet,
  land,
  merge,
  reverts,
  type SetWish,
  type StageDirector,
  type Story,
  StoryFault,
  workload,
} from '../story.ts';

export const repository = 'acme/payments';
const config = 'apps/payments/config.json';

/** Makes the repository and the ApplicationSet, and waits until version 1 runs everywhere. */
export async function everywhereOnVersionOne(
  stage: StageDirector,
  options: Partial<SetWish> & { files?: Record<string, string> } = {},
): Promise<void> {
  const { world } = stage;
  const name = options.name ?? 'payments';
  const where = options.repository ?? repository;
  const [owner = '', repo = ''] = where.split('/');
  world.github.createRepository({
    owner,
    name: repo,
    files: {
      [`apps/${name}/config.json`]: workload(name, { version: '1' }),
      'README.md': `# ${repo}\n`,
      ...options.files,
    },
  });
  createSet(world, { ...options, name, repository: where });
  stage.say('Version 1 is deployed to twelve clusters: dev 1, staging 3, prod 8.');
  await stage.expect('version 1 is Healthy everywhere', () => isHealthyEverywhere(stage, name), 5);
}

/** Stepback's last answer is ok, and all twelve Applications are Synced and Healthy. */
export function isHealthyEverywhere(stage: StageDirector, name: string): boolean {
  const answer = stage.answer(name)?.answer;
  const applications = answer?.rollout.stages.flatMap((one) => one.applications) ?? [];
  return (
    answer?.rollout.verdict === 'ok' &&
    applications.length === 12 &&
    applications.every((one) => one.application.health.status === 'Healthy')
  );
}

/** The commit that every Application runs, or null when they differ. */
export function commitEverywhere(stage: StageDirector, name: string): string | null {
  const runs = new Set(
    (stage.answer(name)?.answer.rollout.stages ?? [])
      .flatMap((one) => one.applications)
      .map((one) => one.runs?.join('+') ?? ''),
  );
  return runs.size === 1 ? ([...runs][0] ?? null) : null;
}

/** Waits for the one revert; throws StoryFault when there are several. */
export async function oneRevert(stage: StageDirector, where: string, minutes = 8): Promise<number> {
  await stage.expect(
    'Stepback opens a revert pull request',
    () => reverts(stage.world, where).length > 0,
    minutes,
  );
  const all = reverts(stage.world, where);
  const [first] = all;
  if (first === undefined || all.length !== 1)
    throw new StoryFault(`There should be one revert, and there are ${all.length}.`);
  return first.number;
}

/** The comment of ours on the pull request that did it. */
export async function oneComment(stage: StageDirector, where: string, culprit: number): Promise<void> {
  const ours = (): number =>
    stage.world.github.comments(where, culprit).filter((one) => one.user === stage.world.github.app.botLogin)
      .length;
  await stage.expect(`Stepback comments on #${culprit}`, () => ours() > 0);
  if (ours() !== 1)
    throw new StoryFault(`There should be one comment on #${culprit}, and there are ${ours()}.`);
}

/** Merges the revert and waits until every stage is back. */
export async function mergeAndRecover(
  stage: StageDirector,
  where: string,
  names: readonly string[] = ['payments'],
): Promise<void> {
  const number = reverts(stage.world, where).at(-1)?.number ?? 0;
  stage.say(`Dana merges the revert, #${number}.`);
  merge(stage.world, where, number);
  for (const name of names) {
    await stage.expect(
      `every Application of ${name} is back`,
      () => isHealthyEverywhere(stage, name) && stage.answer(name)?.answer.isRecovered === true,
      10,
    );
  }
  await stage.expect(
    'the pull request says so',
    () => /recovered|is back|are back/i.test(stage.world.github.pullRequest(where, number)?.body ?? ''),
    2,
  );
}

export const staging: Story = {
  name: 'staging',
  about: 'A good change walks through dev, staging and prod; a bad one stops in staging.',
  async play(stage) {
    const { world } = stage;
    await everywhereOnVersionOne(stage);
    const good = land(world, repository, 'payments: faster start', {
      [config]: workload('payments', { version: '2' }),
    });
    stage.say(`Dana merges #${good}, a good change: it walks through the stages.`);
    await stage.expect(
      'version 2 is Healthy everywhere',
      () =>
        isHealthyEverywhere(stage, 'payments') &&
        commitEverywhere(stage, 'payments') === world.github.head(repository),
      8,
    );
    const lastGood = world.github.head(repository);
    const bad = land(world, repository, 'payments: new ledger endpoint', {
      [config]: workload('payments', {
        version: '3',
        'health.staging-1': 'Degraded',
        message: 'back-off restarting failed container',
      }),
    });
    stage.say(`Dana merges #${bad}. Its container does not start in staging-1.`);
    const number = await oneRevert(stage, repository);
    await oneComment(stage, repository, bad);
    const base = world.github.file(repository, config, lastGood);
    const reverted = world.github.file(
      repository,
      config,
      world.github.pullRequest(repository, number)?.head.sha,
    );
    if (base !== reverted) throw new StoryFault(`#${number} does not bring ${config} back to what it was.`);
  },
  after: (stage) => mergeAndRecover(stage, repository),
};

export const prodFirst: Story = {
  name: 'prod-first',
  about:
    'Applications notice a push one by one: prod-2 gets the bad commit before dev, and staging-1 breaks.',
  habits: { noticeSpreadMs: 4_000, noticeFirst: ['payments-prod-2', 'payments-staging-1', 'payments-dev-1'] },
  async play(stage) {
    await everywhereOnVersionOne(stage);
    const bad = land(stage.world, repository, 'payments: new ledger endpoint', {
      [config]: workload('payments', {
        version: '2',
        'health.staging-1': 'Degraded',
        message: 'back-off restarting failed container',
      }),
    });
    stage.say(`Dana merges #${bad}. prod-2 notices it first.`);
    const number = await oneRevert(stage, repository);
    await oneComment(stage, repository, bad);
    const body = stage.world.github.pullRequest(repository, number)?.body ?? '';
    if (!/prod-2/.test(body) || !/out of order/i.test(body))
      throw new StoryFault('The revert does not say that prod-2 got it out of order.');
  },
  after: (stage) => mergeAndRecover(stage, repository),
};

export const late: Story = {
  name: 'late',
  about:
    'dev-1 breaks after it was Healthy; Argo CD walks on to prod all the same, and the open revert grows.',
  async play(stage) {
    const { world } = stage;
    await everywhereOnVersionOne(stage);
    const bad = land(world, repository, 'payments: cache in memory', {
      [config]: workload('payments', { version: '2' }),
    });
    stage.say(`Dana merges #${bad}. It looks fine at first.`);
    await stage.expect('dev-1 is Healthy on version 2 and staging has begun', () => having(stage) >= 2, 4);
    world.argocd.setHealth('payments-dev-1', {
      status: 'Degraded',
      message: 'OOMKilled: container payments',
    });
    stage.say('dev-1 runs out of memory. Argo CD goes on with staging and prod.');
    await oneRevert(stage, repository);
    await stage.expect(
      'the revert says that all twelve run it',
      () => /\b12 of 12\b/.test(reverts(world, repository)[0]?.body ?? ''),
      10,
    );
    await oneComment(stage, repository, bad);
  },
  async after(stage) {
    stage.world.argocd.setHealth('payments-dev-1', undefined);
    await mergeAndRecover(stage, repository);
  },
};

/** How many Applications run what the branch holds now. */
function having(stage: StageDirector): number {
  const head = stage.world.github.head(repository);
  return (stage.answer('payments')?.answer.rollout.stages ?? [])
    .flatMap((one) => one.applications)
    .filter((one) => one.runs?.[0] === head).length;
}

/** Writes `.github/stepback.yaml` of a repository and pushes it. */
export function configure({ world }: StageDirector, text: string, where = repository): void {
  world.github.commit(where, {
    author: 'dana',
    message: 'Configure Stepback',
    files: { '.github/stepback.yaml': text },
  });
}
