/**
 * Leadership by a Lease of `coordination.k8s.io/v1`, as client-go elects one
 * (https://pkg.go.dev/k8s.io/client-go/tools/leaderelection). Clocks of different machines are never compared: a Lease has run out
 * when it did not change for its whole duration by our own clock. Every write is fenced by the version that was read.
 */
import { type Json, number, record, text } from '../../domain/read.ts';
import type { Leader, Leadership } from '../../ports/leadership.ts';
import type { Clock, Log } from '../../ports.ts';
import type { ApiClient } from './api-client.ts';
import { ApiProblem } from './api-problem.ts';
import type { Resource } from './resource.ts';

export interface LeaseOptions {
  client: Pick<ApiClient, 'get' | 'create' | 'replace'>;
  namespace: string;
  /** One for each Argo CD that is looked after. */
  name: string;
  me: Leader;
  clock: Clock;
  log: Log;
  /** Another replica waits so long for a sign of life; we stop acting a third of it before. */
  durationMs?: number;
}

const leases: Resource = {
  group: 'coordination.k8s.io',
  version: 'v1',
  plural: 'leases',
  whenMissing: 'This is no Kubernetes API server, or an unusual one. Check the server address.',
};

/** Where the others find the address of the one that leads. */
const addressAnnotation = 'stepback.dev/address';

interface Seen {
  object: Json;
  version: string;
  holder: Leader | null;
  /** When this version was first seen, by our own clock. */
  at: number;
}

/** Nobody leads before `run` has been called. */
export function openLease(options: LeaseOptions): Leadership {
  return new Lease(options);
}

class Lease implements Leadership {
  readonly #options: Required<LeaseOptions> & { marginMs: number; retryMs: number };
  #seen: Seen | null = null;
  #renewedAt: number | null = null;
  #wasLeading = false;
  #problem = '';

  constructor(options: LeaseOptions) {
    const durationMs = options.durationMs ?? 15_000;
    this.#options = { ...options, durationMs, marginMs: durationMs / 3, retryMs: durationMs / 7.5 };
  }

  isLeading(): boolean {
    const { clock, durationMs, marginMs } = this.#options;
    return this.#renewedAt !== null && clock.now() - this.#renewedAt < durationMs - marginMs;
  }

  leader(): Leader | null {
    if (this.isLeading()) return this.#options.me;
    return this.#seen === null || this.#hasRunOut(this.#seen) ? null : this.#seen.holder;
  }

  async run(onChange: (isLeading: boolean) => void, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.#tryOnce();
      this.#tell(onChange);
      await this.#pause(signal, onChange);
    }
    await this.#stepDown();
    this.#tell(onChange);
  }

  #tell(onChange: (isLeading: boolean) => void): void {
    const isLeading = this.isLeading();
    if (isLeading === this.#wasLeading) return;
    this.#wasLeading = isLeading;
    const { log, me } = this.#options;
    log.info(isLeading ? 'this replica acts from now on' : 'this replica does not act any more', {
      replica: me.identity,
    });
    onChange(isLeading);
  }

  /** Waits for the next try; looks in between whether the belief has ended, because the API server may be silent. */
  async #pause(signal: AbortSignal, onChange: (isLeading: boolean) => void): Promise<void> {
    const { clock, retryMs } = this.#options;
    if (signal.aborted) return;
    await new Promise<void>((resolve) => {
      const cancel = clock.after(retryMs, resolve);
      signal.addEventListener(
        'abort',
        () => {
          cancel();
          resolve();
        },
        { once: true },
      );
    });
    this.#tell(onChange);
  }

  /** Reads the Lease, and takes or renews it where that is ours to do. */
  async #tryOnce(): Promise<void> {
    const { client, namespace, name, clock, me } = this.#options;
    try {
      const askedAt = clock.now();
      const answer = await client.get(leases, namespace, name);
      if (answer === null) {
        const made = await client.create(leases, namespace, this.#leaseOf(null));
        this.#saw(made.object);
        this.#renewedAt = askedAt;
        return;
      }
      const seen = this.#saw(answer.object);
      const isOurs = seen.holder?.identity === me.identity;
      if (!isOurs) this.#renewedAt = null;
      if (!isOurs && seen.holder !== null && !this.#hasRunOut(seen)) return;
      const written = await client.replace(leases, this.#leaseOf(seen.object));
      this.#saw(written.object);
      // Counted from before the request: others count from when they see it, which is later.
      this.#renewedAt = askedAt;
      this.#problem = '';
    } catch (problem) {
      this.#failed(problem);
    }
  }

  #failed(problem: unknown): void {
    if (!(problem instanceof ApiProblem)) throw problem;
    // Another was faster: the next try sees it.
    if (problem.reason === 'conflict' || problem.reason === 'already-exists') return;
    if (problem.message !== this.#problem)
      this.#options.log.warn('the Lease that says which replica acts cannot be had', {
        problem: problem.message,
      });
    this.#problem = problem.message;
  }

  #saw(object: Json): Seen {
    const version = text(record(object.metadata).resourceVersion);
    if (this.#seen?.version === version) return this.#seen;
    const { metadata, spec } = { metadata: record(object.metadata), spec: record(object.spec) };
    const identity = text(spec.holderIdentity);
    const address = text(record(metadata.annotations)[addressAnnotation]);
    const holder = identity === '' ? null : { identity, address: address === '' ? null : address };
    this.#seen = { object, version, holder, at: this.#options.clock.now() };
    return this.#seen;
  }

  #hasRunOut({ object, at }: Seen): boolean {
    const said = number(record(object.spec).leaseDurationSeconds, 0) * 1000;
    return this.#options.clock.now() - at >= (said > 0 ? said : this.#options.durationMs);
  }

  /** The Lease as ours; with the version, and all that others keep in it, of `before`. */
  #leaseOf(before: Json | null): { metadata: { name: string; namespace: string; resourceVersion?: string } } {
    const { namespace, name, me, clock, durationMs } = this.#options;
    const now = new Date(clock.now()).toISOString().replace('Z', '000Z');
    const metadata = record(before?.metadata);
    const spec = record(before?.spec);
    const isOurs = text(spec.holderIdentity) === me.identity;
    const others = { ...record(metadata.annotations) };
    delete others[addressAnnotation];
    return {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: {
        ...metadata,
        name,
        namespace,
        annotations: me.address === null ? others : { ...others, [addressAnnotation]: me.address },
      },
      spec: {
        ...spec,
        holderIdentity: me.identity,
        leaseDurationSeconds: Math.ceil(durationMs / 1000),
        acquireTime: isOurs ? spec.acquireTime : now,
        renewTime: now,
        leaseTransitions: number(spec.leaseTransitions, 0) + (isOurs || before === null ? 0 : 1),
      },
    } as never;
  }

  /** Gives the Lease back, so that another need not wait until it has run out. */
  async #stepDown(): Promise<void> {
    const wasLeading = this.isLeading();
    this.#renewedAt = null;
    if (!wasLeading || this.#seen === null) return;
    const spec = { ...record(this.#seen.object.spec), holderIdentity: '', leaseDurationSeconds: 1 };
    try {
      await this.#options.client.replace(leases, { ...this.#seen.object, spec } as never);
    } catch (problem) {
      this.#failed(problem);
    }
  }
}
