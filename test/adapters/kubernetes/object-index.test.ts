import { expect, test } from 'vitest';
import { type Indexed, ObjectIndex } from '../../../src/adapters/kubernetes/object-index.ts';

function item(key: string, resourceVersion: string, uid = `u-${key}`): Indexed {
  return { key, uid, resourceVersion };
}

function knowing(...items: readonly Indexed[]) {
  const told: string[] = [];
  const name = (one: Indexed | null) => (one === null ? 'nothing' : `${one.uid}@${one.resourceVersion}`);
  const index = new ObjectIndex<Indexed>((before, after) => told.push(`${name(before)} → ${name(after)}`));
  index.replace(null, items);
  told.length = 0;
  return { index, told };
}

test('a list tells what is new, what changed and what is gone, and nothing about the rest', () => {
  const { index, told } = knowing(item('a/1', '1'), item('a/2', '2'), item('a/3', '3'));
  index.replace(null, [item('a/1', '1'), item('a/2', '20'), item('a/4', '4')]);
  expect(told.sort()).toEqual(['nothing → u-a/4@4', 'u-a/2@2 → u-a/2@20', 'u-a/3@3 → nothing']);
  expect([...index.items.keys()].sort()).toEqual(['a/1', 'a/2', 'a/4']);
});

test('the list of one namespace says nothing about another one', () => {
  const { index, told } = knowing(item('a/1', '1'), item('ab/1', '1'));
  index.replace('a', []);
  expect(told).toEqual(['u-a/1@1 → nothing']);
  expect([...index.items.keys()]).toEqual(['ab/1']);
});

test('events that come twice or late change nothing', () => {
  const { index, told } = knowing(item('a/1', '1000'));
  index.changed(item('a/1', '1000'));
  index.changed(item('a/1', '999'));
  expect(told).toEqual([]);
  index.changed(item('a/1', '1001'));
  expect(told).toEqual(['u-a/1@1000 → u-a/1@1001']);
});

test('a list is believed also when it is older: a cluster can be set back', () => {
  const { index, told } = knowing(item('a/1', '1000'));
  index.replace(null, [item('a/1', '7')]);
  expect(told).toEqual(['u-a/1@1000 → u-a/1@7']);
});

test('an object of the same name with another uid is another object', () => {
  const { index, told } = knowing(item('a/1', '100', 'old'));
  index.changed(item('a/1', '200', 'new'));
  expect(told).toEqual(['old@100 → new@200']);
  // The deletion of the old one comes late.
  index.deleted(item('a/1', '150', 'old'));
  expect(index.get('a/1')?.uid).toBe('new');
  index.deleted(item('a/1', '250', 'new'));
  expect(told.at(-1)).toBe('new@200 → nothing');
});

test('what is not known cannot be deleted', () => {
  const { index, told } = knowing();
  index.deleted(item('a/1', '1'));
  expect(told).toEqual([]);
});
