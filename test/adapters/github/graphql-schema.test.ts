/** The check itself: a check that lets everything pass would prove nothing. */
import { expect, test } from 'vitest';
import { checkAgainstGraphqlSchema } from './graphql-schema.ts';

const given = { id: 'PR_1', how: 'SQUASH' };
const query = `mutation ($id: ID!, $how: PullRequestMergeMethod!) {
  enablePullRequestAutoMerge(input: { pullRequestId: $id, mergeMethod: $how }) { clientMutationId }
}`;

test('takes what GitHub takes', async () => {
  await checkAgainstGraphqlSchema({ query, variables: given });
});

test.each([
  ['an unknown mutation', query.replace('enablePull', 'enabledPull'), given],
  ['an unknown field', query.replace('mergeMethod', 'method'), given],
  ['a missing field', query.replace('pullRequestId: $id, ', ''), given],
  ['a variable of the wrong type', query.replace('$id: ID', '$id: Int'), given],
  ['a variable that is missing', query, { id: 'PR_1' }],
  ['a variable too many', query, { ...given, why: 'x' }],
  ['a value that is not among the allowed', query, { ...given, how: 'squash' }],
])('refuses %s', async (_, document, variables) => {
  await expect(checkAgainstGraphqlSchema({ query: document, variables })).rejects.toThrow(/^GraphQL: /);
});
