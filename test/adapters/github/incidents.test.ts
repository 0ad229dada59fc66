/**
 * The recorded incidents that are about GitHub's API: what it answered and what must follow, through the Forge. Those
 * about deliveries and commands (GH01, GH02, GH16, GH17, GH19) belong to other rooms.
 */
import { describe, expect, test } from 'vitest';
import type { EntryMode, TreeChange } from '../../../src/ports.ts';
import limits from '../../incidents/GH03-secondary-limit-without-retry-after/case.json' with { type: 'json' };
import alreadyExists from '../../incidents/GH05-pull-request-already-exists/case.json' with { type: 'json' };
import noCommits from '../../incidents/GH06-no-commits-between/case.json' with { type: 'json' };
import signed from '../../incidents/GH08-signed-commits-required/case.json' with { type: 'json' };
import cutComparison from '../../incidents/GH09-compare-truncated/case.json' with { type: 'json' };
import cutTree from '../../incidents/GH10-recursive-tree-truncated/case.json' with { type: 'json' };
import modes from '../../incidents/GH12-modes-symlinks-submodules/case.json' with { type: 'json' };
import renamed from '../../incidents/GH14-default-branch-renamed/case.json' with { type: 'json' };
import threeWays from '../../incidents/GH15-squash-merge-rebase/case.json' with { type: 'json' };
import {
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

const revert = { title: 'Revert', body: 'Why', head: 'revert/shop', base: 'main', isDraft: false };

describe('GH03: two answers of 403', () => {
  const [limited, forbidden] = limits.exchanges;

  test('the secondary limit is tried later, and nothing is sent until then', async () => {
    installed();
    const { forge, sent, clock } = world();
    api()
      .post(`${path}/issues/7/comments`)
      .reply(403, limited!.response.body, limited!.response.headers as Record<string, string>);
    await expect(forge.createComment(gitops, 7, 'Hello')).rejects.toMatchObject({ kind: 'transient' });
    clock.leap(59_000);
    await expect(forge.createComment(gitops, 7, 'Hello')).rejects.toMatchObject({ kind: 'transient' });
    expect(sent).toHaveLength(1);
    clock.leap(60_000);
    api().post(`${path}/issues/7/comments`).reply(201, { id: 1 });
    expect(await forge.createComment(gitops, 7, 'Hello')).toBe(1);
  });

  test('the permission error is permanent and shuts nothing', async () => {
    installed();
    const { forge } = world();
    api()
      .post(`${path}/issues/7/comments`)
      .reply(403, forbidden!.response.body, forbidden!.response.headers as Record<string, string>);
    await expect(forge.createComment(gitops, 7, 'Hello')).rejects.toMatchObject({
      kind: 'permanent',
      retryAfterMs: null,
      message: expect.stringContaining('lacks a permission'),
    });
    api().post(`${path}/issues/7/comments`).reply(201, { id: 1 });
    expect(await forge.createComment(gitops, 7, 'Hello')).toBe(1);
  });
});

test('GH05: the pull request that exists is found by its owner and branch, and is one', async () => {
  installed();
  const { forge, sent } = world();
  const [opening, , listing] = alreadyExists.exchanges;
  api().post(`${path}/pulls`).reply(opening!.response.status, opening!.response.body);
  expect(await forge.createPullRequest(gitops, revert)).toEqual({ kind: 'exists' });

  const [existing] = listing!.response.body as { number: number }[];
  api()
    .get(`${path}/pulls`)
    .query(({ head, state }) => head === 'example-org:revert/shop' && state === 'all')
    .reply(200, [
      rawPull({
        number: existing?.number,
        head: { ref: 'revert/shop', sha: sha('4ead'), repo: { full_name: 'example-org/gitops' } },
      }),
    ]);
  const found = await forge.pullRequestsFrom(gitops, 'revert/shop');
  expect(found.map(({ number }) => number)).toEqual([alreadyExists.expect.reuse]);
  expect(sent.filter(({ method }) => method === 'POST')).toHaveLength(1);
});

test('GH06: equal trees mean that it is already reverted, and that is no error', async () => {
  installed();
  const [opening] = noCommits.exchanges;
  const { main, 'revert/shop': branch } = noCommits.trees;
  api().post(`${path}/pulls`).reply(opening!.response.status, opening!.response.body);
  api()
    .get(`${path}/compare/main...revert%2Fshop`)
    .query(true)
    .reply(200, {
      ahead_by: 1,
      total_commits: 1,
      base_commit: rawCommit({ sha: sha('ba5e'), tree: main }),
      commits: [rawCommit({ sha: sha('c1'), tree: branch })],
    });
  expect(noCommits.expect).toBe('already-reverted');
  expect(await world().forge.createPullRequest(gitops, revert)).toEqual({ kind: 'nothing-between' });
});

test('GH08: no author is given, and what GitHub says of the signature is told', async () => {
  installed();
  const [unsigned, verified] = signed.exchanges;
  for (const exchange of [unsigned!, verified!]) {
    const { forge, sent } = world();
    api().post(`${path}/git/commits`).reply(exchange.response.status, exchange.response.body);
    const made = await forge.createCommit(gitops, {
      tree: exchange.body.tree,
      parents: exchange.body.parents,
      message: exchange.body.message,
    });
    expect(sent[0]?.body).toEqual(verified!.body);
    expect(made.isVerified).toBe(made.sha === signed.expect.use);
  }
});

const idOf = (page: number, index: number) => sha(`${page}c${index}f`);

test('GH09: every commit of a long range is there, though its files were cut', async () => {
  installed();
  const { forge, sent } = world();
  const [first] = cutComparison.pages;
  const total = first!.total_commits!;
  const pages = Math.ceil(total / first!.commits);
  for (let page = 1; page <= pages; page += 1) {
    const known = cutComparison.pages.find((candidate) => candidate.page === page) ?? {
      commits: 100,
      files: 0,
    };
    api()
      .get(`${path}/compare/${sha('a1')}...${sha('c0')}`)
      .query({ per_page: 100, page })
      .reply(200, {
        status: 'ahead',
        total_commits: total,
        merge_base_commit: rawCommit({ sha: sha('a1') }),
        commits: Array.from({ length: known.commits }, (_, index) => rawCommit({ sha: idOf(page, index) })),
        files: Array.from({ length: known.files }, (_, index) => ({
          filename: `f${index}`,
          status: 'modified',
        })),
      });
  }
  const range = await forge.range(gitops, sha('a1'), sha('c0'));
  expect(range?.commits).toHaveLength(cutComparison.expect.commits);
  expect(range?.isComplete).toBe(true);
  const ids = range?.commits.map((commit) => commit.sha);
  expect(new Set(ids).size, 'none twice').toBe(total);
  expect(range?.commits[100]?.sha, 'pages stay in their order').toBe(idOf(2, 0));
  expect(sent).toHaveLength(pages);
});

test('GH09: a range whose pages hold less than GitHub counted says so', async () => {
  installed();
  api()
    .get(`${path}/compare/${sha('a1')}...${sha('c0')}`)
    .query(true)
    .times(9)
    .reply(200, {
      status: 'ahead',
      total_commits: cutComparison.pages[0]!.total_commits,
      merge_base_commit: rawCommit({ sha: sha('a1') }),
      commits: [rawCommit({ sha: sha('c1') })],
    });
  expect(await world().forge.range(gitops, sha('a1'), sha('c0'))).toMatchObject({ isComplete: false });
});

test('GH10: a path is found folder by folder, and nothing is asked for recursively', async () => {
  installed();
  const { forge, sent } = world();
  const names = cutTree.lookFor.split('/');
  names.forEach((name, depth) => {
    const mode = depth === names.length - 1 ? '100644' : '040000';
    api()
      .get(`${path}/git/trees/${sha(`7ee${depth}`)}`)
      .reply(200, { truncated: false, tree: [{ path: name, mode, sha: sha(`7ee${depth + 1}`) }] });
  });
  let id = sha('7ee0');
  for (const name of names) {
    const entry = (await forge.readTree(gitops, id)).find((candidate) => candidate.name === name);
    expect(entry, name).toBeDefined();
    id = entry!.id;
  }
  expect(id).toBe(sha(`7ee${names.length}`));
  expect(sent.filter(({ path }) => path.includes('recursive'))).toEqual([]);
});

test('GH10: an answer that says it is cut is never taken for the whole folder', async () => {
  installed();
  const [exchange] = cutTree.exchanges;
  api()
    .get(`${path}/git/trees/${sha('e68a')}`)
    .reply(200, exchange!.response.body);
  await expect(world().forge.readTree(gitops, sha('e68a'))).rejects.toMatchObject({ kind: 'permanent' });
});

test('GH12: the entries of before are read and written back as they were', async () => {
  installed();
  const { forge, sent } = world();
  api()
    .get(`${path}/git/trees/${sha('7ee1')}`)
    .reply(200, { truncated: false, tree: modes.before });
  api()
    .post(`${path}/git/trees`)
    .reply(201, { sha: sha('4e4') });
  const before = await forge.readTree(gitops, sha('7ee1'));
  const changes = before.map(
    ({ name, mode, id }): TreeChange => ({ path: name, mode: mode as EntryMode, id }),
  );
  await forge.createTree(gitops, sha('7ee2'), changes);
  expect(sent.at(-1)?.body).toEqual({ base_tree: sha('7ee2'), tree: modes.before });
});

describe('GH14: the default branch was renamed', () => {
  const [reading, opening] = renamed.exchanges;

  test('the new name is read, and the old one is no branch though GitHub leads on from it', async () => {
    installed();
    const { forge } = world();
    api()
      .get(path)
      .reply(200, {
        ...reading!.response.body,
        owner: { login: 'example-org' },
        name: 'gitops',
        archived: false,
      });
    expect(await forge.repository(gitops)).toMatchObject({ defaultBranch: renamed.expect.base });
    api()
      .get(`${path}/branches/${renamed.stored.base}`)
      .reply(301, undefined, { location: `https://api.github.com${path}/branches/main` });
    api()
      .get(`${path}/branches/main`)
      .reply(200, { name: 'main', commit: rawCommit({ sha: sha('4ead') }) });
    expect(await forge.branchHead(gitops, renamed.stored.base)).toBeNull();
  });

  test('a pull request onto the old name says to read the repository again, and warns of targetRevision', async () => {
    installed();
    api().post(`${path}/pulls`).reply(opening!.response.status, opening!.response.body);
    const opened = world().forge.createPullRequest(gitops, { ...revert, base: opening!.body!.base });
    await expect(opened).rejects.toMatchObject({ kind: 'transient' });
    await expect(opened).rejects.toThrowErrorMatchingInlineSnapshot(
      `[WorldProblem: There is no branch master in example-org/gitops any more, so no pull request can be opened onto it; it was renamed or deleted. Stepback reads the repository again. A targetRevision that names the old branch does not follow a rename: change it.]`,
    );
  });
});

test('GH15: each commit is led back to the pull request that brought it, a direct push to none', async () => {
  installed();
  const { forge } = world();
  const digits: Record<string, string> = { m: 'a', q: 'b', r: 'c', d: 'd' };
  for (const commit of threeWays.range) {
    const id = sha(`${digits[commit.sha[0]!]}${commit.sha[1]}`);
    const brought = rawPull({ number: commit.pr, merged_at: '2026-08-01T10:00:00Z', merge_commit_sha: id });
    api()
      .get(`${path}/commits/${id}/pulls`)
      .query(true)
      .reply(200, commit.pr === null ? [] : [brought]);
    const [pull] = await forge.pullRequestsOf(gitops, id);
    expect(pull?.number ?? null, commit.style).toBe(commit.pr);
  }
});
