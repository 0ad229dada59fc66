import { describe, expect, it } from 'vitest';
import {
  changedSources,
  findCulprit,
  noCulpritReasons,
  type RangeCommit,
  type SourceRange,
  trackingOf,
  whyNoRange,
} from '../../src/domain/culprit.ts';
import type { RolloutFailure } from '../../src/domain/failure.ts';
import { readSources } from '../../src/domain/read-sources.ts';
import { A, B, C, D, repoURL, tell } from './world.ts';

describe('what a source follows', () => {
  it.for([
    ['main', 'branch'],
    ['', 'branch'],
    ['HEAD', 'branch'],
    ['refs/heads/v1.4', 'branch'],
    ['release/1.4', 'branch'],
    ['x', 'branch'],
    ['2024', 'branch'],
    ['feature/abc123', 'branch'],
    ['release-1.x', 'branch'],
    ['env/*', 'branch'],
    ['facade', 'branch'],
    ['20240101', 'branch'],
    [A, 'pinned'],
    ['951d058', 'pinned'],
    ['951D058FDBB6', 'pinned'],
    ['v1.4.7', 'tag'],
    ['1.4.7', 'tag'],
    ['v1.4', 'tag'],
    ['1.4.7-rc.1', 'tag'],
    ['refs/tags/stable', 'tag'],
    ['v1.4.*', 'tag-range'],
    ['1.x', 'tag-range'],
    ['~1.4', 'tag-range'],
    ['^1.4.0', 'tag-range'],
    ['>=1.2.0 <2.0.0', 'tag-range'],
    ['>= 1.2, < 2 || 3.x', 'tag-range'],
    ['1.2 - 1.4', 'tag-range'],
    ['~> v2', 'tag-range'],
    ['*', 'tag-range'],
  ] as const)('%s: %s', ([targetRevision, tracking]) => {
    const [source] = readSources({ source: { repoURL, path: 'apps', targetRevision } });
    expect(source && trackingOf(source)).toBe(tracking);
  });

  it('is a chart for charts and images, whatever the version looks like', () => {
    const [chart, image] = readSources({
      sources: [
        { repoURL: 'https://charts.example.org', chart: 'web', targetRevision: A },
        { repoURL: 'oci://registry.example.org/team/web', targetRevision: '1.2.3' },
      ],
    });
    expect(chart && trackingOf(chart)).toBe('chart');
    expect(image && trackingOf(image)).toBe('chart');
    expect(image).toMatchObject({ chart: 'web', path: null });
  });
});

/** A failure on B that goes back to A. */
function failure(change: Partial<RolloutFailure> = {}): RolloutFailure {
  const answers = tell([
    { at: 0 },
    {
      at: 100,
      apps: {
        dev: {
          target: B,
          history: [
            [A, 0],
            [B, 99],
          ],
          health: 'Degraded',
          healthSince: 99,
        },
      },
      entries: { dev: ['Progressing', B] },
    },
    { at: 120 },
  ]);
  const found = answers.at(-1)?.failure;
  if (found == null) throw new Error('It has not failed.');
  return { ...found, ...change };
}

function withSources(sources: readonly object[], change: Partial<RolloutFailure> = {}): RolloutFailure {
  const found = failure(change);
  const application = { ...found.first.application, sources: readSources({ sources }) };
  return { ...found, first: { ...found.first, application } };
}

const commit = (sha: string, change: Partial<RangeCommit> = {}): RangeCommit => ({
  sha,
  message: `commit ${sha.slice(0, 1)}`,
  author: 'ann',
  tree: `tree-${sha.slice(0, 1)}`,
  firstParent: A,
  firstParentTree: 'tree-a',
  parentsCount: 1,
  feeds: 'yes',
  files: null,
  pullRequest: null,
  isOurs: false,
  ...change,
});

const range = (change: Partial<SourceRange> = {}): SourceRange => ({
  repository: 'acme/shop',
  branch: 'main',
  base: A,
  bad: B,
  status: 'ahead',
  isComplete: true,
  commits: [commit(B)],
  ...change,
});

const lastGood = (...revisions: readonly string[]) => ({
  revisions,
  configuration: null,
  healthyAt: 0,
  isGuess: false,
});

describe('nobody is named', () => {
  const git = { repoURL, path: 'apps/shop' };
  const cases: Readonly<Record<string, readonly [RolloutFailure, readonly SourceRange[], string?]>> = {
    'no-baseline': [failure({ lastGood: null }), [range()]],
    'bad-is-not-a-commit': [failure({ bad: null }), [range()]],
    'baseline-is-gone': [failure(), [range({ status: 'not-found', commits: [] })], A],
    'nothing-new': [failure({ lastGood: lastGood(B) }), [range()]],
    'template-edited': [failure({ isTemplateEdited: true }), [range()]],
    'not-ahead': [failure(), [range({ status: 'behind' })], `${A}...${B}`],
    'range-is-cut': [failure(), [range({ isComplete: false })], 'acme/shop'],
    'follows-a-tag': [withSources([{ ...git, targetRevision: 'v1.4.*' }]), [range()], 'v1.4.*'],
    pinned: [withSources([{ ...git, targetRevision: B }]), [range()], B],
    'chart-changed': [
      withSources([{ repoURL: 'https://charts.example.org', chart: 'web', targetRevision: '2' }], {
        bad: ['15.7.1'],
        lastGood: lastGood('15.7.0'),
      }),
      [],
      'web 15.7.0 → 15.7.1',
    ],
    'no-commit-touches-it': [failure(), [range({ commits: [commit(B, { feeds: 'no' })] })]],
    'several-repositories': [
      withSources([git, { repoURL: 'https://github.com/acme/base.git', path: 'base' }], {
        bad: [B, D],
        lastGood: lastGood(A, C),
      }),
      [range(), range({ repository: 'acme/base', base: C, bad: D, commits: [commit(D)] })],
      'acme/shop, acme/base',
    ],
    'revert-of-ours': [failure(), [range({ commits: [commit(B, { isOurs: true })] })], B],
    'octopus-merge': [failure(), [range({ commits: [commit(B, { parentsCount: 3 })] })], B],
    'not-on-a-forge': [withSources([], {}), []],
  };

  it.for(Object.entries(cases))('%s', ([reason, [found, ranges, detail = '']]) => {
    expect(findCulprit(found, ranges)).toEqual({ kind: 'none', reason, detail });
  });

  it('for every reason there is a case', () => {
    expect(Object.keys(cases).sort()).toEqual([...noCulpritReasons].sort());
  });

  it('because a baseline that was pushed away is no ancestor any more', () => {
    expect(findCulprit(failure(), [range({ status: 'diverged' })])).toMatchObject({
      reason: 'baseline-is-gone',
    });
  });

  it('for one template that was edited and nothing else', () => {
    const edited = failure({ lastGood: lastGood(B), isTemplateEdited: true });
    expect(whyNoRange(edited)).toEqual({ kind: 'none', reason: 'template-edited', detail: '' });
  });
});

describe('the commits to take back', () => {
  it('are all that feed it, newest first, and the others stay', () => {
    const commits = [commit(C, { feeds: 'no' }), commit(D, { feeds: 'unsure' }), commit(B)];
    const found = findCulprit(failure(), [range({ commits })]);
    expect(found).toMatchObject({
      kind: 'suspects',
      repository: 'acme/shop',
      branch: 'main',
      isWholeRange: false,
    });
    expect(found.kind === 'suspects' && found.suspects.map((one) => one.sha)).toEqual([B, D]);
    expect(found.kind === 'suspects' && found.innocents.map((one) => one.sha)).toEqual([C]);
  });

  it('are one list when two sources share a repository, and a commit that feeds either is in it', () => {
    const shared = withSources(
      [
        { repoURL, path: 'apps/shop' },
        { repoURL, path: 'values' },
      ],
      { bad: [B, B], lastGood: lastGood(A, A) },
    );
    const one = range({ commits: [commit(C, { feeds: 'no' }), commit(B)] });
    const other = range({ commits: [commit(C), commit(B, { feeds: 'no' })] });
    const found = findCulprit(shared, [one, other]);
    expect(found.kind === 'suspects' && found.suspects.map((each) => each.sha)).toEqual([B, C]);
  });

  it('lie in one of two repositories when only that one was touched', () => {
    const two = withSources(
      [
        { repoURL, path: 'apps/shop' },
        { repoURL: 'https://github.com/acme/base.git', path: 'base' },
      ],
      {
        bad: [B, D],
        lastGood: lastGood(A, C),
      },
    );
    const innocent = range({
      repository: 'acme/base',
      base: C,
      bad: D,
      commits: [commit(D, { feeds: 'no' })],
    });
    expect(findCulprit(two, [range(), innocent])).toMatchObject({
      kind: 'suspects',
      repository: 'acme/shop',
    });
  });
});

it('sources that changed are told by their place, also when one side is shorter', () => {
  expect(changedSources(['15.7.0', A], ['15.7.1', A])).toEqual([0]);
  expect(changedSources([A], [A, B])).toEqual([1]);
  expect(changedSources([], [])).toEqual([]);
});

it('names nobody when a source that nobody can read changed with it', () => {
  const unread = range({
    repository: 'https://git.example.org/base.git',
    status: 'not-on-a-forge',
    commits: [],
  });
  expect(findCulprit(failure(), [range(), unread])).toEqual({
    kind: 'none',
    reason: 'not-on-a-forge',
    detail: 'https://git.example.org/base.git',
  });
});
