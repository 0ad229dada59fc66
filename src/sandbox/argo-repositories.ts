/**
 * What Argo CD's repo server reads: the repositories of the small GitHub, whatever host a `repoURL` names.
 */
import type { Repositories } from './argocd/repo-server.ts';

/** The part of the small GitHub that is needed. */
export interface ReadableRepositories {
  repositories(): string[];
  resolve(repository: string, revision: string): string | undefined;
  folder(repository: string, sha: string, path: string): Map<string, string> | undefined;
}

/** Answers as the real repo server does, its words for what is missing included. */
export function argoRepositories(github: ReadableRepositories): Repositories {
  const nameOf = (repoURL: string): string | undefined => {
    const path = repoURL.toLowerCase().replace(/\.git$/, '');
    return github
      .repositories()
      .find((name) => path.endsWith(`/${name.toLowerCase()}`) || path.endsWith(`:${name.toLowerCase()}`));
  };
  const notFound = { error: 'rpc error: code = Unknown desc = repository not found' };
  return {
    resolve(repoURL, revision) {
      const name = nameOf(repoURL);
      if (name === undefined) return notFound;
      return github.resolve(name, revision) ?? { error: `unable to resolve '${revision}' to a commit SHA` };
    },
    read(repoURL, sha, path) {
      const name = nameOf(repoURL);
      if (name === undefined) return notFound;
      return github.folder(name, sha, path) ?? { error: `${path}: app path does not exist` };
    },
  };
}
