/** GitHub refuses something for good, or says one thing and lists another: the rest is done all the same. */
import { expect, test } from 'vitest';
import { keepTexts } from '../../src/loop/keep-texts.ts';
import { makeRevert } from '../../src/loop/make-revert.ts';
import type { Commit, Forge } from '../../src/ports.ts';
import { WorldProblem } from '../../src/ports.ts';
import { linksBelow } from '../../src/render/links.ts';
import { changed } from '../../src/simulation/mistakes/on-github.ts';
import { incident } from '../render/sample-incident.ts';
import { repository } from './counting-checks.ts';

const links = linksBelow('https://github.com/acme/shop');
const refuse = (message: string) => () => Promise.reject(new WorldProblem('permanent', message));

function forgeWith(methods: Partial<Forge>): Forge {
  return changed({} as Forge, methods);
}

function told() {
  const lines: string[] = [];
  return {
    lines,
    log: { info() {}, warn: (_: string, fields = {}) => void lines.push(JSON.stringify(fields)) },
  };
}

test('a culprit whose conversation is locked keeps the description of the revert from nothing', async () => {
  const bodies: string[] = [];
  const { lines, log } = told();
  const forge = forgeWith({
    updatePullRequest: async (_, __, { body = '' }) => void bodies.push(body),
    comments: async () => [],
    updateComment: async () => 'gone',
    createComment: refuse('Unable to create comment because issue is locked.'),
  });
  const before = incident();
  const now = before.changedAt;
  const kept = await keepTexts({ forge, log }, repository, before, links, now);
  expect(bodies).toHaveLength(1);
  expect(kept.written.at).toBe(now);
  expect(kept.written.comments).toEqual({});
  expect(lines.join()).toContain('locked');
  // Nothing has changed: nothing is tried again.
  expect(await keepTexts({ forge, log }, repository, kept, links, now + 600_000)).toBe(kept);
  expect(lines).toHaveLength(1);
});

test('what fails for the moment is not taken for a refusal', async () => {
  const forge = forgeWith({
    updatePullRequest: async () => {},
    comments: () => Promise.reject(new WorldProblem('transient', 'GitHub is down.')),
    updateComment: async () => 'gone',
  });
  const before = incident();
  await expect(keepTexts({ forge, ...told() }, repository, before, links, before.changedAt)).rejects.toThrow(
    'GitHub is down.',
  );
});

test('GitHub says that a pull request exists and lists none: it is asked once a look', async () => {
  let posts = 0;
  const commit: Commit = {
    sha: 'd'.repeat(40),
    tree: 't'.repeat(40),
    parents: ['c'.repeat(40)],
    message: '',
    author: { login: 'dana', name: 'Dana' },
    committedAt: 0,
  };
  const forge = forgeWith({
    branchHead: async () => commit,
    pullRequestsFrom: async () => [],
    createCommit: async () => ({ sha: 'e'.repeat(40), isVerified: true }),
    createBranch: async () => 'exists',
    createPullRequest: async () => {
      posts += 1;
      if (posts > 3) throw new Error('It asks for ever.');
      return { kind: 'exists' };
    },
  });
  const one = incident({ phase: 'noticed', pullRequest: null });
  const suspects = one.suspects
    .slice(0, 1)
    .map((suspect) => ({ ...suspect, tree: commit.tree, firstParentTree: 'p'.repeat(40) }));
  const how = { isDraft: false, readAgain: async () => null, isOvertaken: async () => false };
  await expect(makeRevert(forge, repository, { ...one, suspects }, links, how)).rejects.toThrow(
    /does not list it yet/,
  );
  expect(posts).toBe(1);
});
