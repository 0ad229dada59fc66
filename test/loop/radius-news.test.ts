/** What a look makes worth saying on open pull requests. */
import { expect, it } from 'vitest';
import type { Incident } from '../../src/domain/incident.ts';
import type { StageApplication } from '../../src/domain/rollout.ts';
import { calm, newsOf } from '../../src/loop/radius-news.ts';
import type { TickResult } from '../../src/loop/tick.ts';
import { incident, standing, suspect } from '../render/sample-incident.ts';

const key = 'argocd/payments';

function looked(verdict: 'ok' | 'failed', about: Incident | null): TickResult {
  const applications: StageApplication[] = [];
  const rollout = {
    applicationSet: { key, name: 'payments', steps: [{ maxUpdate: 1 }] },
    verdict,
    stages: [{ applications }],
    unselected: [],
    orphans: [],
  };
  return { answer: { rollout, failure: null }, incident: about } as unknown as TickResult;
}

it('is calm where nothing ever failed', () => {
  expect(newsOf(key, looked('ok', null), []).trouble).toBe(calm);
});

it('says something else once one of several is well again, though the incident goes on', () => {
  const failing = incident();
  const well = { ...failing, sets: [standing({ isFailing: false, isHealed: true })] };
  const before = newsOf(key, looked('failed', failing), [failing]);
  const after = newsOf(key, looked('ok', failing), [failing]);
  expect(newsOf(key, looked('ok', well), [well])).not.toEqual(after);
  expect(before.trouble).not.toBe(calm);
});

it('says something else once it takes back another commit', () => {
  const failing = incident();
  const more = { ...failing, suspects: [...failing.suspects, suspect({ sha: 'e'.repeat(40) })] };
  const before = newsOf(key, looked('failed', failing), [failing]);
  expect(newsOf(key, looked('failed', more), [more])).not.toEqual(before);
});
