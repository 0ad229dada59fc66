/**
 * The whole Forge over real HTTP, against the small GitHub and its real git repositories: a bad change is taken back
 * from its branch head to the merge, and then again with GitHub's bad days.
 */
import nock from 'nock';
import { beforeAll, expect, test } from 'vitest';
import { icon, repo, type Scene, scene, values } from './scene.ts';

const branch = 'stepback/revert/shop';
const pull = { title: 'Revert "Shop 2"', body: 'Why', head: branch, base: 'main', isDraft: false };

beforeAll(() => {
  nock.restore();
});

/** Makes the revert branch: the tree of `good` on top of `bad`. Gives its commit. */
async function makeBranch({ forge, gitops, good, bad }: Scene): Promise<string> {
  const before = await forge.commit(gitops, good);
  const { sha } = await forge.createCommit(gitops, { tree: before!.tree, parents: [bad], message: 'Revert' });
  expect(await forge.createBranch(gitops, branch, sha)).toBe('created');
  return sha;
}

test('what is there is read as it is: branch, commit, range, files, pull requests, trees, blobs', async () => {
  const { forge, server, gitops, good, bad, culprit } = await scene();
  expect(await forge.repository(gitops)).toEqual({
    repository: { host: 'github.com', owner: 'example-org', name: 'gitops' },
    defaultBranch: 'main',
    isArchived: false,
  });
  const head = await forge.branchHead(gitops, 'main');
  expect(head).toMatchObject({ sha: bad, parents: [good], author: { login: 'dana', name: 'Dana' } });
  expect(await forge.branchHead(gitops, 'gone')).toBeNull();
  expect(await forge.commit(gitops, 'd'.repeat(40))).toBeNull();

  const range = await forge.range(gitops, good, 'main');
  expect(range).toMatchObject({ status: 'ahead', mergeBase: good, isComplete: true });
  expect(range!.commits.map(({ sha }) => sha)).toEqual([bad]);
  expect(await forge.range(gitops, 'd'.repeat(40), 'main')).toBeNull();
  expect(await forge.filesOf(gitops, bad)).toEqual({
    isComplete: true,
    files: [
      { path: values, previousPath: null, change: 'modified' },
      { path: 'new.yaml', previousPath: null, change: 'added' },
      { path: 'run.sh', previousPath: null, change: 'removed' },
    ],
  });
  expect(await forge.pullRequestsOf(gitops, bad)).toMatchObject([
    { number: culprit, isMerged: true, mergeCommit: bad, isOurs: false, author: { login: 'dana' } },
  ]);
  expect(await forge.pullRequestsOf(gitops, good)).toEqual([]);

  const entries = await forge.readTree(gitops, good);
  expect(entries.map(({ name, mode }) => `${mode} ${name}`)).toEqual([
    '040000 apps',
    '100644 icon.png',
    '100755 run.sh',
  ]);
  const blob = await forge.readBlob(gitops, entries.find(({ name }) => name === 'icon.png')!.id);
  expect(Buffer.from(blob)).toEqual(icon);
  expect(server.branches(repo)).toHaveProperty('main');
});

test('a long range comes whole, oldest first', async () => {
  const { forge, server, gitops, bad } = await scene();
  const commits = Array.from({ length: 230 }, (_, index) => {
    return { author: 'dana', message: `Change ${index}`, files: { 'counter.txt': `${index}\n` } };
  });
  const made = server.commitAll(repo, { commits });
  const range = await forge.range(gitops, bad, made.at(-1)!);
  expect(range?.isComplete).toBe(true);
  expect(range?.commits.map(({ sha }) => sha)).toEqual(made);
});

test('a tree of every kind of change is the one that git makes', async () => {
  const { forge, server, gitops, good, bad } = await scene();
  const [base, before] = [(await forge.commit(gitops, bad))!, (await forge.commit(gitops, good))!];
  const script = (await forge.readTree(gitops, before.tree)).find(({ name }) => name === 'run.sh')!;
  const tree = await forge.createTree(gitops, base.tree, [
    { path: values, mode: '100644', content: Buffer.from('image: shop:1\n') },
    { path: 'new.yaml', deleted: true },
    { path: 'run.sh', mode: '100755', id: script.id },
  ]);
  expect(tree).toBe(before.tree);
  const binary = Buffer.from([0, 0xff, 10]);
  const other = await forge.createTree(gitops, base.tree, [
    { path: 'a/b.bin', mode: '100644', content: binary },
  ]);
  const { sha } = await forge.createCommit(gitops, { tree: other, parents: [bad], message: 'Bytes' });
  const inside = (await forge.readTree(gitops, other)).find(({ name }) => name === 'a')!;
  const [file] = await forge.readTree(gitops, inside.id);
  expect(Buffer.from(await forge.readBlob(gitops, file!.id))).toEqual(binary);
  expect(server.commits(repo, sha, 1)[0]).toMatchObject({ message: 'Bytes', verified: true });
});

test('the revert: branch, pull request, comment, merge', async () => {
  const made = await scene();
  const { forge, server, gitops, bad, culprit } = made;
  const commit = await makeBranch(made);
  expect(await forge.createBranch(gitops, branch, commit)).toBe('exists');

  const opened = await forge.createPullRequest(gitops, pull);
  if (opened.kind !== 'created') throw new Error(`It was ${opened.kind}`);
  expect(opened.pullRequest).toMatchObject({ headSha: commit, state: 'open', isOurs: true, body: 'Why' });
  expect(await forge.createPullRequest(gitops, pull)).toEqual({ kind: 'exists' });
  const { number } = opened.pullRequest;
  expect(await forge.pullRequestsFrom(gitops, branch)).toEqual([opened.pullRequest]);
  await forge.updatePullRequest(gitops, number, { body: 'Why, and since when' });

  server.comment(repo, culprit, { by: 'dana', body: '<!-- stepback -->' });
  const comment = await forge.createComment(gitops, culprit, '<!-- stepback --> Taken back');
  await forge.updateComment(gitops, comment, '<!-- stepback --> Merged');
  const comments = await forge.comments(gitops, culprit);
  expect(comments.map(({ author, isOurs, body }) => [author, isOurs, body])).toEqual([
    ['dana', false, '<!-- stepback -->'],
    ['stepback[bot]', true, '<!-- stepback --> Merged'],
  ]);

  const merged = server.mergePullRequest(repo, number, { by: 'dana' });
  expect(await forge.pullRequest(gitops, number)).toMatchObject({
    isMerged: true,
    mergeCommit: merged,
    state: 'closed',
    body: 'Why, and since when',
  });
  expect(server.file(repo, values)).toBe('image: shop:1\n');
  expect(await forge.createPullRequest(gitops, pull)).toEqual({ kind: 'nothing-between' });
  expect((await forge.range(gitops, bad, 'main'))?.commits.map(({ sha }) => sha)).toContain(commit);
  await forge.deleteBranch(gitops, branch);
  await forge.deleteBranch(gitops, branch);
  expect(await forge.branchHead(gitops, branch)).toBeNull();
});

test('a branch of ours is moved forward, but not over the commit of a person', async () => {
  const made = await scene();
  const { forge, server, gitops } = made;
  const first = await makeBranch(made);
  const tree = (await forge.commit(gitops, first))!.tree;
  const { sha: second } = await forge.createCommit(gitops, { tree, parents: [first], message: 'Again' });
  expect(await forge.moveBranch(gitops, branch, first, second)).toBe('done');
  expect(await forge.moveBranch(gitops, branch, first, second)).toBe('done');
  const theirs = server.commit(repo, {
    branch,
    author: 'dana',
    message: 'By hand',
    files: { 'hand.txt': 'x' },
  });
  const { sha: third } = await forge.createCommit(gitops, { tree, parents: [second], message: 'Again' });
  expect(await forge.moveBranch(gitops, branch, second, third)).toBe('moved');
  expect(server.head(repo, branch)).toBe(theirs);
  await expect(forge.moveBranch(gitops, branch, theirs, third)).rejects.toMatchObject({ kind: 'permanent' });
  expect(await forge.moveBranch(gitops, 'gone', first, second)).toBe('missing');
});

test('two replicas make one branch and one pull request', async () => {
  const made = await scene();
  const { forge, server, gitops, good, bad } = made;
  const { tree } = (await forge.commit(gitops, good))!;
  const commits = await Promise.all(
    ['Revert', 'Revert!'].map((message) => forge.createCommit(gitops, { tree, parents: [bad], message })),
  );
  const claims = await Promise.all(commits.map(({ sha }) => forge.createBranch(gitops, branch, sha)));
  expect(claims.sort()).toEqual(['created', 'exists']);
  const opened = await Promise.all([1, 2].map(() => forge.createPullRequest(gitops, pull)));
  expect(opened.map(({ kind }) => kind).sort()).toEqual(['created', 'exists']);
  expect(server.pullRequests(repo).filter(({ head }) => head.ref === branch)).toHaveLength(1);
});

test.each([
  ['the connection is cut', { kind: 'no-answer', afterEffect: true }],
  ['a gateway gives up', { kind: 'status', status: 502, afterEffect: true }],
] as const)('%s after the pull request was made: it is found, not made twice', async (_, fault) => {
  const made = await scene();
  const { forge, server, gitops } = made;
  await makeBranch(made);
  server.faults.add({ method: 'POST', path: '**/pulls', fault });
  await expect(forge.createPullRequest(gitops, pull)).rejects.toMatchObject({ kind: 'transient' });
  expect(await forge.pullRequestsFrom(gitops, branch)).toMatchObject([{ isOurs: true, state: 'open' }]);
  expect(server.pullRequests(repo).filter(({ head }) => head.ref === branch)).toHaveLength(1);
});

test('reads go on over broken answers, and writes of objects too', async () => {
  const made = await scene();
  const { forge, server, gitops, bad } = made;
  server.faults.add({
    method: 'GET',
    path: '**/branches/main',
    fault: { kind: 'no-answer', afterEffect: false },
  });
  server.faults.add({
    method: 'GET',
    path: '**/branches/main',
    nth: 2,
    fault: { kind: 'status', status: 503 },
  });
  server.faults.add({ method: 'POST', path: '**/git/commits', fault: { kind: 'status', status: 500 } });
  expect(await forge.branchHead(gitops, 'main')).toMatchObject({ sha: bad });
  await makeBranch(made);
});

test('tokens that were revoked and a key that was rotated are replaced while we run', async () => {
  const { forge, server, keys, gitops, bad } = await scene();
  await forge.repository(gitops);
  keys.current = server.rotateAppKey();
  server.revokeTokens();
  expect(await forge.branchHead(gitops, 'main')).toMatchObject({ sha: bad });
});

test('limits of both kinds hold us back, and we come again', async () => {
  const { forge, server, gitops, clock, culprit } = await scene();
  await forge.repository(gitops);
  server.faults.add({ method: 'POST', path: '**/comments', fault: { kind: 'secondary-limit' } });
  await expect(forge.createComment(gitops, culprit, 'Hello')).rejects.toMatchObject({ retryAfterMs: 67_500 });
  clock.leap(67_500);
  await forge.createComment(gitops, culprit, 'Hello');
  server.faults.add({ method: 'GET', path: '**/gitops', fault: { kind: 'rate-limit', resetInSeconds: 600 } });
  const limited = await forge.repository(gitops).catch((error: unknown) => error);
  expect(limited).toMatchObject({ kind: 'transient' });
  expect((limited as { retryAfterMs: number }).retryAfterMs).toBeGreaterThanOrEqual(600_000);
  clock.leap(700_000);
  expect(await forge.repository(gitops)).not.toBeNull();
});

test('an App that is suspended, may not, or was taken away is told so', async () => {
  const { forge, server, gitops, clock, culprit } = await scene();
  server.grant('example-org', { metadata: 'read', contents: 'read', issues: 'read', pull_requests: 'read' });
  await expect(forge.createComment(gitops, culprit, 'Hello')).rejects.toMatchObject({
    kind: 'permanent',
    message: expect.stringMatching(/lacks (a|the) permission/),
  });
  server.suspend('example-org');
  await expect(forge.branchHead(gitops, 'main')).rejects.toMatchObject({
    kind: 'permanent',
    message: expect.stringContaining('suspended'),
  });
  server.suspend('example-org', false);
  expect(await forge.repository(gitops)).not.toBeNull();
  server.uninstall('example-org');
  await expect(forge.branchHead(gitops, 'main')).rejects.toMatchObject({ kind: 'permanent' });
  clock.leap(11 * 60_000);
  expect(await forge.repository(gitops)).toBeNull();
});

test('a renamed repository and a renamed branch', async () => {
  const { forge, server, gitops, bad } = await scene();
  server.renameBranch(repo, 'main', 'trunk', 'dana');
  expect(await forge.branchHead(gitops, 'main'), 'the old name is no branch').toBeNull();
  server.renameRepository(repo, 'platform');
  expect(await forge.repository(gitops)).toMatchObject({
    repository: { name: 'platform' },
    defaultBranch: 'trunk',
  });
  expect(await forge.branchHead(gitops, 'trunk')).toMatchObject({ sha: bad });
  expect(await forge.createBranch(gitops, branch, bad), 'writes follow too').toBe('created');
  expect(server.branches('example-org/platform')).toHaveProperty([branch], bad);
});

test('a branch read from a replica that lags is not taken for one that a person moved', async () => {
  const made = await scene();
  const { forge, server, gitops } = made;
  const first = await makeBranch(made);
  const tree = (await forge.commit(gitops, first))!.tree;
  const { sha: second } = await forge.createCommit(gitops, { tree, parents: [first], message: 'Again' });
  await forge.moveBranch(gitops, branch, first, second);
  const { sha: third } = await forge.createCommit(gitops, { tree, parents: [second], message: 'Once more' });
  server.faults.add({ method: 'GET', path: '**/git/ref/**', fault: { kind: 'stale', writes: 2 } });
  expect(await forge.moveBranch(gitops, branch, second, third)).toBe('done');
});
