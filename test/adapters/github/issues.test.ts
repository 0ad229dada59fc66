import { expect, test } from 'vitest';
import { accounts, api, eachTestHasItsOwnGitHub, gitops, installed, path, world } from './world.ts';

eachTestHasItsOwnGitHub();

const stop = 'stepback: stop';
const list = `${path}/issues`;
const query = { state: 'open', labels: stop, per_page: 100 };
const next = (at: string) => ({ link: `<https://api.github.com${at}?page=2>; rel="next"` });

function rawIssue(number: number, change: object = {}): object {
  return {
    number,
    html_url: `https://github.com/example-org/gitops/issues/${number}`,
    title: 'Stop everything',
    user: accounts.person,
    labels: [{ name: 'Stepback: Stop' }],
    ...change,
  };
}

function labeled(login: string, name: string, day: number): object {
  return { event: 'labeled', actor: { login }, label: { name }, created_at: `2026-08-0${day}T10:00:00Z` };
}

test('an issue is told with who set its label last, which need not be its author', async () => {
  installed();
  const events = `${list}/7/events`;
  api()
    .get(list)
    .query({ ...query, page: 1 })
    .reply(200, [rawIssue(9, { pull_request: {} }), rawIssue(8, { labels: ['other'] })], next(list));
  api()
    .get(list)
    .query({ ...query, page: 2 })
    .reply(200, [rawIssue(7)]);
  api()
    .get(events)
    .query({ per_page: 100, page: 1 })
    .reply(
      200,
      [labeled('dana', 'stepback: stop', 1), { ...labeled('dana', 'stepback: stop', 2), event: 'unlabeled' }],
      next(events),
    );
  api()
    .get(events)
    .query({ per_page: 100, page: 2 })
    .reply(200, [
      labeled('kim', 'Stepback: STOP', 3),
      labeled('dev', 'urgent', 4),
      { event: 'closed', actor: null, created_at: '2026-08-05T10:00:00Z' },
    ]);
  expect(await world().forge.openIssuesWithLabel(gitops, stop)).toEqual([
    {
      number: 7,
      url: 'https://github.com/example-org/gitops/issues/7',
      title: 'Stop everything',
      body: '',
      isOurs: false,
      author: 'dev',
      labelledBy: 'kim',
      labelledAt: Date.UTC(2026, 7, 3, 10),
    },
  ]);
});

test('when GitHub does not say who set it, nobody is named', async () => {
  installed();
  api()
    .get(list)
    .query(true)
    .reply(200, [rawIssue(1, { user: null }), rawIssue(2), rawIssue(3)]);
  api().get(`${list}/1/events`).query(true).reply(200, []);
  api()
    .get(`${list}/2/events`)
    .query(true)
    .reply(200, [{ ...labeled('x', stop, 1), actor: null }]);
  api()
    .get(`${list}/3/events`)
    .query(true)
    .times(10)
    .reply(200, [labeled('dana', stop, 1)], next(`${list}/3/events`));
  const issues = await world().forge.openIssuesWithLabel(gitops, stop);
  expect(
    issues.map(({ number, author, labelledBy, labelledAt }) => [number, author, labelledBy, labelledAt]),
  ).toEqual([
    [1, 'ghost', null, null],
    [2, 'dev', null, Date.UTC(2026, 7, 1, 10)],
    [3, 'dev', null, null],
  ]);
});

test('where issues are switched off there is none; what cannot be read is a problem', async () => {
  installed();
  const { forge } = world();
  api().get(list).query(true).reply(410, { message: 'Issues are disabled for this repo' });
  expect(await forge.openIssuesWithLabel(gitops, stop)).toEqual([]);
  api().get(list).query(true).reply(404, { message: 'Not Found' });
  await expect(forge.openIssuesWithLabel(gitops, stop)).rejects.toMatchObject({ kind: 'permanent' });
  api().get(list).query(true).times(10).reply(200, [], next(list));
  await expect(forge.openIssuesWithLabel(gitops, stop)).rejects.toThrowErrorMatchingInlineSnapshot(
    `[WorldProblem: example-org/gitops has over 1000 open issues and pull requests with the label "stepback: stop", so Stepback cannot tell which of them count. Take the label off most of them.]`,
  );
});

test('an issue is opened once', async () => {
  installed();
  const { forge, sent } = world();
  const wish = { title: 'No more reverts today', body: 'Why', labels: ['stepback'] };
  api().post(list, wish).reply(201, rawIssue(12));
  expect(await forge.createIssue(gitops, wish)).toEqual({
    number: 12,
    url: 'https://github.com/example-org/gitops/issues/12',
  });
  api().post(list).reply(502, {});
  await expect(forge.createIssue(gitops, wish)).rejects.toMatchObject({ kind: 'transient' });
  expect(sent).toHaveLength(2);
  api().post(list).reply(410, { message: 'Issues are disabled for this repo' });
  await expect(forge.createIssue(gitops, wish)).rejects.toMatchObject({ kind: 'permanent' });
});

test('labels are put on, also over a broken answer, and taken off', async () => {
  installed();
  const { forge, sent } = world();
  api().post(`${list}/7/labels`).reply(502, {});
  api()
    .post(`${list}/7/labels`, { labels: ['stepback', 'a/b c'] })
    .reply(200, []);
  await forge.addLabels(gitops, 7, ['stepback', 'a/b c']);
  await forge.addLabels(gitops, 7, []);
  expect(sent).toHaveLength(2);
  api().delete(`${list}/7/labels/a%2Fb%20c`).reply(200, []);
  await forge.removeLabel(gitops, 7, 'a/b c');
  api().delete(`${list}/7/labels/a%2Fb%20c`).reply(404, { message: 'Label does not exist' });
  await forge.removeLabel(gitops, 7, 'a/b c');
  api().delete(`${list}/7/labels/x`).reply(404, { message: 'Not Found' });
  await expect(forge.removeLabel(gitops, 7, 'x')).rejects.toMatchObject({ kind: 'permanent' });
});
