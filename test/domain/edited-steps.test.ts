/** People edit the steps; some versions of the controller write an Application's step again only when its status changes. */
import { expect, test } from 'vitest';
import type { Rollout } from '../../src/domain/rollout.ts';
import { A, B, tell } from './world.ts';

const steps = (...environments: string[][]) => ({
  strategy: {
    type: 'RollingSync',
    rollingSync: {
      steps: environments.map((values) => ({ matchExpressions: [{ key: 'env', operator: 'In', values }] })),
    },
  },
});

function on(at: number, health = 'Healthy', healthSince = at) {
  const history: [string, number][] = [
    [A, 0],
    [B, at],
  ];
  return { target: B, health, healthSince, history };
}

const shown = ({ stages }: Rollout): string[] =>
  stages.map(
    ({ name, applications }) => `${name}: ${applications.map(({ application }) => application.name).join()}`,
  );

test('two steps are put together while all is Healthy: prod stays in sight and its failure is seen', () => {
  const answers = tell([
    { at: 0 },
    { at: 4, push: B },
    {
      at: 10,
      apps: { dev: on(5), staging: on(6), prod: on(7) },
      entries: { dev: ['Healthy', B, '1'], staging: ['Healthy', B, '2'], prod: ['Healthy', B, '3'] },
    },
    { at: 12, spec: steps(['dev', 'staging'], ['prod']) },
    { at: 20, apps: { prod: on(7, 'Degraded', 20) } },
    { at: 60 },
  ]);
  const last = answers.at(-1);
  // Staging has a number that there still is: it moves when the controller writes it again.
  expect(last && shown(last.rollout)).toEqual(['dev and staging: shop-dev', 'prod: shop-staging,shop-prod']);
  expect(last?.failure?.bad).toEqual([B]);
});
