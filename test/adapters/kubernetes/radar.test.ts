import { expect, test } from 'vitest';
import { Radar } from '../../../src/adapters/kubernetes/radar.ts';
import type { ApplicationRow } from '../../../src/domain/objects.ts';

function row(name: string, owner: string | null, resourceVersion: string, uid = `u-${name}`): ApplicationRow {
  return {
    key: `argocd/${name}`,
    uid,
    resourceVersion,
    owner: owner === null ? null : { name: owner, uid: `s-${owner}` },
    labels: {},
    syncStatus: 'Synced',
    healthStatus: 'Healthy',
    revision: '',
  };
}

function seeing(...rows: readonly ApplicationRow[]) {
  const nudges: string[] = [];
  const radar = new Radar((applicationSet) => nudges.push(applicationSet));
  radar.index.replace(null, rows);
  nudges.length = 0;
  const names = (set: string) => radar.rows(set).map((one) => one.key);
  return { radar, nudges, names };
}

test('a change nudges the ApplicationSet in the namespace of the Application', () => {
  const { radar, nudges } = seeing(row('shop-dev', 'shop', '1'));
  radar.index.changed(row('shop-dev', 'shop', '2'));
  expect(nudges).toEqual(['argocd/shop']);
});

test('a change that shows in no cell nudges as well: the operation changed', () => {
  const { radar, nudges } = seeing(row('shop-dev', 'shop', '1'));
  radar.index.changed({ ...row('shop-dev', 'shop', '2') });
  expect(nudges).toEqual(['argocd/shop']);
});

test('an Application that changes hands nudges both owners and is in the rows of one', () => {
  const { radar, nudges, names } = seeing(row('shop-dev', 'shop', '1'));
  radar.index.changed(row('shop-dev', 'web', '2'));
  expect(nudges).toEqual(['argocd/shop', 'argocd/web']);
  expect(names('argocd/shop')).toEqual([]);
  expect(names('argocd/web')).toEqual(['argocd/shop-dev']);
  radar.index.changed(row('shop-dev', null, '3'));
  expect(nudges.slice(2)).toEqual(['argocd/web']);
  expect(names('argocd/web')).toEqual([]);
});

test('a deletion nudges, and one that was missed does when the next list lacks it', () => {
  const { radar, nudges, names } = seeing(row('shop-dev', 'shop', '1'), row('shop-old', 'shop', '1'));
  radar.index.deleted(row('shop-dev', 'shop', '2'));
  radar.index.replace(null, []);
  expect(nudges).toEqual(['argocd/shop', 'argocd/shop']);
  expect(names('argocd/shop')).toEqual([]);
});

test('an Application of nobody nudges nobody', () => {
  const { radar, nudges } = seeing();
  radar.index.changed(row('alone', null, '1'));
  radar.index.deleted(row('alone', null, '2'));
  expect(nudges).toEqual([]);
});

test('an owner whose name cannot be a name is nobody', () => {
  const { radar, nudges } = seeing();
  radar.index.changed(row('evil', 'shop/../../web', '1'));
  radar.index.changed(row('evil', '', '2'));
  expect(nudges).toEqual([]);
});

test('one event costs the same in a fleet of a thousand ApplicationSets as in one', () => {
  const fleet = Array.from({ length: 20_000 }, (_, index) =>
    row(`a-${index}`, `s-${Math.floor(index / 20)}`, '1'),
  );
  const { radar, nudges, names } = seeing(...fleet);
  radar.index.changed(row('a-777', 's-38', '2'));
  expect(nudges).toEqual(['argocd/s-38']);
  expect(names('argocd/s-38')).toHaveLength(20);
});
