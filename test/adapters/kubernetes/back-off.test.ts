import { expect, test } from 'vitest';
import { BackOff, pause } from '../../../src/adapters/kubernetes/back-off.ts';
import { TestClock } from '../test-clock.ts';

test('waits double up to half a minute, and begin anew after a success', () => {
  const backOff = new BackOff(() => 0.5);
  expect(Array.from({ length: 8 }, () => backOff.failed())).toEqual([
    1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000,
  ]);
  expect(backOff.succeeded()).toBe(1_000);
  expect(backOff.failed()).toBe(1_000);
});

test('chance spreads a wait by a fifth to either side', () => {
  expect(new BackOff(() => 0).failed()).toBe(800);
  expect(new BackOff(() => 0.999_999).failed()).toBe(1_200);
});

test('a server that asks for more patience gets it, within bounds', () => {
  const backOff = new BackOff(() => 0.5);
  expect(backOff.failed(17_000)).toBe(17_000);
  expect(backOff.failed(500)).toBe(2_000);
  expect(backOff.failed(9_999_999)).toBe(300_000);
});

test('a pause ends by the clock, or at once when everything stops', async () => {
  const clock = new TestClock();
  const stop = new AbortController();
  const first = pause(clock, 5_000, stop.signal);
  clock.advance(5_000);
  await first;
  const second = pause(clock, 5_000, stop.signal);
  stop.abort();
  await second;
  await pause(clock, 5_000, stop.signal);
  expect(clock.now()).toBe(Date.parse('2026-12-01T12:00:05Z'));
});
