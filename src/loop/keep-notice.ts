/**
 * Where no pull request brought the change in, there is none to comment on: then one issue says that there is no revert
 * and why. It is found again by its marker and its author, edited in place, and closed when the matter is over.
 */
import type { Incident } from '../domain/incident.ts';
import { parseMarker } from '../domain/marker.ts';
import type { Forge, Repository } from '../ports.ts';
import { noticeOf } from '../render/culprit-comment.ts';
import type { Links } from '../render/links.ts';
import { noticeTitle } from '../render/revert-pull-request.ts';
import { digest } from './make-revert.ts';

/** Every issue of ours has it, so that people can filter them. */
const label = 'stepback';

/** The incident with what was written. Throws WorldProblem. */
export async function keepNotice(
  forge: Forge,
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
  const number = known?.number ?? (await findOurs(forge, repository, incident));
  if (number !== null)
    await forge.updateIssue(repository, number, { body, state: isOpen ? 'open' : 'closed' });
  const made =
    number ??
    (await forge.createIssue(repository, { title: noticeTitle(incident), body, labels: [label] })).number;
  return withIssue(incident, { number: made, digest: words, isOpen });
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

async function findOurs(forge: Forge, repository: Repository, incident: Incident): Promise<number | null> {
  const issues = await forge.openIssuesWithLabel(repository, label);
  const ours = issues.find(({ isOurs, body }) => {
    const marker = isOurs ? parseMarker(body) : null;
    return (
      marker?.kind === 'notice' && marker.instance === incident.instance && marker.incident === incident.id
    );
  });
  return ours?.number ?? null;
}

function withIssue(incident: Incident, issue: NonNullable<Incident['written']['issue']>): Incident {
  return { ...incident, written: { ...incident.written, issue } };
}
