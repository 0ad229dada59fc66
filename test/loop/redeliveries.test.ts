/** Which deliveries are asked for again, how often, and where the next look begins. */
import { expect, test } from 'vitest';
import { openRedeliveries } from '../../src/loop/redeliveries.ts';
import type { FailedDelivery } from '../../src/ports/deliveries.ts';
import { WorldProblem } from '../../src/ports.ts';
import { TestClock } from '../adapters/test-clock.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

function redeliveryWorld() {
  const clock = new TestClock();
  const started = clock.now();
  const world = {
    clock,
    failed: [] as FailedDelivery[],
    /** How long ago each look began to read, in minutes. */
    reads: [] as number[],
    asked: [] as string[],
    warnings: [] as string[],
    isLeading: true,
    problem: null as Error | null,
    refusal: null as Error | null,
    fail(id: string, change: Partial<FailedDelivery> = {}) {
      const one = { id, guid: id, event: 'issue_comment', action: 'created', attempts: 1 };
      world.failed.push({ ...one, deliveredAt: started, ...change });
    },
  };
  const redeliveries = openRedeliveries({
    clock,
    log: { info: () => {}, warn: (message: string) => world.warnings.push(message) },
    events: ['push', 'issue_comment'],
    isLeading: () => world.isLeading,
    forge: {
      async failedDeliveries(since) {
        world.reads.push((clock.now() - since) / minuteMs);
        if (world.problem !== null) throw world.problem;
        return world.failed;
      },
      async redeliver(id) {
        world.asked.push(id);
        if (world.refusal !== null) throw world.refusal;
        return 'accepted';
      },
    },
  });
  return { world, clock, redeliveries };
}

test('what failed is asked for at the start, and nothing is asked for when nothing failed', async () => {
  const { world, redeliveries } = redeliveryWorld();
  await redeliveries.look();
  expect(world.asked).toEqual([]);
  world.fail('1');
  await redeliveries.look();
  expect(world.asked).toEqual(['1']);
});

test('what GitHub refuses for now does not count as asked for', async () => {
  const { world, clock, redeliveries } = redeliveryWorld();
  world.fail('1');
  world.refusal = new WorldProblem('transient', 'GitHub met a secondary limit.', { retryAfterMs: 60_000 });
  for (let count = 0; count < 5; count += 1) {
    await redeliveries.look();
    clock.advance(2 * minuteMs);
  }
  world.refusal = null;
  const refused = world.asked.length;
  expect(refused).toBe(5);
  await redeliveries.look();
  expect(world.asked.length).toBe(refused + 1);
});

test('a delivery is asked for three times at the most, however it fails', async () => {
  const { world, clock, redeliveries } = redeliveryWorld();
  world.fail('1');
  for (let attempts = 1; attempts <= 6; attempts += 1) {
    for (const one of world.failed) Object.assign(one, { attempts });
    await redeliveries.look();
    clock.advance(5 * minuteMs);
  }
  expect(world.asked).toEqual(['1', '1', '1']);
});

test('it is asked for once more where the log tells of fewer attempts than were asked for, and not again', async () => {
  const { world, clock, redeliveries } = redeliveryWorld();
  world.fail('1');
  for (let count = 0; count < 8; count += 1) {
    await redeliveries.look();
    clock.advance(5 * minuteMs);
  }
  expect(world.asked).toEqual(['1', '1', '1', '1']);
});

test('after a restart the attempts of the process before count', async () => {
  const { world, redeliveries } = redeliveryWorld();
  world.fail('twice', { attempts: 3 });
  world.fail('thrice', { attempts: 4 });
  await redeliveries.look();
  expect(world.asked).toEqual(['twice']);
});

test('one that is on its way is not asked for again', async () => {
  const { world, clock, redeliveries } = redeliveryWorld();
  world.fail('1');
  await redeliveries.look();
  clock.advance(10_000);
  await redeliveries.look();
  expect(world.asked).toEqual(['1']);
});

test('commands come first, because nothing else makes up for them, and one look asks for 50', async () => {
  const { world, clock, redeliveries } = redeliveryWorld();
  for (let count = 0; count < 60; count += 1) world.fail(`push ${count}`, { event: 'push' });
  world.fail('command');
  world.fail('star', { event: 'star' });
  await redeliveries.look();
  expect([world.asked.length, world.asked[0]]).toEqual([50, 'command']);
  clock.advance(minuteMs);
  world.failed.splice(0, 49);
  await redeliveries.look();
  expect(new Set(world.asked).size).toBe(61);
  expect(world.asked).not.toContain('star');
});

test('the first look goes back three days, the next ones to the one before, with something to spare', async () => {
  const { world, clock, redeliveries } = redeliveryWorld();
  await redeliveries.look();
  clock.advance(5 * minuteMs);
  await redeliveries.look();
  clock.advance(10 * dayMs);
  await redeliveries.look();
  expect(world.reads).toEqual([3 * 24 * 60, 20, 3 * 24 * 60]);
});

test('a look that failed is made up for by the next one', async () => {
  const { world, clock, redeliveries } = redeliveryWorld();
  world.problem = new WorldProblem('transient', 'GitHub is away.');
  world.fail('1');
  await redeliveries.look();
  expect([world.asked, world.warnings.length]).toEqual([[], 1]);
  world.problem = null;
  clock.advance(5 * minuteMs);
  await redeliveries.look();
  expect([world.asked, world.reads.at(-1)]).toEqual([['1'], 3 * 24 * 60]);
});

test('of several replicas only the one that leads asks, and from the beginning when it comes to lead', async () => {
  const { world, clock, redeliveries } = redeliveryWorld();
  world.fail('1');
  world.isLeading = false;
  await redeliveries.look();
  expect([world.reads, world.asked]).toEqual([[], []]);
  clock.advance(minuteMs);
  world.isLeading = true;
  await redeliveries.look();
  expect([world.reads, world.asked]).toEqual([[3 * 24 * 60], ['1']]);
});

test('it looks every five minutes until it is stopped', async () => {
  const { world, clock, redeliveries } = redeliveryWorld();
  redeliveries.start();
  for (let count = 0; count < 3; count += 1) {
    await redeliveries.look();
    clock.advance(5 * minuteMs);
  }
  await redeliveries.stop();
  const before = world.reads.length;
  clock.advance(60 * minuteMs);
  expect([before, world.reads.length]).toEqual([4, 4]);
});
