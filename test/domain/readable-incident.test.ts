/** What stands in the ledger is either understood, and then nothing that works with it throws, or as if it were lost. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decide, withStanding } from '../../src/domain/decision.ts';
import type { Incident } from '../../src/domain/incident.ts';
import { isReadableIncident } from '../../src/domain/readable-incident.ts';
import { summarizeIncident } from '../../src/domain/summaries.ts';
import { culpritComment, noticeOf, supportComment } from '../../src/render/culprit-comment.ts';
import { revertBody, revertTitle } from '../../src/render/revert-pull-request.ts';
import * as story from '../render/incidents.ts';
import { context, incident, inPhase } from '../render/sample-incident.ts';

const samples: readonly Incident[] = [
  incident(),
  story.lateAndGrown(),
  story.mergedWithOneLeft(),
  story.recovered(),
  story.conflict(),
  inPhase('healed'),
  inPhase('dismissed'),
].map((one) => JSON.parse(JSON.stringify(one)));

/** Everything that is made of an incident without asking anybody. */
function workWith(one: Incident): void {
  for (const words of [revertTitle(one), revertBody(one, context), supportComment(one, context)])
    expect(typeof words).toBe('string');
  culpritComment(one, 412, context);
  noticeOf(one, context);
  summarizeIncident(one);
  decide({ incident: one, revert: null, now: context.now });
  const [set] = one.sets;
  if (set !== undefined) withStanding(one, set, context.now);
}

/** Every place in it at which something can be broken, as a list of names. */
function placesOf(value: unknown, path: readonly string[] = []): readonly (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path];
  const inner = Object.entries(value).flatMap(([name, one]) => placesOf(one, [...path, name]));
  return path.length === 0 ? inner : [path, ...inner];
}

function broken(one: Incident, path: readonly string[], value: unknown): unknown {
  const copy = structuredClone(one);
  const last = path.at(-1) ?? '';
  let at: Record<string, unknown> = copy as never;
  for (const name of path.slice(0, -1)) at = at[name] as never;
  if (value === undefined) delete at[last];
  else at[last] = value;
  // As the API server gives it back: a hole in a list is null.
  return JSON.parse(JSON.stringify(copy));
}

it('understands every incident that is told in full', () => {
  expect(samples.map(isReadableIncident)).toEqual(samples.map(() => true));
});

describe('whatever somebody changes in an object', () => {
  it.each(samples.map((one, index) => [`${one.phase} ${index}`, one] as const))(
    'it is not understood, or everything works with it: %s',
    (_, one) => {
      const places = placesOf(one);
      const change = fc.tuple(
        fc.constantFrom(...places),
        fc.constantFrom(undefined, null, 0, -1, '', 'x', true, [], {}, ['x'], [{}], [null]),
      );
      fc.assert(
        fc.property(change, ([path, value]) => {
          const other = broken(one, path, value);
          if (isReadableIncident(other)) workWith(other as Incident);
        }),
        { numRuns: 400 },
      );
    },
  );
});

it.each([null, 'incident', [], {}, { ...incident(), phase: 'paused' }, { form: 2 }])(
  'does not understand %j',
  (value) => {
    expect(isReadableIncident(value)).toBe(false);
  },
);

it('does not understand what only a newer version knows to be in the way', () => {
  expect(isReadableIncident({ ...incident(), obstacle: { kind: 'on-fire' } })).toBe(false);
  expect(isReadableIncident({ ...incident(), obstacle: { kind: 'abandoned', number: 3 } })).toBe(true);
});
