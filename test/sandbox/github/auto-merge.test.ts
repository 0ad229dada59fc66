import { expect, test } from 'vitest';
import { startWorld } from './world.ts';

test('auto-merge waits for the required check, and says why it cannot be had', async () => {
  const world = await startWorld();
  const { github, repo } = world;
  const number = github.propose(repo, {
    by: 'rene',
    branch: 'more',
    title: 'Two replicas',
    files: { more: '' },
  });
  const id = (await world.get(`pulls/${number}`)).body.node_id;
  const query = `mutation Auto($id: ID!, $method: PullRequestMergeMethod!) {
    enablePullRequestAutoMerge(input: { pullRequestId: $id, mergeMethod: $method, commitHeadline: "Land it" }) {
      pullRequest { number autoMergeRequest { mergeMethod enabledBy { login } } }
    }
  }`;
  const enable = async () =>
    (await world.call('POST', '/graphql', { query, variables: { id, method: 'SQUASH' } })).body;
  expect(await enable()).toMatchObject({
    data: { enablePullRequestAutoMerge: null },
    errors: [
      {
        type: 'UNPROCESSABLE',
        path: ['enablePullRequestAutoMerge'],
        message: 'Pull request Protected branch rules not configured for this branch',
      },
    ],
  });
  github.protectBranch(repo, 'main', { requiredChecks: ['build'] });
  expect(await enable()).toEqual({
    data: {
      enablePullRequestAutoMerge: {
        pullRequest: {
          number,
          autoMergeRequest: { mergeMethod: 'SQUASH', enabledBy: { login: 'stepback[bot]' } },
        },
      },
    },
  });
  expect((await world.get(`pulls/${number}`)).body).toMatchObject({
    mergeable_state: 'blocked',
    auto_merge: { merge_method: 'squash', commit_title: 'Land it' },
  });
  const pressed = await world.call('PUT', world.path(`pulls/${number}/merge`), {});
  expect(pressed).toMatchObject({
    status: 405,
    body: { message: 'Required status check "build" is expected.' },
  });
  const sha = github.head(repo, 'more') as string;
  github.reportCheck(repo, { name: 'build', sha });
  expect(github.pullRequest(repo, number)?.state).toBe('open');
  github.reportCheck(repo, { name: 'build', sha, conclusion: 'success' });
  expect(github.pullRequest(repo, number)).toMatchObject({ state: 'merged', mergedBy: 'stepback[bot]' });
  expect(github.commits(repo, 'main', 1)).toMatchObject([{ subject: 'Land it' }]);
});

test('auto-merge of what could be merged at once is refused, and a draft is made ready in GraphQL', async () => {
  const world = await startWorld();
  const { github, repo } = world;
  github.protectBranch(repo, 'main', {});
  github.commit(repo, { author: 'dana', branch: 'draft', message: 'Draft', files: { d: '' } });
  const number = github.openPullRequest(repo, { by: 'dana', head: 'draft', title: 'Draft', draft: true });
  const id = (await world.get(`pulls/${number}`)).body.node_id;
  const mutate = async (name: string, input = `{pullRequestId: "${id}"}`) =>
    (
      await world.call('POST', '/graphql', {
        query: `mutation { ${name}(input: ${input}) { pullRequest { isDraft } } }`,
      })
    ).body;
  expect((await mutate('enablePullRequestAutoMerge')).errors[0].message).toBe(
    'Pull request Pull request is in draft state',
  );
  expect(await mutate('markPullRequestReadyForReview')).toEqual({
    data: { markPullRequestReadyForReview: { pullRequest: { isDraft: false } } },
  });
  expect((await mutate('enablePullRequestAutoMerge')).errors[0].message).toBe(
    'Pull request Pull request is in clean status',
  );
  expect((await mutate('markPullRequestReadyForReview', '{pullRequestId: "PR_x"}')).errors[0].type).toBe(
    'NOT_FOUND',
  );
  expect((await mutate('markPullRequestReadyForReview', '{')).errors[0].message).toMatch(/^Parse error/);
  expect(await world.heard('pull_request', 'ready_for_review')).toHaveLength(1);
});
