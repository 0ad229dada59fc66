import { expect, test } from 'vitest';
import { type Reply, startWorld } from './world.ts';

const say = ({ status, body }: Reply) =>
  [
    status,
    body?.message,
    ...(body?.errors ?? []).map((error: Record<string, string>) => JSON.stringify(error)),
  ].join(' ');

test('issues are opened, found by label and state, edited and closed', async () => {
  const world = await startWorld();
  const { github, repo } = world;
  const opened = await world.post('issues', {
    title: 'Over the limit',
    body: 'Ten reverts today.',
    labels: ['stepback'],
  });
  expect(opened.body).toMatchObject({
    state: 'open',
    labels: [{ name: 'stepback' }],
    performed_via_github_app: { slug: 'stepback' },
  });
  const stop = github.openIssue(repo, { by: 'dana', title: 'Hands off', labels: ['stepback: stop'] });
  const pull = github.propose(repo, { by: 'rene', branch: 'x', title: 'Not an issue', files: { x: '' } });
  const list = async (query: string) =>
    (await world.get(`issues?${query}`)).body.map(({ number }: { number: number }) => number);
  expect(await list('')).toEqual([pull, stop, opened.body.number]);
  expect(await list('labels=stepback%3A%20stop&state=open')).toEqual([stop]);
  expect(await list('creator=dana')).toEqual([stop]);
  expect((await world.get(`issues/${pull}`)).body.pull_request.url).toMatch(/\/pulls\/3$/);
  await world.patch(`issues/${stop}`, { state: 'closed', state_reason: 'not_planned', labels: ['done'] });
  expect((await world.get(`issues/${stop}`)).body).toMatchObject({
    state: 'closed',
    state_reason: 'not_planned',
    closed_by: { login: 'stepback[bot]' },
    labels: [{ name: 'done' }],
  });
  expect(await list('state=closed')).toEqual([stop]);
  expect(say(await world.post('issues', { title: '' }))).toBe(
    '422 Validation Failed {"resource":"Issue","code":"missing_field","field":"title"}',
  );
  expect(say(await world.get('issues/99'))).toBe('404 Not Found');
});

test('who set a label is in the events of the issue', async () => {
  const world = await startWorld();
  const { github, repo } = world;
  const number = github.openIssue(repo, { by: 'toni', title: 'Stop' });
  github.label(repo, number, 'stepback: stop', 'toni');
  github.unlabel(repo, number, 'stepback: stop', 'dana');
  expect(
    (await world.post(`issues/${number}/labels`, { labels: ['stepback: stop', 'urgent'] })).body,
  ).toHaveLength(2);
  const gone = await world.call(
    'DELETE',
    world.path(`issues/${number}/labels/${encodeURIComponent('stepback: stop')}`),
  );
  expect(gone.body).toMatchObject([{ name: 'urgent' }]);
  expect((await world.call('DELETE', world.path(`issues/${number}/labels/nope`))).status).toBe(404);
  const events = (await world.get(`issues/${number}/events`)).body;
  expect(
    events.map(
      ({ event, actor, label }: Record<string, Record<string, string>>) =>
        `${actor?.login} ${event} ${label?.name}`,
    ),
  ).toEqual([
    'toni labeled stepback: stop',
    'dana unlabeled stepback: stop',
    'stepback[bot] labeled stepback: stop',
    'stepback[bot] labeled urgent',
    'stepback[bot] unlabeled stepback: stop',
  ]);
  expect((await world.get('labels')).body).toHaveLength(2);
  expect(say(await world.post('labels', { name: 'urgent' }))).toMatch(/already_exists/);
  expect((await world.post('labels', { name: 'new', color: 'ff0000' })).status).toBe(201);
  expect((await world.get('labels/new')).body.color).toBe('ff0000');
});

test('comments are made, edited by their author alone, listed in pages and deleted', async () => {
  const world = await startWorld();
  const { github, repo } = world;
  const number = github.openIssue(repo, { by: 'dana', title: 'Talk' });
  const theirs = github.comment(repo, number, { by: 'dana', body: 'First' });
  const { body: ours } = await world.post(`issues/${number}/comments`, { body: 'Second' });
  expect(ours).toMatchObject({
    user: { login: 'stepback[bot]' },
    performed_via_github_app: { slug: 'stepback' },
  });
  await world.patch(`issues/comments/${ours.id}`, { body: 'Second, better' });
  expect(say(await world.patch(`issues/comments/${theirs}`, { body: 'Mine now' }))).toMatch(/^403/);
  const page = await world.get(`issues/${number}/comments?per_page=1&page=2`);
  expect(page.body).toMatchObject([{ body: 'Second, better' }]);
  expect(page.headers.get('link')).toContain('rel="prev"');
  expect((await world.get(`issues/${number}`)).body.comments).toBe(2);
  expect((await world.call('DELETE', world.path(`issues/comments/${ours.id}`))).status).toBe(204);
  expect((await world.get(`issues/comments/${ours.id}`)).status).toBe(404);
  expect(say(await world.post(`issues/${number}/comments`, { body: '  ' }))).toMatch(
    /^422 .*cannot be blank/,
  );
  expect(say(await world.post(`issues/${number}/comments`, { body: 'x'.repeat(65_537) }))).toMatch(
    /^422 .*maximum is 65536/,
  );
  expect((await world.post(`issues/${number}/comments`, { body: 'x'.repeat(65_536) })).status).toBe(201);
});

test('GH19: an edit says what was there before and who edited', async () => {
  const world = await startWorld();
  const { github, repo } = world;
  const number = github.openIssue(repo, { by: 'dana', title: 'Talk' });
  const comment = github.comment(repo, number, { by: 'dana', body: 'hmm' });
  github.editComment(repo, comment, { by: 'toni', body: '/revert' });
  github.deleteComment(repo, comment, 'dana');
  const [edited, deleted] = (await world.heard('issue_comment')).filter(({ action }) => action !== 'created');
  expect(edited).toMatchObject({
    action: 'edited',
    comment: { id: comment, user: { login: 'dana' }, body: '/revert' },
    changes: { body: { from: 'hmm' } },
    sender: { login: 'toni' },
  });
  expect(deleted).toMatchObject({
    action: 'deleted',
    comment: { body: '/revert' },
    sender: { login: 'dana' },
  });
});

test('a reaction is there once, however often it is given', async () => {
  const world = await startWorld();
  const { github, repo } = world;
  const number = github.openIssue(repo, { by: 'dana', title: 'Talk' });
  const comment = github.comment(repo, number, { by: 'dana', body: '/stepback status' });
  github.react(repo, comment, 'eyes', 'dana');
  const react = (content: string) => world.post(`issues/comments/${comment}/reactions`, { content });
  const first = await react('eyes');
  expect([first.status, (await react('eyes')).status, (await react('nonsense')).status]).toEqual([
    201, 200, 422,
  ]);
  expect((await world.get(`issues/comments/${comment}`)).body.reactions).toMatchObject({
    total_count: 2,
    eyes: 2,
  });
  expect(
    (await world.call('DELETE', world.path(`issues/comments/${comment}/reactions/${first.body.id}`))).status,
  ).toBe(204);
  expect((await world.get(`issues/comments/${comment}/reactions`)).body).toMatchObject([
    { content: 'eyes', user: { login: 'dana' } },
  ]);
  expect((await world.post(`issues/${number}/reactions`, { content: '+1' })).status).toBe(201);
});
