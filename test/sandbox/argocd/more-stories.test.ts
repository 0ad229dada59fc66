import { describe, expect, it } from 'vitest';
import { agrees, begin, everywhere, health, isRunning, name, operation } from './story.ts';

describe('more stories end as the recordings do', () => {
  it('degraded-in-dev-manual-sync-policy: RollingSync syncs what has no sync policy, and does not prune', async () => {
    const world = await begin('degraded-in-dev-manual-sync-policy', 7, ['dev-1']);
    await everywhere(world, 'A');
    world.push('B');
    await world.until('dev-1 is Degraded', () => health(world, 'dev-1') === 'Degraded');
    await world.seconds(30);
    agrees(world, 1);
    expect(operation(world, 'dev-1')?.operation.sync).toEqual({});
    world.push('C');
    await everywhere(world, 'C');
    agrees(world, 2);
  });

  it('max-update-zero: the prod step waits for a person for ever', async () => {
    const world = await begin('max-update-zero', 7, ['dev-1']);
    await world.until('staging is Healthy', () => world.statuses()['staging-3'] === 'Healthy');
    await world.seconds(30);
    agrees(world, 0);
    for (const cluster of ['prod-1', 'prod-2', 'prod-3']) world.argocd.syncByHand(name(world, cluster));
    await everywhere(world, 'A');
    world.push('B');
    await world.seconds(300);
    agrees(world, 1);
  });

  it('sync-window: an operation waits behind a closed window; that it opens wakes nobody before the next poll', async () => {
    const world = await begin('sync-window', 7, ['prod-2', 'staging-3', 'dev-1']);
    await everywhere(world, 'A');
    world.argocd.closeWindow('staging-1', 'staging-2', 'staging-3');
    world.push('B');
    await world.seconds(30);
    expect(operation(world, 'staging-3')).toMatchObject({
      phase: 'Running',
      message: 'Sync operation blocked by sync window',
      syncResult: { revision: '' },
    });
    world.argocd.openWindow();
    await world.seconds(30);
    expect(operation(world, 'staging-3')?.phase).toBe('Running');
    const messages = new Set<string | undefined>();
    world.store.subscribe(() => messages.add(operation(world, 'staging-3')?.message));
    await world.until('all Healthy on B', () => world.isEverywhere('B'), 400);
    expect(messages).toContain('successfully synced (no more tasks)');
    agrees(world, 2);
  });

  it('no-step: nothing is ever deployed, and the ApplicationSet says the rollout is complete', async () => {
    const world = await begin('no-step', 7, []);
    await world.seconds(30);
    agrees(world, 0);
    world.push('B');
    await world.seconds(30);
    agrees(world, 1);
    const condition = world
      .applicationSet()
      .status?.conditions?.find(({ type }) => type === 'RolloutProgressing');
    expect([condition?.status, condition?.reason]).toEqual(['False', 'ApplicationSetRolloutComplete']);
    const steps = world.applicationSet().status?.applicationStatus?.map(({ step }) => step);
    expect(new Set(steps)).toEqual(new Set(['-1']));
  });

  it('flag-off: the strategy is ignored, and every cluster gets the bad commit by its own automated sync', async () => {
    const world = await begin('flag-off', 7, [], { isProgressive: false });
    await everywhere(world, 'A');
    world.push('B');
    await world.until(
      'all are Degraded',
      () => health(world, 'prod-3') === 'Degraded' && health(world, 'dev-1') === 'Degraded',
    );
    await world.seconds(20);
    agrees(world, 0);
    expect(world.applicationSet().status?.applicationStatus).toBeUndefined();
    expect(operation(world, 'prod-1')).toMatchObject({
      operation: { initiatedBy: { automated: true }, sync: { revision: world.expectation.commits.B!.sha } },
      phase: 'Succeeded',
    });
    world.push('C');
    await everywhere(world, 'C');
    agrees(world, 1);
  });

  it('the flag switched off later clears applicationStatus', async () => {
    const world = await begin('happy', 7, []);
    await everywhere(world, 'A');
    world.argocd.setProgressive(false);
    await world.seconds(5);
    expect(world.applicationSet().status?.applicationStatus).toBeUndefined();
    expect(world.application('dev-1').spec.syncPolicy?.automated).toEqual({ prune: true });
  });

  it('template-change-not-noticed: every Application becomes OutOfSync, and nothing starts', async () => {
    const world = await begin('template-change-not-noticed', 7, []);
    await everywhere(world, 'A');
    const template = { spec: { source: { path: 'apps/router-next' } } };
    world.store.patchMerge('applicationsets', 'argocd', 'router', { spec: { template } });
    await world.seconds(300);
    expect(world.application('staging-1').status?.sync.status).toBe('OutOfSync');
    expect(new Set(Object.values(world.statuses()))).toEqual(new Set(['Healthy']));
    expect(health(world, 'staging-1')).toBe('Healthy');
  });

  it('multi-source: plural revisions, and the commit of the second source that breaks staging-2', async () => {
    const world = await begin('multi-source', 7, ['dev-1']);
    world.push('B', false);
    await world.until(
      'all Healthy',
      () => Object.values(world.statuses()).filter((one) => one === 'Healthy').length === 7,
    );
    await world.seconds(5);
    world.push('C');
    await world.until('staging-2 is Degraded', () => health(world, 'staging-2') === 'Degraded');
    await world.seconds(20);
    const { A, C } = world.expectation.commits;
    const { history, sync, sourceTypes } = world.application('staging-2').status!;
    expect(sync.revisions).toEqual([A!.sha, C!.sha]);
    expect(sourceTypes).toEqual(['Directory', 'Directory']);
    expect(history?.at(-1)).toMatchObject({
      revisions: [A!.sha, C!.sha],
      source: { repoURL: '' },
      sources: [{ path: 'base' }, { path: 'env' }],
    });
    expect([world.statuses()['staging-2'], world.statuses()['prod-1']]).toEqual(['Progressing', 'Waiting']);
    world.push('D');
    await world.until(
      'staging-2 is Healthy again',
      () => health(world, 'staging-2') === 'Healthy' && world.statuses()['staging-2'] === 'Healthy',
    );
  });

  it('sick-before-the-change: a node is broken, and a harmless change passes through', async () => {
    const world = await begin('sick-before-the-change', 7, ['prod-3', 'dev-1']);
    await everywhere(world, 'A');
    world.argocd.setHealth(name(world, 'staging-2'), {
      status: 'Degraded',
      message: 'node not ready',
      isLasting: true,
    });
    await world.seconds(20);
    agrees(world, 1);
    world.argocd.habits.noticeFirst = [name(world, 'dev-1')];
    world.push('B');
    await world.until('staging-2 runs it', () => isRunning(world, 'B')('staging-2'));
    await world.seconds(30);
    expect([
      health(world, 'staging-2'),
      world.statuses()['staging-2'],
      world.statuses()['staging-3'],
    ]).toEqual(['Degraded', 'Progressing', 'Waiting']);
    world.argocd.setHealth(name(world, 'staging-2'), undefined);
    await everywhere(world, 'B');
    agrees(world, 3);
  });

  it('no-baseline: the very first commit is bad', async () => {
    const world = await begin('no-baseline', 7, ['dev-1']);
    await world.until('dev-1 is Degraded', () => health(world, 'dev-1') === 'Degraded');
    await world.seconds(30);
    agrees(world, 0);
    world.push('B');
    await everywhere(world, 'B');
    agrees(world, 1);
  });

  it('job-lua-false-alarm: a Job runs until somebody says how it ended', async () => {
    const world = await begin('job-lua-false-alarm', 7, ['dev-1']);
    await everywhere(world, 'A');
    world.push('B');
    await world.until('dev-1 runs the Job', () => health(world, 'dev-1') === 'Progressing');
    world.argocd.setHealth(name(world, 'dev-1'), { status: 'Degraded', message: 'one Pod failed' });
    await world.seconds(25);
    expect([health(world, 'dev-1'), world.statuses()['dev-1']]).toEqual(['Degraded', 'Progressing']);
    world.argocd.setHealth(name(world, 'dev-1'), { status: 'Healthy', message: 'job succeeded' });
    await world.until('staging is next', () => isRunning(world, 'B')('staging-1'));
  });

  it('polling without a webhook: the push is noticed one by one, and a render error only after three minutes', async () => {
    const world = await begin('render-error', 7, []);
    await everywhere(world, 'A');
    world.push('B', false);
    await world.seconds(240);
    expect(world.application('dev-1').status?.conditions).toBeUndefined();
    await world.until(
      'dev-1 has a ComparisonError',
      () => world.application('dev-1').status?.conditions !== undefined,
      400,
    );
  });

  it('a requested operation that was overlooked starts when something else wakes its Application', async () => {
    const world = await begin('happy', 7, []);
    await everywhere(world, 'A');
    world.argocd.habits.missedWakeUps = 1;
    world.argocd.syncByHand(name(world, 'dev-1'));
    await world.seconds(30);
    expect(operation(world, 'dev-1')?.phase).toBe('Succeeded');
    expect(world.application('dev-1').operation).toBeDefined();
    world.argocd.habits.missedWakeUps = 0;
    world.argocd.refresh(name(world, 'dev-1'));
    await world.until('it runs', () => operation(world, 'dev-1')?.operation.initiatedBy?.username === 'dana');
  });

  it('create-only: the operation is never written, so nothing is ever synced', async () => {
    const world = await begin('happy', 7, [], {
      change: (spec) => {
        spec.syncPolicy = { applicationsSync: 'create-only' };
      },
    });
    await world.seconds(60);
    expect(world.statuses()['dev-1']).toBe('Pending');
    expect(world.runs('dev-1')).toEqual([]);
  });

  it('an ApplicationSet that is deleted takes its Applications and their objects with it', async () => {
    const world = await begin('happy', 7, []);
    await everywhere(world, 'A');
    world.store.remove('applicationsets', 'argocd', 'checkout');
    await world.seconds(10);
    expect(world.store.list('applications')).toEqual([]);
    expect(world.argocd.isIdle).toBe(true);
  });

  it('after stop nothing is written any more', async () => {
    const world = await begin('happy', 7, []);
    await world.seconds(3);
    world.argocd.stop();
    await world.seconds(5);
    const version = world.store.resourceVersion;
    world.argocd.refresh(name(world, 'dev-1'));
    await world.seconds(600);
    expect(world.store.resourceVersion).toBe(version + 1);
  });
});

describe('what is different in 3.3, where a template with automated sync always looks changed', () => {
  it('a stage that degrades late stops the rollout', async () => {
    const world = await begin('late-degradation', 7, ['dev-1'], { version: '3.3' });
    await everywhere(world, 'A');
    world.push('B');
    await world.until('staging-2 has begun', () => isRunning(world, 'B')('staging-2'));
    world.argocd.setHealth(name(world, 'dev-1'), { status: 'Degraded', message: 'out of memory' });
    await world.seconds(12);
    expect(world.statuses()['dev-1']).toBe('Progressing');
    world.argocd.setHealth(name(world, 'staging-2'), { status: 'Healthy', message: '' });
    await world.seconds(90);
    expect([world.runs('prod-1'), world.runs('prod-3')]).toEqual([
      ['A', 'C'],
      ['A', 'C'],
    ]);
  });

  it('a hook that ends after the revert does no harm: the revert is synced again', async () => {
    const world = await begin('hook-finishes-after-the-revert', 7, ['dev-1'], { version: '3.3' });
    await everywhere(world, 'A');
    world.push('B');
    await world.until('dev-1 waits for its hook', () =>
      /hook/.test(operation(world, 'dev-1')?.message ?? ''),
    );
    world.push('C');
    await everywhere(world, 'C');
    world.argocd.finishHook(name(world, 'dev-1'));
    await world.until('dev-1 runs the bad commit', () => isRunning(world, 'B')('dev-1'));
    await everywhere(world, 'C');
  });

  it('an edit of the template starts a rollout', async () => {
    const world = await begin('template-change-not-noticed', 7, [], { version: '3.3' });
    await everywhere(world, 'A');
    const template = { spec: { source: { path: 'apps/router-next' } } };
    world.store.patchMerge('applicationsets', 'argocd', 'router', { spec: { template } });
    await world.until('staging-1 is Degraded', () => health(world, 'staging-1') === 'Degraded');
  });

  it('the ApplicationSet is written far more often', async () => {
    const counts = await Promise.all(
      (['3.3', '3.5'] as const).map(async (version) => {
        const world = await begin('happy', 7, ['dev-1'], { version });
        await everywhere(world, 'A');
        let writes = 0;
        world.store.subscribe(() => {
          writes += 1;
        });
        world.push('B');
        await everywhere(world, 'B');
        return writes;
      }),
    );
    expect(counts[0]).toBeGreaterThan(2 * counts[1]!);
    expect(counts[1]).toBeLessThan(250);
  });
});
