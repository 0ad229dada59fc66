/**
 * The conversation in which a letter is answered: its own pull request, or for a button the revert, else the pull request of
 * the commit, else an issue, because who presses a button must hear what came of it. What we answered there is read first: an
 * answer to this letter is not written twice, and somebody who types without an end gets no answer without an end.
 */
import { type Marker, parseMarker, printMarker } from '../domain/marker.ts';
import type { Letter } from '../ports/mailbox.ts';
import type { Comment } from '../ports.ts';
import { buttonIssue } from '../render/command-replies.ts';
import type { Subject } from './command-subject.ts';
import { noticeLabel } from './keep-notice.ts';
import type { World } from './world.ts';

/** Answers in one conversation within an hour; then one that says so, then none. */
const repliesMax = 20;
const hourMs = 60 * 60_000;

export interface Thread {
  /** The answer to this letter that is there already. */
  replyId: number | null;
  /** Our answers of the last hour. */
  repliesOfLate: number;
  repliesMax: number;
  /** Writes the answer; `null` when the limit was reached: that is said once. Gives the comment, null when there is none. */
  reply(body: string | null): Promise<number | null>;
}

/** Throws WorldProblem when GitHub cannot be read. */
export async function openThread(world: World, letter: Letter, subject: Subject): Promise<Thread> {
  const { forge, clock } = world;
  const { repository } = letter;
  const number =
    letter.number ?? (await numberForButton(world, letter, subject)) ?? (await issueOf(world, letter));
  const comments = number === null ? [] : await forge.comments(repository, number);
  const replies = comments.filter(isReply);
  const marker = { kind: 'reply', instance: world.cluster.instance, incident: letter.id } as const;
  const own = replies.find(({ body }) => {
    const found = parseMarker(body);
    return found?.incident === marker.incident && found.instance === marker.instance;
  });
  const repliesOfLate = replies.filter(({ createdAt }) => clock.now() - createdAt < hourMs).length;
  return {
    replyId: own?.id ?? null,
    repliesOfLate,
    repliesMax,
    async reply(body) {
      const isFull = repliesOfLate >= repliesMax;
      if (body === null && !isFull) return null;
      const where = number ?? (await openIssue(world, letter));
      const words = isFull ? tooMany : body;
      return where === null
        ? null
        : forge.createComment(repository, where, `${words}\n\n${printMarker(marker)}`);
    },
  };
}

const tooMany = `There were more than ${repliesMax} commands here within an hour, so I carry out and answer no more of them for now. Type it again in an hour.`;

function isReply({ isOurs, body }: Comment): boolean {
  return isOurs && parseMarker(body)?.kind === 'reply';
}

/** The revert, else the pull request that did it, else the one of the commit that the button stands beside. */
async function numberForButton(
  { forge }: World,
  { repository, check }: Letter,
  subject: Subject,
): Promise<number | null> {
  const incidents = subject.kind === 'sets' ? subject.incidents : [];
  const known = incidents
    .flatMap(({ pullRequest, suspects, written }) => [
      pullRequest?.number ?? null,
      ...suspects.map((suspect) => suspect.pullRequest?.number ?? null),
      written.issue?.number ?? null,
    ])
    .find((number) => number !== null);
  if (known !== undefined || check === null) return known ?? null;
  const [first] = await forge.pullRequestsOf(repository, check.sha);
  return first?.number ?? null;
}

/** The issue in which presses beside a commit are answered that no pull request brought in; null while there is none. */
async function issueOf(world: World, letter: Letter): Promise<number | null> {
  const marker = issueMarker(world, letter);
  if (marker === null) return null;
  const issues = await world.forge.ownIssues(letter.repository, noticeLabel);
  return issues.find(({ body }) => body.includes(printMarker(marker)))?.number ?? null;
}

async function openIssue(world: World, letter: Letter): Promise<number | null> {
  const marker = issueMarker(world, letter);
  if (marker === null || letter.check === null) return null;
  const { repository, check } = letter;
  const { title, body } = buttonIssue(check.sha, world.linksFor(repository));
  const issue = { title, body: `${body}\n\n${printMarker(marker)}`, labels: [noticeLabel] };
  return (await world.forge.createIssue(repository, issue)).number;
}

function issueMarker({ cluster }: World, { check }: Letter): Marker | null {
  if (check === null) return null;
  return { kind: 'notice', instance: cluster.instance, incident: `button-${check.sha.slice(0, 12)}` };
}
