/** What every part of the forge in memory reads the hub with. */
import { type Commit, type PullRequest, type Repository, WorldProblem } from '../ports.ts';
import { botLogin, type HubPull, type HubRepository } from './hub-objects.ts';
import type { MemoryHub } from './memory-hub.ts';

export interface View {
  hub: MemoryHub;
  /** The time as of which it is read. */
  asOf(): number;
}

/** The repository of the hub. Throws the WorldProblem of one that is not shown to the App. */
export function shown({ hub }: View, { owner, name }: Repository): HubRepository {
  const found = hub.find(`${owner}/${name}`);
  if (found !== undefined) return found;
  throw new WorldProblem('permanent', `GitHub does not show ${owner}/${name} to the App.`);
}

/** The same, to write to it. Throws the WorldProblem of one that is archived. */
export function writable(view: View, of: Repository): HubRepository {
  const found = shown(view, of);
  if (!found.isArchived) return found;
  throw new WorldProblem(
    'permanent',
    `GitHub refused (403: Repository was archived so is read-only). ${found.name} is archived and nobody can change it.`,
  );
}

/** The commit as the port has it. */
export function commitOf({ git }: HubRepository, sha: string): Commit | null {
  const commit = /^[0-9a-f]{40}$/.test(sha) ? git.commit(sha) : undefined;
  if (commit === undefined) return null;
  return {
    sha,
    tree: commit.tree,
    parents: commit.parents,
    message: commit.message.replace(/\n$/, ''),
    author: { login: commit.author.name, name: commit.author.name },
    committedAt: commit.committer.seconds * 1000,
  };
}

/** The pull request as the port has it. */
export function pullRequestOf(repository: HubRepository, pull: HubPull): PullRequest {
  return {
    number: pull.number,
    nodeId: `PR_${pull.number}`,
    url: `https://github.com/${repository.name}/pull/${pull.number}`,
    title: pull.title,
    body: pull.body,
    author: { login: pull.user, name: pull.user },
    state: pull.state,
    isMerged: pull.mergedAt !== null,
    isDraft: pull.isDraft,
    isAutoMergeOn: pull.autoMerge !== null && pull.state === 'open',
    mergeCommit: pull.mergeCommit,
    mergedAt: pull.mergedAt,
    baseBranch: pull.base,
    headBranch: pull.head,
    headSha: pull.headSha,
    isFromFork: false,
    isOurs: pull.user === botLogin,
    labels: pull.labels,
    createdAt: pull.createdAt,
  };
}
