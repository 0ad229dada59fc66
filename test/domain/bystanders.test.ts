/** Those that did not fail and have the change all the same. */
import { expect, it } from 'vitest';
import { bystandersLeft, isAwaited, withBystander } from '../../src/domain/bystanders.ts';
import { decide } from '../../src/domain/decision.ts';
import type { Incident } from '../../src/domain/incident.ts';
import { inPhase, standing } from '../render/sample-incident.ts';

const key = 'argocd/orders';

function merged(left: readonly string[] | null): Incident {
  const sets = [standing({ isRecovered: true, isFailing: false, left: [] })];
  return { ...inPhase('merged'), sets, bystanders: [{ key, name: 'orders', left }] };
}

it('keeps an incident from being called recovered until it was looked at and is back', () => {
  const phaseOf = (incident: Incident): string => decide({ incident, revert: null, now: 1 }).incident.phase;
  expect(phaseOf(merged(null))).toBe('merged');
  expect(phaseOf(merged(['orders-dev']))).toBe('merged');
  expect(phaseOf(withBystander(merged(['orders-dev']), key, [], 2))).toBe('recovered');
});

it('is looked at whatever the radar shows, while it is waited for', () => {
  expect(isAwaited(merged(null), key)).toBe(true);
  expect(isAwaited(merged([]), key)).toBe(false);
  expect(isAwaited({ ...merged(null), phase: 'recovered' }, key)).toBe(false);
});

it('is waited for no more where it became one of those that fail', () => {
  const incident = merged(['orders-dev']);
  const sets = [...incident.sets, standing({ key })];
  expect(bystandersLeft({ ...incident, sets })).toEqual([]);
});

it('changes the incident only when it stands otherwise', () => {
  const incident = merged(['orders-dev']);
  expect(withBystander(incident, key, ['orders-dev'], 5)).toBe(incident);
  expect(withBystander(incident, key, [], 5).changedAt).toBe(5);
});
