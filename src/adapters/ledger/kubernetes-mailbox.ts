/**
 * The Mailbox over custom resources: a CommandRequest for each letter. Making the object is the claim, because the API server
 * makes one name once, whoever asks. A label tells the waiting from the answered, so that looking for post costs
 * nothing when there is none; what was answered stays for people to read (`kubectl get commandrequests`).
 */
import type { ObjectKey } from '../../domain/objects.ts';
import { type Json, list, record, recordOrNull, text, time } from '../../domain/read.ts';
import { type Letter, type LetterOutcome, letterLimits, type Mailbox } from '../../ports/mailbox.ts';
import type { Stored } from '../../ports.ts';
import {
  apiVersion,
  type CustomObject,
  commandRequests,
  hasReason,
  ourLabels,
  type ResourceClient,
  versionOf,
} from './custom-resources.ts';
import { objectName } from './names.ts';

export interface MailboxOptions {
  client: ResourceClient;
  /** The instance's name; each has its own letters. */
  instance: string;
  /** Where CommandRequests live. */
  namespace: string;
}

/** GitHub sends a delivery again for three days. What is younger is only cut when there is far too much. */
const dayMs = 24 * 60 * 60 * 1000;
const keptLimits = { ageMsMax: 30 * dayMs, countMax: 1_000, youngMsMax: 4 * dayMs, youngCountMax: 10_000 };
/** Cut at once; the rest goes the next time. */
const cutMax = 500;

const pageSize = '250';
/** Of waiting letters that are read at once, and of answered ones that are counted. */
const pagesMax = { waiting: 20, answered: 60 };

const stateLabel = 'stepback.dev/state';
type State = 'waiting' | 'answered';

export class KubernetesMailbox implements Mailbox {
  readonly #options: MailboxOptions;

  constructor(options: MailboxOptions) {
    this.#options = options;
  }

  /** Throws WorldProblem, a permanent one when the kind is not installed. */
  async post(letter: Letter): Promise<'posted' | 'known'> {
    const { client, instance, namespace } = this.#options;
    const object: CustomObject = {
      apiVersion,
      kind: 'CommandRequest',
      metadata: { name: this.#nameOf(letter), namespace, labels: { ...ourLabels, [stateLabel]: 'waiting' } },
      spec: specOf(instance, letter),
    };
    try {
      await client.create(commandRequests, namespace, object);
      return 'posted';
    } catch (problem) {
      if (hasReason(problem, 'already-exists')) return 'known';
      throw problem;
    }
  }

  /** At most 5,000, in order of their names when there are more. Throws WorldProblem. */
  async waiting(): Promise<readonly Stored<Letter>[]> {
    const found: Stored<Letter>[] = [];
    for (const object of await this.#all('waiting')) {
      const letter = letterOf(record(object.spec));
      // Somebody may have made one by hand that says nothing.
      if (letter === null) continue;
      if (text(record(object.status).settledAt) === '')
        found.push({ value: letter, version: versionOf(object) });
      else await this.#label(letter);
    }
    return found.sort(
      ({ value: one }, { value: other }) => one.receivedAt - other.receivedAt || (one.id < other.id ? -1 : 1),
    );
  }

  /** Takes two writes; when only the first one came through, `waiting` makes up for the second. Throws WorldProblem. */
  async settle(
    { value: letter, version }: Stored<Letter>,
    outcomes: readonly LetterOutcome[],
    replyId: number | null,
    at: number,
  ): Promise<'done' | 'conflict'> {
    const { client, namespace } = this.#options;
    const status = {
      answer: answerOf(outcomes),
      settledAt: new Date(at).toISOString(),
      replyId,
      outcomes: outcomes.slice(0, letterLimits.linesMax + 1).map(({ line, kind, why }) => ({
        line: cut(line, letterLimits.lineLengthMax),
        kind,
        why: cut(why, 256),
      })),
    };
    const patch = { metadata: { resourceVersion: version }, status };
    try {
      await client.patch(commandRequests, namespace, this.#nameOf(letter), patch, { subresource: 'status' });
      await this.#label(letter);
      return 'done';
    } catch (problem) {
      if (hasReason(problem, 'conflict') || hasReason(problem, 'not-found')) return 'conflict';
      throw problem;
    }
  }

  /** As many as the audit trail is read of at once. Throws WorldProblem. */
  async answeredSince(at: number): Promise<readonly Letter[]> {
    const found = (await this.#all('answered')).filter(({ status }) => {
      const { settledAt, replyId } = record(status);
      return (time(settledAt) ?? 0) >= at && idOf(replyId) !== null;
    });
    return found.map(({ spec }) => letterOf(record(spec))).filter((letter) => letter !== null);
  }

  /**
   * Answered letters older than 30 days go, and the oldest of more than 1,000; but none that GitHub might deliver again,
   * because it would be taken for a new one, unless there are more than 10,000. Throws WorldProblem.
   */
  async prune(now: number): Promise<number> {
    const { client, namespace } = this.#options;
    const answered = (await this.#all('answered'))
      .map((object) => ({
        name: text(record(object.metadata).name),
        ageMs: now - (time(record(object.status).settledAt) ?? now),
      }))
      .sort((one, other) => one.ageMs - other.ageMs);
    const { ageMsMax, countMax, youngMsMax, youngCountMax } = keptLimits;
    const leaving = answered.filter(
      ({ ageMs }, place) =>
        ageMs > ageMsMax || place >= youngCountMax || (place >= countMax && ageMs > youngMsMax),
    );
    const cutNow = leaving.slice(-cutMax);
    for (const { name } of cutNow) {
      try {
        await client.delete(commandRequests, namespace, name);
      } catch (problem) {
        if (!hasReason(problem, 'not-found')) throw problem;
      }
    }
    return cutNow.length;
  }

  #nameOf(letter: Pick<Letter, 'id'>): string {
    return objectName(`${this.#options.instance}.${letter.id}`);
  }

  async #label(letter: Letter): Promise<void> {
    const { client, namespace } = this.#options;
    const patch = { metadata: { labels: { [stateLabel]: 'answered' satisfies State } } };
    await client.patch(commandRequests, namespace, this.#nameOf(letter), patch);
  }

  /** Those of this instance, as far as is read at once. */
  async #all(state: State): Promise<readonly Json[]> {
    const { client, namespace, instance } = this.#options;
    const found: Json[] = [];
    let token = '';
    for (let page = 0; page < pagesMax[state]; page += 1) {
      const query = {
        labelSelector: `${stateLabel}=${state}`,
        limit: pageSize,
        ...(token === '' ? {} : { continue: token }),
      };
      const { object } = await client.list(commandRequests, namespace, { query });
      found.push(
        ...list(object.items)
          .map(record)
          .filter((item) => record(item.spec).instance === instance),
      );
      token = text(record(object.metadata).continue);
      if (token === '') break;
    }
    return found;
  }
}

/** A letter as it is stored, and beside it what `kubectl get` shows. */
function specOf(instance: string, letter: Letter): Json {
  const { repository, number, check, lines, sender } = letter;
  const place = `${repository.owner}/${repository.name}`;
  const kept = lines
    .slice(0, letterLimits.linesMax)
    .map((line) => cut(line, letterLimits.lineLengthMax).toWellFormed());
  return {
    instance,
    id: letter.id,
    who: cut(sender.login, 256),
    what: cut(kept.join('; '), 512).toWellFormed(),
    where: cut(number === null ? `${place}@${check?.sha.slice(0, 7) ?? ''}` : `${place}#${number}`, 512),
    receivedAt: new Date(letter.receivedAt).toISOString(),
    ...(letter.saidAt === null ? {} : { saidAt: new Date(letter.saidAt).toISOString() }),
    repository: { host: repository.host, owner: repository.owner, name: repository.name },
    ...(number === null ? {} : { number }),
    isPullRequest: letter.isPullRequest,
    ...(letter.commentId === null ? {} : { commentId: letter.commentId }),
    ...(check === null ? {} : { check: { sha: check.sha, name: check.name, externalId: check.externalId } }),
    ...(letter.applicationSet === null ? {} : { applicationSet: letter.applicationSet }),
    sender: { login: sender.login, isBot: sender.isBot, isOurs: sender.isOurs },
    lines: kept,
    hasMore: letter.hasMore || lines.length > letterLimits.linesMax,
  };
}

/** Null when it is none: an object may be of another version, or made by hand. */
function letterOf(spec: Json): Letter | null {
  const repository = record(spec.repository);
  const [host, owner, name] = [text(repository.host), text(repository.owner), text(repository.name)];
  const [id, receivedAt] = [text(spec.id), time(spec.receivedAt)];
  const sender = record(spec.sender);
  const lines = list(spec.lines).map(text);
  if ([host, owner, name, id, text(sender.login)].includes('') || receivedAt === null || lines.length === 0)
    return null;
  const check = recordOrNull(spec.check);
  return {
    id,
    repository: { host, owner, name },
    number: idOf(spec.number),
    isPullRequest: spec.isPullRequest === true,
    commentId: idOf(spec.commentId),
    check:
      check === null
        ? null
        : { sha: text(check.sha), name: text(check.name), externalId: text(check.externalId) },
    applicationSet: /^[^/]+\/[^/]+$/.test(text(spec.applicationSet))
      ? (text(spec.applicationSet) as ObjectKey)
      : null,
    sender: { login: text(sender.login), isBot: sender.isBot === true, isOurs: sender.isOurs === true },
    lines,
    hasMore: spec.hasMore === true,
    saidAt: time(spec.saidAt),
    receivedAt,
  };
}

function idOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : null;
}

/** One line for `kubectl get`: `accepted`, or each different answer once. */
function answerOf(outcomes: readonly LetterOutcome[]): string {
  const words = outcomes.map(({ kind, why }) => (why === '' ? kind : `${kind}: ${why}`));
  return cut([...new Set(words)].join(', '), 256);
}

function cut(words: string, lengthMax: number): string {
  return words.slice(0, lengthMax);
}
