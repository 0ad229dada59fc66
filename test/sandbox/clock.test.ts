import { describe, expect, it } from 'vitest';
import { scaledClock, steppedClock } from '../../src/sandbox/clock.ts';

const START = Date.parse('2026-12-01T00:00:00Z');

describe('the stepped clock', () => {
  it('runs timers in the order they are due, those of one moment in the order they were set', async () => {
    const clock = steppedClock(START);
    const seen: string[] = [];
    const note = (what: string) => () => void seen.push(`${what} at ${clock.now() - START}`);
    clock.after(20, note('b'));
    clock.after(10, note('a'));
    clock.after(20, note('c'));
    clock.after(31, note('too late'));
    await clock.advance(30);
    expect(seen).toEqual(['a at 10', 'b at 20', 'c at 20']);
    expect(clock.now() - START).toBe(30);
    expect(clock.nextAt()).toBe(START + 31);
  });

  it('awaits a task before the next one, and runs what a task sets within the time', async () => {
    const clock = steppedClock(START);
    const seen: number[] = [];
    clock.after(10, async () => {
      await Promise.resolve();
      clock.after(0, () => void seen.push(1));
      clock.after(5, () => void seen.push(3));
    });
    clock.after(10, () => void seen.push(0));
    clock.after(12, () => void seen.push(2));
    await clock.advance(15);
    expect(seen).toEqual([0, 1, 2, 3]);
  });

  it('does not run what was cancelled', async () => {
    const clock = steppedClock(START);
    const seen: string[] = [];
    const cancel = clock.after(10, () => void seen.push('cancelled'));
    clock.after(5, () => cancel());
    await clock.advance(100);
    expect(seen).toEqual([]);
    expect(clock.nextAt()).toBeUndefined();
  });

  it('stops as soon as a condition holds, or when the time is up', async () => {
    const clock = steppedClock(START);
    let count = 0;
    const tick = () => {
      count += 1;
      clock.after(1000, tick);
    };
    tick();
    expect(await clock.advanceUntil(() => count === 4, 10_000)).toBe(true);
    expect(clock.now() - START).toBe(3000);
    expect(await clock.advanceUntil(() => count === 400, 10_000)).toBe(false);
    expect(clock.now() - START).toBe(13_000);
  });
});

describe('the scaled clock', () => {
  it('lets an hour pass in a moment, and keeps the order', async () => {
    const clock = scaledClock({ start: START, speed: 1_000_000 });
    const seen: string[] = [];
    const done = new Promise<void>((resolve) => clock.after(3_600_000, () => resolve()));
    const cancel = clock.after(1_800_000, () => void seen.push('cancelled'));
    clock.after(900_000, () => void seen.push('first'));
    cancel();
    await done;
    expect(seen).toEqual(['first']);
    expect(clock.now()).toBeGreaterThanOrEqual(START + 3_600_000);
  });

  it('runs each task at the moment it was meant for, however fast it runs', async () => {
    const clock = scaledClock({ start: START, speed: 1_000_000 });
    const seen: number[] = [];
    const begun = clock.now();
    await new Promise<void>((resolve) => {
      const tick = async () => {
        await Promise.resolve();
        seen.push(clock.now() - begun);
        if (seen.length === 50) resolve();
        else clock.after(10, tick);
      };
      clock.after(10, tick);
    });
    const drift = seen.map((at, index) => at - (index + 1) * 10);
    expect(Math.max(...drift) - Math.min(...drift)).toBeLessThan(1);
  });

  it('never passes a task that is due and has not run', async () => {
    const clock = scaledClock({ start: START, speed: 1_000_000 });
    const done = new Promise<number>((resolve) => clock.after(5, () => resolve(clock.now())));
    const spin = () => {
      const until = performance.now() + 1;
      while (performance.now() < until);
      return clock.now();
    };
    const seen = [spin(), spin(), await done];
    expect(new Set(seen).size).toBe(1);
    const later = await new Promise<number>((resolve) => clock.after(1000, () => resolve(clock.now())));
    expect(later).toBeGreaterThan(seen[0]!);
  });

  it('goes on when a task waits for a later one', async () => {
    const clock = scaledClock({ start: START, speed: 1_000_000 });
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const waiting = new Promise<string>((resolve) =>
      clock.after(5, async () => {
        await released;
        resolve('released');
      }),
    );
    clock.after(10, () => release());
    expect(await waiting).toBe('released');
  });
});
