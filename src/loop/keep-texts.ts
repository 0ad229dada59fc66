/**
 * Makes what is on GitHub say what the incident says: the body of the revert and one comment on each pull request
 * that did it. Both are edited in place and never repeated; when the words are the same no call is made. A
 * comment is found again by its marker and by its author, so a marker that somebody typed is not ours.
 */
import { stateOfContainment } from '../domain/held-steps.ts';
import type { Incident } from '../domain/incident.ts';
import type { Marker } from '../domain/marker.ts';
import { momentOf } from '../domain/recovery-figures.ts';
import type { Forge, Log, Repository } from '../ports.ts';
import { culpritComment, supportComment } from '../render/culprit-comment.ts';
import type { Links } from '../render/links.ts';
import { revertBody, revertTitle } from '../render/revert-pull-request.ts';
import { keepNotice } from './keep-notice.ts';
import { digest } from './make-revert.ts';
import { oneOf } from './one-comment.ts';
import { pauseMs } from './pace.ts';
import { unlessRefused } from './unless-refused.ts';
import type { World } from './world.ts';

/** The incident with what was written. Throws WorldProblem; what was written before it is lost is found again. */
export async function keepTexts(
  { forge, log }: Pick<World, 'forge' | 'log'>,
  repository: Repository,
  incident: Incident,
  links: Links,
  now: number,
): Promise<Incident> {
  const isAsBefore = incident.written.state === stateOf(incident);
  if (isAsBefore && (incident.changedAt <= incident.written.at || now < nextEditAt(incident)))
    return incident;
  const withBody = await keepPullRequest(forge, repository, incident, links);
  const commented = await keepComments(forge, log, repository, withBody, links);
  const supported = await keepSupport(forge, log, repository, commented, links);
  const kept = await keepNotice(forge, log, repository, supported, links);
  // Also when no word changed: what changed since is not something that is said.
  return { ...kept, written: { ...kept.written, at: now, state: stateOf(incident) } };
}

/** How long until what has changed since may be written; null when nothing has. */
export function nextEditInMs(incident: Incident, now: number): number | null {
  if (incident.changedAt <= incident.written.at) return null;
  return Math.max(0, nextEditAt(incident) - now);
}

/** ApplicationSets whose joining is told at once. */
const namedSetsMax = 5;

/** The merge begins a new matter: however long the revert was open, who is back is told as it happens. */
function nextEditAt(incident: Incident): number {
  const { openedAt, written } = incident;
  return written.at + pauseMs(momentOf(incident, 'merged') ?? openedAt, written.at);
}

/** What people must be told at once when it changes; the rest are numbers. */
function stateOf(incident: Incident): string {
  return JSON.stringify([
    incident.phase,
    incident.obstacle,
    incident.suspects.map((suspect) => suspect.sha),
    // Hundreds can join within a minute; after the first few it is a number more.
    incident.sets.slice(0, namedSetsMax).map((set) => set.key),
    (incident.containments ?? []).slice(0, namedSetsMax).map(stateOfContainment),
    incident.pullRequest?.autoMerge?.outcome,
    incident.pullRequest?.preparation,
    // What a look first found to be in the way after the merge.
    incident.sets.some((set) => set.left.some((left) => left.wayBack !== undefined)),
  ]);
}

/** The digest of the revert's words as they should be now. */
export function wordsOf(incident: Incident, links: Links): string {
  return digest(revertTitle(incident), revertBody(incident, { now: incident.changedAt, links }));
}

async function keepPullRequest(
  forge: Forge,
  repository: Repository,
  incident: Incident,
  links: Links,
): Promise<Incident> {
  if (incident.pullRequest === null) return incident;
  const words = wordsOf(incident, links);
  if (words === incident.written.pullRequest) return incident;
  await forge.updatePullRequest(repository, incident.pullRequest.number, {
    title: revertTitle(incident),
    body: revertBody(incident, { now: incident.changedAt, links }),
  });
  return { ...incident, written: { ...incident.written, pullRequest: words } };
}

async function keepComments(
  forge: Forge,
  log: Log,
  repository: Repository,
  incident: Incident,
  links: Links,
): Promise<Incident> {
  // What landed in a path since last good can be a hundred changes; nobody is told of each.
  if (incident.asked?.kind === 'restore') return incident;
  let next = incident;
  const numbers = new Set(
    incident.suspects
      .map((suspect) => suspect.pullRequest?.number)
      .filter((number): number is number => number !== undefined),
  );
  for (const number of numbers) {
    const body = culpritComment(next, number, { now: next.changedAt, links });
    next = await keepComment(forge, log, repository, next, number, body, 'culprit');
  }
  return next;
}

/** One comment on somebody else's pull request that takes the change back, kept true also when it is not waited for any more. */
async function keepSupport(
  forge: Forge,
  log: Log,
  repository: Repository,
  incident: Incident,
  links: Links,
): Promise<Incident> {
  const { obstacle, takenBackBy } = incident;
  const number =
    obstacle?.kind === 'human-revert-open'
      ? obstacle.number
      : (takenBackBy?.number ?? incident.written.supported ?? null);
  if (number === null) return incident;
  const body = supportComment(incident, { now: incident.changedAt, links });
  const kept = await keepComment(forge, log, repository, incident, number, body, 'notice');
  return { ...kept, written: { ...kept.written, supported: number } };
}

async function keepComment(
  forge: Forge,
  log: Log,
  repository: Repository,
  incident: Incident,
  number: number,
  body: string,
  kind: 'culprit' | 'notice',
): Promise<Incident> {
  const words = digest(body);
  const known = incident.written.comments[number];
  if (known?.digest === words) return incident;
  const isIt = (marker: Marker): boolean =>
    marker.kind === kind && marker.instance === incident.instance && marker.incident === incident.id;
  const edit = async (id: number | null): Promise<number | null> =>
    id !== null && (await forge.updateComment(repository, id, body)) === 'done' ? id : null;
  const written = await unlessRefused(
    log,
    `comment on #${number}`,
    async () =>
      (await edit(known?.id ?? null)) ??
      (await edit((await oneOf(forge, repository, number, isIt))?.id ?? null)) ??
      // Who deleted it was told something that is not so any more.
      (await forge.createComment(repository, number, body)),
  );
  if (written === null) return incident;
  return {
    ...incident,
    written: {
      ...incident.written,
      comments: { ...incident.written.comments, [number]: { id: written, digest: words } },
    },
  };
}
