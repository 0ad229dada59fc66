import { expect, test } from 'vitest';
import { api, eachTestHasItsOwnGitHub, world } from './world.ts';

eachTestHasItsOwnGitHub();

const at = '/app/hook/deliveries';
const since = Date.UTC(2026, 7, 1, 10);

/** A delivery as GitHub answers it, at so many minutes past ten. Ids are written as text: no number holds them. */
function raw(id: string, guid: string, minute: number, change: object = {}): string {
  const delivered_at = new Date(since + minute * 60_000).toISOString();
  const rest = { guid, delivered_at, status: 'timed out', status_code: 504, event: 'push', action: null };
  return JSON.stringify({ id: 0, ...rest, ...change }).replace('"id":0', `"id":${id}`);
}

const json = { 'content-type': 'application/json' };
const list = (...items: string[]) => `[${items.join(',')}]`;
const next = (cursor: string) => ({
  ...json,
  link: `<https://elsewhere.example${at}?per_page=100&cursor=${cursor}>; rel="next", <https://x?page=1>; rel="first"`,
});

test('what failed and never went well is found, oldest first, with its last attempt', async () => {
  const { forge, sent } = world();
  api()
    .get(at)
    .query({ status: 'failure', per_page: 100 })
    .reply(
      200,
      list(
        raw('3804004623172239366', 'one', 30),
        raw('3804004623172239365', 'two', 25, { event: 'issue_comment', action: 'created' }),
        raw('3804004623172239364', 'three', 20),
      ),
      next('v1_20'),
    );
  api()
    .get(at)
    .query({ status: 'failure', per_page: 100, cursor: 'v1_20' })
    .reply(200, list(raw('3804004623172239363', 'one', 10), raw('11', 'four', -1)), next('v1_10'));
  api()
    .get(at)
    .query({ status: 'success', per_page: 100 })
    .reply(200, list(raw('12', 'three', 22, { status: 'OK', status_code: 200 })), json);
  expect(await forge.failedDeliveries(since)).toEqual([
    {
      id: '3804004623172239365',
      guid: 'two',
      event: 'issue_comment',
      action: 'created',
      deliveredAt: since + 25 * 60_000,
      attempts: 1,
    },
    {
      id: '3804004623172239366',
      guid: 'one',
      event: 'push',
      action: null,
      deliveredAt: since + 30 * 60_000,
      attempts: 2,
    },
  ]);
  expect(sent).toHaveLength(3);
});

test('when none failed one request tells', async () => {
  const { forge, sent } = world();
  api().get(at).query({ status: 'failure', per_page: 100 }).reply(200, [], json);
  expect(await forge.failedDeliveries(since)).toEqual([]);
  expect(sent).toHaveLength(1);
});

test('a server that does not know the filter sends all, and the good ones are passed over', async () => {
  const { forge } = world();
  const all = list(
    raw('3', 'one', 3, { status: 'OK', status_code: 200 }),
    raw('2', 'two', 2),
    raw('1', 'one', 1),
  );
  api().get(at).query(true).times(2).reply(200, all, json);
  expect((await forge.failedDeliveries(since)).map(({ id }) => id)).toEqual(['2']);
});

test('one is asked for again by its whole id, once', async () => {
  const { forge, sent } = world();
  api().post(`${at}/3804004623172239366/attempts`).reply(202, {});
  expect(await forge.redeliver('3804004623172239366')).toBe('accepted');
  api().post(`${at}/7/attempts`).reply(404, { message: 'Not Found' });
  expect(await forge.redeliver('7')).toBe('gone');
  api().post(`${at}/8/attempts`).reply(502, {});
  await expect(forge.redeliver('8')).rejects.toMatchObject({
    kind: 'transient',
    message: expect.stringContaining('ask for a webhook again'),
  });
  expect(sent).toHaveLength(3);
});
