/** Repositories, branches, commits, ranges, trees and blobs, and what it means when they are not there. */
import { expect, test } from 'vitest';
import { api, eachTestHasItsOwnGitHub, gitops, installed, path, rawCommit, sha, world } from './world.ts';

eachTestHasItsOwnGitHub();

const notFound = { message: 'Not Found', documentation_url: 'https://docs.github.com/rest' };
const facts = { owner: { login: 'Example-Org' }, name: 'GitOps', default_branch: 'main', archived: true };

test('a repository is told as it is called now, also when it was renamed', async () => {
  installed();
  api().get(path).reply(301, undefined, { location: 'https://api.github.com/repositories/1' });
  api()
    .get('/repositories/1')
    .reply(200, { ...facts, name: 'platform' });
  expect(await world().forge.repository(gitops)).toEqual({
    repository: { host: 'github.com', owner: 'Example-Org', name: 'platform' },
    defaultBranch: 'main',
    isArchived: true,
  });
});

test('a repository that does not exist or where the App is not installed is null', async () => {
  installed();
  api().get(path).reply(404, notFound);
  expect(await world().forge.repository(gitops)).toBeNull();
});

test('the head of a branch is one request; its name may have slashes', async () => {
  installed();
  const { forge, sent } = world();
  api()
    .get(`${path}/branches/release%2F1.2`)
    .reply(200, { name: 'release/1.2', commit: rawCommit({ sha: sha('4ead'), parents: [sha('a1')] }) });
  expect(await forge.branchHead(gitops, 'release/1.2')).toMatchObject({
    sha: sha('4ead'),
    parents: [sha('a1')],
  });
  expect(sent).toHaveLength(1);
});

test('no such branch: null when the repository is seen, a problem when it is not', async () => {
  installed();
  const { forge } = world();
  api().get(`${path}/branches/gone`).times(2).reply(404, { message: 'Branch not found' });
  api().get(path).reply(200, facts);
  expect(await forge.branchHead(gitops, 'gone')).toBeNull();
  api().get(path).reply(404, notFound);
  await expect(forge.branchHead(gitops, 'gone')).rejects.toThrowErrorMatchingInlineSnapshot(
    `[WorldProblem: GitHub does not show example-org/gitops to the App any more: it was deleted, it moved to another owner, or it was taken out of the installation. Put it back, or point Argo CD to the new place.]`,
  );
});

test('a commit is read once and remembered, with the account and the time it was committed', async () => {
  installed();
  const { forge, sent } = world();
  api()
    .get(`${path}/commits/${sha('c0')}`)
    .query({ per_page: 1 })
    .reply(
      200,
      rawCommit({ sha: sha('c0'), tree: sha('7ee'), parents: [sha('a1'), sha('a2')], message: 'Why\n\nHow' }),
    );
  expect(await forge.commit(gitops, sha('c0'))).toEqual({
    sha: sha('c0'),
    tree: sha('7ee'),
    parents: [sha('a1'), sha('a2')],
    message: 'Why\n\nHow',
    author: { login: 'dev', name: 'Dev' },
    committedAt: Date.UTC(2026, 7, 1, 10, 5),
  });
  await forge.commit(gitops, sha('c0'));
  expect(sent).toHaveLength(1);
});

test.each([null, {}])('an author without an account has no login (%o)', async (author) => {
  installed();
  api()
    .get(`${path}/commits/${sha('c0')}`)
    .query(true)
    .reply(200, { ...rawCommit({ sha: sha('c0') }), author });
  expect(await world().forge.commit(gitops, sha('c0'))).toMatchObject({
    author: { login: null, name: 'Dev' },
  });
});

test.each([404, 422])('a commit that was force-pushed away is null (%i)', async (status) => {
  installed();
  api()
    .get(`${path}/commits/${sha('dead')}`)
    .query(true)
    .reply(status, { message: `No commit found for SHA: ${sha('dead')}` });
  api().get(path).reply(200, facts);
  expect(await world().forge.commit(gitops, sha('dead'))).toBeNull();
});

test('what is no commit is not asked for', async () => {
  const { forge, sent } = world();
  for (const text of ['main', '1.2.3', '', '../../user', `${sha('c0')}0`]) {
    expect(await forge.commit(gitops, text)).toBeNull();
  }
  expect(sent).toEqual([]);
});

test('files of a commit: every kind of change, over all pages', async () => {
  installed();
  const at = `${path}/commits/${sha('c0')}`;
  const file = (filename: string, status: string, more = {}) => ({ filename, status, ...more });
  api()
    .get(at)
    .query({ per_page: 100, page: 1 })
    .reply(
      200,
      {
        files: [
          file('a', 'added'),
          file('b', 'removed'),
          file('c', 'modified'),
          file('d', 'changed'),
          file('e', 'renamed', { previous_filename: 'old' }),
        ],
      },
      { link: `<https://api.github.com${at}?page=2>; rel="next"` },
    );
  api()
    .get(at)
    .query({ per_page: 100, page: 2 })
    .reply(200, { files: [file('f', 'copied', { previous_filename: 'e' })] });
  const { files, isComplete } = await world().forge.filesOf(gitops, sha('c0'));
  expect(isComplete).toBe(true);
  expect(
    files.map(({ path, change, previousPath }) => `${change} ${path} ${previousPath ?? ''}`.trim()),
  ).toEqual(['added a', 'removed b', 'modified c', 'modified d', 'renamed e old', 'added f']);
});

test('3,000 files are as many as GitHub lists: nothing may be concluded from what is absent', async () => {
  installed();
  const page = Array.from({ length: 100 }, (_, index) => ({ filename: `file-${index}`, status: 'modified' }));
  api()
    .get(`${path}/commits/${sha('c0')}`)
    .query(true)
    .times(30)
    .reply(200, { files: page }, { link: '<https://api.github.com/x>; rel="next"' });
  const { files, isComplete } = await world().forge.filesOf(gitops, sha('c0'));
  expect(files).toHaveLength(3_000);
  expect(isComplete).toBe(false);
});

test('a range with an end that is not there is null', async () => {
  installed();
  api()
    .get(`${path}/compare/${sha('dead')}...${sha('c0')}`)
    .query(true)
    .reply(404, notFound);
  api().get(path).reply(200, facts);
  expect(await world().forge.range(gitops, sha('dead'), sha('c0'))).toBeNull();
});

test('a range between commits is remembered, one of a branch is not', async () => {
  installed();
  const { forge, sent } = world();
  const range = {
    status: 'ahead',
    total_commits: 1,
    merge_base_commit: rawCommit({ sha: sha('a1') }),
    commits: [rawCommit({ sha: sha('c0') })],
  };
  api()
    .get(`${path}/compare/${sha('a1')}...${sha('c0')}`)
    .query(true)
    .reply(200, range);
  api()
    .get(`${path}/compare/${sha('a1')}...main`)
    .query(true)
    .times(2)
    .reply(200, range);
  await forge.range(gitops, sha('a1'), sha('c0'));
  expect(await forge.range(gitops, sha('a1'), sha('c0'))).toMatchObject({
    status: 'ahead',
    mergeBase: sha('a1'),
    commits: [{ sha: sha('c0') }],
    isComplete: true,
  });
  await forge.range(gitops, sha('a1'), 'main');
  await forge.range(gitops, sha('a1'), 'main');
  expect(sent).toHaveLength(3);
});

test('a range of more commits than anybody reads says that it is cut', async () => {
  installed();
  const page = Array.from({ length: 100 }, (_, index) => rawCommit({ sha: sha(`c${index}`) }));
  api()
    .get(`${path}/compare/${sha('a1')}...${sha('c0')}`)
    .query(true)
    .times(25)
    .reply(200, {
      status: 'ahead',
      total_commits: 9_000,
      merge_base_commit: rawCommit({ sha: sha('a1') }),
      commits: page,
    });
  const range = await world().forge.range(gitops, sha('a1'), sha('c0'));
  expect(range).toMatchObject({ isComplete: false });
  expect(range?.commits).toHaveLength(2_500);
});

test('a blob comes as its bytes and is read once', async () => {
  installed();
  const { forge, sent } = world();
  const bytes = Buffer.from([0xff, 0xfe, 0, 10, 13, 200]);
  api()
    .get(`${path}/git/blobs/${sha('b1')}`)
    .reply(200, { content: `${bytes.toString('base64')}\n`, encoding: 'base64' });
  expect(Buffer.from(await forge.readBlob(gitops, sha('b1')))).toEqual(bytes);
  await forge.readBlob(gitops, sha('b1'));
  expect(sent).toHaveLength(1);
});

test('a blob that is larger than GitHub serves is a problem that says what to do', async () => {
  installed();
  api()
    .get(`${path}/git/blobs/${sha('b1')}`)
    .reply(403, {
      message:
        'The requested blob is too large to fetch via the API, but you can always clone the repository',
      errors: [{ resource: 'Blob', field: 'data', code: 'too_large' }],
    });
  await expect(world().forge.readBlob(gitops, sha('b1'))).rejects.toThrowErrorMatchingInlineSnapshot(
    `[WorldProblem: GitHub refused to read file b100000000000000000000000000000000000000 of example-org/gitops (403: The requested blob is too large to fetch via the API, but you can always clone the repository). The file is larger than the API serves (100 MB). Take the change back with git by hand.]`,
  );
});

test('a tree that is cut even without its subtrees is a problem, never a list', async () => {
  installed();
  api()
    .get(`${path}/git/trees/${sha('7ee')}`)
    .reply(200, { truncated: true, tree: [{ path: 'a', mode: '100644', sha: sha('b1') }] });
  await expect(world().forge.readTree(gitops, sha('7ee'))).rejects.toThrowErrorMatchingInlineSnapshot(
    `[WorldProblem: GitHub gives only a part of the folder with tree 7ee0000000000000000000000000000000000000 of example-org/gitops, because it holds too many files. What is not in the list would look deleted, so Stepback does not go on. Take the change back with git by hand.]`,
  );
});

test('what is remembered of one repository is not told of another', async () => {
  installed();
  const { forge } = world();
  const other = { ...gitops, name: 'other' };
  api()
    .get(`${path}/git/trees/${sha('7ee')}`)
    .reply(200, { truncated: false, tree: [{ path: 'secret.yaml', mode: '100644', sha: sha('b1') }] });
  api()
    .get(`/repos/example-org/other/git/trees/${sha('7ee')}`)
    .reply(404, notFound);
  expect(await forge.readTree(gitops, sha('7ee'))).toHaveLength(1);
  await expect(forge.readTree(other, sha('7ee'))).rejects.toMatchObject({ kind: 'permanent' });
});
