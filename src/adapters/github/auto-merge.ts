/**
 * What GitHub offers for a pull request in GraphQL alone: merging it by itself when all that is required is there,
 * and taking it out of draft. https://docs.github.com/graphql/reference/mutations#enablepullrequestautomerge
 */

import type { AutoMergeOutcome, MergeMethod } from '../../ports/pull-requests.ts';
import type { PullRequest, Repository } from '../../ports.ts';
import type { GitHub } from './github.ts';
import { isRefused } from './refusal.ts';

const enableDocument = `
  mutation ($pullRequestId: ID!, $expectedHeadOid: GitObjectID!, $mergeMethod: PullRequestMergeMethod!) {
    enablePullRequestAutoMerge(
      input: { pullRequestId: $pullRequestId, expectedHeadOid: $expectedHeadOid, mergeMethod: $mergeMethod }
    ) { clientMutationId }
  }`;

const markReadyDocument = `
  mutation ($pullRequestId: ID!) {
    markPullRequestReadyForReview(input: { pullRequestId: $pullRequestId }) { clientMutationId }
  }`;

const methodNames: Readonly<Record<MergeMethod, string>> = {
  merge: 'MERGE',
  squash: 'SQUASH',
  rebase: 'REBASE',
};

/**
 * GitHub's words, all under one type of error, and what they mean. It puts "Pull request" before each, also where it
 * stands already. https://github.com/peter-evans/enable-pull-request-automerge/issues/343
 */
const refusals: readonly (readonly [RegExp, AutoMergeOutcome])[] = [
  [/auto.?merge is already enabled/i, 'enabled'],
  [/auto.?merge is not allowed/i, 'not-allowed'],
  [/merge method .+ not allowed/i, 'method-not-allowed'],
  [/protected branch rules not configured/i, 'nothing-required'],
  [/in (clean|unstable|has_hooks) status/i, 'already-mergeable'],
  // What older servers say of the same.
  [/not in the correct state to enable auto-merge/i, 'already-mergeable'],
  [/in draft (state|status)/i, 'draft'],
  [/pull request is (closed|merged)/i, 'closed'],
  [/head branch was modified|head (sha|oid)/i, 'moved'],
];

/** Done once; enabled twice is enabled. Throws WorldProblem for a refusal that is not expected. */
export async function enableAutoMerge(
  github: GitHub,
  repository: Repository,
  pullRequest: Pick<PullRequest, 'nodeId' | 'headSha'>,
  method: MergeMethod,
): Promise<AutoMergeOutcome> {
  const { octokit } = await github.voice(repository);
  try {
    await octokit.graphql(enableDocument, {
      pullRequestId: pullRequest.nodeId,
      expectedHeadOid: pullRequest.headSha,
      mergeMethod: methodNames[method],
    });
    return 'enabled';
  } catch (error) {
    const known = refusals.find(([words]) => isRefused(error, 422, words));
    if (known === undefined) throw error;
    return known[1];
  }
}

/** Nothing happens to one that is no draft (any more). */
export async function markReadyForReview(
  github: GitHub,
  repository: Repository,
  pullRequest: Pick<PullRequest, 'nodeId'>,
): Promise<void> {
  const { octokit } = await github.voice(repository);
  await octokit.graphql(markReadyDocument, { pullRequestId: pullRequest.nodeId });
}
