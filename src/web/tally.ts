/**
 * What happened since the start, counted for the metrics and noted for the page: looks and what came of them, requests
 * to GitHub, webhooks. It is told by others and decides nothing.
 */
import type { ObjectKey } from '../domain/objects.ts';
import type { LoopOptions } from '../loop/loop.ts';
import type { Clock } from '../ports.ts';
import type { HandledEvent, Outcome } from './webhooks.ts';

type TickOutcome = Parameters<NonNullable<LoopOptions['onTick']>>[1];

/** How often something with these labels happened. */
interface Count {
  labels: Readonly<Record<string, string>>;
  value: number;
}

export interface Tally {
  startedAt: number;
  /** A look at an ApplicationSet came to its end. */
  ticked(instance: string, key: ObjectKey, outcome: TickOutcome): void;
  /** A look failed, for this reason in a sentence; it will be made again. */
  failed(instance: string, key: ObjectKey, problem: string): void;
  /** One try of a request to GitHub. */
  requested(event: { phase: 'sent' | 'answered'; method: string; status: number | null }): void;
  received(event: HandledEvent, outcome: Outcome): void;
  refused(): void;
  /** When the ApplicationSet was last looked at, by our clock; null when it was not. */
  lookedAt(instance: string, key: ObjectKey): number | null;
  /** Why its last look failed, so that what is shown is older; null when it did not. */
  problem(instance: string, key: ObjectKey): string | null;
  counts(name: CountName): readonly Count[];
}

const countNames = ['ticks', 'decisions', 'not-reverted', 'webhooks', 'requests'] as const;
export type CountName = (typeof countNames)[number];

interface Look {
  at: number | null;
  problem: string | null;
  /** Why there was no revert. */
  why: string | null;
}

const unseen: Look = { at: null, problem: null, why: null };

/** An empty tally. */
export function openTally(clock: Pick<Clock, 'now'>): Tally {
  const counters = new Map(countNames.map((name) => [name, new Map<string, Count>()]));
  const looks = new Map<string, Look>();

  function add(name: CountName, labels: Readonly<Record<string, string>>): void {
    const counter = counters.get(name);
    const id = JSON.stringify(labels);
    counter?.set(id, { labels, value: (counter.get(id)?.value ?? 0) + 1 });
  }

  return {
    startedAt: clock.now(),
    ticked(instance, key, outcome) {
      const id = `${instance} ${key}`;
      const before = looks.get(id) ?? unseen;
      if (outcome === null) {
        add('ticks', { instance, result: 'gone' });
        looks.delete(id);
        return;
      }
      const isQuiet = outcome === 'quiet';
      add('ticks', { instance, result: isQuiet ? 'quiet' : 'looked' });
      if (!isQuiet) add('decisions', { instance, decision: outcome.decision?.kind ?? 'none' });
      const why = isQuiet ? null : (outcome.whyNot?.code ?? null);
      // It counts when it becomes so, not at each look at which it still stands.
      if (why !== null && why !== before.why) add('not-reverted', { instance, why });
      looks.set(id, { at: clock.now(), problem: null, why });
    },
    failed(instance, key, problem) {
      const id = `${instance} ${key}`;
      add('ticks', { instance, result: 'failed' });
      looks.set(id, { ...(looks.get(id) ?? unseen), problem });
    },
    requested({ phase, method, status }) {
      if (phase === 'answered') add('requests', { method, status: String(status ?? 'none') });
    },
    received: (event, outcome) => add('webhooks', { event, outcome }),
    refused: () => add('webhooks', { event: 'unknown', outcome: 'refused' }),
    lookedAt: (instance, key) => looks.get(`${instance} ${key}`)?.at ?? null,
    problem: (instance, key) => looks.get(`${instance} ${key}`)?.problem ?? null,
    counts: (name) => [...(counters.get(name)?.values() ?? [])],
  };
}
