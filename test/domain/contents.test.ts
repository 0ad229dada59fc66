import { describe, expect, it } from 'vitest';
import { contentKey, contentOf, noFacts, sameContent } from '../../src/domain/content.ts';
import { isGood } from '../../src/domain/last-good.ts';
import type { ContentRecord } from '../../src/domain/memory.ts';
import { readSources } from '../../src/domain/read-sources.ts';
import { A, B, C, D, policy, repoURL, type Shape, tell } from './world.ts';

describe('contents', () => {
  const sources = readSources({
    sources: [
      { repoURL: 'https://charts.example.org', chart: 'web' },
      { repoURL, path: 'apps' },
    ],
  });
  const [, git] = sources;
  if (git === undefined) throw new Error('No source.');
  const ids = new Map([
    [contentKey(git, A), 'tree-1'],
    [contentKey(git, B), 'tree-1'],
    [contentKey(git, C), 'tree-2'],
  ]);
  const facts = { ids, gone: new Set<string>() };

  it('are the same when the trees are, and each commit only itself where nobody looked', () => {
    expect(sameContent(sources, ['1', A], ['1', B], facts)).toBe(true);
    expect(sameContent(sources, ['1', A], ['1', C], facts)).toBe(false);
    expect(sameContent(sources, ['1', A], ['2', A], facts)).toBe(false);
    expect(sameContent(sources, ['1', A], ['1', B], noFacts)).toBe(false);
    expect(sameContent(sources, ['1', D], ['1', D], facts)).toBe(true);
    expect(sameContent(sources, ['1', A], [], facts)).toBe(false);
  });

  it('have a name for revisions that no source explains', () => {
    expect(contentOf([], [A], facts)).toBe(A);
    expect(contentOf(sources, [], facts)).toBe('');
  });
});

describe('a content was good', () => {
  const seconds = 1_000;
  const record = (change: Partial<ContentRecord>): ContentRecord => ({
    revisions: [A],
    configuration: null,
    appliedAt: 0,
    healthyAt: 10 * seconds,
    healthySince: 10 * seconds,
    healthyUntil: 20 * seconds,
    degraded: null,
    isGuess: false,
    isFromHistory: false,
    ...change,
  });
  const degraded = (from: number, lasted: number) => ({
    from: from * seconds,
    lastedMs: lasted * seconds,
    endedAt: (from + lasted) * seconds,
    causes: [],
  });

  it.for<readonly [string, boolean, Partial<ContentRecord>]>([
    ['when it was Healthy', true, {}],
    ['not when it never was', false, { healthyAt: null }],
    ['when it was Degraded for less than the grace time', true, { degraded: degraded(20, 5) }],
    ['not when it failed within the bake time', false, { degraded: degraded(20, 15) }],
    ['when it was Degraded only after the bake time', true, { degraded: degraded(80, 15) }],
    [
      'not when it has been Healthy again for a moment',
      false,
      { degraded: degraded(20, 15), healthySince: 40 * seconds, healthyUntil: 50 * seconds },
    ],
    [
      'when it has been Healthy again for longer than the bake time',
      true,
      { degraded: degraded(20, 15), healthySince: 40 * seconds, healthyUntil: 110 * seconds },
    ],
  ])('%s', ([, right, change]) => {
    expect(isGood(record(change), policy)).toBe(right);
  });
});

describe('last good', () => {
  const on = (commit: string, history: Shape['history'], change: Shape = {}): Shape => ({
    target: commit,
    history: history ?? [],
    ...change,
  });

  it('is the oldest of several that fail, up to the newest of what they failed on', () => {
    const bad = { health: 'Degraded', healthSince: 101 };
    const answers = tell([
      { at: 0 },
      {
        at: 50,
        push: B,
        apps: {
          staging: on(B, [
            [A, 0],
            [B, 50],
          ]),
        },
      },
      {
        at: 101,
        push: C,
        apps: {
          dev: on(
            C,
            [
              [A, 0],
              [C, 100],
            ],
            bad,
          ),
          staging: on(
            C,
            [
              [A, 0],
              [B, 50],
              [C, 100],
            ],
            bad,
          ),
        },
        entries: { dev: ['Progressing', C], staging: ['Progressing', C] },
      },
      { at: 120 },
    ]);
    const failure = answers.at(-1)?.failure;
    expect(failure?.failing.map((one) => one.lastGood?.revisions)).toEqual([[A], [B]]);
    expect(failure?.lastGood?.revisions).toEqual([A]);
    expect(failure?.bad).toEqual([C]);
  });

  it('is never a commit that is gone', () => {
    const answers = tell([
      {
        at: 0,
        apps: {
          dev: on(B, [
            [A, 0],
            [B, 50],
          ]),
        },
      },
      {
        at: 101,
        apps: {
          dev: on(
            C,
            [
              [A, 0],
              [B, 50],
              [C, 100],
            ],
            { health: 'Degraded', healthSince: 101 },
          ),
        },
        entries: { dev: ['Progressing', C] },
      },
      { at: 120 },
    ]);
    expect(answers.at(-1)?.failure?.lastGood?.revisions).toEqual([B]);
  });
});

describe('out of order', () => {
  const on = (commit: string, at: number): Shape => ({
    target: commit,
    history: [
      [A, 0],
      [commit, at],
    ],
  });
  const names = (moments: Parameters<typeof tell>[0]) =>
    tell(moments)
      .at(-1)
      ?.rollout.outOfOrder.map((one) => one.application.name);

  it('is who has a commit before an earlier stage was Healthy on it', () => {
    expect(names([{ at: 0 }, { at: 10, apps: { prod: on(B, 10) } }, { at: 11 }])).toEqual(['shop-prod']);
    expect(
      names([
        { at: 0 },
        { at: 10, apps: { prod: on(B, 10) } },
        { at: 20, apps: { dev: on(B, 20), staging: on(B, 20) } },
      ]),
    ).toEqual(['shop-prod']);
  });

  it('is nobody when the stages came in their turn, or in one moment', () => {
    expect(
      names([
        { at: 0 },
        { at: 10, apps: { dev: on(B, 10) } },
        { at: 20, apps: { staging: on(B, 20) } },
        { at: 30, apps: { prod: on(B, 30) } },
      ]),
    ).toEqual([]);
    const all = { dev: on(B, 10), staging: on(B, 10), prod: on(B, 10) };
    expect(names([{ at: 0 }, { at: 10, apps: all }])).toEqual([]);
  });

  it('is nobody when an earlier stage got a new Application later', () => {
    const later = { ...on(B, 90), createdAt: 80, history: [[B, 90] as const] };
    expect(
      names([
        { at: 0 },
        { at: 10, apps: { dev: on(B, 10) } },
        { at: 20, apps: { staging: on(B, 20) } },
        { at: 30, apps: { prod: on(B, 30) } },
        { at: 91, apps: { dev: { ...later, uid: 'new' } } },
      ]),
    ).toEqual([]);
  });

  it('is nobody when all that is known comes from history', () => {
    const all = { dev: on(B, 30), staging: on(B, 20), prod: on(B, 10) };
    expect(names([{ at: 100, apps: all }])).toEqual([]);
  });
});
