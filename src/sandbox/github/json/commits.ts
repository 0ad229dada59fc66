/** Commits, their files and their verification as GitHub's JSON shows them. */
import { type Commit, EMPTY_TREE, type Signature } from '../git/objects.ts';
import { changedFilesWithLines, type FileChangeWithLines } from '../git/tree-diff.ts';
import { type View, WEB_FLOW_SIGNATURE } from '../site.ts';
import type { Repository } from '../state.ts';
import { nodeId, userJson } from './accounts.ts';
import { repositoryPage, repositoryUrl } from './repositories.ts';

/** A commit's time as GitHub shows it: UTC, whatever zone it was made in. */
export function signatureJson(signature: Signature): { name: string; email: string; date: string } {
  const date = `${new Date(signature.seconds * 1000).toISOString().slice(0, 19)}Z`;
  return { name: signature.name, email: signature.email, date };
}

/** Whether GitHub vouches for a commit; it does for those that its own key signed. */
export function verificationJson(commit: Commit): Record<string, unknown> {
  if (commit.signature === undefined) {
    return { verified: false, reason: 'unsigned', signature: null, payload: null, verified_at: null };
  }
  const verified = commit.signature === WEB_FLOW_SIGNATURE;
  return {
    verified,
    reason: verified ? 'valid' : 'unknown_key',
    signature: commit.signature,
    payload: `tree ${commit.tree}\n`,
    verified_at: verified ? signatureJson(commit.committer).date : null,
  };
}

/** The `commit` of `GET commits` and comparisons: no files. Throws when the repository lacks it. */
export function commitJson(view: View, repository: Repository, sha: string): Record<string, unknown> {
  const commit = commitOf(view, repository, sha);
  const url = repositoryUrl(view, repository);
  return {
    sha,
    node_id: `${nodeId('C', repository.id)}${sha}`,
    commit: {
      author: signatureJson(commit.author),
      committer: signatureJson(commit.committer),
      message: commit.message.replace(/\n$/, ''),
      tree: { sha: commit.tree, url: `${url}/git/trees/${commit.tree}` },
      url: `${url}/git/commits/${sha}`,
      comment_count: 0,
      verification: verificationJson(commit),
    },
    url: `${url}/commits/${sha}`,
    html_url: `${repositoryPage(view, repository)}/commit/${sha}`,
    comments_url: `${url}/commits/${sha}/comments`,
    author: accountJson(view, commit.author),
    committer: accountJson(view, commit.committer),
    parents: commit.parents.map((parent) => ({
      sha: parent,
      url: `${url}/commits/${parent}`,
      html_url: `${repositoryPage(view, repository)}/commit/${parent}`,
    })),
  };
}

/** The same with `stats` and `files` against the first parent; `files` of the page that was asked for. */
export function commitWithFilesJson(
  view: View,
  repository: Repository,
  sha: string,
  shown: (files: FileChangeWithLines[]) => FileChangeWithLines[],
): Record<string, unknown> {
  const files = filesOfCommit(view, repository, sha);
  const additions = files.reduce((sum, file) => sum + file.additions, 0);
  const deletions = files.reduce((sum, file) => sum + file.deletions, 0);
  return {
    ...commitJson(view, repository, sha),
    stats: { total: additions + deletions, additions, deletions },
    files: shown(files).map((file) => fileJson(view, repository, sha, file)),
  };
}

/** What a commit changed against its first parent; everything, for a first commit. */
export function filesOfCommit(view: View, repository: Repository, sha: string): FileChangeWithLines[] {
  const commit = commitOf(view, repository, sha);
  const git = view.site.git(repository);
  const parent = commit.parents[0] === undefined ? undefined : git.commit(commit.parents[0]);
  return changedFilesWithLines(git, parent?.tree ?? EMPTY_TREE, commit.tree);
}

/** A `diff-entry`. `sha` is the commit in which the file is (or was last) seen. */
export function fileJson(
  view: View,
  repository: Repository,
  sha: string,
  file: FileChangeWithLines,
): Record<string, unknown> {
  const path = file.path.split('/').map(encodeURIComponent).join('/');
  const page = repositoryPage(view, repository);
  return {
    sha: file.after?.id ?? file.before?.id ?? null,
    filename: file.path,
    // GitHub calls a change of mode alone "modified" too.
    status: file.status === 'changed' ? 'modified' : file.status,
    additions: file.additions,
    deletions: file.deletions,
    changes: file.additions + file.deletions,
    blob_url: `${page}/blob/${sha}/${path}`,
    raw_url: `${page}/raw/${sha}/${path}`,
    contents_url: `${repositoryUrl(view, repository)}/contents/${path}?ref=${sha}`,
    ...(file.patch === undefined ? {} : { patch: file.patch }),
    ...(file.previousPath === undefined ? {} : { previous_filename: file.previousPath }),
  };
}

/** A `git-commit`, as the git data endpoints answer. */
export function gitCommitJson(view: View, repository: Repository, sha: string): Record<string, unknown> {
  const commit = commitOf(view, repository, sha);
  const url = repositoryUrl(view, repository);
  const page = repositoryPage(view, repository);
  return {
    sha,
    node_id: `${nodeId('C', repository.id)}${sha}`,
    url: `${url}/git/commits/${sha}`,
    html_url: `${page}/commit/${sha}`,
    author: signatureJson(commit.author),
    committer: signatureJson(commit.committer),
    tree: { sha: commit.tree, url: `${url}/git/trees/${commit.tree}` },
    message: commit.message.replace(/\n$/, ''),
    parents: commit.parents.map((parent) => ({
      sha: parent,
      url: `${url}/git/commits/${parent}`,
      html_url: `${page}/commit/${parent}`,
    })),
    verification: verificationJson(commit),
  };
}

/** The login whose address a commit carries, or undefined: GitHub maps commits to accounts by address alone. */
export function loginOf(view: View, signature: Signature): string | undefined {
  const email = signature.email.toLowerCase();
  if (email === 'noreply@github.com') return 'web-flow';
  const hidden = /^(?:\d+\+)?(.+)@users\.noreply\.github\.com$/.exec(email)?.[1];
  for (const account of view.state.accounts.values()) {
    if (account.email?.toLowerCase() === email || account.login.toLowerCase() === hidden)
      return account.login;
  }
  return undefined;
}

function accountJson(view: View, signature: Signature): Record<string, unknown> | null {
  const login = loginOf(view, signature);
  return login === undefined ? null : userJson(view, login);
}

function commitOf(view: View, repository: Repository, sha: string): Commit {
  const commit = view.site.git(repository).commit(sha);
  if (commit === undefined)
    throw new Error(`The small GitHub was asked for ${sha}, which is not a commit there.`);
  return commit;
}
