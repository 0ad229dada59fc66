/** Who still has one of the commits that a revert took back, where it took back several, or others have landed in between. */
import { expect, it } from 'vitest';
import { contentKey, type Revisions } from '../../src/domain/content.ts';
import type { BranchHead } from '../../src/domain/look.ts';
import type { Source } from '../../src/domain/objects.ts';
import type { Rollout, StageApplication } from '../../src/domain/rollout.ts';
import { stillOn, takenCommits } from '../../src/domain/still-on.ts';
import { incident } from '../render/sample-incident.ts';
import { A, B, C, D, repoURL } from './world.ts';

const source = (path: string): Source => ({
  repoURL,
  path,
  chart: null,
  targetRevision: 'main',
  ref: null,
  alsoPaths: [],
  valueFiles: [],
  parameters: '',
});
const sources = [source('apps/shop'), source('base')];

/** B changes the first source, C the second; D is the revert of both. */
const contents: Readonly<Record<string, readonly [string, string]>> = {
  [A]: ['one', 'one'],
  [B]: ['two', 'one'],
  [C]: ['two', 'two'],
  [D]: ['one', 'one'],
};
const ids = new Map(
  Object.entries(contents).flatMap(([sha, pair]) =>
    sources.map((one, index) => [contentKey(one, sha), pair[index] ?? ''] as const),
  ),
);
const taken = [
  { sha: C, before: B },
  { sha: B, before: A },
];
const head = (sha: string): BranchHead => ({ repoURL, branch: 'main', sha, at: 0 });

function namesOf(runs: Revisions, heads: readonly BranchHead[]): readonly string[] {
  const record = { revisions: runs, healthyUntil: null, appliedAt: 0 };
  const one = {
    application: {
      name: 'shop-dev',
      sources,
      operation: null,
      sync: { status: 'OutOfSync' },
      health: { status: 'Degraded' },
    },
    memory: { contents: [record], operation: null, running: { revisions: runs, isPartial: false } },
    runs,
    leftOut: null,
  } as unknown as StageApplication;
  const rollout = { stages: [{ applications: [one] }], unselected: [], orphans: [] } as unknown as Rollout;
  return stillOn(rollout, { taken, heads, facts: { ids, gone: new Set() } }).map(
    ({ application }) => application.name,
  );
}

it.each([
  ['all of them', [C, C], ['shop-dev']],
  ['the earlier one, when it is not the one that failed last', [B, B], ['shop-dev']],
  ['one in one source, and what came before it in the other', [A, C], ['shop-dev']],
  ['what was there before', [A, A], []],
  ['the revert', [D, D], []],
] as const)('asks who runs %s', (_, runs, expected) => {
  expect(namesOf(runs, [head(D)])).toEqual(expected);
});

it('counts nothing that the branch holds again: somebody has landed it again', () => {
  expect(namesOf([B, D], [head(D), head(B)])).toEqual([]);
  expect(namesOf([C, C], [head(D), head(B)])).toEqual(['shop-dev']);
});

it('asks nothing before a revert is merged, nor of what an earlier version kept', () => {
  const { suspects } = incident();
  const known = suspects.map((one) => ({ ...one, firstParent: A }));
  expect(takenCommits({ phase: 'proposed', suspects: known })).toEqual([]);
  expect(takenCommits({ phase: 'merged', suspects: known })).toHaveLength(suspects.length);
  expect(takenCommits({ phase: 'merged', suspects })).toEqual([]);
});
