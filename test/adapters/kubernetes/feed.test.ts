import { expect, test } from 'vitest';
import { bookmark, endOfList, feedOver, listOf, whole } from './feed-world.ts';
import { recordedAnswer } from './recordings.ts';
import { type Answer, type Asked, lines, type Script } from './scripted-server.ts';

/** Streams these events, and goes on or ends. */
function stream(events: readonly unknown[], end: 'open' | 'clean' = 'open'): Answer {
  return {
    stream: (response) => {
      response.write(lines(...events));
      if (end === 'clean') response.end();
    },
  };
}

const added = (name: string, version: string) => ({ type: 'ADDED', object: whole(name, version) });
const modified = (name: string, version: string) => ({ type: 'MODIFIED', object: whole(name, version) });
const refused: Answer = { status: 422, body: { kind: 'Status', reason: 'Invalid', code: 422 } };
const isStreamedList = (asked: Asked) => asked.query.has('sendInitialEvents');

/** A server without streamed lists: `list` and `watch` answer, each told the how manieth of its kind it is. */
function plain(list: (number: number) => Answer, watch: (number: number, asked: Asked) => Answer): Script {
  const counts = { list: 0, watch: 0 };
  return (asked) => {
    if (isStreamedList(asked)) return refused;
    if (!asked.isWatch) return list(counts.list++);
    return watch(counts.watch++, asked);
  };
}

const nothingMore: Answer = { stream: () => {} };
const versions = (asked: readonly Asked[]) => asked.map((one) => one.query.get('resourceVersion'));

test('a streamed list fills the index when it ends, and a watch goes on from there', async () => {
  const { server, told, feed, index } = await feedOver((_asked, number) =>
    number === 0
      ? stream([added('a', '5'), added('b', '6'), bookmark('90', endOfList)])
      : stream([modified('a', '91')]),
  );
  expect(await told(3)).toEqual(['a added', 'b added', 'a changed']);
  expect(server.asked.map((asked) => Object.fromEntries(asked.query))).toEqual([
    {
      allowWatchBookmarks: 'true',
      includeObject: 'Metadata',
      resourceVersionMatch: 'NotOlderThan',
      sendInitialEvents: 'true',
      timeoutSeconds: '600',
      watch: 'true',
    },
    {
      allowWatchBookmarks: 'true',
      includeObject: 'Metadata',
      resourceVersion: '90',
      timeoutSeconds: '75',
      watch: 'true',
    },
  ]);
  expect(server.asked[0]!.headers.accept).toBe(
    'application/json;as=Table;v=v1;g=meta.k8s.io,application/json',
  );
  expect(index.get('argocd/a')?.resourceVersion).toBe('91');
  expect(feed.sight().blindness).toBeNull();
});

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

test('a recorded streamed list as a Table is understood', async () => {
  const { told } = await feedOver(() => ({
    stream: (response) => void response.write(recordedAnswer('table-stream-list').body),
  }));
  expect(await told(1)).toEqual(['fleet-00007 added']);
});

test('columns that only the first bookmark names are known to the rows that follow', async () => {
  const recorded = (name: string) =>
    recordedAnswer(name)
      .body.trim()
      .split('\n')
      .map((line) => JSON.parse(line));
  const [first, end] = recorded('table-stream-list');
  const modified = recorded('table-watch')[0];
  end.object.metadata.resourceVersion = '5';
  end.object.columnDefinitions = first.object.columnDefinitions;
  modified.object.columnDefinitions = null;
  const { told, index } = await feedOver((asked) => stream([isStreamedList(asked) ? end : modified]));
  await told(1);
  expect(index.get('fleet/fleet-00002')).toMatchObject({ syncStatus: 'Synced', healthStatus: 'Healthy' });
});

test('before the end of a streamed list nothing is taken for complete', async () => {
  const { told, server, clock, feed } = await feedOver((asked, number) => {
    if (number === 0) return stream([added('a', '5')], 'clean');
    return asked.isWatch ? nothingMore : { body: listOf('7', whole('b', '6')) };
  });
  await server.request(1);
  expect(feed.sight().blindness).toMatch(/have not been listed yet/);
  await clock.passPause();
  expect(await told(1)).toEqual(['b added']);
});

test('a server that only ignores the wish for a streamed list is found out by its first bookmark', async () => {
  const { told, clock, server } = await feedOver((asked, number) => {
    if (number === 0) return stream([added('a', '5'), bookmark('6')]);
    return asked.isWatch ? nothingMore : { body: listOf('7', whole('a', '5')) };
  });
  await clock.passPause();
  expect(await told(1)).toEqual(['a added']);
  expect(versions(server.asked)).toEqual([null, '0']);
});

test('a list in pages is read to its end, and restarted in one piece when it expires half way', async () => {
  const page = (token: string, ...items: unknown[]) => ({
    body: { ...listOf('50', ...items), metadata: { resourceVersion: '50', continue: token } },
  });
  const answers = [
    page('x', whole('a', '1')),
    recordedAnswer('list-continue-expired'),
    page('', whole('b', '2')),
  ];
  const { told, events, server } = await feedOver(
    plain(
      (number) => answers[number]!,
      () => nothingMore,
    ),
  );
  await told(1);
  expect(events).toEqual(['b added']);
  const lists = server.asked
    .filter((asked) => !asked.isWatch)
    .map((asked) => Object.fromEntries(asked.query));
  expect(lists).toEqual([
    { includeObject: 'Metadata', limit: '500', resourceVersion: '0' },
    { includeObject: 'Metadata', limit: '500', continue: 'x' },
    { includeObject: 'Metadata' },
  ]);
  expect((await server.request(5)).query.get('resourceVersion')).toBe('50');
});

test('a list from the cache that is too long for one piece is read in pages', async () => {
  const { clock, server, told } = await feedOver(
    plain(
      (number) => ({ body: number === 0 ? 'x'.repeat(5_000) : listOf('5', whole('a', '1')) }),
      () => nothingMore,
    ),
    { limits: { listBytesMax: 4_000 } },
  );
  await clock.passPause();
  await told(1);
  const lists = server.asked.filter((asked) => !asked.isWatch);
  expect(versions(lists)).toEqual(['0', null]);
  expect(lists[1]?.query.get('limit')).toBe('500');
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
