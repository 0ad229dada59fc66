/** Stages that follow branches of their own fail on commits of their own. */
import { expect, test } from 'vitest';
import { noFacts } from '../../src/domain/content.ts';
import { answerOf, emptyStageMemory, rememberAll, type Sighting } from '../../src/domain/watcher.ts';
import {
  A,
  applicationOf,
  applicationSetOf,
  B,
  beginning,
  C,
  policy,
  rawApplication,
  rawApplicationSet,
  repoURL,
} from './world.ts';

type Shape = Parameters<typeof rawApplication>[1];

function failing(branch: string, sha: string, at: number): Shape {
  const history: [string, number][] = [
    [A, 0],
    [sha, at - 1],
  ];
  return { targetRevision: branch, target: sha, health: 'Degraded', healthSince: at, history };
}

test('a commit of the branch of prod is not taken back on the branch of staging', () => {
  const well: Record<string, Shape> = {
    dev: {},
    staging: { targetRevision: 'staging' },
    prod: { targetRevision: 'release' },
  };
  const first = { ...well, staging: failing('staging', B, 10) };
  const both = { ...first, prod: failing('release', C, 12) };
  const heads = [
    { repoURL, branch: 'staging', sha: A, at: beginning },
    { repoURL, branch: 'release', sha: A, at: beginning },
    { repoURL, branch: 'staging', sha: B, at: beginning + 5_000 },
    { repoURL, branch: 'release', sha: C, at: beginning + 11_000 },
  ];
  let memory = emptyStageMemory;
  const failures = [
    { at: 0, shapes: well },
    { at: 10, shapes: first },
    { at: 12, shapes: both },
    { at: 60, shapes: both },
  ].map(({ at, shapes }) => {
    const now = beginning + at * 1_000;
    const sighting: Sighting = {
      applicationSet: applicationSetOf(
        rawApplicationSet({ staging: ['Progressing', B], prod: ['Progressing', C] }),
      ),
      applications: Object.entries(shapes).map(([name, shape]) => applicationOf(rawApplication(name, shape))),
      facts: noFacts,
      heads: heads.filter((head) => head.at <= now),
      policy,
      now,
      blindness: null,
      featureFlag: 'on',
    };
    const answer = answerOf(rememberAll(memory, sighting), sighting);
    memory = answer.memory;
    return answer.failure;
  });
  const last = failures.at(-1);
  expect(last?.bad).toEqual([B]);
  expect(last?.failing.map(({ application }) => application.name)).toEqual([last?.first.application.name]);
  expect(last?.first.application.sources[0]?.targetRevision).toBe('staging');
});
