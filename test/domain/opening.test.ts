import { expect, it } from 'vitest';
import type { Incident } from '../../src/domain/incident.ts';
import { revertBranchName } from '../../src/domain/incident-names.ts';
import { type AutoMergeResult, mayAutoMerge } from '../../src/domain/opening.ts';
import { incident } from '../render/sample-incident.ts';

const now = Date.UTC(2026, 11, 1, 12);
const hour = 3_600_000;

function merged(
  id: string,
  hoursAgo: number,
  outcome: AutoMergeResult,
  change: Partial<Incident> = {},
): Incident {
  return incident({
    id,
    pullRequest: {
      number: 1,
      url: '',
      branch: '',
      headSha: '',
      baseSha: '',
      isVerified: true,
      suspects: [],
      closedAt: null,
      autoMerge: { headSha: '', at: now - hoursAgo * hour, outcome, message: '' },
    },
    ...change,
  });
}

it.each([
  ['none before', [], 1, true],
  ['none allowed', [], 0, false],
  ['one lately', [merged('a', 23, 'enabled')], 1, false],
  ['one the day before', [merged('a', 25, 'enabled')], 1, true],
  ['one that was refused', [merged('a', 1, 'not-allowed')], 1, true],
  ['one of another repository', [merged('a', 1, 'enabled', { repository: 'acme/other' })], 1, true],
  [
    'one of the same in other letters',
    [merged('a', 1, 'enabled', { repository: 'ACME/Payments' })],
    1,
    false,
  ],
  ['itself', [merged('argocd-d2bf318c0e1a', 1, 'enabled')], 1, true],
  ['two of three', [merged('a', 1, 'enabled'), merged('b', 2, 'enabled')], 3, true],
] as const)('%s: another may be merged by itself or not', (_, others, max, may) => {
  const one = incident();
  expect(one.id).toBe('argocd-d2bf318c0e1a');
  expect(mayAutoMerge(others, one, max, now)).toBe(may);
});

it('names the branch by the template, the same for every replica', () => {
  const sha = 'd2bf318c0e1a4f5b6c7d8e9f0a1b2c3d4e5f6a7b';
  expect(revertBranchName('Prod EU', sha)).toBe('stepback/prod-eu/revert-d2bf318c0e1a');
  expect(revertBranchName('Prod EU', sha, 'fix/{commit}-of-{instance}')).toBe('fix/d2bf318c0e1a-of-prod-eu');
  const arn = 'arn:aws:eks:eu-central-1:123456789012:cluster/';
  const branches = ['prod', 'dev'].map((name) => revertBranchName(arn + name, sha));
  expect(new Set(branches).size, 'long names differ at their ends').toBe(2);
  for (const branch of branches)
    expect(branch).toMatch(/^stepback\/arn-aws-eks-eu-central-1-123456-[0-9a-f]{8}\/revert-d2bf318c0e1a$/);
});
