import { expect, test } from 'vitest';
import { api, eachTestHasItsOwnGitHub, gitops, installed, path, sha, world } from './world.ts';

eachTestHasItsOwnGitHub();

const pull = { nodeId: 'PR_kwDOA41', headSha: sha('4ead') };

/** An answer of GraphQL that says no. */
function no(message: string, type: string | undefined = 'UNPROCESSABLE'): object {
  return { data: { enablePullRequestAutoMerge: null }, errors: [{ type, message }] };
}

test('auto-merge is turned on for the head that we know, by the method that is wanted', async () => {
  installed();
  const { forge, sent } = world();
  api()
    .post('/graphql')
    .reply(200, { data: { enablePullRequestAutoMerge: { clientMutationId: null } } });
  expect(await forge.enableAutoMerge(gitops, pull, 'rebase')).toBe('enabled');
  expect(sent.map(({ path: at, body }) => [at, (body as { variables: object }).variables])).toEqual([
    ['/graphql', { pullRequestId: 'PR_kwDOA41', expectedHeadOid: sha('4ead'), mergeMethod: 'REBASE' }],
  ]);
});

test.each([
  ['Pull request Auto merge is already enabled', 'enabled'],
  ['Pull request Auto merge is not allowed for this repository', 'not-allowed'],
  ['Merge method squash merging is not allowed on this repository', 'method-not-allowed'],
  ['Pull request Protected branch rules not configured for this branch', 'nothing-required'],
  ['Pull request Pull request is in clean status', 'already-mergeable'],
  ['Pull request Pull request is in unstable status', 'already-mergeable'],
  ['Pull request is not in the correct state to enable auto-merge', 'already-mergeable'],
  ['Pull request Pull request is in draft state', 'draft'],
  ['Pull request Pull request is closed', 'closed'],
  ['Head branch was modified. Review and try the merge again.', 'moved'],
])('"%s" is %s', async (words, outcome) => {
  installed();
  api().post('/graphql').reply(200, no(words));
  expect(await world().forge.enableAutoMerge(gitops, pull, 'squash')).toBe(outcome);
});

test('a refusal that we do not know, a right that is missing and a pull request that is gone are told in words', async () => {
  installed();
  const { forge } = world();
  const told: string[] = [];
  for (const answer of [
    no('Pull request is on the far side of the moon'),
    no('Resource not accessible by integration', 'FORBIDDEN'),
    no("Could not resolve to a node with the global id of 'PR_1'", 'NOT_FOUND'),
    no("Field 'merge' doesn't exist on type 'Mutation'", undefined),
    no('Something went wrong on our end', 'INTERNAL'),
  ]) {
    api().post('/graphql').reply(200, answer);
    await forge
      .enableAutoMerge(gitops, pull, 'merge')
      .catch((problem: { kind: string; message: string }) =>
        told.push(`${problem.kind}: ${problem.message}`),
      );
  }
  expect(told).toMatchInlineSnapshot(`
    [
      "permanent: GitHub refused to turn on auto-merge in example-org/gitops (422: Pull request is on the far side of the moon). It finds the request invalid. Please report this with the words above.",
      "permanent: GitHub refused to turn on auto-merge in example-org/gitops (403: Resource not accessible by integration). The App lacks a permission. Grant what the installation guide lists, and let an owner accept it.",
      "permanent: GitHub refused to turn on auto-merge in example-org/gitops (404: Could not resolve to a node with the global id of 'PR_1'). It is not there, or the App may not see it: GitHub answers the same to both. Check that the App is installed on this repository and that the repository was not deleted or moved to another owner.",
      "permanent: GitHub refused to turn on auto-merge in example-org/gitops (422: Field 'merge' doesn't exist on type 'Mutation'). It finds the request invalid. Please report this with the words above.",
      "transient: GitHub has trouble itself (502: Something went wrong on our end), so Stepback could not turn on auto-merge in example-org/gitops. Stepback tries again; githubstatus.com or the people who run your Enterprise Server know more.",
    ]
  `);
});

test('an answer of trouble is not tried again by itself, since nobody knows what it did', async () => {
  installed();
  const { forge, sent } = world();
  const words =
    'Something went wrong while executing your query. Please include `AB:12` when reporting this issue.';
  api()
    .post('/graphql')
    .reply(200, { data: null, errors: [{ message: words }] });
  await expect(forge.enableAutoMerge(gitops, pull, 'merge')).rejects.toMatchObject({ kind: 'transient' });
  expect(sent).toHaveLength(1);
});

test('the limit of GraphQL holds back what comes after it', async () => {
  installed();
  const { forge, clock, sent } = world();
  const date = new Date(clock.now()).toUTCString();
  const reset = String(clock.now() / 1000 + 120);
  api().post('/graphql').reply(200, no('API rate limit exceeded for installation ID 42.', 'RATE_LIMITED'), {
    date,
    'x-ratelimit-remaining': '0',
    'x-ratelimit-reset': reset,
  });
  await expect(forge.markReadyForReview(gitops, pull)).rejects.toMatchObject({ kind: 'transient' });
  await expect(forge.addLabels(gitops, 41, ['stepback'])).rejects.toMatchObject({ kind: 'transient' });
  expect(sent).toHaveLength(1);
  clock.leap(160_000);
  api().post(`${path}/issues/41/labels`).reply(200, []);
  await forge.addLabels(gitops, 41, ['stepback']);
});

test('a draft is marked ready, on an Enterprise Server beside its REST API', async () => {
  const { forge, sent } = world({ baseUrl: 'https://ghe.example.com/api/v3' });
  const { api: at } = { api: (await import('nock')).default('https://ghe.example.com') };
  at.get(`/api/v3${path}/installation`).reply(200, {
    id: 42,
    app_id: 7,
    app_slug: 'stepback',
    suspended_at: null,
  });
  at.post('/api/v3/app/installations/42/access_tokens').reply(201, {
    token: 'ghs_one',
    expires_at: '2100-01-01T00:00:00Z',
  });
  at.post('/api/graphql').reply(200, { data: { markPullRequestReadyForReview: { clientMutationId: null } } });
  await forge.markReadyForReview({ ...gitops, host: 'ghe.example.com' }, pull);
  expect(sent).toMatchObject([
    { path: '/api/graphql', body: { variables: { pullRequestId: 'PR_kwDOA41' } } },
  ]);
});
