/** Which of several replicas acts: at no moment two, soon one again, and never a word of it lost over the real API. */
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { ApiProblem } from '../../../src/adapters/kubernetes/api-problem.ts';
import { openLease } from '../../../src/adapters/kubernetes/lease.ts';
import { leaseName } from '../../../src/adapters/ledger/names.ts';
import type { Json } from '../../../src/domain/read.ts';
import { TestClock } from '../test-clock.ts';
import { deployedRights } from './deployed.ts';
import { sandboxWorld } from './sandbox-world.ts';

/** One object, fenced by its version as Kubernetes does it. */
class OneLease {
  object: Json | null = null;
  #version = 0;

  write(object: Json, expected: string | null): Json {
    const held = this.object === null ? null : String((this.object.metadata as Json).resourceVersion);
    if (held !== expected) throw new ApiProblem('conflict', 'Somebody else was faster.');
    this.#version += 1;
    this.object = {
      ...object,
      metadata: { ...(object.metadata as Json), resourceVersion: `${this.#version}` },
    };
    return this.object;
  }
}

type Line = 'good' | 'silent' | 'refuses';

/** A replica whose line to the API a test cuts. */
function replica(store: OneLease, clock: TestClock, name: string) {
  const line = { is: 'good' as Line };
  const over = async <Value>(answer: () => Value): Promise<Value> => {
    await Promise.resolve();
    if (line.is === 'silent') return new Promise<never>(() => {});
    if (line.is === 'refuses') throw new ApiProblem('unreachable', 'The API cannot be reached.');
    return answer();
  };
  const leadership = openLease({
    client: {
      get: () => over(() => (store.object === null ? null : { object: store.object, observedAt: null })),
      create: (_resource, _namespace, object) =>
        over(() => ({ object: store.write(object as Json, null), observedAt: null })),
      replace: (_resource, object) =>
        over(() => ({
          object: store.write(object as unknown as Json, object.metadata.resourceVersion ?? null),
          observedAt: null,
        })),
    },
    namespace: 'argocd',
    name: 'stepback',
    me: { identity: name, address: `http://${name}:3000` },
    clock,
    log: { info: () => {}, warn: () => {} },
  });
  const ending = new AbortController();
  const changes: string[] = [];
  const ended = leadership.run((isLeading) => changes.push(isLeading ? 'leads' : 'follows'), ending.signal);
  return { name, line, leadership, changes, ending, ended };
}

/** Seconds pass one by one, and after each everything that is on its way arrives. */
async function pass(clock: TestClock, seconds: number, look: () => void = () => {}): Promise<void> {
  for (let second = 0; second < seconds; second += 1) {
    clock.advance(1_000);
    for (let turn = 0; turn < 12; turn += 1) await Promise.resolve();
    look();
  }
}

test('of two replicas one leads, and the other knows where it is reached', async () => {
  const [store, clock] = [new OneLease(), new TestClock()];
  const first = replica(store, clock, 'first');
  await pass(clock, 1);
  const second = replica(store, clock, 'second');
  await pass(clock, 120);
  expect([first.leadership.isLeading(), second.leadership.isLeading()]).toEqual([true, false]);
  expect(second.leadership.leader()).toEqual({ identity: 'first', address: 'http://first:3000' });
  expect([first.changes, second.changes]).toEqual([['leads'], []]);
});

test('when it is killed the other acts within twenty seconds', async () => {
  const [store, clock] = [new OneLease(), new TestClock()];
  const first = replica(store, clock, 'first');
  await pass(clock, 5);
  const second = replica(store, clock, 'second');
  await pass(clock, 5);
  first.line.is = 'silent';
  await pass(clock, 20);
  expect([first.leadership.isLeading(), second.leadership.isLeading()]).toEqual([false, true]);
  first.line.is = 'good';
});

test('when it steps down the other acts at its next try', async () => {
  const [store, clock] = [new OneLease(), new TestClock()];
  const first = replica(store, clock, 'first');
  await pass(clock, 5);
  const second = replica(store, clock, 'second');
  await pass(clock, 5);
  first.ending.abort();
  await first.ended;
  expect(first.changes).toEqual(['leads', 'follows']);
  await pass(clock, 3);
  expect(second.leadership.isLeading()).toBe(true);
});

test('what others keep in the Lease stays', async () => {
  const [store, clock] = [new OneLease(), new TestClock()];
  store.write(
    { metadata: { name: 'stepback', annotations: { team: 'platform' } }, spec: { preferredHolder: 'x' } },
    null,
  );
  replica(store, clock, 'first');
  await pass(clock, 3);
  expect(store.object).toMatchObject({
    metadata: { annotations: { team: 'platform', 'stepback.dev/address': 'http://first:3000' } },
    spec: { preferredHolder: 'x', holderIdentity: 'first', leaseDurationSeconds: 15 },
  });
});

test('two never act at once, however lines break and clocks run', async () => {
  const moves = fc.array(
    fc.record({
      who: fc.nat(2),
      line: fc.constantFrom<Line>('good', 'good', 'silent', 'refuses'),
      seconds: fc.integer({ min: 1, max: 25 }),
    }),
    { maxLength: 25 },
  );
  await fc.assert(
    fc.asyncProperty(moves, async (all) => {
      const [store, clock] = [new OneLease(), new TestClock()];
      const replicas = ['one', 'two', 'three'].map((name) => replica(store, clock, name));
      const look = () =>
        expect(replicas.filter(({ leadership }) => leadership.isLeading()).length).toBeLessThan(2);
      for (const { who, line, seconds } of all) {
        const chosen = replicas[who];
        if (chosen !== undefined) chosen.line.is = line;
        await pass(clock, seconds, look);
      }
      // One whose request was never answered hangs, as a dead process does; a new one takes its place.
      const fresh = replica(store, clock, 'fresh');
      await pass(clock, 40, look);
      expect([...replicas, fresh].filter(({ leadership }) => leadership.isLeading())).toHaveLength(1);
    }),
    { numRuns: 60 },
  );
});

test('over the real API, with the rights of deploy/rbac.yaml, and shown to people in the Lease', async () => {
  const { cluster, clock, store, kubernetes } = await sandboxWorld({
    isRunning: false,
    allow: deployedRights(),
  });
  const ending = new AbortController();
  onTestFinished(() => ending.abort());
  let hasLed = () => {};
  const led = new Promise<void>((resolve) => {
    hasLed = resolve;
  });
  const leadership = openLease({
    client: cluster.client,
    namespace: 'argocd',
    name: leaseName('prod'),
    me: { identity: 'stepback-7c9', address: null },
    clock,
    log: { info: () => {}, warn: () => {} },
  });
  const ended = leadership.run((isLeading) => isLeading && hasLed(), ending.signal);
  await led;
  const lease = () => store.list<{ metadata: Json; spec: Json }>('leases').map(({ spec }) => spec);
  expect(lease()).toMatchObject([
    { holderIdentity: 'stepback-7c9', leaseDurationSeconds: 15, renewTime: '2026-12-01T12:00:00.000000Z' },
  ]);
  ending.abort();
  await ended;
  expect(lease()).toMatchObject([{ holderIdentity: '' }]);
  expect(kubernetes.journal.entries.filter(({ status }) => status === 403)).toEqual([]);
});
