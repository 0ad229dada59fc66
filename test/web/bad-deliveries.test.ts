/**
 * Deliveries that are broken or mean no good, over real HTTP, and one that is well after each of them. None may crash
 * anything, become a letter, or keep the next one out.
 */
import { describe, expect, test } from 'vitest';
import { printCheckId } from '../../src/domain/check-id.ts';
import { noon, secret, signed, startWeb, type WebWorld } from './world.ts';

type Payload = Record<string, unknown>;

const said = new Date(noon - 2_000).toISOString();
const repository = { full_name: 'acme/gitops' };
const dana = { login: 'dana', type: 'User' };

function comment(change: Payload = {}, inComment: Payload = {}): Payload {
  return {
    action: 'created',
    issue: { number: 412, pull_request: { url: 'https://api.github.com/…' } },
    comment: {
      id: 101,
      user: dana,
      body: '/stepback revert',
      created_at: said,
      updated_at: said,
      ...inComment,
    },
    repository,
    sender: dana,
    ...change,
  };
}

function button(change: Payload = {}, inCheck: Payload = {}): Payload {
  const externalId = printCheckId({
    kind: 'application-set',
    instance: 'prod',
    applicationSet: 'argocd/payments',
  });
  return {
    action: 'requested_action',
    requested_action: { identifier: 'revert' },
    check_run: {
      id: 9,
      head_sha: 'c0ffee'.padEnd(40, '0'),
      name: 'stepback / argocd/payments',
      external_id: externalId,
      app: { slug: 'stepback' },
      ...inCheck,
    },
    repository,
    sender: dana,
    ...change,
  };
}

let goodId = 1_000;

/** A new good comment gets through. */
async function expectNextIsHeard(web: WebWorld): Promise<void> {
  const before = web.argo.letters.size;
  goodId += 1;
  const { status } = await web.deliver('issue_comment', comment({}, { id: goodId }));
  expect([status, web.argo.letters.size]).toEqual([200, before + 1]);
}

test('what the others are broken versions of is heard', async () => {
  const web = await startWeb();
  expect((await web.deliver('issue_comment', comment())).status).toBe(200);
  expect((await web.deliver('check_run', button())).status).toBe(200);
  expect([...web.argo.letters.values()].map(({ lines }) => lines)).toEqual([
    ['/stepback revert'],
    ['/stepback revert'],
  ]);
});

describe('at the door', () => {
  const whole = JSON.stringify(comment());
  const sha1 = 'sha1=0123456789012345678901234567890123456789';
  const right = signed('issue_comment', whole, secret);
  const cut = whole.slice(0, -20);
  const deep = `{"action":${'['.repeat(200_000)}`;
  /** A body with the signature that belongs to it. */
  const properly = (body: string) => ({ body });
  test.each<[string, readonly number[], Parameters<WebWorld['deliver']>[2]]>([
    ['not signed', [401], { secret: null }],
    ['signed with another secret', [400], { secret: 'another' }],
    ['signed with the secret that Probot makes up', [400], { secret: 'development' }],
    ['signed in the old way alone', [401], { secret: null, headers: { 'x-hub-signature': sha1 } }],
    ['signed by another algorithm', [400], { headers: { 'x-hub-signature-256': sha1 } }],
    [
      'signed twice',
      [400],
      { headers: { 'x-hub-signature-256': `sha256=00, ${right['x-hub-signature-256']}` } },
    ],
    [
      'signed, and then some',
      [400],
      { headers: { 'x-hub-signature-256': `${right['x-hub-signature-256']}00` } },
    ],
    ['signed for another body', [400], { body: `${whole} `, headers: right }],
    ['cut off', [400], properly(cut)],
    ['empty', [400], properly('')],
    ['blank', [400], properly('   \n')],
    ['null', [400], properly('null')],
    ['a list', [400], properly('[{"action":"created"}]')],
    ['a text', [400], properly('"created"')],
    ['a number', [400], properly('42')],
    ['true', [400], properly('true')],
    ['two objects', [400], properly(`${whole}${whole}`)],
    ['with a byte order mark before it', [400], properly(`\ufeff${whole}`)],
    ['nested 200,000 deep and cut off', [400], properly(deep)],
    ['a form', [415], { headers: { 'content-type': 'application/x-www-form-urlencoded' } }],
    ['XML by its type', [415], { headers: { 'content-type': 'text/xml' } }],
    ['without an event', [400], { headers: { 'x-github-event': '' } }],
    ['with two events', [400], { headers: { 'x-github-event': 'push, issue_comment' } }],
    ['with an event that is part of JavaScript', [400], { headers: { 'x-github-event': '__proto__' } }],
    ['with a path for an event', [400], { headers: { 'x-github-event': '../issue_comment' } }],
    ['with an event in capitals', [400], { headers: { 'x-github-event': 'ISSUE_COMMENT' } }],
    ['without a number', [400], { headers: { 'x-github-delivery': '' } }],
    ['with a path for a number', [400], { headers: { 'x-github-delivery': '../../etc' } }],
    ['with two numbers', [400], { headers: { 'x-github-delivery': '1, 2' } }],
    ['with a number of 5,000 digits', [400], { headers: { 'x-github-delivery': '7'.repeat(5_000) } }],
  ])('%s: %j', async (_, statuses, how) => {
    const web = await startWeb();
    const { status, body } = await web.deliver('issue_comment', comment(), how);
    expect(statuses).toContain(status);
    expect(body).not.toContain(secret);
    expect(web.argo.letters.size).toBe(0);
    expect(web.argo.heard()).toEqual([]);
    await expectNextIsHeard(web);
  });

  test('an event that nobody knows is answered with 200', async () => {
    const web = await startWeb();
    expect((await web.deliver('brand_new', comment())).status).toBe(200);
    expect(web.argo.letters.size).toBe(0);
    await expectNextIsHeard(web);
  });
});

describe('comments', () => {
  const text = (value: unknown) => JSON.stringify(value);
  const without = (name: string) => comment({ [name]: undefined });
  const from = (full_name: unknown) => comment({ repository: { full_name } });
  const by = (login: unknown, type: unknown = 'User') => comment({ sender: { login, type } });
  const old = new Date(noon - 5 * 24 * 3_600_000).toISOString();
  const edited = (changes: unknown) => comment({ action: 'edited', changes });
  test.each<[string, Payload | string]>([
    ['nothing at all', {}],
    ['no action', without('action')],
    ['no comment', without('comment')],
    ['no issue', without('issue')],
    ['no repository', without('repository')],
    ['no sender', without('sender')],
    ['null everywhere', { action: null, comment: null, issue: null, repository: null, sender: null }],
    ['lists everywhere', { action: [], comment: [], issue: [], repository: [], sender: [] }],
    ['texts everywhere', { action: 'created', comment: 'x', issue: 'x', repository: 'x', sender: 'x' }],
    ['numbers everywhere', { action: 1, comment: 1, issue: 1, repository: 1, sender: 1 }],
    ['an action of JavaScript', comment({ action: 'constructor' })],
    ['an action of another kind', comment({ action: { created: true } })],
    ['a comment without an id', comment({}, { id: undefined })],
    ['an id of text', comment({}, { id: '101' })],
    ['the id 0', comment({}, { id: 0 })],
    ['an id below 0', comment({}, { id: -1 })],
    ['half an id', comment({}, { id: 1.5 })],
    ['an id beyond what a number holds', text(comment()).replace('"id":101', '"id":9007199254740993')],
    ['an endless id', text(comment()).replace('"id":101', '"id":1e400')],
    ['an issue without a number', comment({ issue: { pull_request: {} } })],
    ['an issue with a number of text', comment({ issue: { number: '412', pull_request: {} } })],
    ['no body', comment({}, { body: undefined })],
    ['a body of null', comment({}, { body: null })],
    ['a body that is a list', comment({}, { body: ['/stepback revert'] })],
    ['a body that is an object', comment({}, { body: { toString: '/stepback revert' } })],
    ['a repository that leads up', from('../..')],
    ['a repository that leads up in its second part', from('acme/..')],
    ['a repository with a path', from('acme/gitops/../other')],
    ['a repository with NUL', from('acme/gitops\u0000')],
    ['a repository with a blank', from('acme/git ops')],
    ['a repository with a look-alike', from('acme/gitоps')],
    ['a repository with an escape', from('acme/gitops%2f..')],
    ['a repository with a line end', from('acme/gitops\n')],
    ['a repository that is an object', from({ owner: 'acme' })],
    ['a repository of 5,000 characters', from(`acme/${'x'.repeat(5_000)}`)],
    ['a bot', by('renovate[bot]', 'Bot')],
    ['ourselves', by('stepback[bot]', 'Bot')],
    ['a person who calls himself as we do', by('stepback[bot]')],
    ['an organisation', by('acme', 'Organization')],
    ['a sender without a type', by('dana', null)],
    ['a sender without a name', by('')],
    ['a sender with a line end', by('dana\n')],
    ['a sender who is a path', by('../../admin')],
    ['a sender with a look-alike', by('dаna')],
    ['a sender of 5,000 characters', by('d'.repeat(5_000))],
    [
      'a comment that a bot wrote and a person edited',
      {
        ...edited({ body: { from: 'x' } }),
        comment: {
          id: 101,
          user: { login: 'stepback[bot]', type: 'Bot' },
          body: '/stepback revert',
          updated_at: said,
        },
      },
    ],
    ['a comment that was deleted', comment({ action: 'deleted' })],
    ['a comment that was edited without a word of what changed', edited(undefined)],
    ['a comment that was edited from null', edited({ body: { from: null } })],
    ['a comment whose edit changed nothing', edited({ body: { from: '/stepback revert' } })],
    [
      'a comment whose edit took a command away',
      {
        ...edited({ body: { from: '/stepback hold\n/stepback revert' } }),
      },
    ],
    ['a comment of five days ago, played again', comment({}, { created_at: old, updated_at: old })],
    ['all of it as the prototype', text({ x: 1 }).replace('"x":1', `"__proto__":${text(comment())}`)],
    [
      'a comment as the prototype',
      text(comment({ comment: { x: 1 } })).replace(
        '"x":1',
        `"__proto__":{"id":101,"body":"/stepback revert"}`,
      ),
    ],
    [
      'a sender as the prototype',
      text(comment({ sender: { x: 1 } })).replace('"x":1', `"__proto__":${text(dana)}`),
    ],
  ])('%s: 200, and no letter', async (_, payload) => {
    const web = await startWeb();
    const how = typeof payload === 'string' ? { body: payload } : {};
    expect((await web.deliver('issue_comment', payload, how)).status).toBe(200);
    expect([web.argo.letters.size, web.reactions, web.argo.heard()]).toEqual([0, [], []]);
    expect(web.logged).toEqual([]);
    await expectNextIsHeard(web);
  });
});

describe('buttons', () => {
  const press = (identifier: unknown) => button({ requested_action: { identifier } });
  test.each<[string, Payload]>([
    ['nothing at all', {}],
    ['no check run', button({ check_run: undefined })],
    ['no action of ours', button({ action: 'created' })],
    ['no App', button({}, { app: undefined })],
    ['another App', button({}, { app: { slug: 'stepback-2' } })],
    ['no button', button({ requested_action: undefined })],
    ['a button that is a list', press(['revert'])],
    ['a button that nobody knows', press('detonate')],
    ['a button of JavaScript', press('__proto__')],
    ['a button with more in it', press('revert #1')],
    ['a button with a line end', press('revert\n')],
    ['a button that needs more words', press('dismiss')],
    ['no commit', button({}, { head_sha: 'main' })],
    ['a commit that leads up', button({}, { head_sha: '../'.repeat(20) })],
    ['an id of text', button({}, { id: '9' })],
    ['an id beyond what a number holds', button({}, { id: 2 ** 53 })],
    ['a check run that is about nothing of ours', button({}, { external_id: 'build 7' })],
    [
      'a check run of another Argo CD',
      button({}, { external_id: 'stepback:v1 application-set dev argocd/x' }),
    ],
    ['a check run whose id cannot be read', button({}, { external_id: 'stepback:v1 %zz prod a/b' })],
    ['a name of 5,000 characters', button({}, { name: 'n'.repeat(5_000) })],
    ['a bot', button({ sender: { login: 'renovate[bot]', type: 'Bot' } })],
    ['ourselves', button({ sender: { login: 'stepback[bot]', type: 'Bot' } })],
    ['a repository that leads up', button({ repository: { full_name: '../..' } })],
  ])('%s: 200, and no letter', async (_, payload) => {
    const web = await startWeb();
    expect((await web.deliver('check_run', payload)).status).toBe(200);
    expect([web.argo.letters.size, web.argo.heard()]).toEqual([0, []]);
    await expectNextIsHeard(web);
  });
});

describe('issues', () => {
  const issue = { number: 7, labels: [{ name: 'stepback: stop' }] };
  test.each<[string, Payload]>([
    ['nothing at all', {}],
    ['no repository', { action: 'labeled', issue, sender: dana }],
    [
      'labels that are a text',
      { action: 'closed', issue: { labels: 'stepback: stop' }, repository, sender: dana },
    ],
    ['an issue of null', { action: 'closed', issue: null, repository, sender: dana }],
    [
      'an issue without labels',
      { action: 'opened', issue: { number: 7, labels: [] }, repository, sender: dana },
    ],
    [
      'an action of ours',
      { action: 'labeled', issue, repository, sender: { login: 'stepback[bot]', type: 'Bot' } },
    ],
  ])('%s: 200, and no look', async (_, payload) => {
    const web = await startWeb();
    expect((await web.deliver('issues', payload)).status).toBe(200);
    expect(web.argo.heard()).toEqual([]);
    await expectNextIsHeard(web);
  });

  test.each(['labeled', 'unlabeled', 'closed', 'reopened', 'deleted', 'transferred'])(
    'one with a label that was %s is a reason to look',
    async (action) => {
      const web = await startWeb();
      await web.deliver('issues', { action, issue, repository, sender: dana });
      expect(web.argo.heard()).toEqual(['issues of acme/gitops']);
    },
  );
});

test('a comment of 20 MB is read as far as GitHub writes them, and the next is heard', async () => {
  const web = await startWeb();
  const body = `/stepback revert\n${'x'.repeat(20 * 1024 * 1024)}\n/stepback hold`;
  expect((await web.deliver('issue_comment', comment({}, { body }))).status).toBe(200);
  expect([...web.argo.letters.values()].map(({ lines }) => lines)).toEqual([['/stepback revert']]);
  await expectNextIsHeard(web);
});
