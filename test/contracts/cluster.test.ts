/** What the Cluster port promises, held by the one in memory and by the adapter against the small Kubernetes API alike. */

import { describe, expect, it } from 'vitest';
import { heldNoteAnnotation } from '../../src/domain/held-note.ts';
import { applicationDraft, degraded, setDraft } from '../adapters/kubernetes/sandbox-world.ts';
import { type ClusterWorld, clusterWorlds } from './cluster-worlds.ts';

const key = 'argocd/payments';
const application = 'argocd/payments-dev-1';

async function deployed(world: ClusterWorld): Promise<void> {
  const { store, cluster, until } = world;
  const steps = [{ matchExpressions: [], maxUpdate: 1 }, { matchExpressions: [] }];
  const draft = setDraft('payments');
  store.create('applicationsets', {
    ...draft,
    spec: { strategy: { type: 'RollingSync', rollingSync: { steps } } },
  });
  store.create('applications', applicationDraft('payments-dev-1', 'payments'));
  store.create('applications', applicationDraft('elsewhere-dev-1', 'elsewhere'));
  await until(() => cluster.rows(key).length === 1 && cluster.applicationSets().has(key));
}

describe.each(clusterWorlds)('the cluster $kind', ({ open }) => {
  it('tells of sets and rows as they come, and of a change', async () => {
    const world = await open();
    await deployed(world);
    const { cluster, store, until } = world;
    expect([...cluster.applicationSets().keys()]).toEqual([key]);
    expect(cluster.rows(key)).toMatchObject([
      { key: application, syncStatus: 'Synced', healthStatus: 'Healthy', labels: { env: 'dev' } },
    ]);
    store.patchMerge('applications', 'argocd', 'payments-dev-1', degraded);
    await until(() => cluster.rows(key)[0]?.healthStatus === 'Degraded');
    store.remove('applications', 'argocd', 'payments-dev-1');
    await until(() => cluster.rows(key).length === 0);
  });

  it('looks at a set whole, with the time of the cluster in whole seconds', async () => {
    const world = await open();
    await deployed(world);
    const look = await world.cluster.closeLook(key);
    expect(look?.applicationSet).toMatchObject({ key, steps: [{ maxUpdate: 1 }, { maxUpdate: null }] });
    expect(look?.applications.map((one) => [one.key, one.health.status])).toEqual([[application, 'Healthy']]);
    expect((look?.observedAt ?? 1) % 1000).toBe(0);
    expect(look?.sight.blindness).toBeNull();
    expect(await world.cluster.closeLook('argocd/nobody')).toBeNull();
  });

  it('changes steps only as long as they are what was expected', async () => {
    const world = await open();
    await deployed(world);
    const { interventions } = world.cluster;
    const set = (await world.cluster.closeLook(key))?.applicationSet;
    const at = { key, uid: set?.uid ?? '', generation: set?.generation ?? 0 };
    expect(await interventions.setMaxUpdates(at, [{ index: 0, expected: 2, value: 0 }], null)).toBe(
      'changed',
    );
    expect(
      await interventions.setMaxUpdates(
        at,
        [
          { index: 0, expected: 1, value: 0 },
          { index: 1, expected: null, value: 0 },
        ],
        'what stood there',
      ),
    ).toBe('done');
    expect(await interventions.setMaxUpdates(at, [{ index: 0, expected: 0, value: 1 }], null)).toBe(
      'changed',
    );
    const frozen = (await world.cluster.closeLook(key))?.applicationSet;
    expect(frozen?.steps?.map((step) => step.maxUpdate)).toEqual([0, 0]);
    expect(frozen?.annotations[heldNoteAnnotation]).toBe('what stood there');
    const now = { ...at, generation: frozen?.generation ?? 0 };
    expect(await interventions.setMaxUpdates(now, [{ index: 1, expected: 0, value: null }], 'less')).toBe(
      'done',
    );
    const less = (await world.cluster.closeLook(key))?.applicationSet;
    expect(less?.steps?.map((step) => step.maxUpdate)).toEqual([0, null]);
    expect(less?.annotations[heldNoteAnnotation]).toBe('less');
    const last = { ...at, generation: less?.generation ?? 0 };
    expect(await interventions.setMaxUpdates(last, [], null)).toBe('done');
    const end = (await world.cluster.closeLook(key))?.applicationSet;
    expect(end?.annotations).not.toHaveProperty([heldNoteAnnotation]);
    expect(end?.generation, 'a note alone is no change of the spec').toBe(last.generation);
    expect(await interventions.setMaxUpdates({ ...now, key: 'argocd/nobody' }, [], null)).toBe('gone');
  });

  it('asks for a sync once, and ends an operation that runs', async () => {
    const world = await open();
    await deployed(world);
    const { interventions } = world.cluster;
    const read = () =>
      world.store.get<{ operation?: object; metadata: { annotations?: object } } & object>(
        'applications',
        'argocd',
        'payments-dev-1',
      );
    expect(await interventions.refresh(application)).toBe('done');
    expect(read()?.metadata.annotations).toEqual({ 'argocd.argoproj.io/refresh': 'normal' });
    expect(await interventions.sync(application, { reason: 'it waits' })).toBe('done');
    expect(await interventions.sync(application, { reason: 'it waits' })).toBe('busy');
    expect(read()?.operation).toEqual({
      info: [{ name: 'Reason', value: 'it waits' }],
      initiatedBy: { username: 'stepback' },
      retry: { limit: 5 },
      sync: {},
    });
    const startedAt = '2026-12-01T12:00:00Z';
    const state = { operation: {}, phase: 'Running', startedAt };
    world.store.patchMerge('applications', 'argocd', 'payments-dev-1', { status: { operationState: state } });
    expect(await interventions.terminate(application, Date.parse(startedAt) + 1000)).toBe('over');
    expect(await interventions.terminate(application, Date.parse(startedAt))).toBe('done');
    expect(await interventions.terminate(application, Date.parse(startedAt))).toBe('done');
    expect(await interventions.terminate('argocd/nobody', 0)).toBe('gone');
  });
});
