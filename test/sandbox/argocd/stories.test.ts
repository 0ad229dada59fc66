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

  it('sync-failed-revert-while-retrying: the next attempt takes the revert', async () => {
    const world = await begin('sync-failed-revert-while-retrying', clusters, ['prod-2', 'dev-1']);
    world.argocd.habits.missedWakeUps = 0;
    await everywhere(world, 'A');
    world.argocd.habits.noticeFirst = [name(world, 'dev-1')];
    world.push('B');
    await world.until('dev-1 is in its second retry', () => operation(world, 'dev-1')?.retryCount === 2);
    expect(operation(world, 'dev-1')).toMatchObject({
      phase: 'Running',
      syncResult: { revision: world.expectation.commits.B!.sha },
    });
    expect(operation(world, 'dev-1')?.message).toContain('Service "billing-metrics" is invalid');
    world.push('C');
    await world.until('the third attempt succeeds', () => operation(world, 'dev-1')?.phase === 'Succeeded');
    expect(operation(world, 'dev-1')?.syncResult?.revision).toBe(world.expectation.commits.C!.sha);
    await world.seconds(5);
    agrees(world, 3);
  });

  it('sync-failed-exhausted: five retries in five minutes, one more attempt, then Failed', async () => {
    const world = await begin('sync-failed-exhausted', clusters, ['dev-1']);
    await everywhere(world, 'A');
    const retries: string[] = [];
    const began = world.clock.now();
    world.store.subscribe(({ object }) => {
      const state = (object.status as { operationState?: { message?: string } })?.operationState;
      const message = object.metadata.name.endsWith('dev-1') ? (state?.message ?? '') : '';
      if (/^Retrying/.test(message) && retries.at(-1)?.split(' at ')[0] !== message) {
        retries.push(`${message} at ${Math.floor((world.clock.now() - began) / 20_000) * 20} s`);
      }
    });
    world.push('B');
    await world.until('dev-1 used up its retries', () => operation(world, 'dev-1')?.phase === 'Failed', 600);
    await world.seconds(60);
    expect(retries).toMatchInlineSnapshot(`
      [
        "Retrying operation. Attempt #1 at 0 s",
        "Retrying operation. Attempt #2 at 20 s",
        "Retrying operation. Attempt #3 at 60 s",
        "Retrying operation. Attempt #4 at 140 s",
        "Retrying operation. Attempt #5 at 300 s",
      ]
    `);
    expect(operation(world, 'dev-1')?.message).toMatch(/reason: Service .* \(retried 5 times\)\.$/);
    expect(health(world, 'dev-1')).toBe('Degraded');
    expect(world.runs('prod-1')).toEqual(['A', 'C']);
    world.push('C');
    await everywhere(world, 'C');
  });

  it('hook-never-ends: the revert is there everywhere while the old operation still runs, until a person ends it', async () => {
    const world = await begin('hook-never-ends', clusters, ['staging-1', 'dev-1']);
    await everywhere(world, 'A');
    world.push('B');
    await world.until('dev-1 waits for its hook', () =>
      /hook/.test(operation(world, 'dev-1')?.message ?? ''),
    );
    await world.seconds(30);
    expect(operation(world, 'dev-1')?.syncResult?.resources).toMatchObject([
      { kind: 'Job', hookPhase: 'Running' },
    ]);
    world.argocd.habits.noticeFirst = [name(world, 'dev-1')];
    world.push('C');
    await everywhere(world, 'C');
    await world.seconds(30);
    agrees(world, 3);
    const running = ['dev-1', 'staging-1'].filter(
      (cluster) => operation(world, cluster)?.phase === 'Running',
    );
    expect(running).toContain('dev-1');
    for (const cluster of running) world.argocd.terminate(name(world, cluster));
    await world.until('it is over', () => operation(world, 'dev-1')?.phase === 'Failed');
    expect(operation(world, 'dev-1')?.message).toBe('Operation terminated');
    await world.seconds(10);
    agrees(world, 4);
  });

  it('late-hook-brought-back-by-a-sync: a hook ends after the revert; a refresh does not help, a sync does', async () => {
    const world = await begin('late-hook-brought-back-by-a-sync', clusters, ['dev-1']);
    await everywhere(world, 'A');
    world.push('B');
    await world.until('dev-1 waits for its hook', () =>
      /hook/.test(operation(world, 'dev-1')?.message ?? ''),
    );
    world.push('C');
    await everywhere(world, 'C');
    world.argocd.finishHook(name(world, 'dev-1'));
    await world.until('dev-1 runs the bad commit', () => isRunning(world, 'B')('dev-1'));
    await world.seconds(25);
    agrees(world, 1);
    expect(world.application('dev-1').status?.sync.status).toBe('OutOfSync');
    world.argocd.refresh(name(world, 'dev-1'));
    await world.seconds(400);
    agrees(world, 2);
    world.argocd.syncByHand(name(world, 'dev-1'));
    await everywhere(world, 'C');
    agrees(world, 3);
  });

  it('hook-finishes-after-the-revert: nothing ever syncs the revert again', async () => {
    const world = await begin('hook-finishes-after-the-revert', clusters, ['dev-1']);
    await everywhere(world, 'A');
    world.push('B');
    await world.until('dev-1 waits for its hook', () =>
      /hook/.test(operation(world, 'dev-1')?.message ?? ''),
    );
    world.push('C');
    await everywhere(world, 'C');
    agrees(world, 1);
    world.argocd.finishHook(name(world, 'dev-1'));
    await world.seconds(600);
    agrees(world, 2);
  });

  it('revert-needs-prune: dev-1 never gets rid of the object, and staging never gets the revert', async () => {
    const world = await begin('revert-needs-prune', clusters, ['dev-1']);
    await everywhere(world, 'A');
    world.push('B');
    await world.until('staging-3 is Degraded', () => health(world, 'staging-3') === 'Degraded');
    await world.seconds(20);
    world.push('C');
    await world.seconds(300);
    const dev = world.application('dev-1').status!;
    expect([world.statuses()['dev-1'], dev.sync.status, dev.operationState?.phase]).toEqual([
      'Progressing',
      'OutOfSync',
      'Succeeded',
    ]);
    expect(dev.resources?.filter(({ status }) => status !== 'Synced')).toMatchObject([
      { requiresPruning: true },
    ]);
    expect(dev.operationState?.syncResult?.resources?.map(({ message }) => message)).toContain(
      'ignored (requires pruning)',
    );
    expect([world.runs('staging-1'), world.statuses()['staging-1']]).toEqual([['B'], 'Waiting']);
    expect([world.runs('prod-1'), world.statuses()['prod-1']]).toEqual([['A', 'C'], 'Healthy']);
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
