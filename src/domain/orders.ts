/**
 * What people ordered for one ApplicationSet by commands: no reverts for a while, an Application or a stage left out of
 * the verdict for a while, stages held by hand. Kept in the ledger beside what is remembered, so that it survives a restart.
 */
import { list, number, record, recordOrNull, text } from './read.ts';

export interface Hold {
  /** No reverts before this moment, milliseconds since the epoch. */
  until: number;
  by: string;
  at: number;
  /** `owner/name` where it was ordered: who may there may nothing elsewhere. Absent, as in an earlier version: everywhere. */
  repository?: string;
}

export interface Snooze {
  /** `stage` by number or name as it was ordered, `application` by name. */
  kind: 'application' | 'stage';
  name: string;
  until: number;
  by: string;
  at: number;
}

export interface Orders {
  /** One for each repository that feeds it. */
  holds: readonly Hold[];
  snoozes: readonly Snooze[];
  /** A person asked that the stages ahead be frozen, or thawed; the last word counts. Null when nobody did. */
  freeze: HoldOrder | null;
}

/** About the incident that is open at that moment, and no later one. */
export interface HoldOrder {
  kind: 'freeze' | 'thaw';
  by: string;
  at: number;
}

export const noOrders: Orders = { holds: [], snoozes: [], freeze: null };

/** Reads what was stored; what cannot be read is no order. Never throws. */
export function readOrders(value: unknown): Orders {
  const stored = record(value);
  // An earlier version kept one.
  const holds = stored.hold == null ? list(stored.holds) : [stored.hold];
  const freeze = recordOrNull(stored.freeze);
  return {
    holds: holds.map(record).map(readHold),
    snoozes: list(stored.snoozes)
      .map(record)
      .map((one) => ({
        kind: one.kind === 'stage' ? ('stage' as const) : ('application' as const),
        name: text(one.name),
        until: number(one.until, 0),
        by: text(one.by),
        at: number(one.at, 0),
      })),
    freeze:
      freeze === null
        ? null
        : {
            kind: freeze.kind === 'thaw' ? 'thaw' : 'freeze',
            by: text(freeze.by),
            at: number(freeze.at, 0),
          },
  };
}

function readHold(one: Record<string, unknown>): Hold {
  const repository = text(one.repository);
  return {
    until: number(one.until, 0),
    by: text(one.by),
    at: number(one.at, 0),
    ...(repository === '' ? {} : { repository }),
  };
}

/** The hold that counts in a repository (`owner/name`) at this moment; null when there is none or it is over. */
export function holdAt(orders: Orders, repository: string, now: number): Hold | null {
  return longestHold([orders], repository, now);
}

/** The same of several ApplicationSets: the one that ends last. */
export function longestHold(several: readonly Orders[], repository: string, now: number): Hold | null {
  const holds = several.flatMap((orders) => holdsIn(orders, repository).filter(({ until }) => until > now));
  return holds.reduce<Hold | null>(
    (last, hold) => (last === null || hold.until > last.until ? hold : last),
    null,
  );
}

/** How long until each of what counts now is over, in milliseconds. */
export function ordersEndIn(orders: Orders, now: number): readonly number[] {
  const holds = orders.holds.filter(({ until }) => until > now);
  return [...holds, ...snoozesAt(orders, now)].map(({ until }) => until - now);
}

/** The snoozes that count at this moment. */
export function snoozesAt(orders: Orders, now: number): readonly Snooze[] {
  return orders.snoozes.filter((snooze) => snooze.until > now);
}

/** Those that were ordered for a repository, over or not. */
export function holdsIn({ holds }: Orders, repository: string): readonly Hold[] {
  return holds.filter((hold) => isOf(hold, repository));
}

function isOf({ repository: where }: Hold, repository: string): boolean {
  return where === undefined || where.toLowerCase() === repository.toLowerCase();
}

/** A later hold of the same repository replaces the one before it. */
export function withHold(orders: Orders, hold: Hold & { repository: string }): Orders {
  const others = orders.holds.filter((one) => one.repository !== undefined && !isOf(one, hold.repository));
  return { ...orders, holds: [...others, hold] };
}

/** Holds of the repository end at this moment, if not before. */
export function withoutHold(orders: Orders, repository: string, at: number): Orders {
  const holds = orders.holds.map((one) =>
    isOf(one, repository) ? { ...one, until: Math.min(one.until, at) } : one,
  );
  return { ...orders, holds };
}

/** A later snooze of the same place replaces the one before it; what is over is forgotten. */
export function withSnooze(orders: Orders, snooze: Snooze, now: number): Orders {
  const others = snoozesAt(orders, now).filter(
    (other) => other.kind !== snooze.kind || other.name !== snooze.name,
  );
  return { ...orders, snoozes: [...others, snooze] };
}
