/**
 * What GitHub offers for a pull request in GraphQL alone: merging it by itself when all that is required is there,
 * and taking it out of draft; and what is required. https://docs.github.com/graphql/reference/mutations#enablepullrequestautomerge
 */

import type { AutoMergeOutcome, MergeMethod } from '../../ports/pull-requests.ts';
import type { PullRequest, Repository } from '../../ports.ts';
import type { GitHub } from './github.ts';
import { pageSize } from './paging.ts';
import { isRefused } from './refusal.ts';

const enableDocument = `
  mutation ($pullRequestId: ID!, $expectedHeadOid: GitObjectID!, $mergeMethod: PullRequestMergeMethod!) {
    enablePullRequestAutoMerge(
      input: { pullRequestId: $pullRequestId, expectedHeadOid: $expectedHeadOid, mergeMethod: $mergeMethod }
    ) { clientMutationId }
  }`;

const disableDocument = `
  mutation ($pullRequestId: ID!) {
    disablePullRequestAutoMerge(input: { pullRequestId: $pullRequestId }) { clientMutationId }
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

/** One whose auto-merge is off already, or that is merged or closed, is as it should be. */
export async function disableAutoMerge(
  github: GitHub,
  repository: Repository,
  pullRequest: Pick<PullRequest, 'nodeId'>,
): Promise<void> {
  const { octokit } = await github.voice(repository);
  try {
    await octokit.graphql(disableDocument, { pullRequestId: pullRequest.nodeId });
  } catch (error) {
    if (!isRefused(error, 422)) throw error;
  }
}

/**
 * Names of the checks that a branch requires: of rulesets, also of the organisation, and of the older protection of
 * branches, which GitHub tells of in two places. https://docs.github.com/rest/repos/rules#get-rules-for-a-branch
 */
export async function readRequiredChecks(
  github: GitHub,
  repository: Repository,
  branch: string,
): Promise<readonly string[]> {
  const { octokit, here } = await github.voice(repository);
  const { data: rules } = await octokit.request('GET /repos/{owner}/{repo}/rules/branches/{branch}', {
    ...here,
    branch,
    per_page: pageSize,
  });
  const ofRules = rules.flatMap((rule) =>
    rule.type === 'required_status_checks'
      ? (rule.parameters?.required_status_checks ?? []).map(({ context }) => context)
      : [],
  );
  if (ofRules.length > 0) return [...new Set(ofRules)];
  const { data } = await octokit.request('GET /repos/{owner}/{repo}/branches/{branch}', { ...here, branch });
  const required = data.protection?.required_status_checks;
  return required?.enforcement_level === 'off' ? [] : (required?.contexts ?? []);
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
