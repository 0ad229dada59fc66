import { expect, it } from 'vitest';
import { requestsToPullRequest } from '../../bench/requests.ts';
import { stories } from '../../src/sandbox/stories/all.ts';

const storyNamed = (name: string) => stories.find((story) => story.name === name);

it('takes four requests, one after the other, from the decision to the open pull request when nothing landed since', async () => {
  expect(await requestsToPullRequest()).toMatchInlineSnapshot(`
    [
      "GET /repos/{owner}/{repo}/branches/{branch}",
      "POST /repos/{owner}/{repo}/git/commits",
      "POST /repos/{owner}/{repo}/git/refs",
      "POST /repos/{owner}/{repo}/pulls",
    ]
  `);
});

it('takes no more than six when other changes landed since', async () => {
  const requests = await requestsToPullRequest(storyNamed('monorepo'));
  expect(requests.at(-1)).toBe('POST /repos/{owner}/{repo}/pulls');
  expect(requests.length).toBeLessThanOrEqual(6);
});
