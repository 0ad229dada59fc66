import { describe, expect, it } from 'vitest';
import { decide, type RevertView } from '../../src/domain/decision.ts';
import type { Incident } from '../../src/domain/incident.ts';
import { inPhase, minute, noticed, standing } from '../render/sample-incident.ts';

const now = noticed + 10 * minute;
const open: RevertView = { state: 'open', isMerged: false, mergedAt: null, headSha: 'a'.repeat(40) };
const closed: RevertView = { ...open, state: 'closed' };
const merged: RevertView = { ...closed, isMerged: true, mergedAt: now - minute };

/** Its revert was closed by us, and it fails again while something keeps us from opening that again. */
function keptClosed(): Incident {
  const one = inPhase('proposed');
  if (one.pullRequest === null) throw new Error('There is no pull request to close.');
  return {
    ...one,
    phase: 'noticed',
    obstacle: { kind: 'human-revert-open', number: 7, author: 'sam' },
    pullRequest: { ...one.pullRequest, closedAt: noticed },
    sets: [standing({ isFailing: true })],
  };
}

describe('a revert that stays closed although it fails again', () => {
  it('is tried at each look', () => {
    expect(decide({ incident: keptClosed(), revert: closed, now })).toMatchObject({
      incident: { phase: 'noticed' },
      decision: { kind: 'have-revert' },
    });
  });

  it('is open when a person opens it: it is theirs to decide, and nothing is in the way any more', () => {
    expect(decide({ incident: keptClosed(), revert: open, now })).toMatchObject({
      incident: { phase: 'proposed', obstacle: null, pullRequest: { closedAt: null } },
      decision: { kind: 'have-revert' },
    });
  });

  it('is followed when a person opened and merged it between two looks', () => {
    expect(decide({ incident: keptClosed(), revert: merged, now })).toMatchObject({
      incident: { phase: 'merged' },
      decision: { kind: 'keep-texts' },
    });
  });
});

describe('a revert that was closed when the matter healed, and a crash before that was kept', () => {
  const healed: Incident = { ...inPhase('proposed'), phase: 'healed', sets: [standing({ isHealed: true })] };

  it('was closed by us, so that it is opened again when it fails again', () => {
    const { incident } = decide({ incident: healed, revert: closed, now });
    expect(incident).toMatchObject({ phase: 'healed', pullRequest: { closedAt: now } });
    const failing = { ...incident, sets: [standing({ isFailing: true })] };
    const again = decide({ incident: failing, revert: closed, now });
    expect(again).toMatchObject({ incident: { phase: 'proposed' }, decision: { kind: 'have-revert' } });
    expect(decide({ incident: again.incident, revert: closed, now })).toMatchObject({
      incident: { phase: 'proposed' },
      decision: { kind: 'have-revert' },
    });
  });
});

it('a wish ends when what it was for has healed', () => {
  const wanted = { by: 'dana', at: noticed };
  const healed = { ...inPhase('proposed'), wanted, sets: [standing({ isHealed: true })] };
  expect(decide({ incident: healed, revert: open, now }).incident).toMatchObject({
    phase: 'healed',
    wanted: null,
  });
});
