import { describe, expect, it } from 'vitest';
import { configurationOf, exceptionsOf, settingsFor } from '../../src/config/resolve.ts';
import { type Exceptions, noExceptions } from '../../src/domain/left-out.ts';
import { noOrders, type Orders } from '../../src/domain/orders.ts';
import type { Answer } from '../../src/domain/watcher.ts';
import { A, B, beginning, type Moment, tell, verdictOf } from './world.ts';

const deployment = (kind = 'Deployment', group = 'apps') => ({
  group,
  kind,
  name: 'shop',
  namespace: 'shop',
  status: 'Synced',
  health: { status: 'Degraded', message: 'exit code 1' },
});
const onB = { target: B, history: [[A, 0] as const, [B, 10] as const] };
const failing = { ...onB, health: 'Degraded', healthSince: 12, resources: [deployment()] };

/** dev runs B and is Degraded from second 12 on, for longer than the grace time. */
const moments: readonly Moment[] = [
  { at: 0 },
  { at: 10, push: B, apps: { dev: { ...onB, health: 'Progressing', healthSince: 10 } } },
  { at: 12, apps: { dev: failing }, entries: { dev: ['Progressing', B], staging: ['Waiting', B] } },
  { at: 30 },
];

function told(exceptions: Partial<Exceptions>, orders: Partial<Orders> = {}): readonly Answer[] {
  return tell(
    moments,
    {},
    { exceptions: { ...noExceptions, ...exceptions }, orders: { ...noOrders, ...orders } },
  );
}

function snoozed(kind: 'application' | 'stage', name: string, untilSeconds: number): Partial<Orders> {
  const until = beginning + untilSeconds * 1000;
  return { snoozes: [{ kind, name, until, by: 'dana', at: beginning }] };
}

describe('an Application that fails', () => {
  it('counts when nobody said otherwise', () => {
    expect(verdictOf(told({}))).toEqual(['failed', 'degraded']);
  });

  it('counts for nothing when the configuration ignores it, and is told of all the same', () => {
    const answers = told({ ignoresApplication: (key) => key === 'argocd/shop-dev' });
    expect(verdictOf(answers)).toEqual(['ok', 'degraded', 'ignored-application']);
    expect(answers.at(-1)?.failure).toBeNull();
  });

  it('counts for nothing when only kinds that are ignored are Degraded', () => {
    const answers = told({ ignoresKind: (group, kind) => `${group}/${kind}` === 'apps/Deployment' });
    expect(verdictOf(answers)).toEqual(['ok', 'degraded', 'ignored-kind']);
    expect(answers.at(-1)?.rollout.reasons.at(-1)?.value).toBe('Deployment shop');
  });

  it('counts when another kind is Degraded as well, or nobody says which', () => {
    const ignored = { ...noExceptions, ignoresKind: (_: string, kind: string) => kind === 'Deployment' };
    const with_ = (resources: readonly Record<string, unknown>[]): string =>
      verdictOf(
        tell([...moments, { at: 31, apps: { dev: { ...failing, resources } } }], {}, { exceptions: ignored }),
      )[0];
    expect(with_([deployment(), deployment('Job', 'batch')])).toBe('failed');
    expect(with_([])).toBe('failed');
    expect(with_([deployment()])).toBe('ok');
  });

  it.each([
    ['application', 'shop-dev'],
    ['application', 'argocd/shop-dev'],
    ['stage', '1'],
    ['stage', 'dev'],
  ] as const)('counts for nothing while its %s %s is snoozed', (kind, name) => {
    const answers = told({}, snoozed(kind, name, 60));
    expect(verdictOf(answers)).toEqual(['ok', 'degraded', 'snoozed']);
    expect(answers.at(-1)?.rollout.lookAgainAt).toBe(beginning + 60_000);
  });

  it('counts again at the moment at which the snooze ends', () => {
    expect(verdictOf(told({}, snoozed('stage', '1', 30)))).toEqual(['failed', 'degraded']);
    expect(verdictOf(told({}, snoozed('stage', '2', 60)))).toEqual(['failed', 'degraded']);
  });

  it('counts only when as many of its stage fail as are needed', () => {
    const needed: (readonly [number, string])[] = [];
    const answers = told({
      failuresNeeded: ({ number, name, applications }) => {
        needed.push([number, `${name} of ${applications}`]);
        return number === 1 ? 2 : 1;
      },
    });
    expect(verdictOf(answers)).toEqual(['in-progress', 'degraded', 'below-threshold']);
    expect(new Set(needed.map(String))).toEqual(new Set(['1,dev of 1', '2,staging of 1', '3,prod of 1']));
  });
});

it('obeys what is configured', () => {
  const settings = settingsFor(
    configurationOf([
      {
        source: 'a test',
        settings: { ignoredApplications: ['*-canary'], ignoredKinds: ['batch/Job'] },
        applicationSets: [],
      },
    ]),
    { key: 'argocd/shop', annotations: {} },
  ).settings;
  const exceptions = exceptionsOf(settings);
  expect(exceptions.ignoresApplication('argocd/shop-canary')).toBe(true);
  expect(exceptions.ignoresApplication('argocd/shop-dev')).toBe(false);
  expect(exceptions.ignoresKind('batch', 'Job')).toBe(true);
  expect(exceptions.ignoresKind('apps', 'Deployment')).toBe(false);
  expect(exceptions.failuresNeeded({ number: 1, name: 'dev', applications: 3 })).toBe(1);
});
