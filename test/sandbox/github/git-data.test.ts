import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { startWorld } from './world.ts';

test('a revert is made of a tree, a commit that GitHub signs, and a ref', async () => {
  const world = await startWorld();
  const { github, repo } = world;
  const good = github.head(repo) as string;
  const bad = github.commit(repo, {
    author: 'dana',
    message: 'Bad',
    files: { 'apps/shop/values.yaml': 'replicas: 0\n', extra: 'x' },
  });
  const base = (await world.get(`git/commits/${bad}`)).body.tree.sha;
  const tree = await world.post('git/trees', {
    base_tree: base,
    tree: [
      {
        path: 'apps/shop/values.yaml',
        mode: '100644',
        type: 'blob',
        content: 'replicas: 1\nimage: shop:1\n',
      },
      { path: 'extra', mode: '100644', type: 'blob', sha: null },
    ],
  });
  expect(tree.status).toBe(201);
  expect(tree.body.sha).toBe((await world.get(`git/commits/${good}`)).body.tree.sha);
  const commit = await world.post('git/commits', {
    message: 'Revert "Bad"',
    tree: tree.body.sha,
    parents: [bad],
  });
  expect(commit.body).toMatchObject({
    author: { name: 'stepback[bot]', date: '2026-12-01T12:00:00Z' },
    committer: { name: 'GitHub', email: 'noreply@github.com' },
    verification: { verified: true, reason: 'valid' },
  });
  const ref = await world.post('git/refs', { ref: 'refs/heads/stepback/revert', sha: commit.body.sha });
  expect(ref).toMatchObject({ status: 201, body: { object: { type: 'commit', sha: commit.body.sha } } });
  expect((await world.get('git/ref/heads/stepback/revert')).body.object.sha).toBe(commit.body.sha);
  expect((await world.get('git/ref/heads%2Fstepback%2Frevert')).status).toBe(200);
  expect((await world.get('git/ref/heads/stepback')).status).toBe(404);
  expect((await world.get('git/matching-refs/heads/stepback')).body).toHaveLength(1);
  expect(github.filesBetween(repo, good, 'stepback/revert')).toEqual([]);
  const show = execFileSync('git', ['--git-dir=.', 'show', '-s', '--format=%an|%cn|%s', 'stepback/revert'], {
    cwd: github.gitDirectory(repo),
    encoding: 'utf8',
  });
  expect(show).toBe('stepback[bot]|GitHub|Revert "Bad"\n');
  const [push] = await world
    .heard('push')
    .then((all) => all.filter(({ ref: name }) => name !== 'refs/heads/main'));
  expect(push).toMatchObject({
    created: true,
    sender: { login: 'stepback[bot]', type: 'Bot' },
    commits: [{ message: 'Revert "Bad"' }],
  });
});

test('GH08: a commit with an author of its own is not signed', async () => {
  const world = await startWorld();
  const head = world.github.head(world.repo) as string;
  const tree = (await world.get(`git/commits/${head}`)).body.tree.sha;
  const own = { message: 'Revert', tree, parents: [head], author: { name: 'X', email: 'x@example.com' } };
  const unsigned = await world.post('git/commits', own);
  expect(unsigned.body).toMatchObject({
    author: { name: 'X' },
    verification: { verified: false, reason: 'unsigned' },
  });
  const signed = await world.post('git/commits', { message: 'Revert', tree, parents: [head] });
  expect(signed.body.verification).toMatchObject({ verified: true, reason: 'valid' });
  world.github.protectBranch(world.repo, 'main', { signedCommits: true });
  const refused = await world.patch('git/refs/heads/main', { sha: unsigned.body.sha });
  expect(refused).toMatchObject({
    status: 422,
    body: { message: expect.stringContaining('Commits must have verified signatures.') },
  });
  expect((await world.patch('git/refs/heads/main', { sha: signed.body.sha })).status).toBe(200);
  expect((await world.get('rules/branches/main')).body).toMatchObject([{ type: 'required_signatures' }]);
  world.github.faults.unverifiedCommits = true;
  const later = await world.post('git/commits', { message: 'Revert', tree, parents: [head] });
  expect(later.body.verification.verified).toBe(false);
});

test('every refusal of a ref has its own words', async () => {
  const world = await startWorld();
  const { github, repo } = world;
  const old = github.head(repo) as string;
  const head = github.commit(repo, { author: 'dana', message: 'Next', files: { a: 'a' } });
  const blob = (await world.post('git/blobs', { content: 'x' })).body.sha;
  const nothing = '0123456789012345678901234567890123456789';
  const say = ({ status, body }: { status: number; body: { message: string } }) =>
    `${status} ${body?.message ?? ''}`.trim();
  const create = async (ref: string, sha: string) => say(await world.post('git/refs', { ref, sha }));
  const move = async (ref: string, sha: string, force = false) =>
    say(await world.patch(`git/refs/${ref}`, { sha, force }));
  expect([
    await create('refs/heads/main', head),
    await create('refs/heads/x', nothing),
    await create('refs/heads/x', blob),
    await create('refs/heads/x', 'abc'),
    await create('main', head),
    await create('refs/heads/a..b', head),
    await create('refs/heads/main/sub', head),
    await move('heads/none', head),
    await move('heads/main', nothing),
    await move('heads/main', old),
  ]).toMatchInlineSnapshot(`
    [
      "422 Reference already exists",
      "422 Object does not exist",
      "422 Object does not exist",
      "422 The sha parameter must be exactly 40 characters and contain only [0-9a-f].",
      "422 Reference name must start with 'refs/' and contain at least two slashes.",
      "422 refs/heads/a..b is not a valid ref name.",
      "422 Reference update failed",
      "422 Reference does not exist",
      "422 Object does not exist",
      "422 Update is not a fast forward",
    ]
  `);
  expect(await move('heads/main', old, true)).toBe('200');
  expect((await world.call('DELETE', world.path('git/refs/heads/none'))).body.message).toBe(
    'Reference does not exist',
  );
  expect(await create('refs/heads/gone', head)).toBe('201');
  expect((await world.call('DELETE', world.path('git/refs/heads/gone'))).status).toBe(204);
  expect(github.branches(repo)).toEqual({ main: old });
  const forced = (await world.heard('push')).find((push) => push.forced);
  expect(forced).toMatchObject({ before: head, after: old, commits: [] });
});

test('GH12: links, modes and submodules are carried by mode and id', async () => {
  const world = await startWorld();
  const { github, repo } = world;
  const target = github.head(repo) as string;
  const chart = (content: string) => ({ mode: '160000' as const, content });
  github.commit(repo, {
    author: 'dana',
    message: 'Before',
    files: { 'link.yaml': { mode: '120000', content: 'run.sh' }, 'vendor/chart': chart(target) },
  });
  const before = (await world.get('git/trees/main?recursive=1')).body.tree;
  const head = github.commit(repo, {
    author: 'dana',
    message: 'After',
    files: { 'link.yaml': 'a: 1\n', 'run.sh': '#!/bin/sh\n', 'vendor/chart': chart('a'.repeat(40)) },
  });
  const wanted = before
    .filter(({ path }: { path: string }) => ['link.yaml', 'run.sh', 'vendor/chart'].includes(path))
    .map(({ path, mode, type, sha }: Record<string, string>) => ({ path, mode, type, sha }));
  const base = (await world.get(`git/commits/${head}`)).body.tree.sha;
  const made = await world.post('git/trees', { base_tree: base, tree: wanted });
  expect((await world.get(`git/trees/${made.body.sha}?recursive=1`)).body.tree).toEqual(before);
  expect(wanted.map(({ mode, type }: Record<string, string>) => `${mode} ${type}`)).toEqual([
    '120000 blob',
    '100755 blob',
    '160000 commit',
  ]);
});

test('GH10: a recursive tree can be cut short, while the walk finds everything', async () => {
  const world = await startWorld();
  world.github.faults.add({
    path: '/repos/*/*/git/trees/*',
    fault: { kind: 'truncated', entries: 1 },
    times: Infinity,
  });
  const cut = await world.get('git/trees/main?recursive=1');
  expect(cut.body).toMatchObject({ truncated: true, tree: [{ path: 'README.md' }] });
  const root = (await world.get('git/trees/main')).body;
  const apps = root.tree.find(({ path }: { path: string }) => path === 'apps');
  expect(root.truncated).toBe(false);
  expect((await world.get(`git/trees/${apps.sha}`)).body.tree).toMatchObject([
    { path: 'shop', type: 'tree' },
  ]);
});

test('a tree that cannot be is refused', async () => {
  const world = await startWorld();
  const base = (await world.get(`git/commits/${world.github.head(world.repo)}`)).body.tree.sha;
  const file = { path: 'x', mode: '100644', type: 'blob' };
  const say = async (body: unknown) => (await world.post('git/trees', body)).body.message;
  expect([
    await say({ tree: [] }),
    await say({ base_tree: 'f'.repeat(40), tree: [{ ...file, content: '' }] }),
    await say({ base_tree: base, tree: [{ ...file, sha: 'f'.repeat(40) }] }),
    await say({ base_tree: base, tree: [{ ...file, sha: null }] }),
    await say({ base_tree: base, tree: [{ ...file, path: '../x', content: '' }] }),
    await say({ base_tree: base, tree: [{ ...file, path: '/x', content: '' }] }),
    await say({ base_tree: base, tree: [{ ...file, mode: '100600', content: '' }] }),
  ]).toMatchInlineSnapshot(`
    [
      "Invalid tree info",
      "base_tree is not a valid tree oid",
      "tree.sha ffffffffffffffffffffffffffffffffffffffff is not a valid blob",
      "GitRPC::BadObjectState",
      "tree.path contains a malformed path component",
      "tree.path contains a malformed path component",
      "tree.mode is not valid",
    ]
  `);
  const commit = (body: object) =>
    world.post('git/commits', { message: 'x', tree: base, parents: [], ...body });
  expect((await commit({ tree: 'f'.repeat(40) })).body.message).toBe('Tree SHA does not exist');
  expect((await commit({ parents: ['f'.repeat(40)] })).body.message).toBe(
    'Parent SHA does not exist or is not a commit object',
  );
});

test('blobs are written and read as text or base64', async () => {
  const world = await startWorld();
  const binary = Buffer.from([0, 255, 10, 13]);
  const { sha } = (await world.post('git/blobs', { content: binary.toString('base64'), encoding: 'base64' }))
    .body;
  const blob = (await world.get(`git/blobs/${sha}`)).body;
  expect(Buffer.from(blob.content, 'base64')).toEqual(binary);
  expect((await world.post('git/blobs', { content: 'ä' })).body.sha).toBe(
    '9d3f0460de61d6fec8d9ff9a0f06dcc9926e3b7e',
  );
  expect((await world.get(`git/blobs/${'f'.repeat(40)}`)).status).toBe(404);
});
