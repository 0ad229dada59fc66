/**
 * The close look: one ApplicationSet and its Applications, whole. The radar says which Applications have changed since the
 * last look, so only those are read again. What is kept is bounded: by the age of the last look, and by how many Applications
 * there are.
 */
import type { Application, ApplicationRow, ApplicationSet, ObjectKey } from '../../domain/objects.ts';
import { readApplication } from '../../domain/read-application.ts';
import { readApplicationSet } from '../../domain/read-application-set.ts';
import { type Clock, type CloseLook, WorldProblem } from '../../ports.ts';
import type { ApiClient } from './api-client.ts';
import { Limiter } from './limiter.ts';
import { ownerKey } from './radar.ts';
import { applicationSets, applications } from './resource.ts';
import { isOlderVersion } from './versions.ts';

export interface CloseLookLimits {
  /** Reads at the same time, over all looks. */
  concurrencyMax: number;
  /** A set that was not looked at for this long is forgotten. */
  keepMs: number;
  /** Of the sets looked at longest ago, those above this number of Applications in all are forgotten. */
  applicationsMax: number;
}

export const defaultCloseLookLimits: CloseLookLimits = {
  concurrencyMax: 8,
  keepMs: 900_000,
  applicationsMax: 10_000,
};

interface Kept {
  lookedAt: number;
  byUid: ReadonlyMap<string, Application>;
}

export class CloseLooks {
  readonly #client: ApiClient;
  readonly #clock: Clock;
  readonly #limits: CloseLookLimits;
  readonly #limiter: Limiter;
  /** In the order of their last look, oldest first. */
  readonly #kept = new Map<ObjectKey, Kept>();
  readonly #running = new Map<ObjectKey, Promise<void>>();

  constructor(client: ApiClient, clock: Clock, limits: CloseLookLimits) {
    this.#client = client;
    this.#clock = clock;
    this.#limits = limits;
    this.#limiter = new Limiter(limits.concurrencyMax);
  }

  /** How many whole Applications are kept in memory. */
  get size(): number {
    let size = 0;
    for (const kept of this.#kept.values()) size += kept.byUid.size;
    return size;
  }

  /**
   * Reads the ApplicationSet `key`, and then those of its rows that are not known as new as the row says. `observedAt` is
   * the latest `Date` of the answers. Null when there is no such ApplicationSet. Throws WorldProblem when anything
   * cannot be read: half a look is none.
   */
  async look(
    key: ObjectKey,
    rows: () => readonly ApplicationRow[],
  ): Promise<Omit<CloseLook, 'sight'> | null> {
    // Looks at one set follow each other: what was read earlier must not be told later.
    const before = this.#running.get(key) ?? Promise.resolve();
    const look = before.then(() => this.#lookOnce(key, rows));
    const done = look.then(
      () => {},
      () => {},
    );
    this.#running.set(key, done);
    try {
      return await look;
    } finally {
      if (this.#running.get(key) === done) this.#running.delete(key);
    }
  }

  async #lookOnce(
    key: ObjectKey,
    rows: () => readonly ApplicationRow[],
  ): Promise<Omit<CloseLook, 'sight'> | null> {
    const dates: number[] = [];
    const applicationSet = await this.#readApplicationSet(key, dates);
    if (applicationSet === null) {
      this.#kept.delete(key);
      return null;
    }
    const known = this.#kept.get(key)?.byUid ?? new Map<string, Application>();
    const read = await this.#limiter.map(rows(), (row) => this.#readUnlessKnown(row, known, dates));
    const found = read
      .filter((application) => application !== null)
      .filter((application) => ownerKey(application) === key)
      .sort(byKey);
    this.#keep(key, found);
    return {
      applicationSet,
      applications: found,
      observedAt: dates.length === 0 ? this.#client.serverNow() : Math.max(...dates),
    };
  }

  async #readApplicationSet(key: ObjectKey, dates: number[]): Promise<ApplicationSet | null> {
    const [namespace = '', name = ''] = key.split('/', 2);
    const answer = await this.#client.get(applicationSets, namespace, name);
    if (answer === null) return null;
    if (answer.observedAt !== null) dates.push(answer.observedAt);
    return readApplicationSet(answer.object);
  }

  async #readUnlessKnown(
    row: ApplicationRow,
    known: ReadonlyMap<string, Application>,
    dates: number[],
  ): Promise<Application | null> {
    const before = known.get(row.uid);
    if (before !== undefined && isAsNewAs(before.resourceVersion, row.resourceVersion)) return before;
    const application = await this.#readApplication(row, dates);
    const isStale =
      application !== null &&
      application.uid === row.uid &&
      isOlderVersion(application.resourceVersion, row.resourceVersion);
    if (!isStale) return application;
    throw new WorldProblem(
      'transient',
      `Cluster "${this.#client.cluster}" answered with an older state of Application ${row.key} than it had announced, so this look is not used. Stepback looks again.`,
    );
  }

  async #readApplication(row: ApplicationRow, dates: number[]): Promise<Application | null> {
    const [namespace = '', name = ''] = row.key.split('/', 2);
    const answer = await this.#client.get(applications, namespace, name);
    if (answer === null) return null;
    if (answer.observedAt !== null) dates.push(answer.observedAt);
    return readApplication(answer.object);
  }

  #keep(key: ObjectKey, found: readonly Application[]): void {
    const now = this.#clock.now();
    this.#kept.delete(key);
    this.#kept.set(key, { lookedAt: now, byUid: new Map(found.map((one) => [one.uid, one])) });
    let size = this.size;
    for (const [other, kept] of this.#kept) {
      const isTooMuch = size > this.#limits.applicationsMax;
      if (other === key || (!isTooMuch && now - kept.lookedAt < this.#limits.keepMs)) break;
      this.#kept.delete(other);
      size -= kept.byUid.size;
    }
  }
}

function isAsNewAs(version: string, than: string): boolean {
  return version === than || isOlderVersion(than, version);
}

function byKey(one: Application, other: Application): number {
  return one.key < other.key ? -1 : 1;
}
