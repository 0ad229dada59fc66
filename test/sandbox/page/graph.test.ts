import { expect, it } from 'vitest';
import type { SeenCommit } from '../../../src/sandbox/github/looks.ts';
import { lanesOf } from '../../../src/sandbox/page/graph.ts';

const by = { name: 'dana', email: '', seconds: 0, zone: '+0000' };

function commit(sha: string, ...parents: readonly string[]): SeenCommit {
  return {
    sha,
    parents: [...parents],
    subject: sha,
    message: sha,
    author: by,
    committer: by,
    verified: false,
  };
}

function drawn(commits: readonly SeenCommit[], head: string): readonly string[] {
  return lanesOf(commits, head).map(
    ({ sha, lane, edges }) =>
      `${'  '.repeat(lane)}${sha}   ${edges.map(({ from, to }) => `${from}-${to}`).join(' ')}`,
  );
}

it('keeps the branch that is deployed on the left, and others beside it', () => {
  const commits = [
    commit('merge', 'bad', 'revert'),
    commit('revert', 'bad'),
    commit('topic', 'good'),
    commit('bad', 'good'),
    commit('good', 'first'),
    commit('first'),
  ];
  expect(drawn(commits, 'merge')).toMatchInlineSnapshot(`
    [
      "merge   0-0 0-1",
      "  revert   0-0 1-0",
      "  topic   0-0 1-1",
      "bad   1-0 0-0",
      "good   0-0",
      "first   ",
    ]
  `);
});

it('ends lines where what came before is not shown', () => {
  expect(drawn([commit('b', 'a'), commit('a', 'older')], 'b')).toMatchInlineSnapshot(`
    [
      "b   0-0",
      "a   ",
    ]
  `);
});
