/** One commit that breaks everything still fits into one object. */
import { expect, it } from 'vitest';
import { bytesOf, fitIncident, incidentBytesMax } from '../../src/domain/fit-incident.ts';
import type { Incident } from '../../src/domain/incident.ts';
import { incident, reason, stage, standing } from '../render/sample-incident.ts';

const names = Array.from({ length: 12 }, (_, index) => `checkout-production-cluster-${index + 1}`);

function large(sets: number, message: string): Incident {
  return incident({
    sets: Array.from({ length: sets }, (_, index) =>
      standing({
        key: `argocd/shop-${index}`,
        name: `shop-${index}`,
        stages: [stage(1, 'dev', { applications: names.length, having: names, failing: names })],
        evidence: names.map((application) => reason({ application, message })),
        left: names.map((application) => ({ application, reasons: [reason({ application, message })] })),
      }),
    ),
  });
}

const sizeOf = (one: Incident): number => bytesOf(JSON.stringify(one));

it('stays as it is when it is small', () => {
  const one = large(10, 'rpc error');
  expect(fitIncident(one, sizeOf(one))).toBe(one);
});

it.each([
  ['many ApplicationSets that cannot be rendered', 150, 'rpc error: '.repeat(100)],
  ['many that say it in other letters', 150, '失敗'.repeat(300)],
])('%s fit, with everybody who is concerned', (_, sets, message) => {
  const one = large(sets, message);
  expect(sizeOf(one)).toBeGreaterThan(3_000_000);
  const fitted = fitIncident(one, sizeOf(one));
  expect(sizeOf(fitted)).toBeLessThanOrEqual(incidentBytesMax);
  expect(fitted.sets).toHaveLength(sets);
  expect(fitted.sets.flatMap((set) => set.left).length).toBe(sets * names.length);
  expect(fitted.sets.flatMap((set) => set.stages[0]?.having ?? []).length).toBe(sets * names.length);
  expect(fitted.sets.slice(0, 10), 'what people read in full').toEqual(one.sets.slice(0, 10));
  expect(fitIncident(fitted, sizeOf(fitted))).toBe(fitted);
});

it('cuts what people read in full as well when it must', () => {
  const one = large(300, '失敗'.repeat(300));
  const fitted = fitIncident(one, sizeOf(one));
  expect(sizeOf(fitted)).toBeLessThanOrEqual(incidentBytesMax);
  expect(fitted.sets.flatMap((set) => set.left).length).toBe(300 * names.length);
});
