/**
 * Nothing is said twice. Two replicas that led at one moment, or one that looked at an old answer, can each have written a
 * comment, and the ledger knows of one. So what is known is looked for once after a replica began to lead, and once more a
 * while later; the oldest of ours stays and goes on, the others are taken away. Whoever looks keeps the same one.
 */
import { type Incident, isOpen } from '../domain/incident.ts';
import { type Marker, parseMarker } from '../domain/marker.ts';
import type { Letter } from '../ports/mailbox.ts';
import type { Comment, Forge, Repository } from '../ports.ts';
import { keepOneNotice } from './keep-notice.ts';
import { digest } from './make-revert.ts';

/** By incident, pull request and comment: when it was first looked for, and how often since. */
export type CommentBook = Map<string, { firstAt: number; looks: number }>;

/** By then a comment that was written at the same moment is in every listing, and so is its writer's last word. */
export const doubtMs = 30_000;

/** Of open incidents there are a few; what is forgotten is looked for again. */
const bookMax = 5_000;

type Comments = Pick<Forge, 'comments' | 'deleteComment'>;
type Notices = Pick<Forge, 'ownIssues' | 'updateIssue'>;

/** The incident after its comments, and its notice, were made one each. Throws WorldProblem. */
export async function keepOneComment(
  { forge, commentBook }: { forge: Comments & Notices; commentBook: CommentBook },
  repository: Repository,
  incident: Incident,
  now: number,
): Promise<Incident> {
  let next = incident;
  for (const [number, known] of Object.entries(incident.written.comments)) {
    const look = lookFor(commentBook, keyOf(incident, `${number} ${known.id}`), now);
    if (look === null) continue;
    next = await withOne(forge, repository, next, Number(number));
    look.isDone();
  }
  const { issue = null } = next.written;
  const look = issue === null ? null : lookFor(commentBook, keyOf(incident, `issue ${issue.number}`), now);
  if (look !== null) next = await keepOneNotice(forge, repository, next);
  look?.isDone();
  return next;
}

/** What was written as an incident ended is looked for as well, also by who starts after a crash, and for so long. */
const freshMs = 30 * 60_000;

/**
 * In how many milliseconds the comments and the notice of an incident that is over are to be looked for, 0: now. Null when each
 * was looked for twice, when it was over long ago, and when it is open: then every look does it.
 */
export function doubtEndsInMs(commentBook: CommentBook, incident: Incident, now: number): number | null {
  if (isOpen(incident) || now - incident.changedAt > freshMs) return null;
  const { comments, issue = null } = incident.written;
  const keys = Object.entries(comments).map(([number, { id }]) => keyOf(incident, `${number} ${id}`));
  const all = issue === null ? keys : [...keys, keyOf(incident, `issue ${issue.number}`)];
  const waits = all.map((key) => dueInMs(commentBook, key, now)).filter((ms) => ms !== null);
  return waits.length === 0 ? null : Math.min(...waits);
}

/** In how many milliseconds it is to be looked for: at once, and once more a while later; null when both are done. */
function dueInMs(commentBook: CommentBook, key: string, now: number): number | null {
  const looked = commentBook.get(key);
  if (looked === undefined) return 0;
  return looked.looks === 1 ? Math.max(0, looked.firstAt + doubtMs - now) : null;
}

function keyOf({ id }: Incident, what: string): string {
  return `${id} ${what}`;
}

/** A look that is due. Null when it is not; one that failed stays due. */
function lookFor(commentBook: CommentBook, key: string, now: number): { isDone(): void } | null {
  const looked = commentBook.get(key);
  if (dueInMs(commentBook, key, now) !== 0) return null;
  return {
    isDone() {
      commentBook.set(key, { firstAt: looked?.firstAt ?? now, looks: (looked?.looks ?? 0) + 1 });
      for (const oldest of commentBook.keys()) if (commentBook.size > bookMax) commentBook.delete(oldest);
    },
  };
}

async function withOne(
  forge: Comments,
  repository: Repository,
  incident: Incident,
  number: number,
): Promise<Incident> {
  const { id, instance, written } = incident;
  const kept = await oneOf(forge, repository, number, (marker) => {
    const isSaid = marker.kind === 'culprit' || marker.kind === 'notice';
    return isSaid && marker.instance === instance && marker.incident === id;
  });
  if (kept === null || kept.id === written.comments[number]?.id) return incident;
  // What it says was perhaps written by the other one: the words are compared again.
  const comments = { ...written.comments, [number]: { id: kept.id, digest: digest(kept.body) } };
  return { ...incident, written: { ...written, comments, state: '' } };
}

/** After somebody else settled the letter that we have answered as well. Throws WorldProblem. */
export async function keepOneReply(
  forge: Comments,
  instance: string,
  { id, repository, number }: Letter,
): Promise<void> {
  if (number === null) return;
  await oneOf(
    forge,
    repository,
    number,
    (marker) => marker.kind === 'reply' && marker.instance === instance && marker.incident === id,
  );
}

/** The oldest of ours below an issue or a pull request, after the others were taken away; null when there is none. Throws WorldProblem. */
export async function oneOf(
  forge: Comments,
  repository: Repository,
  number: number,
  isIt: (marker: Marker) => boolean,
): Promise<Comment | null> {
  const comments = await forge.comments(repository, number);
  const [oldest, ...doubles] = comments.filter(({ isOurs, body }) => {
    const marker = isOurs ? parseMarker(body) : null;
    return marker !== null && isIt(marker);
  });
  for (const { id } of doubles) await forge.deleteComment(repository, id);
  return oldest ?? null;
}
