/**
 * All objects of a kind as the beginning of a watch (KEP-3157), where the server can: neither side has to hold the list
 * at once. The watch is ended when the list is complete, because the one that follows is asked to end sooner.
 */
import type { Json } from '../../domain/read.ts';
import type { WorldProblem } from '../../ports.ts';
import type { ApiClient, ApiRequest } from './api-client.ts';
import { problemOfNonsense } from './api-problem.ts';
import { endsInitialEvents, versionOf } from './table.ts';
import { type WatchEnding, type WatchEvent, watchOnce } from './watch-connection.ts';

/** What makes a watch begin with the whole list, not older than `knownVersion` (null: any consistent one). */
export function streamedListQuery(knownVersion: string | null): Readonly<Record<string, string>> {
  const version: Record<string, string> = knownVersion === null ? {} : { resourceVersion: knownVersion };
  return { sendInitialEvents: 'true', resourceVersionMatch: 'NotOlderThan', ...version };
}

export type StreamedList<Item> = { kind: 'listed'; items: readonly Item[]; version: string } | WatchEnding;

/** Reads the list to its end, or gives back how the watch ended before that: then nothing of it counts. */
export async function streamList<Item extends { key: string }>(
  client: ApiClient,
  request: ApiRequest,
  read: (object: Json) => { items: readonly Item[]; unreadable: number },
): Promise<StreamedList<Item>> {
  const collected = new Map<string, Item>();
  let version: string | null = null;
  const onEvent = ({ type, object }: WatchEvent): 'more' | 'enough' | WorldProblem => {
    // A bookmark is read as well: the first Table of a watch may be the only one that names its columns.
    const { items, unreadable } = read(object);
    if (type === 'BOOKMARK') {
      // A server that does not know streamed lists sends bookmarks without this mark, and would never end.
      if (!endsInitialEvents(object)) return nonsense('a bookmark inside a streamed list');
      version = versionOf(object);
      return 'enough';
    }
    for (const item of items) {
      if (type === 'DELETED') collected.delete(item.key);
      else collected.set(item.key, item);
    }
    return unreadable > 0 ? nonsense('an object without a name') : 'more';
  };
  const nonsense = (words: string) => problemOfNonsense(client.asked(request), words);
  const ending = await watchOnce(client, request, { onOpen: () => {}, onEvent });
  return version === null ? ending : { kind: 'listed', items: [...collected.values()], version };
}
