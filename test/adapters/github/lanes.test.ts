import fc from 'fast-check';
import { expect, test } from 'vitest';
import { contentWindows, createBudget, createLane } from '../../../src/adapters/github/lanes.ts';
import { leapingClock } from './world.ts';

test('a lane lets so many through at once, and the rest in their order', async () => {
  const lane = createLane(2);
  const begun: number[] = [];
  const finish: (() => void)[] = [];
  const works = [1, 2, 3, 4].map((number) =>
    lane(() => {
      begun.push(number);
      return new Promise<void>((resolve) => finish.push(resolve));
    }),
  );
  expect(begun).toEqual([1, 2]);
  finish[1]?.();
  await works[1];
  expect(begun).toEqual([1, 2, 3]);
  finish[0]?.();
  await works[0];
  expect(begun).toEqual([1, 2, 3, 4]);
  for (const done of finish) done();
  await Promise.all(works);
});

test('work that fails frees its place', async () => {
  const lane = createLane(1);
  await expect(lane(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await lane(async () => 'next')).toBe('next');
});

test('80 writes go at once, the next waits for the minute to pass', () => {
  const budget = createBudget(contentWindows, leapingClock());
  for (let write = 0; write < 80; write += 1) expect(budget.take(0)).toBe(0);
  expect(budget.take(30_000)).toBeNull();
  expect(budget.waitMs()).toBe(60_000);
  expect(budget.take(60_000)).toBe(60_000);
});

test('no minute holds more than 80 places and no hour more than 500, whenever one asks', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 20_000 }), { minLength: 600, maxLength: 1_200 }),
      (pauses) => {
        const clock = leapingClock();
        const budget = createBudget(contentWindows, clock);
        const places: number[] = [];
        for (const pauseMs of pauses) {
          clock.leap(pauseMs);
          const delayMs = budget.take(30_000);
          if (delayMs !== null) places.push(clock.now() + delayMs);
        }
        expect(places.length).toBeGreaterThan(0);
        for (const { callsMax, perMs } of contentWindows) {
          places.forEach((place, index) => {
            const later = places[index + callsMax];
            if (later !== undefined) expect(later - place).toBeGreaterThanOrEqual(perMs);
          });
        }
      },
    ),
    { numRuns: 20 },
  );
});
