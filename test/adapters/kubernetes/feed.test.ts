/** What a feed makes of the ways in which watches end. */
import { expect, test } from 'vitest';
import {
  bookmark,
  feedOver,
  isStreamedList,
  listOf,
  nothingMore,
  plain,
  stream,
  versions,
  whole,
} from './feed-world.ts';
import { recordedAnswer } from './recordings.ts';
import { lines } from './scripted-server.ts';

test('a quiet watch that the server ends when its time is up was a word, however long it said nothing', async () => {
  let end = () => {};
  const { server, told, feed, clock } = await feedOver(
    plain(
      () => ({ body: listOf('10', whole('a', '1')) }),
      () => ({ stream: (response) => (end = () => response.end()) }),
    ),
  );
  await told(1);
  for (const watch of [3, 4, 5]) {
    await server.request(watch);
    clock.advance(75_000);
    end();
    await clock.passPause();
    expect(feed.sight()).toEqual({ lastHeardAt: clock.now() - 1_000, blindness: null });
  }
});

test('a server that was gone and answers that it is not ready yet is asked again soon', async () => {
  let isGone = true;
  const { clock, feed } = await feedOver((asked) => {
    if (isGone) return { stream: (response) => response.destroy() };
    return asked.isWatch && !isStreamedList(asked)
      ? nothingMore
      : { status: 429, headers: { 'retry-after': '1' } };
  });
  const waits: number[] = [];
  for (let turn = 0; turn < 7; turn += 1) waits.push(await clock.passPause());
  isGone = false;
  waits.push(await clock.passPause(), await clock.passPause());
  expect(waits.map((wait) => wait / 1_000)).toEqual([1, 2, 4, 8, 16, 30, 30, 1, 2]);
  expect(feed.sight().blindness).toMatch(/asks for patience/);
});

test('the watch continues from the last bookmark', async () => {
  const { clock, server } = await feedOver(
    plain(
      () => ({ body: listOf('10') }),
      (number) => (number === 0 ? stream([bookmark('4711')], 'clean') : nothingMore),
    ),
  );
  await clock.passPause();
  expect(versions([await server.request(4)])).toEqual(['4711']);
});

test.each([
  ['is no JSON', '{"type":"MODIFIED","obj\n'],
  ['is of a type nobody knows', lines({ type: 'SHRUGGED', object: {} })],
  ['is about an object without a name', lines({ type: 'MODIFIED', object: { metadata: {} } })],
  ['was cut off by a clean end', '{"type":"MODIFIED"'],
])('a line that %s is not passed over: the list is read again', async (_name, line) => {
  const { clock, told, feed } = await feedOver(
    plain(
      (number) => ({ body: number === 0 ? listOf('10', whole('a', '1')) : listOf('12', whole('a', '11')) }),
      (number) => (number === 0 ? { stream: (response) => void response.end(line) } : nothingMore),
    ),
  );
  await told(1);
  await clock.passPause();
  expect(await told(2)).toEqual(['a added', 'a changed']);
  expect(feed.sight().blindness).toBeNull();
});

test('after two silent watches the list is read again: a version from the future is silent too', async () => {
  const { clock, server, told } = await feedOver(
    plain(
      (number) => ({
        body: number === 0 ? listOf('900', whole('a', '800')) : listOf('20', whole('a', '19')),
      }),
      () => nothingMore,
    ),
  );
  await told(1);
  for (const watch of [3, 4]) {
    await server.request(watch);
    await clock.timer((delayMs) => delayMs === 100_000);
    clock.advance(100_000);
    await clock.passPause();
  }
  // The cluster was set back; the list is believed.
  expect(await told(2)).toEqual(['a added', 'a changed']);
  expect(server.asked.map((asked) => (asked.isWatch ? 'watch' : 'list'))).toEqual([
    'watch',
    'list',
    'watch',
    'watch',
    'list',
  ]);
});

test('a version that the server has not reached is given up, and the next list takes what there is', async () => {
  const tooLarge = {
    status: 504,
    body: { kind: 'Status', code: 504, details: { causes: [{ reason: 'ResourceVersionTooLarge' }] } },
  };
  const { clock, server } = await feedOver(
    plain(
      (number) => [{ body: listOf('900') }, tooLarge][number] ?? { body: listOf('20') },
      (number) => (number === 0 ? recordedAnswer('table-watch-too-old') : nothingMore),
    ),
  );
  await clock.passPause();
  await clock.passPause();
  const lists = (await server.request(6)) && server.asked.filter((asked) => !asked.isWatch);
  expect(versions(lists)).toEqual(['0', '900', null]);
});

/** A server whose watches break until it is told to behave. */
async function breakingWatches() {
  const server = { isWell: false };
  const world = await feedOver(
    plain(
      () => ({ body: listOf('10', whole('a', '1')) }),
      () => (server.isWell ? nothingMore : { stream: (response) => response.destroy() }),
    ),
  );
  await world.told(1);
  return { ...world, heal: () => (server.isWell = true) };
}

test('a connection that breaks is no blindness for a quarter of a minute, then it is one', async () => {
  const { clock, feed } = await breakingWatches();
  const start = clock.now();
  const seen: [number, boolean][] = [];
  while (clock.now() - start < 40_000) {
    await clock.passPause();
    seen.push([(clock.now() - start) / 1000, feed.sight().blindness === null]);
  }
  expect(seen).toEqual([
    [1, true],
    [3, true],
    [7, true],
    [15, true],
    [31, false],
    [61, false],
  ]);
  expect(feed.sight().lastHeardAt).toBe(start);
});

test('a watch that stays open after a blindness ends it, without waiting for a bookmark', async () => {
  const { clock, feed, heal, recovered } = await breakingWatches();
  const start = clock.now();
  while (clock.now() - start < 40_000) await clock.passPause();
  heal();
  expect(feed.sight().blindness).toMatch(/cannot be reached/);
  await clock.timer((delayMs) => delayMs === 2_500);
  clock.advance(2_500);
  await recovered();
  expect(feed.sight()).toEqual({ lastHeardAt: clock.now(), blindness: null });
});

test('a missing kind is one clear sentence, and it is found when it is installed', async () => {
  let isInstalled = false;
  const { clock, feed, told } = await feedOver((asked) => {
    if (!isInstalled) return recordedAnswer('no-such-kind');
    return asked.isWatch ? nothingMore : { body: listOf('5', whole('a', '1')) };
  });
  await clock.passPause();
  await clock.timer((delayMs) => delayMs === 2_000);
  expect(feed.sight()).toEqual({
    lastHeardAt: 0,
    blindness:
      'The API of cluster "prod" does not know applications.argoproj.io. Argo CD is not installed in this cluster, or this is not the cluster it is installed in. Point Stepback at the cluster that runs the Argo CD controllers.',
  });
  isInstalled = true;
  await clock.passPause();
  expect(await told(1)).toEqual(['a added']);
  expect(feed.sight().blindness).toBeNull();
});

test('a right that is taken away while we watch is blindness at once', async () => {
  const { clock, feed, told } = await feedOver(
    plain(
      (number) => (number === 0 ? { body: listOf('10', whole('a', '1')) } : recordedAnswer('forbidden')),
      (number) => (number === 0 ? stream([], 'clean') : recordedAnswer('forbidden')),
    ),
  );
  await told(1);
  await clock.passPause();
  await clock.timer((delayMs) => delayMs === 2_000);
  expect(feed.sight().blindness).toMatch(/^In cluster "prod" Stepback has no right to list applications/);
});

test('where watching is forbidden lists are polled, and the watch is tried again later', async () => {
  let mayWatch = false;
  const { clock, feed, server, told } = await feedOver((asked, number) => {
    if (!asked.isWatch) return { body: listOf(String(100 + number), whole('a', String(number))) };
    return mayWatch ? nothingMore : recordedAnswer('forbidden');
  });
  await told(1);
  for (let poll = 2; poll < 6; poll += 1) {
    expect(await clock.passPause()).toBe(30_000);
    await told(poll);
  }
  expect(feed.sight().blindness).toBeNull();
  expect(feed.notices()).toHaveLength(1);
  const watches = () => server.asked.filter((asked) => asked.isWatch).length;
  expect(watches()).toBe(1);
  mayWatch = true;
  await clock.timer((delayMs) => delayMs === 30_000);
  clock.advance(600_000);
  await server.until(() => watches() === 2);
  expect(feed.notices()).toEqual([]);
});

test('a server that asks for patience gets it', async () => {
  const { clock, server } = await feedOver((_asked, number) =>
    number === 0 ? { status: 429, headers: { 'retry-after': '20' } } : nothingMore,
  );
  await server.request(1);
  expect(await clock.passPause()).toBe(20_000);
});

test('a feed stops in the middle of anything', async () => {
  const { stop, ended, told } = await feedOver(
    plain(
      () => ({ body: listOf('1', whole('a', '1')) }),
      () => nothingMore,
    ),
  );
  await told(1);
  stop.abort();
  expect(await ended).toBe('stopped');
});
