import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startWorld, type World } from './world.ts';

/** `count` commits on main, each of its own file. */
function commitMany(world: World, count: number, filesEach = 1): string[] {
  const commits = Array.from({ length: count }, (_, i) => ({
    author: 'dana',
    message: `Commit ${i}`,
    files: Object.fromEntries(Array.from({ length: filesEach }, (_, f) => [`many/${i}-${f}.txt`, `${i}\n`])),
  }));
  return world.github.commitAll(world.repo, { commits });
}

test('commits are listed newest first, by branch, path, time and page', async () => {
  const world = await startWorld();
  const { github, repo, clock } = world;
  const start = github.head(repo);
  clock.pass(60_000);
  const second = github.commit(repo, {
    author: 'dana',
    message: 'Second',
    files: { 'apps/shop/values.yaml': 'replicas: 2\n' },
  });
  clock.pass(60_000);
  const third = github.commit(repo, {
    author: 'rene',
    message: 'Third',
    files: { 'README.md': '# Hello\n' },
  });
  github.commit(repo, { author: 'rene', branch: 'side', message: 'Aside', files: { side: '' } });
  const shas = async (query: string) =>
    (await world.get(`commits?${query}`)).body.map(({ sha }: { sha: string }) => sha);
  expect(await shas('')).toEqual([third, second, start]);
  expect(await shas('sha=side&per_page=2&page=2')).toEqual([second, start]);
  expect(await shas('path=apps/shop')).toEqual([second, start]);
  expect(await shas('since=2026-12-01T12:01:30Z')).toEqual([third]);
  expect(await shas('author=rene')).toEqual([third]);
  expect((await world.get('commits?sha=nowhere')).status).toBe(404);
  const page = await world.get('commits?per_page=1&page=2');
  expect(page.headers.get('link')).toMatch(
    /page=1>; rel="prev".*page=3>; rel="next".*page=3>; rel="last".*page=1>; rel="first"/,
  );
});

test('one commit comes with its files, and is found by branch, tag, HEAD and short id', async () => {
  const world = await startWorld();
  const { github, repo } = world;
  const files = {
    'apps/shop/values.yaml': 'replicas: 1\nimage: shop:2\n',
    'run.sh': null,
    'moved.md': '# GitOps\n',
    'README.md': null,
  };
  const sha = github.commit(repo, { author: 'dana', message: 'Change', files });
  const { body } = await world.get('commits/main');
  expect(body.sha).toBe(sha);
  expect(body.author.login).toBe('dana');
  expect(body.stats).toEqual({ total: 3, additions: 1, deletions: 2 });
  expect(
    body.files.map(({ filename, status, previous_filename }: Record<string, string>) => [
      filename,
      status,
      previous_filename,
    ]),
  ).toEqual([
    ['apps/shop/values.yaml', 'modified', undefined],
    ['moved.md', 'renamed', 'README.md'],
    ['run.sh', 'removed', undefined],
  ]);
  expect(body.files[0].patch).toBe('@@ -1,2 +1,2 @@\n replicas: 1\n-image: shop:1\n+image: shop:2');
  for (const name of [sha, sha.slice(0, 7), 'HEAD', 'heads/main', 'refs/heads/main']) {
    expect((await world.get(`commits/${name}`)).body.sha).toBe(sha);
  }
  const missing = await world.get('commits/0123456789012345678901234567890123456789');
  expect(missing).toMatchObject({
    status: 422,
    body: { message: 'No commit found for SHA: 0123456789012345678901234567890123456789' },
  });
});

test('compare says how two commits stand to each other', async () => {
  const world = await startWorld();
  const { github, repo } = world;
  const start = github.head(repo) as string;
  const main = github.commit(repo, { author: 'dana', message: 'Main', files: { 'apps/a.yaml': 'a\n' } });
  const side = github.commit(repo, {
    author: 'dana',
    branch: 'feature/side',
    from: start,
    message: 'Side',
    files: { 'apps/b.yaml': 'b\n' },
  });
  const compare = async (basehead: string) => (await world.get(`compare/${basehead}`)).body;
  const ahead = await compare(`${start}...main`);
  expect(ahead).toMatchObject({
    status: 'ahead',
    ahead_by: 1,
    behind_by: 0,
    total_commits: 1,
    merge_base_commit: { sha: start },
  });
  expect(ahead.commits.map(({ sha }: { sha: string }) => sha)).toEqual([main]);
  expect(await compare(`main...${start}`)).toMatchObject({
    status: 'behind',
    behind_by: 1,
    total_commits: 0,
    files: [],
  });
  expect(await compare('main...main')).toMatchObject({ status: 'identical' });
  const diverged = await compare('main...feature/side');
  expect(diverged).toMatchObject({
    status: 'diverged',
    ahead_by: 1,
    behind_by: 1,
    merge_base_commit: { sha: start },
  });
  // Three dots: what the side did since it left, and nothing of main.
  expect(diverged.files.map(({ filename }: { filename: string }) => filename)).toEqual(['apps/b.yaml']);
  expect(await compare(`example-org:main...example-org:${encodeURIComponent('feature/side')}`)).toMatchObject(
    { status: 'diverged' },
  );
  expect((await world.get(`compare/${side}...nowhere`)).status).toBe(404);
  expect((await world.get(`compare/${side}`)).status).toBe(404);
});

test('GH09: a long comparison comes in pages, its files on the first and never more than 300', async () => {
  const world = await startWorld();
  const start = world.github.head(world.repo);
  const commits = commitMany(world, 806);
  const pages = [];
  for (const page of [1, 2, 9]) {
    const { body } = await world.get(`compare/${start}...main?per_page=100&page=${page}`);
    pages.push({
      page,
      total_commits: body.total_commits,
      commits: body.commits.length,
      files: body.files.length,
    });
  }
  expect(pages).toEqual([
    { page: 1, total_commits: 806, commits: 100, files: 300 },
    { page: 2, total_commits: 806, commits: 100, files: 0 },
    { page: 9, total_commits: 806, commits: 6, files: 0 },
  ]);
  const { body } = await world.get(`compare/${start}...main`);
  expect(body.commits.map(({ sha }: { sha: string }) => sha)).toEqual(commits.slice(-250));
});

test('git itself sees the same branch, and its log says the same', async () => {
  const world = await startWorld();
  const commits = commitMany(world, 5);
  const directory = world.github.gitDirectory(world.repo);
  const log = execFileSync('git', ['--git-dir=.', 'log', '--format=%H', 'main'], {
    cwd: directory,
    encoding: 'utf8',
  });
  expect(log.split('\n').slice(0, 5)).toEqual([...commits].reverse());
  expect(directory.endsWith(join('example-org', 'gitops.git'))).toBe(true);
});

test('the contents endpoint gives files, folders, links and submodules, and stops at a megabyte', async () => {
  const world = await startWorld();
  const { github, repo } = world;
  const files = {
    'big.bin': Buffer.alloc(1024 * 1024 + 1, 'x'),
    link: { mode: '120000' as const, content: 'README.md' },
    'vendor/chart': { mode: '160000' as const, content: github.head(repo) as string },
    'ü x/#1.yaml': 'a: 1\n',
  };
  github.commit(repo, { author: 'dana', message: 'All kinds', files });
  const file = (await world.get('contents/apps/shop/values.yaml')).body;
  expect(Buffer.from(file.content, 'base64').toString()).toBe('replicas: 1\nimage: shop:1\n');
  expect((await world.get('contents/big.bin')).body).toMatchObject({
    encoding: 'none',
    content: '',
    size: 1024 * 1024 + 1,
  });
  expect((await world.get('contents/link')).body).toMatchObject({ type: 'symlink', target: 'README.md' });
  expect((await world.get('contents/vendor/chart')).body).toMatchObject({ type: 'submodule' });
  const listed = (await world.get('contents')).body.map(
    ({ name, type }: Record<string, string>) => `${type} ${name}`,
  );
  expect(listed).toEqual([
    'file README.md',
    'dir apps',
    'file big.bin',
    'symlink link',
    'file run.sh',
    'dir vendor',
    'dir ü x',
  ]);
  expect((await world.get(`contents/${encodeURIComponent('ü x')}/%231.yaml`)).body.path).toBe('ü x/#1.yaml');
  const raw = await world.get('contents/README.md', { accept: 'application/vnd.github.raw+json' });
  expect(raw.body).toBe('# GitOps\n');
  expect((await world.get('contents/nothing.yaml')).status).toBe(404);
  expect((await world.get('contents/README.md?ref=nowhere')).status).toBe(404);
});

test('an answer that has not changed is a 304 and costs nothing', async () => {
  const world = await startWorld();
  const first = await world.get('commits/main');
  const etag = first.headers.get('etag') as string;
  const second = await world.get('commits/main', { 'if-none-match': etag });
  expect(second).toMatchObject({ status: 304, body: undefined });
  expect(second.headers.get('x-ratelimit-remaining')).toBe(first.headers.get('x-ratelimit-remaining'));
  world.github.commit(world.repo, { author: 'dana', message: 'New', files: { a: 'a' } });
  expect((await world.get('commits/main', { 'if-none-match': etag })).status).toBe(200);
});
