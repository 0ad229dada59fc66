/**
 * What can go wrong between Stepback and GitHub, to be switched on by a test or a simulation: limits, broken
 * answers, effects without an answer, stale reads, webhooks that vanish. A rule names the calls it hits; a simulation
 * gives one function that is asked about every call.
 */
import { pathMatches } from './journal.ts';

export type Fault =
  /** Any answer instead of the real one, say a 502. `afterEffect`: the call has its effect all the same. */
  | {
      kind: 'status';
      status: number;
      message?: string;
      headers?: Record<string, string>;
      afterEffect?: boolean;
    }
  /** The connection is cut without an answer. `hangs`: it stays open until the caller gives up. */
  | { kind: 'no-answer'; afterEffect: boolean; hangs?: boolean }
  | { kind: 'slow'; ms: number }
  /** The hourly limit is used up: `remaining: 0` and when it resets. */
  | { kind: 'rate-limit'; status?: 403 | 429; resetInSeconds?: number }
  /** The secondary limit; GitHub often says no Retry-After, so there is none unless asked for. */
  | { kind: 'secondary-limit'; status?: 403 | 429; retryAfterSeconds?: number }
  /** `Resource not accessible by integration`. */
  | { kind: 'forbidden' }
  | { kind: 'not-found' }
  | { kind: 'unauthorized' }
  /** Reads from a replica that lags: the state before the last `writes` changes, or of `ms` ago. */
  | { kind: 'stale'; writes?: number; ms?: number }
  /** Cuts a recursive tree to this many entries, or a comparison to this many files, and marks what has a mark. */
  | { kind: 'truncated'; entries: number };

/** `nth` counts matching calls from 1; `times` is how often it strikes (1 by default, Infinity for always). */
export type FaultRule = {
  method?: string;
  /** Text with `*` for one segment and `**` for any number, or an expression. */
  path?: string | RegExp;
  nth?: number;
  times?: number;
  fault: Fault;
};

export type DeliveryFate =
  | 'deliver'
  /** Not sent, but on record as failed: it can be found and redelivered. */
  | 'drop'
  /** Never heard of: neither sent nor on record. */
  | 'lose'
  /** Sent twice under the same delivery id. */
  | 'double'
  /** Kept until `releaseDeliveries`. */
  | 'hold'
  | { delayMs: number };

export type DeliveryRule = {
  event?: string;
  action?: string;
  nth?: number;
  times?: number;
  fate: DeliveryFate;
};

export type FaultedRequest = { method: string; path: string; body: unknown };
export type FaultedDelivery = {
  event: string;
  action: string | undefined;
  guid: string;
  redelivery: boolean;
};

type Counted<T> = { rule: T; seen: number; struck: number };

/** The faults that are switched on. */
export class Faults {
  /** Asked about every request when no rule strikes; for a seeded simulation. */
  onRequest: ((request: FaultedRequest) => Fault | undefined) | undefined;
  /** Asked about every webhook when no rule strikes. */
  onDelivery: ((delivery: FaultedDelivery) => DeliveryFate | undefined) | undefined;
  /** Every read shows the state of this many milliseconds ago. 0: reads are fresh. */
  staleReadsMs = 0;
  /** Commits of the App come out unverified, as when GitHub cannot sign them. */
  unverifiedCommits = false;
  #requests: Counted<FaultRule>[] = [];
  #deliveries: Counted<DeliveryRule>[] = [];

  /** Adds a rule for requests; the function it gives takes it away again. */
  add(rule: FaultRule): () => void {
    const counted = { rule, seen: 0, struck: 0 };
    this.#requests.push(counted);
    return () => {
      this.#requests = this.#requests.filter((one) => one !== counted);
    };
  }

  /** Adds a rule for webhooks; the function it gives takes it away again. */
  addDelivery(rule: DeliveryRule): () => void {
    const counted = { rule, seen: 0, struck: 0 };
    this.#deliveries.push(counted);
    return () => {
      this.#deliveries = this.#deliveries.filter((one) => one !== counted);
    };
  }

  /** Everything works again. */
  clear(): void {
    this.#requests = [];
    this.#deliveries = [];
    this.onRequest = undefined;
    this.onDelivery = undefined;
    this.staleReadsMs = 0;
    this.unverifiedCommits = false;
  }

  /** True while a read may have to show an earlier state, so that earlier states must be kept. */
  get needsPast(): boolean {
    return (
      this.staleReadsMs > 0 ||
      this.onRequest !== undefined ||
      this.#requests.some(({ rule }) => rule.fault.kind === 'stale')
    );
  }

  /** The fault that strikes this request, if any. */
  forRequest(request: FaultedRequest): Fault | undefined {
    const struck = this.#strike(
      this.#requests,
      (rule) =>
        (rule.method === undefined || rule.method === request.method) &&
        (rule.path === undefined || pathMatches(rule.path, request.path)),
    );
    return struck?.fault ?? this.onRequest?.(request);
  }

  /** What becomes of this webhook. */
  forDelivery(delivery: FaultedDelivery): DeliveryFate {
    const struck = this.#strike(
      this.#deliveries,
      (rule) =>
        (rule.event === undefined || rule.event === delivery.event) &&
        (rule.action === undefined || rule.action === delivery.action),
    );
    return struck?.fate ?? this.onDelivery?.(delivery) ?? 'deliver';
  }

  #strike<T extends { nth?: number; times?: number }>(
    rules: Counted<T>[],
    matches: (rule: T) => boolean,
  ): T | undefined {
    let strikes: T | undefined;
    for (const counted of rules.filter(({ rule }) => matches(rule))) {
      counted.seen += 1;
      const due = counted.seen >= (counted.rule.nth ?? 1) && counted.struck < (counted.rule.times ?? 1);
      if (!due || strikes !== undefined) continue;
      counted.struck += 1;
      strikes = counted.rule;
    }
    return strikes;
  }
}
