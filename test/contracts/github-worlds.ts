/** One GitHub twice: in memory, and the small GitHub behind the real adapter and real HTTP. People do the same things to both. */
import { onTestFinished } from 'vitest';
import type { Forge, Repository } from '../../src/ports.ts';
import { startSmallGitHub } from '../../src/sandbox/github/small-github.ts';
import { memoryForge } from '../../src/simulation/memory-forge.ts';
import { MemoryHub } from '../../src/simulation/memory-hub.ts';
import { world } from '../adapters/github/world.ts';

export type Files = Record<string, string | null>;

export interface GitHubWorld {
  forge: Forge;
  of: Repository;
  /** People's acts; `push` onto `main` unless a branch is named. */
  push(message: string, files: Files, branch?: string): string;
  propose(title: string, branch: string, files: Files): number;
  merge(number: number, method: 'merge' | 'squash'): string;
  comment(number: number, body: string): number;
  head(branch: string): string;
}

const name = 'acme/fleet';
export const firstFiles = { 'apps/shop/config.json': '{"version": 1}\n', 'README.md': '# fleet\n' };

async function inMemory(): Promise<GitHubWorld> {
  const hub = new MemoryHub(() => Date.parse('2026-12-01T12:00:00Z'));
  const repository = hub.create(name, firstFiles);
  repository.permissions.set('dana', 'write');
  return {
    forge: memoryForge(hub),
    of: { host: 'github.com', owner: 'acme', name: 'fleet' },
    push: (message, files, branch = 'main') => hub.push(name, { by: 'dana', message, files, branch }),
    propose: (title, branch, files) => hub.propose(name, { by: 'dana', title, branch, files }),
    merge(number, method) {
      hub.merge(name, number, 'dana', method);
      return repository.refs.get('main') ?? '';
    },
    comment: (number, body) => hub.comment(repository, number, 'dana', body),
    head: (branch) => repository.refs.get(branch) ?? '',
  };
}

async function overHttp(): Promise<GitHubWorld> {
  const server = await startSmallGitHub();
  onTestFinished(() => server.close());
  server.createRepository({
    owner: 'acme',
    name: 'fleet',
    files: firstFiles,
    collaborators: { dana: 'write' },
  });
  const { forge } = world({
    appId: String(server.app.id),
    privateKey: () => server.app.privateKey ?? '',
    baseUrl: `${server.url}/api/v3`,
    host: 'github.com',
    fetch: (url, init) => fetch(url, init),
  });
  return {
    forge,
    of: { host: 'github.com', owner: 'acme', name: 'fleet' },
    push: (message, files, branch = 'main') =>
      server.commit(name, { author: 'dana', message, files, branch }),
    propose: (title, branch, files) => server.propose(name, { by: 'dana', branch, title, files }),
    merge: (number, method) => server.mergePullRequest(name, number, { by: 'dana', method }),
    comment: (number, body) => server.comment(name, number, { by: 'dana', body }),
    head: (branch) => server.head(name, branch) ?? '',
  };
}

/** Both, for `describe.each`. */
export const githubWorlds = [
  { kind: 'in memory', open: inMemory },
  { kind: 'over HTTP', open: overHttp },
] as const;
