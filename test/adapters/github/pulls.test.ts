import { expect, test } from 'vitest';
import {
  accounts,
  api,
  eachTestHasItsOwnGitHub,
  gitops,
  installed,
  path,
  rawCommit,
  rawPull,
  sha,
  world,
} from './world.ts';

eachTestHasItsOwnGitHub();

const pulls = `${path}/pulls`;
const wanted = {
  title: 'Revert "Raise the memory limit"',
  body: 'Why',
  head: 'stepback/revert',
  base: 'main',
  isDraft: true,
};

test('a pull request is opened with one request and comes back whole', async () => {
  installed();
  const { forge, sent } = world();
  api()
    .post(pulls, { title: wanted.title, body: 'Why', head: 'stepback/revert', base: 'main', draft: true })
    .reply(201, rawPull({ draft: true }));
  expect(await forge.createPullRequest(gitops, wanted)).toMatchInlineSnapshot(`
    {
      "kind": "created",
      "pullRequest": {
        "author": {
          "login": "stepback[bot]",
          "name": "stepback[bot]",
        },
        "baseBranch": "main",
        "body": "",
        "createdAt": 1785554045000,
        "headBranch": "stepback/revert",
        "headSha": "4ead000000000000000000000000000000000000",
        "isAutoMergeOn": false,
        "isDraft": true,
        "isFromFork": false,
        "isMerged": false,
        "isOurs": true,
        "labels": [
          "stepback",
        ],
        "mergeCommit": null,
        "mergedAt": null,
        "nodeId": "PR_kwDOA41",
        "number": 41,
        "state": "open",
        "title": "Revert "Raise the memory limit"",
        "url": "https://github.com/example-org/gitops/pull/41",
      },
    }
  `);
  expect(sent).toHaveLength(1);
});

test('a trial merge of an open pull request is not its merge commit', async () => {
  installed();
  const { forge } = world();
  api().get(`${pulls}/41`).reply(200, rawPull());
  expect(await forge.pullRequest(gitops, 41)).toMatchObject({ isMerged: false, mergeCommit: null });
  api()
    .get(`${pulls}/41`)
    .reply(200, rawPull({ state: 'closed', merged_at: '2026-08-01T10:00:00Z', merge_commit_sha: sha('a3') }));
  expect(await forge.pullRequest(gitops, 41)).toMatchObject({
    state: 'closed',
    isMerged: true,
    mergeCommit: sha('a3'),
    mergedAt: Date.UTC(2026, 7, 1, 10),
  });
});

test('ours is what our account opened; a name, another bot or a deleted account is not', async () => {
  installed();
  const { forge } = world();
  for (const [user, isOurs] of [
    [accounts.app, true],
    [{ ...accounts.app, login: 'Stepback[bot]' }, true],
    [accounts.otherBot, false],
    [accounts.pretender, false],
    [{ ...accounts.app, type: 'User' }, false],
    [null, false],
  ] as const) {
    api()
      .get(`${pulls}/41`)
      .reply(200, rawPull({ user, body: '<!-- stepback: ours -->' }));
    expect(await forge.pullRequest(gitops, 41)).toMatchObject({ isOurs });
  }
});

test('a pull request that does not exist is null when the repository is seen', async () => {
  installed();
  api().get(`${pulls}/9`).reply(404, { message: 'Not Found' });
  api().get(path).reply(200, {});
  expect(await world().forge.pullRequest(gitops, 9)).toBeNull();
});

test('a branch of that name in a fork of the same owner is not ours', async () => {
  installed();
  api()
    .get(pulls)
    .query(true)
    .reply(200, [
      rawPull({
        number: 43,
        head: { ref: 'stepback/revert', sha: sha('f0'), repo: { full_name: 'example-org/fork' } },
      }),
      rawPull({ number: 42, head: { ref: 'stepback/revert', sha: sha('f1'), repo: null } }),
      rawPull({ number: 41 }),
    ]);
  const found = await world().forge.pullRequestsFrom(gitops, 'stepback/revert');
  expect(found.map(({ number }) => number)).toEqual([41]);
});

test('pull requests of a commit come merged ones first, over all pages', async () => {
  installed();
  const at = `${path}/commits/${sha('c0')}/pulls`;
  const next = { link: `<https://api.github.com${at}?page=2>; rel="next", <https://x>; rel="last"` };
  api()
    .get(at)
    .query({ per_page: 100, page: 1 })
    .reply(200, [rawPull({ number: 9 })], next);
  api()
    .get(at)
    .query({ per_page: 100, page: 2 })
    .reply(200, [rawPull({ number: 8, merged_at: '2026-08-01T10:00:00Z' })]);
  const found = await world().forge.pullRequestsOf(gitops, sha('c0'));
  expect(found.map(({ number }) => number)).toEqual([8, 9]);
});

const nothingBetween = {
  message: 'Validation Failed',
  errors: [
    { resource: 'PullRequest', code: 'custom', message: 'No commits between main and stepback/revert' },
  ],
};
const between = `${path}/compare/main...stepback%2Frevert`;

/** What comparing main with the revert branch answers. */
function comparison(change: { aheadBy: number; baseTree: string; headTree: string }): object {
  return {
    ahead_by: change.aheadBy,
    total_commits: change.aheadBy,
    base_commit: rawCommit({ sha: sha('ba5e'), tree: change.baseTree }),
    commits: Array.from({ length: change.aheadBy }, () =>
      rawCommit({ sha: sha('c1'), tree: change.headTree }),
    ),
  };
}

test('nothing between: the branch brings no commit of its own', async () => {
  installed();
  api().post(pulls).reply(422, nothingBetween);
  api()
    .get(between)
    .query(true)
    .reply(200, comparison({ aheadBy: 0, baseTree: sha('7ee1'), headTree: sha('7ee2') }));
  expect(await world().forge.createPullRequest(gitops, wanted)).toEqual({ kind: 'nothing-between' });
});

test('nothing between, though the trees differ: GitHub has not seen the branch yet and is asked again', async () => {
  installed();
  const { forge, clock } = world();
  api().post(pulls).times(2).reply(422, nothingBetween);
  api()
    .get(between)
    .query(true)
    .times(2)
    .reply(200, comparison({ aheadBy: 1, baseTree: sha('7ee1'), headTree: sha('7ee2') }));
  api().post(pulls).reply(201, rawPull());
  expect(await forge.createPullRequest(gitops, wanted)).toMatchObject({ kind: 'created' });
  expect(clock.waits).toEqual([500, 1_000]);
});

test('a head that GitHub does not see for seconds is a problem for the next look', async () => {
  installed();
  api()
    .post(pulls)
    .times(4)
    .reply(422, {
      message: 'Validation Failed',
      errors: [{ resource: 'PullRequest', field: 'head', code: 'invalid' }],
    });
  const opening = world().forge.createPullRequest(gitops, wanted);
  await expect(opening).rejects.toMatchObject({ kind: 'transient' });
  await expect(opening).rejects.toThrowErrorMatchingInlineSnapshot(
    `[WorldProblem: GitHub does not see the new branch stepback/revert of example-org/gitops yet, so the pull request could not be opened. Stepback tries again in a moment.]`,
  );
});

test('a refusal that we do not know is quoted', async () => {
  installed();
  api()
    .post(pulls)
    .reply(422, { message: 'Validation Failed', errors: ['You are not on the list of\nreviewers'] });
  await expect(world().forge.createPullRequest(gitops, wanted)).rejects.toThrowErrorMatchingInlineSnapshot(
    `[WorldProblem: GitHub refused to open a pull request in example-org/gitops (422: Validation Failed, You are not on the list of reviewers). It finds the request invalid. Please report this with the words above.]`,
  );
});

test('only what is to change is sent', async () => {
  installed();
  api().patch(`${pulls}/41`, { state: 'closed' }).reply(200, rawPull());
  await world().forge.updatePullRequest(gitops, 41, { state: 'closed' });
});
