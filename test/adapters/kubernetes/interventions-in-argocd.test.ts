/** What each intervention does inside Argo CD: the simulated controllers answer as the real ones did in the recordings. */
import { expect, onTestFinished, test } from 'vitest';
import { openClusters } from '../../../src/adapters/kubernetes/open-clusters.ts';
import { startSmallKubernetes } from '../../../src/sandbox/kubernetes/server.ts';
import { agrees, begin, everywhere, health, isRunning, name, operation } from '../../sandbox/argocd/story.ts';
import type { World } from '../../sandbox/argocd/world.ts';
import { TestClock } from '../test-clock.ts';

async function interventionsIn(world: World) {
  const { store, clock } = world;
  const kubernetes = await startSmallKubernetes({ store, clock });
  onTestFinished(() => kubernetes.close());
  const [cluster] = openClusters({
    kubeconfig: { kind: 'text', text: kubernetes.kubeconfig() },
    clusters: [{ context: null, instance: 'prod' }],
    clock: new TestClock(),
    random: () => 0.5,
  });
  return cluster!.interventions;
}

const seen = (world: World) => {
  const { name: set, uid = '', generation = 0 } = world.applicationSet().metadata;
  return { key: `argocd/${set}`, uid, generation };
};

test('late-hook-brought-back-by-a-sync: a refresh does not help, a sync does', async () => {
  const world = await begin('late-hook-brought-back-by-a-sync', 7, ['dev-1']);
  const interventions = await interventionsIn(world);
  await everywhere(world, 'A');
  world.push('B');
  await world.until('dev-1 waits for its hook', () => /hook/.test(operation(world, 'dev-1')?.message ?? ''));
  world.push('C');
  await everywhere(world, 'C');
  const dev = `argocd/${name(world, 'dev-1')}`;
  expect(await interventions.sync(dev, { reason: 'too early' })).toBe('busy');
  world.argocd.finishHook(name(world, 'dev-1'));
  await world.until('dev-1 runs the bad commit', () => isRunning(world, 'B')('dev-1'));
  await world.seconds(25);
  const comparedAt = world.application('dev-1').status?.reconciledAt;
  expect(await interventions.refresh(dev)).toBe('done');
  await world.seconds(20);
  expect(world.application('dev-1').status?.reconciledAt).not.toBe(comparedAt);
  expect(world.application('dev-1').metadata.annotations).toBeUndefined();
  agrees(world, 2);
  expect(await interventions.sync(dev, { reason: 'dev-1 runs what was taken back' })).toBe('done');
  await everywhere(world, 'C');
  agrees(world, 3);
  expect(operation(world, 'dev-1')?.operation.initiatedBy?.username).toBe('stepback');
});

test('hook-never-ends: the operation that was meant is ended, and a sync can follow', async () => {
  const world = await begin('hook-never-ends', 7, ['dev-1']);
  const interventions = await interventionsIn(world);
  await everywhere(world, 'A');
  world.push('B');
  await world.until('dev-1 waits for its hook', () => /hook/.test(operation(world, 'dev-1')?.message ?? ''));
  world.push('C');
  await everywhere(world, 'C');
  const dev = `argocd/${name(world, 'dev-1')}`;
  expect(operation(world, 'dev-1')?.phase).toBe('Running');
  const startedAt = Date.parse(operation(world, 'dev-1')!.startedAt);
  expect(await interventions.terminate(dev, startedAt)).toBe('done');
  await world.until('it has ended', () => operation(world, 'dev-1')?.phase === 'Failed');
  expect(operation(world, 'dev-1')?.message).toBe('Operation terminated');
  expect(await interventions.terminate(dev, startedAt)).toBe('over');
  await world.until('nothing runs', () => world.application('dev-1').operation === undefined);
  expect(await interventions.sync(dev, { reason: 'after its end' })).toBe('done');
  await everywhere(world, 'C');
  expect(world.runs('dev-1')).toContain('C');
});

test('neighbours-of-an-unreachable-cluster-synced: those that wait come back without it', async () => {
  const world = await begin('neighbours-of-an-unreachable-cluster-synced', 7, ['dev-1']);
  const interventions = await interventionsIn(world);
  const neighbours = ['prod-1', 'prod-3'];
  await everywhere(world, 'A');
  world.push('B');
  await everywhere(world, 'B');
  for (const one of neighbours)
    world.argocd.setHealth(name(world, one), { status: 'Degraded', message: 'out of memory' });
  world.argocd.setReachable('prod-2', false);
  world.argocd.habits.noticeFirst = ['prod-2', 'dev-1'].map((one) => name(world, one));
  world.push('C');
  await world.seconds(120);
  expect(neighbours.map((one) => world.runs(one))).toEqual([['B'], ['B']]);
  for (const one of neighbours) {
    world.argocd.setHealth(name(world, one), undefined);
    const answer = await interventions.sync(`argocd/${name(world, one)}`, {
      reason: 'prod-2 holds the slot',
    });
    expect(answer).toBe('done');
  }
  await world.until('they are back', () =>
    neighbours.every((one) => isRunning(world, 'C')(one) && health(world, one) === 'Healthy'),
  );
  expect(world.runs('prod-2')).toEqual(['B']);
});

test('frozen-by-hand: a step that is held gets nothing, and with its old value back it takes part again', async () => {
  const world = await begin('frozen-by-hand', 7, ['dev-1']);
  const interventions = await interventionsIn(world);
  await everywhere(world, 'A');
  world.push('B');
  await world.until('staging-2 has begun', () => isRunning(world, 'B')('staging-2'));
  world.argocd.setHealth(name(world, 'dev-1'), { status: 'Degraded', message: 'out of memory' });
  expect(await interventions.setMaxUpdates(seen(world), [{ index: 2, expected: 1, value: 0 }], null)).toBe(
    'done',
  );
  await world.seconds(5);
  world.argocd.setHealth(name(world, 'staging-2'), { status: 'Healthy', message: '' });
  await world.seconds(60);
  agrees(world, 2);
  world.push('C');
  expect(await interventions.setMaxUpdates(seen(world), [{ index: 2, expected: 0, value: 1 }], null)).toBe(
    'done',
  );
  await everywhere(world, 'C');
  agrees(world, 3);
});
