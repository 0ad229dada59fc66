/**
 * One incident, moved on by one step: how its revert stands is asked, what should be true is decided and done, and what was
 * done is kept.
 */
import type { Mode } from '../config/configuration.ts';
import { type Decision, decide, isLeftOpen } from '../domain/decision.ts';
import type { Incident } from '../domain/incident.ts';
import type { PullRequest, Repository } from '../ports.ts';
import { act } from './act.ts';
import { withBystanders } from './bystanders.ts';
import { contain } from './contain.ts';
import { followTheirs } from './human-revert.ts';
import { withoutAutoMerge } from './keep-auto-merge.ts';
import { withForgottenRevert } from './make-revert.ts';
import { keepOneComment } from './one-comment.ts';
import { type Present, sourcesOf } from './read-again.ts';
import { stopMaxAgeMs } from './stops.ts';
import { type Terms, termsOf } from './terms.ts';
import type { World } from './world.ts';

/** An incident after a step, and what was decided; null where Stepback only watches. */
export interface Moved {
  incident: Incident;
  decision: Decision | null;
}

/** `isFailing`: the ApplicationSet that was looked at fails now, on the change of this incident. Throws WorldProblem. */
export async function moveOn(
  world: World,
  before: Incident,
  present: Present,
  isFailing: boolean,
): Promise<Moved> {
  const { answer, sighting } = present;
  const { now } = sighting;
  const repository = placeOf(before);
  const sources = sourcesOf(present);
  const followed = await followTheirs({ forge: world.forge, repository, sources }, before, now);
  const found = await withBystanders(world, repository, followed);
  const incident = await withWhatIsLeft(world, repository, found, now);
  const terms = (): Promise<Terms> => termsOf(world, repository, incident, now);
  const { mode, settings } = await terms();
  const [revert, stop] = await Promise.all([
    revertOf(world, repository, incident),
    mode === 'observe' ? null : world.stops.of(repository, settings.stopLabels, stopMaxAgeMs),
  ]);
  const decided = decide({ incident, revert, now });
  // What the branch holds by now is what who is back is told by.
  if (decided.incident.phase === 'merged' && incident.phase !== 'merged' && revert?.mergeCommit != null)
    world.heads.announce(repository, incident.branch, revert.mergeCommit);
  // Before anything is written on GitHub, so that a crash in between is found again by the claim.
  await world.memories.saveIncident(decided.incident);
  // While somebody stops it, nothing new is held either; what is held is put back all the same.
  const holding = async (): Promise<Mode> => (stop === null ? (await terms()).mode : 'observe');
  const held = { answer, sighting, isFailing, repository, mode: holding };
  const contained = await contain(world, held, decided.incident);
  const allowed = await terms();
  if (allowed.mode === 'observe') {
    // Nothing is said any more; what was asked for must not happen either.
    const kept = await withoutAutoMerge(world.forge, repository, contained, revert, now);
    // So nothing waits to be said.
    const isNews = kept.changedAt > kept.written.at;
    const quiet = isNews ? { ...kept, written: { ...kept.written, at: now } } : kept;
    await world.memories.saveIncident(quiet);
    return { incident: quiet, decision: null };
  }
  const leeway = { repository, ...allowed, stop, revert, now, present, isFailing, terms };
  const single = await keepOneComment(world, repository, contained, now);
  const acted = await act(world, leeway, single, decided.decision);
  await world.memories.saveIncident(acted);
  return { incident: acted, decision: decided.decision };
}

/** Nothing would look for a revert any more once it has healed; so that is done before. */
async function withWhatIsLeft(
  world: World,
  repository: Repository,
  incident: Incident,
  now: number,
): Promise<Incident> {
  if (incident.phase !== 'noticed' || incident.pullRequest !== null) return incident;
  const isHealing = decide({ incident, revert: null, now }).incident.phase === 'healed';
  return isHealing ? withForgottenRevert(world.forge, repository, incident) : incident;
}

/** How the revert stands; null when there is none that anything hangs on. */
export async function revertOf(
  world: World,
  repository: Repository,
  incident: Incident,
): Promise<PullRequest | null> {
  const { phase, pullRequest } = incident;
  const isMoving = phase === 'noticed' || phase === 'proposed' || phase === 'healed';
  const hangsOnIt = (isMoving || isLeftOpen(incident)) && pullRequest !== null;
  return hangsOnIt ? world.forge.pullRequest(repository, pullRequest.number) : null;
}

/** The repository that an incident's revert goes to. */
export function placeOf(incident: Incident): Repository {
  const [owner = '', name = ''] = incident.repository.split('/');
  return { host: incident.host, owner, name };
}
