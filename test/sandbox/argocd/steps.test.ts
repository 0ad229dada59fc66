import { describe, expect, it } from 'vitest';
import type {
  ApplicationStatusEntry,
  MatchExpression,
  RolloutStep,
} from '../../../src/sandbox/argocd/objects.ts';
import { rolloutConfigIssue } from '../../../src/sandbox/argocd/rollout-config.ts';
import {
  assignSteps,
  type Labelled,
  maxUpdateOf,
  openForSync,
  stepLabel,
} from '../../../src/sandbox/argocd/steps.ts';

const applications: Labelled[] = [
  { metadata: { name: 'shop-dev-1', labels: { env: 'dev' } } },
  { metadata: { name: 'shop-prod-1', labels: { env: 'prod', tier: 'gold' } } },
  { metadata: { name: 'shop-spare', labels: {} } },
];

function step(...matchExpressions: MatchExpression[]): RolloutStep {
  return { matchExpressions };
}

const env = (operator: string, ...values: string[]): MatchExpression => ({ key: 'env', operator, values });

function members(...steps: RolloutStep[]): string[][] {
  return assignSteps(steps, applications).members;
}

function issue(...steps: RolloutStep[]): string | undefined {
  const assignment = assignSteps(steps, applications);
  const entries = applications.map(
    ({ metadata }) => ({ application: metadata.name }) as ApplicationStatusEntry,
  );
  return rolloutConfigIssue(steps, applications, assignment, entries);
}

describe('steps', () => {
  it('In passes over whoever lacks the label, NotIn takes them', () => {
    expect(members(step(env('In', 'dev')), step(env('NotIn', 'dev')))).toEqual([
      ['shop-dev-1'],
      ['shop-prod-1', 'shop-spare'],
    ]);
  });

  it('an unknown operator takes exactly those without the label', () => {
    expect(members(step(env('Exists')))).toEqual([['shop-spare']]);
  });

  it('all expressions must hold, and none at all takes everybody', () => {
    const gold = { key: 'tier', operator: 'In', values: ['gold'] };
    expect(members(step(env('In', 'dev', 'prod'), gold), step())).toEqual([
      ['shop-prod-1'],
      ['shop-dev-1', 'shop-prod-1', 'shop-spare'],
    ]);
  });

  it('who is in two steps counts for the first, who is in none is shown as -1', () => {
    const assignment = assignSteps([step(env('In', 'dev')), step(env('In', 'dev', 'prod'))], applications);
    const labels = applications.map(({ metadata }) => stepLabel(assignment, metadata.name));
    expect(labels).toEqual(['1', '2', '-1']);
  });

  it('opens the steps up to the first that is not all Healthy; an empty step is complete', () => {
    const assignment = assignSteps(
      [step(env('In', 'none')), step(env('In', 'dev')), step(env('In', 'prod'))],
      applications,
    );
    const entries = (status: ApplicationStatusEntry['status']) => [
      { application: 'shop-dev-1', status } as ApplicationStatusEntry,
    ];
    const existing = new Set(['shop-dev-1', 'shop-prod-1']);
    expect([...openForSync(assignment, entries('Pending'), existing)]).toEqual(['shop-dev-1']);
    expect([...openForSync(assignment, entries('Healthy'), existing)]).toEqual(['shop-dev-1', 'shop-prod-1']);
  });

  it.each([
    [undefined, 3, Number.POSITIVE_INFINITY],
    [2, 3, 2],
    [0, 3, 0],
    ['100%', 3, 3],
    ['50%', 3, 1],
    ['10%', 3, 1],
    ['0%', 3, 0],
    ['5', 10, 1],
  ])('maxUpdate %s of %i is %d', (maxUpdate, total, limit) => {
    expect(maxUpdateOf({ maxUpdate }, total).limit).toBe(limit);
  });
});

describe('InvalidRolloutConfig of 3.6', () => {
  it('says one thing at a time, the gravest first', () => {
    const wrong = [
      issue(step(env('Exists')), step(env('NotIn', 'dev'))),
      issue(step(env('NotIn', 'x')), step(env('In', 'dev')), step(env('NotIn', 'dev'))),
      issue({ ...step(), maxUpdate: '5' }),
      issue(step(env('In', 'dev', 'prod')), step(env('In', 'qa'))),
      issue(step(env('In', 'dev')), step(env('In', 'prod'))),
    ];
    expect(wrong).toMatchInlineSnapshot(`
      [
        "Step 1 has invalid matchExpression operators: Exists. Supported Operators are 'In' and 'NotIn'",
        "Applications 'shop-dev-1', 'shop-prod-1', 'shop-spare' are selected by multiple steps: [(1-2), (1-3), (1-3)]",
        "Step 1 has an invalid maxUpdate value: 5",
        "Steps [2] have no applications matching their criteria",
        undefined,
      ]
    `);
  });
});
