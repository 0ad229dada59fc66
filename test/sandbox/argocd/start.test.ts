import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../src/sandbox/argocd/habits.ts';
import type { ApplicationObject } from '../../../src/sandbox/argocd/objects.ts';
import { startArgoCD } from '../../../src/sandbox/argocd/start.ts';
import { scaledClock, steppedClock } from '../../../src/sandbox/clock.ts';
import { ObjectStore } from '../../../src/sandbox/kubernetes/store.ts';
import { argoWorld, START } from './world.ts';

/** A hash of everything that was written during a rollout. */
async function rollout(seed: number): Promise<string> {
  const world = argoWorld({ recording: 'happy', seed });
  const hash = createHash('sha256');
  world.store.subscribe(({ object }) => hash.update(JSON.stringify(object)));
  await world.until('all Healthy', () => world.isEverywhere('A'));
  world.push('B');
  await world.until('all Healthy', () => world.isEverywhere('B'));
  return hash.digest('hex');
}

describe('the simulated Argo CD as a whole', () => {
  it('does the same again with the same seed, and something else with another', async () => {
    expect(await rollout(7)).toBe(await rollout(7));
    expect(await rollout(8)).not.toBe(await rollout(7));
  });

  it('over twelve seeds some rollouts begin in a later stage, most do not, and every one ends on the revert', async () => {
    const early: number[] = [];
    for (let seed = 1; seed <= 12; seed += 1) {
      const world = argoWorld({ recording: 'degraded-in-staging', seed });
      await world.until('all Healthy', () => world.isEverywhere('A'));
      await world.seconds(4);
      world.push('B');
      await world.until('somebody runs it', () =>
        world.clusters.some((cluster) => world.runs(cluster).includes('B')),
      );
      if (!world.runs('dev-1').includes('B')) early.push(seed);
      await world.seconds(20);
      world.push('C');
      await world.until('all Healthy again', () => world.isEverywhere('C'));
    }
    expect(early.length).toBeGreaterThan(0);
    expect(early.length).toBeLessThan(9);
  });

  it('has nothing to do when nothing happens, and writes nothing for an hour but the times of its polls', async () => {
    const world = argoWorld({ recording: 'happy' });
    await world.until('all Healthy', () => world.isEverywhere('A'));
    await world.seconds(10);
    expect(world.argocd.isIdle).toBe(true);
    const changed = new Set<string>();
    world.store.subscribe(({ object, previous }) => {
      const timeless = (one: unknown) =>
        JSON.stringify(one).replace(/"(reconciledAt|resourceVersion)":"[^"]*"|"generation":\d+/g, '');
      if (timeless(object) !== timeless(previous)) changed.add(object.metadata.name);
    });
    await world.seconds(3600);
    expect([...changed]).toEqual([]);
  });

  it.each([
    'https://github.com/acme/checkout',
    'https://GitHub.com/acme/checkout.git/',
    'git@github.com:acme/checkout.git',
    'ssh://git@github.com/acme/checkout.git',
  ])('a webhook knows the repository as %s', async (repoURL) => {
    const world = argoWorld({ recording: 'happy' });
    await world.until('all Healthy', () => world.isEverywhere('A'));
    world.push('B', false);
    world.argocd.webhook(repoURL, 'main');
    await world.seconds(2);
    const { B } = world.expectation.commits;
    expect(world.application('dev-1').status?.sync.revision).toBe(B!.sha);
  });

  it('another branch concerns nobody', async () => {
    const world = argoWorld({ recording: 'happy' });
    await world.until('all Healthy', () => world.isEverywhere('A'));
    const version = world.store.resourceVersion;
    world.argocd.webhook('https://github.com/acme/checkout', 'feature');
    await world.seconds(2);
    expect(world.store.resourceVersion - version).toBeLessThan(10);
    expect(world.application('dev-1').metadata.annotations?.['argocd.argoproj.io/refresh']).toBeUndefined();
  });

  it('an operation that somebody takes away is worked on no more; the next one goes on with its state', async () => {
    const world = argoWorld({ recording: 'hook-never-ends' });
    await world.until('all Healthy', () => world.isEverywhere('A'));
    await world.seconds(4);
    world.push('B');
    const state = () => world.application('dev-1').status?.operationState;
    await world.until('dev-1 waits for its hook', () => /hook/.test(state()?.message ?? ''));
    world.store.patchMerge('applications', 'argocd', 'catalog-dev-1', { operation: null });
    await world.seconds(30);
    world.argocd.finishHook('catalog-dev-1');
    await world.seconds(30);
    expect([state()?.phase, world.runs('dev-1')]).toEqual(['Running', ['A', 'C']]);
    world.argocd.syncByHand('catalog-dev-1');
    await world.until('it goes on', () => state()?.phase === 'Succeeded');
    expect(world.runs('dev-1')).toEqual(['B']);
  });

  it('runs on the clock that follows real time as well', async () => {
    const clock = scaledClock({ start: START, speed: 300 });
    const store = new ObjectStore({ clock });
    const config = (version: string) =>
      `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"shop"},"data":{"version":"${version}"}}`;
    const head = { sha: 'a'.repeat(40) };
    const argocd = startArgoCD({
      store,
      clock,
      random: seededRandom(1),
      clusters: ['dev', 'prod'].map((env) => ({
        name: `${env}-1`,
        labels: { env },
        server: `https://${env}-1`,
      })),
      repositories: {
        resolve: async () => head.sha,
        read: async (_repoURL, sha) => new Map([['config.json', config(sha.slice(0, 1))]]),
      },
    });
    const step = (env: string) => ({ matchExpressions: [{ key: 'env', operator: 'In', values: [env] }] });
    const template = {
      metadata: { name: 'shop-{{name}}', labels: { env: '{{metadata.labels.env}}' } },
      spec: {
        destination: { server: '{{server}}', namespace: 'shop' },
        source: { repoURL: 'https://github.com/acme/shop', path: 'apps/shop', targetRevision: 'main' },
      },
    };
    const deployed = (version: string) =>
      new Promise<void>((resolve) => {
        const stop = store.subscribe(() => {
          const running = store
            .list<ApplicationObject>('applications')
            .filter(({ metadata }) =>
              argocd.liveObjects(metadata.name).some(({ manifest }) => manifest.data?.version === version),
            );
          if (running.length < 2) return;
          stop();
          resolve();
        });
      });
    const first = deployed('a');
    store.create('applicationsets', {
      metadata: { name: 'shop', namespace: 'argocd' },
      spec: {
        generators: [{ clusters: {} }],
        strategy: { type: 'RollingSync', rollingSync: { steps: [step('dev'), step('prod')] } },
        template,
      },
    });
    await first;
    const second = deployed('b');
    head.sha = 'b'.repeat(40);
    argocd.webhook('https://github.com/acme/shop', 'main');
    await second;
    argocd.stop();
    expect(clock.now() - START).toBeGreaterThan(3000);
  });

  it('says what it does not know', () => {
    const world = argoWorld({ recording: 'happy' });
    expect(() => world.argocd.terminate('nobody')).toThrow('There is no Application called nobody.');
    expect(() => world.argocd.setReachable('mars', false)).toThrow('There is no cluster called mars.');
    const clock = steppedClock(0);
    const cluster = { name: 'dev-1', labels: {}, server: 'https://dev-1' };
    const options = {
      store: new ObjectStore({ clock }),
      clock,
      random: seededRandom(1),
      clusters: [cluster, cluster],
    };
    const repositories = { resolve: () => 'sha', read: () => new Map<string, string>() };
    expect(() => startArgoCD({ ...options, repositories })).toThrow('Two clusters are called dev-1');
  });

  it('an Application whose destination nobody knows says so, and is not synced', async () => {
    const world = argoWorld({
      recording: 'happy',
      change: (spec) => {
        spec.template.spec.destination = { server: 'https://elsewhere', namespace: '{{name}}' };
      },
    });
    await world.seconds(10);
    const { conditions, sync, health } = world.application('dev-1').status!;
    expect([sync.status, health.status, conditions?.[0]?.type]).toEqual([
      'Unknown',
      'Unknown',
      'InvalidSpecError',
    ]);
    expect(world.statuses()['dev-1']).toBe('Progressing');
  });
});
