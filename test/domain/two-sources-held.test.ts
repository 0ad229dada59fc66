/** Of two repositories one brought the bad change: what lands in the other one takes nothing back. */
import { expect, test } from 'vitest';
import { holdsBad } from '../../src/domain/containment.ts';
import { contentKey } from '../../src/domain/content.ts';
import type { Source } from '../../src/domain/objects.ts';
import type { Answer } from '../../src/domain/watcher.ts';
import { A, B, C, D, repoURL, tell } from './world.ts';

const values = 'https://github.com/acme/values.git';

/** The rollout, with each Application fed by shop (A, bad B) and by values (C, then D). */
function twoSources() {
  const { rollout } = tell([{ at: 0 }]).at(-1) as Answer;
  const first = rollout.stages[0]?.applications[0]?.application.sources[0] as Source;
  const sources = [first, { ...first, repoURL: values }];
  const stages = rollout.stages.map((stage) => ({
    ...stage,
    applications: stage.applications.map((one) => ({
      ...one,
      application: {
        ...one.application,
        sources,
        sync: { ...one.application.sync, revisions: [A, C] },
      },
    })),
  }));
  const ids = new Map(
    sources.flatMap((source) => [A, B, C, D].map((sha) => [contentKey(source, sha), sha] as const)),
  );
  return { rollout: { ...rollout, stages }, facts: { ids, gone: new Set<string>() } };
}

test.each([
  ['an innocent commit beside it', B, D, true],
  ['nothing new', B, C, true],
  ['a fix', D, C, false],
  ['the revert, and an innocent commit beside it', A, D, false],
])('%s', (_, shop, beside, isHeld) => {
  const { rollout, facts } = twoSources();
  const heads = [
    { repoURL, branch: 'main', sha: shop, at: 0 },
    { repoURL: values, branch: 'main', sha: beside, at: 0 },
  ];
  expect(holdsBad(rollout, { bad: [B, C], lastGood: [A, C] }, heads, facts)).toBe(isHeld);
});
