/** The Forge over real HTTP against the small GitHub, and a repository where the last change was a bad one. */
import { onTestFinished } from 'vitest';
import type { Repository } from '../../../src/ports.ts';
import { type SmallGitHub, startSmallGitHub } from '../../../src/sandbox/github/small-github.ts';
import { type World, world } from './world.ts';

export const repo = 'example-org/gitops';
export const values = 'apps/shop/values.yaml';
export const icon = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0xff]);

export interface Scene extends World {
  server: SmallGitHub;
  /** The App's key as it is now. */
  keys: { current: string };
  gitops: Repository;
  good: string;
  bad: string;
  culprit: number;
}

/** A repository whose last change, merged from a pull request, is the bad one. */
export async function scene(): Promise<Scene> {
  const server = await startSmallGitHub();
  onTestFinished(() => server.close());
  server.addPerson({ login: 'dana', name: 'Dana' });
  server.createRepository({
    owner: 'example-org',
    name: 'gitops',
    author: 'dana',
    collaborators: { dana: 'admin' },
    files: {
      [values]: 'image: shop:1\n',
      'run.sh': { mode: '100755', content: '#!/bin/sh\n' },
      'icon.png': icon,
    },
  });
  const good = server.head(repo)!;
  const culprit = server.propose(repo, {
    by: 'dana',
    branch: 'shop-2',
    title: 'Shop 2',
    files: { [values]: 'image: shop:2\n', 'new.yaml': 'a: 1\n', 'run.sh': null },
  });
  const bad = server.mergePullRequest(repo, culprit, { by: 'dana', method: 'squash' });
  const keys = { current: server.app.privateKey! };
  const made = world({
    appId: String(server.app.id),
    privateKey: () => keys.current,
    baseUrl: `${server.url}/api/v3`,
    host: 'github.com',
    fetch: (url, init) => fetch(url, init),
  });
  const gitops = made.forge.repositoryOf('git@github.com:Example-Org/GitOps.git')!;
  return { ...made, server, keys, gitops, good, bad, culprit };
}
