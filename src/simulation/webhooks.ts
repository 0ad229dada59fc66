/**
 * GitHub's webhooks: each goes to one of the Stepbacks that run, after a while, and GitHub waits for its answer for ten seconds. It
 * may come late, twice, or not at all; one that got no good answer is kept in GitHub's log and sent again when it is asked for.
 */
import type { Deliveries, FailedDelivery } from '../ports/deliveries.ts';
import type { Dice } from './dice.ts';
import type { Story } from './story.ts';
import type { FaultKind } from './tally.ts';
import type { Trouble } from './trouble.ts';
import type { VirtualTime } from './virtual-time.ts';

export type Delivery = { guid: string } & (
  | { event: 'push'; branch: string; sha: string; by: string }
  | { event: 'pull_request'; number: number; action: string; by: string }
  | { event: 'issue_comment'; number: number; commentId: number; by: string; saidAt: number; line: string }
  | { event: 'issues'; number: number; action: string; by: string }
);

/** A Stepback as GitHub knows it. */
export interface Receiver {
  isDead(): boolean;
  /** Rejects, or never ends, when the delivery is not to be called handled. */
  hear(delivery: Delivery): Promise<void>;
}

export interface WebhooksWish {
  time: VirtualTime;
  dice: Dice;
  story: Story;
  trouble(): Trouble;
  receivers(): readonly Receiver[];
  onFault(kind: FaultKind): void;
}

interface Sent {
  delivery: Delivery;
  /** When each attempt was made, and whether it went well; null while nobody knows. */
  attempts: { at: number; isDone: boolean | null }[];
}

/** The first, and three that are asked for. */
const attemptsMax = 4;
/** So long does GitHub wait. */
const patienceMs = 10_000;

export class Webhooks {
  readonly #wish: WebhooksWish;
  readonly #sent = new Map<string, Sent>();

  constructor(wish: WebhooksWish) {
    this.#wish = wish;
  }

  /** Sends what happened, as luck has it. */
  send(delivery: Delivery): void {
    const { dice, trouble, onFault } = this.#wish;
    const { lost, doubled, late } = trouble();
    // What people ask for is nowhere to be read again: a GitHub that keeps it to itself altogether cannot be made up for.
    if (delivery.event !== 'issue_comment' && dice.chance(lost / 2)) {
      onFault('event-lost');
      return;
    }
    const sent: Sent = { delivery, attempts: [] };
    this.#sent.set(delivery.guid, sent);
    const isLate = dice.chance(late);
    if (isLate) onFault('event-late');
    this.#attemptLater(sent, isLate ? dice.between(20, 400) * 1000 : dice.between(100, 4_000));
    if (!dice.chance(doubled)) return;
    onFault('event-doubled');
    this.#attemptLater(sent, dice.between(100, 60_000));
  }

  /** GitHub's log of what went astray. */
  log(): Deliveries {
    return {
      failedDeliveries: async (since) => [...this.#sent.values()].flatMap((sent) => failedOf(sent, since)),
      redeliver: async (id) => {
        const sent = this.#sent.get(id.replace(/\/.*$/, ''));
        if (sent === undefined) return 'gone';
        this.#wish.onFault('event-redelivered');
        this.#attemptLater(sent, this.#wish.dice.between(500, 8_000));
        return 'accepted';
      },
    };
  }

  /** A command that GitHub was not asked for as often as it should; null when there is none. */
  unheard(): string | null {
    const one = [...this.#sent.values()].find(({ delivery, attempts }) => {
      const isOver = attempts.length >= attemptsMax || attempts.some(({ isDone }) => isDone !== false);
      return delivery.event === 'issue_comment' && !isOver;
    });
    return one?.delivery.event === 'issue_comment' ? one.delivery.line : null;
  }

  #attemptLater(sent: Sent, delayMs: number): void {
    this.#wish.time.world.after(delayMs, () => this.#attempt(sent));
  }

  #attempt(sent: Sent): void {
    const { time, dice, receivers, trouble, onFault, story } = this.#wish;
    const attempt: Sent['attempts'][number] = { at: time.now(), isDone: null };
    sent.attempts.push(attempt);
    const alive = receivers().filter((one) => !one.isDead());
    const fail = (): void => {
      if (attempt.isDone !== null) return;
      attempt.isDone = false;
      onFault('event-failed');
      story.tell('github', () => `cannot deliver ${sent.delivery.event} ${sent.delivery.guid}`);
    };
    if (alive.length === 0 || dice.chance(trouble().lost / 2)) {
      fail();
      return;
    }
    dice
      .pick(alive)
      .hear(sent.delivery)
      .then(() => {
        attempt.isDone ??= true;
      }, fail);
    time.wakeHost();
    time.world.after(patienceMs, fail);
  }
}

/** None when an attempt went well, or when the last one is under way. */
function failedOf({ delivery, attempts }: Sent, since: number): readonly FailedDelivery[] {
  const failed = attempts.filter(({ at, isDone }) => isDone === false && at >= since);
  const last = failed.at(-1);
  if (last === undefined || attempts.some(({ isDone }) => isDone === true)) return [];
  const action = 'action' in delivery ? delivery.action : null;
  const { guid, event } = delivery;
  const id = `${guid}/${attempts.length}`;
  return [{ id, guid, event, action, deliveredAt: last.at, attempts: failed.length }];
}
