/** Laws of list and watch that hold after any writes: what a client relies on when it puts the two together. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { History } from '../../../src/sandbox/kubernetes/history.ts';
import type { StoredObject } from '../../../src/sandbox/kubernetes/objects.ts';
import { matcherOf } from '../../../src/sandbox/kubernetes/selectors.ts';
import { ObjectStore } from '../../../src/sandbox/kubernetes/store.ts';
import { APPLICATIONS, startWorld } from './world.ts';

const write = fc.record({
  name: fc.constantFrom('a', 'b', 'c', 'd'),
  env: fc.constantFrom('dev', 'prod'),
  action: fc.constantFrom('put', 'put', 'put', 'remove', 'elsewhere'),
});
type Write = typeof write extends fc.Arbitrary<infer T> ? T : never;

function perform(store: ObjectStore, { name, env, action }: Write): void {
  if (action === 'elsewhere') store.put('configmaps', { metadata: { name, namespace: 'argocd' } });
  else if (action === 'put') {
    store.put('applications', { metadata: { name, namespace: 'argocd', labels: { env } } });
  } else if (store.get('applications', 'argocd', name)) store.remove('applications', 'argocd', name);
}

const identified = ({ metadata }: StoredObject) => `${metadata.name}@${metadata.resourceVersion}`;

test('the history shows every state it remembers, exactly, and none that it does not', () => {
  fc.assert(
    fc.property(fc.array(write, { maxLength: 40 }), fc.integer({ min: 5, max: 40 }), (writes, eventsMax) => {
      const store = new ObjectStore({ clock: { now: () => 0 } });
      const history = new History(store, eventsMax);
      const states = new Map([[store.resourceVersion, store.list('applications')]]);
      for (const one of writes) {
        perform(store, one);
        states.set(store.resourceVersion, store.list('applications'));
      }
      for (const [version, state] of states) {
        const shown = history.snapshot('applications', version);
        expect(shown?.map(identified)).toEqual(version < history.oldest ? undefined : state.map(identified));
      }
    }),
  );
});

test('a list and the watch from its version lead to what the store holds, through any selector', async () => {
  const { watch, get, store, kubernetes } = await startWorld();
  const selectors = ['', 'env=prod', 'env!=prod', 'env notin (dev)'];
  const property = fc.asyncProperty(
    fc.array(write, { maxLength: 15 }),
    fc.array(write, { maxLength: 15 }),
    fc.constantFrom(...selectors),
    async (before, after, selector) => {
      for (const one of before) perform(store, one);
      const path = `${APPLICATIONS}?labelSelector=${encodeURIComponent(selector)}`;
      const { body } = await get(path);
      const seen = new Map<string, StoredObject>();
      for (const item of body.items) seen.set(item.metadata.name, item);
      const lines = await watch(`${path}&watch=1&resourceVersion=${body.metadata.resourceVersion}`);
      for (const one of after) perform(store, one);
      kubernetes.watches.end();
      for (const { type, object } of await lines.rest()) {
        expect(seen.has(object.metadata.name)).toBe(type !== 'ADDED');
        if (type === 'DELETED') seen.delete(object.metadata.name);
        else seen.set(object.metadata.name, object);
      }
      const expected = store.list('applications').filter(matcherOf(selector, null));
      expect([...seen.values()].map(identified).sort()).toEqual(expected.map(identified).sort());
    },
  );
  await fc.assert(property, { numRuns: 60 });
});
