/**
 * An Application that is being deleted, while its finalizer works: it is Missing, Degraded or OutOfSync, and none of that is
 * the fault of a commit. It goes away, so nobody waits until it is back.
 */
import { describe, expect, it } from 'vitest';
import { contentKey } from '../../src/domain/content.ts';
import { hasHealed } from '../../src/domain/decision.ts';
import { standingOf } from '../../src/domain/standing.ts';
import type { Answer } from '../../src/domain/watcher.ts';
import {
  A,
  applicationOf,
  B,
  beginning,
  D,
  type Moment,
  policy,
  rawApplication,
  repoURL,
  type Shape,
  tell,
  verdictOf,
} from './world.ts';

const onB: Shape = {
  target: B,
  history: [
    [A, 0],
    [B, 5],
  ],
};
const going: Shape = { isBeingDeleted: true, healthSince: 20 };
const contents = { [A]: 'good', [B]: 'bad', [D]: 'good' };

describe('an Application that is being deleted', () => {
  it.for([
    ['Missing and OutOfSync', { sync: 'OutOfSync', health: 'Missing' }],
    ['Degraded', { health: 'Degraded' }],
    ['Progressing for ever', { health: 'Progressing' }],
    ['Unknown', { health: 'Unknown', sync: 'Unknown' }],
  ] as const)('counts for nothing while it is %s', ([, shape]) => {
    const healthy = { dev: ['Healthy', B], staging: ['Healthy', B], prod: ['Healthy', B] } as const;
    const answers = tell([
      { at: 0 },
      { at: 4, push: B },
      { at: 12, apps: { dev: onB, staging: onB, prod: onB }, entries: healthy },
      { at: 20, apps: { dev: { ...onB, ...going, ...shape } } },
      { at: 40 },
      { at: 400 },
    ]);
    expect(verdictOf(answers)).toEqual(['ok', 'being-deleted']);
    expect(answers.every(({ failure }) => failure === null)).toBe(true);
  });

  it('is told as that and not as left over, where its ApplicationSet does not generate it any more', () => {
    const entries = { dev: ['Healthy', A, '-1'] } as const;
    const answers = tell([{ at: 0, entries, apps: { dev: { ...going, health: 'Missing' } } }]);
    expect(verdictOf(answers)).toEqual(['ok', 'being-deleted']);
  });

  it('hides nothing of the others', () => {
    const answers = tell([
      ...failing('prod'),
      { at: 26, apps: { dev: { ...onB, ...going, health: 'Degraded' } } },
      { at: 40 },
    ]);
    expect(verdictOf(answers)[0]).toBe('failed');
    expect(answers.at(-1)?.failure?.failing.map((one) => one.application.name)).toEqual(['shop-prod']);
  });
});

/** One runs B and is Degraded on it. */
function failing(environment: string): readonly Moment[] {
  return [
    { at: 0 },
    { at: 4, push: B },
    {
      at: 8,
      apps: { [environment]: { ...onB, health: 'Degraded', healthSince: 7 } },
      entries: { [environment]: ['Progressing', B] },
    },
    { at: 25 },
  ];
}

describe('one that had the bad commit and is being deleted', () => {
  const merged = { phase: 'merged', suspects: [], repository: 'acme/shop' } as const;
  const heads = [A, B, D].map((sha, at) => ({ repoURL, branch: 'main', sha, at: beginning + at }));
  const { sources } = applicationOf(rawApplication('dev'));
  const ids = sources.flatMap((source) =>
    Object.entries(contents).map(([sha, id]): [string, string] => [contentKey(source, sha), id]),
  );
  const facts = { ids: new Map(ids), gone: new Set<string>() };

  function afterTheMerge(shape: Shape): {
    answer: Answer | undefined;
    standing: ReturnType<typeof standingOf> | null;
  } {
    const left = { ...onB, health: 'Missing', healthSince: 20, target: D, sync: 'OutOfSync', ...shape };
    const answers = tell(
      [...failing('dev'), { at: 60, push: D }, { at: 70, apps: { dev: left } }, { at: 4000 }],
      {},
      { contents },
    );
    const failed = answers[3];
    const answer = answers.at(-1);
    if (failed === undefined || answer === undefined) throw new Error('There are no answers.');
    const before = standingOf(failed, failed.failure, null, { facts, heads, now: beginning }, merged);
    expect(before.left.map(({ application }) => application)).toEqual(['shop-dev']);
    const now = beginning + 4_000_000;
    return { answer, standing: standingOf(answer, null, before, { facts, heads, now }, merged) };
  }

  it('is not waited for after the merge, and never helped', () => {
    const { answer, standing } = afterTheMerge({ isBeingDeleted: true });
    expect(answer?.isRecovered).toBe(true);
    expect(standing).toMatchObject({ isRecovered: true, left: [], having: 0, total: 2 });
    expect(standing?.stages[0]).toMatchObject({ applications: 0, having: [], ahead: [], health: '' });
  });

  it('is waited for while nobody deletes it', () => {
    const { answer, standing } = afterTheMerge({});
    expect(answer?.isRecovered).toBe(false);
    expect(standing?.left.map(({ wayBack }) => wayBack?.remedy)).toEqual(['sync']);
    expect(standing).toMatchObject({ having: 1, total: 3 });
  });

  it('does not keep what else failed from having healed', () => {
    const well = { ...onB, history: [[A, 0] as const, [B, 5] as const, [D, 30] as const], target: D };
    const answers = tell(
      [
        ...failing('dev'),
        { at: 26, apps: { dev: { ...onB, ...going, health: 'Degraded' }, staging: well } },
        { at: 100 },
      ],
      {},
      { contents },
    );
    const [failed, answer] = [answers[3], answers.at(-1)];
    if (failed === undefined || answer === undefined) throw new Error('There are no answers.');
    const { failure } = failed;
    const seen = { facts, heads, now: beginning };
    const standing = standingOf(failed, failure, null, seen, { ...merged, phase: 'proposed' });
    expect(standing.isRecovered).toBe(false);
    expect(hasHealed(answer, standing, policy, beginning + 100_000)).toBe(true);
  });
});
