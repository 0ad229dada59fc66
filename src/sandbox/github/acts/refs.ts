/** Moving a branch or a tag, and the push webhook that tells of it. */
import { ancestors, isAncestor, range } from '../git/history.ts';
import { EMPTY_TREE, ZERO_ID } from '../git/objects.ts';
import { changedFiles } from '../git/tree-diff.ts';
import { loginOf, signatureJson } from '../json/commits.ts';
import { pushedRepositoryJson, repositoryPage } from '../json/repositories.ts';
import type { Actor, Site } from '../site.ts';
import type { Repository } from '../state.ts';

/** GitHub puts at most this many commits into one push webhook. */
const PUSHED_COMMITS_MAX = 2_048;

/** Moves a ref to a commit, makes it, or (undefined) deletes it: state, disk, and the push webhook. */
export function moveRef(
  site: Site,
  repository: Repository,
  actor: Actor,
  name: string,
  after: string | undefined,
): void {
  const before = repository.refs.get(name);
  if (before === after) return;
  if (after === undefined) repository.refs.delete(name);
  else repository.refs.set(name, after);
  site.git(repository).writeRef(name, after);
  repository.pushedAt = site.now();
  repository.updatedAt = site.now();
  if (/^refs\/(heads|tags)\//.test(name)) announcePush(site, repository, actor, name, before, after);
}

/** Sets a ref without a webhook: `refs/pull/N/head` and what an import brings. */
export function setRefQuietly(site: Site, repository: Repository, name: string, sha: string): void {
  repository.refs.set(name, sha);
  site.git(repository).writeRef(name, sha);
}

/** Whether git allows a ref of this name; the rules of `git check-ref-format`. */
export function isRefName(name: string): boolean {
  const parts = name.split('/');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what git forbids.
  const forbidden = /[\u0000-\u0020\u007f~^:?*[\\]|\.\.|@\{|\/\/|\.$|\/$|^\//;
  return parts.length >= 3 && !forbidden.test(name) && parts.every((part) => !/^\.|\.lock$/.test(part));
}

/** True when a ref cannot exist because another one is its folder, or lies in it. */
export function collidesWithFolder(repository: Repository, name: string): boolean {
  return [...repository.refs.keys()].some(
    (other) => other.startsWith(`${name}/`) || name.startsWith(`${other}/`),
  );
}

function announcePush(
  site: Site,
  repository: Repository,
  actor: Actor,
  name: string,
  before: string | undefined,
  after: string | undefined,
): void {
  const page = repositoryPage(site.view(), repository);
  const fresh = after === undefined ? [] : pushedCommits(site, repository, name, before, after);
  const commits = fresh.map((sha) => pushedCommitJson(site, repository, name, sha));
  const git = site.git(repository);
  const forced = before !== undefined && after !== undefined && !isAncestor(git, before, after);
  site.announce({
    event: 'push',
    repository,
    sender: actor.login,
    payload: {
      ref: name,
      before: before ?? ZERO_ID,
      after: after ?? ZERO_ID,
      created: before === undefined,
      deleted: after === undefined,
      forced,
      base_ref: null,
      compare:
        before === undefined || after === undefined
          ? `${page}/commit/${(after ?? before)?.slice(0, 12)}`
          : `${page}/compare/${before.slice(0, 12)}...${after.slice(0, 12)}`,
      commits,
      head_commit: after === undefined ? null : pushedCommitJson(site, repository, name, after),
      pusher: { name: actor.login, email: site.signature(actor.login).email },
      repository: pushedRepositoryJson(site.view(), repository),
    },
  });
}

/** What a push brought: for a moved ref all that is new on it, for a new ref what no other branch had; oldest first. */
function pushedCommits(
  site: Site,
  repository: Repository,
  name: string,
  before: string | undefined,
  after: string,
): string[] {
  const known = before === undefined ? otherHeads(repository, name) : [before];
  return range(site.git(repository), known, [after]).reverse().slice(-PUSHED_COMMITS_MAX);
}

function pushedCommitJson(
  site: Site,
  repository: Repository,
  ref: string,
  sha: string,
): Record<string, unknown> {
  const git = site.git(repository);
  const commit = git.commit(sha);
  if (commit === undefined) return { id: sha };
  const parent = commit.parents[0] === undefined ? undefined : git.commit(commit.parents[0]);
  const files = changedFiles(git, parent?.tree ?? EMPTY_TREE, commit.tree);
  const view = site.view();
  const person = (signature: typeof commit.author) => {
    const username = loginOf(view, signature);
    return { name: signature.name, email: signature.email, ...(username === undefined ? {} : { username }) };
  };
  return {
    id: sha,
    tree_id: commit.tree,
    distinct: !ancestors(git, otherHeads(repository, ref)).has(sha),
    message: commit.message.replace(/\n$/, ''),
    timestamp: signatureJson(commit.committer).date,
    url: `${repositoryPage(view, repository)}/commit/${sha}`,
    author: person(commit.author),
    committer: person(commit.committer),
    added: files
      .filter((file) => file.status === 'added' || file.status === 'renamed')
      .map((file) => file.path),
    removed: files.flatMap((file) =>
      file.status === 'removed' ? [file.path] : file.previousPath === undefined ? [] : [file.previousPath],
    ),
    modified: files
      .filter((file) => file.status === 'modified' || file.status === 'changed')
      .map((file) => file.path),
  };
}

function otherHeads(repository: Repository, name: string): string[] {
  return [...repository.refs]
    .filter(([ref]) => ref.startsWith('refs/heads/') && ref !== name)
    .map(([, sha]) => sha);
}
