/**
 * Single files by path. GitHub answers with the content up to 1 MB; what is larger is a blob.
 * https://docs.github.com/rest/repos/contents#get-repository-content
 */

import type { TextFile } from '../../ports/files.ts';
import { type Repository, WorldProblem } from '../../ports.ts';
import type { GitHub } from './github.ts';
import { pageSize } from './paging.ts';
import { isRefused } from './refusal.ts';
import { readBlob } from './trees.ts';

/** GitHub takes the first of these that is there. https://docs.github.com/articles/about-code-owners */
const codeOwnersPaths = ['.github/CODEOWNERS', 'CODEOWNERS', 'docs/CODEOWNERS'];

type Found = ({ kind: 'file' } & TextFile) | { kind: 'folder' | 'submodule' | 'symbolic link' };

/**
 * A file at a commit or branch (null: the default branch). Null when it is not there, nor the repository, nor the App
 * in it: an owner's `.github` is asked for without knowing that there is one. A symbolic link to a file within the
 * repository is that file. Throws a permanent WorldProblem when a folder, a submodule or another link is there, and a
 * transient one when there is no such commit or branch.
 */
export async function readFileAt(
  github: GitHub,
  repository: Repository,
  path: string,
  ref: string | null,
): Promise<TextFile | null> {
  const found = await lookAt(github, repository, path, ref);
  if (found === null) return null;
  if (found.kind !== 'file') throw notAFileProblem(repository, path, found.kind);
  return { text: found.text, blobId: found.blobId };
}

/** Commits that changed a file, the newest first; GitHub leaves out merges that only brought it along. */
export async function readCommitsOfFile(
  github: GitHub,
  repository: Repository,
  path: string,
): Promise<readonly string[]> {
  const voice = await github.findVoice(repository);
  if (voice === null) return [];
  try {
    const { data } = await voice.octokit.request('GET /repos/{owner}/{repo}/commits', {
      ...voice.here,
      path,
      per_page: pageSize,
    });
    return data.map((commit) => commit.sha);
  } catch (error) {
    // An empty repository is 409.
    if (isRefused(error, 409) || isRefused(error, 404)) return [];
    throw error;
  }
}

/** The text of the CODEOWNERS file that counts, or null. GitHub passes over what is no file, and so do we. */
export async function readCodeOwners(
  github: GitHub,
  repository: Repository,
  ref: string | null,
): Promise<string | null> {
  for (const path of codeOwnersPaths) {
    const found = await lookAt(github, repository, path, ref);
    if (found?.kind === 'file') return found.text;
  }
  return null;
}

async function lookAt(
  github: GitHub,
  repository: Repository,
  path: string,
  ref: string | null,
): Promise<Found | null> {
  const voice = await github.findVoice(repository);
  if (voice === null) return null;
  try {
    const { data } = await voice.octokit.request('GET /repos/{owner}/{repo}/contents/{path}', {
      ...voice.here,
      path,
      ref: ref ?? undefined,
    });
    if (Array.isArray(data)) return { kind: 'folder' };
    if (data.type === 'symlink') return { kind: 'symbolic link' };
    if (data.type !== 'file') return { kind: 'submodule' };
    const isWhole = 'content' in data && data.encoding === 'base64';
    const bytes = isWhole
      ? Buffer.from(data.content, 'base64')
      : await readBlob(github, repository, data.sha);
    return { kind: 'file', text: new TextDecoder().decode(bytes), blobId: data.sha };
  } catch (error) {
    if (!isRefused(error, 404)) throw error;
    // A branch that GitHub does not see for a moment must not look like one without a configuration.
    if (ref !== null && isRefused(error, 404, /no commit found/i)) throw noRefProblem(repository, ref, error);
    return null;
  }
}

function notAFileProblem(repository: Repository, path: string, kind: string): WorldProblem {
  return new WorldProblem(
    'permanent',
    `${path} in ${repository.owner}/${repository.name} is a ${kind}, so Stepback cannot read it. Put a plain file there.`,
  );
}

function noRefProblem(repository: Repository, ref: string, cause: unknown): WorldProblem {
  return new WorldProblem(
    'transient',
    `GitHub does not know "${ref}" in ${repository.owner}/${repository.name}, so no file can be read there. Stepback ` +
      'looks again; if this stays so, the branch or the commit was taken away.',
    { cause },
  );
}
