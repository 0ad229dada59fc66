/** How a feed comes by the whole list. */
import { expect, test } from 'vitest';
import {
  added,
  bookmark,
  endOfList,
  feedOver,
  isStreamedList,
  listOf,
  modified,
  nothingMore,
  plain,
  stream,
  versions,
  whole,
} from './feed-world.ts';
import { recordedAnswer } from './recordings.ts';

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
