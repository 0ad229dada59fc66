/**
 * Webhooks that went astray are found and asked for again: at the start, because Stepback may have been down, and every
 * few minutes. GitHub does neither by itself. Nudges would be made up for by the slow timer; a command that nobody heard
 * would be lost, so those come first.
 */
import type { Deliveries, FailedDelivery } from '../ports/deliveries.ts';
import { type Clock, type Log, WorldProblem } from '../ports.ts';

export interface RedeliveryOptions {
  forge: Pick<Deliveries, 'failedDeliveries' | 'redeliver'>;
  clock: Clock;
  log: Log;
  /** What has a handler; anything else may fail as it likes. */
  events: readonly string[];
  /** Of several replicas one asks. */
  isLeading?(): boolean;
  everyMs?: number;
}

export interface Redeliveries {
  /** Looks now, and again and again until `stop`. */
  start(): void;
  /** Looks at once, unless a look is under way; resolves when it has ended. */
  look(): Promise<void>;
  /** Resolves when no look is under way. */
  stop(): Promise<void>;
}

const minuteMs = 60_000;
/** GitHub keeps deliveries for so long. */
const keptMs = 3 * 24 * 60 * minuteMs;
/** A delivery is told as failed some time after it was tried: what was read lately is read again. */
const overlapMs = 15 * minuteMs;
/** Asked for by us; what fails each time does not fail by chance. */
const triesMax = 3;
/** One that was asked for is on its way for some seconds, and fails until it arrives. */
const onItsWayMs = minuteMs;
/** Asked for in one look. */
const redeliveriesMax = 50;

/** What cannot be read again anywhere. */
const irreplaceable: readonly string[] = ['issue_comment', 'check_run'];

/** Nothing is asked before `start` or `look`. */
export function openRedeliveries(options: RedeliveryOptions): Redeliveries {
  const { forge, clock, log, isLeading = () => true, everyMs = 5 * minuteMs } = options;
  /** How often each delivery was asked for, by its guid, and when last. */
  const asked = new Map<string, { times: number; at: number }>();
  let readTo = Number.NEGATIVE_INFINITY;
  let looking: Promise<void> | null = null;
  let cancel: (() => void) | null = null;
  let isStopped = false;

  function look(): Promise<void> {
    looking ??= lookNow().finally(() => {
      looking = null;
    });
    return looking;
  }

  async function lookNow(): Promise<void> {
    if (!isLeading()) {
      // Whoever leads next begins anew: what another replica asked for, it reads from the attempts.
      readTo = Number.NEGATIVE_INFINITY;
      return;
    }
    const now = clock.now();
    try {
      const since = Math.max(now - keptMs, readTo - overlapMs);
      const failed = (await forge.failedDeliveries(since)).filter(isWorthIt).toSorted(bySubstance);
      for (const delivery of failed.slice(0, redeliveriesMax)) {
        if (isStopped) return;
        await askAgain(delivery);
      }
      // What was left out is found again by the next look.
      if (failed.length <= redeliveriesMax) readTo = now;
      forgetBefore(now - keptMs);
    } catch (problem) {
      if (!(problem instanceof WorldProblem)) throw problem;
      log.warn('webhooks that failed could not be asked for again; they are looked for later', {
        problem: problem.message,
      });
    }
  }

  /** The first attempt was GitHub's own. */
  function isWorthIt({ guid, event, attempts }: FailedDelivery): boolean {
    const before = asked.get(guid);
    if (before !== undefined && clock.now() - before.at < onItsWayMs) return false;
    const times = Math.max(before?.times ?? 0, attempts - 1);
    // The log tells of fewer than were asked for: one of them never came.
    const isMissing = attempts - 1 < triesMax && times === triesMax;
    return (times < triesMax || isMissing) && options.events.includes(event);
  }

  async function askAgain({ id, guid, event, attempts }: FailedDelivery): Promise<void> {
    const times = Math.max(asked.get(guid)?.times ?? 0, attempts - 1) + 1;
    // Counted before it is asked for: an answer that is lost may have been a yes.
    asked.set(guid, { times, at: clock.now() });
    const answer = await forge.redeliver(id).catch((problem: unknown) => {
      // Refused for now, so it was not asked for.
      if (problem instanceof WorldProblem && problem.retryAfterMs !== null)
        asked.set(guid, { times: times - 1, at: clock.now() });
      throw problem;
    });
    log.info('a webhook that failed was asked for again', { delivery: guid, event, times, answer });
  }

  function forgetBefore(at: number): void {
    for (const [guid, one] of asked) if (one.at < at) asked.delete(guid);
  }

  function run(): void {
    if (isStopped) return;
    cancel = clock.after(everyMs, run);
    look().catch((problem: unknown) => {
      log.warn('looking for webhooks that failed has a fault', { problem: String(problem) });
    });
  }

  return {
    start: run,
    look,
    async stop() {
      isStopped = true;
      cancel?.();
      await looking?.catch(() => {});
    },
  };
}

/** What cannot be made up for first, each in the order in which it came. */
function bySubstance(one: FailedDelivery, other: FailedDelivery): number {
  return Number(irreplaceable.includes(other.event)) - Number(irreplaceable.includes(one.event));
}
