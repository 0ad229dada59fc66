/**
 * Trees and blobs, read one by one. A tree is never asked for recursively: that answer is cut at 100,000 entries,
 * and what is missing in it would look deleted (GH10). Both are named by their content and remembered.
 */
import type { EntryMode, Repository, TreeEntry } from '../../ports.ts';
import { WorldProblem } from '../../ports.ts';
import { keyOf } from './commits.ts';
import type { GitHub } from './github.ts';

const entryWeight = 150;

/** Entries of one tree, of a tree id or a commit. Throws a permanent WorldProblem rather than give a cut list. */
export async function readTree(
  github: GitHub,
  repository: Repository,
  treeId: string,
): Promise<readonly TreeEntry[]> {
  return github.memory.recall(
    `${keyOf(repository)} tree ${treeId}`,
    async () => {
      const { octokit, here } = await github.voice(repository);
      const { data } = await octokit.request('GET /repos/{owner}/{repo}/git/trees/{tree_sha}', {
        ...here,
        tree_sha: treeId,
      });
      if (data.truncated) throw truncatedProblem(repository, treeId);
      return data.tree.map(entryOf);
    },
    (tree) => tree.length * entryWeight,
  );
}

/** The bytes of a blob, up to GitHub's 100 MB. */
export async function readBlob(github: GitHub, repository: Repository, blobId: string): Promise<Uint8Array> {
  return github.memory.recall(
    `${keyOf(repository)} blob ${blobId}`,
    async () => {
      const { octokit, here } = await github.voice(repository);
      // The raw media type would save a third, but Octokit reads it as text and breaks what is not UTF-8.
      const { data } = await octokit.request('GET /repos/{owner}/{repo}/git/blobs/{file_sha}', {
        ...here,
        file_sha: blobId,
      });
      return new Uint8Array(Buffer.from(data.content, data.encoding === 'base64' ? 'base64' : 'utf8'));
    },
    (blob) => blob.length,
  );
}

function entryOf(raw: { path?: string; mode?: string; sha?: string }): TreeEntry {
  return { name: raw.path ?? '', mode: modeOf(raw.mode ?? ''), id: raw.sha ?? '' };
}

/** Old repositories hold files of mode 100664; git itself reads them as 100644 and GitHub does not take them back. */
function modeOf(mode: string): EntryMode {
  switch (mode) {
    case '100755':
    case '120000':
    case '160000':
    case '040000':
      return mode;
    default:
      return '100644';
  }
}

function truncatedProblem(repository: Repository, treeId: string): WorldProblem {
  return new WorldProblem(
    'permanent',
    `GitHub gives only a part of the folder with tree ${treeId} of ${repository.owner}/${repository.name}, because ` +
      'it holds too many files. What is not in the list would look deleted, so Stepback does not go on. Take the ' +
      'change back with git by hand.',
  );
}
