import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { systemClock } from '../../src/adapters/clock.ts';

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2026-12-01T12:00:00Z') });
});
afterEach(() => {
  vi.useRealTimers();
});

test('what is to happen later happens once, and not before', () => {
  const run = vi.fn();
  systemClock.after(1_000, run);
  vi.advanceTimersByTime(999);
  expect(run).not.toHaveBeenCalled();
  vi.advanceTimersByTime(10_000);
  expect(run).toHaveBeenCalledTimes(1);
});

test('what is cancelled does not happen', () => {
  const run = vi.fn();
  systemClock.after(1_000, run)();
  vi.advanceTimersByTime(10_000);
  expect(run).not.toHaveBeenCalled();
});

test('a wait longer than Node keeps is still kept, and can still be cancelled', () => {
  const sixtyDaysMs = 60 * 24 * 3_600_000;
  const run = vi.fn();
  const cancelled = vi.fn();
  const cancel = systemClock.after(sixtyDaysMs, cancelled);
  systemClock.after(sixtyDaysMs, run);
  vi.advanceTimersByTime(sixtyDaysMs - 1);
  expect(run).not.toHaveBeenCalled();
  cancel();
  vi.advanceTimersByTime(2);
  expect(run).toHaveBeenCalledTimes(1);
  expect(cancelled).not.toHaveBeenCalled();
});

test('the time is that of the machine', () => {
  expect(systemClock.now()).toBe(Date.parse('2026-12-01T12:00:00Z'));
});
