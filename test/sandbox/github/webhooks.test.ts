import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { steppedClock } from '../../../src/sandbox/clock.ts';
import { faultOfAnswer, faultOfWebhook } from './openapi.ts';
import { NOON, SECRET, startWorld } from './world.ts';

test('every act of people is a signed webhook as GitHub describes it', async () => {
  const world = await startWorld();
  world.judgesWebhooks = true;
  const { github, repo, hooks } = world;
  const files = { 'apps/shop/values.yaml': 'replicas: 2\n' };
  const before = github.deliveries.length;
  const number = github.propose(repo, { by: 'rene', branch: 'more', title: 'More', files });
  github.commit(repo, { author: 'rene', branch: 'more', message: 'Even more', files: { 'new.txt': 'x' } });
  const comment = github.comment(repo, number, { by: 'toni', body: 'hm' });
  github.editComment(repo, comment, { by: 'toni', body: '/stepback status' });
  github.deleteComment(repo, comment, 'toni');
  github.label(repo, number, 'urgent', 'dana');
  github.unlabel(repo, number, 'urgent', 'dana');
  github.edit(repo, number, { by: 'rene', title: 'More replicas' });
  github.closePullRequest(repo, number, 'dana');
  github.reopenPullRequest(repo, number, 'dana');
  github.markReadyForReview(repo, number, 'rene');
  github.mergePullRequest(repo, number, { by: 'dana', method: 'squash' });
  const issue = github.openIssue(repo, { by: 'dana', title: 'Stop', labels: ['stepback: stop'] });
  github.edit(repo, issue, { by: 'dana', state: 'closed' });
  github.push(repo, { branch: 'more', sha: null, by: 'dana' });
  github.suspend('example-org');
  github.suspend('example-org', false);
  github.uninstall('example-org');
  await github.settled();
  expect(hooks.filter(({ payload }) => payload.broken !== undefined)).toEqual([]);
  const sent = github.deliveries
    .slice(before)
    .map(({ event, action }) => (action === null ? event : `${event}.${action}`));
  expect(sent).toMatchInlineSnapshot(`
    [
      "push",
      "pull_request.opened",
      "push",
      "pull_request.synchronize",
      "issue_comment.created",
      "issue_comment.edited",
      "issue_comment.deleted",
      "pull_request.labeled",
      "pull_request.unlabeled",
      "pull_request.edited",
      "pull_request.closed",
      "pull_request.reopened",
      "pull_request.closed",
      "push",
      "issues.opened",
      "issues.labeled",
      "issues.closed",
      "push",
      "installation.suspend",
      "installation.unsuspend",
      "installation.deleted",
    ]
  `);
});

test('a push says which files each commit touched, and a merge tells of the closed pull request and the push', async () => {
  const world = await startWorld();
  const { github, repo } = world;
  const before = github.head(repo);
  const [first, second] = github.commitAll(repo, {
    by: 'dana',
    commits: [
      { author: 'dana', message: 'One', files: { 'apps/new.yaml': 'a: 1\n', 'README.md': null } },
      { author: 'rene', message: 'Two\n\nWith a body', files: { 'apps/new.yaml': 'a: 2\n' } },
    ],
  });
  const [push] = await world.heard('push');
  expect(push).toMatchObject({
    ref: 'refs/heads/main',
    before,
    after: second,
    forced: false,
    created: false,
  });
  expect(push.commits).toMatchObject([
    {
      id: first,
      message: 'One',
      added: ['apps/new.yaml'],
      removed: ['README.md'],
      modified: [],
      distinct: true,
    },
    { id: second, message: 'Two\n\nWith a body', added: [], removed: [], modified: ['apps/new.yaml'] },
  ]);
  expect(push.commits[0].author).toEqual({ name: 'Dana', email: 'dana@acme.example', username: 'dana' });
  expect(push.pusher.name).toBe('dana');
  expect(push.installation.id).toBe(await world.installation());
});

test('a button of a check run is told to the App that made the run, with who pressed it', async () => {
  const world = await startWorld();
  world.judgesWebhooks = true;
  const { github, repo } = world;
  const sha = github.head(repo) as string;
  const actions = [{ label: 'Revert', description: 'Open a revert', identifier: 'revert' }];
  const run = await world.post('check-runs', { name: 'stepback / argocd/shop', head_sha: sha, actions });
  github.reportCheck(repo, { name: 'build', sha });
  github.clickCheckAction(repo, { name: 'build', sha }, { by: 'rene' });
  github.clickCheckAction(repo, { id: run.body.id }, { by: 'rene', identifier: 'revert' });
  const [click, ...others] = (await world.heard('check_run')).filter(({ action }) => /^re/.test(action));
  expect(others).toEqual([]);
  expect(click).toMatchObject({
    action: 'requested_action',
    requested_action: { identifier: 'revert' },
    check_run: { id: run.body.id, head_sha: sha },
    sender: { login: 'rene', type: 'User' },
  });
  expect(() =>
    github.clickCheckAction(repo, { id: run.body.id }, { by: 'rene', identifier: 'hold' }),
  ).toThrow('no button hold');
});

test('what the bot does comes back to it as an event of its own', async () => {
  const world = await startWorld();
  const issue = world.github.openIssue(world.repo, { by: 'dana', title: 'Hello' });
  await world.post(`issues/${issue}/comments`, { body: 'Hello back' });
  world.github.comment(world.repo, issue, { by: 'renovate[bot]', body: '/stepback revert' });
  const told = await world.heard('issue_comment', 'created');
  expect(
    told.map(({ sender, comment }) => [sender.login, sender.type, comment.performed_via_github_app?.slug]),
  ).toEqual([
    ['stepback[bot]', 'Bot', 'stepback'],
    ['renovate[bot]', 'Bot', undefined],
  ]);
});

test('a failed delivery is on record, stays failed, and is redelivered when the App asks for it', async () => {
  const world = await startWorld();
  const { github, repo } = world;
  world.hookStatus = 500;
  const number = github.openIssue(repo, { by: 'dana', title: 'Lost' });
  await github.settled();
  const { body: failed } = await world.asApp('GET', '/app/hook/deliveries?status=failure');
  expect(failed).toMatchObject([{ event: 'issues', action: 'opened', status_code: 500, redelivery: false }]);
  const { body: whole } = await world.asApp('GET', `/app/hook/deliveries/${failed[0].id}`);
  expect(whole.request.payload.issue.number).toBe(number);
  expect(whole.response.payload).toBe('heard');
  world.hookStatus = 200;
  await world.heard();
  expect((await world.asApp('POST', `/app/hook/deliveries/${failed[0].id}/attempts`)).status).toBe(202);
  await github.settled();
  expect(world.hooks.map(({ guid }) => guid)).toEqual([failed[0].guid]);
  const { body: all } = await world.asApp('GET', '/app/hook/deliveries');
  expect(all.slice(0, 2)).toMatchObject([
    { guid: failed[0].guid, redelivery: true, status: 'OK', status_code: 200 },
    { guid: failed[0].guid, redelivery: false, status_code: 500 },
  ]);
  expect((await world.asApp('POST', '/app/hook/deliveries/1/attempts')).status).toBe(404);
});

test('deliveries are listed newest first, in pages by cursor', async () => {
  const world = await startWorld();
  for (let i = 0; i < 5; i++) world.github.openIssue(world.repo, { by: 'dana', title: `Issue ${i}` });
  await world.github.settled();
  const seen: string[] = [];
  let path: string | undefined = '/app/hook/deliveries?per_page=2';
  while (path !== undefined) {
    const page = await world.asApp('GET', path);
    seen.push(...page.body.map(({ guid }: { guid: string }) => guid));
    path = /<http:\/\/[^/]+([^>]+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1];
  }
  expect(seen).toEqual(world.github.deliveries.map(({ guid }) => guid).reverse());
  expect((await world.asApp('GET', '/app/hook/deliveries?cursor=nonsense')).status).toBe(400);
});

test('webhooks can be dropped, lost, doubled, held and late', async () => {
  const clock = steppedClock(NOON);
  const world = await startWorld({ clock });
  const { github, repo } = world;
  for (const fate of ['drop', 'lose', 'double', 'hold', { delayMs: 5_000 }] as const) {
    github.faults.addDelivery({ event: 'issues', fate });
  }
  for (const title of ['dropped', 'lost', 'doubled', 'held', 'late'])
    github.openIssue(repo, { by: 'dana', title });
  const titles = async () => (await world.heard('issues')).map(({ issue }) => issue.title);
  expect(await titles()).toEqual(['doubled', 'doubled']);
  await clock.advance(5_000);
  expect(await titles()).toEqual(['late']);
  expect(github.releaseDeliveries()).toBe(1);
  expect(await titles()).toEqual(['held']);
  const { body } = await world.asApp('GET', '/app/hook/deliveries?status=failure');
  expect(body).toMatchObject([{ status: 'failed to connect to host', status_code: 502 }]);
  github.redeliver(body[0].id);
  expect(await titles()).toEqual(['dropped']);
});

test('the signature is that of the body as it was sent', async () => {
  const { github, repo } = await startWorld();
  github.openIssue(repo, { by: 'dana', title: 'Grüße' });
  const { payload, headers } = github.deliveries.at(-1) as {
    payload: string;
    headers: Record<string, string>;
  };
  const expected = createHmac('sha256', SECRET).update(payload).digest('hex');
  expect(headers['x-hub-signature-256']).toBe(`sha256=${expected}`);
  expect(headers['x-github-delivery']).toMatch(
    /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/,
  );
});

test('a suspended App hears nothing, and an App is not told of what it did not ask for', async () => {
  const world = await startWorld({ app: { events: ['push'] } });
  world.github.openIssue(world.repo, { by: 'dana', title: 'Not asked for' });
  world.github.suspend('example-org');
  world.github.commit(world.repo, { author: 'dana', message: 'Unheard', files: { a: 'a' } });
  await world.github.settled();
  expect(world.hooks.map(({ payload }) => payload.action)).toEqual(['suspend']);
});

test('the judge of all these answers finds fault where there is one', () => {
  expect(faultOfWebhook('issues', { action: 'opened' })).toMatch(/must have required property/);
  expect(faultOfWebhook('issues', { action: 'exploded' })).toBe('issues-exploded is not a webhook');
  expect(faultOfAnswer('GET', '/repos/o/r/git/ref/heads/a/b', 200, { ref: 1 })).toMatch(
    /must have required property/,
  );
  expect(faultOfAnswer('GET', '/nowhere', 200, {})).toMatch(/not in GitHub's description/);
});
