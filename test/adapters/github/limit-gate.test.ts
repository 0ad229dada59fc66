import nock from 'nock';
import { expect, test } from 'vitest';
import { WorldProblem } from '../../../src/ports.ts';
import { api, eachTestHasItsOwnGitHub, gitops, installed, path, sha, world } from './world.ts';

eachTestHasItsOwnGitHub();

const secondary = { message: 'You have exceeded a secondary rate limit. Please wait a few minutes.' };
const comment = `${path}/issues/7/comments`;

/** The problem that something ends with. */
async function problem(work: Promise<unknown>): Promise<WorldProblem> {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof WorldProblem)) throw new Error('It did not end with a problem', { cause: error });
  return error;
}

test('the requests of the hour are used up: nothing is sent until the hour of GitHub is over', async () => {
  installed();
  const { forge, clock, sent } = world();
  // GitHub's clock is ten minutes before ours; its reset is meant by its own clock.
  const theirNow = clock.now() - 600_000;
  api()
    .get(path)
    .reply(
      403,
      { message: 'API rate limit exceeded for installation ID 42.' },
      {
        date: new Date(theirNow).toUTCString(),
        'x-ratelimit-remaining': '0',
        'x-ratelimit-reset': String(theirNow / 1000 + 1_000),
      },
    );
  const first = await problem(forge.repository(gitops));
  expect(first.message).toMatchInlineSnapshot(
    `"GitHub takes no more requests of Stepback for example-org at the moment: those of this hour are used up. Nothing is lost; Stepback looks again in 1031 s. If this happens often, look for another tool that works as the same App."`,
  );
  expect(first.retryAfterMs).toBe(1_001_000 + 30_000);
  clock.leap(600_000);
  const second = await problem(forge.createComment(gitops, 7, 'Hello'));
  expect(second).toMatchObject({ kind: 'transient', retryAfterMs: 1_001_000 + 30_000 - 600_000 });
  expect(sent).toHaveLength(1);

  clock.leap(600_000);
  api()
    .get(path)
    .reply(200, { owner: { login: 'example-org' }, name: 'gitops', default_branch: 'main' });
  expect(await forge.repository(gitops)).toMatchObject({ defaultBranch: 'main' });
});

test.each([403, 429])(
  'a secondary limit answered %i waits a minute, then longer and longer',
  async (status) => {
    installed();
    const { forge, clock } = world({ random: () => 0 });
    const waits: (number | null)[] = [];
    for (let time = 0; time < 7; time += 1) {
      api().post(comment).reply(status, secondary);
      const { retryAfterMs } = await problem(forge.createComment(gitops, 7, 'Hello'));
      waits.push(retryAfterMs);
      clock.leap(retryAfterMs ?? 0);
    }
    expect(waits).toEqual([60, 120, 240, 480, 960, 1_800, 1_800].map((seconds) => seconds * 1_000));

    api().post(comment).reply(201, { id: 1 });
    await forge.createComment(gitops, 7, 'Hello');
    api().post(comment).reply(status, secondary);
    const { retryAfterMs } = await problem(forge.createComment(gitops, 7, 'Hello'));
    expect(retryAfterMs, 'it begins again after a success').toBe(60_000);
  },
);

test('the wait is spread, so that replicas do not come back together', async () => {
  for (const [random, waitMs] of [
    [0, 60_000],
    [0.5, 67_500],
    [0.999, 74_985],
  ] as const) {
    installed();
    const { forge } = world({ random: () => random });
    api().post(comment).reply(403, secondary);
    expect(await problem(forge.createComment(gitops, 7, 'Hello'))).toMatchObject({ retryAfterMs: waitMs });
    nock.cleanAll();
  }
});

test('what GitHub asks for with Retry-After is what we wait', async () => {
  installed();
  const { forge } = world({ random: () => 0 });
  api().post(comment).reply(429, secondary, { 'retry-after': '300' });
  expect(await problem(forge.createComment(gitops, 7, 'Hello'))).toMatchObject({ retryAfterMs: 300_000 });
});

test('a 429 without words or headers is a limit too', async () => {
  installed();
  const { forge } = world({ random: () => 0 });
  api().get(path).reply(429);
  expect(await problem(forge.repository(gitops))).toMatchObject({ kind: 'transient', retryAfterMs: 60_000 });
});

test('when writing is limited reading goes on, when reading is limited nothing does', async () => {
  installed();
  const { forge, clock, sent } = world({ random: () => 0 });
  api().post(comment).reply(403, secondary);
  await problem(forge.createComment(gitops, 7, 'Hello'));
  await problem(forge.createComment(gitops, 7, 'Hello'));
  expect(sent).toHaveLength(1);
  api()
    .get(`${path}/git/trees/${sha('7ee')}`)
    .reply(403, secondary);
  await problem(forge.readTree(gitops, sha('7ee')));
  await problem(forge.readTree(gitops, sha('7ee')));
  expect(sent).toHaveLength(2);
  clock.leap(60_000);
  api()
    .get(`${path}/git/trees/${sha('7ee')}`)
    .reply(200, { tree: [], truncated: false });
  expect(await forge.readTree(gitops, sha('7ee'))).toEqual([]);
});

test('several that were on their way when the gate shut count as one', async () => {
  installed();
  const { forge, clock } = world({ random: () => 0 });
  const reads = ['a1', 'a2', 'a3'].map((start) => {
    api()
      .get(`${path}/git/trees/${sha(start)}`)
      .reply(403, secondary);
    return problem(forge.readTree(gitops, sha(start)));
  });
  expect((await Promise.all(reads)).map(({ retryAfterMs }) => retryAfterMs)).toEqual([
    60_000, 60_000, 60_000,
  ]);
  clock.leap(60_000);
  api().get(path).reply(403, secondary);
  expect(await problem(forge.repository(gitops))).toMatchObject({ retryAfterMs: 120_000 });
});
