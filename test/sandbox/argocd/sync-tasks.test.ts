import { describe, expect, it } from 'vitest';
import type { Pair } from '../../../src/sandbox/argocd/comparison.ts';
import { LiveCluster } from '../../../src/sandbox/argocd/live-cluster.ts';
import { isHook, type Manifest } from '../../../src/sandbox/argocd/manifests.ts';
import type { ResourceResult } from '../../../src/sandbox/argocd/objects.ts';
import { syncStep, terminateStep } from '../../../src/sandbox/argocd/sync-tasks.ts';
import { steppedClock } from '../../../src/sandbox/clock.ts';

const APPLICATION = 'argocd/shop-dev-1';

/** An application's objects on one cluster, synced step by step as Argo CD does. */
function sync(...manifests: Manifest[]) {
  const clock = steppedClock(0);
  const cluster = new LiveCluster({ name: 'dev-1', labels: {}, server: 'https://dev-1' }, clock, () => {});
  let results: ResourceResult[] = [];
  let wanted = manifests;
  const step = () => {
    const targets = wanted.filter((manifest) => !isHook(manifest));
    const pairs: Pair[] = [
      ...targets.map((target) => ({ target, live: cluster.find(target) })),
      ...cluster
        .objects()
        .filter(
          ({ manifest }) =>
            !isHook(manifest) && !targets.some(({ metadata }) => metadata.name === manifest.metadata.name),
        )
        .map((live) => ({ live })),
    ];
    return {
      application: APPLICATION,
      cluster,
      pairs,
      hooks: wanted.filter(isHook),
      revisions: ['sha'],
      prune: false,
      results,
    };
  };
  const told = (outcome: ReturnType<typeof syncStep>) => {
    results = outcome.results;
    return [
      `${outcome.phase}: ${outcome.message}`,
      ...results.map((one) => `${one.syncPhase} ${one.name} ${one.status} ${one.hookPhase}: ${one.message}`),
    ];
  };
  return {
    cluster,
    clock,
    next: (prune = false) => told(syncStep({ ...step(), prune })),
    terminate: () => told(terminateStep(step())),
    begin: (...others: Manifest[]) => {
      wanted = others;
      results = [];
    },
  };
}

function configMap(
  name: string,
  data: Record<string, string> = {},
  annotations: Record<string, string> = {},
): Manifest {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'dev-1', annotations }, data };
}

function hook(type: string, health?: string): Manifest {
  const annotations = {
    'argocd.argoproj.io/hook': type,
    ...(health ? { 'sandbox.stepback.dev/health': health } : {}),
  };
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: 'migrate', namespace: 'dev-1', annotations },
  };
}

describe('one sync, step by step', () => {
  it('one wave succeeds as soon as it is applied, however sick it is', () => {
    const { next } = sync(configMap('shop', { health: 'Degraded' }));
    expect(next()).toEqual([
      'Succeeded: successfully synced (all tasks run)',
      'Sync shop Synced Running: configmap/shop created',
    ]);
  });

  it('a PreSync hook comes first, and what follows waits for its end', async () => {
    const { next, clock, cluster } = sync(configMap('shop'), hook('PreSync', 'Healthy after 20s'));
    expect(next()).toEqual([
      'Running: waiting for completion of hook batch/Job/migrate',
      'PreSync migrate Synced Running: job.batch/migrate created',
    ]);
    await clock.advance(10_000);
    expect(next()).toEqual([
      'Running: waiting for completion of hook batch/Job/migrate',
      'PreSync migrate Synced Running: job is running',
    ]);
    expect(cluster.objects().map(({ manifest }) => manifest.kind)).toEqual(['Job']);
    await clock.advance(10_000);
    expect(next()).toEqual([
      'Succeeded: successfully synced (all tasks run)',
      'PreSync migrate Synced Succeeded: job succeeded',
      'Sync shop Synced Running: configmap/shop created',
    ]);
  });

  it('a hook that fails ends the sync, and nothing else is applied', async () => {
    const { next, clock, cluster } = sync(configMap('shop'), hook('PreSync', 'Degraded'));
    next();
    await clock.advance(1000);
    expect(next()[0]).toBe('Failed: one or more synchronization tasks completed unsuccessfully');
    expect(cluster.objects().map(({ manifest }) => manifest.kind)).toEqual(['Job']);
  });

  it('a hook that was left from before is deleted before it is created again', () => {
    const { next, begin } = sync(hook('PreSync', 'Healthy'));
    next();
    begin(hook('PreSync', 'Healthy'));
    expect(next()).toEqual(['Running: waiting for deletion of hook batch/Job/migrate']);
    expect(next()[1]).toBe('PreSync migrate Synced Running: job.batch/migrate created');
  });

  it('a later wave waits until the earlier one is Healthy', async () => {
    const wave = (number: string) => ({ 'argocd.argoproj.io/sync-wave': number });
    const { next, clock } = sync(
      configMap('first', { health: 'Healthy after 5s' }, wave('-1')),
      configMap('second', {}, wave('1')),
    );
    expect(next()[0]).toBe('Running: waiting for healthy state of /ConfigMap/first');
    expect(next()[0]).toBe('Running: waiting for healthy state of /ConfigMap/first');
    await clock.advance(5000);
    expect(next()).toEqual([
      'Succeeded: successfully synced (all tasks run)',
      'Sync first Synced Succeeded: configured as Healthy',
      'Sync second Synced Running: configmap/second created',
    ]);
  });

  it('what the API server refuses fails the sync one step later', () => {
    const { next } = sync(configMap('shop'), configMap('shop-quota', { refuse: 'exceeded quota' }));
    expect(next()).toEqual([
      'Running: waiting for healthy state of /ConfigMap/shop',
      'Sync shop Synced Running: configmap/shop created',
      'Sync shop-quota SyncFailed Failed: exceeded quota',
    ]);
    expect(next()).toEqual([
      'Failed: one or more synchronization tasks completed unsuccessfully, reason: exceeded quota',
      'Sync shop Synced Succeeded: configured as Healthy',
      'Sync shop-quota SyncFailed Failed: exceeded quota',
    ]);
  });

  it('what is refused alone fails at once', () => {
    expect(sync(configMap('shop', { refuse: 'no' })).next()[0]).toBe(
      'Failed: one or more objects failed to apply, reason: no',
    );
  });

  it('what is not wanted any more goes only with prune', () => {
    const { next, begin, cluster } = sync(configMap('shop'), configMap('sidecar'));
    next();
    begin(configMap('shop'));
    expect(next()).toContain('Sync sidecar PruneSkipped Succeeded: ignored (requires pruning)');
    begin(configMap('shop'));
    expect(next(true)).toContain('Sync sidecar Pruned Succeeded: pruned');
    expect(cluster.objects().map(({ manifest }) => manifest.metadata.name)).toEqual(['shop']);
  });

  it('terminating deletes the hook that runs', () => {
    const { next, terminate, cluster } = sync(configMap('shop'), hook('PreSync'));
    next();
    expect(terminate()).toEqual([
      'Failed: Operation terminated',
      'PreSync migrate Synced Failed: Terminated',
    ]);
    expect(cluster.objects()).toEqual([]);
  });
});
