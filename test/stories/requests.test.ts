import { expect, it } from 'vitest';
import { requestsToPullRequest } from '../../bench/requests.ts';
import { stories } from '../../src/sandbox/stories/all.ts';

const storyNamed = (name: string) => stories.find((story) => story.name === name);

it('takes four requests, one after the other, from the decision to the open pull request when nothing landed since', async () => {
  const rounds = await requestsToPullRequest();
  // Everything is read again side by side, and only then is anything written.
  expect(rounds.map((round) => round.split(' + '))).toMatchInlineSnapshot(`
    [
      [
        "GET /repos/acme/payments/branches/main",
        "GET /repos/acme/payments/contents/.github/stepback.yaml",
        "GET /repos/acme/payments/contents/.github/stepback.yaml",
        "GET /repos/acme/payments/issues",
        "GET /repos/acme/payments/pulls",
        "GET /repos/acme/payments/pulls",
        "GET /repos/acme/payments/pulls/2",
      ],
      [
        "POST /repos/acme/payments/git/commits",
      ],
      [
        "POST /repos/acme/payments/git/refs",
      ],
      [
        "POST /repos/acme/payments/pulls",
      ],
    ]
  `);
});

it('takes no more than six when other changes landed since', async () => {
  const rounds = await requestsToPullRequest(storyNamed('monorepo'));
  expect(rounds.at(-1)).toBe('POST /repos/acme/payments/pulls');
  expect(rounds.length).toBeLessThanOrEqual(6);
});
