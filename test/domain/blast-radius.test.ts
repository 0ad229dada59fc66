import { describe, expect, it } from 'vitest';
import {
  type BlastRadius,
  conclusionOf,
  couldLandAgain,
  rememberedMs,
  saysItLandsAgain,
  stageOf,
  troublesOf,
} from '../../src/domain/blast-radius.ts';
import { type Layout, layoutOf, reachedStages, reachOf } from '../../src/domain/layout.ts';
import { bad, incident, inPhase, stage, standing } from '../render/sample-incident.ts';
import { applicationOf, applicationSetOf, type Entries, rawApplication, rawApplicationSet } from './world.ts';

type Change = Parameters<typeof rawApplicationSet>[1];

function layout(change: Change = {}, entries: Entries = {}): Layout {
  const applications = ['dev', 'staging', 'prod'].map((name) => applicationOf(rawApplication(name)));
  return layoutOf(applicationSetOf(rawApplicationSet(entries, change)), applications);
}

const everything = new Set(['argocd/shop-dev', 'argocd/shop-staging', 'argocd/shop-prod']);
const step = (env: string, maxUpdate?: number) => ({
  matchExpressions: [{ key: 'env', operator: 'In', values: [env] }],
  ...(maxUpdate === undefined ? {} : { maxUpdate }),
});
const rolling = (...steps: object[]): Change => ({
  strategy: { type: 'RollingSync', rollingSync: { steps } },
});

describe('how far a change reaches', () => {
  it('goes through the stages in their order, on the clusters of each', () => {
    const reach = reachOf(layout(), everything, 'on');
    expect(reach).toMatchObject({ order: 'stages', applications: 3, clusters: 3, total: 3, unselected: [] });
    expect(reach.stages.map(({ name, applications, clusters }) => [name, applications, clusters])).toEqual([
      ['dev', ['shop-dev'], ['dev']],
      ['staging', ['shop-staging'], ['staging']],
      ['prod', ['shop-prod'], ['prod']],
    ]);
  });

  it('counts only the Applications that it feeds', () => {
    const reach = reachOf(layout(), new Set(['argocd/shop-prod']), 'on');
    expect(reachedStages(reach).map((one) => one.name)).toEqual(['prod']);
    expect(reach).toMatchObject({ applications: 1, clusters: 1, total: 3 });
  });

  it('stops at a gate, and leaves out what is in no stage', () => {
    const gated = layout(rolling(step('dev'), step('staging', 0)), { prod: ['Waiting', undefined, '-1'] });
    const reach = reachOf(gated, everything, 'on');
    expect(reach.stages.map((one) => one.maxUpdate)).toEqual([1, 0]);
    expect(reach.unselected).toEqual(['shop-prod']);
  });

  it.each([
    [{}, 'off', 'flag-off'],
    [{}, 'unknown', 'stages'],
    [{ strategy: {} }, 'on', 'at-once'],
    [{ strategy: { type: 'RollingSync' } }, 'on', 'at-once'],
    [{ strategy: { type: 'AllAtOnce' } }, 'off', 'at-once'],
    [rolling(), 'on', 'empty-steps'],
    [{ syncPolicy: { applicationsSync: 'create-only' } }, 'on', 'create-only'],
  ] as const)('%j with the feature %s: %s', (change, flag, order) => {
    expect(reachOf(layout(change), everything, flag).order).toBe(order);
  });

  it('reaches all at once where there are no stages', () => {
    const reach = reachOf(layout({ strategy: {} }), everything, 'on');
    expect(reach.stages).toHaveLength(1);
    expect(reach.stages[0]?.applications).toHaveLength(3);
  });
});

describe('a rollout that fails now', () => {
  const payments: Layout = { ...layout(), key: 'argocd/payments', name: 'payments' };
  const none = new Map();

  it('is one of an open incident, with its revert', () => {
    expect(troublesOf([payments], [incident()], none)).toMatchObject([
      {
        key: 'argocd/payments',
        stage: { number: 2, name: 'staging' },
        revert: { number: 415, isMerged: false },
      },
    ]);
    expect(troublesOf([payments], [inPhase('merged')], none)).toMatchObject([{ revert: { isMerged: true } }]);
  });

  it('is one that the last look saw, before there is an incident', () => {
    const failing = new Map([['argocd/payments', 'sync' as const]]);
    expect(troublesOf([payments], [], failing)).toMatchObject([
      { failureKind: 'sync', stage: null, revert: null },
    ]);
  });

  it.each(['recovered', 'healed', 'dismissed'] as const)('is over when the incident is %s', (phase) => {
    expect(troublesOf([payments], [inPhase(phase)], none)).toEqual([]);
  });

  it('is not one of another ApplicationSet', () => {
    expect(troublesOf([layout()], [incident()], none)).toEqual([]);
  });

  it('is called by its stage also when every Application is well again, by what the evidence is about', () => {
    const well = standing({
      stages: [stage(1, 'dev'), stage(2, 'staging'), stage(3, 'prod')],
      evidence: [{ ...incident().sets[0]!.evidence[0]!, application: 'shop-prod' }],
    });
    expect(stageOf(well, layout())).toEqual({ number: 3, name: 'prod' });
    expect(stageOf(well, null)).toBeNull();
  });
});

describe('what could be landed again', () => {
  const one = inPhase('recovered');
  const place = { host: one.host, repository: one.repository.toUpperCase(), branch: one.branch };
  const fed = new Set(['argocd/payments']);

  it('is the change of an incident of this branch that fed the same', () => {
    expect(couldLandAgain([one], place, fed, one.openedAt)).toEqual([one]);
    expect(couldLandAgain([one], { ...place, branch: 'release' }, fed, one.openedAt)).toEqual([]);
    expect(couldLandAgain([one], { ...place, host: 'ghe.acme.example' }, fed, one.openedAt)).toEqual([]);
    expect(couldLandAgain([one], place, new Set(['argocd/orders']), one.openedAt)).toEqual([]);
  });

  it('is forgotten after a month, and when a person called it a false alarm', () => {
    expect(couldLandAgain([one], place, fed, one.openedAt + rememberedMs + 1)).toEqual([]);
    expect(couldLandAgain([inPhase('dismissed')], place, fed, one.openedAt)).toEqual([]);
  });

  it.each([
    ['Reverts acme/payments#415', true],
    ['reverts #415', true],
    ['Reverts acme/payments#41', false],
    ['Reverts acme/payments#4150', false],
    ['Reverts other/repo#415', false],
    [`(cherry picked from commit ${bad})`, true],
    [`This reverts commit ${one.pullRequest?.headSha}.`, true],
    [`This reverts commit ${bad}.`, false],
    ['payments: new ledger endpoint', false],
  ])('is said by "%s": %s', (text, expected) => {
    expect(saysItLandsAgain(['', text], one)).toBe(expected);
  });
});

describe('the conclusion', () => {
  const nothing: BlastRadius = {
    branch: 'main',
    reaches: [],
    generated: [],
    edited: [],
    troubles: [],
    landings: [],
    takesBack: null,
    doubts: [],
  };
  const reaches = [reachOf(layout(), everything, 'on')];
  const [trouble] = troublesOf([{ ...layout(), key: 'argocd/payments' }], [incident()], new Map());

  it('is neutral where there is nothing to say, or something that a person should read first', () => {
    expect(conclusionOf(nothing)).toBe('neutral');
    expect(conclusionOf({ ...nothing, reaches, troubles: [trouble!] })).toBe('neutral');
    expect(conclusionOf({ ...nothing, reaches, doubts: [{ kind: 'no-comparison' }] })).toBe('neutral');
  });

  it('is success for what would go through its stages, and for our own revert in the middle of a failure', () => {
    const takesBack = { incident: 'i', suspects: [] };
    expect(conclusionOf({ ...nothing, reaches })).toBe('success');
    expect(conclusionOf({ ...nothing, reaches, troubles: [trouble!], takesBack })).toBe('success');
  });
});
