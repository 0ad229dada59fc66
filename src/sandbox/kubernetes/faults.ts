/**
 * What can go wrong between Stepback and a cluster, by script: which request, the how manieth of its kind, and what happens to it.
 * Several faults may hit one request (a padded event in small chunks).
 */
import type { ApiVerb } from './api-path.ts';

export type Fault =
  /** Answered with this status instead of being done. `body` is JSON, `text` is plain; neither: a Status object. */
  | { kind: 'status'; code: number; body?: unknown; text?: string; retryAfterSeconds?: number }
  /** Never answered; the connection stays open. */
  | { kind: 'hang' }
  /** The connection breaks before anything is done. */
  | { kind: 'reset' }
  /** It is done, but the client never learns: the connection breaks, hangs, or this status comes instead. */
  | { kind: 'lostAnswer'; as: 'reset' | 'hang' | number }
  /** It is done and answered later. */
  | { kind: 'delay'; delayMs: number }
  /** The connection breaks after so many bytes of the body. */
  | { kind: 'cut'; afterBytes: number }
  /** The body is sent in pieces of so many bytes; 1 splits every multi-byte character. */
  | { kind: 'chunks'; bytes: number }
  /** A watch (or a list that goes on) is told that its version is too old: as an ERROR event or as HTTP 410. */
  | { kind: 'gone'; as: 'event' | 'status' }
  /** A watch ends cleanly after so many events, 0 at once: the reconnect storm. */
  | { kind: 'end'; afterEvents: number }
  /** A watch is accepted and then says nothing, not even bookmarks. */
  | { kind: 'silence' }
  /** A get or list shows the state of so many writes ago, as from a cache that lags. */
  | { kind: 'staleRead'; behind: number }
  /** Events of a watch are lost, come twice, or are followed by the state before them. Counted from 1. */
  | { kind: 'events'; each: 'dropped' | 'doubled' | 'staleAgain'; from?: number; count?: number }
  /** Every event of a watch is one line of at least so many bytes, full of characters of several bytes. */
  | { kind: 'padding'; bytes: number };

export interface FaultRule {
  /** All that is given must fit. `path` is a part of path and query, or a pattern over them. */
  method?: string;
  path?: string | RegExp;
  verb?: ApiVerb;
  resource?: string;
  /** From which matching request on, counted from 1; 1 when not given. */
  nth?: number;
  /** How many requests are hit; 1 when not given, Infinity for all. */
  times?: number;
  fault: Fault;
}

export interface FaultSubject {
  method: string;
  /** With the query. */
  path: string;
  verb?: ApiVerb;
  resource?: string;
}

/** The script: rules can be added, taken back one by one, and cleared. */
export class FaultScript {
  /** How far the server's Date header is ahead of the clock it was given. */
  dateSkewMs = 0;
  readonly #rules = new Map<FaultRule, number>();

  /** Adds a rule and returns the way to take it back. */
  add(rule: FaultRule): () => void {
    const own = { ...rule };
    this.#rules.set(own, 0);
    return () => this.#rules.delete(own);
  }

  clear(): void {
    this.#rules.clear();
    this.dateSkewMs = 0;
  }

  /** The faults that hit this request; counts it for every rule it fits. */
  hit(subject: FaultSubject): Fault[] {
    const faults: Fault[] = [];
    for (const [rule, seen] of this.#rules) {
      if (!fits(rule, subject)) continue;
      this.#rules.set(rule, seen + 1);
      const first = rule.nth ?? 1;
      if (seen + 1 >= first && seen + 1 < first + (rule.times ?? 1)) faults.push(rule.fault);
    }
    return faults;
  }
}

function fits(rule: FaultRule, subject: FaultSubject): boolean {
  return (
    (rule.method === undefined || rule.method === subject.method) &&
    (rule.verb === undefined || rule.verb === subject.verb) &&
    (rule.resource === undefined || rule.resource === subject.resource) &&
    (rule.path === undefined ||
      (typeof rule.path === 'string' ? subject.path.includes(rule.path) : rule.path.test(subject.path)))
  );
}

/** The first fault of a kind. */
export function faultOf<Kind extends Fault['kind']>(
  faults: readonly Fault[],
  kind: Kind,
): Extract<Fault, { kind: Kind }> | undefined {
  return faults.find((fault): fault is Extract<Fault, { kind: Kind }> => fault.kind === kind);
}
