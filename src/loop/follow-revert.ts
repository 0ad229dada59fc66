/**
 * An open revert is kept mergeable while the branch moves: it is computed again on the new head, and only when the
 * result differs is a commit added. A commit that a person put on the revert branch is never overwritten: then
 * Stepback says so and leaves the branch alone.
 */
import type { Incident, RevertPullRequest } from '../domain/incident.ts';
import { noted } from '../domain/incident.ts';
import type { Forge, Repository } from '../ports.ts';
import { revertCommitMessage } from '../render/revert-commit.ts';
import { planRevert } from '../revert/plan-revert.ts';
import { objectsOf, planFor, writeTree } from './make-revert.ts';

/** The incident after the branch was looked at. `headOfBase` is null when it cannot be found. Throws WorldProblem. */
export async function keepMergeable(
  forge: Forge,
  repository: Repository,
  incident: Incident,
  revertHead: string,
  now: number,
): Promise<Incident> {
  const { pullRequest } = incident;
  // What lands in a path that is put back later is for people to settle, who read what goes away.
  if (incident.asked?.kind === 'restore') return incident;
  if (pullRequest === null || incident.obstacle?.kind === 'human-changed-branch') return incident;
  if (revertHead !== pullRequest.headSha) {
    const obstacle = { kind: 'human-changed-branch', branch: incident.revertBranch } as const;
    return { ...noted(incident, now, 'obstacle', obstacle.kind), obstacle, changedAt: now };
  }
  const head = await forge.branchHead(repository, incident.branch);
  const isSameChange = incident.suspects.every((suspect) => pullRequest.suspects.includes(suspect.sha));
  if (head === null || (head.sha === pullRequest.baseSha && isSameChange)) return incident;
  const plan = await planFor(forge, repository, incident, head.tree);
  if (plan.kind !== 'tree' && plan.kind !== 'changes') return incident;
  if (isSameChange && (await asItMerges(forge, repository, pullRequest, head.tree)) === plan.tree)
    return incident;
  const tree = await writeTree(forge, repository, plan);
  // Two parents: the branch goes forward, and nothing that somebody fetched is rewritten.
  const commit = await forge.createCommit(repository, {
    tree,
    parents: [pullRequest.headSha, head.sha],
    message: revertCommitMessage(incident),
  });
  const moved = await forge.moveBranch(repository, incident.revertBranch, pullRequest.headSha, commit.sha);
  if (moved !== 'done') return incident;
  const suspects = incident.suspects.map((suspect) => suspect.sha);
  return {
    ...noted(incident, now, 'recomputed', head.sha),
    pullRequest: {
      ...pullRequest,
      headSha: commit.sha,
      baseSha: head.sha,
      isVerified: commit.isVerified,
      suspects,
    },
    changedAt: now,
  };
}

/** The tree that merging the pull request as it stands would give; null when it conflicts or cannot be told. */
async function asItMerges(
  forge: Forge,
  repository: Repository,
  { baseSha, headSha }: RevertPullRequest,
  headTree: string,
): Promise<string | null> {
  const [base, revert] = await Promise.all([
    forge.commit(repository, baseSha),
    forge.commit(repository, headSha),
  ]);
  if (base === null || revert === null) return null;
  // Merging is taking back in the other direction: from the tree that it was made on to the one that it makes.
  const merge = { commit: headSha, tree: base.tree, firstParentTree: revert.tree };
  const plan = await planRevert(objectsOf(forge, repository), { headTree, suspects: [merge] });
  return plan.kind === 'tree' || plan.kind === 'changes' ? plan.tree : null;
}
