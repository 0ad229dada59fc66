import { expect, it } from 'vitest';
import { steppedClock } from '../../src/sandbox/clock.ts';
import { conduct } from '../../src/sandbox/conductor.ts';

const never = Number.POSITIVE_INFINITY;

it('lets time pass from timer to timer, and looks before the first', async () => {
  const clock = steppedClock(0);
  const seen: number[] = [];
  const conductor = conduct({ clock, settled: async () => void seen.push(clock.now()), speed: never });
  for (const at of [30, 10, 20]) clock.after(at, () => {});
  expect(await conductor.until(() => clock.now() >= 25, 1_000)).toBe(true);
  expect(seen).toEqual([0, 10, 20, 30]);
});

it('gives up when the time is over', async () => {
  const clock = steppedClock(0);
  const conductor = conduct({ clock, settled: async () => {}, speed: never });
  expect(await conductor.until(() => false, 500)).toBe(false);
  expect(clock.now()).toBe(500);
});

it('goes on by itself until it is stopped, and no faster than it should', async () => {
  const clock = steppedClock(0);
  const stopping = new AbortController();
  const conductor = conduct({ clock, settled: async () => {}, speed: 1_000 });
  clock.after(50_000, () => stopping.abort());
  const began = performance.now();
  await conductor.keepGoing(stopping.signal);
  expect(clock.now()).toBeGreaterThanOrEqual(50_000);
  expect(performance.now() - began).toBeGreaterThanOrEqual(45);
});
