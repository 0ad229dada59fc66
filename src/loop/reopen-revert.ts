/**
 * A revert that we closed, because the matter healed or a person dismissed it, is opened again when it is needed after all:
 * what stands against a first one stands against this as well, and it takes back what is suspected now.
 */
import type { Incident } from '../domain/incident.ts';
import { type Forge, type PullRequest, type Repository, WorldProblem } from '../ports.ts';
import { keepMergeable } from './follow-revert.ts';
import { type How, type RevertOutcome, wayFor } from './make-revert.ts';

/** Throws WorldProblem; the next look goes on. The incident has a pull request. */
export async function openAgain(
  forge: Forge,
  repository: Repository,
  incident: Incident,
  how: How,
  now: number,
): Promise<RevertOutcome> {
  const number = incident.pullRequest?.number ?? 0;
  const way = await wayFor(forge, repository, incident, how);
  if (way.kind !== 'clear') return way;
  // Before it is open: what people, or auto-merge, would merge must be whole.
  const closed = await pullRequestOf(forge, repository, number);
  const { pullRequest } = await keepMergeable(forge, repository, incident, closed.headSha, now);
  if (pullRequest === null) throw new Error('A revert was opened again that never was opened.');
  await forge.updatePullRequest(repository, number, { state: 'open' });
  const state = await pullRequestOf(forge, repository, number);
  return { kind: 'adopted', pullRequest: { ...pullRequest, closedAt: null }, state };
}

async function pullRequestOf(forge: Forge, repository: Repository, number: number): Promise<PullRequest> {
  const found = await forge.pullRequest(repository, number);
  if (found === null)
    throw new WorldProblem(
      'transient',
      `Pull request #${number} was there a moment ago and is not now. I look again.`,
    );
  return found;
}
