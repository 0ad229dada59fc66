/** One replica alone, ended at a moment that matters: while it opens a revert, and before it saw anything Healthy. */
import { expect, test } from 'vitest';
import {
  commentsOf,
  createApp,
  isKnownToBeWell,
  isWellOnVersionOne,
  landBadChange,
  phasesOf,
  revertsOf,
} from './apps.ts';
import type { Plan } from './plan.ts';
import type { Replica } from './replica.ts';
import { type ReplicaWorld, startReplicas } from './replicas.ts';
import { openUntil, type Until } from './until.ts';

const plan: Plan = {
  name: 'app-01',
  lane: 1,
  failsOn: 'prod',
  isFrozen: false,
  before: [],
  after: [],
  asks: null,
};

/** A busy machine is given time. */
const timeout = 300_000;

async function alone(
  play: (world: ReplicaWorld, replica: Replica, until: Until) => Promise<void>,
): Promise<void> {
  const world = await startReplicas({ lanes: 1, count: 1 });
  try {
    const [replica] = world.replicas;
    if (replica === undefined) throw new Error('Nobody is there.');
    await play(world, replica, openUntil(world, timeout - 60_000));
    expect(replica.faults).toEqual([]);
  } finally {
    await world.close();
  }
}

/** Resolves when it was ended at the first call of this name. */
function endedAt(world: ReplicaWorld, name: string, end: () => Promise<void>): Promise<void> {
  return new Promise((resolve) => {
    const stop = world.onCall((call) => {
      if (call.name !== name) return;
      stop();
      resolve(end());
    });
  });
}

test('a replica that is drained while it opens a revert loses nothing', { timeout }, () =>
  alone(async (world, replica, until) => {
    createApp(world, plan);
    await until('all is well', () => isWellOnVersionOne(world, plan) && isKnownToBeWell(world, plan));
    // The branch, which is the claim, was made, and the pull request was not.
    const drained = endedAt(world, 'POST /repos/acme/app-01/git/refs', () => replica.stop());
    const culprit = landBadChange(world, plan);
    await drained;
    expect(replica.faults).toEqual([]);
    expect(revertsOf(world, plan)).toHaveLength(1);
    expect(commentsOf(world, plan, culprit)).toHaveLength(1);
    expect(phasesOf(world, plan)).toEqual(['proposed']);

    const writes: string[] = [];
    let hasLooked = false;
    world.onCall(({ name, isWriting }) => {
      if (name.startsWith('GET ') && name.includes('/applicationsets/app-01')) hasLooked = true;
      if (isWriting && name.includes('/repos/acme/app-01/')) writes.push(name);
    });
    await replica.start();
    await until('it looks at everything again', () => hasLooked);
    // The look is let end.
    await replica.stop();
    expect(writes).toEqual([]);
    expect(revertsOf(world, plan)).toHaveLength(1);
  }),
);

// test/incidents/SB01-killed-before-it-was-seen-healthy
test(
  'a replica that was killed before it saw anything Healthy goes back to what history tells',
  {
    timeout,
  },
  () =>
    alone(async (world, replica, until) => {
      const ledger = '/apis/stepback.dev/v1alpha1/namespaces/argocd/stageledgers/app-01/status';
      // Nothing is deployed there before the first look has ended.
      world.argocd.closeWindow('prod-1');
      createApp(world, plan);
      await endedAt(world, `PUT ${ledger}`, () => replica.kill());
      world.argocd.openWindow('prod-1');
      world.argocd.refresh('app-01-prod-1');
      await until('all is well', () => isWellOnVersionOne(world, plan));
      expect(isKnownToBeWell(world, plan)).toBe(false);
      landBadChange(world, plan);
      await until('the change fails', () => failsOn(world));
      await replica.start();
      await until('there is a revert', () => revertsOf(world, plan).length === 1);
      expect(revertsOf(world, plan)[0]?.body).toMatch(/out of the history of Argo CD, a guess/);
    }),
);

function failsOn({ store }: ReplicaWorld): boolean {
  type Application = { status?: { health?: { status?: string } } };
  const application = store.get<Application>('applications', 'argocd', 'app-01-prod-1');
  return application?.status?.health?.status === 'Degraded';
}
