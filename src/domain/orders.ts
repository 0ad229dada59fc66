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
  hold: Hold | null;
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

export const noOrders: Orders = { hold: null, snoozes: [], freeze: null };

/** Reads what was stored; what cannot be read is no order. Never throws. */
export function readOrders(value: unknown): Orders {
  const stored = record(value);
  const hold = recordOrNull(stored.hold);
  const freeze = recordOrNull(stored.freeze);
  return {
    hold: hold === null ? null : { until: number(hold.until, 0), by: text(hold.by), at: number(hold.at, 0) },
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

/** The hold that counts at this moment; null when there is none or it is over. */
export function holdAt(orders: Orders, now: number): Hold | null {
  return orders.hold !== null && orders.hold.until > now ? orders.hold : null;
}

/** Of several ApplicationSets the hold that ends last; null when none is held. */
export function longestHold(several: readonly Orders[], now: number): Hold | null {
  const holds = several.map((orders) => holdAt(orders, now)).filter((hold) => hold !== null);
  return holds.reduce<Hold | null>(
    (last, hold) => (last === null || hold.until > last.until ? hold : last),
    null,
  );
}

/** How long until each of what counts now is over, in milliseconds. */
export function ordersEndIn(orders: Orders, now: number): readonly number[] {
  const hold = holdAt(orders, now);
  return [...(hold === null ? [] : [hold]), ...snoozesAt(orders, now)].map(({ until }) => until - now);
}

/** The snoozes that count at this moment. */
export function snoozesAt(orders: Orders, now: number): readonly Snooze[] {
  return orders.snoozes.filter((snooze) => snooze.until > now);
}

/** A later hold replaces the one before it. */
export function withHold(orders: Orders, hold: Hold | null): Orders {
  return { ...orders, hold };
}

/** A later snooze of the same place replaces the one before it; what is over is forgotten. */
export function withSnooze(orders: Orders, snooze: Snooze, now: number): Orders {
  const others = snoozesAt(orders, now).filter(
    (other) => other.kind !== snooze.kind || other.name !== snooze.name,
  );
  return { ...orders, snoozes: [...others, snooze] };
}
