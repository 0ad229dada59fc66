import { describe, expect, it } from 'vitest';
import { firstParentLine, rangesOf } from '../../src/content/ranges.ts';
import type { RolloutFailure } from '../../src/domain/failure.ts';
import type { Commit } from '../../src/ports.ts';
import { A, B, C, D, tell } from '../domain/world.ts';
import { forgeOf } from './forge.ts';

const commit = (sha: string, ...parents: readonly string[]): Commit => ({
  sha,
  tree: '',
  parents,
  message: '',
  author: { login: null, name: '' },
  committedAt: 0,
});

const range = (...commits: readonly Commit[]) =>
  ({ status: 'ahead', mergeBase: 'a', commits, isComplete: true }) as const;

const shas = (line: readonly Commit[]) => line.map((one) => one.sha);

describe('the first-parent line', () => {
  it('is the commits themselves where nothing was merged', () => {
    expect(shas(firstParentLine(range(commit('b', 'a'), commit('c', 'b')), 'a', 'c'))).toEqual(['b', 'c']);
  });

  it('is the merge and not what was merged', () => {
    const merged = range(commit('f', 'a'), commit('b', 'a'), commit('m', 'b', 'f'), commit('c', 'm'));
    expect(shas(firstParentLine(merged, 'a', 'c'))).toEqual(['b', 'm', 'c']);
  });

  it('is empty from a commit to itself, and ends where commits are missing', () => {
    expect(firstParentLine(range(), 'a', 'a')).toEqual([]);
    expect(shas(firstParentLine(range(commit('c', 'b')), 'a', 'c'))).toEqual(['c']);
    expect(firstParentLine(range(commit('b', 'a')), 'a', 'z')).toEqual([]);
  });

  it('never goes round in a circle', () => {
    expect(
      shas(firstParentLine(range(commit('b', 'c'), commit('c', 'b')), 'a', 'c')).length,
    ).toBeLessThanOrEqual(2);
  });
});

function failureOn(bad: string): RolloutFailure {
  const answers = tell([
    { at: 0 },
    {
      at: 100,
      apps: {
        dev: {
          target: bad,
          history: [
            [A, 0],
            [bad, 99],
          ],
          health: 'Degraded',
          healthSince: 99,
        },
      },
      entries: { dev: ['Progressing', bad] },
    },
    { at: 120 },
  ]);
  const failure = answers.at(-1)?.failure;
  if (failure == null) throw new Error('It has not failed.');
  return failure;
}

describe('the range of a failure', () => {
  const files = { 'apps/shop/web.yaml': 'one' };
  const forge = forgeOf({
    [A]: { files },
    [B]: { files: { ...files, 'README.md': 'x' }, parents: [A] },
    [C]: {
      files: { ...files, 'README.md': 'x', 'apps/shop/web.yaml': 'two' },
      parents: [B],
      pullRequests: [
        { number: 4, title: 'abandoned', isMerged: false, author: { login: 'bob', name: 'Bob' } },
        {
          number: 7,
          title: 'New web',
          url: 'https://x/7',
          isMerged: true,
          isOurs: true,
          author: { login: 'ann', name: 'Ann' },
        },
      ],
    },
  });

  it('tells of each commit whether it feeds what fails, and by which pull request it came', async () => {
    const [found] = await rangesOf(forge, failureOn(C));
    expect(found).toMatchObject({
      repository: 'acme/shop',
      branch: 'main',
      base: A,
      bad: C,
      status: 'ahead',
      isComplete: true,
    });
    expect(
      found?.commits.map((one) => [one.sha, one.feeds, one.pullRequest?.number ?? null, one.isOurs]),
    ).toEqual([
      [B, 'no', null, false],
      [C, 'yes', 7, true],
    ]);
  });

  it('is not there when the repository does not have one of its ends', async () => {
    const [found] = await rangesOf(forge, failureOn(D));
    expect(found).toMatchObject({ status: 'not-found', commits: [] });
  });

  it('is empty without a baseline', async () => {
    expect(await rangesOf(forge, { ...failureOn(C), lastGood: null })).toEqual([]);
    expect(await rangesOf(forge, { ...failureOn(C), bad: null })).toEqual([]);
  });
});
