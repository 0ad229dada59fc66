/** A replica that is told to end while it opens a revert: it opens it and ends well, and whoever comes next has nothing to do again. */
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
import { startReplicas } from './replicas.ts';
import { openUntil } from './until.ts';

const plan: Plan = {
  name: 'app-01',
  lane: 1,
  failsOn: 'staging',
  isFrozen: false,
  before: [],
  after: [],
  asks: null,
};

test('a replica that is drained while it opens a revert loses nothing', { timeout: 300_000 }, async () => {
  const world = await startReplicas({ lanes: 1, count: 1 });
  try {
    const until = openUntil(world, 240_000);
    const [replica] = world.replicas;
    if (replica === undefined) throw new Error('Nobody is there.');
    createApp(world, plan);
    await until('all is well', () => isWellOnVersionOne(world, plan) && isKnownToBeWell(world, plan));
    // The branch is the claim: it was made, and the pull request was not.
    const draining = Promise.withResolvers<void>();
    world.onCall(({ name }) => {
      if (name === 'POST /repos/acme/app-01/git/refs') draining.resolve(replica.stop());
    });
    const culprit = landBadChange(world, plan);
    await draining.promise;
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
    expect(replica.faults).toEqual([]);
  } finally {
    await world.close();
  }
});
