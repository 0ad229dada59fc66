/** Comments and buttons as they become letters: which lines count, what is the same, and what GitHub is told. */
import { describe, expect, test } from 'vitest';
import { printCheckId } from '../../src/domain/check-id.ts';
import type { Letter } from '../../src/ports/mailbox.ts';
import { WorldProblem } from '../../src/ports.ts';
import { FakeArgo, noon, startWeb, type WebWorld } from './world.ts';

const at = (secondsAgo: number) => new Date(noon - secondsAgo * 1_000).toISOString();
const dana = { login: 'dana', type: 'User' };

interface Said {
  body?: string;
  /** What the comment said before; absent: it is new. */
  before?: string;
  by?: string;
  id?: number;
  secondsAgo?: number;
  isIssue?: boolean;
}

function comment({ body = '/stepback revert', before, by = 'dana', id = 101, ...more }: Said = {}) {
  const { secondsAgo = 2, isIssue = false } = more;
  return {
    action: before === undefined ? 'created' : 'edited',
    ...(before === undefined ? {} : { changes: { body: { from: before } } }),
    issue: { number: 412, ...(isIssue ? {} : { pull_request: {} }) },
    comment: { id, user: dana, body, created_at: at(secondsAgo), updated_at: at(secondsAgo) },
    repository: { full_name: 'Acme/GitOps' },
    sender: { login: by, type: 'User' },
  };
}

function lettersOf(web: WebWorld): readonly Letter[] {
  return [...web.argo.letters.values()];
}

test('a comment that comes in while the process is told to stop becomes a letter all the same', async () => {
  const web = await startWeb();
  const end = await web.begin('issue_comment', comment());
  let isClosed = false;
  const closing = web.close().then(() => {
    isClosed = true;
  });
  await expect(
    web.deliver('issue_comment', comment({ id: 102 })),
    'no other one is let in',
  ).rejects.toThrow();
  expect(isClosed).toBe(false);
  expect(await end()).toBe(200);
  await closing;
  expect(lettersOf(web).map(({ id }) => id)).toHaveLength(1);
});

test('a comment becomes a letter, the loop reads, and who asked sees the eyes', async () => {
  const web = await startWeb();
  expect(await web.deliver('issue_comment', comment())).toEqual({ status: 200, body: 'ok\n' });
  expect(lettersOf(web)).toEqual([
    {
      id: expect.stringMatching(/^comment-101-[0-9a-f]{14}$/),
      repository: { host: 'github.com', owner: 'acme', name: 'gitops' },
      number: 412,
      isPullRequest: true,
      commentId: 101,
      check: null,
      applicationSet: null,
      sender: { login: 'dana', isBot: false, isOurs: false },
      lines: ['/stepback revert'],
      hasMore: false,
      saidAt: noon - 2_000,
      receivedAt: noon,
    },
  ]);
  expect([web.argo.heard(), web.reactions]).toEqual([['mailbox'], ['acme/gitops 101 eyes']]);
  expect(web.webhooks()).toEqual(['issue_comment posted 1']);
});

describe('what a reader sees as a line of text is a command, wherever it stands', () => {
  const r = '/stepback revert';
  const long = 'lorem ipsum dolor sit amet '.repeat(2_200);
  test.each<[string, string, readonly string[]]>([
    ['alone', r, [r]],
    ['after a byte order mark', `\ufeff${r}`, [r]],
    ['with CRLF', `${r}\r\nplease\r\n`, [r]],
    ['in capitals', '/STEPBACK REVERT', ['/STEPBACK REVERT']],
    ['three blanks in', `   ${r}`, [r]],
    ['four blanks in', `    ${r}`, []],
    ['behind other words', `please ${r}`, []],
    ['in a quote', `> ${r}`, []],
    ['below a quote', `> ${r}\n\n${r} #4`, [`${r} #4`]],
    ['going on a quote', `> what now?\n${r}`, []],
    ['in a fence', `\`\`\`\n${r}\n\`\`\``, []],
    ['in a fence of tildes', `~~~sh\n${r}\n~~~`, []],
    ['in a fence that never ends', `\`\`\`\n${r}`, []],
    ['after a fence', `\`\`\`\nx\n\`\`\`\n${r}`, [r]],
    ['in an HTML comment', `<!-- ${r} -->`, []],
    ['in an HTML comment over lines', `<!--\n${r}\n-->`, []],
    ['in an HTML comment that never ends', `<!--\n${r}`, []],
    ['after an HTML comment', `<!-- x -->\n\n${r}`, [r]],
    ['as code', `\`${r}\``, []],
    ['with a Cyrillic e', '/stеpback revert', []],
    ['with a full-width slash', '／stepback revert', []],
    ['with a zero-width space in it', '/step\u200bback revert', []],
    ['from right to left', `\u202e${r}`, []],
    ['as part of another word', '/stepbackrevert', []],
    ['twice', `${r}\n${r}`, [r]],
    ['two of them', `${r}\n/stepback hold 2h`, [r, '/stepback hold 2h']],
    ['misspelt, so that it is answered', '/stepback rever', ['/stepback rever']],
    ['after 60,000 characters', `${long}\n\n${r}`, [r]],
    ['before 60,000 characters', `${r}\n\n${long}`, [r]],
    ['of 60,000 quotes', `${'> '.repeat(30_000)}${r}`, []],
    ['of 60,000 characters of nothing', '\u200b'.repeat(60_000), []],
    ['with 5,000 blanks in it', `/stepback${' '.repeat(5_000)}revert`, [r]],
  ])('%s', async (_, body, lines) => {
    const web = await startWeb();
    expect((await web.deliver('issue_comment', comment({ body }))).status).toBe(200);
    expect(lettersOf(web).flatMap((letter) => letter.lines)).toEqual(lines);
    expect(web.reactions).toHaveLength(lines.length === 0 ? 0 : 1);
  });

  test('of very many the first ten count, and the letter says that there are more', async () => {
    const web = await startWeb();
    const body = Array.from({ length: 3_000 }, (_, index) => `/stepback revert #${index + 1}`).join('\n');
    await web.deliver('issue_comment', comment({ body: body.slice(0, 60_000) }));
    expect(lettersOf(web)).toMatchObject([{ hasMore: true }]);
    expect(lettersOf(web)[0]?.lines).toHaveLength(10);
  });

  test('a line of 60,000 characters is cut', async () => {
    const web = await startWeb();
    await web.deliver('issue_comment', comment({ body: `/stepback dismiss ${'😀é '.repeat(15_000)}` }));
    const [line = ''] = lettersOf(web)[0]?.lines ?? [];
    expect([line.length, line.isWellFormed()]).toEqual([2_000, true]);
  });
});

describe('what is the same is one letter', () => {
  test('a delivery that is sent again, to another replica, or by the webhook of the repository', async () => {
    const kept = new Map<string, Letter>();
    const [one, other] = [new FakeArgo('prod', kept), new FakeArgo('prod', kept)];
    const [web, replica] = [await startWeb({ argo: one }), await startWeb({ argo: other })];
    const header = (number: string) => ({ headers: { 'x-github-delivery': number } });
    await Promise.all([
      web.deliver('issue_comment', comment()),
      replica.deliver('issue_comment', comment()),
      web.deliver('issue_comment', { ...comment(), installation: { id: 1 } }, header('another')),
    ]);
    replica.clock.time += 3_600_000;
    await replica.deliver('issue_comment', comment());
    expect(kept.size).toBe(1);
    expect([...web.reactions, ...replica.reactions]).toHaveLength(1);
    // Whoever heard it lets the loop read: the one that reads may not be the one that posted.
    expect([...one.heard(), ...other.heard()]).toEqual(Array(4).fill('mailbox'));
    expect(
      [...web.webhooks(), ...replica.webhooks()].filter((line) => line.includes('posted 1')),
    ).toHaveLength(1);
  });

  test('an edit adds what it adds, asked for by who edited', async () => {
    const web = await startWeb();
    const r = '/stepback revert';
    await web.deliver('issue_comment', comment({ body: r, secondsAgo: 60 }));
    await web.deliver('issue_comment', comment({ body: `${r} `, before: r, secondsAgo: 50 }));
    await web.deliver(
      'issue_comment',
      comment({ body: `${r}\n/stepback hold`, before: r, by: 'eve', secondsAgo: 40 }),
    );
    expect(lettersOf(web).map(({ sender, lines }) => [sender.login, lines])).toEqual([
      ['dana', [r]],
      ['eve', ['/stepback hold']],
    ]);
  });

  test('two edits within a second are two, and what was taken out and typed again is meant', async () => {
    const web = await startWeb();
    await web.deliver('issue_comment', comment({ body: '/stepback hold', before: '', secondsAgo: 9 }));
    await web.deliver(
      'issue_comment',
      comment({ body: '/stepback hold\n/stepback sync', before: '/stepback hold', secondsAgo: 9 }),
    );
    await web.deliver('issue_comment', comment({ body: '', before: '/stepback hold', secondsAgo: 6 }));
    await web.deliver('issue_comment', comment({ body: '/stepback hold', before: '', secondsAgo: 3 }));
    expect(lettersOf(web).map(({ lines }) => lines)).toEqual([
      ['/stepback hold'],
      ['/stepback sync'],
      ['/stepback hold'],
    ]);
  });
});

test('under an issue it is heard as well, and told apart', async () => {
  const web = await startWeb();
  await web.deliver('issue_comment', comment({ isIssue: true }));
  expect(lettersOf(web)).toMatchObject([{ number: 412, isPullRequest: false }]);
});

describe('what goes wrong behind the door', () => {
  test('a letter that cannot be kept is no success, and is kept when it comes again', async () => {
    const web = await startWeb();
    web.argo.refuses = async () => {
      throw new WorldProblem('transient', 'The API server is away. I try again.');
    };
    expect((await web.deliver('issue_comment', comment())).status).toBe(500);
    expect([lettersOf(web), web.reactions]).toEqual([[], []]);
    expect(web.logged).toMatchObject([{ problem: 'The API server is away. I try again.' }, {}]);
    web.argo.refuses = null;
    expect((await web.deliver('issue_comment', comment())).status).toBe(200);
    expect([lettersOf(web).length, web.reactions.length]).toEqual([1, 1]);
  });

  test('a mailbox that does not answer does not keep GitHub waiting', async () => {
    const web = await startWeb();
    const asked = new Promise<void>((resolve) => {
      web.argo.refuses = () => {
        resolve();
        return new Promise<never>(() => {});
      };
    });
    const answer = web.deliver('issue_comment', comment());
    await asked;
    web.clock.ring();
    expect((await answer).status).toBe(500);
  });

  test('of two Argo CDs one that fails does not lose the letter of the other', async () => {
    const [one, other] = [new FakeArgo('one'), new FakeArgo('other')];
    one.refuses = async () => {
      throw new WorldProblem('transient', 'Away.');
    };
    const web = await startWeb({ watched: [one, other] });
    expect((await web.deliver('issue_comment', comment())).status).toBe(500);
    expect([one.letters.size, other.letters.size]).toEqual([0, 1]);
    one.refuses = null;
    expect((await web.deliver('issue_comment', comment())).status).toBe(200);
    expect([one.letters.size, other.letters.size]).toEqual([1, 1]);
  });

  test('a reaction that fails loses nothing', async () => {
    const forge = {
      repositoryOf: () => null,
      commitUrl: () => '',
      react: async () => {
        throw new WorldProblem('permanent', 'GitHub refused the reaction.');
      },
    };
    const web = await startWeb({ forge });
    expect((await web.deliver('issue_comment', comment())).status).toBe(200);
    expect(lettersOf(web)).toHaveLength(1);
    expect(web.logged).toMatchObject([{ problem: 'GitHub refused the reaction.' }]);
  });
});

describe('buttons', () => {
  const externalId = (instance: string) =>
    printCheckId({ kind: 'application-set', instance, applicationSet: 'argocd/payments' });
  const check = {
    id: 9,
    head_sha: 'c0ffee'.padEnd(40, '0'),
    name: 'stepback / argocd/payments',
    external_id: externalId('prod'),
    app: { slug: 'stepback' },
  };
  const press = {
    action: 'requested_action',
    requested_action: { identifier: 'hold' },
    check_run: check,
    repository: { full_name: 'acme/gitops' },
    sender: dana,
  };

  test('a press becomes a letter of the Argo CD that the check run is about', async () => {
    const [prod, dev] = [new FakeArgo('prod'), new FakeArgo('dev')];
    const web = await startWeb({ watched: [dev, prod] });
    await web.deliver('check_run', press);
    expect([dev.letters.size, dev.heard(), prod.heard(), web.reactions]).toEqual([0, [], ['mailbox'], []]);
    expect([...prod.letters.values()]).toMatchObject([
      {
        id: expect.stringMatching(/^button-9-[0-9a-f]{14}$/),
        number: null,
        commentId: null,
        check: { sha: check.head_sha, name: check.name, externalId: check.external_id },
        applicationSet: 'argocd/payments',
        lines: ['/stepback hold'],
        saidAt: null,
      },
    ]);
  });

  test('a press that is delivered twice is one, and two presses are two', async () => {
    const web = await startWeb();
    const again = { headers: { 'x-github-delivery': 'another-press' } };
    await web.deliver('check_run', press);
    await web.deliver('check_run', press);
    expect(lettersOf(web)).toHaveLength(1);
    await web.deliver('check_run', press, again);
    expect(lettersOf(web)).toHaveLength(2);
  });

  test('"Re-run" asks for a look', async () => {
    const web = await startWeb();
    web.argo.sets.set('argocd/payments', {} as never);
    await web.deliver('check_run', { ...press, action: 'rerequested' });
    expect([web.argo.heard(), lettersOf(web)]).toEqual([['look argocd/payments'], []]);
  });
});
