/** JSON as Kubernetes clients handle it: is it the same, and which merge patch leads from one to the other. */
import { isDeepStrictEqual } from 'node:util';

type Json = Record<string, unknown>;

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  if (Array.isArray(value)) return value.length === 0;
  return isObject(value) && Object.values(value).every(isEmpty);
}

/** The value without fields that say nothing: undefined, null, and what is empty all the way down. */
function withoutEmpty(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutEmpty);
  if (!isObject(value)) return value;
  const kept = Object.entries(value).filter(([, inner]) => !isEmpty(inner));
  return Object.fromEntries(kept.map(([key, inner]) => [key, withoutEmpty(inner)]));
}

/** Whether two values say the same; an empty list or object is the same as none (Go's `cmpopts.EquateEmpty`). */
export function saysTheSame(one: unknown, other: unknown): boolean {
  if (isDeepStrictEqual(one, other)) return true;
  return isDeepStrictEqual(withoutEmpty({ it: one }), withoutEmpty({ it: other }));
}

/** The JSON merge patch (RFC 7386) that turns `before` into `after`; undefined when there is nothing to change. */
export function patchBetween(before: unknown, after: unknown): Json | undefined {
  const one = isObject(before) ? before : {};
  const other = isObject(after) ? after : {};
  const patch: Json = {};
  for (const key of new Set([...Object.keys(one), ...Object.keys(other)])) {
    const from = one[key];
    const to = other[key];
    if (from === to) continue;
    if (to === undefined) {
      if (from !== undefined) patch[key] = null;
    } else if (isObject(from) && isObject(to)) {
      const inner = patchBetween(from, to);
      if (inner !== undefined) patch[key] = inner;
    } else if (!isDeepStrictEqual(from, to)) {
      patch[key] = to;
    }
  }
  return Object.keys(patch).length > 0 ? patch : undefined;
}
