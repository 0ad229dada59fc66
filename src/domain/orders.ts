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
  /** A person asked that the stages ahead be frozen; null when nobody did, or it was thawed. */
  freeze: { by: string; at: number } | null;
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
    freeze: freeze === null ? null : { by: text(freeze.by), at: number(freeze.at, 0) },
  };
}
