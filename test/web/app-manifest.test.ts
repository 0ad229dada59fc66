/** `app.yml` asks for what the code uses and no more: held against every route in the adapter, and tried out. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { systemClock } from '../../src/adapters/clock.ts';
import { createForge } from '../../src/adapters/github/forge.ts';
import { connectToGitHub } from '../../src/adapters/github/github.ts';
import type { Forge, Repository } from '../../src/ports.ts';
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
  'GET /repos/{owner}/{repo}/installation': null,
  'POST /app/installations/{installation_id}/access_tokens': null,
  'GET /repos/{owner}/{repo}': ['metadata', 'read'],
  'GET /repos/{owner}/{repo}/branches/{branch}': ['contents', 'read'],
  'GET /repos/{owner}/{repo}/commits/{ref}': ['contents', 'read'],
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
  'PATCH /repos/{owner}/{repo}/pulls/{pull_number}': ['pull_requests', 'write'],
  'GET /repos/{owner}/{repo}/issues/{issue_number}/comments': ['pull_requests', 'read'],
  'POST /repos/{owner}/{repo}/issues/{issue_number}/comments': ['pull_requests', 'write'],
  'PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}': ['pull_requests', 'write'],
};

/** Every route that stands in the code that talks to GitHub. */
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
  const options = { watched: [], host: '', appLogin: '', onOutcome: () => {} };
  const log = { info: () => {}, warn: () => {} };
  webhookHandlers({ ...options, log })(
    { on: (event: string) => registered.push(event) } as never,
    {} as never,
  );
  expect(registered).toEqual([...subscribedEvents, ...unaskedEvents]);
  expect(manifest.default_events).toEqual([...subscribedEvents]);
});

test('what the App lacks is one sentence', () => {
  expect(missingPermissions({ contents: 'write', metadata: 'read', pull_requests: 'write' })).toEqual([]);
  expect(missingPermissions({ contents: 'read', metadata: 'read' })).toMatchInlineSnapshot(`
    [
      "The GitHub App lacks permissions, so Stepback could not make a revert: Contents (read and write), Pull requests (read and write). Add them on the settings page of the App, and let an owner of the organisation accept them.",
    ]
  `);
});

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
  await forge.deleteBranch(repository, wish.head);
}

test('with the permissions of the manifest everything works that Stepback does', async () => {
  await walkWith(manifest.default_permissions);
});

test.each(['contents', 'pull_requests'])('with less of %s it does not', async (permission) => {
  const { [permission]: _, ...rest } = manifest.default_permissions as Record<string, string>;
  await expect(walkWith({ ...rest, [permission]: 'read' })).rejects.toThrow(
    new RegExp(`lacks .*${permission}: write`),
  );
});
