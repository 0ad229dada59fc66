/**
 * Makes GitHub say what was decided: the one revert, opened, kept mergeable or closed, and its words. What is there
 * already is not done again.
 */
import type { Mode } from '../config/configuration.ts';
import type { Decision } from '../domain/decision.ts';
import { type Incident, noted, type Obstacle } from '../domain/incident.ts';
import type { Hold } from '../domain/orders.ts';
import { type Repository, WorldProblem } from '../ports.ts';
import { keepMergeable } from './follow-revert.ts';
import { keepTexts, wordsOf } from './keep-texts.ts';
import { makeRevert, type RevertOutcome } from './make-revert.ts';
import type { World } from './world.ts';

/** Where, how far and when something may be done. */
export interface Leeway {
  repository: Repository;
  mode: Mode;
  /** A person ordered that there be no reverts for now. */
  heldBy: Hold | null;
  /** Head of the revert's branch as GitHub told it; null when it was not asked. */
  revertHead: string | null;
  now: number;
}

/** The incident as it is after what was decided was done. Throws WorldProblem when the world fails on the way. */
export async function act(
  world: World,
  leeway: Leeway,
  incident: Incident,
  decision: Decision,
): Promise<Incident> {
  const { repository, now } = leeway;
  switch (decision.kind) {
    case 'nothing':
      return incident;
    case 'keep-texts':
      return keepTexts(world.forge, repository, incident, world.linksFor(repository), now);
    case 'close-revert': {
      const written = await keepTexts(world.forge, repository, incident, world.linksFor(repository), now);
      if (written.pullRequest === null) return written;
      await world.forge.updatePullRequest(repository, written.pullRequest.number, { state: 'closed' });
      return { ...written, pullRequest: { ...written.pullRequest, closedAt: now } };
    }
    case 'have-revert':
      return haveRevert(world, leeway, incident);
  }
}

async function haveRevert(world: World, leeway: Leeway, incident: Incident): Promise<Incident> {
  const { repository, revertHead, now } = leeway;
  const links = world.linksFor(repository);
  if (incident.pullRequest !== null && revertHead !== null && incident.pullRequest.closedAt === null) {
    const mergeable = await keepMergeable(world.forge, repository, incident, revertHead, now);
    return keepTexts(world.forge, repository, mergeable, links, now);
  }
  const ordered = whatKeepsIt(leeway);
  if (ordered !== null)
    return keepTexts(world.forge, repository, withObstacle(incident, ordered, now), links, now);
  const isGone =
    incident.pullRequest !== null &&
    (await world.forge.branchHead(repository, incident.revertBranch)) === null;
  if (incident.pullRequest !== null && !isGone) {
    // It was closed by us when the matter healed or was dismissed, and the matter came back.
    await world.forge.updatePullRequest(repository, incident.pullRequest.number, { state: 'open' });
    return keepTexts(
      world.forge,
      repository,
      { ...incident, pullRequest: { ...incident.pullRequest, closedAt: null } },
      links,
      now,
    );
  }
  const outcome = await tryRevert(world, leeway, incident);
  if (outcome.kind === 'obstacle')
    return keepTexts(world.forge, repository, withObstacle(incident, outcome.obstacle, now), links, now);
  const proposed: Incident = {
    ...noted(incident, now, 'proposed', `#${outcome.pullRequest.number}`),
    phase: 'proposed',
    obstacle: null,
    pullRequest: outcome.pullRequest,
  };
  const words = outcome.kind === 'open' ? wordsOf(incident, links) : '';
  // The claim is kept before the comment is written: a crash between the two must not lose the pull request.
  const claimed = { ...proposed, written: { ...proposed.written, pullRequest: words } };
  await world.memories.saveIncident(claimed);
  world.log.info('opened a revert', { incident: incident.id, pullRequest: outcome.pullRequest.url });
  return keepTexts(world.forge, repository, claimed, links, now);
}

/** What people configured or ordered keeps a revert from being opened; one that is open stays. */
function whatKeepsIt({ mode, heldBy }: Leeway): Obstacle | null {
  if (heldBy !== null) return { kind: 'held', by: heldBy.by, until: heldBy.until };
  return mode === 'comment' ? { kind: 'mode', mode } : null;
}

/** What GitHub refuses for good is an obstacle that people are told of; it is not asked again for a while. */
const refusedMs = 5 * 60_000;

async function tryRevert(
  world: World,
  { repository, mode, now }: Leeway,
  incident: Incident,
): Promise<RevertOutcome> {
  if (incident.obstacle?.kind === 'refused' && isRecent(incident, now))
    return { kind: 'obstacle', obstacle: incident.obstacle };
  try {
    return await makeRevert(world.forge, repository, incident, world.linksFor(repository), {
      isDraft: mode === 'propose',
    });
  } catch (error) {
    if (!(error instanceof WorldProblem) || error.kind === 'transient') throw error;
    return { kind: 'obstacle', obstacle: { kind: 'refused', message: error.message } };
  }
}

function withObstacle(incident: Incident, obstacle: Obstacle, now: number): Incident {
  const isSame =
    JSON.stringify(incident.obstacle) === JSON.stringify(obstacle) &&
    (obstacle.kind !== 'refused' || isRecent(incident, now));
  if (isSame) return incident;
  return { ...noted(incident, now, 'obstacle', obstacle.kind), obstacle, changedAt: now };
}

function isRecent(incident: Incident, now: number): boolean {
  return now - (incident.timeline.findLast((entry) => entry.what === 'obstacle')?.at ?? 0) < refusedMs;
}
