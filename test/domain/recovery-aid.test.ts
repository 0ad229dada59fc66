/** When an Application is helped, how often, and never further than people allow. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Aid, type Attempt, type LeftBehind, nextAid } from '../../src/domain/recovery-aid.ts';
import type { Remedy } from '../../src/domain/way-back.ts';

const graceMs = 120_000;
const left = (remedy: Remedy, change: Partial<LeftBehind> = {}): LeftBehind => ({
  key: 'argocd/payments-dev-1',
  hindrance: 'no-sync-is-coming',
  remedy,
  by: [],
  since: 1_000_000,
  operationStartedAt: 5,
  attempts: [],
  ...change,
});
const tried = (aid: Aid, at: number, outcome: Attempt['outcome'] = 'done'): Attempt => ({
  aid,
  at,
  outcome,
  detail: '',
});

test.each<[Remedy, 'advise' | 'refresh' | 'sync', Aid | null]>([
  ['wait', 'sync', null],
  ['person', 'sync', null],
  ['refresh', 'advise', null],
  ['sync', 'advise', null],
  ['terminate-then-sync', 'advise', null],
  ['refresh', 'refresh', 'refresh'],
  ['sync', 'refresh', null],
  ['terminate-then-sync', 'refresh', null],
  ['refresh', 'sync', 'refresh'],
  ['sync', 'sync', 'sync'],
  ['terminate-then-sync', 'sync', 'terminate'],
])('%s with recover: %s is %s', (remedy, mode, aid) => {
  expect(nextAid(left(remedy), mode, graceMs)?.due.aid ?? null).toBe(aid);
});

test('waiting gets the grace time first', () => {
  expect(nextAid(left('sync'), 'sync', graceMs)?.at).toBe(1_000_000 + graceMs);
});

test('what was ended by us is synced at once', () => {
  const attempts = [tried('terminate', 990_000)];
  expect(nextAid(left('sync', { attempts }), 'sync', graceMs)?.at).toBe(1_000_000);
});

test('a try that did not help is made again after five minutes, three times in all', () => {
  const attempts = [tried('sync', 2_000_000), tried('sync', 2_300_000)];
  expect(nextAid(left('sync', { attempts }), 'sync', graceMs)?.at).toBe(2_300_000 + 300_000);
  expect(
    nextAid(left('sync', { attempts: [...attempts, tried('sync', 2_600_000)] }), 'sync', graceMs),
  ).toBeNull();
});

test('one that was busy does not count as a try', () => {
  const attempts = Array.from({ length: 9 }, (_, index) => tried('sync', 2_000_000 + index, 'busy'));
  expect(nextAid(left('sync', { attempts }), 'sync', graceMs)).not.toBeNull();
});

test('at a sync window it looks for longer', () => {
  const attempts = Array.from({ length: 20 }, (_, index) => tried('refresh', 2_000_000 + index));
  const window = left('refresh', { hindrance: 'sync-window', attempts });
  expect(nextAid(window, 'refresh', graceMs)?.due.aid).toBe('refresh');
});

test('it is never done before its time, and comes to an end', () => {
  const remedy = fc.constantFrom<Remedy>('wait', 'person', 'refresh', 'sync', 'terminate-then-sync');
  const mode = fc.constantFrom('advise' as const, 'refresh' as const, 'sync' as const);
  fc.assert(
    fc.property(remedy, mode, (one, how) => {
      let attempts: readonly Attempt[] = [];
      let now = 1_000_000;
      for (let round = 0; round < 60; round += 1) {
        const next = nextAid(left(one, { attempts }), how, graceMs);
        if (next === null) return;
        expect(next.at).toBeGreaterThanOrEqual(attempts.length === 0 ? now + graceMs : now);
        now = next.at;
        attempts = [...attempts, tried(next.due.aid, now)];
      }
      expect.fail('It is helped for ever.');
    }),
  );
});
