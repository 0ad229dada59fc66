/** What a feed is told: what to read, into which index, and the times by which it lives. */
import type { Json } from '../../domain/read.ts';
import type { Clock } from '../../ports.ts';
import type { ApiClient } from './api-client.ts';
import { type BackOffLimits, defaultBackOffLimits } from './back-off.ts';
import type { Indexed, ObjectIndex } from './object-index.ts';
import type { Resource } from './resource.ts';

export interface FeedOptions<Item extends Indexed> {
  client: ApiClient;
  resource: Resource;
  /** Null: all namespaces. */
  namespace: string | null;
  accept: string;
  query: Readonly<Record<string, string>>;
  /** The items of a list, a Table or one object, and how many could not be read. */
  read(object: Json): { items: readonly Item[]; unreadable: number };
  index: ObjectIndex<Item>;
  clock: Clock;
  random: () => number;
  limits: FeedLimits;
  /** Everything was seen, at first or again. */
  onListed(): void;
  /** After a blindness the view is whole again. */
  onRecovered(): void;
}

export interface FeedLimits {
  backOff: BackOffLimits;
  /**
   * A watch this silent is dead, because the server was asked to end it before. Bookmarks are no sign of life: a server
   * (v1.36.1) sends none on a watch while nothing is newer than where it began, for as long as it lasts.
   */
  silenceMs: number;
  /** After so many silent watches in a row the list is read again: a version from the future is silent too. */
  silencesMax: number;
  /** A watch that lived shorter is part of a storm, however cleanly it ended (KW04). */
  shortLifeMs: number;
  /** After so many short lives in a row the list is read again. */
  shortLivesMax: number;
  /** A watch that stays open for this long ends a trouble, also before its first word. */
  provenLifeMs: number;
  /** A watch that lived longer makes the back-off begin anew. */
  steadyLifeMs: number;
  /** How often lists are read where watching is forbidden. */
  pollMs: number;
  /** When a right that was missing, or a way of listing, is tried again. */
  retryMs: number;
  /** A connection that is lost for less than this is no blindness: the view is only a little older. */
  blindAfterMs: number;
  /** A view this old is blind, whatever the reason: longer than any silence that is allowed. */
  oldAfterMs: number;
  /** The server is asked to end a watch after this long, up to half as long again, by chance. */
  watchSeconds: number;
  /** … and a streamed list, which may be long, after this long. */
  streamedListSeconds: number;
  pageSize: number;
  /** A list from the cache comes in one piece; one that is longer is read in pages. V8 has no strings beyond 512 MB. */
  listBytesMax: number;
}

export const defaultFeedLimits: FeedLimits = {
  backOff: defaultBackOffLimits,
  silenceMs: 100_000,
  silencesMax: 2,
  shortLifeMs: 1_000,
  shortLivesMax: 3,
  provenLifeMs: 2_500,
  steadyLifeMs: 10_000,
  pollMs: 30_000,
  retryMs: 600_000,
  blindAfterMs: 15_000,
  oldAfterMs: 110_000,
  watchSeconds: 60,
  streamedListSeconds: 600,
  pageSize: 500,
  listBytesMax: 256 * 1024 * 1024,
};
