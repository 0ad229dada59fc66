import { describe, expect, it } from 'vitest';
import type { Incident } from '../../src/domain/incident.ts';
import { type WhyNotInput, whyNot } from '../../src/domain/why-not.ts';
import { incident } from '../render/sample-incident.ts';
import { A, B, tell } from './world.ts';

const onB = { target: B, history: [[A, 0] as const, [B, 10] as const] };
const answers = tell([
  { at: 0 },
  { at: 10, push: B, apps: { dev: { ...onB, health: 'Progressing', healthSince: 10 } } },
  {
    at: 12,
    apps: { dev: { ...onB, health: 'Degraded', healthSince: 12 } },
    entries: { dev: ['Progressing', B] },
  },
  { at: 30 },
]);

/** What is asked at one of the moments: 0 well, 2 within the grace time, 3 failed. */
function at(index: number, change: Partial<WhyNotInput> = {}): ReturnType<typeof whyNot> {
  const answer = answers[index];
  if (answer === undefined) throw new Error('There is no such moment.');
  const { rollout, failure } = answer;
  return whyNot({ rollout, failure, culprit: null, incident: null, isObserved: false, ...change });
}

function noticed(change: Partial<Incident>): Incident {
  return { ...incident(), phase: 'noticed', pullRequest: null, obstacle: null, ...change };
}

describe('why there is no revert', () => {
  it('is nothing to explain while all is well, or a rollout is on its way', () => {
    expect(at(0)).toBeNull();
    expect(at(1)).toBeNull();
  });

  it('is that it may still become well within the grace time', () => {
    expect(at(2)?.code).toBe('still-moving');
  });

  it('is why nobody can be named', () => {
    const culprit = { kind: 'none', reason: 'no-baseline', detail: 'x' } as const;
    expect(at(3, { culprit })).toEqual({ kind: 'reason', code: 'no-baseline', detail: 'x' });
  });

  it('is what is in the way', () => {
    const obstacle = { kind: 'stopped', issue: 7, by: 'dana' } as const;
    expect(at(3, { incident: noticed({ obstacle }) })).toEqual({
      kind: 'obstacle',
      code: 'stopped',
      obstacle,
    });
    // Also after it went out of sight.
    expect(at(0, { incident: noticed({ obstacle }) })?.code).toBe('stopped');
  });

  it('is that Stepback only watches, or that a person dismissed it', () => {
    expect(at(3, { incident: noticed({}), isObserved: true })?.code).toBe('only-watches');
    expect(at(3, { incident: noticed({ phase: 'dismissed' }) })?.code).toBe('dismissed');
  });

  it('is nothing where there is a revert, or one is about to be opened', () => {
    expect(at(3, { incident: incident() })).toBeNull();
    expect(at(3, { incident: noticed({}) })).toBeNull();
    expect(at(0, { incident: noticed({ phase: 'dismissed' }) })).toBeNull();
  });
});
