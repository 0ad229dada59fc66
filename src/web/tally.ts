/**
 * What happened since the start, counted for the metrics and noted for the page: looks and what came of them, requests
 * to GitHub, webhooks. It is told by others and decides nothing.
 */
import type { ObjectKey } from '../domain/objects.ts';
import type { LoopOptions } from '../loop/loop.ts';
import type { TickResult } from '../loop/tick.ts';
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
  /** One try of a request to GitHub. */
  requested(event: { phase: 'sent' | 'answered'; method: string; status: number | null }): void;
  received(event: HandledEvent, outcome: Outcome): void;
  refused(): void;
  /** When the ApplicationSet was last looked at, by our clock; null when it was not. */
  lookedAt(instance: string, key: ObjectKey): number | null;
  /** Whether its last look came to nothing, so that what is shown is older. */
  hasFailed(instance: string, key: ObjectKey): boolean;
  counts(name: CountName): readonly Count[];
}

const countNames = ['ticks', 'decisions', 'reasons', 'webhooks', 'requests'] as const;
export type CountName = (typeof countNames)[number];

/** An empty tally. */
export function openTally(clock: Pick<Clock, 'now'>): Tally {
  const counters = new Map(countNames.map((name) => [name, new Map<string, Count>()]));
  const looks = new Map<string, { at: number | null; hasFailed: boolean; reasons: readonly string[] }>();

  function add(name: CountName, labels: Readonly<Record<string, string>>): void {
    const counter = counters.get(name);
    const id = JSON.stringify(labels);
    counter?.set(id, { labels, value: (counter.get(id)?.value ?? 0) + 1 });
  }

  return {
    startedAt: clock.now(),
    ticked(instance, key, outcome) {
      const id = `${instance} ${key}`;
      const before = looks.get(id) ?? { at: null, hasFailed: false, reasons: [] };
      if (outcome === null) {
        // The loop says the same of a look that failed and of an ApplicationSet that is gone.
        add('ticks', { instance, result: 'nothing' });
        looks.set(id, { ...before, hasFailed: true });
        return;
      }
      const isQuiet = outcome === 'quiet';
      add('ticks', { instance, result: isQuiet ? 'quiet' : 'looked' });
      if (!isQuiet) add('decisions', { instance, decision: outcome.decision.kind });
      const reasons = isQuiet ? [] : reasonsNotToAct(outcome);
      // A reason counts when it comes up, not at each look at which it still stands.
      for (const reason of reasons.filter((one) => !before.reasons.includes(one))) {
        add('reasons', { instance, reason });
      }
      looks.set(id, { at: clock.now(), hasFailed: false, reasons });
    },
    requested({ phase, method, status }) {
      if (phase === 'answered') add('requests', { method, status: String(status ?? 'none') });
    },
    received: (event, outcome) => add('webhooks', { event, outcome }),
    refused: () => add('webhooks', { event: 'unknown', outcome: 'refused' }),
    lookedAt: (instance, key) => looks.get(`${instance} ${key}`)?.at ?? null,
    hasFailed: (instance, key) => looks.get(`${instance} ${key}`)?.hasFailed ?? false,
    counts: (name) => [...(counters.get(name)?.values() ?? [])],
  };
}

/** Why there is no revert, in the codes that the texts put into sentences. None when there is one. */
function reasonsNotToAct(result: TickResult): readonly string[] {
  const { decision, culprit, incident } = result;
  if (incident?.obstacle != null && incident.pullRequest === null) return [incident.obstacle.kind];
  if (decision.kind !== 'nothing') return [];
  return [decision.why === 'no-culprit' && culprit?.kind === 'none' ? culprit.reason : decision.why];
}
