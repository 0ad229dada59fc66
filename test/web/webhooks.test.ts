/** Webhooks over real HTTP: as the small GitHub sends them, and as those send them who mean no good. */
import { connect } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type SmallGitHub, startSmallGitHub } from '../../src/sandbox/github/small-github.ts';
import { FakeArgo, secret, signed, startWeb } from './world.ts';

const repository = { full_name: 'Acme/GitOps' };
const person = { login: 'dana', type: 'User' };
const bot = { login: 'stepback[bot]', type: 'Bot' };
const head = 'c0ffee'.padEnd(40, '0');
const push = { ref: 'refs/heads/main', after: head, repository, sender: person };

function pullRequest(change: object = {}, from = 'Acme/GitOps') {
  return {
    head: { ref: 'stepback/prod/revert-c0ffee000000', repo: { full_name: from } },
    base: { ref: 'main', repo: { full_name: 'acme/gitops' } },
    merged: false,
    ...change,
  };
}

describe('what GitHub sends', () => {
  async function startGitHub() {
    const web = await startWeb({ host: '127.0.0.1', argo: new FakeArgo() });
    const github: SmallGitHub = await startSmallGitHub({
      webhook: { url: `${web.url}/api/github/webhooks`, secret },
    });
    onTestFinished(() => github.close());
    web.argo.sets.set('argocd/payments', {} as never);
    github.addPerson({ login: 'dana', name: 'Dana', email: 'dana@acme.example' });
    github.createRepository({
      owner: 'acme',
      name: 'gitops',
      files: { 'a.yaml': '1' },
      author: 'dana',
      collaborators: { dana: 'admin' },
    });
    await github.settled();
    web.argo.heard();
    const answers = () => github.deliveries.map(({ event, statusCode }) => `${event} ${statusCode}`);
    return { web, github, answers };
  }

  test('is answered with 200, whatever it is, and nudges those whom it concerns', async () => {
    const { web, github, answers } = await startGitHub();
    const { argo } = web;
    const repo = 'acme/gitops';
    const sha = github.commit(repo, { author: 'dana', message: 'two', files: { 'a.yaml': '2' } });
    await github.settled();
    expect(argo.heard()).toEqual([`pushed 127.0.0.1/acme/gitops main ${sha.slice(0, 7)}`]);

    const files = { 'a.yaml': '3' };
    const other = github.propose(repo, { by: 'dana', branch: 'more', title: 'More', files });
    github.comment(repo, other, { by: 'dana', body: 'hm' });
    github.edit(repo, other, { by: 'dana', title: 'More still' });
    await github.settled();
    expect(argo.heard().filter((nudge) => !nudge.startsWith('pushed'))).toEqual([
      `open acme/gitops#${other}`,
      `open acme/gitops#${other}`,
    ]);
    github.mergePullRequest(repo, other, { by: 'dana' });
    await github.settled();
    expect(argo.heard()).toEqual(
      expect.arrayContaining(['pull request of acme/gitops', expect.stringMatching(/^pushed .* main /)]),
    );

    const branch = 'stepback/prod/revert-c0ffee000000';
    const ours = github.propose(repo, { by: 'dana', branch, title: 'Revert', files: { 'a.yaml': '2' } });
    await github.settled();
    argo.heard();
    github.edit(repo, ours, { by: 'dana', title: 'Revert this' });
    github.closePullRequest(repo, ours, 'dana');
    github.reopenPullRequest(repo, ours, 'dana');
    github.commit(repo, { author: 'dana', branch, message: 'mine', files: { 'b.yaml': '1' } });
    await github.settled();
    const nudges = argo.heard();
    expect(nudges.filter((nudge) => nudge === 'pull request of acme/gitops')).toHaveLength(4);

    github.push(repo, { branch, sha: null, by: 'dana' });
    github.suspend('acme');
    await github.settled();
    expect(argo.heard()).toContain('look argocd/payments');
    expect(answers().filter((answer) => !answer.endsWith(' 200'))).toEqual([]);
  });

  test('of our own doing is not followed, but for a merge', async () => {
    const { web, github } = await startGitHub();
    const repo = 'acme/gitops';
    const by = github.app.botLogin;
    const branch = 'stepback/prod/revert-c0ffee000000';
    const number = github.propose(repo, { by, branch, title: 'Revert', files: { 'a.yaml': '0' } });
    github.edit(repo, number, { by, body: 'other words' });
    github.commit(repo, { author: by, branch, message: 'again', files: { 'a.yaml': '00' } });
    github.closePullRequest(repo, number, by);
    github.reopenPullRequest(repo, number, by);
    await github.settled();
    expect(web.argo.heard()).toEqual([]);
    github.mergePullRequest(repo, number, { by });
    await github.settled();
    expect(web.argo.heard()).toEqual(
      expect.arrayContaining(['pull request of acme/gitops', expect.stringMatching(/^pushed .* main /)]),
    );
  });
});

test('every Argo CD is told', async () => {
  const [one, other] = [new FakeArgo('one'), new FakeArgo('other')];
  const web = await startWeb({ watched: [one, other] });
  await web.deliver('push', push);
  expect([one.heard(), other.heard()]).toEqual([
    ['pushed github.com/acme/gitops main c0ffee0'],
    ['pushed github.com/acme/gitops main c0ffee0'],
  ]);
});

test('the answer does not wait for what follows, and a failure there is told in the log', async () => {
  const argo = new FakeArgo();
  argo.incidents = new Error('The ledger cannot be read. Install it.');
  const web = await startWeb({ argo });
  const delivery = { action: 'closed', pull_request: pullRequest(), repository, sender: person };
  expect(await web.deliver('pull_request', delivery)).toEqual({ status: 200, body: 'ok\n' });
  expect(web.logged).toMatchObject([{ level: 'warn', problem: 'The ledger cannot be read. Install it.' }]);
});

describe('signed deliveries that are odd', () => {
  const zeros = '0'.repeat(40);
  test.each<[string, string, unknown, readonly string[]]>([
    ['a ping', 'ping', { zen: 'Keep it logically awesome.' }, []],
    ['an event that nobody knows', 'brand_new_event', { action: 'happened' }, []],
    ['an event named like a part of JavaScript', 'constructor', {}, []],
    ['nothing in it', 'push', {}, []],
    ['strange types', 'push', { ref: 7, after: {}, repository: 'acme/gitops', sender: [] }, []],
    ['a tag', 'push', { ...push, ref: 'refs/tags/v1' }, []],
    ['a branch that was deleted', 'push', { ...push, after: zeros }, []],
    ['a head that is no commit', 'push', { ...push, after: 'main' }, []],
    ['a repository without an owner', 'push', { ...push, repository: { full_name: 'gitops' } }, []],
    ['a repository with a path in it', 'push', { ...push, repository: { full_name: 'a/b/c' } }, []],
    ['a pull request without anything', 'pull_request', { action: 'closed', repository }, []],
    [
      'a pull request of a fork whose branch is named like ours',
      'pull_request',
      { action: 'closed', pull_request: pullRequest({}, 'mallory/gitops'), repository, sender: person },
      [],
    ],
    [
      'a pull request of a fork that is gone',
      'pull_request',
      {
        action: 'closed',
        pull_request: pullRequest({ head: { ref: 'stepback/prod/revert-1', repo: null } }),
        repository,
        sender: person,
      },
      [],
    ],
    [
      'a merge by our own account',
      'pull_request',
      { action: 'closed', pull_request: pullRequest({ merged: true }), repository, sender: bot },
      ['pull request of acme/gitops'],
    ],
    [
      'a person who calls himself as we do',
      'pull_request',
      {
        action: 'closed',
        pull_request: pullRequest(),
        repository,
        sender: { login: 'stepback[bot]', type: 'User' },
      },
      ['pull request of acme/gitops'],
    ],
  ])('%s', async (_, event, payload, nudges) => {
    const web = await startWeb();
    expect((await web.deliver(event, payload)).status).toBe(200);
    expect(web.argo.heard()).toEqual(nudges);
  });
});

describe('deliveries that are refused', () => {
  const body = JSON.stringify(push);
  test.each<[string, number, Parameters<Awaited<ReturnType<typeof startWeb>>['deliver']>[2]]>([
    ['without a signature', 401, { secret: null }],
    ['with another secret', 400, { secret: 'development' }],
    ['with an empty secret', 400, { headers: { 'x-hub-signature-256': '' } }],
    ['with half a signature', 400, { headers: { 'x-hub-signature-256': 'sha256=' } }],
    ['with a signature of another kind', 400, { headers: { 'x-hub-signature-256': 'md5=0123' } }],
    ['changed on the way', 400, { headers: signed('push', `${body} `, secret) }],
    ['that are no JSON', 400, { body: '{"ref":' }],
    ['that are empty', 400, { body: '' }],
    ['that are no object', 400, { body: 'null' }],
    ['that are a list', 400, { body: '[{}]' }],
    ['without an event', 400, { headers: { 'x-github-event': '' } }],
    ['with an event that would break Probot', 400, { headers: { 'x-github-event': '__proto__' } }],
    ['as a form', 415, { headers: { 'content-type': 'application/x-www-form-urlencoded' } }],
  ])('%s: %i, and nobody is nudged', async (_, status, how) => {
    const web = await startWeb();
    const answer = await web.deliver('push', push, how);
    expect(answer.status).toBe(status);
    expect(web.argo.heard()).toEqual([]);
    expect(answer.body).not.toContain(secret);
    expect(JSON.stringify(web.logged)).not.toContain(secret);
  });

  test('cost one line of the log a minute, however many they are', async () => {
    const web = await startWeb();
    for (let count = 0; count < 5; count += 1) await web.deliver('push', push, { secret: 'wrong' });
    expect(web.logged).toHaveLength(1);
    web.clock.time += 60_000;
    await web.deliver('push', push, { secret: null });
    expect(web.logged.map(({ message, othersSinceLastTold }) => [message, othersSinceLastTold])).toEqual([
      ['a webhook was refused: it was answered with 400', 0],
      ['a webhook was refused: it is not signed; set the webhook secret on the settings page of the App', 4],
    ]);
    expect(web.webhooks()).toEqual(['unknown refused 6']);
  });

  test('a reading of the page is no delivery', async () => {
    const web = await startWeb();
    const { status, headers } = await web.get('/api/github/webhooks');
    expect([status, headers.get('allow')]).toEqual([405, 'POST']);
  });

  test('a slash at the end of the path does no harm', async () => {
    const web = await startWeb();
    expect((await web.deliver('push', push, { path: '/api/github/webhooks/' })).status).toBe(200);
    expect(web.argo.heard()).toHaveLength(1);
  });
});

describe('huge deliveries', () => {
  const mebibyte = 1024 * 1024;

  /** Sends text on the bare wire and gives the first line of the answer, or `cut` when the connection was. */
  function rawAnswer(url: string, start: string, chunks: Iterable<Buffer>): Promise<string> {
    return new Promise((resolve) => {
      const socket = connect(Number(new URL(url).port), '127.0.0.1');
      onTestFinished(() => void socket.destroy());
      socket.on('data', (data) => resolve(String(data).split('\r\n')[0] ?? ''));
      socket.on('error', () => resolve('cut'));
      socket.write(start);
      const iterator = chunks[Symbol.iterator]();
      const send = (): void => {
        for (;;) {
          const next = iterator.next();
          if (next.done === true || socket.destroyed) return;
          if (!socket.write(next.value)) {
            socket.once('drain', send);
            return;
          }
        }
      };
      send();
    });
  }

  const heads = [
    'POST /api/github/webhooks HTTP/1.1',
    'host: localhost',
    'content-type: application/json',
    'x-github-event: push',
    'x-github-delivery: 1',
    'x-hub-signature-256: sha256=00',
  ];

  test('are refused by their length before they are read', async () => {
    const web = await startWeb();
    const start = [...heads, `content-length: ${25 * mebibyte + 1}`, '', ''].join('\r\n');
    expect(await rawAnswer(web.url, start, [])).toBe('HTTP/1.1 413 Payload Too Large');
  });

  test('are refused as soon as they are too long, when they do not say their length', async () => {
    const web = await startWeb();
    const start = [...heads, 'transfer-encoding: chunked', '', ''].join('\r\n');
    const part = Buffer.alloc(mebibyte, 32);
    function* endless(): Generator<Buffer> {
      for (;;) {
        yield Buffer.from(`${mebibyte.toString(16)}\r\n`);
        yield part;
        yield Buffer.from('\r\n');
      }
    }
    // Who is cut off while still writing may lose the answer on the way.
    expect(['HTTP/1.1 413 Payload Too Large', 'cut']).toContain(await rawAnswer(web.url, start, endless()));
    expect(web.webhooks()).toEqual(['unknown refused 1']);
    expect(web.argo.heard()).toEqual([]);
  });

  test('are taken when they are as large as GitHub sends them', async () => {
    const web = await startWeb();
    const payload = { ...push, commits: 'x'.repeat(20 * mebibyte) };
    expect((await web.deliver('push', payload)).status).toBe(200);
    expect(web.argo.heard()).toHaveLength(1);
  });
});
