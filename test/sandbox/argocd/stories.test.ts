import { describe, expect, it } from 'vitest';
import { agrees, begin, everywhere, health, isRunning, name, operation, setMaxUpdate } from './story.ts';

describe.each([7, 12] as const)('stories on %i clusters end as the recordings do', (clusters) => {
  it('happy: a good change walks through dev, staging and prod', async () => {
    const world = await begin('happy', clusters, ['dev-1']);
    await everywhere(world, 'A');
    agrees(world, 0);
    world.push('B');
    await everywhere(world, 'B');
    agrees(world, 2);
  });

  it('degraded-in-staging: the rollout stops there, and a revert brings all back', async () => {
    const world = await begin('degraded-in-staging', clusters, ['dev-1']);
    await everywhere(world, 'A');
    world.push('B');
    await world.until('staging-1 is Degraded', () => health(world, 'staging-1') === 'Degraded');
    await world.seconds(60);
    agrees(world, 2);
    world.push('C');
    await everywhere(world, 'C');
    agrees(world, 4);
  });

  it('prod-gets-it-first: prod-2 and staging-1 notice before dev, and get the bad commit before it', async () => {
    const world = await begin('prod-gets-it-first', clusters, ['prod-2', 'staging-1', 'dev-1']);
    world.argocd.habits.noticeLeadMs = 8000;
    await everywhere(world, 'A');
    world.push('B');
    await world.until('prod-2 runs it', () => world.runs('prod-2').includes('B'));
    expect(world.runs('dev-1')).not.toContain('B');
    await world.until('staging-1 is Degraded', () => health(world, 'staging-1') === 'Degraded');
    await world.seconds(60);
    agrees(world, 1);
    world.push('C');
    await everywhere(world, 'C');
    agrees(world, 2);
  });

  it('late-degradation: dev-1 breaks after it was Healthy, and the rollout walks on to every cluster', async () => {
    const world = await begin('late-degradation', clusters, ['dev-1']);
    await everywhere(world, 'A');
    world.push('B');
    await world.until('staging-2 has begun', () => isRunning(world, 'B')('staging-2'));
    await world.seconds(4);
    world.argocd.setHealth(name(world, 'dev-1'), { status: 'Degraded', message: 'out of memory' });
    await world.seconds(12);
    expect(health(world, 'dev-1')).toBe('Degraded');
    expect(world.statuses()['dev-1']).toBe('Healthy');
    world.argocd.setHealth(name(world, 'staging-2'), { status: 'Healthy', message: '' });
    await world.seconds(90);
    agrees(world, 3);
    world.push('C');
    await everywhere(world, 'C');
    agrees(world, 4);
  });

  it('render-error: all show a ComparisonError, nothing is deployed, and the revert needs no sync', async () => {
    const world = await begin('render-error', clusters, ['staging-3', 'dev-1']);
    await everywhere(world, 'A');
    world.push('B');
    await world.until(
      'dev-1 has a ComparisonError',
      () => world.application('dev-1').status?.conditions !== undefined,
    );
    await world.seconds(25);
    agrees(world, 2);
    const { sync, conditions } = world.application('prod-1').status!;
    expect([sync.status, sync.revision, conditions?.map(({ message }) => message)]).toMatchInlineSnapshot(`
      [
        "Unknown",
        "main",
        [
          "Failed to load target state: failed to generate manifest for source 1 of 1: rpc error: code = FailedPrecondition desc = Failed to unmarshal "config.json": unexpected EOF",
        ],
      ]
    `);
    expect(world.applicationSet().status?.applicationStatus?.[0]?.targetRevisions).toEqual(['main']);
    world.push('C');
    await everywhere(world, 'C');
    agrees(world, 3);
  });

  it('neighbours-of-an-unreachable-cluster-synced: it holds the only slot; its neighbours recover when synced by hand', async () => {
    const world = await begin('neighbours-of-an-unreachable-cluster-synced', clusters, ['dev-1']);
    await everywhere(world, 'A');
    world.push('B');
    await everywhere(world, 'B');
    const prods = Object.keys(world.statuses()).filter(
      (cluster) => cluster.startsWith('prod') && cluster !== 'prod-2',
    );
    for (const cluster of prods)
      world.argocd.setHealth(name(world, cluster), { status: 'Degraded', message: 'no space left' });
    world.argocd.setReachable('prod-2', false);
    await world.seconds(15);
    world.argocd.habits.noticeFirst = [name(world, 'prod-2')];
    world.push('C');
    await world.seconds(40);
    agrees(world, 2);
    expect(
      world.application('prod-2').status?.conditions?.map(({ type, message }) => `${type}: ${message}`),
    ).toMatchInlineSnapshot(`
      [
        "ComparisonError: Failed to load live state: failed to get cluster info for "https://prod-2.k8s.acme.example:6443": error synchronizing cache state : failed to get server version: failed to get server version: the server has asked for the client to provide credentials",
        "ComparisonError: Failed to load target state: failed to get cluster version for cluster "https://prod-2.k8s.acme.example:6443": failed to get cluster info for "https://prod-2.k8s.acme.example:6443": error synchronizing cache state : failed to get server version: failed to get server version: the server has asked for the client to provide credentials",
        "UnknownError: error synchronizing cache state : failed to get server version: failed to get server version: the server has asked for the client to provide credentials",
      ]
    `);
    for (const cluster of prods) world.argocd.syncByHand(name(world, cluster));
    await world.until('they are back', () =>
      prods.every((cluster) => isRunning(world, 'C')(cluster) && health(world, cluster) === 'Healthy'),
    );
    await world.seconds(2);
    agrees(world, 3);
    world.argocd.setReachable('prod-2', true);
    await world.until('prod-2 is back', () => world.isEverywhere('C'), 400);
    agrees(world, 4);
  });

  it('cluster-unreachable: nothing rolls out, and its Application alone shows three errors', async () => {
    const world = await begin('cluster-unreachable', clusters, ['dev-1']);
    await everywhere(world, 'A');
    world.push('B');
    await everywhere(world, 'B');
    world.argocd.setReachable('prod-2', false);
    world.argocd.refresh(name(world, 'prod-2'));
    await world.seconds(30);
    agrees(world, 1);
    expect(world.application('prod-2').status).toMatchObject({
      sync: { status: 'Unknown', revision: 'main' },
      health: { status: 'Healthy' },
    });
    expect(operation(world, 'prod-2')).toMatchObject({
      phase: 'Running',
      retryCount: 2,
      syncResult: { revision: '' },
    });
    world.argocd.setReachable('prod-2', true);
    await everywhere(world, 'B');
    agrees(world, 2);
  });

  it('frozen-by-hand: maxUpdate 0 on prod holds the bad commit back, and the old value lets the revert be', async () => {
    const world = await begin('frozen-by-hand', clusters, ['dev-1']);
    await everywhere(world, 'A');
    world.push('B');
    await world.until('staging-2 has begun', () => isRunning(world, 'B')('staging-2'));
    world.argocd.setHealth(name(world, 'dev-1'), { status: 'Degraded', message: 'out of memory' });
    setMaxUpdate(world, 2, 0);
    await world.seconds(5);
    world.argocd.setHealth(name(world, 'staging-2'), { status: 'Healthy', message: '' });
    await world.seconds(60);
    agrees(world, 2);
    world.push('C');
    await world.seconds(60);
    setMaxUpdate(world, 2, 1);
    await everywhere(world, 'C');
    agrees(world, 3);
  });

  it('frozen-but-one-was-pending: what is Pending already is synced once the steps before are through', async () => {
    const world = await begin('frozen-but-one-was-pending', clusters, ['prod-2', 'dev-1'], {
      version: '3.6',
    });
    await everywhere(world, 'A');
    world.argocd.habits.slowness = 3;
    world.push('B');
    await world.until('prod-2 is Pending', () => world.statuses()['prod-2'] === 'Pending');
    const isStarted = operation(world, 'prod-2')?.phase === 'Running';
    await world.until('staging-2 has begun', () => isRunning(world, 'B')('staging-2'));
    world.argocd.setHealth(name(world, 'dev-1'), { status: 'Degraded', message: 'out of memory' });
    setMaxUpdate(world, 2, 0);
    await world.seconds(5);
    world.argocd.setHealth(name(world, 'staging-2'), { status: 'Healthy', message: '' });
    await world.seconds(60);
    expect(isStarted).toBe(false);
    agrees(world, 2);
    world.push('C');
    await world.seconds(30);
    setMaxUpdate(world, 2, 1);
    await everywhere(world, 'C');
    agrees(world, 3);
  });
});
