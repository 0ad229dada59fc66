/**
 * One open watch: which events of the store it shows, in which form, and how they get to the client one line each. Faults may drop,
 * double or pad them.
 */
import { type Answer, statusOf } from './answer.ts';
import { type Fault, faultOf } from './faults.ts';
import type { StoredObject, StoreEvent } from './objects.ts';
import type { ResourceDefinition } from './resources.ts';
import type { Matcher } from './selectors.ts';
import type { StoreProblem } from './store-problem.ts';
import { metadataOf, tableOf, type View } from './tables.ts';

type Shown = { type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK'; object: object };

export interface WatchScope {
  definition: ResourceDefinition;
  /** Undefined over all namespaces. */
  namespace: string | undefined;
  matches: Matcher;
  view: View;
  /** Events up to this version are known to the client. */
  afterVersion: number;
  wantsBookmarks: boolean;
}

export class WatchStream {
  readonly scope: WatchScope;
  readonly #answer: Answer;
  readonly #faults: readonly Fault[];
  readonly #now: () => number;
  readonly #queue: (() => string)[] = [];
  #isPumping = false;
  #isEnding = false;
  #lines = 0;
  #events = 0;
  #headersSent = false;

  constructor(scope: WatchScope, answer: Answer, faults: readonly Fault[], now: () => number) {
    this.scope = scope;
    this.#answer = answer;
    this.#faults = faults;
    this.#now = now;
  }

  /** An object that was there before the watch began. */
  initial(object: StoredObject): void {
    if (faultOf(this.#faults, 'silence')) return;
    if (this.#sees(object)) this.#enqueue({ type: 'ADDED', object });
  }

  /** A write to the store; shown when it is after the known version, in the namespace and selected. */
  offer(event: StoreEvent): void {
    if (event.resource !== this.scope.definition.plural) return;
    if (event.resourceVersion <= this.scope.afterVersion || faultOf(this.#faults, 'silence')) return;
    const shown = this.#shown(event);
    if (shown === undefined) return;
    this.#events += 1;
    for (const one of this.#withFaults(shown, event)) this.#enqueue(one);
  }

  /** A bookmark, for clients that asked for them; `endsInitial` marks the end of the initial events. */
  bookmark(version: number, endsInitial = false): void {
    if (!this.scope.wantsBookmarks || faultOf(this.#faults, 'silence')) return;
    const { kind, group, version: apiVersion } = this.scope.definition;
    const annotations = endsInitial ? { annotations: { 'k8s.io/initial-events-end': 'true' } } : {};
    const object = {
      kind,
      apiVersion: group === '' ? apiVersion : `${group}/${apiVersion}`,
      metadata: { resourceVersion: String(version), ...annotations },
    };
    this.#enqueue({ type: 'BOOKMARK', object });
  }

  /** An ERROR event, and the end. */
  fail(problem: StoreProblem): void {
    this.#queue.push(() => JSON.stringify({ type: 'ERROR', object: statusOf(problem) }));
    this.end();
  }

  /** A clean end once everything is sent. */
  end(): void {
    this.#isEnding = true;
    void this.#pump();
  }

  /** The connection breaks at once. */
  reset(): void {
    this.#answer.reset();
  }

  /**
   * What a change looks like through the selectors: an object that starts to match is ADDED, one that stops is DELETED
   * in its last matching state with the version of the change (k8s.io/apiserver cacher, convertToWatchEvent).
   */
  #shown(event: StoreEvent): Shown | undefined {
    const before = event.previous !== undefined && this.#sees(event.previous);
    const after = event.type !== 'DELETED' && this.#sees(event.object);
    if (after) return { type: before ? 'MODIFIED' : 'ADDED', object: event.object };
    if (!before) return undefined;
    const { resourceVersion } = event.object.metadata;
    const last = event.type === 'DELETED' ? event.object : event.previous!;
    return { type: 'DELETED', object: { ...last, metadata: { ...last.metadata, resourceVersion } } };
  }

  #sees(object: StoredObject): boolean {
    const { namespace, matches } = this.scope;
    return (namespace === undefined || object.metadata.namespace === namespace) && matches(object);
  }

  #withFaults(shown: Shown, event: StoreEvent): Shown[] {
    const fault = faultOf(this.#faults, 'events');
    if (fault === undefined) return [shown];
    const from = fault.from ?? 1;
    if (this.#events < from || this.#events >= from + (fault.count ?? Number.POSITIVE_INFINITY))
      return [shown];
    switch (fault.each) {
      case 'dropped':
        return [];
      case 'doubled':
        return [shown, shown];
      case 'staleAgain':
        return event.previous === undefined ? [shown] : [shown, { type: 'MODIFIED', object: event.previous }];
    }
  }

  /** Lines are made when they are sent: a list of thousands of objects is never a text in memory as a whole. */
  #enqueue(shown: Shown): void {
    const end = faultOf(this.#faults, 'end');
    if (this.#isEnding || (end !== undefined && this.#lines >= end.afterEvents)) return;
    this.#lines += 1;
    this.#queue.push(() => JSON.stringify({ type: shown.type, object: this.#viewed(shown.object) }));
    if (end !== undefined && this.#lines >= end.afterEvents) this.#isEnding = true;
    void this.#pump();
  }

  #viewed(object: object): object {
    const { view, definition } = this.scope;
    const stored = this.#padded(object as StoredObject);
    if (view.as === 'objects') return stored;
    if (view.as === 'metadata') return metadataOf(stored);
    const { resourceVersion } = stored.metadata;
    const options = { includeObject: view.includeObject, headers: !this.#headersSent, nowMs: this.#now() };
    this.#headersSent = true;
    return tableOf(definition, [stored], { resourceVersion }, options);
  }

  #padded(object: StoredObject): StoredObject {
    const padding = faultOf(this.#faults, 'padding');
    if (padding === undefined) return object;
    const annotations = {
      ...object.metadata.annotations,
      padding: 'ß…🜂'.repeat(Math.ceil(padding.bytes / 9)),
    };
    return { ...object, metadata: { ...object.metadata, annotations } };
  }

  async #pump(): Promise<void> {
    if (this.#isPumping) return;
    this.#isPumping = true;
    for (let line = this.#queue.shift(); line !== undefined; line = this.#queue.shift()) {
      if (!(await this.#answer.sink.write(`${line()}\n`))) return;
    }
    this.#isPumping = false;
    if (this.#isEnding) this.#answer.sink.end();
  }
}
