/** Files and folders at a path, as the contents endpoint gives them, with its limit of one megabyte. */
import { SUBMODULE_MODE, SYMLINK_MODE, TREE_MODE, type TreeEntry } from '../git/objects.ts';
import { entryAt } from '../git/tree-walk.ts';
import { type Answer, notFound, ok, Refusal } from '../http/answers.ts';
import type { Call, Route } from '../http/call.ts';
import { repositoryPage, repositoryUrl } from '../json/repositories.ts';
import { resolveCommit } from './resolve.ts';

/** Up to here a file comes with its content, up to 100 MB only raw, beyond not at all. */
const CONTENT_BYTES_MAX = 1024 * 1024;
const FILE_BYTES_MAX = 100 * 1024 * 1024;

/** Routes of files and folders. */
export const contentRoutes: Route[] = [
  '/repos/{owner}/{repo}/contents/{path}',
  '/repos/{owner}/{repo}/contents',
].map((path): Route => ({ method: 'GET', path, needs: ['contents:read'], handle: contents }));

function contents(call: Call): Answer {
  const name = call.query.get('ref') ?? call.repository.defaultBranch;
  const commit = resolveCommit(call, name);
  if (commit === undefined) throw new Refusal(404, `No commit found for the ref ${name}`);
  const path = call.param('path').replace(/^\/+|\/+$/g, '');
  const entry = entryAt(call.git, call.git.commit(commit)?.tree as string, path);
  if (entry === undefined) throw notFound();
  if (entry.mode === TREE_MODE) {
    const prefix = path === '' ? '' : `${path}/`;
    const entries = call.git.tree(entry.id) ?? [];
    return ok(
      entries.map((one) => ({ ...describe(call, prefix + one.name, one, name), type: listedType(one.mode) })),
    );
  }
  return file(call, path, entry, name);
}

function file(call: Call, path: string, entry: TreeEntry, ref: string): Answer {
  const described = describe(call, path, entry, ref);
  if (entry.mode === SUBMODULE_MODE) {
    return ok({ ...described, type: 'submodule', submodule_git_url: `https://example.com/${path}.git` });
  }
  const blob = call.git.blob(entry.id) ?? Buffer.alloc(0);
  if (entry.mode === SYMLINK_MODE)
    return ok({ ...described, type: 'symlink', target: blob.toString('utf8') });
  if (blob.length > FILE_BYTES_MAX) {
    throw new Refusal(
      403,
      'This API returns blobs up to 100 MB in size. The requested blob is too large to fetch via the API.',
      [{ resource: 'Blob', field: 'data', code: 'too_large' }],
    );
  }
  if (/application\/vnd\.github(\.v3)?\.raw/.test(String(call.headers.accept ?? ''))) {
    return { status: 200, raw: blob };
  }
  const small = blob.length <= CONTENT_BYTES_MAX;
  return ok({
    ...described,
    type: 'file',
    content: small ? inLines(blob) : '',
    encoding: small ? 'base64' : 'none',
  });
}

/** Base64 as GitHub breaks it: a newline after every sixty characters. */
export function inLines(content: Buffer): string {
  return content.toString('base64').replace(/.{1,60}/g, '$&\n');
}

/** In a folder's list GitHub calls a submodule a file, for the sake of old clients. */
function listedType(mode: string): string {
  if (mode === TREE_MODE) return 'dir';
  return mode === SYMLINK_MODE ? 'symlink' : 'file';
}

function describe(call: Call, path: string, entry: TreeEntry, ref: string): Record<string, unknown> {
  const { view, repository } = call;
  const encoded = path.split('/').map(encodeURIComponent).join('/');
  const self = `${repositoryUrl(view, repository)}/contents/${encoded}?ref=${encodeURIComponent(ref)}`;
  const tree = entry.mode === TREE_MODE;
  const git = `${repositoryUrl(view, repository)}/git/${tree ? 'trees' : 'blobs'}/${entry.id}`;
  const html = `${repositoryPage(view, repository)}/${tree ? 'tree' : 'blob'}/${ref}/${encoded}`;
  return {
    name: path.split('/').at(-1),
    path,
    sha: entry.id,
    size: tree ? 0 : (call.git.blob(entry.id)?.length ?? 0),
    url: self,
    html_url: html,
    git_url: git,
    download_url: tree ? null : `${repositoryPage(view, repository)}/raw/${ref}/${encoded}`,
    _links: { self, git, html },
  };
}
