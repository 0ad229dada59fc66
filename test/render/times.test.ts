import { describe, expect, it } from 'vitest';
import { duration, exactTime, timeOfDay } from '../../src/render/times.ts';
import { began } from './sample-incident.ts';

describe('times', () => {
  it('are as long as people say', () => {
    const lengths = [
      0, 999, 40_000, 59_999, 60_000, 150_000, 3_599_000, 3_600_000, 11_100_000, 172_800_000, 180_000_000,
    ];
    expect(lengths.map(duration)).toEqual([
      '1 s',
      '1 s',
      '40 s',
      '59 s',
      '1 min',
      '2 min',
      '59 min',
      '1 h',
      '3 h 5 min',
      '2 d',
      '2 d 2 h',
    ]);
  });

  it('are exact where they are evidence', () => {
    expect(exactTime(began)).toBe('2026-08-01 03:12:05 UTC');
    expect(timeOfDay(began)).toBe('03:12 UTC');
  });

  it('that are none are called so', () => {
    for (const at of [Number.NaN, Number.POSITIVE_INFINITY, 9e15]) {
      expect(exactTime(at)).toBe('an unknown time');
      expect(timeOfDay(at)).toBe('an unknown time');
    }
    expect(duration(Number.POSITIVE_INFINITY)).toBe('an unknown time');
  });
});
