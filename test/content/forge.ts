/**
 * Repositories that a test writes as folders of text: each commit is a map from paths to contents. Ids are the contents
 * themselves, so that equal content has equal ids as in git.
 */
import type { ContentSource } from '../../src/content/source.ts';
import type { Commit, PullRequest, TreeEntry } from '../../src/ports.ts';

export type Files = Readonly<Record<string, string>>;

export interface WrittenCommit {
  files: Files;
  parents?: readonly string[];
  message?: string;
  pullRequests?: readonly Partial<PullRequest>[];
}

/** A forge with one repository `acme/shop`; `asked` counts the reads of trees and blobs. */
export function forgeOf(
  commits: Readonly<Record<string, WrittenCommit>>,
): ContentSource & { asked: string[] } {
  const asked: string[] = [];
  const trees = new Map<string, readonly TreeEntry[]>();
  const blobs = new Map<string, string>();

  function treeOf(files: Files): string {
    const folders = new Map<string, Record<string, string>>();
    const entries: TreeEntry[] = [];
    for (const [path, content] of Object.entries(files)) {
      const [name = '', ...rest] = path.split('/');
      if (rest.length > 0) {
        folders.set(name, { ...folders.get(name), [rest.join('/')]: content });
        continue;
      }
      blobs.set(`blob ${content}`, content);
      entries.push({ name, mode: '100644', id: `blob ${content}` });
    }
    for (const [name, below] of folders) entries.push({ name, mode: '040000', id: treeOf(below) });
    const id = `tree ${JSON.stringify(entries)}`;
    trees.set(id, entries);
    return id;
  }

  const known = new Map<string, Commit>(
    Object.entries(commits).map(([sha, written]) => [
      sha,
      {
        sha,
        tree: treeOf(written.files),
        parents: written.parents ?? [],
        message: written.message ?? '',
        author: { login: 'ann', name: 'Ann' },
        committedAt: 0,
      },
    ]),
  );

  return {
    asked,
    repositoryOf: (repoURL) =>
      repoURL.includes('acme/shop') ? { host: 'github.com', owner: 'acme', name: 'shop' } : null,
    commit: async (_repository, sha) => known.get(sha) ?? null,
    async range(_repository, base, head) {
      if (!known.has(base) || !known.has(head)) return null;
      const seen = new Set<string>();
      const visit = (sha: string): void => {
        if (sha === base || seen.has(sha)) return;
        for (const parent of known.get(sha)?.parents ?? []) visit(parent);
        seen.add(sha);
      };
      visit(head);
      const between = [...seen]
        .map((sha) => known.get(sha))
        .filter((one): one is Commit => one !== undefined);
      return { status: 'ahead', mergeBase: base, commits: between, isComplete: true };
    },
    async readTree(_repository, id) {
      asked.push(id);
      return trees.get(id) ?? [];
    },
    async readBlob(_repository, id) {
      asked.push(id);
      return new TextEncoder().encode(blobs.get(id) ?? '');
    },
    pullRequestsOf: async (_repository, sha) => (commits[sha]?.pullRequests ?? []) as readonly PullRequest[],
  };
}
