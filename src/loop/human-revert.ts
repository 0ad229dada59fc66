/**
 * A person who takes the change back by hand: their pull request is supported while it is open, and followed like one of
 * ours when it was merged. Two reverts of one change would conflict with each other.
 */
import { claimedSuspects } from '../domain/brakes.ts';
import { type Incident, noted } from '../domain/incident.ts';
import type { Forge, PullRequest, Repository } from '../ports.ts';

/**
 * Somebody else's open pull request onto the tracked branch that says it takes a suspect back; the one that takes most of
 * them, then the oldest. Null when there is none. One request.
 */
export async function humanRevertOf(
  forge: Pick<Forge, 'openPullRequests'>,
  repository: Repository,
  incident: Incident,
): Promise<{ number: number; author: string } | null> {
  const { pullRequests } = await forge.openPullRequests(repository, incident.branch);
  const found = pullRequests
    .filter((one) => !one.isOurs)
    .map((one) => ({ one, count: claimedSuspects(incident, one).length }))
    .filter(({ count }) => count > 0)
    .sort((left, right) => right.count - left.count || left.one.number - right.one.number)[0];
  return found === undefined ? null : { number: found.one.number, author: authorOf(found.one) };
}

/**
 * The incident after a look at the pull request that it waits for: merged, it is followed; closed without that, or merged
 * for some of the suspects alone, the way is free again. Throws WorldProblem.
 */
export async function followTheirs(
  forge: Pick<Forge, 'pullRequest'>,
  repository: Repository,
  incident: Incident,
  now: number,
): Promise<Incident> {
  if (incident.phase !== 'noticed' || incident.obstacle?.kind !== 'human-revert-open') return incident;
  const theirs = await forge.pullRequest(repository, incident.obstacle.number);
  if (theirs?.state === 'open') return incident;
  const isWhole =
    theirs?.isMerged === true && claimedSuspects(incident, theirs).length === incident.suspects.length;
  return isWhole
    ? followed(incident, theirs, theirs.mergedAt ?? now)
    : { ...incident, obstacle: null, changedAt: now };
}

/**
 * Who took the change back, when the branch already is as a revert would leave it: the merged pull request that says so.
 * Null when none does. Throws WorldProblem.
 */
export async function whoTookItBack(
  forge: Pick<Forge, 'branchHead' | 'range' | 'pullRequestsOf'>,
  repository: Repository,
  incident: Incident,
): Promise<PullRequest | { sha: string } | null> {
  const newest = incident.suspects[0]?.sha ?? '';
  const head = await forge.branchHead(repository, incident.branch);
  const range = head === null ? null : await forge.range(repository, newest, head.sha);
  for (const commit of (range?.commits ?? []).slice(-commitsMax).reverse()) {
    const [title = ''] = commit.message.split('\n');
    if (claimedSuspects(incident, { title, body: commit.message }).length === 0) continue;
    const pullRequests = await forge.pullRequestsOf(repository, commit.sha);
    const merged = pullRequests.find((one) => one.isMerged && one.baseBranch === incident.branch);
    return merged ?? { sha: commit.sha };
  }
  return null;
}

/** So many of the newest commits are asked. */
const commitsMax = 50;

/** The incident as one that a person has answered. */
export function followed(incident: Incident, theirs: PullRequest, at: number): Incident {
  return {
    ...noted(incident, at, 'merged', `#${theirs.number}`),
    phase: 'merged',
    obstacle: null,
    takenBackBy: { number: theirs.number, author: authorOf(theirs) },
    changedAt: Math.max(incident.changedAt, at),
  };
}

function authorOf({ author }: PullRequest): string {
  return author.login ?? author.name;
}
