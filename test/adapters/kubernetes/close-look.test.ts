import { expect, test } from 'vitest';
import { CloseLooks } from '../../../src/adapters/kubernetes/close-look.ts';
import type { ApplicationRow } from '../../../src/domain/objects.ts';
import { whole } from './feed-world.ts';
import { type Answer, type Asked, scriptedClient } from './scripted-server.ts';

const isApplication = (asked: Asked) => asked.path.includes('/applications/');

function rowsOf(set: string, count: number, version = '1'): ApplicationRow[] {
  return Array.from({ length: count }, (_, number) => ({
    key: `argocd/${set}-${number}`,
    uid: `u-${set}-${number}`,
    resourceVersion: version,
    owner: { name: set, uid: 's' },
    labels: {},
    syncStatus: '',
    healthStatus: '',
    revision: '',
  }));
}

/** The object that a path names, owned by the ApplicationSet in the first part of its name. */
function objectAt(asked: Asked): Answer {
  const name = asked.path.split('/').at(-1)!;
  const object = whole(name, '1');
  object.metadata.ownerReferences[0]!.name = name.split('-')[0]!;
  return { body: object };
}

async function looking(limits: { applicationsMax?: number } = {}) {
  const world = await scriptedClient(objectAt);
  const looks = new CloseLooks(world.client, world.clock, {
    concurrencyMax: 8,
    keepMs: 900_000,
    applicationsMax: 10_000,
    ...limits,
  });
  const look = (set: string, count: number) => looks.look(`argocd/${set}`, () => rowsOf(set, count));
  const reads = () => world.server.asked.filter(isApplication).length;
  return { ...world, looks, look, reads };
}

test('never more than eight Applications are read at the same time', async () => {
  const held: (() => void)[] = [];
  let heldMax = 0;
  const { client, clock, server } = await scriptedClient((asked) => {
    if (!isApplication(asked)) return objectAt(asked);
    return {
      stream: (response) => {
        held.push(() => response.end(JSON.stringify(objectAt(asked).body)));
        heldMax = Math.max(heldMax, held.length);
      },
    };
  });
  const looks = new CloseLooks(client, clock, { concurrencyMax: 8, keepMs: 1, applicationsMax: 1_000 });
  const look = looks.look('argocd/shop', () => rowsOf('shop', 40));
  for (let answered = 0; answered < 40; answered += 1) {
    await server.until(() => held.length > 0);
    held.shift()!();
  }
  expect((await look)?.applications).toHaveLength(40);
  expect(heldMax).toBeLessThanOrEqual(8);
});

test('after a failure nothing more is read', async () => {
  const { client, clock, server } = await scriptedClient((asked) =>
    isApplication(asked) ? { status: 500 } : objectAt(asked),
  );
  const looks = new CloseLooks(client, clock, { concurrencyMax: 8, keepMs: 1, applicationsMax: 1_000 });
  await expect(looks.look('argocd/shop', () => rowsOf('shop', 500))).rejects.toMatchObject({
    reason: 'server-error',
  });
  expect(server.asked.length).toBeLessThan(30);
});

test('sets that were not looked at for a while are forgotten', async () => {
  const { clock, look, looks, reads } = await looking();
  await look('shop', 3);
  clock.advance(600_000);
  await look('web', 2);
  expect(looks.size).toBe(5);
  clock.advance(600_000);
  await look('web', 2);
  expect(looks.size).toBe(2);
  expect(reads()).toBe(5);
});

test('when there are too many, those looked at longest ago are forgotten, but never the one just looked at', async () => {
  const { look, looks, reads } = await looking({ applicationsMax: 10 });
  await look('shop', 6);
  await look('web', 4);
  await look('shop', 6);
  expect([looks.size, reads()]).toEqual([10, 10]);
  await look('api', 3);
  expect(looks.size).toBe(9);
  await look('huge', 25);
  expect(looks.size).toBe(25);
});

test('looks at one ApplicationSet follow each other, so nothing is told after something newer', async () => {
  const { look, server } = await looking();
  const [first, second] = await Promise.all([look('shop', 3), look('shop', 3)]);
  expect(second?.applications[0]).toBe(first?.applications[0]);
  expect(server.asked.filter((asked) => asked.path.endsWith('applicationsets/shop'))).toHaveLength(2);
});

test('an Application that belongs to somebody else by now is not in the look', async () => {
  const { looks } = await looking();
  const rows = rowsOf('web', 1);
  expect((await looks.look('argocd/shop', () => rows))?.applications).toEqual([]);
});

test('the time of a look is the latest that any answer carried', async () => {
  const dates = ['12:00:05', '12:00:09', '12:00:07'];
  const { client, clock } = await scriptedClient((asked, number) => ({
    ...objectAt(asked),
    headers: { date: `Tue, 01 Dec 2026 ${dates[number]} GMT` },
  }));
  const looks = new CloseLooks(client, clock, { concurrencyMax: 1, keepMs: 1, applicationsMax: 1_000 });
  const look = await looks.look('argocd/shop', () => rowsOf('shop', 2));
  expect(look?.observedAt).toBe(Date.parse('2026-12-01T12:00:09Z'));
});
