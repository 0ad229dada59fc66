/** `app.yml` asks for what the code uses and no more: held against every route in the adapter, and tried out. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { systemClock } from '../../src/adapters/clock.ts';
import { createForge } from '../../src/adapters/github/forge.ts';
import { connectToGitHub } from '../../src/adapters/github/github.ts';
import type { CheckRunContent } from '../../src/ports/checks.ts';
import type { Forge, PullRequest, Repository } from '../../src/ports.ts';
import { startSmallGitHub } from '../../src/sandbox/github/small-github.ts';
import { type Access, missingPermissions, neededPermissions } from '../../src/web/app-needs.ts';
import { subscribedEvents, unaskedEvents, webhookHandlers } from '../../src/web/webhooks.ts';

const root = join(import.meta.dirname, '../..');
const manifest = parse(readFileSync(join(root, 'app.yml'), 'utf8'));

/**
 * What each route takes, as GitHub tells it (docs.github.com, "Permissions required for GitHub Apps"); null for what every
 * App may. Of alternatives the one that we have anyway.
 */
const routes: Readonly<Record<string, readonly [permission: string, access: Access] | null>> = {
  'GET /app': null,
  'GET /app/hook/deliveries': null,
  'POST /app/hook/deliveries/{delivery_id}/attempts': null,
  'GET /repos/{owner}/{repo}/installation': null,
  'POST /app/installations/{installation_id}/access_tokens': null,
  'GET /users/{username}': null,
  'GET /repos/{owner}/{repo}/rules/branches/{branch}': ['metadata', 'read'],
  'GET /orgs/{org}/teams/{team_slug}/memberships/{username}': ['members', 'read'],
  'GET /repos/{owner}/{repo}': ['metadata', 'read'],
  'GET /repos/{owner}/{repo}/branches/{branch}': ['contents', 'read'],
  'GET /repos/{owner}/{repo}/commits': ['contents', 'read'],
  'GET /repos/{owner}/{repo}/commits/{ref}': ['contents', 'read'],
  'GET /repos/{owner}/{repo}/collaborators/{username}/permission': ['metadata', 'read'],
  'GET /repos/{owner}/{repo}/commits/{ref}/check-runs': ['checks', 'read'],
  'POST /repos/{owner}/{repo}/check-runs': ['checks', 'write'],
  'PATCH /repos/{owner}/{repo}/check-runs/{check_run_id}': ['checks', 'write'],
  'GET /repos/{owner}/{repo}/contents/{path}': ['contents', 'read'],
  'GET /repos/{owner}/{repo}/commits/{commit_sha}/pulls': ['pull_requests', 'read'],
  'GET /repos/{owner}/{repo}/compare/{basehead}': ['contents', 'read'],
  'GET /repos/{owner}/{repo}/git/ref/{ref}': ['contents', 'read'],
  'GET /repos/{owner}/{repo}/git/trees/{tree_sha}': ['contents', 'read'],
  'GET /repos/{owner}/{repo}/git/blobs/{file_sha}': ['contents', 'read'],
  'POST /repos/{owner}/{repo}/git/blobs': ['contents', 'write'],
  'POST /repos/{owner}/{repo}/git/trees': ['contents', 'write'],
  'POST /repos/{owner}/{repo}/git/commits': ['contents', 'write'],
  'POST /repos/{owner}/{repo}/git/refs': ['contents', 'write'],
  'PATCH /repos/{owner}/{repo}/git/refs/{ref}': ['contents', 'write'],
  'DELETE /repos/{owner}/{repo}/git/refs/{ref}': ['contents', 'write'],
  'GET /repos/{owner}/{repo}/pulls': ['pull_requests', 'read'],
  'POST /repos/{owner}/{repo}/pulls': ['pull_requests', 'write'],
  'GET /repos/{owner}/{repo}/pulls/{pull_number}': ['pull_requests', 'read'],
  'PATCH /repos/{owner}/{repo}/issues/{issue_number}': ['issues', 'write'],
  'PATCH /repos/{owner}/{repo}/pulls/{pull_number}': ['pull_requests', 'write'],
  'GET /repos/{owner}/{repo}/pulls/{pull_number}/files': ['pull_requests', 'read'],
  'POST /repos/{owner}/{repo}/pulls/{pull_number}/requested_reviewers': ['pull_requests', 'write'],
  // With a right on pull requests alone these are without the issues.
  'GET /repos/{owner}/{repo}/issues': ['issues', 'read'],
  'GET /repos/{owner}/{repo}/issues/{issue_number}/events': ['issues', 'read'],
  'POST /repos/{owner}/{repo}/issues': ['issues', 'write'],
  'POST /repos/{owner}/{repo}/issues/{issue_number}/labels': ['pull_requests', 'write'],
  'DELETE /repos/{owner}/{repo}/issues/{issue_number}/labels/{name}': ['pull_requests', 'write'],
  'POST /repos/{owner}/{repo}/issues/comments/{comment_id}/reactions': ['pull_requests', 'write'],
  'GET /repos/{owner}/{repo}/issues/{issue_number}/comments': ['pull_requests', 'read'],
  'POST /repos/{owner}/{repo}/issues/{issue_number}/comments': ['pull_requests', 'write'],
  'PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}': ['pull_requests', 'write'],
  'DELETE /repos/{owner}/{repo}/issues/comments/{comment_id}': ['pull_requests', 'write'],
};

/** Every route that stands in the code that talks to GitHub; GraphQL has none, and is walked through below. */
function routesInCode(): readonly string[] {
  const folder = join(root, 'src/adapters/github');
  const files = [...readdirSync(folder).map((name) => join(folder, name)), join(root, 'src/main.ts')];
  const found = files.flatMap((file) => [
    ...readFileSync(file, 'utf8').matchAll(/'((?:GET|POST|PATCH|PUT|DELETE) \/[^']*)'/g),
  ]);
  return [...new Set(found.map(([, route]) => route ?? ''))].sort();
}

test('the table knows every route that the code calls, and no other', () => {
  expect(routesInCode()).toEqual(Object.keys(routes).sort());
});

test('the manifest asks for the most that a route takes, and for no more', () => {
  const most: Record<string, string> = {};
  for (const need of Object.values(routes)) {
    if (need !== null && most[need[0]] !== 'write') most[need[0]] = need[1];
  }
  expect(manifest.default_permissions).toEqual(most);
  expect(neededPermissions).toEqual(most);
});

test('the manifest asks for the events that have a handler, and for no more', () => {
  const registered: string[] = [];
  const options = {
    ...{ watched: [], host: '', appLogin: '', onOutcome: () => {} },
    ...{ forge: { react: async () => 'gone' as const }, clock: systemClock },
  };
  const log = { info: () => {}, warn: () => {} };
  webhookHandlers({ ...options, log })(
    { on: (event: string) => registered.push(event) } as never,
    {} as never,
  );
  expect(registered).toEqual([...subscribedEvents, ...unaskedEvents]);
  expect(manifest.default_events).toEqual([...subscribedEvents]);
});

test('what the App lacks is one sentence', () => {
  expect(missingPermissions(manifest.default_permissions)).toEqual([]);
  expect(
    missingPermissions({ ...manifest.default_permissions, contents: 'read', members: undefined }),
  ).toMatchInlineSnapshot(`
    [
      "The GitHub App lacks permissions, so Stepback could not do its work: Contents (read and write), Members of the organisation (read). Add them on the settings page of the App, and let an owner of the organisation accept them.",
    ]
  `);
});

const checkRun: CheckRunContent = {
  ...{ externalId: '', title: 'Rolls out', summary: '', text: '', detailsUrl: null, actions: [] },
  ...{ status: 'in-progress', conclusion: null, startedAt: null, completedAt: null },
};

const repository: Repository = { host: '127.0.0.1', owner: 'acme', name: 'gitops' };

/** An App with these permissions, and a walk through all that a Forge can do. */
async function walkWith(permissions: Readonly<Record<string, string>>): Promise<void> {
  const github = await startSmallGitHub({ app: { permissions: { ...permissions } } });
  onTestFinished(() => github.close());
  github.addPerson({ login: 'dana', name: 'Dana', email: 'dana@acme.example' });
  github.createRepository({ owner: 'acme', name: 'gitops', files: { 'a.yaml': '1' }, author: 'dana' });
  const bad = github.commit('acme/gitops', { author: 'dana', message: 'bad', files: { 'a.yaml': '2' } });
  const forge = createForge(
    connectToGitHub({
      appId: String(github.app.id),
      privateKey: () => github.app.privateKey ?? '',
      baseUrl: github.url,
      clock: systemClock,
      retryBaseMs: 1,
    }),
  );
  await walk(forge, bad);
}

async function walk(forge: Forge, bad: string): Promise<void> {
  const facts = await forge.repository(repository);
  const head = await forge.branchHead(repository, facts?.defaultBranch ?? '');
  const [parent = ''] = head?.parents ?? [];
  const before = await forge.commit(repository, parent);
  await forge.range(repository, parent, bad);
  await forge.filesOf(repository, bad);
  await forge.pullRequestsOf(repository, bad);
  const [entry] = await forge.readTree(repository, before?.tree ?? '');
  await forge.readBlob(repository, entry?.id ?? '');
  const content = new Uint8Array([0, 255, 1]);
  const changes = [{ path: 'b.bin', mode: '100644' as const, content }];
  const tree = await forge.createTree(repository, before?.tree ?? '', changes);
  const { sha } = await forge.createCommit(repository, { tree, parents: [bad], message: 'Revert' });
  await forge.createBranch(repository, 'stepback/prod/revert-1', bad);
  await forge.moveBranch(repository, 'stepback/prod/revert-1', bad, sha);
  const wish = { title: 'Revert', body: '', head: 'stepback/prod/revert-1', base: 'main', isDraft: false };
  const opened = await forge.createPullRequest(repository, wish);
  if (opened.kind !== 'created') throw new Error(`The pull request is ${opened.kind}.`);
  const { number } = opened.pullRequest;
  await forge.pullRequestsFrom(repository, wish.head);
  await forge.pullRequest(repository, number);
  await forge.updatePullRequest(repository, number, { body: 'more' });
  const comment = await forge.createComment(repository, number, 'one');
  await forge.updateComment(repository, comment, 'two');
  await forge.comments(repository, number);
  await walkAround(forge, bad, opened.pullRequest, comment);
  await forge.deleteComment(repository, comment);
  await forge.deleteBranch(repository, wish.head);
}

/** What is done around the revert: check runs, people, files, labels, issues, auto-merge. */
async function walkAround(
  forge: Forge,
  bad: string,
  pullRequest: PullRequest,
  comment: number,
): Promise<void> {
  const { number } = pullRequest;
  const id = await forge.createCheckRun(repository, { ...checkRun, sha: bad, name: 'stepback / a/b' });
  await forge.updateCheckRun(repository, id ?? 0, checkRun);
  await forge.checkRuns(repository, bad, null);
  await forge.permissionOf(repository, 'dana');
  if ((await forge.isMemberOf(repository, 'platform', 'dana')) === 'unknown') {
    throw new Error('It lacks members: read');
  }
  await forge.codeOwnersText(repository, null);
  await forge.fileAt(repository, 'a.yaml', bad);
  await forge.commitsOfFile(repository, 'a.yaml');
  await forge.openPullRequests(repository, 'main');
  await forge.filesOfPullRequest(repository, number);
  await forge.requestReviewers(repository, number, { people: ['dana'], teams: [] });
  await forge.addLabels(repository, number, ['stepback']);
  await forge.removeLabel(repository, number, 'stepback');
  await forge.react(repository, comment, 'eyes');
  await forge.createIssue(repository, { title: 'Enough', body: '', labels: ['stop'] });
  await forge.openIssuesWithLabel(repository, 'stop');
  await forge.ownIssues(repository, 'stop');
  await forge.ownPullRequests(repository, 0);
  await forge.enableAutoMerge(repository, pullRequest, 'merge');
  await forge.disableAutoMerge(repository, pullRequest);
  await forge.requiredChecks(repository, 'main');
  await forge.ownSignature(repository);
  await forge.markReadyForReview(repository, pullRequest);
  await forge.failedDeliveries(0);
}

test('with the permissions of the manifest everything works that Stepback does', async () => {
  await walkWith(manifest.default_permissions);
});

test.each(['checks: write', 'contents: write', 'issues: write', 'members: read', 'pull_requests: write'])(
  'with less than %s it does not',
  async (needed) => {
    const [permission = '', access] = needed.split(': ');
    const { [permission]: _, ...rest } = manifest.default_permissions as Record<string, string>;
    const less = access === 'write' ? { ...rest, [permission]: 'read' } : rest;
    await expect(walkWith(less)).rejects.toThrow(new RegExp(`lacks .*${needed}`));
  },
);
