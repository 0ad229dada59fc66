/**
 * Reading untrusted values. Objects of a cluster come in many versions and sometimes broken; a missing or
 * strange field becomes an empty value and never an exception, because a rollout must stay readable when one
 * field of one object is odd.
 */

export type Json = Readonly<Record<string, unknown>>;

/** The value as an object; anything else is an empty one. */
export function record(value: unknown): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};
}

/** The value as an object, or null when it is none. */
export function recordOrNull(value: unknown): Json | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : null;
}

/** The value as a list; anything else is an empty one. */
export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The value as text; numbers and booleans are written out, anything else is "". */
export function text(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}

/** The value as a finite number, or the fallback. */
export function number(value: unknown, fallback: number): number {
  return typeof value === 'number' && Number.isFinite(value) ? value : fallback;
}

/** An RFC 3339 time as milliseconds since the epoch, or null when it is absent or no time. */
export function time(value: unknown): number | null {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\dT/.test(value)) return null;
  const parsed = Date.parse(value);
  return Number.isNaN(parsed) ? null : parsed;
}

/** The entries of an object whose values are text. */
export function textRecord(value: unknown): Readonly<Record<string, string>> {
  const entries = Object.entries(record(value)).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  return Object.fromEntries(entries);
}

/** The texts of a list. */
export function texts(value: unknown): readonly string[] {
  return list(value).map(text);
}
