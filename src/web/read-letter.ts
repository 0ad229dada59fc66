/**
 * From a webhook to a letter: what a comment or a button asks for, or why it asks for nothing. The payload is
 * signed by GitHub, but what is in it was written by anybody.
 */
import { parseCheckId } from '../domain/check-id.ts';
import { parseCommand } from '../domain/command.ts';
import { addedLines } from '../domain/command-comment.ts';
import { digestOf } from '../domain/digest.ts';
import { isCommit } from '../domain/objects.ts';
import { type Json, record, recordOrNull, text, time } from '../domain/read.ts';
import { type Letter, letterLimits } from '../ports/mailbox.ts';
import type { Repository } from '../ports.ts';
import { isOwn, repositoryOf } from './payload.ts';

export interface Receipt {
  /** The GitHub server, as the Forge names it. */
  host: string;
  /** The account of the App, `slug[bot]`. */
  appLogin: string;
  /** `X-GitHub-Delivery`: the same for every attempt at one delivery. */
  deliveryId: string;
  receivedAt: number;
}

/** `own`: we did it ourselves. `nothing`: it asks for nothing that we know, or may not be heard. */
export type Heard = Letter | 'own' | 'nothing';

/**
 * GitHub delivers again for three days, and the mailbox knows longer what it has heard. What is older comes from
 * nobody who means well.
 */
const ageMsMax = 4 * 24 * 60 * 60 * 1000;

const nameLengthMax = { check: 512, externalId: 1_024 };

/**
 * Of a comment that was written or edited. Two deliveries are the same letter when comment, time of the edit and the lines
 * that it added are: so it is when one is sent again, reaches two replicas, or comes by a webhook of the repository as
 * well as by that of the App. The time alone would not do, because GitHub tells it in seconds and two edits fit into
 * one; the lines alone would not do, because who takes a command out and later types it again means it. An edit that does not
 * say what was there before (it changed no text) adds nothing. A deletion takes nothing back.
 * Source: test/incidents/GH01, GH02, GH16, GH19.
 */
export function letterOfComment(payload: Json, receipt: Receipt): Heard {
  const [comment, issue] = [record(payload.comment), record(payload.issue)];
  const action = text(payload.action);
  const from = record(record(payload.changes).body).from;
  if (action !== 'created' && !(action === 'edited' && typeof from === 'string')) return 'nothing';
  const repository = repositoryOf(receipt.host, payload);
  const [id, number] = [idOf(comment.id), idOf(issue.number)];
  if (repository === null || id === null || number === null) return 'nothing';
  const sender = senderOf(payload, receipt);
  // Our own words quote commands, and people may edit them: what stands there is not typed by them as a comment of theirs.
  if (sender === 'own' || sender === 'nothing') return sender;
  if (record(comment.user).type === 'Bot') return 'nothing';
  const body = typeof comment.body === 'string' ? comment.body : null;
  const { lines, hasMore } = addedLines(action === 'edited' ? text(from) : null, body);
  if (lines.length === 0) return 'nothing';
  const saidAt = time(comment.updated_at) ?? time(comment.created_at);
  if (saidAt !== null && receipt.receivedAt - saidAt > ageMsMax) return 'nothing';
  const kept = lines.map(keptOf);
  return {
    id: `comment-${id}-${digestOf(JSON.stringify([placeOf(repository), saidAt, kept]))}`,
    repository,
    number,
    isPullRequest: recordOrNull(issue.pull_request) !== null,
    commentId: id,
    check: null,
    applicationSet: null,
    sender,
    lines: kept,
    hasMore,
    saidAt,
    receivedAt: receipt.receivedAt,
  };
}

/**
 * Of a button under a check run of ours. GitHub does not say when it was pressed, and tells the App alone, so two deliveries
 * are the same letter when their number is: it stays the same when one is sent again, and each press has another.
 */
export function letterOfButton(payload: Json, receipt: Receipt): Heard {
  const check = record(payload.check_run);
  const identifier = text(record(payload.requested_action).identifier);
  const line = `/stepback ${identifier}`;
  const repository = repositoryOf(receipt.host, payload);
  const [id, sha] = [idOf(check.id), text(check.head_sha)];
  const isOfOurs = `${text(record(check.app).slug)}[bot]`.toLowerCase() === receipt.appLogin.toLowerCase();
  if (text(payload.action) !== 'requested_action' || !isOfOurs) return 'nothing';
  if (repository === null || id === null || !isCommit(sha)) return 'nothing';
  const sender = senderOf(payload, receipt);
  if (sender === 'own' || sender === 'nothing') return sender;
  const [name, externalId] = [text(check.name), text(check.external_id)];
  if (name.length > nameLengthMax.check || externalId.length > nameLengthMax.externalId) return 'nothing';
  if (!/^[a-z]{1,20}$/.test(identifier) || parseCommand(line)?.kind !== 'command') return 'nothing';
  return {
    id: `button-${id}-${digestOf(JSON.stringify([placeOf(repository), receipt.deliveryId, line, sender.login]))}`,
    repository,
    number: null,
    isPullRequest: false,
    commentId: null,
    check: { sha, name, externalId },
    applicationSet: parseCheckId(externalId)?.applicationSet ?? null,
    sender,
    lines: [line],
    hasMore: false,
    saidAt: null,
    receivedAt: receipt.receivedAt,
  };
}

/** A person, by a name that a person can have. */
function senderOf(payload: Json, receipt: Receipt): Letter['sender'] | 'own' | 'nothing' {
  if (isOwn(receipt.appLogin, payload)) return 'own';
  const sender = record(payload.sender);
  const login = text(sender.login);
  const isPerson = sender.type === 'User' && /^[A-Za-z0-9][\w-]{0,99}$/.test(login);
  return isPerson ? { login, isBot: false, isOurs: false } : 'nothing';
}

/** Blanks say nothing, and must not push what is said beyond the limit. */
function keptOf(line: string): string {
  const short = line.length <= letterLimits.lineLengthMax ? line : line.replace(/\s+/g, ' ');
  return short.slice(0, letterLimits.lineLengthMax).toWellFormed();
}

/** Of a number that JavaScript holds exactly: two others could look the same. */
function idOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : null;
}

function placeOf({ host, owner, name }: Repository): string {
  return `${host}/${owner}/${name}`;
}
