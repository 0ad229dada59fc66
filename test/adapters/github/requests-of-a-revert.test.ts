/** How often we ask, one after the other, from the decision to the open pull request in the usual case. */
import { expect, test } from 'vitest';
import type { RequestEvent } from '../../../src/adapters/github/octokit.ts';
import {
  api,
  eachTestHasItsOwnGitHub,
  gitops,
  installed,
  path,
  rawCommit,
  rawPull,
  sha,
  world,
} from './world.ts';

eachTestHasItsOwnGitHub();

/** Requests that run at the same time count once. */
function roundsIn(events: readonly RequestEvent[]): number {
  let rounds = 0;
  let underWay = 0;
  for (const { phase } of events) {
    if (phase === 'sent' && underWay === 0) rounds += 1;
    underWay += phase === 'sent' ? 1 : -1;
  }
  return rounds;
}

test('the suspect is the branch head and nothing landed since: five requests', async () => {
  installed();
  const { forge, events } = world();
  api()
    .get(path)
    .reply(200, { owner: { login: 'example-org' }, name: 'gitops', default_branch: 'main' });
  await forge.repository(gitops);
  events.length = 0;

  const bad = rawCommit({ sha: sha('bad'), tree: sha('7ee2'), parents: [sha('900d')] });
  api().get(`${path}/branches/main`).reply(200, { name: 'main', commit: bad });
  api()
    .get(`${path}/commits/${sha('900d')}`)
    .query(true)
    .reply(200, rawCommit({ sha: sha('900d'), tree: sha('7ee1') }));
  api()
    .post(`${path}/git/commits`)
    .reply(201, { sha: sha('4e4'), verification: { verified: true } });
  api().post(`${path}/git/refs`).reply(201, {});
  api().post(`${path}/pulls`).reply(201, rawPull());

  const head = await forge.branchHead(gitops, 'main');
  const before = await forge.commit(gitops, head?.parents[0] ?? '');
  const revert = await forge.createCommit(gitops, {
    tree: before?.tree ?? '',
    parents: [sha('bad')],
    message: 'Revert',
  });
  expect(await forge.createBranch(gitops, 'stepback/revert', revert.sha)).toBe('created');
  const opened = await forge.createPullRequest(gitops, {
    title: 'Revert',
    body: 'Why',
    head: 'stepback/revert',
    base: 'main',
    isDraft: false,
  });
  expect(opened.kind).toBe('created');
  expect(roundsIn(events)).toBe(5);
});

test('trees are read in parallel: three at once are one round', async () => {
  installed();
  const waiting: (() => void)[] = [];
  const { forge, events } = world({
    // Answers only when all three have arrived.
    fetch: async (url, init) => {
      if (/trees\/a[123]/.test(String(url))) {
        await new Promise<void>((resolve) => {
          waiting.push(resolve);
          if (waiting.length === 3) for (const goOn of waiting) goOn();
        });
      }
      return globalThis.fetch(url, init);
    },
  });
  for (const start of ['a0', 'a1', 'a2', 'a3']) {
    api()
      .get(`${path}/git/trees/${sha(start)}`)
      .reply(200, { tree: [], truncated: false });
  }
  await forge.readTree(gitops, sha('a0'));
  events.length = 0;
  await Promise.all(['a1', 'a2', 'a3'].map((start) => forge.readTree(gitops, sha(start))));
  expect(events.filter(({ phase }) => phase === 'sent')).toHaveLength(3);
  expect(roundsIn(events)).toBe(1);
});
