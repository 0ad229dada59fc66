import { expect, test } from 'vitest';
import { steppedClock } from '../../../src/sandbox/clock.ts';
import type { Fault } from '../../../src/sandbox/github/faults.ts';
import { NOON, startWorld, type World } from './world.ts';

/** A comment on issue 1, which is there. */
function comment(world: World, body = 'Hello') {
  return world.post('issues/1/comments', { body });
}

async function worldWithIssue(options = {}): Promise<World> {
  const world = await startWorld(options);
  world.github.openIssue(world.repo, { by: 'dana', title: 'Talk' });
  // The token is fetched before the faults begin.
  await world.get('');
  return world;
}

test('GH03: a secondary limit without Retry-After and a missing permission are both 403, with other words', async () => {
  const world = await worldWithIssue();
  const { faults } = world.github;
  faults.add({ method: 'POST', path: '/repos/*/*/issues/*/comments', fault: { kind: 'secondary-limit' } });
  faults.add({ method: 'POST', path: '/repos/*/*/check-runs', fault: { kind: 'forbidden' } });
  const limited = await comment(world);
  expect(limited.status).toBe(403);
  expect(limited.body.message).toMatch(
    /^You have exceeded a secondary rate limit and have been temporarily blocked from content creation/,
  );
  expect(limited.headers.get('retry-after')).toBeNull();
  expect(Number(limited.headers.get('x-ratelimit-remaining'))).toBeGreaterThan(4_000);
  const refused = await world.post('check-runs', { name: 'x', head_sha: world.github.head(world.repo) });
  expect(refused.body.message).toBe('Resource not accessible by integration');
  expect((await comment(world)).status).toBe(201);
});

test('a time-out before the effect has none, a time-out after it has', async () => {
  const world = await worldWithIssue();
  const { github, repo } = world;
  github.faults.add({ method: 'POST', fault: { kind: 'no-answer', afterEffect: false } });
  await expect(comment(world)).rejects.toThrow();
  expect(github.comments(repo, 1)).toHaveLength(0);
  github.faults.add({ method: 'POST', fault: { kind: 'no-answer', afterEffect: true } });
  await expect(comment(world)).rejects.toThrow();
  expect(github.comments(repo, 1)).toHaveLength(1);
  github.faults.add({ method: 'POST', fault: { kind: 'status', status: 502, afterEffect: true } });
  expect((await comment(world)).status).toBe(502);
  expect(github.comments(repo, 1)).toHaveLength(2);
  github.faults.add({ method: 'POST', fault: { kind: 'status', status: 503, message: 'Unicorn' } });
  expect((await comment(world)).body.message).toBe('Unicorn');
  expect(github.comments(repo, 1)).toHaveLength(2);
  expect(
    github.journal
      .find({ method: 'POST', path: '/repos/*/*/issues/*/comments' })
      .map(({ status, fault }) => `${status} ${fault}`),
  ).toEqual(['0 no-answer', '0 no-answer', '502 status', '503 status']);
});

test('a hanging connection stays open until the caller gives up', async () => {
  const world = await worldWithIssue();
  const arrived = new Promise<void>((resolve) => {
    world.github.faults.onRequest = () => {
      resolve();
      return { kind: 'no-answer', afterEffect: false, hangs: true };
    };
  });
  const controller = new AbortController();
  const asking = fetch(`${world.github.url}/meta`, { signal: controller.signal });
  await arrived;
  controller.abort();
  await expect(asking).rejects.toThrow(/abort/);
});

test('faults strike the nth call, as often as told, or whenever a function says so', async () => {
  const world = await worldWithIssue();
  const { faults } = world.github;
  const broken: Fault = { kind: 'status', status: 500 };
  const statuses = async (count: number) => {
    const seen = [];
    for (let i = 0; i < count; i++) seen.push((await world.get('labels')).status);
    return seen;
  };
  const stop = faults.add({ path: '/repos/*/*/labels', nth: 2, times: 2, fault: broken });
  expect(await statuses(5)).toEqual([200, 500, 500, 200, 200]);
  stop();
  faults.onRequest = ({ method, path }) =>
    method === 'GET' && path.endsWith('/labels') ? broken : undefined;
  expect(await statuses(2)).toEqual([500, 500]);
  faults.clear();
  expect(await statuses(1)).toEqual([200]);
});

test('the hourly limit runs out, says when it begins again, and does', async () => {
  const world = await worldWithIssue({ limits: { core: 10 } });
  let last = await world.get('labels');
  while (last.status === 200) last = await world.get('labels');
  expect(last.status).toBe(403);
  expect(last.body.message).toMatch(/^API rate limit exceeded for installation ID \d+\.$/);
  expect(last.headers.get('x-ratelimit-remaining')).toBe('0');
  expect((await world.get('/rate_limit')).body.rate).toMatchObject({ limit: 10, used: 10, remaining: 0 });
  const reset = Number(last.headers.get('x-ratelimit-reset')) * 1000;
  expect(reset - world.clock.now()).toBe(3_600_000);
  world.clock.pass(3_600_000);
  expect((await world.get('labels')).status).toBe(200);
  world.github.exhaustRateLimit();
  expect((await world.get('labels')).headers.get('x-ratelimit-remaining')).toBe('0');
});

test('more than eighty content-creating calls a minute meet the secondary limit, and the journal counts them', async () => {
  const world = await worldWithIssue();
  for (let i = 0; i < 80; i++) expect((await comment(world, `${i}`)).status).toBe(201);
  const limited = await comment(world);
  expect(limited.body.message).toMatch(/secondary rate limit/);
  expect(limited.headers.get('retry-after')).toBe('60');
  expect(world.github.journal.contentCreating()).toHaveLength(81);
  world.clock.pass(60_000);
  expect((await comment(world)).status).toBe(201);
});

test('a stale read shows what was there before the last writes', async () => {
  const world = await worldWithIssue();
  const { github, repo } = world;
  github.faults.add({
    path: '/repos/*/*/issues/1/comments',
    method: 'GET',
    nth: 2,
    fault: { kind: 'stale', writes: 1 },
  });
  github.faults.add({ path: '/repos/*/*/pulls', method: 'GET', fault: { kind: 'stale', writes: 1 } });
  await comment(world, 'One');
  await comment(world, 'Two');
  const bodies = async () =>
    (await world.get('issues/1/comments')).body.map(({ body }: { body: string }) => body);
  expect(await bodies()).toEqual(['One', 'Two']);
  expect(await bodies()).toEqual(['One']);
  expect(await bodies()).toEqual(['One', 'Two']);
  github.commit(repo, { author: 'dana', branch: 'x', message: 'X', files: { x: '' } });
  await world.post('pulls', { title: 'X', head: 'x', base: 'main' });
  expect((await world.get('pulls')).body).toEqual([]);
  expect((await world.get('pulls')).body).toHaveLength(1);
});

test('a stale read also goes back behind what people did', async () => {
  const world = await worldWithIssue();
  const { github, repo } = world;
  const before = github.head(repo);
  github.faults.add({ path: '/repos/*/*/branches/main', fault: { kind: 'stale' } });
  const after = github.commit(repo, { author: 'dana', message: 'New', files: { new: '' } });
  const head = async () => (await world.get('branches/main')).body.commit.sha;
  expect([await head(), await head()]).toEqual([before, after]);
});

test('reads can lag by a time, refs too', async () => {
  const world = await worldWithIssue();
  const { github, repo, clock } = world;
  github.faults.staleReadsMs = 5_000;
  const sha = github.head(repo);
  expect((await world.post('git/refs', { ref: 'refs/heads/stepback/x', sha })).status).toBe(201);
  expect((await world.get('git/ref/heads/stepback/x')).status).toBe(404);
  expect((await world.post('git/refs', { ref: 'refs/heads/stepback/x', sha })).body.message).toBe(
    'Reference already exists',
  );
  clock.pass(5_001);
  expect((await world.get('git/ref/heads/stepback/x')).status).toBe(200);
});

test('tokens can be refused, installations lost and comparisons cut', async () => {
  const world = await worldWithIssue();
  const { github, repo } = world;
  const start = github.head(repo);
  github.commit(repo, { author: 'dana', message: 'Two files', files: { a: '', b: '' } });
  github.faults.add({ path: '/repos/*/*/labels', fault: { kind: 'unauthorized' } });
  expect((await world.get('labels')).status).toBe(401);
  github.faults.add({ path: '/repos/**', fault: { kind: 'not-found' } });
  expect((await world.get('labels')).status).toBe(404);
  github.faults.add({ path: /\/compare\//, fault: { kind: 'truncated', entries: 1 } });
  expect((await world.get(`compare/${start}...main`)).body.files).toHaveLength(1);
  github.faults.add({
    path: '/repos/*/*/labels',
    fault: { kind: 'rate-limit', status: 429, resetInSeconds: 30 },
  });
  const limited = await world.get('labels');
  expect([limited.status, limited.headers.get('x-ratelimit-remaining')]).toEqual([429, '0']);
  expect(Number(limited.headers.get('x-ratelimit-reset')) * 1000 - world.clock.now()).toBe(30_000);
});

test('a slow answer comes when its time is over, by the clock that was handed in', async () => {
  const clock = steppedClock(NOON);
  const world = await worldWithIssue({ clock });
  const arrived = new Promise<void>((resolve) => {
    world.github.faults.onRequest = () => {
      resolve();
      return { kind: 'slow', ms: 8_000 };
    };
  });
  let isAnswered = false;
  const asking = world.get('labels').then(({ headers }) => {
    isAnswered = true;
    return headers.get('date');
  });
  await arrived;
  await clock.advance(7_999);
  expect(isAnswered).toBe(false);
  await clock.advance(1);
  expect(await asking).toBe('Tue, 01 Dec 2026 12:00:08 GMT');
});

test('what is not served is a 404, and the journal says that no route was there', async () => {
  const world = await worldWithIssue();
  world.github.journal.clear();
  const answer = await world.get('stargazers');
  expect(answer).toMatchObject({ status: 404, body: { message: 'Not Found', status: '404' } });
  expect(world.github.journal.entries).toMatchObject([
    { method: 'GET', path: '/repos/example-org/gitops/stargazers', route: undefined, status: 404 },
  ]);
  expect(answer.headers.get('date')).toBe('Tue, 01 Dec 2026 12:00:00 GMT');
});
