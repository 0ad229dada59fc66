import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { type Reply, startWorld, type World } from './world.ts';

const say = ({ status, body }: Reply) =>
  [
    status,
    body?.message,
    ...(body?.errors ?? []).map((error: Record<string, string>) => JSON.stringify(error)),
  ].join(' ');

/** Two commits on a branch with an open pull request; returns its number. */
function proposal(world: World, branch = 'more'): number {
  const { github, repo } = world;
  const number = github.propose(repo, {
    by: 'rene',
    branch,
    title: 'Two replicas',
    files: { 'apps/shop/values.yaml': 'replicas: 2\nimage: shop:1\n' },
  });
  github.commit(repo, {
    author: 'toni',
    branch,
    message: `Note it\n\nFor ${branch}`,
    files: { [`notes/${branch}.md`]: 'noted\n' },
  });
  return number;
}

test('a pull request is opened, read, listed, edited, closed and opened again', async () => {
  const world = await startWorld();
  const { github, repo } = world;
  const sha = github.commit(repo, {
    author: 'dana',
    branch: 'revert/shop',
    message: 'Revert',
    files: { a: 'a\n' },
  });
  const opened = await world.post('pulls', {
    title: 'Revert "x"',
    head: 'revert/shop',
    base: 'main',
    body: 'Why',
    draft: true,
  });
  expect(opened.status).toBe(201);
  const { number, node_id: node } = opened.body;
  expect(opened.body).toMatchObject({
    draft: true,
    mergeable_state: 'draft',
    user: { login: 'stepback[bot]', type: 'Bot' },
    additions: 1,
    commits: 1,
  });
  expect(node).toMatch(/^PR_/);
  const list = async (query: string) =>
    (await world.get(`pulls?${query}`)).body.map((pull: { number: number }) => pull.number);
  expect(await list('head=example-org:revert/shop&base=main')).toEqual([number]);
  expect(await list('head=revert/shop&base=main')).toEqual([]);
  expect(await list('state=closed')).toEqual([]);
  await world.patch(`pulls/${number}`, { title: 'Revert "y"', body: null, state: 'closed' });
  expect(await list('')).toEqual([]);
  expect((await world.get(`pulls/${number}`)).body).toMatchObject({
    title: 'Revert "y"',
    state: 'closed',
    merged: false,
  });
  await world.patch(`pulls/${number}`, { state: 'open' });
  expect(await list('state=open')).toEqual([number]);
  const told = (await world.heard('pull_request')).map(
    ({ action, sender }) => `${action} by ${sender.login}`,
  );
  expect(told).toEqual(
    ['opened', 'edited', 'closed', 'reopened'].map((action) => `${action} by stepback[bot]`),
  );
  expect((await world.get('git/ref/pull/1/head')).body.object.sha).toBe(sha);
});

test('GH05, GH06, GH14: the refusals of a new pull request can be told apart', async () => {
  const world = await startWorld();
  const { github, repo } = world;
  const open = async (body: object) =>
    say(await world.post('pulls', { title: 'Revert', head: 'revert/shop', base: 'main', ...body }));
  github.commit(repo, { author: 'dana', branch: 'revert/shop', message: 'Revert', files: { a: 'a' } });
  expect([
    await open({}),
    await open({}),
    await open({ base: 'master' }),
    await open({ head: 'nowhere' }),
    await open({ head: 'main' }),
    await open({ title: '' }),
    await open({ title: 'x'.repeat(257) }),
    await open({ body: 'x'.repeat(65_537) }),
  ]).toMatchInlineSnapshot(`
    [
      "201 ",
      "422 Validation Failed {"resource":"PullRequest","code":"custom","message":"A pull request already exists for example-org:revert/shop."}",
      "422 Validation Failed {"resource":"PullRequest","field":"base","code":"invalid"}",
      "422 Validation Failed {"resource":"PullRequest","field":"head","code":"invalid"}",
      "422 Validation Failed {"resource":"PullRequest","code":"custom","message":"No commits between main and main"}",
      "422 Validation Failed {"resource":"PullRequest","code":"missing_field","field":"title"}",
      "422 Validation Failed {"resource":"PullRequest","code":"custom","field":"title","message":"title is too long (maximum is 256 characters)"}",
      "422 Validation Failed {"resource":"PullRequest","code":"custom","field":"body","message":"body is too long (maximum is 65536 characters)"}",
    ]
  `);
});

test('GH15: a merge, a squash and a rebase leave different histories, and each commit knows its pull request', async () => {
  const world = await startWorld();
  const { github, repo } = world;
  const start = github.head(repo) as string;
  const merged = proposal(world, 'by-merge');
  github.mergePullRequest(repo, merged, { by: 'dana', method: 'merge' });
  const squashed = github.propose(repo, {
    by: 'rene',
    branch: 'by-squash',
    title: 'Squash me',
    files: { squashed: '1\n' },
  });
  github.mergePullRequest(repo, squashed, { by: 'dana', method: 'squash' });
  const rebased = github.propose(repo, {
    by: 'rene',
    branch: 'by-rebase',
    title: 'One',
    files: { one: '1\n' },
  });
  for (const name of ['two', 'three'])
    github.commit(repo, { author: 'toni', branch: 'by-rebase', message: name, files: { [name]: '1\n' } });
  github.commit(repo, { author: 'dana', message: 'In between', files: { between: '1\n' } });
  github.mergePullRequest(repo, rebased, { by: 'dana', method: 'rebase' });
  const log = execFileSync(
    'git',
    ['--git-dir=.', 'log', '--first-parent', '--reverse', '--format=%H|%P|%an|%cn|%s', `${start}..main`],
    {
      cwd: github.gitDirectory(repo),
      encoding: 'utf8',
    },
  );
  const seen = [];
  for (const line of log.trim().split('\n')) {
    const [sha, parents = '', author, committer, subject] = line.split('|');
    const pulls = (await world.get(`commits/${sha}/pulls`)).body.map(
      (pull: { number: number }) => `#${pull.number}`,
    );
    seen.push(
      `${parents.split(' ').length} ${pulls.join(' ') || 'none'} | ${author} | ${committer} | ${subject}`,
    );
  }
  expect(seen).toMatchInlineSnapshot(`
    [
      "2 #1 | Dana | GitHub | Merge pull request #1 from example-org/by-merge",
      "1 #2 | rene | GitHub | Squash me (#2)",
      "1 none | Dana | Dana | In between",
      "1 #3 | rene | Dana | One",
      "1 #3 | toni | Dana | two",
      "1 #3 | toni | Dana | three",
    ]
  `);
  expect(
    execFileSync('git', ['--git-dir=.', 'fsck', '--strict', '--no-dangling'], {
      cwd: github.gitDirectory(repo),
      encoding: 'utf8',
      stdio: 'pipe',
    }),
  ).toBe('');
});

test('the merge button over HTTP, and what it refuses', async () => {
  const world = await startWorld();
  const { github, repo } = world;
  const number = proposal(world);
  const merge = async (which: number, body: object = {}) =>
    say(await world.call('PUT', world.path(`pulls/${which}/merge`), body));
  const head = github.head(repo, 'more') as string;
  const conflicting = github.propose(repo, {
    by: 'toni',
    branch: 'other',
    base: 'main',
    title: 'Three replicas',
    files: { 'apps/shop/values.yaml': 'replicas: 3\n' },
  });
  github.commit(repo, { author: 'dana', branch: 'draft', message: 'Draft', files: { d: '' } });
  const draft = github.openPullRequest(repo, { by: 'dana', head: 'draft', title: 'Draft', draft: true });
  github.setRepository(repo, { allow: { rebase: false } });
  const refusals = [
    await merge(number, { sha: 'f'.repeat(40) }),
    await merge(number, { merge_method: 'rebase' }),
    await merge(draft),
    await merge(99),
  ];
  const done = await world.call('PUT', world.path(`pulls/${number}/merge`), {
    merge_method: 'squash',
    sha: head,
    commit_title: 'Own title',
  });
  expect(done.body).toEqual({
    sha: github.head(repo),
    merged: true,
    message: 'Pull Request successfully merged',
  });
  refusals.push(await merge(number), await merge(conflicting));
  expect(refusals).toMatchInlineSnapshot(`
    [
      "409 Head branch was modified. Review and try the merge again.",
      "405 Rebase merges are not allowed on this repository.",
      "405 Pull Request is still a draft",
      "404 Not Found",
      "405 Pull Request is not mergeable",
      "405 Pull Request is not mergeable",
    ]
  `);
  expect((await world.get(`pulls/${conflicting}`)).body).toMatchObject({
    mergeable: false,
    mergeable_state: 'dirty',
  });
  expect((await world.get(`pulls/${number}/merge`)).status).toBe(204);
  expect((await world.get(`pulls/${conflicting}/merge`)).status).toBe(404);
  expect((await world.get(`pulls/${number}`)).body).toMatchObject({
    merged: true,
    merged_by: { login: 'stepback[bot]' },
    merge_commit_sha: done.body.sha,
  });
  expect(github.commits(repo, 'main', 1)).toMatchObject([{ subject: 'Own title', verified: true }]);
});

test('a pull request has files and commits, and asks for reviews', async () => {
  const world = await startWorld();
  const number = proposal(world);
  world.github.addTeam('example-org', 'platform', ['dana']);
  const files = (await world.get(`pulls/${number}/files`)).body.map(
    ({ filename, status }: Record<string, string>) => `${status} ${filename}`,
  );
  expect(files).toEqual(['modified apps/shop/values.yaml', 'added notes/more.md']);
  const commits = (await world.get(`pulls/${number}/commits?per_page=1`)).body;
  expect(commits).toMatchObject([{ commit: { message: 'Two replicas' } }]);
  const ask = (body: object) => world.post(`pulls/${number}/requested_reviewers`, body);
  expect((await ask({ reviewers: ['dana'], team_reviewers: ['platform'] })).body).toMatchObject({
    requested_reviewers: [{ login: 'dana' }],
    requested_teams: [{ slug: 'platform' }],
  });
  expect((await ask({ reviewers: ['rene'] })).body.message).toBe(
    'Review cannot be requested from pull request author.',
  );
  expect((await ask({ reviewers: ['stranger'] })).body.message).toMatch(
    /^Reviews may only be requested from collaborators/,
  );
});

test('pull requests follow their branches: pushes, merges by hand, branches that go', async () => {
  const world = await startWorld();
  const { github, repo } = world;
  const [byHand, gone] = [proposal(world, 'by-hand'), proposal(world, 'gone')];
  const head = github.commit(repo, {
    author: 'rene',
    branch: 'by-hand',
    message: 'More',
    files: { more: '' },
  });
  const [sync] = (await world.heard('pull_request', 'synchronize')).slice(-1);
  expect(sync).toMatchObject({
    number: byHand,
    after: head,
    pull_request: { head: { sha: head }, commits: 3 },
  });
  github.push(repo, { branch: 'main', sha: head, by: 'dana' });
  github.push(repo, { branch: 'gone', sha: null, by: 'dana' });
  expect(github.pullRequests(repo).map(({ number, state, mergeSha }) => [number, state, mergeSha])).toEqual([
    [byHand, 'merged', head],
    [gone, 'closed', null],
  ]);
  const reopened = await world.patch(`pulls/${gone}`, { state: 'open' });
  expect(reopened.body.errors[0].message).toMatch(/branch has been deleted/);
});

test('GH14: after its default branch was renamed, the old name is redirected for branches and invalid as a base', async () => {
  const world = await startWorld();
  const { github, repo } = world;
  const number = proposal(world);
  github.renameBranch(repo, 'main', 'trunk', 'dana');
  expect((await world.get('')).body.default_branch).toBe('trunk');
  expect((await world.get('branches/main')).headers.get('location')).toMatch(/\/branches\/trunk$/);
  expect((await world.get('branches/trunk')).body.commit.sha).toBe(github.head(repo));
  expect((await world.get('git/ref/heads/main')).status).toBe(404);
  expect((await world.get(`pulls/${number}`)).body).toMatchObject({ state: 'open', base: { ref: 'trunk' } });
  const head = execFileSync('git', ['--git-dir=.', 'symbolic-ref', 'HEAD'], {
    cwd: github.gitDirectory(repo),
    encoding: 'utf8',
  });
  expect(head).toBe('refs/heads/trunk\n');
});
