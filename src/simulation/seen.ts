/**
 * What Stepback has written into the ledger, as it became so: which order stood for which ApplicationSet, and what people's orders
 * made of incidents. Laws about orders are judged by it, because what is written over later cannot be read at the end.
 */
import type { Incident } from '../domain/incident.ts';
import type { Hold, HoldOrder, Orders, Snooze } from '../domain/orders.ts';
import type { StoredMemory } from '../domain/stored-memory.ts';
import { hadEffect, type Written } from './through-trouble.ts';

export interface OrdersOfSet {
  /** In the order in which they stood. */
  holds: Hold[];
  freezes: HoldOrder[];
  snoozes: Snooze[];
}

export class Seen {
  readonly orders = new Map<string, OrdersOfSet>();
  /** As each was written last. */
  readonly incidents = new Map<string, Incident>();
  /** Times of the letters that dismissed something, or took it up again. */
  readonly dismissals = new Set<number>();
  readonly takenUp = new Set<number>();
  /** By `time of the letter`: incidents that note it. */
  readonly ordered = new Map<number, Set<string>>();
  /** How often a sync was asked of an Application for a person. */
  readonly syncs = new Map<string, number>();
  /** The ledger was lost: what stood before need not stand. */
  isLedgerLost = false;

  /** Takes a write in; a sentence says that an order came back or was lost, or stands twice. */
  note(written: Written): string | null {
    if (!hadEffect(written)) return null;
    const { method, args } = written;
    if (method === 'saveMemory') return this.#noteMemory(String(args[0]), (args[1] as StoredMemory).orders);
    if (method === 'saveIncident') return this.#noteIncident(args[1] as Incident);
    const reason = method === 'sync' ? (args[1] as { reason: string }).reason : '';
    if (reason.startsWith('asked for by'))
      this.syncs.set(String(args[0]), (this.syncs.get(String(args[0])) ?? 0) + 1);
    return null;
  }

  #noteMemory(key: string, { holds, freeze, snoozes }: Orders): string | null {
    const known = this.orders.get(key) ?? { holds: [], freezes: [], snoozes: [] };
    this.orders.set(key, known);
    for (const snooze of snoozes)
      if (!known.snoozes.some((one) => one.at === snooze.at)) known.snoozes.push(snooze);
    return (
      this.#follows('hold', key, known.holds, holds.at(-1) ?? null) ??
      this.#follows('freeze', key, known.freezes, freeze)
    );
  }

  #follows<Order extends { at: number }>(
    kind: string,
    key: string,
    before: Order[],
    next: Order | null,
  ): string | null {
    const last = before.at(-1);
    if (next === null) {
      if (last === undefined || this.isLedgerLost) return null;
      return `the last order to ${kind} ${key} was lost`;
    }
    if (last?.at === next.at) {
      before[before.length - 1] = next;
      return null;
    }
    const isBack = before.some(({ at }) => at === next.at);
    before.push(next);
    return isBack ? `an older order to ${kind} ${key} stands again` : null;
  }

  #noteIncident(incident: Incident): string | null {
    this.incidents.set(incident.id, incident);
    if (incident.dismissal != null) this.dismissals.add(incident.dismissal.at);
    const lines = incident.timeline.filter(({ what }) => what === 'ordered');
    for (const { at } of lines)
      this.ordered.set(at, (this.ordered.get(at) ?? new Set<string>()).add(incident.id));
    for (const { what, at } of incident.timeline) if (what === 'reopened') this.takenUp.add(at);
    const names = lines.map(({ at, detail }) => `${at} ${detail}`);
    const twice = names.find((name, index) => names.indexOf(name) !== index);
    return twice === undefined ? null : `${incident.id} notes one order twice: ${twice}`;
  }
}
