/** What the handlers of one request share. */
import type { Fault } from './faults.ts';
import type { History } from './history.ts';
import type { ObjectStore } from './store.ts';

export interface RequestContext {
  store: ObjectStore;
  history: History;
  query: URLSearchParams;
  accept: string | undefined;
  contentType: string;
  /** The parsed JSON body, or undefined. */
  body: unknown;
  faults: readonly Fault[];
  nowMs: number;
}
