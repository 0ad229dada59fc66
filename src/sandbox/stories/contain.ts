/**
 * A change that breaks after it was Healthy, so that Argo CD walks on: Stepback holds what is still ahead until the revert, or
 * a fix, is on the branch, and then puts back what it changed.
 */
import type { ApplicationObject, ApplicationSetObject } from '../argocd/objects.ts';
import { land, push, reverts, type StageDirector, type Story, StoryFault, workload } from '../story.ts';
import type { SandboxWorld } from '../world.ts';
import {
  everywhereOnVersionOne,
  isHealthyEverywhere,
  mergeAndRecover,
  oneRevert,
  repository,
} from './staging.ts';

const config = 'apps/payments/config.json';
export const freezes = { '.github/stepback.yaml': 'contain: freeze\n' };

/** `maxUpdate` of each step as it stands now; null where there is none. */
export function maxUpdates({ store }: SandboxWorld): readonly (number | string | null)[] {
  const set = store.get<ApplicationSetObject>('applicationsets', 'argocd', 'payments');
  return (set?.spec.strategy?.rollingSync?.steps ?? []).map((step) => step.maxUpdate ?? null);
}

/** Applications that Argo CD has ever told to apply a commit. */
export function everGot({ store }: SandboxWorld, sha: string): readonly string[] {
  return store
    .list<ApplicationObject>('applications')
    .filter(({ status }) =>
      [
        status?.operationState?.syncResult?.revision,
        ...(status?.history ?? []).map(({ revision }) => revision),
      ].includes(sha),
    )
    .map(({ metadata }) => metadata.name);
}

/** Somebody else writes `maxUpdate` of a step, counted from 0. */
export function setMaxUpdate(world: SandboxWorld, index: number, value: number | string): void {
  patchByHand(
    world,
    JSON.stringify([{ path: `/spec/strategy/rollingSync/steps/${index}/maxUpdate`, value }]),
  );
}

/** A change that takes a while on each cluster and that dev-1 does not bear for long; gives its commit. */
export async function breakLate(stage: StageDirector, health = 'Healthy after 50s'): Promise<string> {
  const { world } = stage;
  const number = land(world, repository, 'payments: cache in memory', {
    [config]: workload('payments', { version: '2', health, 'health.dev-1': 'Healthy' }),
  });
  const sha = headOf(world);
  stage.say(`Dana merges #${number}. It is Healthy in dev-1, and staging begins.`);
  const hasBegun = (): boolean => everGot(world, sha).some((name) => name.includes('-staging-'));
  await stage.expect('staging has begun', hasBegun, 4);
  world.argocd.setHealth('payments-dev-1', { status: 'Degraded', message: 'OOMKilled: container payments' });
  stage.say('dev-1 runs out of memory. Argo CD would go on with staging and prod.');
  return sha;
}

/** The steps stand at 0, and the revert says so. */
export async function heldIn(stage: StageDirector, expected: readonly (number | string)[]): Promise<void> {
  await stage.expect(
    `the steps are ${expected.join(', ')}`,
    () => maxUpdates(stage.world).join() === expected.join(),
    6,
  );
}

function noProdEverGot(world: SandboxWorld, sha: string): void {
  const prod = everGot(world, sha).filter((name) => name.includes('-prod-'));
  if (prod.length > 0) throw new StoryFault(`${prod.join(', ')} got the bad commit although prod was held.`);
}

async function putBack(stage: StageDirector): Promise<void> {
  await heldIn(stage, ['100%', '50%', 1]);
  stage.say('Stepback has put the steps back.');
}

export const held: Story = {
  name: 'held',
  about:
    'dev-1 breaks late; Stepback holds staging and prod, which never get the bad commit, until the merge.',
  async play(stage) {
    await everywhereOnVersionOne(stage, { files: freezes });
    await breakLate(stage);
    await heldIn(stage, ['100%', 0, 0]);
    stage.say('Stepback sets maxUpdate of staging and prod to 0.');
    const number = await oneRevert(stage, repository);
    await stage.expect(
      'the revert says what is held',
      () => /\*\*Frozen\*\*/.test(stage.world.github.pullRequest(repository, number)?.body ?? ''),
      2,
    );
    await stage.conductor.pass(3 * 60_000);
  },
  async after(stage) {
    const bad = headOf(stage.world);
    noProdEverGot(stage.world, bad);
    stage.world.argocd.setHealth('payments-dev-1', undefined);
    await mergeAndRecover(stage, repository);
    await putBack(stage);
    noProdEverGot(stage.world, bad);
  },
};

export const heldUntilFixed: Story = {
  name: 'held-until-fixed',
  about: 'dev-1 breaks late and the rest is held; a person lands a fix, which lets everything go on.',
  async play(stage) {
    const { world } = stage;
    await everywhereOnVersionOne(stage, { files: freezes });
    const bad = await breakLate(stage);
    await heldIn(stage, ['100%', 0, 0]);
    await oneRevert(stage, repository);
    world.argocd.setHealth('payments-dev-1', undefined);
    push(
      world,
      repository,
      'payments: a smaller cache',
      { [config]: workload('payments', { version: '3' }) },
      'sam',
    );
    stage.say('Sam pushes a fix.');
    await putBack(stage);
    await stage.expect('the fix is Healthy everywhere', () => isHealthyEverywhere(stage, 'payments'), 10);
    await stage.expect('the revert is closed', () => reverts(world, repository)[0]?.state === 'closed', 6);
    noProdEverGot(world, bad);
  },
};

export const advised: Story = {
  name: 'advised',
  about: 'dev-1 breaks late; a person holds staging and prod with the command that the revert gives.',
  async play(stage) {
    const { world } = stage;
    await everywhereOnVersionOne(stage);
    const bad = await breakLate(stage);
    const number = await oneRevert(stage, repository);
    const body = world.github.pullRequest(repository, number)?.body ?? '';
    const command = /^kubectl -n argocd patch applicationset payments --type json -p '(.+)'$/m.exec(
      body,
    )?.[1];
    if (command === undefined)
      throw new StoryFault('The revert does not give the command that holds the rest.');
    patchByHand(world, command);
    stage.say('Dana copies the command from the revert and holds the rest.');
    await stage.conductor.pass(4 * 60_000);
    noProdEverGot(world, bad);
    if (maxUpdates(world).join() !== '100%,0,0')
      throw new StoryFault('Stepback changed what a person had written.');
  },
  async after(stage) {
    const { world } = stage;
    world.argocd.setHealth('payments-dev-1', undefined);
    setMaxUpdate(world, 1, '50%');
    setMaxUpdate(world, 2, 1);
    await mergeAndRecover(stage, repository);
  },
};

/** What `kubectl patch --type json` does with operations that set fields. */
function patchByHand({ store }: SandboxWorld, operations: string): void {
  const set = store.get<ApplicationSetObject>('applicationsets', 'argocd', 'payments');
  const steps = structuredClone(set?.spec.strategy?.rollingSync?.steps ?? []);
  for (const { path, value } of JSON.parse(operations) as { path: string; value: number | string }[]) {
    const index = Number(/^\/spec\/strategy\/rollingSync\/steps\/(\d+)\/maxUpdate$/.exec(path)?.[1]);
    steps[index] = { ...steps[index], maxUpdate: value };
  }
  store.patchMerge('applicationsets', 'argocd', 'payments', {
    spec: { strategy: { rollingSync: { steps } } },
  });
}

function headOf({ github }: SandboxWorld): string {
  return github.head(repository) ?? '';
}
