/** The status page, as a browser gets it: what it says, what it folds away, and that nobody can write on it. */
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { Left } from '../../src/domain/incident.ts';
import type { Attempt } from '../../src/domain/recovery-aid.ts';
import { describeObstacle } from '../../src/render/obstacles.ts';
import { describeReason } from '../../src/render/reasons.ts';
import { clone, incident } from './incidents.ts';
import { answerFrom, FakeArgo, noon, startWeb } from './world.ts';

/** The text of a page as it is read, a line a block. */
function textOf(page: string): string {
  return page
    .replace(/^.*<body>/s, '')
    .replace(/<(\/?(li|p|h\d|summary|details|section|ul|ol))[^>]*>/g, '\n')
    .replace(/<[^>]+>/g, '')
    .replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('\n');
}

test('an empty Argo CD says so', async () => {
  const web = await startWeb();
  expect(textOf((await web.get('/')).body)).toMatchInlineSnapshot(`
    "Stepback
    prod seen
    Last heard of 4 s ago.
    Incidents
    No incident is remembered.
    ApplicationSets
    No ApplicationSet is seen here.
    As of 2026-12-01T12:00:00.000Z. This page reloads itself every 30 s."
  `);
});

test.each([
  [{ isLeading: () => true, leader: () => null }, 'Last heard of 4 s ago.'],
  [
    { isLeading: () => false, leader: () => ({ identity: 'stepback-<2>', address: null }) },
    'Last heard of 4 s ago. This replica watches; stepback-<2> acts, and its verdicts are on its own page. Incidents are the same everywhere.',
  ],
  [
    { isLeading: () => false, leader: () => null },
    'Last heard of 4 s ago. No replica acts at the moment; one will within a minute.',
  ],
])('which of several replicas acts is said', async (leadership, words) => {
  const { cluster, loop, mailbox } = new FakeArgo();
  const web = await startWeb({ watched: [{ cluster, loop, mailbox, leadership }] });
  expect(textOf((await web.get('/')).body)).toContain(`\n${words}\n`);
});

test('a failing rollout is told with its stages, the commit that each Application runs, and the revert', async () => {
  const argo = new FakeArgo();
  argo.incidents = [incident()];
  const web = await startWeb({ argo });
  const result = argo.answered(answerFrom('prod-gets-it-first', 69.8));
  web.tally.ticked('prod', result.answer.rollout.applicationSet.key, result);
  web.clock.time += 8_000;
  const { body } = await web.get('/');
  const [reasons = ''] = /<ul class="reasons">.*?<\/ul>/s.exec(body) ?? [];
  const [reason] = result.answer.rollout.reasons;
  expect(textOf(`<body>${reasons}`)).toContain(describeReason(reason!));
  expect(textOf(body.replace(reasons, ''))).toMatchInlineSnapshot(`
    "Stepback
    prod seen
    Last heard of 12 s ago.
    Incidents
    payments: new ledger endpoint revert is open
    Merge to take it back: #415.
    Noticed 1 min ago in acme/gitops on main.
    3 of 7 Applications of argocd/payments have it; 3 at the worst
    d2bf318 payments: new ledger endpoint
    by dana, #412
    ApplicationSets
    argocd/payments failed
    looked at 8 s ago
    1 dev ok
    env in dev, all at once
    payments-dev-1
    runs d349bdf
    Healthy, Synced
    2 staging failed
    env in staging, 50 % at a time
    payments-staging-1
    runs d349bdf, out of order
    Degraded, Synced
    payments-staging-2
    runs d92c3ea, is to run d349bdf
    Healthy, OutOfSync
    payments-staging-3
    runs d92c3ea, is to run d349bdf
    Healthy, OutOfSync
    3 prod waiting
    env in prod, one at a time
    payments-prod-1
    runs d92c3ea, is to run d349bdf
    Healthy, OutOfSync
    payments-prod-3
    runs d92c3ea, is to run d349bdf
    Healthy, OutOfSync
    payments-prod-2
    runs d349bdf, out of order
    Healthy, Synced
    As of 2026-12-01T12:00:08.000Z. This page reloads itself every 30 s."
  `);
  expect(body).toContain('<a href="https://github.com/acme/gitops/pull/415" rel="noreferrer">#415</a>');
  expect(body).toMatch(/<details class="set" open>/);
});

test('what is well is folded away, and what is worse stands first', async () => {
  const argo = new FakeArgo();
  const web = await startWeb({ argo });
  const well = answerFrom('happy', 32.7);
  const sick = answerFrom('prod-gets-it-first', 69.8);
  for (const [name, answer] of [
    ['argocd/a-well', well],
    ['argocd/b-sick', sick],
  ] as const) {
    const named = { ...answer.rollout.applicationSet, key: name };
    argo.answered({ ...answer, rollout: { ...answer.rollout, applicationSet: named } });
  }
  const { body } = await web.get('/');
  expect(body.indexOf('argocd/b-sick')).toBeLessThan(body.indexOf('argocd/a-well'));
  const details = [...body.matchAll(/<details class="set"( open)?>\s*<summary><b>([^<]+)/g)];
  expect(details.map(([, isOpen, name]) => [name, isOpen])).toEqual([
    ['argocd/b-sick', ' open'],
    ['argocd/a-well', undefined],
  ]);
});

test('an ApplicationSet that the radar alone has seen shows the radar’s rows', async () => {
  const argo = new FakeArgo();
  const key = 'argocd/quiet';
  argo.sets.set(key, clone(answerFrom('happy', 32.7).rollout.applicationSet, { key }));
  argo.rows = [
    {
      key: 'argocd/quiet-1',
      uid: '1',
      resourceVersion: '1',
      owner: null,
      labels: {},
      syncStatus: 'Synced',
      healthStatus: 'Healthy',
      revision: 'a'.repeat(40),
    },
  ];
  const web = await startWeb({ argo });
  expect(textOf((await web.get('/')).body)).toContain('argocd/quiet not looked at yet');
  web.tally.ticked('prod', key, 'quiet');
  expect(textOf((await web.get('/')).body)).toContain('argocd/quiet quiet');
  expect(textOf((await web.get('/')).body)).toContain('quiet-1\naaaaaaa Healthy, Synced');
  web.tally.failed('prod', key, 'GitHub does not answer.');
  expect(textOf((await web.get('/')).body)).toContain('the last look failed: GitHub does not answer.');
});

test('blindness, and a ledger that cannot be read, are said in full', async () => {
  const argo = new FakeArgo();
  argo.sight = { lastHeardAt: noon - 3_600_000, blindness: 'The API of <prod> is gone. Check it.' };
  argo.incidents = new Error('There is no kind Rollback. Install deploy/crds.');
  const web = await startWeb({ argo });
  const { status, body } = await web.get('/');
  expect(status).toBe(200);
  expect(textOf(body)).toMatchInlineSnapshot(`
    "Stepback
    prod blind
    Last heard of 1 h ago. The API of <prod> is gone. Check it. Until that is over nothing is judged and nothing is done.
    Incidents
    What is remembered of incidents cannot be read. There is no kind Rollback. Install deploy/crds.
    ApplicationSets
    No ApplicationSet is seen here.
    As of 2026-12-01T12:00:00.000Z. This page reloads itself every 30 s."
  `);
});

describe('every phase and every obstacle', () => {
  test('has words', async () => {
    const argo = new FakeArgo();
    const phases = ['noticed', 'proposed', 'merged', 'recovered', 'healed', 'dismissed'] as const;
    argo.incidents = phases.map((phase, index) =>
      incident({
        phase,
        openedAt: noon - index * 60_000,
        obstacle: phase === 'noticed' ? { kind: 'archived' } : null,
        pullRequest: phase === 'noticed' ? null : incident().pullRequest,
      }),
    );
    const web = await startWeb({ argo });
    const lines = textOf((await web.get('/')).body).split('\n');
    const obstacle = describeObstacle({ kind: 'archived' });
    expect(lines.join('\n')).toContain(`No pull request takes it back. ${obstacle}`);
    expect(lines.filter((line) => /^payments: new|#415/.test(line))).toMatchInlineSnapshot(`
      [
        "payments: new ledger endpoint failing, no revert yet",
        "payments: new ledger endpoint revert is open",
        "Merge to take it back: #415.",
        "payments: new ledger endpoint revert is merged, coming back",
        "Taken back by #415.",
        "payments: new ledger endpoint recovered",
        "Taken back by #415.",
        "payments: new ledger endpoint healed without the revert",
        "Not needed any more: #415.",
        "payments: new ledger endpoint dismissed by a person",
        "Closed by a person: #415.",
      ]
    `);
  });
});

describe('text of others', () => {
  const evil = '</p><script>alert(1)</script><img src=x onerror=alert(2)>" onmouseover="x\u202e';

  test('writes nothing on the page, wherever it comes from', async () => {
    const argo = new FakeArgo(evil);
    const answer = answerFrom('prod-gets-it-first', 69.8);
    const poisoned = clone(answer, {});
    poison(poisoned, evil);
    argo.answered(poisoned);
    const bad = clone(incident(), {});
    poison(bad, evil);
    argo.incidents = [
      { ...bad, phase: 'proposed' },
      { ...bad, phase: 'merged' },
    ];
    argo.sight = { lastHeardAt: noon, blindness: evil };
    const web = await startWeb({
      argo,
      forge: { repositoryOf: () => null, commitUrl: () => '', react: async () => 'gone' },
    });
    const { status, body } = await web.get('/');
    expect(status).toBe(200);
    expect(body).toContain('&#60;script&#62;');
    expect(body.match(/<script|<img|onmouseover="|javascript:/g)).toBeNull();
    expect(body).not.toContain('\u202e');
    const tags = new Set([...body.matchAll(/<([a-z0-9]+)/g)].map(([, tag]) => tag));
    expect([...tags].sort().join(' ')).toMatchInlineSnapshot(
      `"b body code details h1 h2 h3 h4 head html li main meta ol p section span style summary time title ul"`,
    );
  });
});

test('a merged revert is told with who is not back, why, and what was tried', async () => {
  const argo = new FakeArgo();
  const { sets } = incident();
  const left = (application: string, attempts: readonly Attempt[]): Left => ({
    application,
    reasons: [],
    wayBack: {
      key: `argocd/${application}`,
      hindrance: attempts.length > 0 ? 'no-sync-is-coming' : 'behind-the-unreachable',
      remedy: 'sync',
      by: attempts.length > 0 ? [] : ['payments-<dev>-1'],
      since: noon - 240_000,
      operationStartedAt: null,
      attempts,
    },
  });
  const tried = { aid: 'sync', at: noon - 60_000, outcome: 'done', detail: '' } as const;
  const stuck = sets.map((set) => ({
    ...set,
    left: [left('payments-staging-2', [tried]), left('payments-prod-1', [])],
  }));
  argo.incidents = [incident({ phase: 'merged', sets: stuck })];
  const web = await startWeb({ argo });
  const { body } = await web.get('/');
  expect(body).not.toContain('<dev>');
  expect(textOf(body)).toMatchInlineSnapshot(`
    "Stepback
    prod seen
    Last heard of 4 s ago.
    Incidents
    payments: new ledger endpoint revert is merged, coming back
    Taken back by #415.
    Noticed 1 min ago in acme/gitops on main.
    3 of 7 Applications of argocd/payments have it; 3 at the worst
    payments-staging-2 is compared with the revert, and no sync is coming (for 4 min): a refresh does not change that, argocd app sync payments-staging-2 does. I asked Argo CD to sync it at 11:59 UTC.
    payments-prod-1 waits behind payments-<dev>-1, whose cluster cannot be reached (for 4 min). argocd app sync payments-prod-1 brings it back without waiting.
    d2bf318 payments: new ledger endpoint
    by dana, #412
    ApplicationSets
    No ApplicationSet is seen here.
    As of 2026-12-01T12:00:00.000Z. This page reloads itself every 30 s."
  `);
});

test('long lists are cut, and the page says by how much', async () => {
  const argo = new FakeArgo();
  const answer = answerFrom('prod-gets-it-first', 69.8);
  const [first] = answer.rollout.stages[0]?.applications ?? [];
  const many = Array.from({ length: 1_000 }, () => first!);
  const [stage, ...stages] = answer.rollout.stages;
  argo.answered({
    ...answer,
    rollout: { ...answer.rollout, stages: [{ ...stage!, applications: many }, ...stages] },
  });
  argo.incidents = Array.from({ length: 100 }, () => incident());
  for (let index = 0; index < 1_000; index += 1)
    argo.sets.set(`argocd/set-${index}`, answer.rollout.applicationSet);
  const web = await startWeb({ argo });
  const { body } = await web.get('/');
  expect(body.length).toBeLessThan(1_000_000);
  expect(textOf(body).match(/and \d+ more .*/g)).toMatchInlineSnapshot(`
    [
      "and 70 more incidents, which this page leaves out",
      "and 940 more Applications, which this page leaves out",
      "and 801 more ApplicationSets, which this page leaves out",
    ]
  `);
});

test('a browser is told to run nothing, load nothing and keep nothing', async () => {
  const web = await startWeb();
  const { body, headers } = await web.get('/');
  const [, style = ''] = /<style>(.*?)<\/style>/s.exec(body) ?? [];
  const hash = createHash('sha256').update(style).digest('base64');
  expect(headers.get('content-security-policy')).toBe(
    `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  );
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('cache-control')).toBe('no-store');
  expect(body).not.toMatch(/ style=|<script| on[a-z]+=/);
  expect(body).toContain('<meta name="viewport" content="width=device-width, initial-scale=1">');
  expect(style).toContain('prefers-color-scheme: dark');
});

/** Puts the text into every text of an object, addresses and names included; words that the domain chose stay. */
function poison(value: unknown, text: string): void {
  if (typeof value !== 'object' || value === null) return;
  const own = ['verdict', 'phase', 'kind', 'code', 'state', 'failureKind', 'strategyType'];
  for (const [key, inner] of Object.entries(value)) {
    if (typeof inner === 'string' && !own.includes(key)) (value as Record<string, unknown>)[key] = text;
    else poison(inner, text);
  }
}
