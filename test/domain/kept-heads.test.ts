/** What the branches held is kept while something cannot be rendered, so that a restart blames the same commit. */
import { expect, it } from 'vitest';
import { withKeptHeads } from '../../src/domain/kept-heads.ts';
import type { BranchHead } from '../../src/domain/look.ts';
import { packMemory } from '../../src/domain/stored-memory.ts';
import { unpackMemory } from '../../src/domain/unpack-memory.ts';
import { answerOf, emptyStageMemory, rememberAll, type StageMemory } from '../../src/domain/watcher.ts';
import {
  A,
  applicationOf,
  applicationSetOf,
  B,
  beginning,
  C,
  type Moment,
  policy,
  rawApplication,
  rawApplicationSet,
  repoURL,
  type Shape,
  tell,
  verdictOf,
} from './world.ts';

const second = 1_000;
const head = (sha: string, at: number): BranchHead => ({
  repoURL,
  branch: 'main',
  sha,
  at: beginning + at * second,
});

/** B, which came at 100, cannot be rendered; `at` in seconds. */
function look(memory: StageMemory, at: number, known: readonly BranchHead[]) {
  const broken = {
    sync: 'Unknown',
    target: 'main',
    conditions: [
      {
        type: 'ComparisonError',
        message:
          'Failed to load target state: failed to generate manifest for source 1 of 1: rpc error: code = Unknown desc = Manifest generation error (cached): error unmarshaling JSON',
        lastTransitionTime: new Date(beginning + 102 * second).toISOString(),
      },
    ],
  };
  const sighting = {
    applicationSet: applicationSetOf(rawApplicationSet()),
    applications: ['dev', 'staging', 'prod'].map((environment) =>
      applicationOf(rawApplication(environment, at < 102 ? {} : broken)),
    ),
    facts: { ids: new Map<string, string>(), gone: new Set<string>() },
    heads: withKeptHeads(memory.heads, known),
    policy,
    now: beginning + at * second,
    blindness: null,
    featureFlag: 'on' as const,
  };
  return answerOf(rememberAll(memory, sighting), sighting);
}

function afterRestart(memory: StageMemory): StageMemory {
  const stored = unpackMemory(JSON.parse(JSON.stringify(packMemory(memory))));
  if (stored === null) throw new Error('The memory cannot be read.');
  return stored;
}

it('blames the commit that broke rendering, also when a newer one landed and the process began again', () => {
  const before = look(emptyStageMemory, 0, [head(A, 0)]);
  const failed = look(before.memory, 130, [head(A, 0), head(B, 100)]);
  expect(failed.failure?.bad).toEqual([B]);
  const later = look(failed.memory, 140, [head(A, 0), head(B, 100), head(C, 135)]);
  expect(later.failure?.bad).toEqual([B]);
  // The first look of a process knows the newest head alone, and takes its time from the commit.
  const restarted = look(afterRestart(later.memory), 150, [head(C, 90)]);
  expect([restarted.rollout.verdict, restarted.failure?.bad]).toEqual(['failed', [B]]);
});

it('keeps nothing while everything can be rendered', () => {
  expect(look(emptyStageMemory, 0, [head(A, 0), head(B, 1)]).memory.heads).toEqual([]);
});

it('forgets what no Application follows any more', () => {
  expect(withKeptHeads([head(A, 0), { ...head(A, 0), branch: 'release' }], [head(B, 5)])).toEqual([
    head(A, 0),
    head(B, 5),
  ]);
});

it('tells heads in the order in which they came, whoever saw them, and what the branch holds now last', () => {
  const shas = (kept: readonly BranchHead[], known: readonly BranchHead[]): readonly string[] =>
    withKeptHeads(kept, known).map(({ sha }) => sha);
  expect(shas([head(C, 300), head(A, 0)], [head(B, 100)])).toEqual([A, C, B]);
  expect(shas([head(C, 300)], [head(A, 0), head(B, 400)])).toEqual([A, C, B]);
  expect(shas([head(A, 0), head(B, 100)], [head(C, 300), head(A, 400)])).toEqual([B, C, A]);
  expect(shas([head(A, 0)], [head(B, 100), head(C, 200), head(B, 300)])).toEqual([A, C, B]);
});

it('does not blame what was compared before the error began, though what broke it was heard of a moment later', () => {
  const broken: Shape = {
    sync: 'Unknown',
    target: 'main',
    conditions: [
      {
        type: 'ComparisonError',
        message: 'Manifest generation error (cached): error unmarshaling JSON',
        lastTransitionTime: new Date(beginning + 111 * second).toISOString(),
      },
    ],
  };
  const compared: Shape = { target: B, sync: 'OutOfSync' };
  const everywhere = (shape: Shape) => ({ dev: shape, staging: shape, prod: shape });
  const moments: readonly Moment[] = [
    { at: 100, push: B, apps: everywhere(compared) },
    { at: 112, push: C, apps: everywhere(broken) },
  ];
  for (const isRestarted of [false, true]) {
    const answers = tell([...moments, { at: 140, isRestarted }]);
    expect(verdictOf(answers)[0]).toBe('failed');
    expect(answers.at(-1)?.failure?.bad).toEqual([C]);
  }
});
