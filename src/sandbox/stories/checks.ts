/**
 * What people read on a commit before they ask: queued, on its way, there; overtaken by the next one; waiting for a hand;
 * and one check run where a commit feeds many.
 */
import { createSet, land, push, type StageDirector, type Story, StoryFault, workload } from '../story.ts';
import { everywhereOnVersionOne, isHealthyEverywhere, repository } from './staging.ts';

const config = 'apps/payments/config.json';

/** The state and the title of a check run on a commit; "" when there is none. */
export function checkOn(stage: StageDirector, sha: string, name: string, where = repository): string {
  const run = stage.world.github.checkRuns(where, sha).find((one) => one.name === `stepback / ${name}`);
  return run === undefined ? '' : `${run.conclusion ?? run.status} · ${run.title ?? ''}`;
}

export const checkRun: Story = {
  name: 'check-run',
  about: 'A good change has a check run from the push on: queued, on its way, and there.',
  async play(stage) {
    const { world } = stage;
    await everywhereOnVersionOne(stage);
    // Argo CD is not told, so it finds the push at its next look, minutes later.
    const sha = world.github.commit(repository, {
      author: 'dana',
      message: 'payments: faster start',
      files: { [config]: workload('payments', { version: '2' }) },
    });
    stage.say('Dana pushes a good change. Argo CD has not heard of it yet.');
    const check = (): string => checkOn(stage, sha, 'argocd/payments');
    await stage.expect('its check run is queued', () => check().startsWith('queued'), 1);
    await stage.expect('its check run is in progress', () => check().startsWith('in_progress'), 5);
    await stage.expect('its check run is a success', () => check().startsWith('success'), 5);
  },
};

export const overtaken: Story = {
  name: 'overtaken',
  about: 'A second change lands before every stage runs the first: the check run of the first says so.',
  async play(stage) {
    const { world } = stage;
    await everywhereOnVersionOne(stage);
    const first = push(world, repository, 'payments: version 2', {
      [config]: workload('payments', { version: '2' }),
    });
    await stage.expect(
      'the first is on its way',
      () => checkOn(stage, first, 'argocd/payments').startsWith('in_progress'),
      2,
    );
    const second = push(world, repository, 'payments: version 3', {
      [config]: workload('payments', { version: '3' }),
    });
    stage.say('Dana pushes version 3 while version 2 is still on its way.');
    await stage.expect(
      'the first is overtaken',
      () => checkOn(stage, first, 'argocd/payments') === `neutral · Overtaken by ${second.slice(0, 7)}`,
      2,
    );
    await stage.expect(
      'the second is everywhere',
      () => checkOn(stage, second, 'argocd/payments').startsWith('success'),
      5,
    );
  },
};

export const manualGate: Story = {
  name: 'manual-gate',
  about:
    'prod moves only by hand: the check run says that a person is needed, and is a success when one was.',
  async play(stage) {
    const { world } = stage;
    await everywhereOnVersionOne(stage);
    // The gate is put there afterwards: behind one, version 1 would wait as well.
    const steps = [
      { matchExpressions: [{ key: 'env', operator: 'In', values: ['dev'] }] },
      { matchExpressions: [{ key: 'env', operator: 'In', values: ['staging'] }] },
      { matchExpressions: [{ key: 'env', operator: 'In', values: ['prod'] }], maxUpdate: 0 },
    ];
    world.store.patchMerge('applicationsets', 'argocd', 'payments', {
      spec: { strategy: { rollingSync: { steps } } },
    });
    const bad = land(world, repository, 'payments: faster start', {
      [config]: workload('payments', { version: '2' }),
    });
    const sha = world.github.pullRequest(repository, bad)?.mergeSha ?? '';
    stage.say(`Dana merges #${bad}. prod moves only by hand.`);
    await stage.expect(
      'its check run asks for a person',
      () => checkOn(stage, sha, 'argocd/payments') === 'action_required · prod moves only by hand',
      5,
    );
  },
  async after(stage) {
    const { argocd, clusters, github } = stage.world;
    stage.say('Dana syncs prod by hand.');
    for (const { name } of clusters.filter((one) => one.name.startsWith('prod')))
      argocd.syncByHand(`payments-${name}`, { username: 'dana' });
    await stage.expect('version 2 is Healthy everywhere', () => isHealthyEverywhere(stage, 'payments'), 5);
    const head = github.head(repository) ?? '';
    await stage.expect(
      'its check run is a success',
      () => checkOn(stage, head, 'argocd/payments').startsWith('success'),
      2,
    );
  },
};

export const manySets: Story = {
  name: 'many-sets',
  about: 'One commit feeds 21 ApplicationSets and breaks one: one check run for all, and one for that.',
  async play(stage) {
    const { world } = stage;
    const where = 'acme/fleet';
    const names = Array.from({ length: 21 }, (_, index) => `app-${String(index + 1).padStart(2, '0')}`);
    const files = (version: string): Record<string, string> =>
      Object.fromEntries(
        names.map((name) => [
          `apps/${name}/config.json`,
          workload(name, {
            version,
            ...(version === '2' && name === 'app-07'
              ? { 'health.dev-1': 'Degraded', message: 'exit code 1' }
              : {}),
          }),
        ]),
      );
    world.github.createRepository({ owner: 'acme', name: 'fleet', files: files('1') });
    for (const name of names) createSet(world, { name, repository: where, onlyIn: 'dev' });
    await stage.expect(
      'all 21 are Healthy',
      () => names.every((name) => stage.answer(name)?.answer.rollout.verdict === 'ok'),
      5,
    );
    const sha = push(world, where, 'all: new base image', files('2'));
    stage.say('Dana pushes a new base image for all 21. app-07 does not bear it.');
    await stage.expect(
      'one check run tells of all',
      () => checkOn(stage, sha, 'summary', where) === 'failure · 1 of 21 ApplicationSets failed; 20 done',
      8,
    );
    const ours = world.github.checkRuns(where, sha).map((run) => run.name);
    if (ours.join() !== 'stepback / summary,stepback / argocd/app-07')
      throw new StoryFault(`There should be a summary and app-07, and there are ${ours.join(', ')}.`);
  },
};
