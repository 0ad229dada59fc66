import { expect, test } from 'vitest';
import { accounts, api, eachTestHasItsOwnGitHub, gitops, installed, path, rawPull, world } from './world.ts';

eachTestHasItsOwnGitHub();

const pulls = `${path}/pulls`;
const files = `${pulls}/41/files`;
const next = (at: string) => ({ link: `<https://api.github.com${at}?page=2>; rel="next"` });

test('open pull requests come the latest changed first, over all pages', async () => {
  installed();
  const query = { state: 'open', base: 'release/1', sort: 'updated', direction: 'desc', per_page: 100 };
  api()
    .get(pulls)
    .query({ ...query, page: 1 })
    .reply(200, [rawPull({ number: 9, user: accounts.person, draft: true })], next(pulls));
  api()
    .get(pulls)
    .query({ ...query, page: 2 })
    .reply(200, [rawPull({ number: 8, node_id: 'PR_8' })]);
  const { pullRequests, isComplete } = await world().forge.openPullRequests(gitops, 'release/1');
  expect(isComplete).toBe(true);
  expect(pullRequests).toMatchObject([
    { number: 9, author: { login: 'dev' }, isDraft: true, isOurs: false, labels: ['stepback'] },
    { number: 8, nodeId: 'PR_8', isDraft: false, isOurs: true },
  ]);
});

test('of more open pull requests than a thousand the rest is not asked for, and the list says so', async () => {
  installed();
  const page = Array.from({ length: 100 }, (_, index) => rawPull({ number: index + 1 }));
  api().get(pulls).query(true).times(10).reply(200, page, next(pulls));
  const { pullRequests, isComplete } = await world().forge.openPullRequests(gitops, 'main');
  expect([pullRequests.length, isComplete]).toEqual([1_000, false]);
});

test('files of a pull request come over all pages, with the names they had', async () => {
  installed();
  api()
    .get(files)
    .query({ per_page: 100, page: 1 })
    .reply(200, [{ filename: 'a.yaml', status: 'modified' }], next(files));
  api()
    .get(files)
    .query({ per_page: 100, page: 2 })
    .reply(200, [{ filename: 'c.yaml', status: 'renamed', previous_filename: 'b.yaml' }]);
  expect(await world().forge.filesOfPullRequest(gitops, 41)).toEqual({
    isComplete: true,
    files: [
      { path: 'a.yaml', previousPath: null, change: 'modified' },
      { path: 'c.yaml', previousPath: 'b.yaml', change: 'renamed' },
    ],
  });
});

test('three thousand files are a list that GitHub may have cut', async () => {
  installed();
  const page = Array.from({ length: 100 }, (_, index) => ({ filename: `${index}.yaml`, status: 'added' }));
  api().get(files).query(true).times(29).reply(200, page, next(files));
  api().get(files).query({ per_page: 100, page: 30 }).reply(200, page);
  const { files: read, isComplete } = await world().forge.filesOfPullRequest(gitops, 41);
  expect([read.length, isComplete]).toEqual([3_000, false]);
});

test('a comparison that takes GitHub too long is a list of which nothing may be concluded', async () => {
  installed();
  api()
    .get(files)
    .query(true)
    .reply(422, {
      message: 'Server Error: Sorry, this diff is taking too long to generate.',
      errors: [{ resource: 'PullRequest', field: 'diff', code: 'not_available' }],
    });
  expect(await world().forge.filesOfPullRequest(gitops, 41)).toEqual({ files: [], isComplete: false });
});

test('a pull request that is not there has no files to tell of', async () => {
  installed();
  api().get(files).query(true).reply(404, { message: 'Not Found' });
  await expect(world().forge.filesOfPullRequest(gitops, 41)).rejects.toMatchObject({ kind: 'permanent' });
});

test('of closed pull requests no more is read than was changed since, and of all only ours counts', async () => {
  installed();
  const query = { sort: 'updated', direction: 'desc', per_page: 100 };
  const at = (day: number): string => `2026-08-0${day}T00:00:00Z`;
  api()
    .get(pulls)
    .query({ ...query, state: 'open', page: 1 })
    .reply(200, [rawPull({ number: 9 }), rawPull({ number: 8, user: accounts.person })]);
  api()
    .get(pulls)
    .query({ ...query, state: 'closed', page: 1 })
    .reply(
      200,
      [
        rawPull({ number: 7, state: 'closed', updated_at: at(5) }),
        rawPull({ number: 6, state: 'closed', updated_at: at(4), user: accounts.person }),
        rawPull({ number: 5, state: 'closed', updated_at: at(2) }),
      ],
      next(pulls),
    );
  const found = await world().forge.ownPullRequests(gitops, Date.parse(at(3)));
  expect(found.map(({ number, state }) => [number, state])).toEqual([
    [9, 'open'],
    [7, 'closed'],
  ]);
});
