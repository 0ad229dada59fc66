/** What is over is cut by age and by count; what is open stays. */
import { expect, test } from 'vitest';
import type { Incident, Phase } from '../../src/domain/incident.ts';
import { keptMax, keptMs, toForget } from '../../src/domain/retention.ts';
import { incident } from '../render/sample-incident.ts';

const now = Date.parse('2026-12-01T12:00:00Z');
const dayMs = 24 * 60 * 60_000;

function ended(id: string, phase: Phase, daysAgo: number): Incident {
  const at = now - daysAgo * dayMs;
  return { ...incident(), id, phase, changedAt: at, timeline: [{ at, what: 'noticed', detail: '' }] };
}

test('what is over for longer than ninety days is forgotten, the oldest first', () => {
  const all = [ended('a', 'recovered', 91), ended('b', 'dismissed', 400), ended('c', 'healed', 89)];
  expect(toForget(all, now).map(({ id }) => id)).toEqual(['b', 'a']);
  expect(keptMs).toBe(90 * dayMs);
});

test.each<Phase>(['noticed', 'proposed', 'merged'])('one that is %s stays, however old it is', (phase) => {
  expect(toForget([ended('a', phase, 4_000)], now)).toEqual([]);
});

test('of those that are over the newest are kept', () => {
  const all = Array.from({ length: keptMax + 2 }, (_, index) => ended(`i${index}`, 'recovered', index / 10));
  expect(toForget(all, now).map(({ id }) => id)).toEqual([`i${keptMax + 1}`, `i${keptMax}`]);
});
