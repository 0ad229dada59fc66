/**
 * The conversations around a revert over real HTTP, against the small GitHub: check runs, people, files, other
 * pull requests, issues, auto-merge and lost webhooks.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import nock from 'nock';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import type { CheckRunContent } from '../../../src/ports/checks.ts';
import { repo, type Scene, scene, values } from './scene.ts';

beforeAll(() => {
  nock.restore();
});

const name = 'stepback / argocd/shop';
const queued: CheckRunContent = {
  externalId: 'argocd/shop',
  status: 'queued',
  conclusion: null,
  title: 'Waits for Argo CD',
  summary: 'Nothing runs it yet.',
  text: '',
  detailsUrl: null,
  actions: [],
  startedAt: null,
  completedAt: null,
};

test('a check run is made once, found by its name, and edited until it is done', async () => {
  const { forge, server, gitops, bad, good } = await scene();
  expect(await forge.checkRuns(gitops, bad, name)).toEqual([]);
  const id = (await forge.createCheckRun(gitops, { ...queued, sha: bad, name }))!;
  server.reportCheck(repo, { app: 'ci', sha: bad, name, conclusion: 'success' });
  await forge.createCheckRun(gitops, { ...queued, sha: bad, name: 'stepback / argocd/other' });
  expect(await forge.checkRuns(gitops, bad, name)).toMatchObject([
    { id, status: 'queued', title: queued.title },
  ]);
  expect(await forge.checkRuns(gitops, bad, null)).toHaveLength(2);
  expect(await forge.checkRuns(gitops, good, null)).toEqual([]);

  const actions = [{ label: 'Revert', description: 'Take this commit back', identifier: 'revert' }];
  const completedAt = Date.UTC(2026, 7, 1, 11);
  await forge.updateCheckRun(gitops, id, { ...queued, status: 'in-progress', text: 'One of three', actions });
  await forge.updateCheckRun(gitops, id, {
    ...queued,
    status: 'completed',
    conclusion: 'failure',
    completedAt,
  });
  expect(await forge.checkRuns(gitops, bad, name)).toMatchObject([
    { id, status: 'completed', conclusion: 'failure', text: '', completedAt },
  ]);
  expect(server.checkRuns(repo, bad).find((run) => run.id === id)).toMatchObject({
    actions: [],
    app: 'stepback',
  });
  await forge.updateCheckRun(gitops, id, { ...queued, status: 'in-progress' });
  expect(await forge.checkRuns(gitops, bad, name)).toMatchObject([
    { status: 'in-progress', conclusion: null },
  ]);
  expect(await forge.checkRuns(gitops, 'd'.repeat(40), name)).toEqual([]);
  expect(await forge.createCheckRun(gitops, { ...queued, sha: 'd'.repeat(40), name })).toBeNull();
});

test('what GitHub takes at the most is what we take at the most', async () => {
  const { forge, server, gitops, bad } = await scene();
  const long = 'x'.repeat(65_535);
  await forge.createCheckRun(gitops, { ...queued, sha: bad, name, summary: long, text: long });
  expect(server.checkRuns(repo, bad)).toMatchObject([{ summary: long, text: long }]);
});

test('people: what they may, where they belong, what they own', async () => {
  const { forge, server, gitops, bad } = await scene();
  server.addCollaborator(repo, 'kim', 'maintain');
  server.addCollaborator(repo, 'lee', 'triage');
  server.addTeam('example-org', 'platform', ['kim']);
  expect(
    await Promise.all(['dana', 'kim', 'lee', 'nobody'].map((login) => forge.permissionOf(gitops, login))),
  ).toEqual(['admin', 'maintain', 'triage', 'none']);
  expect(await forge.isMemberOf(gitops, 'platform', 'kim')).toBe('yes');
  expect(await forge.isMemberOf(gitops, 'platform', 'dana')).toBe('no');
  expect(await forge.isMemberOf(gitops, 'gone', 'dana')).toBe('no');
  server.grant('example-org', { metadata: 'read', contents: 'read' });
  expect(await forge.isMemberOf(gitops, 'platform', 'kim')).toBe('unknown');

  expect(await forge.codeOwnersText(gitops, bad)).toBeNull();
  const files = { 'docs/CODEOWNERS': '* @lee\n', CODEOWNERS: '* @kim\n' };
  const owned = server.commit(repo, { author: 'dana', message: 'Own it', files });
  expect(await forge.codeOwnersText(gitops, owned)).toBe('* @kim\n');
  expect(await forge.codeOwnersText(gitops, bad)).toBeNull();
});

test('files: of the repository, of the owner, large ones, and what is none', async () => {
  const { forge, server, gitops, bad } = await scene();
  const path = '.github/stepback.yaml';
  expect(await forge.fileAt(gitops, path, bad)).toBeNull();
  const large = 'mode: observe # größer\n'.repeat(60_000);
  const files = {
    [path]: 'mode: comment\n',
    'large.yaml': large,
    link: { mode: '120000' as const, content: 'elsewhere' },
    module: { mode: '160000' as const, content: bad },
  };
  const sha = server.commit(repo, { author: 'dana', message: 'Configure', files });
  expect(await forge.fileAt(gitops, path, sha)).toMatchObject({ text: 'mode: comment\n' });
  expect(await forge.fileAt(gitops, path, null)).toMatchObject({ text: 'mode: comment\n' });
  expect((await forge.fileAt(gitops, 'large.yaml', 'main'))?.text === large).toBe(true);
  for (const [wrong, kind] of [
    ['apps', 'folder'],
    ['link', 'symbolic link'],
    ['module', 'submodule'],
  ] as const) {
    await expect(forge.fileAt(gitops, wrong, sha)).rejects.toThrow(
      `${wrong} in example-org/gitops is a ${kind}`,
    );
  }
  await expect(forge.fileAt(gitops, path, 'gone')).rejects.toMatchObject({ kind: 'transient' });

  const again = server.commit(repo, {
    author: 'dana',
    message: 'Configure more',
    files: { [path]: 'mode: observe\n' },
  });
  expect(await forge.commitsOfFile(gitops, path), 'the newest first').toEqual([again, sha]);
  expect(await forge.commitsOfFile(gitops, 'nothing.yaml')).toEqual([]);

  const defaults = { ...gitops, name: '.github' };
  expect(await forge.commitsOfFile(defaults, path), 'there is no such repository').toEqual([]);
  expect(await forge.fileAt(defaults, path, null), 'there is none').toBeNull();
  server.createRepository({ owner: 'example-org', name: '.github', files: { [path]: 'mode: observe\n' } });
  expect(await forge.fileAt(defaults, path, null)).toMatchObject({ text: 'mode: observe\n' });
  server.selectRepositories('example-org', [repo]);
  expect(await forge.fileAt(defaults, path, null), 'the App is not installed on it').toBeNull();
});

test('pull requests that are open, their files and their reviewers', async () => {
  const { forge, server, gitops } = await scene();
  server.addTeam('example-org', 'platform', ['dana']);
  const wish = { by: 'dana', title: 'Next', files: { [values]: 'image: shop:3\n', 'icon.png': null } };
  const next = server.propose(repo, { ...wish, branch: 'shop-3' });
  server.label(repo, next, 'urgent', 'dana');
  const { pullRequests, isComplete } = await forge.openPullRequests(gitops, 'main');
  expect(isComplete).toBe(true);
  expect(pullRequests).toMatchObject([{ number: next, author: { login: 'dana' }, labels: ['urgent'] }]);
  expect(await forge.openPullRequests(gitops, 'release')).toEqual({ pullRequests: [], isComplete: true });
  expect(await forge.filesOfPullRequest(gitops, next)).toEqual({
    isComplete: true,
    files: [
      { path: values, previousPath: null, change: 'modified' },
      { path: 'icon.png', previousPath: null, change: 'removed' },
    ],
  });
  server.addCollaborator(repo, 'kim', 'write');
  const reviewers = { people: ['kim', 'stranger', 'dana'], teams: ['platform', 'ghosts'] };
  expect(await forge.requestReviewers(gitops, next, reviewers)).toEqual({
    people: ['stranger', 'dana'],
    teams: ['ghosts'],
  });
  expect(server.pullRequest(repo, next)).toMatchObject({ reviewers: ['kim'], teamReviewers: ['platform'] });
});

test('the issue that says stop, labels and reactions', async () => {
  const { forge, server, gitops, culprit } = await scene();
  const stop = 'stepback: stop';
  expect(await forge.openIssuesWithLabel(gitops, stop)).toEqual([]);
  const issue = server.openIssue(repo, { by: 'kim', title: 'Stop' });
  server.label(repo, issue, stop, 'kim');
  server.unlabel(repo, issue, stop, 'lee');
  server.label(repo, issue, stop, 'dana');
  server.label(repo, culprit, stop, 'kim');
  expect(await forge.openIssuesWithLabel(gitops, 'Stepback: stop')).toMatchObject([
    { number: issue, author: 'kim', labelledBy: 'dana' },
  ]);

  const opened = await forge.createIssue(gitops, { title: 'Enough', body: 'Why', labels: ['stepback'] });
  expect(server.issues(repo).at(-1)).toMatchObject({
    number: opened.number,
    labels: ['stepback'],
    body: 'Why',
  });
  await forge.addLabels(gitops, culprit, ['stepback', 'urgent']);
  await forge.addLabels(gitops, culprit, ['urgent']);
  await forge.removeLabel(gitops, culprit, stop);
  await forge.removeLabel(gitops, culprit, stop);
  expect(server.pullRequest(repo, culprit)?.labels).toEqual(['stepback', 'urgent']);

  const comment = server.comment(repo, culprit, { by: 'dana', body: '/stepback status' });
  expect(await forge.react(gitops, comment, 'eyes')).toBe('done');
  expect(await forge.react(gitops, comment, 'eyes')).toBe('done');
  expect(server.comments(repo, culprit)).toMatchObject([
    { reactions: [{ user: 'stepback[bot]', content: 'eyes' }] },
  ]);
  server.deleteComment(repo, comment, 'dana');
  expect(await forge.react(gitops, comment, 'eyes')).toBe('gone');
});

/** A draft of ours, on a branch that is made by hand. */
async function draft({ forge, server, gitops, bad }: Scene) {
  const files = { [values]: 'image: shop:1\n' };
  server.commit(repo, {
    branch: 'stepback/revert/shop',
    from: bad,
    author: 'dana',
    message: 'Revert',
    files,
  });
  const wish = { title: 'Revert', body: '', head: 'stepback/revert/shop', base: 'main', isDraft: true };
  const opened = await forge.createPullRequest(gitops, wish);
  if (opened.kind !== 'created') throw new Error(`It was ${opened.kind}`);
  return opened.pullRequest;
}

test('auto-merge says what stands in its way, and merges when nothing does', async () => {
  const made = await scene();
  const { forge, server, gitops } = made;
  const pull = await draft(made);
  const turnOn = (method: 'merge' | 'squash' = 'squash') => forge.enableAutoMerge(gitops, pull, method);
  expect(await turnOn()).toBe('draft');
  await forge.markReadyForReview(gitops, pull);
  await forge.markReadyForReview(gitops, pull);
  expect(await forge.pullRequest(gitops, pull.number)).toMatchObject({ isDraft: false, nodeId: pull.nodeId });
  expect(await turnOn()).toBe('nothing-required');
  expect(await forge.requiredChecks(gitops, 'main')).toEqual([]);
  server.protectBranch(repo, 'main', {});
  expect(await turnOn()).toBe('already-mergeable');
  server.protectBranch(repo, 'main', { requiredChecks: ['ci'] });
  server.setRepository(repo, { allow: { autoMerge: false } });
  expect(await turnOn()).toBe('not-allowed');
  server.setRepository(repo, { allow: { autoMerge: true, merge: false } });
  expect(await turnOn('merge')).toBe('method-not-allowed');
  expect(await turnOn()).toBe('enabled');
  expect(server.pullRequest(repo, pull.number)).toMatchObject({ state: 'open', autoMerge: 'squash' });
  expect(await forge.requiredChecks(gitops, 'main')).toEqual(['ci']);
  expect(await forge.pullRequest(gitops, pull.number)).toMatchObject({ isAutoMergeOn: true });
  await forge.disableAutoMerge(gitops, pull);
  await forge.disableAutoMerge(gitops, pull);
  expect(await forge.pullRequest(gitops, pull.number)).toMatchObject({ isAutoMergeOn: false });
  expect(await turnOn()).toBe('enabled');
  server.reportCheck(repo, { app: 'ci', sha: pull.headSha, name: 'ci', conclusion: 'success' });
  expect(await forge.pullRequest(gitops, pull.number)).toMatchObject({ isMerged: true });
  expect(server.file(repo, values)).toBe('image: shop:1\n');
  expect(await turnOn()).toBe('closed');
});

test('the App signs off as GitHub writes it into its commits', async () => {
  const { forge, server, gitops, bad } = await scene();
  const { tree } = (await forge.commit(gitops, bad))!;
  const { sha } = await forge.createCommit(gitops, { tree, parents: [bad], message: 'Revert' });
  await forge.createBranch(gitops, 'stepback/revert', sha);
  const { name, email } = server.commits(repo, 'stepback/revert', 1)[0]!.author;
  expect(await forge.ownSignature(gitops)).toEqual({ name, email });
});

test('auto-merge without the right to it, and of what is not there', async () => {
  const made = await scene();
  const { forge, server, gitops } = made;
  const pull = await draft(made);
  await expect(forge.markReadyForReview(gitops, { nodeId: 'PR_kwDOnone' })).rejects.toMatchObject({
    kind: 'permanent',
    message: expect.stringContaining('Could not resolve to a node'),
  });
  server.grant('example-org', { metadata: 'read', contents: 'read', pull_requests: 'read' });
  await expect(forge.enableAutoMerge(gitops, pull, 'merge')).rejects.toMatchObject({
    kind: 'permanent',
    message: expect.stringContaining('lacks a permission'),
  });
});

test('webhooks that were lost are found, sent again, and then not found any more', async () => {
  const { forge, server, clock } = await scene();
  const heard: string[] = [];
  const ears = createServer((request, response) => {
    request.resume();
    heard.push(String(request.headers['x-github-delivery']));
    response.end();
  });
  await new Promise<void>((resolve) => ears.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void ears.close());
  const since = clock.now();
  const url = `http://127.0.0.1:${(ears.address() as AddressInfo).port}`;
  server.setWebhook({ url, secret: 'secret' });
  expect(await forge.failedDeliveries(since)).toEqual([]);

  server.faults.addDelivery({ event: 'push', fate: 'drop', times: 130 });
  const commits = Array.from({ length: 130 }, (_, index) => {
    return { author: 'dana', message: `Change ${index}`, files: { 'counter.txt': `${index}\n` } };
  });
  for (const one of commits) server.commit(repo, one);
  server.commit(repo, { author: 'dana', message: 'Heard', files: { 'counter.txt': 'last\n' } });
  await server.settled();
  const failed = await forge.failedDeliveries(since);
  expect(failed, 'over more than one page').toHaveLength(130);
  expect(heard).toHaveLength(1);

  const [first] = failed;
  expect(first).toMatchObject({ event: 'push', attempts: 1 });
  expect(await forge.redeliver(first!.id)).toBe('accepted');
  await server.settled();
  expect(heard[1]).toBe(first!.guid);
  const rest = await forge.failedDeliveries(since);
  expect(rest.map(({ guid }) => guid)).toEqual(failed.slice(1).map(({ guid }) => guid));
  expect(await forge.redeliver('1')).toBe('gone');
  expect(await forge.failedDeliveries(clock.now() + 3_600_000)).toEqual([]);
});
