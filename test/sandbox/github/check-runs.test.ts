import { expect, test } from 'vitest';
import { type Body, startWorld, type World } from './world.ts';

const NAME = 'stepback / argocd/shop';

async function makeRun(world: World, values: object = {}): Promise<Body> {
  const head_sha = world.github.head(world.repo);
  return (await world.post('check-runs', { name: NAME, head_sha, status: 'queued', ...values })).body;
}

test('a check run goes from queued to done, and its annotations add up', async () => {
  const world = await startWorld();
  const { github, repo } = world;
  const actions = [{ label: 'Revert', description: 'Open a revert now', identifier: 'revert' }];
  const run = await makeRun(world, { external_id: 'argocd/shop', actions });
  expect(run).toMatchObject({
    status: 'queued',
    conclusion: null,
    app: { slug: 'stepback' },
    output: { title: null },
  });
  const annotation = {
    path: 'apps/shop/values.yaml',
    start_line: 1,
    end_line: 1,
    annotation_level: 'failure',
    message: 'No',
  };
  const output = { title: 'Rolling', summary: 'dev', text: 'more', annotations: [annotation] };
  await world.patch(`check-runs/${run.id}`, { status: 'in_progress', output });
  world.clock.pass(60_000);
  const done = (await world.patch(`check-runs/${run.id}`, { conclusion: 'failure', output })).body;
  expect(done).toMatchObject({
    status: 'completed',
    conclusion: 'failure',
    completed_at: '2026-12-01T12:01:00Z',
    output: { annotations_count: 2 },
  });
  expect((await world.get(`check-runs/${run.id}/annotations`)).body).toMatchObject([
    { message: 'No' },
    { message: 'No' },
  ]);
  expect((await world.patch(`check-runs/${run.id}`, { status: 'in_progress' })).body).toMatchObject({
    conclusion: null,
    completed_at: null,
  });
  expect(github.checkRuns(repo)).toMatchObject([{ name: NAME, status: 'in_progress', actions }]);
  const told = (await world.heard('check_run')).map(
    ({ action, check_run: one }) => `${action} ${one.status}`,
  );
  expect(told).toEqual(['created queued', 'completed completed']);
});

test('the check runs of a commit are the latest of each name, or all', async () => {
  const world = await startWorld();
  const sha = world.github.head(world.repo) as string;
  world.github.propose(world.repo, { by: 'rene', branch: 'x', title: 'X', files: { x: '' } });
  const [first, second] = [await makeRun(world), await makeRun(world)];
  await makeRun(world, { name: 'stepback / blast radius' });
  world.github.reportCheck(world.repo, { name: 'build', sha, conclusion: 'success' });
  const ids = async (query: string) =>
    (await world.get(`commits/main/check-runs?${query}`)).body.check_runs.map(({ id }: Body) => id);
  const name = encodeURIComponent(NAME);
  expect(await ids(`check_name=${name}`)).toEqual([second.id]);
  expect(await ids(`check_name=${name}&filter=all`)).toEqual([second.id, first.id]);
  expect(await ids('')).toHaveLength(3);
  expect(await ids(`app_id=${world.github.app.id}`)).toHaveLength(2);
  expect(await ids('status=completed')).toHaveLength(1);
  expect((await world.get(`commits/main/check-runs?per_page=1`)).body.total_count).toBe(3);
});

test('what is too long, too many or not known is refused', async () => {
  const world = await startWorld();
  const output = { title: 'T', summary: 'S' };
  const action = { label: 'Revert', description: 'Open a revert', identifier: 'revert' };
  const annotation = { path: 'a', start_line: 1, end_line: 1, annotation_level: 'notice', message: 'm' };
  const say = async (values: object) => (await makeRun(world, values)).message ?? 'fine';
  expect([
    await say({ output: { ...output, summary: 'x'.repeat(65_535) } }),
    await say({ output: { ...output, summary: 'x'.repeat(65_536) } }),
    await say({ output: { ...output, summary: 'ü'.repeat(32_768) } }),
    await say({ output: { ...output, text: 'x'.repeat(65_536) } }),
    await say({ output: { title: 'T' } }),
    await say({ output: { ...output, annotations: Array(51).fill(annotation) } }),
    await say({ actions: Array(4).fill(action) }),
    await say({ actions: [{ ...action, label: 'x'.repeat(21) }] }),
    await say({ actions: [{ ...action, description: 'x'.repeat(41) }] }),
    await say({ actions: [{ ...action, identifier: 'x'.repeat(21) }] }),
    await say({ status: 'completed' }),
    await say({ conclusion: 'splendid' }),
    await say({ head_sha: 'f'.repeat(40) }),
  ]).toMatchInlineSnapshot(`
    [
      "fine",
      "Invalid request.

    Only 65535 bytes are allowed; 65536 were supplied.",
      "Invalid request.

    Only 65535 bytes are allowed; 65536 were supplied.",
      "fine",
      "Invalid request.

    "summary" wasn't supplied.",
      "Invalid request.

    No more than 50 items are allowed; 51 were supplied.",
      "Invalid request.

    No more than 3 items are allowed; 4 were supplied.",
      "Invalid request.

    Only 20 characters are allowed; 21 were supplied.",
      "Invalid request.

    Only 40 characters are allowed; 41 were supplied.",
      "Invalid request.

    Only 20 characters are allowed; 21 were supplied.",
      "Invalid request.

    "conclusion" wasn't supplied.",
      "Invalid request.

    splendid is not a member of ["action_required","cancelled","failure","neutral","success","skipped","timed_out"] for "conclusion".",
      "No commit found for SHA: ffffffffffffffffffffffffffffffffffffffff",
    ]
  `);
});

test('a text that is too long is cut in bytes, without a word, and one that is left out is gone', async () => {
  const world = await startWorld();
  const output = { title: 'T', summary: 'S' };
  const run = await makeRun(world, { output: { ...output, text: 'ü'.repeat(40_000) } });
  expect(run.output.text).toBe('ü'.repeat(32_767));
  const edited = (await world.patch(`check-runs/${run.id}`, { output })).body;
  expect(edited.output).toMatchObject({ summary: 'S', text: null });
});

test('the check run of another App cannot be changed', async () => {
  const world = await startWorld();
  const id = world.github.reportCheck(world.repo, {
    name: 'build',
    sha: world.github.head(world.repo) as string,
  });
  expect((await world.patch(`check-runs/${id}`, { status: 'completed', conclusion: 'success' })).status).toBe(
    403,
  );
});
