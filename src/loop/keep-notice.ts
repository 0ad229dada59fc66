/**
 * Where no pull request brought the change in, there is none to comment on: then one issue says that there is no revert
 * and why. It is found again by its marker and its author, edited in place, and closed when the matter is over. Two replicas
 * that led at one moment can each have opened one: the oldest stays, and the others are closed with a word.
 */
import type { Incident } from '../domain/incident.ts';
import { parseMarker } from '../domain/marker.ts';
import type { OwnIssue } from '../ports/issues.ts';
import type { Forge, Log, Repository } from '../ports.ts';
import { noticeOf } from '../render/culprit-comment.ts';
import type { Links } from '../render/links.ts';
import { noticeTitle } from '../render/revert-pull-request.ts';
import { digest } from './make-revert.ts';
import { unlessRefused } from './unless-refused.ts';

/** Every issue of ours has it, so that people can filter them. */
export const noticeLabel = 'stepback';

/** The incident with what was written. Throws WorldProblem. */
export async function keepNotice(
  forge: Forge,
  log: Log,
  repository: Repository,
  incident: Incident,
  links: Links,
): Promise<Incident> {
  const known = incident.written.issue ?? null;
  if (known === null && !isNeeded(incident)) return incident;
  const body = noticeOf(incident, { now: incident.changedAt, links });
  const words = digest(body);
  const isOpen = isNeeded(incident);
  if (known !== null && known.digest === words && known.isOpen === isOpen) return incident;
  const written = await unlessRefused(log, 'issue', async () => {
    const number = known?.number ?? (await findOurs(forge, repository, incident))[0]?.number ?? null;
    if (number === null)
      return forge.createIssue(repository, { title: noticeTitle(incident), body, labels: [noticeLabel] });
    await forge.updateIssue(repository, number, { body, state: isOpen ? 'open' : 'closed' });
    return { number };
  });
  return written === null ? incident : withIssue(incident, { number: written.number, digest: words, isOpen });
}

/**
 * The incident after its notices were made one: the oldest is followed, whatever the ledger says. Two who look at once keep the
 * same one. Throws WorldProblem.
 */
export async function keepOneNotice(
  forge: Pick<Forge, 'ownIssues' | 'updateIssue'>,
  repository: Repository,
  incident: Incident,
): Promise<Incident> {
  const known = incident.written.issue ?? null;
  if (known === null) return incident;
  const [oldest, ...doubles] = await findOurs(forge, repository, incident);
  if (oldest === undefined) return incident;
  for (const { number, isOpen } of doubles)
    if (isOpen)
      await forge.updateIssue(repository, number, { body: doubled(oldest.number), state: 'closed' });
  if (oldest.number === known.number) return incident;
  // What it says was perhaps written by the other one: the words are compared again.
  const issue = { number: oldest.number, digest: digest(oldest.body), isOpen: oldest.isOpen };
  const kept = withIssue(incident, issue);
  return { ...kept, written: { ...kept.written, state: '' } };
}

/** Without a marker, so that it is not found again. */
function doubled(number: number): string {
  return `I opened this twice. #${number} says it, and is kept true.`;
}

/** Nobody else is told: there is no revert, and no pull request to say it on. */
function isNeeded({ phase, obstacle, pullRequest, suspects }: Incident): boolean {
  return (
    phase === 'noticed' &&
    obstacle !== null &&
    pullRequest === null &&
    suspects.every((suspect) => suspect.pullRequest === null)
  );
}

async function findOurs(
  forge: Pick<Forge, 'ownIssues'>,
  repository: Repository,
  { id, instance }: Incident,
): Promise<readonly OwnIssue[]> {
  const issues = await forge.ownIssues(repository, noticeLabel);
  return issues.filter(({ body }) => {
    const marker = parseMarker(body);
    return marker?.kind === 'notice' && marker.instance === instance && marker.incident === id;
  });
}

function withIssue(incident: Incident, issue: NonNullable<Incident['written']['issue']>): Incident {
  return { ...incident, written: { ...incident.written, issue } };
}
