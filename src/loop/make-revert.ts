/**
 * One revert pull request, made without a clone. The branch is the claim: creating a ref is atomic, so of two
 * replicas, or two tries, one creates it and the other adopts what it finds. The branch head is read again just
 * before, and nothing is written that was not computed on it.
 */
import { createHash } from 'node:crypto';
import { firstParentLine } from '../content/ranges.ts';
import type { Incident, Obstacle, RevertPullRequest } from '../domain/incident.ts';
import type { Commit, Forge, PullRequest, Repository } from '../ports.ts';
import { WorldProblem } from '../ports.ts';
import type { Links } from '../render/links.ts';
import { revertCommitMessage } from '../render/revert-commit.ts';
import { revertBody, revertTitle } from '../render/revert-pull-request.ts';
import { commitsInTheWay } from '../revert/blame-conflicts.ts';
import type { GitObjects } from '../revert/objects.ts';
import { planRestore } from '../revert/plan-restore.ts';
import { planRevert, type RevertPlan } from '../revert/plan-revert.ts';
import type { Objection } from './read-again.ts';

export type RevertOutcome =
  | { kind: 'open'; pullRequest: RevertPullRequest; state: PullRequest }
  /** It was there before: of another try, another replica, or from before a restart. */
  | { kind: 'adopted'; pullRequest: RevertPullRequest; state: PullRequest }
  | { kind: 'obstacle'; obstacle: Obstacle }
  /** Nothing fails on the change any more. */
  | { kind: 'not-needed' };

/** How it is opened, and what is asked again just before. */
export interface How {
  isDraft: boolean;
  readAgain(): Promise<Objection | null>;
  /** Whether the head of the branch changes what fails, and was not tried yet. */
  isOvertaken(headSha: string): Promise<boolean>;
}

/** Makes or adopts the revert of an incident. Throws WorldProblem when GitHub fails on the way; the next tick goes on. */
export async function makeRevert(
  forge: Forge,
  repository: Repository,
  incident: Incident,
  links: Links,
  how: How,
): Promise<RevertOutcome> {
  const way = await wayFor(forge, repository, incident, how);
  if (way.kind !== 'clear') return way;
  const { head, plan } = way;
  const tree = await writeTree(forge, repository, plan);
  const commit = await forge.createCommit(repository, {
    tree,
    parents: [head.sha],
    message: revertCommitMessage(incident),
  });
  const claim = await forge.createBranch(repository, incident.revertBranch, commit.sha);
  if (claim === 'exists') return adopt(forge, repository, incident, links, how);
  const made = {
    branch: incident.revertBranch,
    headSha: commit.sha,
    baseSha: head.sha,
    isVerified: commit.isVerified,
    ...untouched(incident, how.isDraft),
  };
  return openPullRequest(forge, repository, incident, links, how, made);
}

/** The head of the branch and what a revert onto it would be, or what stands against one. Throws WorldProblem. */
export async function wayFor(
  forge: Forge,
  repository: Repository,
  incident: Incident,
  how: How,
): Promise<
  | { kind: 'clear'; head: Commit; plan: RevertPlan }
  | Extract<RevertOutcome, { kind: 'obstacle' | 'not-needed' }>
> {
  const [head, objection] = await Promise.all([
    forge.branchHead(repository, incident.branch),
    how.readAgain(),
  ]);
  if (objection === 'not-needed') return { kind: 'not-needed' };
  if (objection !== null) return obstacle(objection);
  if (head === null) return obstacle({ kind: 'branch-missing', branch: incident.branch });
  const plan = await planFor(forge, repository, incident, head.tree);
  const blocked = await obstacleOf(forge, repository, incident, plan);
  if (blocked !== null) return obstacle(blocked);
  if (await how.isOvertaken(head.sha)) return obstacle({ kind: 'newer-commit', sha: head.sha });
  return { kind: 'clear', head, plan };
}

/** What a revert onto `headTree` would be. Also used to compute it again when the branch has moved. */
export function planFor(
  forge: Forge,
  repository: Repository,
  incident: Incident,
  headTree: string,
): Promise<RevertPlan> {
  const objects = objectsOf(forge, repository);
  const { asked } = incident;
  if (asked?.kind === 'restore' && asked.tree !== null)
    return planRestore(objects, { headTree, goodTree: asked.tree, paths: asked.paths });
  const suspects = incident.suspects.map((suspect) => ({
    commit: suspect.sha,
    tree: suspect.tree,
    firstParentTree: suspect.firstParentTree ?? '',
  }));
  const isWhole = incident.isWholeRange && incident.lastGoodTree !== null && suspects.length > 1;
  return planRevert(objects, {
    headTree,
    suspects,
    ...(isWhole ? { wholeRange: incident.lastGoodTree ?? '' } : {}),
  });
}

/** Reads of one repository, as the merge of trees wants them. */
export function objectsOf(forge: Forge, repository: Repository): GitObjects {
  return {
    readTree: (id) => forge.readTree(repository, id),
    readBlob: (id) => forge.readBlob(repository, id),
  };
}

function obstacle(reason: Obstacle): Extract<RevertOutcome, { kind: 'obstacle' }> {
  return { kind: 'obstacle', obstacle: reason };
}

/** Why a plan cannot become a pull request, or null when it can. */
async function obstacleOf(
  forge: Forge,
  repository: Repository,
  incident: Incident,
  plan: RevertPlan,
): Promise<Obstacle | null> {
  switch (plan.kind) {
    case 'nothing':
      return { kind: 'already-undone', by: null };
    case 'impossible':
      return { kind: 'refused', message: plan.problem.message };
    case 'conflict': {
      const later = await laterCommits(forge, repository, incident);
      const objects = objectsOf(forge, repository);
      const inTheWay = await commitsInTheWay(objects, plan.conflicts, later);
      return {
        kind: 'conflict',
        paths: plan.conflicts.map(({ path, why }) => ({ path, why, laterCommits: inTheWay.get(path) ?? [] })),
      };
    }
    default:
      return null;
  }
}

/** Commits that landed after the newest suspect, newest first. */
async function laterCommits(
  forge: Forge,
  repository: Repository,
  incident: Incident,
): Promise<readonly { commit: string; tree: string; firstParentTree: string }[]> {
  const newest = incident.suspects[0]?.sha ?? '';
  const head = await forge.branchHead(repository, incident.branch);
  const range = head === null ? null : await forge.range(repository, newest, head.sha);
  if (head === null || range === null) return [];
  let firstParentTree = incident.suspects[0]?.tree ?? '';
  const later = firstParentLine(range, newest, head.sha).map((commit) => {
    const before = firstParentTree;
    firstParentTree = commit.tree;
    return { commit: commit.sha, tree: commit.tree, firstParentTree: before };
  });
  return later.reverse();
}

/** Writes what a plan says; the forge must answer with the tree that was planned. */
export async function writeTree(forge: Forge, repository: Repository, plan: RevertPlan): Promise<string> {
  if (plan.kind === 'tree') return plan.tree;
  if (plan.kind !== 'changes') throw new Error(`A plan of kind ${plan.kind} has no tree to write.`);
  const tree = await forge.createTree(repository, plan.baseTree, plan.changes);
  if (tree !== plan.tree) {
    throw new WorldProblem(
      'permanent',
      `GitHub made tree ${tree} where ${plan.tree} was asked for. Nothing was pushed; make the revert by hand and report this.`,
    );
  }
  return tree;
}

async function openPullRequest(
  forge: Forge,
  repository: Repository,
  incident: Incident,
  links: Links,
  how: { isDraft: boolean },
  made: Omit<RevertPullRequest, 'number' | 'url'>,
): Promise<RevertOutcome> {
  const answer = await forge.createPullRequest(repository, {
    title: revertTitle(incident),
    body: revertBody(incident, { now: incident.changedAt, links }),
    head: incident.revertBranch,
    base: incident.branch,
    isDraft: how.isDraft,
  });
  if (answer.kind === 'created')
    return {
      kind: 'open',
      pullRequest: { ...made, number: answer.pullRequest.number, url: answer.pullRequest.url },
      state: answer.pullRequest,
    };
  if (answer.kind === 'nothing-between') return obstacle({ kind: 'already-undone', by: null });
  const { found, about } = await whatIsThere(forge, repository, incident, how.isDraft);
  if (found !== undefined) return adopted(incident, found, about);
  throw new WorldProblem(
    'transient',
    `GitHub says that there is a pull request from ${incident.revertBranch}, and does not list it yet. I look again.`,
  );
}

/** The branch is there. Take over its pull request, or open one where a crash came in between. */
async function adopt(
  forge: Forge,
  repository: Repository,
  incident: Incident,
  links: Links,
  how: { isDraft: boolean },
): Promise<RevertOutcome> {
  const { found, about } = await whatIsThere(forge, repository, incident, how.isDraft);
  if (found !== undefined) return adopted(incident, found, about);
  if (about.headSha === '')
    throw new WorldProblem(
      'transient',
      `Branch ${incident.revertBranch} was there a moment ago and is not now. I look again.`,
    );
  return openPullRequest(forge, repository, incident, links, how, about);
}

/** A person may have opened one from our branch. */
function adopted(
  { revertBranch }: Incident,
  found: PullRequest,
  about: Omit<RevertPullRequest, 'number' | 'url'>,
): RevertOutcome {
  if (!found.isOurs) return obstacle({ kind: 'human-changed-branch', branch: revertBranch });
  return { kind: 'adopted', pullRequest: { ...about, number: found.number, url: found.url }, state: found };
}

/**
 * The incident with a revert of ours that is open and that it does not know: whoever made it died, or heard nothing, before
 * it could be noted. Throws WorldProblem.
 */
export async function withForgottenRevert(
  forge: Forge,
  repository: Repository,
  incident: Incident,
): Promise<Incident> {
  const { found, about } = await whatIsThere(forge, repository, incident, false);
  if (found === undefined || !found.isOurs || found.state !== 'open') return incident;
  return { ...incident, pullRequest: { ...about, number: found.number, url: found.url } };
}

/** The branch of the revert and the pull request from it. */
async function whatIsThere(
  forge: Forge,
  repository: Repository,
  incident: Incident,
  isDraft: boolean,
): Promise<{ found: PullRequest | undefined; about: Omit<RevertPullRequest, 'number' | 'url'> }> {
  const branch = await forge.branchHead(repository, incident.revertBranch);
  const [found] = await forge.pullRequestsFrom(repository, incident.revertBranch);
  const about = {
    branch: incident.revertBranch,
    headSha: branch?.sha ?? found?.headSha ?? '',
    // One that was computed again has the head of the branch as its second parent.
    baseSha: branch?.parents.at(-1) ?? '',
    isVerified: true,
    ...untouched(incident, found?.isDraft ?? isDraft),
  };
  return { found, about };
}

/** What is said of a revert to which nothing was done yet. */
function untouched(
  incident: Incident,
  isDraft: boolean,
): Pick<RevertPullRequest, 'suspects' | 'closedAt' | 'isDraft' | 'preparation' | 'autoMerge'> {
  const suspects = incident.suspects.map((suspect) => suspect.sha);
  return { suspects, closedAt: null, isDraft, preparation: null, autoMerge: null };
}

/** A short text that changes when the words do. */
export function digest(...texts: readonly string[]): string {
  return createHash('sha256').update(texts.join('\0')).digest('hex').slice(0, 16);
}
