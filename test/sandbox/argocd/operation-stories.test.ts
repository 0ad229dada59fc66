import { describe, expect, it } from 'vitest';
import { agrees, begin, everywhere, health, isRunning, name, operation } from './story.ts';

describe.each([7, 12] as const)(
  'operations that fail, hang and come too late, on %i clusters',
  (clusters) => {
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
      await world.until(
        'dev-1 used up its retries',
        () => operation(world, 'dev-1')?.phase === 'Failed',
        600,
      );
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
  },
);
