import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Marker, parseMarker, parseMemo, printMarker } from '../../src/domain/marker.ts';
import { type Memo, readMemo } from '../../src/domain/memo.ts';

const markers: fc.Arbitrary<Marker> = fc.record({
  kind: fc.constantFrom('revert', 'culprit', 'notice', 'reply'),
  instance: fc.string({ unit: 'grapheme', maxLength: 100 }),
  incident: fc.string({ unit: 'grapheme', maxLength: 100 }),
});

it('is found again, whatever it holds and whatever stands around it', () => {
  fc.assert(
    fc.property(markers, fc.string(), fc.string(), (marker, before, after) => {
      expect(parseMarker(`${before}\n${printMarker(marker)}\n${after}`)).toEqual(marker);
    }),
  );
});

it('of a kind that is not known is none', () => {
  const other = printMarker({ kind: 'reply', instance: 'argocd', incident: 'x' });
  expect(parseMarker(other)?.kind).toBe('reply');
  const encoded = btoa(JSON.stringify(['order', 'argocd', 'x']));
  expect(parseMarker(`<!-- stepback:v1 ${encoded} -->`)).toBeNull();
});

const moment = fc.integer({ min: 0, max: 2e12 });
const commit = fc.constantFrom('a'.repeat(40), 'b'.repeat(40), `${'0'.repeat(39)}1`);
const order = fc.record({ by: fc.string({ maxLength: 100 }), at: moment });
const memos: fc.Arbitrary<Memo> = fc.record({
  phase: fc.constantFrom('noticed', 'proposed', 'merged', 'recovered', 'healed', 'dismissed'),
  revert: fc.option(fc.nat()),
  dismissal: fc.option(
    fc.record({ by: fc.string({ maxLength: 100 }), at: moment, reason: fc.string({ maxLength: 200 }) }),
  ),
  takenBackBy: fc.option(fc.record({ number: fc.nat(), author: fc.string({ maxLength: 100 }) })),
  moments: fc.record({ healed: moment, merged: moment }, { requiredKeys: [] }),
  whole: fc.option(
    fc.record({
      openedAt: moment,
      branch: fc.constantFrom('main', 'release/1'),
      suspects: fc.array(commit, { maxLength: 50 }),
      innocents: fc.array(commit, { maxLength: 20 }),
      isWholeRange: fc.boolean(),
      lastGoodTree: fc.option(commit),
      sets: fc.array(
        fc.record({
          key: fc.constantFrom('argocd/payments', 'team-a/shop'),
          failureKind: fc.constantFrom('degraded', 'sync', 'render'),
          bad: fc.option(fc.array(fc.string(), { maxLength: 3 })),
          lastGood: fc.option(fc.array(fc.string(), { maxLength: 3 })),
          since: moment,
          total: fc.nat(),
          havingAtMost: fc.nat(),
          havingAtNotice: fc.option(fc.nat()),
          havingAtMerge: fc.option(fc.nat()),
        }),
        { maxLength: 10 },
      ),
      wanted: fc.option(order),
      asked: fc.constant(null),
      isAutoMergeOff: fc.boolean(),
    }),
  ),
});

it('holds what is to be known when all else is lost', () => {
  fc.assert(
    fc.property(markers, memos, (marker, memo) => {
      const text = `words\n${printMarker(marker, memo)}`;
      expect(parseMarker(text)).toEqual(marker);
      expect(parseMemo(text)).toEqual(memo);
    }),
  );
});

it('is read whatever somebody made of it', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const encoded = btoa(
        String.fromCharCode(...new TextEncoder().encode(JSON.stringify(['revert', 'argocd', 'x', value]))),
      );
      const text = `<!-- stepback:v1 ${encoded} -->`;
      expect(parseMarker(text)?.kind).toBe('revert');
      expect(() => parseMemo(text)).not.toThrow();
    }),
  );
});

it('names no object of git that cannot be one, no key that is none, and half an order is none', () => {
  const whole = {
    suspects: ['a'.repeat(40), 'main', '../../x'],
    innocents: [],
    sets: [{ key: 'argocd/payments' }, { key: 'payments' }, { key: 'a/b/c' }],
    asked: { kind: 'restore', by: 'dana', at: 1, paths: ['apps'], tree: 'main' },
  };
  const memo = readMemo(JSON.parse(JSON.stringify({ phase: 'proposed', whole })));
  expect(memo?.whole?.suspects).toEqual(['a'.repeat(40)]);
  expect(memo?.whole?.sets.map(({ key }) => key)).toEqual(['argocd/payments']);
  expect(memo?.whole?.asked).toBeNull();
  expect(readMemo({ phase: 'paused' })).toBeNull();
});
