/** A revert that was opened and that nobody noted, as whoever opened it died at that moment. */
import { expect, it } from 'vitest';
import { withForgottenRevert } from '../../src/loop/make-revert.ts';
import type { Forge, PullRequest } from '../../src/ports.ts';
import { incident } from '../render/sample-incident.ts';
import { repository } from './counting-checks.ts';

const unknowing = incident({ phase: 'noticed', pullRequest: null });

function githubWith(...pullRequests: readonly Partial<PullRequest>[]): Forge {
  return {
    branchHead: async () => ({ sha: 'd'.repeat(40), parents: ['c'.repeat(40)] }),
    pullRequestsFrom: async () => pullRequests.map((one) => ({ number: 4, url: '', headSha: '', ...one })),
  } as unknown as Forge;
}

it('is the one of the incident when it is ours and open', async () => {
  const github = githubWith({ isOurs: true, state: 'open' });
  const { pullRequest } = await withForgottenRevert(github, repository, unknowing);
  expect(pullRequest).toMatchObject({
    number: 4,
    headSha: 'd'.repeat(40),
    baseSha: 'c'.repeat(40),
    closedAt: null,
  });
});

it('is left alone when a person opened it, or it is closed, or there is none', async () => {
  for (const github of [
    githubWith({ isOurs: false, state: 'open' }),
    githubWith({ isOurs: true, state: 'closed' }),
    githubWith(),
  ])
    expect(await withForgottenRevert(github, repository, unknowing)).toBe(unknowing);
});
