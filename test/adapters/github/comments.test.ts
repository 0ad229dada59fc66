import { expect, test } from 'vitest';
import { accounts, api, eachTestHasItsOwnGitHub, gitops, installed, path, world } from './world.ts';

eachTestHasItsOwnGitHub();

const at = `${path}/issues/7/comments`;

function rawComment(change: object): object {
  return { id: 1, body: 'x', user: accounts.person, created_at: '2026-08-01T10:00:00Z', ...change };
}

test('comments come oldest first over all pages, and a marker typed by somebody else makes none ours', async () => {
  installed();
  const marker = '<!-- stepback:sticky shop -->';
  const next = { link: '<https://elsewhere.example/page2>; rel="next"' };
  api()
    .get(at)
    .query({ per_page: 100, page: 1 })
    .reply(
      200,
      [
        rawComment({ id: 1, body: marker, user: accounts.person }),
        rawComment({ id: 2, body: marker, user: accounts.pretender }),
        rawComment({ id: 3, body: marker, user: accounts.otherBot, performed_via_github_app: { id: 8 } }),
        rawComment({ id: 4, body: null, user: null }),
      ],
      next,
    );
  api()
    .get(at)
    .query({ per_page: 100, page: 2 })
    .reply(200, [
      rawComment({ id: 5, body: marker, user: accounts.app, performed_via_github_app: { id: 7 } }),
      rawComment({ id: 6, body: marker, user: accounts.app, performed_via_github_app: null }),
      rawComment({
        id: 7,
        user: { login: 'old-name[bot]', type: 'Bot' },
        performed_via_github_app: { id: 7 },
      }),
    ]);
  const comments = await world().forge.comments(gitops, 7);
  expect(
    comments.map(({ id, author, isOurs }) => `${id} ${author} ${isOurs ? 'ours' : ''}`.trim()),
  ).toMatchInlineSnapshot(`
    [
      "1 dev",
      "2 stepback",
      "3 renovate[bot]",
      "4 ghost",
      "5 stepback[bot] ours",
      "6 stepback[bot] ours",
      "7 old-name[bot] ours",
    ]
  `);
});

test('a comment is created and edited', async () => {
  installed();
  const { forge } = world();
  api().post(at, { body: 'Hello' }).reply(201, { id: 12 });
  expect(await forge.createComment(gitops, 7, 'Hello')).toBe(12);
  api().patch(`${path}/issues/comments/12`, { body: 'Hello again' }).reply(200, { id: 12 });
  expect(await forge.updateComment(gitops, 12, 'Hello again')).toBe('done');
  api().patch(`${path}/issues/comments/13`).reply(404, { message: 'Not Found' });
  api().get(path).reply(200, {});
  expect(await forge.updateComment(gitops, 13, 'Hello again')).toBe('gone');
});

test('a comment is taken away, also when it is gone already', async () => {
  installed();
  const { forge } = world();
  api().delete(`${path}/issues/comments/12`).reply(204);
  await forge.deleteComment(gitops, 12);
  api().delete(`${path}/issues/comments/13`).reply(404, { message: 'Not Found' });
  api().get(path).reply(200, {});
  await forge.deleteComment(gitops, 13);
});

test('a conversation that is locked or gone is a problem in words', async () => {
  installed();
  const { forge } = world();
  api().post(at).reply(403, { message: 'Unable to create comment because issue is locked.' });
  await expect(forge.createComment(gitops, 7, 'Hello')).rejects.toThrowErrorMatchingInlineSnapshot(
    `[WorldProblem: GitHub refused to comment on #7 in example-org/gitops (403: Unable to create comment because issue is locked.). The conversation is locked. Unlock it, or read in the pull request of the revert what Stepback has to say.]`,
  );
  api().post(at).reply(410, { message: 'This issue was deleted' });
  await expect(forge.createComment(gitops, 7, 'Hello')).rejects.toThrowErrorMatchingInlineSnapshot(
    `[WorldProblem: GitHub refused to comment on #7 in example-org/gitops (410: This issue was deleted). What it is about was deleted, or issues are switched off in the repository. Nothing has to be done.]`,
  );
});

test('a reaction is given once or twice, and not to what is gone', async () => {
  installed();
  const { forge } = world();
  const reactions = `${path}/issues/comments/12/reactions`;
  api().post(reactions, { content: 'eyes' }).reply(502, {});
  api().post(reactions, { content: 'eyes' }).reply(200, { id: 1 });
  expect(await forge.react(gitops, 12, 'eyes')).toBe('done');
  api().post(reactions).reply(404, { message: 'Not Found' });
  api().get(path).reply(200, {});
  expect(await forge.react(gitops, 12, '+1')).toBe('gone');
});
