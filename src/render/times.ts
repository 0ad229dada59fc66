/**
 * Times in words. What people read first is how long something took; the exact moment stands beside it or in the
 * evidence, always in UTC, because the people on call are not all in one place.
 */

const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** "40 s", "2 min", "3 h 5 min", "2 d 4 h". Never less than a second: nothing takes no time. */
export function duration(lengthMs: number): string {
  if (!Number.isFinite(lengthMs)) return 'an unknown time';
  if (lengthMs < minuteMs) return `${Math.max(1, Math.floor(lengthMs / secondMs))} s`;
  if (lengthMs < hourMs) return `${Math.floor(lengthMs / minuteMs)} min`;
  if (lengthMs < 2 * dayMs) return pair(lengthMs, [hourMs, 'h'], [minuteMs, 'min']);
  return pair(lengthMs, [dayMs, 'd'], [hourMs, 'h']);
}

function pair(
  lengthMs: number,
  [large, largeName]: readonly [number, string],
  [small, smallName]: readonly [number, string],
): string {
  const rest = Math.floor((lengthMs % large) / small);
  return `${Math.floor(lengthMs / large)} ${largeName}${rest === 0 ? '' : ` ${rest} ${smallName}`}`;
}

/** "2026-08-01 03:12:05 UTC". `at` is milliseconds since the epoch. */
export function exactTime(at: number): string {
  const date = new Date(at);
  return Number.isNaN(date.getTime())
    ? 'an unknown time'
    : `${date.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

/** "03:12 UTC", for a time near one that is told with its date. */
export function timeOfDay(at: number): string {
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? 'an unknown time' : `${date.toISOString().slice(11, 16)} UTC`;
}
