/**
 * One cluster that runs an Argo CD, as the Cluster port: two feeds keep its ApplicationSets and the rows of its Applications,
 * and close looks read whole objects when they are asked for.
 */
import type { Application, ApplicationRow, ApplicationSet, ObjectKey } from '../../domain/objects.ts';
import { type Json, list } from '../../domain/read.ts';
import { readApplication } from '../../domain/read-application.ts';
import { readApplicationSet } from '../../domain/read-application-set.ts';
import type { Clock, CloseLook, Cluster, FeatureFlag, Nudge, Sight } from '../../ports.ts';
import type { ApiClient } from './api-client.ts';
import { checkAccess } from './check-access.ts';
import { type CloseLookLimits, CloseLooks, defaultCloseLookLimits } from './close-look.ts';
import { Feed } from './feed.ts';
import { defaultFeedLimits, type FeedLimits } from './feed-options.ts';
import { KubernetesInterventions } from './interventions.ts';
import { type Indexed, ObjectIndex } from './object-index.ts';
import { Radar } from './radar.ts';
import { readFeatureFlag } from './read-feature-flag.ts';
import { applicationSets, applications, type Resource, resourceName } from './resource.ts';
import { combinedSight, ScopedFeed } from './scoped-feed.ts';
import { RowReader, tableAccept } from './table.ts';
import { isOlderVersion } from './versions.ts';

export interface ClusterOptions {
  /** The instance's name, unique over all clusters that Stepback watches. */
  instance: string;
  client: ApiClient;
  /** Where Argo CD's controllers and their ConfigMaps are. */
  argocdNamespace: string;
  /** Null: all, as far as that is allowed. */
  namespaces: readonly string[] | null;
  clock: Clock;
  /** From 0 to less than 1. */
  random: () => number;
  feedLimits?: FeedLimits;
  closeLookLimits?: CloseLookLimits;
}

export class KubernetesCluster implements Cluster {
  readonly instance: string;
  readonly argocdNamespace: string;
  /** For the ledger. */
  readonly client: ApiClient;
  readonly interventions: KubernetesInterventions;
  readonly #options: ClusterOptions;
  readonly #radar: Radar;
  readonly #sets: ObjectIndex<ApplicationSet>;
  readonly #feeds: readonly [ScopedFeed<ApplicationRow>, ScopedFeed<ApplicationSet>];
  readonly #closeLooks: CloseLooks;
  readonly #waiting: (() => void)[] = [];
  #onNudge: (nudge: Nudge) => void = () => {};

  constructor(options: ClusterOptions) {
    this.instance = options.instance;
    this.argocdNamespace = options.argocdNamespace;
    this.client = options.client;
    this.interventions = new KubernetesInterventions(options.client);
    this.#options = options;
    this.#radar = new Radar((applicationSet) => this.#onNudge({ applicationSet }));
    this.#sets = new ObjectIndex((before, after) => this.#nudgeSet(before, after));
    const limits = options.closeLookLimits ?? defaultCloseLookLimits;
    this.#closeLooks = new CloseLooks(options.client, options.clock, limits);
    this.#feeds = [
      this.#scopedFeed(applications, this.#radar.index, { includeObject: 'Metadata' }, tableAccept, () => {
        const reader = new RowReader();
        return (object) => reader.read(object);
      }),
      this.#scopedFeed(applicationSets, this.#sets, {}, 'application/json', () => readApplicationSets),
    ];
  }

  /** Runs until `signal` aborts. Throws only what `onNudge` throws. */
  async run(onNudge: (nudge: Nudge) => void, signal: AbortSignal): Promise<void> {
    this.#onNudge = onNudge;
    const both = new AbortController();
    const stop = () => both.abort();
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    try {
      await Promise.all(this.#feeds.map((feed) => feed.run(both.signal)));
    } finally {
      stop();
      signal.removeEventListener('abort', stop);
    }
  }

  /** Resolves as soon as everything has been seen and nothing blinds; at once when that is so. */
  async seen(): Promise<void> {
    if (this.sight().blindness === null) return;
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  applicationSets(): ReadonlyMap<ObjectKey, ApplicationSet> {
    return this.#sets.items;
  }

  rows(applicationSet: ObjectKey): readonly ApplicationRow[] {
    return this.#radar.rows(applicationSet);
  }

  sight(): Sight {
    return combinedSight(this.#feeds.map((feed) => feed.sight()));
  }

  /** What is seen less well than it could be (polling, a narrower scope), in sentences for people. */
  notices(): readonly string[] {
    return this.#feeds.flatMap((feed) => feed.notices());
  }

  async closeLook(applicationSet: ObjectKey): Promise<CloseLook | null> {
    // The rows are taken at the moment when the ApplicationSet has been read, not before.
    const look = await this.#closeLooks.look(applicationSet, () => this.rows(applicationSet));
    if (look === null) return null;
    // A cache in between can answer with less than a watch has told already.
    const known = this.#sets.get(applicationSet);
    const isStale =
      known !== undefined &&
      known.uid === look.applicationSet.uid &&
      isOlderVersion(look.applicationSet.resourceVersion, known.resourceVersion);
    return { ...look, applicationSet: isStale ? known : look.applicationSet, sight: this.sight() };
  }

  async application(key: ObjectKey): Promise<Application | null> {
    const [namespace = '', name = ''] = key.split('/', 2);
    const answer = await this.client.get(applications, namespace, name);
    return answer === null ? null : readApplication(answer.object);
  }

  /** Never throws: what cannot be read is `unknown`, with the reason as evidence. */
  featureFlag(): Promise<FeatureFlag> {
    return readFeatureFlag(this.client, this.#options.argocdNamespace);
  }

  /** What keeps Stepback from doing its work here: one sentence each, none when all is well. */
  checkAccess(): Promise<readonly string[]> {
    return checkAccess(this.client, this.#options.argocdNamespace, this.#options.namespaces);
  }

  #tellSeen(): void {
    if (this.sight().blindness !== null) return;
    for (const tell of this.#waiting.splice(0)) tell();
  }

  #nudgeSet(before: ApplicationSet | null, after: ApplicationSet | null): void {
    const applicationSet = after?.key ?? before?.key;
    if (applicationSet !== undefined) this.#onNudge({ applicationSet });
  }

  #nudgeAll(): void {
    for (const applicationSet of this.#sets.items.keys()) this.#onNudge({ applicationSet });
  }

  #scopedFeed<Item extends Indexed>(
    resource: Resource,
    index: ObjectIndex<Item>,
    query: Readonly<Record<string, string>>,
    accept: string,
    makeReader: () => (object: Json) => { items: readonly Item[]; unreadable: number },
  ): ScopedFeed<Item> {
    const { client, clock, random, argocdNamespace, namespaces } = this.#options;
    const limits = this.#options.feedLimits ?? defaultFeedLimits;
    return new ScopedFeed<Item>({
      namespaces,
      fallbackNamespace: argocdNamespace,
      clock,
      retryMs: limits.retryMs,
      narrowNotice: `Stepback has no right to list ${resourceName(resource)} in all namespaces of cluster "${client.cluster}", so it sees only those in namespace ${argocdNamespace}. Grant the ClusterRole of deploy/rbac.yaml, or name the namespaces to watch.`,
      mayListAll: (signal) => mayList(client, resource, signal),
      makeFeed: (namespace) =>
        new Feed<Item>({
          client,
          resource,
          namespace,
          accept,
          query,
          read: makeReader(),
          index,
          clock,
          random,
          limits,
          onListed: () => this.#tellSeen(),
          onRecovered: () => this.#nudgeAll(),
        }),
    });
  }
}

function readApplicationSets(object: Json): { items: readonly ApplicationSet[]; unreadable: number } {
  const values = Array.isArray(object.items) ? list(object.items) : [object];
  const items = values.map(readApplicationSet).filter((item) => item !== null);
  return { items, unreadable: values.length - items.length };
}

async function mayList(client: ApiClient, resource: Resource, signal: AbortSignal): Promise<boolean> {
  try {
    await client.list(resource, null, { query: { limit: '1' }, signal });
    return true;
  } catch {
    return false;
  }
}
