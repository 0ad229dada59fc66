/**
 * GitHub's limits, obeyed. Once GitHub says that we ask too much, asking on can get an App banned, so the gate stays
 * shut until the time it named, and everybody who comes is told at once when to come again. No request waits in
 * here: a tick that holds still for an hour would act on what it saw an hour ago.
 * https://docs.github.com/rest/using-the-rest-api/best-practices-for-using-the-rest-api#handle-rate-limit-errors-appropriately
 */
import { type Clock, WorldProblem } from '../../ports.ts';
import { type Refusal, refusalOf } from './refusal.ts';

export type Traffic = 'read' | 'write';

export interface LimitGate {
  /** Throws a transient WorldProblem while the gate is shut for this traffic. */
  pass(traffic: Traffic): void;
  /** Shuts the gate when the error is a limit, and gives the problem to throw instead; null when it is none. */
  refused(error: unknown, traffic: Traffic): WorldProblem | null;
  /** GitHub let one through: the next secondary limit starts from a minute again. */
  succeeded(traffic: Traffic): void;
}

/** GitHub asks for a minute at the least when it names no time (GH03). */
const secondaryWaitMsMin = 60_000;
const secondaryWaitMsMax = 30 * 60_000;
/** Up to a quarter more, but not a quarter of an hour more. */
const jitterShare = 0.25;
const jitterMsMax = 60_000;

/**
 * A gate for one installation. `who` names it in messages; `random` gives 0 up to 1. A primary limit shuts it for
 * everything; a secondary one shuts it for writes, and for reads too when it was a read that met it.
 */
export function createLimitGate(clock: Clock, random: () => number, who: string): LimitGate {
  const shutUntil: Record<Traffic, number> = { read: 0, write: 0 };
  const strikes: Record<Traffic, number> = { read: 0, write: 0 };
  const reason: Record<Traffic, string> = { read: '', write: '' };

  function shut(traffic: Traffic, untilAt: number, why: string): void {
    if (untilAt <= shutUntil[traffic]) return;
    shutUntil[traffic] = untilAt;
    reason[traffic] = why;
  }

  function waitMsOf(refusal: Refusal, kind: 'primary' | 'secondary', traffic: Traffic): number {
    const askedMs = askedWaitMs(refusal, kind, clock.now());
    const growingMs = Math.min(secondaryWaitMsMin * 2 ** (strikes[traffic] - 1), secondaryWaitMsMax);
    const waitMs = askedMs ?? growingMs;
    return Math.ceil(waitMs + Math.min(waitMs * jitterShare, jitterMsMax) * random());
  }

  return {
    pass(traffic) {
      const restMs = shutUntil[traffic] - clock.now();
      if (restMs > 0) throw limitProblem(who, reason[traffic], restMs);
    },
    refused(error, traffic) {
      const refusal = refusalOf(error);
      const kind = refusal === null ? null : limitKindOf(refusal);
      if (refusal === null || kind === null) return null;
      // Of several that were on their way when it shut, only the first is a new strike.
      if (kind === 'secondary' && shutUntil[traffic] <= clock.now()) strikes[traffic] += 1;
      const waitMs = waitMsOf(refusal, kind, traffic);
      const why = kind === 'primary' ? 'those of this hour are used up' : 'too many in a short time';
      shut('write', clock.now() + waitMs, why);
      if (kind === 'primary' || traffic === 'read') shut('read', clock.now() + waitMs, why);
      return limitProblem(who, why, waitMs, error);
    },
    succeeded(traffic) {
      strikes[traffic] = 0;
    },
  };
}

/** A 403 is a limit only by its words or headers: most are about permissions. */
function limitKindOf(refusal: Refusal): 'primary' | 'secondary' | null {
  if (refusal.status !== 403 && refusal.status !== 429) return null;
  if (refusal.messages.some((message) => /secondary rate limit|abuse detection/i.test(message))) {
    return 'secondary';
  }
  if (refusal.headers['x-ratelimit-remaining'] === '0') return 'primary';
  if (refusal.messages.some((message) => /API rate limit exceeded/i.test(message))) return 'primary';
  return refusal.status === 429 || refusal.headers['retry-after'] !== undefined ? 'secondary' : null;
}

/** What GitHub asks for in milliseconds, or null. Its reset time is measured with its own clock where it says it. */
function askedWaitMs(refusal: Refusal, kind: 'primary' | 'secondary', now: number): number | null {
  const retryAfterSeconds = Number(refusal.headers['retry-after'] ?? Number.NaN);
  if (retryAfterSeconds > 0) return retryAfterSeconds * 1000;
  if (kind === 'secondary') return null;
  const resetAt = Number(refusal.headers['x-ratelimit-reset'] ?? Number.NaN) * 1000;
  const theirNow = Date.parse(refusal.headers.date ?? '');
  if (Number.isNaN(resetAt)) return null;
  return Math.max(1000, resetAt - (Number.isNaN(theirNow) ? now : theirNow) + 1000);
}

function limitProblem(who: string, why: string, waitMs: number, cause?: unknown): WorldProblem {
  const seconds = Math.ceil(waitMs / 1000);
  return new WorldProblem(
    'transient',
    `GitHub takes no more requests of Stepback for ${who} at the moment: ${why}. Nothing is lost; Stepback looks again in ` +
      `${seconds} s. If this happens often, look for another tool that works as the same App.`,
    { cause, retryAfterMs: waitMs },
  );
}
