/** What is asked at every look is asked with the ETag of the answer before, and a 304 is that answer. */
import nock from 'nock';
import { expect, test } from 'vitest';
import { createConditionalReads, type KeptAnswer } from '../../../src/adapters/github/conditional-reads.ts';
import {
  api,
  eachTestHasItsOwnGitHub,
  gitops,
  installation,
  installed,
  path,
  rawCommit,
  rawPull,
  sha,
  token,
  world,
} from './world.ts';

eachTestHasItsOwnGitHub();

const at = `${path}/pulls/41`;
const one = { etag: 'W/"one"' };
const two = { etag: 'W/"two"' };

/** Answers only a request without an ETag. */
function unconditional(): nock.Scope {
  return nock('https://api.github.com', { badheaders: ['if-none-match'] });
}

test('a pull request that has not changed is given from the answer before, and GitHub is asked each time', async () => {
  installed();
  const { forge, events, sent } = world();
  unconditional().get(at).reply(200, rawPull(), one);
  api().get(at).matchHeader('if-none-match', one.etag).times(2).reply(304, '', one);
  const first = await forge.pullRequest(gitops, 41);
  expect(first?.title).toBe('Revert "Raise the memory limit"');
  expect(await forge.pullRequest(gitops, 41)).toEqual(first);
  expect(await forge.pullRequest(gitops, 41)).toEqual(first);
  expect(sent).toHaveLength(3);
  const answers = events.filter((event) => event.phase === 'answered' && event.path === at);
  expect(answers.map(({ status }) => status)).toEqual([200, 304, 304]);
});

test('one that has changed is the new one, and its ETag the next that is asked with', async () => {
  installed();
  const { forge } = world();
  api().get(at).reply(200, rawPull(), one);
  api()
    .get(at)
    .matchHeader('if-none-match', one.etag)
    .reply(200, rawPull({ state: 'closed' }), two);
  api().get(at).matchHeader('if-none-match', two.etag).reply(304);
  expect((await forge.pullRequest(gitops, 41))?.state).toBe('open');
  expect((await forge.pullRequest(gitops, 41))?.state).toBe('closed');
  expect((await forge.pullRequest(gitops, 41))?.state).toBe('closed');
});

test('one that is gone is gone, and asked for without an ETag of what is not kept', async () => {
  installed();
  const { forge } = world();
  api().get(at).reply(200, rawPull(), one);
  api().get(at).matchHeader('if-none-match', one.etag).reply(404, { message: 'Not Found' });
  api().get(path).reply(200, {});
  await forge.pullRequest(gitops, 41);
  expect(await forge.pullRequest(gitops, 41)).toBeNull();
});

test('the head of a branch and the issues with a label are asked for in the same way', async () => {
  installed();
  const { forge } = world();
  const branch = `${path}/branches/main`;
  unconditional()
    .get(branch)
    .reply(200, { name: 'main', commit: rawCommit({ sha: sha('4ead') }) }, one);
  api().get(branch).matchHeader('if-none-match', one.etag).reply(304);
  const head = await forge.branchHead(gitops, 'main');
  expect(head?.sha).toBe(sha('4ead'));
  expect(await forge.branchHead(gitops, 'main')).toEqual(head);
  const issues = `${path}/issues?state=open&labels=stop&per_page=100&page=1`;
  unconditional().get(issues).reply(200, [], two);
  api().get(issues).matchHeader('if-none-match', two.etag).reply(304);
  expect(await forge.openIssuesWithLabel(gitops, 'stop')).toEqual([]);
  expect(await forge.openIssuesWithLabel(gitops, 'stop')).toEqual([]);
});

test('a commit, which cannot change, and what is written go out as they are', async () => {
  installed();
  const { forge } = world();
  unconditional()
    .get(`${path}/git/trees/${sha('7ee')}`)
    .reply(200, { tree: [], truncated: true }, one);
  unconditional().get(at).reply(200, rawPull(), one);
  unconditional().patch(at).times(2).reply(200, rawPull(), one);
  await forge.readTree(gitops, sha('7ee')).catch(() => null);
  await forge.pullRequest(gitops, 41);
  for (const title of ['a', 'b']) await forge.updatePullRequest(gitops, 41, { title });
});

test('another installation is not given what this one was answered', async () => {
  installed();
  const { forge } = world();
  const other = { ...gitops, owner: 'other-org' };
  api()
    .get('/repos/other-org/gitops/installation')
    .reply(200, installation({ id: 43 }));
  api().post('/app/installations/43/access_tokens').reply(201, token('ghs_other'));
  unconditional().get(at).reply(200, rawPull(), one);
  unconditional()
    .get('/repos/other-org/gitops/pulls/41')
    .reply(200, rawPull({ title: 'Theirs' }), two);
  await forge.pullRequest(gitops, 41);
  expect((await forge.pullRequest(other, 41))?.title).toBe('Theirs');
});

/** A GitHub that answers everything with `data` and the ETag `one`, and with 304 to whoever shows it. */
function asking(data: unknown = {}) {
  const seen: (string | null)[] = [];
  const reads = createConditionalReads<KeptAnswer>();
  return {
    seen,
    read: (url: string, { accept = 'json', method = 'GET' } = {}) =>
      reads.read({ method, url, accept }, async (etag) => {
        seen.push(etag);
        const headers = { ...one, 'x-ratelimit-remaining': String(100 - seen.length) };
        if (etag === null) return { status: 200, headers, data };
        throw Object.assign(new Error('Not modified'), { status: 304, response: { headers, data: '' } });
      }),
  };
}

const pullUrl = (number: number) => `https://api.github.com${path}/pulls/${number}`;

test('what is left of the limits is new in an answer that was kept, and nobody changes it for the next', async () => {
  const { read } = asking({ labels: ['stepback'] });
  const first = await read(pullUrl(1));
  Object.assign(first, { data: null });
  const second = await read(pullUrl(1));
  expect(second).toMatchObject({ status: 200, headers: { 'x-ratelimit-remaining': '98' } });
  Object.assign(second.data ?? {}, { labels: [] });
  expect((await read(pullUrl(1))).data).toEqual({ labels: ['stepback'] });
});

test('two clients share nothing, and neither do two forms of one answer', async () => {
  const [mine, theirs] = [asking(), asking()];
  await mine.read(pullUrl(1));
  await theirs.read(pullUrl(1));
  await mine.read(pullUrl(1), { accept: 'raw' });
  await mine.read(pullUrl(1), { method: 'HEAD' });
  expect([...mine.seen, ...theirs.seen]).toEqual([null, null, null, null]);
});

test('the 200 that were asked for last are kept', async () => {
  const { seen, read } = asking();
  for (let number = 1; number <= 200; number += 1) await read(pullUrl(number));
  await read(pullUrl(1));
  await read(pullUrl(201));
  await read(pullUrl(1));
  await read(pullUrl(2));
  expect([seen[200], seen[201], seen[202], seen[203]]).toEqual([one.etag, null, one.etag, null]);
});

test('what is large is not kept, and all together has eight megabytes at the most', async () => {
  const large = asking('x'.repeat(1024 * 1024));
  await large.read(pullUrl(1));
  await large.read(pullUrl(1));
  expect(large.seen).toEqual([null, null]);
  const some = asking('x'.repeat(1_000_000));
  for (const number of [1, 2, 3, 4, 5, 6, 7, 8, 9, 9, 1]) await some.read(pullUrl(number));
  expect(some.seen.slice(-2)).toEqual([one.etag, null]);
});
