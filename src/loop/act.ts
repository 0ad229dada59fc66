/**
 * Makes GitHub say what was decided: the one revert, opened, kept mergeable or closed, and its words. What is there
 * already is not done again.
 */
import type { Mode, Settings } from '../config/configuration.ts';
import type { Decision } from '../domain/decision.ts';
import { type Incident, noted, type Obstacle } from '../domain/incident.ts';
import type { Hold } from '../domain/orders.ts';
import { type PullRequest, type Repository, WorldProblem } from '../ports.ts';
import { keepMergeable } from './follow-revert.ts';
import { followed, whoTookItBack } from './human-revert.ts';
import { keepAutoMerge, withoutAutoMerge } from './keep-auto-merge.ts';
import { keepTexts, wordsOf } from './keep-texts.ts';
import { type How, makeRevert, type RevertOutcome } from './make-revert.ts';
import { outOfDraft, prepareRevert, withOpening, withPullRequest } from './prepare-revert.ts';
import { isOvertaken, type Present, readAgain, sourcesOf } from './read-again.ts';
import { openAgain } from './reopen-revert.ts';
import type { Stop } from './stops.ts';
import type { Terms } from './terms.ts';
import type { World } from './world.ts';

/** Where, how far and when something may be done. */
export interface Leeway {
  repository: Repository;
  mode: Mode;
  /** What is configured for it: the strictest of its ApplicationSets. */
  settings: Settings;
  /** A person ordered that there be no reverts for now. */
  heldBy: Hold | null;
  /** Somebody stopped Stepback: it changes nothing but words. */
  stop: Stop | null;
  /** The revert as GitHub told it; null when it was not asked. */
  revert: PullRequest | null;
  now: number;
  present: Present;
  /** The ApplicationSet that was looked at fails now, on the change of the incident. */
  isFailing: boolean;
  /** What is configured and ordered, asked again. */
  terms(): Promise<Terms>;
}

/** Says that the revert is not needed any more, and closes it. Throws WorldProblem. */
export async function closeRevert(
  world: World,
  { repository, stop, now }: Pick<Leeway, 'repository' | 'stop' | 'now'>,
  incident: Incident,
): Promise<Incident> {
  const written = await keepTexts(world, repository, incident, world.linksFor(repository), now);
  // It is closed when Stepback goes on; until then its words say that it is not needed.
  if (written.pullRequest === null || stop !== null) return written;
  await world.forge.updatePullRequest(repository, written.pullRequest.number, { state: 'closed' });
  // Closing turns auto-merge off; that a person did so before is not forgotten.
  const { autoMerge } = written.pullRequest;
  const isTheirs = autoMerge?.outcome === 'turned-off';
  return withPullRequest(written, { closedAt: now, autoMerge: isTheirs ? autoMerge : null });
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
    case 'keep-texts':
      return keepTexts(world, repository, incident, world.linksFor(repository), now);
    case 'close-revert':
      return closeRevert(world, leeway, incident);
    case 'have-revert':
      return haveRevert(world, leeway, incident);
  }
}

async function haveRevert(world: World, leeway: Leeway, incident: Incident): Promise<Incident> {
  const { repository, revert, now } = leeway;
  const { pullRequest } = incident;
  const links = world.linksFor(repository);
  if (leeway.stop !== null) {
    const stopped = keptFrom(incident, { kind: 'stopped', ...leeway.stop }, now);
    // What was asked for before must not happen now.
    const kept = await withoutAutoMerge(world.forge, repository, stopped, revert, now);
    return keepTexts(world, repository, kept, links, now);
  }
  const ordered = whatKeepsIt(leeway);
  if (pullRequest !== null && revert !== null && pullRequest.closedAt === null) {
    const kept =
      ordered === null
        ? await follow(world, leeway, goneOn(incident, now), revert)
        : await withoutAutoMerge(world.forge, repository, incident, revert, now);
    return keepTexts(world, repository, kept, links, now);
  }
  if (ordered !== null) return keepTexts(world, repository, keptFrom(incident, ordered, now), links, now);
  // Another one of the incident fails: only a look at that one can tell what is in the way.
  if (!leeway.isFailing && incident.asked == null) return keepTexts(world, repository, incident, links, now);
  const isThere =
    pullRequest !== null && (await world.forge.branchHead(repository, incident.revertBranch)) !== null;
  return isThere ? reopenRevert(world, leeway, incident) : openRevert(world, leeway, incident);
}

/** It was closed by us when the matter healed, or dismissed, and the matter came back: all is asked as before a first one. */
async function reopenRevert(world: World, leeway: Leeway, before: Incident): Promise<Incident> {
  const { repository, now } = leeway;
  const links = world.linksFor(repository);
  const outcome = await tryRevert(world, leeway, before, (how) =>
    openAgain(world.forge, repository, before, how, now),
  );
  if (outcome.kind === 'not-needed' || outcome.kind === 'obstacle') {
    const kept = await unopened(world, leeway, before, outcome);
    return keepTexts(world, repository, kept, links, now);
  }
  const proposed: Incident = { ...withoutObstacle(before, now), phase: 'proposed' };
  const isRecomputed = outcome.pullRequest.headSha !== before.pullRequest?.headSha;
  const reopened = withPullRequest(
    isRecomputed ? noted(proposed, now, 'recomputed', outcome.pullRequest.baseSha) : proposed,
    outcome.pullRequest,
  );
  await world.memories.saveIncident(reopened);
  const handedOver = await handOver(world, leeway, reopened, outcome.state);
  return keepTexts(world, repository, handedOver, links, now);
}

async function follow(
  world: World,
  leeway: Leeway,
  incident: Incident,
  revert: PullRequest,
): Promise<Incident> {
  const { repository, now } = leeway;
  const mergeable = await keepMergeable(world.forge, repository, incident, revert.headSha, now);
  return handOver(world, leeway, mergeable, revert);
}

async function openRevert(world: World, leeway: Leeway, before: Incident): Promise<Incident> {
  const { repository, settings, now } = leeway;
  const links = world.linksFor(repository);
  const incident = await withOpening(world.forge, repository, before, settings);
  const outcome = await tryRevert(world, leeway, incident, (how) =>
    makeRevert(world.forge, repository, incident, links, how),
  );
  if (outcome.kind === 'not-needed' || outcome.kind === 'obstacle') {
    const kept = await unopened(world, leeway, before, outcome);
    return keepTexts(world, repository, kept, links, now);
  }
  // It is opened again at the next look: a person wanted it, or it was we who closed it.
  const wasClosed = outcome.kind === 'adopted' && outcome.state.state === 'closed' && !outcome.state.isMerged;
  const proposed: Incident = {
    ...noted(incident, now, 'proposed', `#${outcome.pullRequest.number}`),
    phase: 'proposed',
    obstacle: null,
    pullRequest: wasClosed ? { ...outcome.pullRequest, closedAt: now } : outcome.pullRequest,
  };
  const words = outcome.kind === 'open' ? wordsOf(incident, links) : '';
  // The claim is kept before the comment is written: a crash between the two must not lose the pull request.
  const claimed = { ...proposed, written: { ...proposed.written, pullRequest: words } };
  await world.memories.saveIncident(claimed);
  world.log.info('opened a revert', { incident: incident.id, pullRequest: outcome.pullRequest.url });
  const handedOver = await handOver(world, leeway, claimed, outcome.state);
  return keepTexts(world, repository, handedOver, links, now);
}

/** The incident when no revert was opened. */
async function unopened(
  world: World,
  leeway: Leeway,
  before: Incident,
  outcome: Extract<RevertOutcome, { kind: 'not-needed' | 'obstacle' }>,
): Promise<Incident> {
  if (outcome.kind === 'not-needed') return before;
  return outcome.obstacle.kind === 'already-undone'
    ? takenBackByHand(world, leeway, before, outcome.obstacle)
    : keptFrom(before, outcome.obstacle, leeway.now);
}

/** Labels, reviewers, draft or not, auto-merge: kept after each step, because none is to be done twice. */
async function handOver(
  world: World,
  leeway: Leeway,
  incident: Incident,
  revert: PullRequest,
): Promise<Incident> {
  const { forge, memories } = world;
  const { repository, settings, mode, now } = leeway;
  const prepared = await prepareRevert(forge, repository, incident, settings);
  if (prepared !== incident) await memories.saveIncident(prepared);
  const ready = mode === 'propose' ? prepared : await outOfDraft(forge, repository, prepared, revert);
  if (ready !== prepared) await memories.saveIncident(ready);
  // What a person asked for is read by a person before it is merged.
  if (mode !== 'auto-merge' || incident.asked != null)
    return withoutAutoMerge(forge, repository, ready, revert, now);
  const isDraft = revert.isDraft && ready === prepared;
  const look = {
    repository,
    settings,
    revert: { ...revert, isDraft },
    incidents: await world.everyIncident(),
    now,
  };
  return keepAutoMerge(forge, look, ready);
}

/** What people configured or ordered keeps a revert from being opened; one that is open stays. */
function whatKeepsIt({ mode, heldBy }: Leeway): Obstacle | null {
  if (heldBy !== null) return { kind: 'held', by: heldBy.by, until: heldBy.until };
  return mode === 'comment' ? { kind: 'mode', mode } : null;
}

/** Nobody stops it any more. */
function goneOn(incident: Incident, now: number): Incident {
  return incident.obstacle?.kind === 'stopped' ? { ...incident, obstacle: null, changedAt: now } : incident;
}

/** What kept it closed does not hold any more; that a person works on its branch is no reason that ends. */
function withoutObstacle(incident: Incident, now: number): Incident {
  const { obstacle } = incident;
  if (obstacle === null || obstacle.kind === 'human-changed-branch') return incident;
  return { ...incident, obstacle: null, changedAt: now };
}

/** There is nothing left to take back: a pull request that did it is followed, as one of ours would be. */
async function takenBackByHand(
  { forge }: World,
  { repository, now, present }: Leeway,
  incident: Incident,
  obstacle: Extract<Obstacle, { kind: 'already-undone' }>,
): Promise<Incident> {
  if (incident.obstacle?.kind === 'already-undone') return incident;
  const place = { forge, repository, sources: sourcesOf(present) };
  const found = await whoTookItBack(place, incident);
  if (found !== null && 'number' in found) return followed(incident, found, found.mergedAt ?? now);
  return keptFrom(incident, found === null ? obstacle : { ...obstacle, by: found.sha }, now);
}

/** What GitHub refuses for good is an obstacle that people are told of; it is not asked again for a while. */
const refusedMs = 5 * 60_000;

async function tryRevert(
  world: World,
  { repository, mode, settings, now, present, terms }: Leeway,
  incident: Incident,
  work: (how: How) => Promise<RevertOutcome>,
): Promise<RevertOutcome> {
  // It was found to be open still at this very look.
  if (incident.obstacle?.kind === 'human-revert-open')
    return { kind: 'obstacle', obstacle: incident.obstacle };
  if (isRefusal(incident.obstacle) && isRecent(incident, now))
    return { kind: 'obstacle', obstacle: incident.obstacle };
  try {
    return await work({
      isDraft: mode === 'propose',
      readAgain: () => readAgain(world, repository, incident, present, settings, terms),
      isOvertaken: (headSha) => isOvertaken(world, incident, present, headSha),
    });
  } catch (error) {
    if (!(error instanceof WorldProblem) || error.kind === 'transient') throw error;
    // To an archived repository GitHub refuses everything, in words that say so only at times.
    const facts = await world.forge.repository(repository);
    if (facts?.isArchived === true) return { kind: 'obstacle', obstacle: { kind: 'archived' } };
    return { kind: 'obstacle', obstacle: { kind: 'refused', message: error.message } };
  }
}

/** No revert is open, and this is why; one that we closed stays closed. */
function keptFrom(incident: Incident, obstacle: Obstacle, now: number): Incident {
  const isClosed = incident.pullRequest !== null && incident.pullRequest.closedAt !== null;
  return withObstacle(isClosed ? { ...incident, phase: 'noticed' } : incident, obstacle, now);
}

function withObstacle(incident: Incident, obstacle: Obstacle, now: number): Incident {
  const isSame =
    JSON.stringify(incident.obstacle) === JSON.stringify(obstacle) &&
    (!isRefusal(obstacle) || isRecent(incident, now));
  if (isSame) return incident;
  return { ...noted(incident, now, 'obstacle', obstacle.kind), obstacle, changedAt: now };
}

function isRefusal(obstacle: Obstacle | null): obstacle is Obstacle & { kind: 'refused' | 'archived' } {
  return obstacle?.kind === 'refused' || obstacle?.kind === 'archived';
}

function isRecent(incident: Incident, now: number): boolean {
  return now - (incident.timeline.findLast((entry) => entry.what === 'obstacle')?.at ?? 0) < refusedMs;
}
