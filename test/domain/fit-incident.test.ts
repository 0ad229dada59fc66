/** One commit that breaks everything still fits into one object. */
import { expect, it } from 'vitest';
import { bytesOf, fitIncident, incidentBytesMax } from '../../src/domain/fit-incident.ts';
import type { Incident } from '../../src/domain/incident.ts';
import { countNotBack } from '../../src/domain/not-back.ts';
import { began, incident, reason, stage, standing } from '../render/sample-incident.ts';

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

const attempt = { aid: 'refresh', at: began, outcome: 'done', detail: '' } as const;

/** Merged, and nobody is back: what is in the way of each is known, and helped with once. */
function followed(sets: number, perSet: number): Incident {
  const told = Array.from({ length: sets }, (_, index) => {
    const all = Array.from(
      { length: perSet },
      (_, each) => `checkout-production-cluster-${index}-${each + 1}`,
    );
    return standing({
      key: `argocd/shop-${index}`,
      name: `shop-${index}`,
      having: perSet,
      havingAtMost: perSet,
      stages: [stage(1, 'dev', { applications: perSet, having: all, failing: all })],
      evidence: all.slice(0, 20).map((application) => reason({ application })),
      left: all.slice(0, 100).map((application) => ({
        application,
        reasons: [reason({ application })],
        wayBack: {
          key: `argocd/${application}`,
          hindrance: 'not-noticed',
          remedy: 'refresh',
          by: [],
          since: began,
          operationStartedAt: began,
          attempts: [attempt],
        },
      })),
    });
  });
  return incident({ phase: 'merged', sets: told });
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

it.each([
  [300, 12],
  [100, 36],
  [100, 50],
  [300, 100],
  [1_000, 40],
])('%i ApplicationSets of %i Applications fit while they are followed after the merge', (sets, perSet) => {
  const one = followed(sets, perSet);
  expect(sizeOf(one)).toBeGreaterThan(incidentBytesMax);
  const fitted = fitIncident(one, sizeOf(one));
  expect(sizeOf(fitted)).toBeLessThanOrEqual(incidentBytesMax);
  expect(countNotBack(fitted.sets), 'who is not back is counted').toBe(sets * perSet);
  expect(fitted.sets.every((set) => !set.isRecovered && set.having === perSet)).toBe(true);
  const [first] = one.sets;
  for (const [index, set] of fitted.sets.entries()) {
    expect(set.key).toBe(one.sets[index]?.key);
    expect(set.stages[0]?.having).toHaveLength(perSet);
    expect(set.stages[0]?.failing).toHaveLength(perSet);
  }
  expect(fitted.sets[0]?.stages[0]?.having.slice(0, 5)).toEqual(first?.stages[0]?.having.slice(0, 5));
  expect(fitted.sets[0]?.left.slice(0, 5).map(({ wayBack }) => wayBack)).toEqual(
    first?.left.slice(0, 5).map(({ wayBack }) => wayBack),
  );
  expect(fitIncident(fitted, sizeOf(fitted))).toBe(fitted);
});

it('keeps what is in the way of those that can be helped before what only people can change', () => {
  const one = followed(300, 12);
  const sets = one.sets.map((set) => ({
    ...set,
    left: set.left.map(({ wayBack, ...left }, index) =>
      wayBack === undefined || index % 2 === 0
        ? { ...left, wayBack }
        : { ...left, wayBack: { ...wayBack, remedy: 'person' as const } },
    ),
  }));
  const mixed = { ...one, sets };
  const kept = fitIncident(mixed, sizeOf(mixed))
    .sets.slice(10)
    .flatMap((set) => set.left.flatMap(({ wayBack }) => wayBack ?? []));
  expect(kept.length).toBe(290 * 6);
  expect(kept.every(({ remedy, attempts }) => remedy === 'refresh' && attempts.length === 1)).toBe(true);
});
