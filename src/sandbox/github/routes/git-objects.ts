/** The git data endpoints: commits, trees and blobs, read and written one object at a time. */
import type { Commit, Signature } from '../git/objects.ts';
import { SUBMODULE_MODE, TREE_MODE, typeOfMode } from '../git/objects.ts';
import { type Edit, editTree, listRecursive } from '../git/tree-walk.ts';
import { type Answer, notFound, ok, unprocessable } from '../http/answers.ts';
import type { Call, Route } from '../http/call.ts';
import { nodeId } from '../json/accounts.ts';
import { gitCommitJson } from '../json/commits.ts';
import { repositoryUrl, treeEntryJson } from '../json/repositories.ts';
import { WEB_FLOW_SIGNATURE, webFlow } from '../site.ts';
import { inLines } from './contents.ts';
import { treeNamed } from './resolve.ts';

/** A recursive tree stops here, or at 7 MB, and says so. */
const RECURSIVE_ENTRIES_MAX = 100_000;

/** Routes of commits, trees and blobs as git has them. */
export const gitObjectRoutes: Route[] = [
  {
    method: 'GET',
    path: '/repos/{owner}/{repo}/git/commits/{commit_sha}',
    needs: ['contents:read'],
    handle: (call) => {
      if (call.git.commit(call.param('commit_sha')) === undefined) throw notFound();
      return ok(gitCommitJson(call.view, call.repository, call.param('commit_sha')));
    },
  },
  {
    method: 'POST',
    path: '/repos/{owner}/{repo}/git/commits',
    needs: ['contents:write'],
    handle: createCommit,
  },
  {
    method: 'GET',
    path: '/repos/{owner}/{repo}/git/trees/{tree_sha}',
    needs: ['contents:read'],
    handle: tree,
  },
  { method: 'POST', path: '/repos/{owner}/{repo}/git/trees', needs: ['contents:write'], handle: createTree },
  {
    method: 'GET',
    path: '/repos/{owner}/{repo}/git/blobs/{file_sha}',
    needs: ['contents:read'],
    handle: (call) => {
      const sha = call.param('file_sha');
      const blob = call.git.blob(sha);
      if (blob === undefined) throw notFound();
      if (/application\/vnd\.github(\.v3)?\.raw/.test(String(call.headers.accept ?? ''))) {
        return { status: 200, raw: blob };
      }
      const url = `${repositoryUrl(call.view, call.repository)}/git/blobs/${sha}`;
      const node = `${nodeId('B', call.repository.id)}${sha}`;
      return ok({ sha, node_id: node, size: blob.length, url, content: inLines(blob), encoding: 'base64' });
    },
  },
  {
    method: 'POST',
    path: '/repos/{owner}/{repo}/git/blobs',
    needs: ['contents:write'],
    handle: (call) => {
      const content = call.text('content');
      const encoding = call.text('encoding') ?? 'utf-8';
      if (content === undefined) throw unprocessable('Invalid request.\n\n"content" wasn\'t supplied.');
      if (encoding !== 'utf-8' && encoding !== 'base64') {
        throw unprocessable(`"${encoding}" is not a valid encoding; use utf-8 or base64.`);
      }
      const sha = call.git.writeBlob(Buffer.from(content, encoding));
      return ok({ url: `${repositoryUrl(call.view, call.repository)}/git/blobs/${sha}`, sha }, 201);
    },
  },
];

function createCommit(call: Call): Answer {
  const { git, site } = call;
  const message = call.text('message');
  const treeId = call.text('tree');
  if (message === undefined || treeId === undefined) {
    throw unprocessable(
      `Invalid request.\n\n"${message === undefined ? 'message' : 'tree'}" wasn't supplied.`,
    );
  }
  if (git.tree(treeId) === undefined) throw unprocessable('Tree SHA does not exist');
  const parents = call.texts('parents');
  if (parents.some((parent) => git.commit(parent) === undefined)) {
    throw unprocessable('Parent SHA does not exist or is not a commit object');
  }
  const bot = site.signature(call.actor.login);
  const author = personOf(call, 'author', bot);
  // GitHub signs what an App commits only when the App leaves the authorship to GitHub.
  const own = ['author', 'committer', 'signature'].some((name) => call.body[name] !== undefined);
  const signed = !own && site.signsCommits();
  const commit: Commit = {
    tree: treeId,
    parents,
    author,
    committer: signed ? webFlow(site.now()) : personOf(call, 'committer', author),
    message,
    signature: signed ? WEB_FLOW_SIGNATURE : call.text('signature'),
  };
  return ok(gitCommitJson(call.view, call.repository, git.writeCommit(commit)), 201);
}

function personOf(call: Call, field: string, otherwise: Signature): Signature {
  const value = call.body[field];
  if (typeof value !== 'object' || value === null) return otherwise;
  const { name, email, date } = value as { name?: string; email?: string; date?: string };
  if (typeof name !== 'string' || typeof email !== 'string') {
    throw unprocessable(`Invalid request.\n\nFor '${field}', "name" and "email" are needed.`);
  }
  const ms = Date.parse(date ?? '');
  return {
    name,
    email,
    seconds: Number.isNaN(ms) ? otherwise.seconds : Math.floor(ms / 1000),
    zone: '+0000',
  };
}

function tree(call: Call): Answer {
  const { view, repository, git } = call;
  const sha = treeNamed(call, call.param('tree_sha'));
  // Any value of `recursive`, "0" and "false" too, means yes.
  const recursive = call.query.has('recursive');
  const all = recursive
    ? listRecursive(git, sha)
    : (git.tree(sha) ?? []).map(({ mode, name, id }) => ({ path: name, mode, id }));
  const most = recursive ? (call.truncateTo ?? RECURSIVE_ENTRIES_MAX) : all.length;
  return ok({
    sha,
    url: `${repositoryUrl(view, repository)}/git/trees/${sha}`,
    tree: all.slice(0, most).map((entry) => treeEntryJson(view, repository, entry)),
    truncated: all.length > most,
  });
}

function createTree(call: Call): Answer {
  const { view, repository, git } = call;
  const wanted = call.body.tree;
  if (!Array.isArray(wanted) || wanted.length === 0) throw unprocessable('Invalid tree info');
  const base = call.text('base_tree');
  const baseTree = base === undefined ? undefined : (git.commit(base)?.tree ?? base);
  if (baseTree !== undefined && git.tree(baseTree) === undefined)
    throw unprocessable('base_tree is not a valid tree oid');
  const edits = new Map<string, Edit>();
  for (const entry of wanted as Record<string, unknown>[]) edits.set(pathOf(entry), editOf(call, entry));
  const there = new Set(baseTree === undefined ? [] : listRecursive(git, baseTree).map(({ path }) => path));
  for (const [path, edit] of edits) {
    // GitHub's words for taking away what is not there.
    if (edit === null && !there.has(path)) throw unprocessable('GitRPC::BadObjectState');
  }
  const sha = editTree(git, baseTree, edits);
  const entries = (git.tree(sha) ?? []).map(({ mode, name, id }) => ({ path: name, mode, id }));
  return ok(
    {
      sha,
      url: `${repositoryUrl(view, repository)}/git/trees/${sha}`,
      tree: entries.map((entry) => treeEntryJson(view, repository, entry)),
      truncated: false,
    },
    201,
  );
}

function pathOf(entry: Record<string, unknown>): string {
  const path = entry.path;
  const parts = typeof path === 'string' ? path.split('/') : [''];
  if (parts.some((part) => part === '' || part === '.' || part === '..' || part.toLowerCase() === '.git')) {
    throw unprocessable('tree.path contains a malformed path component');
  }
  return parts.join('/');
}

const MODES = ['100644', '100755', '040000', '160000', '120000'];

function editOf(call: Call, entry: Record<string, unknown>): Edit {
  const { sha, content, mode, type } = entry;
  if (sha === null) return null;
  if (typeof mode !== 'string' || !MODES.includes(mode)) throw unprocessable('tree.mode is not valid');
  const expected = typeOfMode(mode);
  if (type !== undefined && type !== expected)
    throw unprocessable(`tree.type ${String(type)} does not fit mode ${mode}`);
  if (typeof content === 'string') {
    if (sha !== undefined) throw unprocessable('Must supply either tree.sha or tree.content, not both');
    return { mode, id: call.git.writeBlob(Buffer.from(content)) };
  }
  if (typeof sha !== 'string') throw unprocessable('Must supply tree.sha or tree.content');
  const known =
    mode === SUBMODULE_MODE ||
    (mode === TREE_MODE ? call.git.tree(sha) !== undefined : call.git.blob(sha) !== undefined);
  if (!known) throw unprocessable(`tree.sha ${sha} is not a valid ${expected}`);
  return { mode, id: sha };
}
