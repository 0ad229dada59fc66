/**
 * The answers of a real API server (test/recordings/api-server) against those of the small one, given the same objects. Versions,
 * continue tokens and counts differ by nature and are masked; everything else must be equal.
 */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { customResource } from '../../../src/sandbox/kubernetes/resources.ts';
import { ObjectStore } from '../../../src/sandbox/kubernetes/store.ts';
import { FakeClock, startWorld, TABLE } from './world.ts';

const FLEET = '/apis/argoproj.io/v1alpha1/namespaces/fleet/applications';
/** Of the transport: HTTP/2 has none of these, and large bodies have no length. */
const TRANSPORT_HEADERS = ['connection', 'keep-alive', 'transfer-encoding', 'content-length'];

interface Recorded {
  status: number;
  headers: string[];
  contentType: string;
  lines: unknown[];
  text: string;
}

function recorded(name: string): Recorded {
  const raw = readFileSync(new URL(`../../recordings/api-server/${name}.http`, import.meta.url), 'utf8');
  const end = raw.indexOf('\r\n\r\n');
  const [statusLine, ...headerLines] = raw.slice(0, end).split('\r\n');
  const headers = headerLines.map((line) => line.split(': ') as [string, string]);
  const text = raw.slice(end + 4);
  return {
    status: Number(statusLine!.split(' ')[1]),
    headers: headers.map(([header]) => header).filter((header) => !TRANSPORT_HEADERS.includes(header)),
    contentType: headers.find(([header]) => header === 'content-type')![1],
    lines: jsonLines(text),
    text: text.trim(),
  };
}

function jsonLines(text: string): unknown[] {
  return text
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line));
}

/** Versions, tokens and counts as placeholders; tokens are looked into. */
function masked(value: unknown): unknown {
  const text = JSON.stringify(value, (key, inner) => {
    if (key === 'resourceVersion') return 'V';
    if (key === 'remainingItemCount') return 'N';
    if (key !== 'continue') return inner;
    const token = JSON.parse(Buffer.from(inner as string, 'base64url').toString());
    return { ...token, rv: token.rv === -1 ? -1 : 'V' };
  });
  return JSON.parse(text.replace(/too old resource version: \d+ \(\d+\)/, 'too old resource version: V (V)'));
}

async function compared(name: string, response: Response): Promise<void> {
  const expected = recorded(name);
  const text = await response.text();
  const headers = [...response.headers.keys()].filter((header) => !TRANSPORT_HEADERS.includes(header));
  expect(response.status).toBe(expected.status);
  expect(headers.sort()).toEqual(expected.headers.sort());
  expect(response.headers.get('content-type')).toBe(expected.contentType);
  if (expected.lines.length === 0) expect(text.trim()).toBe(expected.text);
  expect(jsonLines(text).map(masked)).toEqual(expected.lines.map(masked));
}

interface Row {
  cells: (string | null)[];
  object: { metadata: { name: string; namespace: string } };
}

/** The Application behind a row, as far as the row tells. */
function applicationBehind({ cells, object }: Row) {
  const [, sync, health, revision, project] = cells;
  return {
    metadata: object.metadata,
    spec: { project },
    status: { sync: { status: sync, revision }, health: { status: health } },
  };
}

function rowsOf(name: string): Row[] {
  return recorded(name).lines.flatMap((line) => {
    const table = line as { rows?: Row[]; object?: { rows?: Row[] } };
    return table.rows ?? table.object?.rows ?? [];
  });
}

/** The fleet as it was recorded: two pages of Applications and some more behind them. */
async function startFleet(options: Parameters<typeof startWorld>[0] = {}) {
  const store = new ObjectStore({ clock: new FakeClock() });
  const world = await startWorld({ store, ...options });
  for (const row of [...rowsOf('table-list-page-1'), ...rowsOf('table-list-page-2')]) {
    store.put('applications', applicationBehind(row));
  }
  for (const name of ['fleet-00004', 'fleet-00005', 'fleet-00006']) {
    store.put('applications', { metadata: { name, namespace: 'fleet' } });
  }
  return world;
}

test('a list as a Table in pages', async () => {
  const { fetched } = await startFleet();
  const first = await fetched(`${FLEET}?limit=2`, { headers: { accept: TABLE } });
  const { metadata } = (await first.clone().json()) as { metadata: { continue: string } };
  await compared('table-list-page-1', first);
  const second = `${FLEET}?limit=2&continue=${metadata.continue}`;
  await compared('table-list-page-2', await fetched(second, { headers: { accept: TABLE } }));
});

test('a list as a Table by label', async () => {
  const { fetched } = await startFleet();
  const path = `${FLEET}?limit=1&labelSelector=env%3Ddev`;
  await compared('table-list-by-label', await fetched(path, { headers: { accept: TABLE } }));
});

test('a continue token that is too old', async () => {
  const { fetched, kubernetes, get } = await startFleet();
  const { body } = await get(`${FLEET}?limit=1`);
  kubernetes.store.put('applications', { metadata: { name: 'fleet-00009', namespace: 'fleet' } });
  kubernetes.history.forget();
  const path = `${FLEET}?limit=1&continue=${body.metadata.continue}`;
  await compared('list-continue-expired', await fetched(path, { headers: { accept: TABLE } }));
});

test('a streamed list as a Table', async () => {
  const { fetched, store, kubernetes } = await startWorld();
  const [row] = rowsOf('table-stream-list');
  store.put('applications', applicationBehind(row!));
  const parameters =
    'watch=1&sendInitialEvents=true&allowWatchBookmarks=true&resourceVersionMatch=NotOlderThan';
  const response = await fetched(`${FLEET}?${parameters}`, { headers: { accept: TABLE } });
  kubernetes.watches.end();
  await compared('table-stream-list', response);
});

test('a watch as a Table with two changes, a deletion and a bookmark', async () => {
  const { fetched, store, kubernetes } = await startWorld();
  const [first, second, third] = rowsOf('table-watch');
  store.put('applications', applicationBehind({ ...first!, cells: ['', 'OutOfSync', null, null, null] }));
  store.put('applications', applicationBehind(third!));
  const path = `${FLEET}?watch=1&allowWatchBookmarks=true&resourceVersion=${store.resourceVersion}`;
  const response = await fetched(path, { headers: { accept: TABLE } });
  store.put('applications', applicationBehind(first!));
  store.put('applications', applicationBehind(second!));
  store.remove('applications', 'fleet', 'fleet-00004');
  kubernetes.watches.bookmark();
  kubernetes.watches.end();
  await compared('table-watch', response);
});

test('a watch from a version that is too old', async () => {
  const { fetched, kubernetes } = await startFleet();
  kubernetes.history.forget();
  const path = `${FLEET}?watch=1&resourceVersion=1`;
  await compared('table-watch-too-old', await fetched(path, { headers: { accept: TABLE } }));
});

test('a watch from a version to come is silent', async () => {
  const { fetched, kubernetes, store } = await startFleet();
  const path = `${FLEET}?watch=1&resourceVersion=9999999`;
  const response = await fetched(path, { headers: { accept: TABLE } });
  store.put('applications', { metadata: { name: 'fleet-00009', namespace: 'fleet' } });
  kubernetes.watches.end();
  await compared('watch-future-version', response);
});

test('forbidden', async () => {
  const { fetched } = await startFleet({ user: 'nobody', allow: [] });
  await compared('forbidden', await fetched(`${FLEET}?limit=1`));
});

test('unauthorized', async () => {
  const { fetched } = await startFleet({ token: 'right' });
  await compared('unauthorized', await fetched(FLEET, { headers: { authorization: 'Bearer wrong' } }));
});

test('a kind that is not installed, and the same kind once it is', async () => {
  const { fetched, store, get } = await startFleet();
  const rollbacks = '/apis/stepback.dev/v1alpha1/rollbacks';
  await compared('no-such-kind', await fetched(rollbacks));
  const names = { group: 'stepback.dev', version: 'v1alpha1', kind: 'Rollback', plural: 'rollbacks' };
  store.create('customresourcedefinitions', customResource({ ...names, statusSubresource: true }));
  expect(await get(rollbacks)).toMatchObject({ status: 200, body: { kind: 'RollbackList', items: [] } });
});

test('a conflict', async () => {
  const { fetched, store } = await startFleet();
  const stale = store.get('applications', 'fleet', 'fleet-00003');
  store.patchMerge('applications', 'fleet', 'fleet-00003', { spec: { project: 'other' } });
  const body = JSON.stringify(stale);
  const headers = { 'content-type': 'application/json' };
  await compared('conflict', await fetched(`${FLEET}/fleet-00003`, { method: 'PUT', body, headers }));
});
