/**
 * A webhook reaches one of several replicas, and only one acts. What must not be lost is kept before the answer; a nudge
 * is passed on to the one that acts, so that it looks at once and not at its next slow look. When that fails, time is lost and no truth.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { Clock, Log } from '../ports.ts';

/** Says that a delivery was passed on already: it goes no further. */
export const forwardedHeader = 'x-stepback-forwarded';

const passedOn = ['content-type', 'user-agent', 'x-github-event', 'x-github-delivery', 'x-hub-signature-256'];
const answerMsMax = 5_000;
/** Failures are told this often at the most. */
const tellEveryMs = 60_000;

export interface ForwardOptions {
  /** The replicas that act, without ourselves; one for each Argo CD that is looked after. */
  leaders(): readonly string[];
  path: string;
  clock: Pick<Clock, 'now'>;
  log: Log;
}

/** Passes a delivery on as it came, signature and all: whoever gets it checks it anew. Never throws. */
export type Forward = (headers: IncomingHttpHeaders, body: Buffer) => Promise<void>;

export function openForward({ leaders, path, clock, log }: ForwardOptions): Forward {
  let toldAt = Number.NEGATIVE_INFINITY;
  return async (headers, body) => {
    if (headers[forwardedHeader] !== undefined) return;
    const sent: Record<string, string> = { [forwardedHeader]: '1' };
    for (const name of passedOn) {
      const value = headers[name];
      if (typeof value === 'string') sent[name] = value;
    }
    await Promise.all(leaders().map((address) => pass(`${address}${path}`, sent, body)));
  };

  async function pass(url: string, headers: Readonly<Record<string, string>>, body: Buffer): Promise<void> {
    try {
      const answer = await fetch(url, {
        method: 'POST',
        headers,
        body: new Uint8Array(body),
        redirect: 'error',
        signal: AbortSignal.timeout(answerMsMax),
      });
      await answer.body?.cancel();
      if (!answer.ok) tell(url, `it answered ${answer.status}`);
    } catch (problem) {
      tell(url, problem instanceof Error ? problem.message : String(problem));
    }
  }

  function tell(url: string, problem: string): void {
    if (clock.now() - toldAt < tellEveryMs) return;
    toldAt = clock.now();
    log.warn('a webhook could not be passed on to the replica that acts; it finds out by itself, later', {
      url,
      problem,
    });
  }
}
