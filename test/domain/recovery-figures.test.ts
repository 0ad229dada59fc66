/** Figures of an incident: what each step took, who had it when, what was done; and how they read in `kubectl get rollbacks`. */
import { expect, test } from 'vitest';
import { reachOf, stepsOf, tallied } from '../../src/domain/recovery-figures.ts';
import { summarizeIncident } from '../../src/domain/summaries.ts';
import { incident } from '../web/incidents.ts';
import { noon } from '../web/world.ts';

const minute = 60_000;
const [set] = incident().sets;
const over = incident({
  phase: 'recovered',
  sets:
    set === undefined
      ? []
      : [{ ...set, since: noon - 2 * minute, havingAtNotice: 2, havingAtMerge: 5, havingAtMost: 6 }],
  timeline: [
    { at: noon, what: 'noticed', detail: '' },
    { at: noon + 20_000, what: 'proposed', detail: '' },
    { at: noon + 5 * minute, what: 'merged', detail: '' },
    { at: noon + 12 * minute, what: 'recovered', detail: '' },
  ],
});

test('each step is timed from the one before it', () => {
  expect(stepsOf(over)).toEqual({
    notice: 2 * minute,
    revert: 20_000,
    merge: 5 * minute - 20_000,
    recovery: 7 * minute,
  });
  expect(stepsOf({ ...over, timeline: over.timeline.slice(0, 2) })).toMatchObject({
    merge: null,
    recovery: null,
  });
});

test('an incident that was stored before there were figures has none', () => {
  expect(reachOf(incident())).toEqual({ notice: null, merge: null, worst: 3 });
});

test('kubectl tells how far it is back, and at the end what it took', () => {
  expect(summarizeIncident(incident()).recovery).toBe('');
  expect(summarizeIncident({ ...over, phase: 'merged' }).recovery).toMatchInlineSnapshot(`"6 of 6 are back"`);
  expect(summarizeIncident(over).recovery).toMatchInlineSnapshot(
    `"14m: notice 2m, revert 20s, merge 5m, recovery 7m; had it 2, 5, at most 6"`,
  );
});

test('aids are counted by what they were and what came of them', () => {
  const attempt = { aid: 'sync', at: noon, outcome: 'done', detail: '' } as const;
  const twice = tallied(tallied([], attempt), { ...attempt, at: noon + minute });
  expect(tallied(twice, { ...attempt, outcome: 'refused' })).toEqual([
    { aid: 'sync', outcome: 'done', times: 2 },
    { aid: 'sync', outcome: 'refused', times: 1 },
  ]);
});
