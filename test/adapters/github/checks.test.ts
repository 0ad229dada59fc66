import { expect, test } from 'vitest';
import type { CheckRunContent } from '../../../src/ports/checks.ts';
import { api, eachTestHasItsOwnGitHub, gitops, installed, path, sha, world } from './world.ts';

eachTestHasItsOwnGitHub();

const name = 'stepback / argocd/payments';
const at = `${path}/commits/${sha('c0')}/check-runs`;

const rolling: CheckRunContent = {
  externalId: 'argocd/payments',
  status: 'in-progress',
  conclusion: null,
  title: 'Stage 2 of 3',
  summary: '| stage | runs it |',
  text: '',
  detailsUrl: null,
  actions: [],
  startedAt: Date.UTC(2026, 7, 1, 10, 0, 0, 750),
  completedAt: null,
};

/** A check run of ours as GitHub answers it. */
function rawRun(change: object = {}): object {
  return {
    id: 4,
    html_url: 'https://github.com/example-org/gitops/runs/4',
    name,
    head_sha: sha('c0'),
    external_id: 'argocd/payments',
    status: 'in_progress',
    conclusion: null,
    details_url: 'https://github.com/example-org/gitops/runs/4',
    started_at: '2026-08-01T10:00:00Z',
    completed_at: null,
    output: { title: 'Stage 2 of 3', summary: '| stage | runs it |', text: null },
    app: { id: 7 },
    ...change,
  };
}

test('a check run is made and edited with all that it says, and without a conclusion while it goes on', async () => {
  installed();
  const { forge, sent } = world();
  api().post(`${path}/check-runs`).reply(201, rawRun());
  expect(await forge.createCheckRun(gitops, { ...rolling, name, sha: sha('c0') })).toBe(4);
  api().patch(`${path}/check-runs/4`).reply(200, rawRun());
  await forge.updateCheckRun(gitops, 4, {
    ...rolling,
    status: 'completed',
    conclusion: 'action-required',
    text: 'Stage 3 is opened by hand.',
    actions: [{ label: 'Revert', description: 'Take this commit back', identifier: 'revert' }],
    completedAt: Date.UTC(2026, 7, 1, 11),
  });
  expect(sent.map(({ body }) => body)).toMatchInlineSnapshot(`
    [
      {
        "actions": [],
        "external_id": "argocd/payments",
        "head_sha": "c000000000000000000000000000000000000000",
        "name": "stepback / argocd/payments",
        "output": {
          "summary": "| stage | runs it |",
          "text": "",
          "title": "Stage 2 of 3",
        },
        "started_at": "2026-08-01T10:00:00Z",
        "status": "in_progress",
      },
      {
        "actions": [
          {
            "description": "Take this commit back",
            "identifier": "revert",
            "label": "Revert",
          },
        ],
        "completed_at": "2026-08-01T11:00:00Z",
        "conclusion": "action_required",
        "external_id": "argocd/payments",
        "output": {
          "summary": "| stage | runs it |",
          "text": "Stage 3 is opened by hand.",
          "title": "Stage 2 of 3",
        },
        "started_at": "2026-08-01T10:00:00Z",
        "status": "completed",
      },
    ]
  `);
});

test('ours are read by the id of the App and by their name, the newest first', async () => {
  installed();
  const query = { app_id: 7, check_name: name, filter: 'all', per_page: 100 };
  const next = { link: `<https://api.github.com${at}?page=2>; rel="next"` };
  api()
    .get(at)
    .query({ ...query, page: 1 })
    .reply(
      200,
      {
        total_count: 5,
        check_runs: [
          rawRun({ id: 4 }),
          rawRun({ id: 5, app: { id: 8 } }),
          rawRun({ id: 6, app: null }),
          rawRun({ id: 7, name: `${name}-eu` }),
        ],
      },
      next,
    );
  api()
    .get(at)
    .query({ ...query, page: 2 })
    .reply(200, {
      total_count: 5,
      check_runs: [rawRun({ id: 9, status: 'completed', conclusion: 'action_required' })],
    });
  const runs = await world().forge.checkRuns(gitops, sha('c0'), name);
  expect(runs.map(({ id, status, conclusion }) => [id, status, conclusion])).toEqual([
    [9, 'completed', 'action-required'],
    [4, 'in-progress', null],
  ]);
  expect(runs[1]).toEqual({
    ...{ id: 4, name, sha: sha('c0'), url: 'https://github.com/example-org/gitops/runs/4' },
    ...{ externalId: 'argocd/payments', status: 'in-progress', conclusion: null },
    ...{ title: 'Stage 2 of 3', summary: '| stage | runs it |', text: '' },
    detailsUrl: 'https://github.com/example-org/gitops/runs/4',
    startedAt: Date.UTC(2026, 7, 1, 10),
    completedAt: null,
  });
});

test('what GitHub says of a run that we never write is told apart', async () => {
  installed();
  api()
    .get(at)
    .query((query) => query.check_name === undefined)
    .reply(200, {
      total_count: 3,
      check_runs: [
        rawRun({ id: 1, status: 'waiting' }),
        rawRun({ id: 2, status: 'completed', conclusion: 'stale', output: { title: null } }),
        rawRun({ id: 3, status: 'completed', conclusion: 'neutral' }),
      ],
    });
  const runs = await world().forge.checkRuns(gitops, sha('c0'), null);
  expect(runs.map(({ status, conclusion, title }) => `${status} ${conclusion} ${title}`)).toEqual([
    'completed neutral Stage 2 of 3',
    'completed other ',
    'queued null Stage 2 of 3',
  ]);
});

test('a commit that is not there has no check runs, and none can be made on it', async () => {
  installed();
  const { forge, clock } = world();
  const unknown = { message: `No commit found for SHA: ${sha('c0')}` };
  api().get(at).query(true).reply(422, unknown);
  api().get(path).reply(200, {});
  expect(await forge.checkRuns(gitops, sha('c0'), name)).toEqual([]);
  api().post(`${path}/check-runs`).times(4).reply(422, unknown);
  expect(await forge.createCheckRun(gitops, { ...rolling, name, sha: sha('c0') })).toBeNull();
  expect(clock.waits, 'a commit that was just pushed may not be known everywhere').toEqual([
    500, 1_000, 2_000,
  ]);
});

test('making one is not repeated when nothing was heard of it; editing one is', async () => {
  installed();
  const { forge } = world();
  api().post(`${path}/check-runs`).reply(502, {});
  await expect(forge.createCheckRun(gitops, { ...rolling, name, sha: sha('c0') })).rejects.toMatchObject({
    kind: 'transient',
  });
  api().patch(`${path}/check-runs/4`).reply(502, {});
  api().patch(`${path}/check-runs/4`).reply(200, rawRun());
  await forge.updateCheckRun(gitops, 4, rolling);
});

test('an App without the right to checks is told which it lacks', async () => {
  installed();
  api()
    .post(`${path}/check-runs`)
    .reply(
      403,
      { message: 'Resource not accessible by integration' },
      { 'x-accepted-github-permissions': 'checks=write' },
    );
  await expect(
    world().forge.createCheckRun(gitops, { ...rolling, name, sha: sha('c0') }),
  ).rejects.toThrowErrorMatchingInlineSnapshot(
    `[WorldProblem: GitHub refused to make a check run on commit c000000000000000000000000000000000000000 of example-org/gitops (403: Resource not accessible by integration). The App lacks the permission checks: write. Add it on the settings page of the App, and let an owner of the organisation accept it.]`,
  );
});

const button = { label: 'Revert', description: 'Take this commit back', identifier: 'revert' };
const atTheLimit: CheckRunContent = {
  ...rolling,
  summary: `${'é'.repeat(32_767)}.`,
  text: 'x'.repeat(65_535),
  actions: Array.from({ length: 3 }, () => ({
    label: 'l'.repeat(20),
    description: 'd'.repeat(40),
    identifier: 'i'.repeat(20),
  })),
};

test('what fits exactly is sent', async () => {
  installed();
  api().patch(`${path}/check-runs/4`).reply(200, rawRun());
  await world().forge.updateCheckRun(gitops, 4, atTheLimit);
});

test.each<[string, Partial<CheckRunContent>, string]>([
  ['summary', { summary: 'é'.repeat(32_768) }, 'its summary has 65536 bytes and not 65535 at the most'],
  ['text', { text: '😀'.repeat(16_384) }, 'its text has 65536 bytes and not 65535 at the most'],
  ['list of buttons', { actions: Array(4).fill(button) }, 'it has 4 buttons and not 3'],
  ['label', { actions: [{ ...button, label: 'l'.repeat(21) }] }, 'the label'],
  ['description', { actions: [{ ...button, description: 'd'.repeat(41) }] }, 'the description'],
  ['identifier', { actions: [{ ...button, identifier: 'i'.repeat(21) }] }, 'the identifier'],
  ['conclusion', { conclusion: 'success' }, 'it is in-progress and its conclusion is success'],
  ['status', { status: 'completed' }, 'it is completed and its conclusion is none'],
])('a %s that GitHub does not take is our own mistake, and nothing is sent', async (_, change, words) => {
  const { forge, events } = world();
  const content = { ...rolling, ...change };
  const mistakes = [
    forge.updateCheckRun(gitops, 4, content),
    forge.createCheckRun(gitops, { ...content, name, sha: sha('c0') }),
  ];
  for (const mistake of mistakes) {
    await expect(mistake).rejects.toMatchObject({ name: 'Error', message: expect.stringContaining(words) });
  }
  expect(events).toEqual([]);
});
