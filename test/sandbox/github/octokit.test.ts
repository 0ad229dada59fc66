import { createAppAuth } from '@octokit/auth-app';
import { Octokit } from '@octokit/rest';
import { expect, test } from 'vitest';
import { startWorld, type World } from './world.ts';

/** The real client as the App's installation, on the base path of github.com or of GitHub Enterprise Server. */
async function octokitOn(world: World, base = ''): Promise<Octokit> {
  const { url, app } = world.github;
  const auth = {
    appId: app.id,
    privateKey: app.privateKey as string,
    installationId: await world.installation(),
  };
  return new Octokit({ baseUrl: url + base, authStrategy: createAppAuth, auth });
}

test.each(['', '/api/v3'])('the real client signs in, pages, commits and merges under "%s"', async (base) => {
  const world = await startWorld();
  const octokit = await octokitOn(world, base);
  const at = { owner: 'example-org', repo: 'gitops' };
  for (let i = 0; i < 5; i++)
    world.github.commit(world.repo, { author: 'dana', message: `Commit ${i}`, files: { n: `${i}\n` } });
  const commits = await octokit.paginate(octokit.repos.listCommits, { ...at, per_page: 2 });
  expect(commits).toHaveLength(6);
  const { data: head } = await octokit.repos.getBranch({ ...at, branch: 'main' });
  const { data: tree } = await octokit.git.createTree({
    ...at,
    base_tree: head.commit.commit.tree.sha,
    tree: [{ path: 'n', mode: '100644', type: 'blob', content: '3\n' }],
  });
  const { data: commit } = await octokit.git.createCommit({
    ...at,
    message: 'Revert',
    tree: tree.sha,
    parents: [head.commit.sha],
  });
  await octokit.git.createRef({ ...at, ref: 'refs/heads/stepback/revert', sha: commit.sha });
  const { data: pull } = await octokit.pulls.create({
    ...at,
    title: 'Revert',
    head: 'stepback/revert',
    base: 'main',
    draft: true,
  });
  const ready =
    'mutation($id: ID!) { markPullRequestReadyForReview(input: {pullRequestId: $id}) { pullRequest { isDraft } } }';
  expect(await octokit.graphql(ready, { id: pull.node_id })).toEqual({
    markPullRequestReadyForReview: { pullRequest: { isDraft: false } },
  });
  const merged = await octokit.pulls.merge({ ...at, pull_number: pull.number, merge_method: 'squash' });
  expect(world.github.head(world.repo)).toBe(merged.data.sha);
  const basehead = `${head.commit.sha}...main`;
  const { data: compared } = await octokit.repos.compareCommitsWithBasehead({ ...at, basehead });
  expect(compared.files?.map(({ filename }) => filename)).toEqual(['n']);
});

test('a clock that is wrong is put right by the real client', async () => {
  const ahead = { now: () => Date.now() + 3_600_000 };
  const world = await startWorld({ clock: ahead, authenticationClock: ahead });
  const { url, app } = world.github;
  const warnings: string[] = [];
  const log = { debug() {}, info() {}, error() {}, warn: (message: string) => void warnings.push(message) };
  const octokit = new Octokit({
    baseUrl: url,
    log,
    authStrategy: createAppAuth,
    auth: { appId: app.id, privateKey: app.privateKey as string, log },
  });
  expect((await octokit.apps.getAuthenticated()).data?.slug).toBe('stepback');
  expect(warnings.join()).toMatch(/time are different by 3\d{3} seconds/);
});
