import { expect, test } from 'vitest';
import { endsInitialEvents, RowReader, versionOf } from '../../../src/adapters/kubernetes/table.ts';
import type { Json } from '../../../src/domain/read.ts';
import { recordedAnswer } from './recordings.ts';

function recordedEvents(name: string): { type: string; object: Json }[] {
  return recordedAnswer(name)
    .body.trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

const degraded = {
  key: 'fleet/fleet-00002',
  uid: '66c27c3d-ec85-4ff5-ae3b-f55bb7af5990',
  resourceVersion: '68392',
  owner: null,
  labels: { 'app.kubernetes.io/instance': 'fleet', env: 'prod' },
  syncStatus: 'Synced',
  healthStatus: 'Degraded',
  revision: 'b273169e7950d6345f7e7c1065c516efae3c1fe2',
};

test('a recorded list is read into rows, and its version is that of the list', () => {
  const table = JSON.parse(recordedAnswer('table-list-page-2').body);
  const { items, unreadable } = new RowReader().read(table);
  expect(unreadable).toBe(0);
  expect(items).toHaveLength(2);
  expect(items[0]).toEqual(degraded);
  expect(versionOf(table)).toBe('68536');
});

test('a recorded list of one row has the version of the list too', () => {
  expect(versionOf(JSON.parse(recordedAnswer('table-list-by-label').body))).toBe('68538');
});

test('recorded watch events are rows with the version of the object; a bookmark carries nothing but a version', () => {
  const events = recordedEvents('table-watch');
  expect(events.map(({ type, object }) => [type, versionOf(object), endsInitialEvents(object)])).toEqual([
    ['MODIFIED', '68391', false],
    ['MODIFIED', '68392', false],
    ['DELETED', '68393', false],
    ['BOOKMARK', '68410', false],
  ]);
  const reader = new RowReader();
  expect(events.slice(0, 3).flatMap(({ object }) => reader.read(object).items)).toMatchObject([
    { key: 'fleet/fleet-00002', healthStatus: 'Healthy', resourceVersion: '68391' },
    degraded,
    { key: 'fleet/fleet-00004', resourceVersion: '68393' },
  ]);
});

test('the recorded streamed list says where its initial events end', () => {
  const events = recordedEvents('table-stream-list');
  expect(events.map(({ object }) => endsInitialEvents(object))).toEqual([false, true]);
  expect(versionOf(events[1]!.object)).toBe('10239');
});

function table(columns: readonly { name: string; description?: string }[], cells: readonly unknown[]): Json {
  const metadata = { name: 'shop', namespace: 'argocd', uid: 'u', resourceVersion: '1' };
  return { kind: 'Table', columnDefinitions: columns, rows: [{ cells, object: { metadata } }] };
}

test.each([
  [
    'in another order',
    table(
      [{ name: 'Health Status' }, { name: 'Name' }, { name: 'Sync Status' }],
      ['Degraded', 'x', 'Synced'],
    ),
  ],
  [
    'under other names, told by their path',
    table(
      [
        {
          name: 'Zustand',
          description: 'Custom resource definition column (in JSONPath format): .status.health.status',
        },
        { name: 'Health', description: 'something else' },
        {
          name: 'Abgleich',
          description: 'Custom resource definition column (in JSONPath format): .status.sync.status',
        },
      ],
      ['Degraded', 'Healthy', 'Synced'],
    ),
  ],
  ['under short names', table([{ name: 'SYNC' }, { name: 'HEALTH' }], ['Synced', 'Degraded'])],
])('columns are found %s', (_name, object) => {
  expect(new RowReader().read(object).items[0]).toMatchObject({
    syncStatus: 'Synced',
    healthStatus: 'Degraded',
  });
});

test('a definition without such columns still gives rows, with nothing in them', () => {
  const { items } = new RowReader().read(table([{ name: 'Name' }], ['shop']));
  expect(items).toMatchObject([{ key: 'argocd/shop', syncStatus: '', healthStatus: '', revision: '' }]);
});

test('a watch that names its columns only once keeps them', () => {
  const reader = new RowReader();
  reader.read(table([{ name: 'Health' }, { name: 'Sync' }], ['Healthy', 'Synced']));
  expect(reader.read(table([], ['Degraded', 'OutOfSync'])).items[0]).toMatchObject({
    healthStatus: 'Degraded',
    syncStatus: 'OutOfSync',
  });
});

test('whole objects are read as rows too, for servers that make no Tables', () => {
  const object = {
    kind: 'ApplicationList',
    metadata: { resourceVersion: '7' },
    items: [
      {
        metadata: {
          name: 'shop-dev',
          namespace: 'argocd',
          uid: 'u1',
          resourceVersion: '5',
          ownerReferences: [
            { apiVersion: 'argoproj.io/v1alpha1', kind: 'ApplicationSet', name: 'shop', uid: 's' },
          ],
        },
        status: { sync: { status: 'Synced', revisions: ['abc', 'def'] }, health: { status: 'Healthy' } },
      },
      { metadata: {} },
    ],
  };
  expect(new RowReader().read(object)).toEqual({
    items: [
      {
        key: 'argocd/shop-dev',
        uid: 'u1',
        resourceVersion: '5',
        owner: { name: 'shop', uid: 's' },
        labels: {},
        syncStatus: 'Synced',
        healthStatus: 'Healthy',
        revision: 'abc',
      },
    ],
    unreadable: 1,
  });
});

test('rows share what is equal between them, so that a fleet is small', () => {
  const list = JSON.parse(recordedAnswer('table-list-page-1').body);
  const reader = new RowReader();
  const [one] = reader.read(list).items;
  const [other] = reader.read(list).items;
  expect(one).toEqual(other);
  expect(other!.labels).toBe(one!.labels);
});
