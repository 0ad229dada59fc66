/** How requests are made: repeated or not, one after the other or together, and told to the observer. */
import nock from 'nock';
import { expect, test } from 'vitest';
import { WorldProblem } from '../../../src/ports.ts';
import {
  api,
  eachTestHasItsOwnGitHub,
  gitops,
  installed,
  path,
  rawPull,
  sha,
  token,
  world,
} from './world.ts';

eachTestHasItsOwnGitHub();

const pull = { title: 'Revert', body: 'Why', head: 'stepback/revert', base: 'main', isDraft: false };

test('a read that failed is tried again', async () => {
  installed();
  const { forge, sent } = world();
  api()
    .get(`${path}/git/trees/${sha('7ee')}`)
    .reply(502);
  api()
    .get(`${path}/git/trees/${sha('7ee')}`)
    .replyWithError(new Error('read ECONNRESET'));
  api()
    .get(`${path}/git/trees/${sha('7ee')}`)
    .reply(200, { tree: [], truncated: false });
  expect(await forge.readTree(gitops, sha('7ee'))).toEqual([]);
  expect(sent).toHaveLength(3);
});

test('a read is given up after four tries', async () => {
  installed();
  const { forge, sent } = world();
  api().get(path).times(4).reply(503);
  await expect(forge.repository(gitops)).rejects.toMatchObject({ name: 'WorldProblem', kind: 'transient' });
  expect(sent).toHaveLength(4);
});

test.each([
  ['pull request', `${path}/pulls`, 'createPullRequest'],
  ['comment', `${path}/issues/7/comments`, 'createComment'],
  ['branch', `${path}/git/refs`, 'createBranch'],
] as const)('a %s is never created by a second try: the first may have worked', async (_, at, method) => {
  const create = {
    createPullRequest: () => forge.createPullRequest(gitops, pull),
    createComment: () => forge.createComment(gitops, 7, 'Hello'),
    createBranch: () => forge.createBranch(gitops, 'stepback/revert', sha('c0')),
  };
  installed();
  const { forge, sent } = world();
  api().post(at).reply(502);
  await expect(create[method]()).rejects.toMatchObject({ kind: 'transient' });
  api()
    .post(at)
    .replyWithError(Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' }));
  await expect(create[method]()).rejects.toMatchObject({ kind: 'transient' });
  expect(sent).toHaveLength(2);
});

test('a create that is not repeated leaves what comes after it as patient as before', async () => {
  installed();
  const { forge } = world();
  api().get(path).times(2).reply(503);
  api()
    .get(path)
    .reply(200, { owner: { login: 'example-org' }, name: 'gitops', default_branch: 'main' });
  await forge.repository(gitops);
  api().post(`${path}/issues/7/comments`).reply(201, { id: 1 });
  await forge.createComment(gitops, 7, 'Hello');
  api().get(path).times(3).reply(503);
  api()
    .get(path)
    .reply(200, { owner: { login: 'example-org' }, name: 'gitops', default_branch: 'main' });
  expect(await forge.repository(gitops)).toMatchObject({ defaultBranch: 'main' });
});

test('objects that are named by their content are made again without harm', async () => {
  installed();
  const { forge } = world();
  api().post(`${path}/git/commits`).reply(502);
  api()
    .post(`${path}/git/commits`)
    .reply(201, { sha: sha('c0'), verification: { verified: true } });
  expect(await forge.createCommit(gitops, { tree: sha('7ee'), parents: [], message: 'Revert' })).toEqual({
    sha: sha('c0'),
    isVerified: true,
  });
});

test('an edit is made again: it says how things should be', async () => {
  installed();
  const { forge, sent } = world();
  api().patch(`${path}/issues/comments/9`).reply(502);
  api().patch(`${path}/issues/comments/9`, { body: 'Hello' }).reply(200, { id: 9 });
  await forge.updateComment(gitops, 9, 'Hello');
  expect(sent).toHaveLength(2);
});

test('a try that takes too long is given up, and says that nothing is known', async () => {
  installed();
  const { forge } = world({
    timeoutMs: 20,
    fetch: (url, init) =>
      String(url).endsWith('/pulls')
        ? new Promise((_, reject) =>
            init?.signal?.addEventListener('abort', () => reject(init.signal?.reason)),
          )
        : globalThis.fetch(url, { ...init, signal: null }),
  });
  await expect(forge.createPullRequest(gitops, pull)).rejects.toThrowErrorMatchingInlineSnapshot(
    `[WorldProblem: Stepback could not open a pull request in example-org/gitops, because it got no answer (timed out). Whether GitHub did it is not known, so Stepback looks before it tries again. If this stays so, check the network, the proxy and the API address.]`,
  );
});

/** A `fetch` that holds every write until it is let go. */
function heldFetch() {
  const held: { path: string; letGo: () => void }[] = [];
  const arrivals: (() => void)[] = [];
  const fetch: typeof globalThis.fetch = async (url, init) => {
    const path = new URL(String(url)).pathname;
    if (init?.method === 'POST' && !path.includes('access_tokens')) {
      await new Promise<void>((resolve) => {
        held.push({ path, letGo: resolve });
        arrivals.shift()?.();
      });
    }
    return globalThis.fetch(url, init);
  };
  const arrival = () => new Promise<void>((resolve) => arrivals.push(resolve));
  return { fetch, held, arrival };
}

test('one writer at a time per repository, in order; another repository does not wait', async () => {
  installed();
  const { fetch, held, arrival } = heldFetch();
  const { forge } = world({ fetch });
  const other = { ...gitops, name: 'other' };
  api()
    .post(/issues\/7\/comments$/)
    .times(3)
    .reply(201, { id: 1 });

  const firstThere = arrival();
  const first = forge.createComment(gitops, 7, 'first');
  await firstThere;
  const second = forge.createComment({ ...gitops, name: 'GitOps' }, 7, 'second');
  const elsewhereThere = arrival();
  const elsewhere = forge.createComment(other, 7, 'elsewhere');
  await elsewhereThere;
  expect(held.map(({ path }) => path)).toEqual([
    `${path}/issues/7/comments`,
    '/repos/example-org/other/issues/7/comments',
  ]);

  const secondThere = arrival();
  held[0]?.letGo();
  await first;
  await secondThere;
  expect(held).toHaveLength(3);
  for (const { letGo } of held) letGo();
  await Promise.all([second, elsewhere]);
});

test('the 81st comment within a minute is put off, and blobs do not count', async () => {
  installed();
  const { forge, clock, sent } = world();
  api().post(`${path}/issues/7/comments`).times(81).reply(201, { id: 1 });
  api()
    .post(`${path}/git/blobs`)
    .reply(201, { sha: sha('b1') });
  api()
    .post(`${path}/git/trees`)
    .reply(201, { sha: sha('7ee') });
  for (let comment = 0; comment < 80; comment += 1) await forge.createComment(gitops, 7, 'Hello');
  await forge.createTree(gitops, sha('7ee'), [
    { path: 'a.png', mode: '100644', content: Buffer.from([0xff, 0]) },
  ]);
  const putOff = forge.createComment(gitops, 7, 'Hello');
  await expect(putOff).rejects.toThrowErrorMatchingInlineSnapshot(
    `[WorldProblem: Stepback has written to GitHub for example-org as often as GitHub allows (80 times a minute, 500 times an hour). Nothing is lost; it goes on in 60 s.]`,
  );
  await expect(putOff).rejects.toMatchObject({ kind: 'transient', retryAfterMs: 60_000 });
  expect(sent).toHaveLength(82);

  clock.leap(40_000);
  await forge.createComment(gitops, 7, 'Hello');
  expect(clock.waits, 'a short wait is waited for').toEqual([20_000]);
});

test('a page of a proxy with 200 is no answer of GitHub', async () => {
  installed();
  const { forge } = world();
  api()
    .get(`${path}/pulls/41`)
    .times(1)
    .reply(200, '<html>Please log in</html>', { 'content-type': 'text/html' });
  await expect(forge.pullRequest(gitops, 41)).rejects.toThrowErrorMatchingInlineSnapshot(
    `[WorldProblem: The server at api.github.com answered with something that is not GitHub's API (a proxy's or a maintenance page, perhaps). Stepback tries again; if this stays so, check the API address and the proxy.]`,
  );
});

test('the observer hears of every try, by method, path and status', async () => {
  installed();
  const { forge, events } = world();
  api().get(`${path}/pulls/41`).query(true).reply(502);
  api().get(`${path}/pulls/41`).query(true).reply(200, rawPull());
  await forge.pullRequest(gitops, 41);
  expect(
    events.map(({ phase, method, path, status }) => `${phase} ${method} ${path} ${status ?? ''}`.trim()),
  ).toMatchInlineSnapshot(`
    [
      "sent GET /repos/example-org/gitops/installation",
      "answered GET /repos/example-org/gitops/installation 200",
      "sent POST /app/installations/42/access_tokens",
      "answered POST /app/installations/42/access_tokens 201",
      "sent GET /repos/example-org/gitops/pulls/41",
      "answered GET /repos/example-org/gitops/pulls/41 502",
      "sent GET /repos/example-org/gitops/pulls/41",
      "answered GET /repos/example-org/gitops/pulls/41 200",
    ]
  `);
});

test('a fault of our own is not dressed up as one of the world', async () => {
  installed();
  const { forge } = world();
  api()
    .get(`${path}/git/trees/${sha('7ee')}`)
    .reply(200, { truncated: false });
  const error = await forge.readTree(gitops, sha('7ee')).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(TypeError);
  expect(error).not.toBeInstanceOf(WorldProblem);
});

test('an Enterprise Server is asked at its own address', async () => {
  const enterprise = nock('https://git.example.com');
  enterprise.get('/api/v3/repos/example-org/gitops/installation').reply(200, {
    id: 42,
    app_id: 7,
    app_slug: 'stepback',
    suspended_at: null,
  });
  enterprise.post('/api/v3/app/installations/42/access_tokens').reply(201, token());
  enterprise.get('/api/v3/repos/example-org/gitops').reply(200, {
    owner: { login: 'Example-Org' },
    name: 'GitOps',
    default_branch: 'trunk',
    archived: false,
  });
  const { forge } = world({ baseUrl: 'https://git.example.com/api/v3/' });
  const repository = forge.repositoryOf('git@git.example.com:example-org/gitops.git');
  expect(repository).not.toBeNull();
  expect(await forge.repository(repository!)).toEqual({
    repository: { host: 'git.example.com', owner: 'Example-Org', name: 'GitOps' },
    defaultBranch: 'trunk',
    isArchived: false,
  });
  expect(forge.commitUrl(repository!, sha('c0'))).toBe(
    `https://git.example.com/example-org/gitops/commit/${sha('c0')}`,
  );
});
