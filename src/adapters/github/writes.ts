/**
 * New trees and commits. Nobody sees them until a branch points to them, and making them twice does no harm, so these
 * are the only creates that are repeated by themselves.
 */
import type { Repository, TreeChange } from '../../ports.ts';
import type { GitHub } from './github.ts';

/** GitHub takes text within a tree; this much and more goes the way of blobs. */
const inlineBytesMax = 1_000_000;
/** A tree's request as a whole is kept to a few megabytes of text. */
const inlineBytesInAllMax = 4_000_000;

type TreeItem = { path: string; mode: '100644' | '100755' | '120000' | '160000' | '040000' } & (
  | { type: 'blob' | 'tree' | 'commit'; sha: string | null }
  | { type: 'blob'; content: string }
);

/**
 * A tree like `baseTree` but for the changes; its id. Without changes it is the base itself and nothing is asked.
 * Entries keep their mode and id (GH12). https://docs.github.com/rest/git/trees#create-a-tree
 */
export async function createTree(
  github: GitHub,
  repository: Repository,
  baseTree: string,
  changes: readonly TreeChange[],
): Promise<string> {
  if (changes.length === 0) return baseTree;
  const { octokit, here } = await github.voice(repository);
  let inlineBytesLeft = inlineBytesInAllMax;
  const items = changes.map((change): TreeItem | Promise<TreeItem> => {
    if ('deleted' in change) return { path: change.path, mode: '100644', type: 'blob', sha: null };
    if ('id' in change)
      return { path: change.path, mode: change.mode, type: typeOf(change.mode), sha: change.id };
    const text = inlineTextOf(change.content);
    if (text !== null && change.content.length <= inlineBytesLeft) {
      inlineBytesLeft -= change.content.length;
      return { path: change.path, mode: change.mode, type: 'blob', content: text };
    }
    return createBlob(github, repository, change.content).then((sha) => ({
      path: change.path,
      mode: change.mode,
      type: 'blob',
      sha,
    }));
  });
  const { data } = await octokit.request('POST /repos/{owner}/{repo}/git/trees', {
    ...here,
    base_tree: baseTree,
    tree: await Promise.all(items),
  });
  return data.sha;
}

/**
 * A commit without author, committer or date, so that GitHub makes it the App's and signs it. `isVerified` is what
 * GitHub says of the signature; a repository that requires signed commits does not merge it otherwise (GH08).
 */
export async function createCommit(
  github: GitHub,
  repository: Repository,
  commit: { tree: string; parents: readonly string[]; message: string },
): Promise<{ sha: string; isVerified: boolean }> {
  const { octokit, here } = await github.voice(repository);
  const { data } = await octokit.request('POST /repos/{owner}/{repo}/git/commits', {
    ...here,
    message: commit.message,
    tree: commit.tree,
    parents: [...commit.parents],
  });
  return { sha: data.sha, isVerified: data.verification?.verified === true };
}

async function createBlob(github: GitHub, repository: Repository, content: Uint8Array): Promise<string> {
  const { octokit, here } = await github.voice(repository);
  const { data } = await octokit.request('POST /repos/{owner}/{repo}/git/blobs', {
    ...here,
    content: Buffer.from(content.buffer, content.byteOffset, content.byteLength).toString('base64'),
    encoding: 'base64',
  });
  return data.sha;
}

/** The text when it says the same bytes again as JSON: valid UTF-8 without NUL, a byte order mark kept. */
function inlineTextOf(content: Uint8Array): string | null {
  if (content.length >= inlineBytesMax || content.includes(0)) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(content);
  } catch {
    return null;
  }
}

function typeOf(mode: TreeItem['mode']): 'blob' | 'tree' | 'commit' {
  if (mode === '160000') return 'commit';
  return mode === '040000' ? 'tree' : 'blob';
}
