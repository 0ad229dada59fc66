/**
 * All open watches: how one begins (from a version, from now, or with the objects that are there), what runs on a timer (bookmarks,
 * the end), and what a test may do to them.
 */
import type { Answer } from './answer.ts';
import { type ApiTarget, isTrue } from './api-path.ts';
import type { RequestContext } from './context.ts';
import { faultOf } from './faults.ts';
import type { History } from './history.ts';
import type { StoreEvent } from './objects.ts';
import { tooLargeVersion } from './reads.ts';
import type { ResourceDefinition } from './resources.ts';
import { assertSelectable, matcherOf } from './selectors.ts';
import type { ObjectStore } from './store.ts';
import { invalid, StoreProblem } from './store-problem.ts';
import { viewOf } from './tables.ts';
import { WatchStream } from './watch-stream.ts';

export interface WatchTimes {
  now(): number;
  /** Runs once after a delay; returns the way to cancel. */
  after(delayMs: number, run: () => void): () => void;
  /** How often a bookmark comes; a real server sends one about once a minute. */
  bookmarkEveryMs: number;
  /** How long a watch lasts when the client does not say. */
  watchMs: number;
}

export class Watches {
  readonly #store: ObjectStore;
  readonly #history: History;
  readonly #times: WatchTimes;
  readonly #open = new Set<WatchStream>();
  readonly #stop: () => void;
  /** Whether `sendInitialEvents` is served; it needs etcd 3.5 on a real cluster. */
  streamedLists = true;

  constructor(store: ObjectStore, history: History, times: WatchTimes) {
    this.#store = store;
    this.#history = history;
    this.#times = times;
    this.#stop = store.subscribe((event) => this.#deliver(event));
  }

  /** How many watches are open, of one resource or of all. */
  count(resource?: string): number {
    return this.#of(resource).length;
  }

  /** Sends a bookmark of the present version to everybody who asked for bookmarks. */
  bookmark(resource?: string): void {
    for (const stream of this.#of(resource)) stream.bookmark(this.#store.resourceVersion);
  }

  /** Ends watches cleanly, as a server does that is drained or whose time is up. */
  end(resource?: string): void {
    for (const stream of this.#of(resource)) stream.end();
  }

  /** Breaks the connections of watches. */
  reset(resource?: string): void {
    for (const stream of this.#of(resource)) stream.reset();
  }

  /** Tells watches that their version is too old, as an ERROR event. */
  expire(resource?: string): void {
    for (const stream of this.#of(resource)) {
      const message = `too old resource version: ${stream.scope.afterVersion} (${this.#store.resourceVersion})`;
      stream.fail(new StoreProblem(410, 'Expired', message));
    }
  }

  close(): void {
    this.#stop();
    this.reset();
  }

  /** Answers a watch. Throws a StoreProblem for parameters that do not go together. */
  async watch(
    context: RequestContext,
    definition: ResourceDefinition,
    target: ApiTarget,
    answer: Answer,
  ): Promise<void> {
    const { query } = context;
    const gone = faultOf(context.faults, 'gone');
    const tooOld = () => {
      const message = `too old resource version: ${Number(query.get('resourceVersion') ?? 0)} (${this.#store.resourceVersion})`;
      return new StoreProblem(410, 'Expired', message);
    };
    if (gone?.as === 'status') throw tooOld();
    const asked = Number(query.get('resourceVersion') ?? 0);
    const withInitial = this.#wantsInitialEvents(query);
    assertSelectable(definition.custom, query.get('fieldSelector'));
    const byName = target.name === undefined ? query.get('fieldSelector') : `metadata.name=${target.name}`;
    if (withInitial && asked > this.#store.resourceVersion)
      throw tooLargeVersion(asked, this.#store.resourceVersion);
    const stream = new WatchStream(
      {
        definition,
        namespace: target.namespace,
        matches: matcherOf(query.get('labelSelector'), byName),
        view: viewOf(context.accept, query.get('includeObject')),
        afterVersion: withInitial || asked === 0 ? this.#store.resourceVersion : asked,
        wantsBookmarks: isTrue(query.get('allowWatchBookmarks')),
      },
      answer,
      context.faults,
      () => this.#times.now(),
    );
    answer.openStream();
    if (gone !== undefined) return stream.fail(tooOld());
    if (faultOf(context.faults, 'end')?.afterEvents === 0) return stream.end();
    this.#begin(stream, withInitial, asked);
    this.#keep(stream, query, answer);
  }

  #begin(stream: WatchStream, withInitial: boolean, asked: number): void {
    const { plural } = stream.scope.definition;
    if (withInitial || asked === 0) {
      for (const object of this.#store.list(plural)) stream.initial(object);
      if (withInitial) stream.bookmark(this.#store.resourceVersion, true);
      return;
    }
    try {
      for (const event of this.#history.since(plural, asked)) stream.offer(event);
    } catch (problem) {
      if (!(problem instanceof StoreProblem)) throw problem;
      stream.fail(problem);
    }
  }

  /** Rules of k8s.io/apimachinery/pkg/apis/meta/internalversion/validation for watches. */
  #wantsInitialEvents(query: URLSearchParams): boolean {
    const match = query.get('resourceVersionMatch');
    const given = query.get('sendInitialEvents');
    const faults: { field: string; message: string }[] = [];
    if (given !== null && match !== 'NotOlderThan') {
      faults.push({
        field: 'resourceVersionMatch',
        message: 'Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan',
      });
    }
    if (given !== null && !this.streamedLists) {
      faults.push({
        field: 'sendInitialEvents',
        message:
          'Forbidden: sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled',
      });
    }
    if (given === null && match !== null) {
      faults.push({
        field: 'resourceVersionMatch',
        message:
          'Forbidden: resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided',
      });
    }
    if (faults.length > 0) throw invalid({ group: 'meta.k8s.io', kind: 'ListOptions' }, '', faults);
    return isTrue(given);
  }

  #keep(stream: WatchStream, query: URLSearchParams, answer: Answer): void {
    if (answer.isClosed) return;
    this.#open.add(stream);
    const { after, bookmarkEveryMs, watchMs } = this.#times;
    const seconds = Number(query.get('timeoutSeconds') ?? 0);
    const cancelEnd = after(seconds > 0 ? seconds * 1000 : watchMs, () => stream.end());
    let cancelBookmark = () => {};
    const scheduleBookmark = () => {
      cancelBookmark = after(bookmarkEveryMs, () => {
        stream.bookmark(this.#store.resourceVersion);
        scheduleBookmark();
      });
    };
    if (stream.scope.wantsBookmarks) scheduleBookmark();
    answer.onClose(() => {
      this.#open.delete(stream);
      cancelEnd();
      cancelBookmark();
    });
  }

  #deliver(event: StoreEvent): void {
    for (const stream of this.#open) stream.offer(event);
    if (event.resource !== 'customresourcedefinitions' || event.type !== 'DELETED') return;
    this.end(event.object.metadata.name.split('.')[0]);
  }

  #of(resource: string | undefined): WatchStream[] {
    return [...this.#open].filter(
      ({ scope }) => resource === undefined || scope.definition.plural === resource,
    );
  }
}
