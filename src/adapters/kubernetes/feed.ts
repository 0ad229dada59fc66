/**
 * Keeps an index true to the cluster: a list, then a watch from where the list ended, for as long as it takes. Watches
 * end all the time, and this file says what follows from each end. It never throws for what the cluster does,
 * never asks faster than the back-off allows, and always knows how old its view is and what keeps it from seeing.
 */
import { type Sight, WorldProblem } from '../../ports.ts';
import type { ApiRequest } from './api-client.ts';
import { ApiProblem, problemOfNonsense } from './api-problem.ts';
import { BackOff, pause } from './back-off.ts';
import type { FeedOptions } from './feed-options.ts';
import { FeedSight } from './feed-sight.ts';
import { listAll } from './list-all.ts';
import type { Indexed } from './object-index.ts';
import { resourceName } from './resource.ts';
import { streamedListQuery, streamList } from './stream-list.ts';
import { versionOf } from './table.ts';
import { isOlderVersion } from './versions.ts';
import { type WatchEnding, type WatchEvent, watchOnce } from './watch-connection.ts';

/** How one round ended: with a list that was read, or with the end of a watch. */
type Ending = WatchEnding | { kind: 'listed' };

export class Feed<Item extends Indexed> {
  readonly #options: FeedOptions<Item>;
  readonly #backOff: BackOff;
  readonly #sight: FeedSight;
  /** Where a watch continues; null when a list must be read first. */
  #version: string | null = null;
  /** No list may be older than this; null when nothing is known or the server has lost it. */
  #knownVersion: string | null = null;
  #shortLives = 0;
  #silences = 0;
  #unreadable = 0;
  #mustReadPages = false;
  #isUnreachable = false;
  /** Until when a way that failed is not tried again. */
  #noStreamedListUntil = 0;
  #noWatchUntil = 0;

  constructor(options: FeedOptions<Item>) {
    this.#options = options;
    this.#backOff = new BackOff(options.random, options.limits.backOff);
    const what = `${resourceName(options.resource)} of cluster "${options.client.cluster}"`;
    this.#sight = new FeedSight(what, options.clock, options.limits, options.onRecovered);
  }

  /** Blindness is one sentence; null while the view is whole, or only seconds older than it should be. */
  sight(): Sight {
    return this.#sight.sight();
  }

  /** Sentences about what is seen less well than it could be. */
  notices(): readonly string[] {
    const { client, resource, limits, clock } = this.#options;
    const what = `${resourceName(resource)} of cluster "${client.cluster}"`;
    const notices: string[] = [];
    if (clock.now() < this.#noWatchUntil) {
      notices.push(
        `Stepback has no right to watch ${what}${this.#scope()}, so it lists them every ${Math.round(limits.pollMs / 1000)} s and notices changes later. Grant the verb "watch" as deploy/rbac.yaml does.`,
      );
    }
    if (this.#unreadable > 0) {
      notices.push(
        `${this.#unreadable} answers about ${what}${this.#scope()} could not be read and were made good by listing again. If the number grows, look at proxies in between.`,
      );
    }
    return notices;
  }

  /** Runs until `signal` aborts; `forbidden` when a whole cluster may not be listed, so that namespaces can be tried. */
  async run(signal: AbortSignal): Promise<'stopped' | 'forbidden'> {
    while (!signal.aborted) {
      const startedAt = this.#options.clock.now();
      const isWatch = this.#version !== null || this.#mayStreamList();
      const ending = await this.#round(signal);
      if (signal.aborted) break;
      if (!isWatch && this.#isForbiddenFromTheStart(ending)) return 'forbidden';
      const delayMs = this.#settle(ending, isWatch, this.#options.clock.now() - startedAt);
      if (delayMs > 0) await pause(this.#options.clock, delayMs, signal);
    }
    return 'stopped';
  }

  #round(signal: AbortSignal): Promise<Ending> {
    if (this.#version !== null) return this.#watch(signal);
    return this.#mayStreamList() ? this.#streamList(signal) : this.#list(signal);
  }

  #mayStreamList(): boolean {
    return this.#options.clock.now() >= Math.max(this.#noStreamedListUntil, this.#noWatchUntil);
  }

  async #streamList(signal: AbortSignal): Promise<Ending> {
    const { client, limits, read } = this.#options;
    const query = streamedListQuery(this.#knownVersion);
    const request = this.#watchRequest(limits.streamedListSeconds, signal, query);
    const list = await streamList(client, request, read);
    if (list.kind !== 'listed') {
      // Whatever kept it from becoming complete, the next list is an ordinary one.
      this.#postponeStreamedLists(list);
      return list;
    }
    this.#filled(list.items, list.version);
    return { kind: 'listed' };
  }

  #postponeStreamedLists(ending: WatchEnding): void {
    const isUnknown =
      ending.kind === 'failed' && ending.problem instanceof ApiProblem && ending.problem.reason === 'invalid';
    const { limits, clock } = this.#options;
    this.#noStreamedListUntil = clock.now() + (isUnknown ? limits.retryMs : limits.backOff.delayMsMax);
  }

  async #list(signal: AbortSignal): Promise<Ending> {
    const { client, resource, namespace, accept, query, limits } = this.#options;
    const items: Item[] = [];
    try {
      const version = await listAll(
        {
          client,
          resource,
          namespace,
          accept,
          query,
          knownVersion: this.#knownVersion,
          isFromCache: !this.#sight.hasListed && !this.#mustReadPages,
          bytesMax: limits.listBytesMax,
          pageSize: limits.pageSize,
          signal,
        },
        (page) => {
          const read = this.#options.read(page);
          items.push(...read.items);
          this.#unreadable += read.unreadable;
        },
        () => items.splice(0),
      );
      this.#filled(items, version);
      return { kind: 'listed' };
    } catch (error) {
      if (error instanceof WorldProblem) return { kind: 'failed', problem: error };
      throw error;
    }
  }

  async #watch(signal: AbortSignal): Promise<WatchEnding> {
    const { client, clock, limits } = this.#options;
    const seconds = limits.watchSeconds * (1 + this.#options.random() / 2);
    const request = this.#watchRequest(seconds, signal, { resourceVersion: this.#version ?? '' });
    let cancel = () => {};
    // An accepted watch that stays open ends a trouble, but not a silence: that began with an accepted one too.
    const onOpen = () => {
      if (this.#silences > 0 || !this.#sight.isTroubled) return;
      cancel = clock.after(limits.provenLifeMs, () => this.#sight.heard());
    };
    const ending = await watchOnce(client, request, { onOpen, onEvent: (event) => this.#apply(event) });
    cancel();
    return ending;
  }

  #watchRequest(seconds: number, signal: AbortSignal, query: Readonly<Record<string, string>>): ApiRequest {
    const { resource, namespace, accept, limits } = this.#options;
    const timeoutSeconds = String(Math.round(seconds));
    return {
      verb: 'watch',
      resource,
      namespace,
      accept,
      query: { ...this.#options.query, watch: 'true', allowWatchBookmarks: 'true', timeoutSeconds, ...query },
      silenceMs: limits.silenceMs,
      signal,
    };
  }

  #apply(event: WatchEvent): 'more' | WorldProblem {
    const { index, read } = this.#options;
    this.#silences = 0;
    this.#sight.heard();
    const version = versionOf(event.object);
    // Versions only grow along a watch: what is older is told again, and may have been deleted since.
    if (this.#version !== null && isOlderVersion(version, this.#version)) return 'more';
    // A bookmark is read for its columns only: the first Table of a watch may be the only one that names them.
    const { items, unreadable } = read(event.object);
    if (event.type !== 'BOOKMARK') {
      if (unreadable > 0 || items.length === 0) return this.#nonsense(JSON.stringify(event.object));
      for (const item of items) {
        if (event.type === 'DELETED') index.deleted(item);
        else index.changed(item);
      }
    }
    if (version !== '') this.#version = version;
    this.#knownVersion = this.#version;
    return 'more';
  }

  #filled(items: readonly Item[], version: string): void {
    const { index, namespace } = this.#options;
    this.#version = version === '' ? null : version;
    this.#knownVersion = this.#version;
    index.replace(namespace, items);
    this.#silences = 0;
    this.#sight.listed();
    this.#options.onListed();
  }

  #isForbiddenFromTheStart(ending: Ending): boolean {
    if (this.#sight.hasListed || this.#options.namespace !== null || ending.kind !== 'failed') return false;
    const isForbidden = ending.problem instanceof ApiProblem && ending.problem.reason === 'forbidden';
    if (isForbidden) this.#sight.failed(ending.problem);
    return isForbidden;
  }

  /** Draws the consequences of an end, and says how long to wait before the next round. */
  #settle(ending: Ending, isWatch: boolean, livedMs: number): number {
    const { limits, clock } = this.#options;
    if (ending.kind === 'listed') {
      if (clock.now() >= this.#noWatchUntil && this.#version !== null) return 0;
      this.#version = null;
      this.#backOff.reset();
      return limits.pollMs;
    }
    const isSteady = isWatch && livedMs >= limits.steadyLifeMs;
    if (isSteady) this.#backOff.reset();
    if (ending.kind === 'failed') return this.#settleFailure(ending.problem, isWatch);
    if (livedMs >= limits.shortLifeMs) {
      // It ended as it was asked to: that is a word, also when it was the only one.
      this.#shortLives = 0;
      this.#silences = 0;
      this.#sight.heard();
      return this.#backOff.succeeded();
    }
    this.#shortLives += 1;
    if (this.#shortLives >= limits.shortLivesMax) {
      this.#shortLives = 0;
      this.#version = null;
    }
    return this.#backOff.failed();
  }

  #settleFailure(problem: WorldProblem, isWatch: boolean): number {
    const { limits, clock } = this.#options;
    const reason = problem instanceof ApiProblem ? problem.reason : null;
    if (isWatch && reason === 'forbidden') {
      this.#noWatchUntil = clock.now() + limits.retryMs;
      this.#version = null;
      return 0;
    }
    // The postponed streamed list is followed by an ordinary one at once.
    if (isWatch && reason === 'invalid' && this.#version === null) return 0;
    this.#sight.failed(problem);
    // A server that answers again, if only that it is not ready yet, is not waited for as one that is gone.
    if (this.#isUnreachable && reason !== 'unreachable') this.#backOff.reset();
    this.#isUnreachable = reason === 'unreachable';
    switch (reason) {
      case 'version-too-large':
        this.#version = null;
        this.#knownVersion = null;
        break;
      case 'gone':
        this.#version = null;
        if (!isWatch) this.#knownVersion = null;
        break;
      case 'silent':
        this.#silences += 1;
        if (this.#silences >= limits.silencesMax) this.#version = null;
        break;
      case 'not-understood':
      case 'invalid':
        this.#version = null;
        break;
      case 'too-large':
        this.#mustReadPages = true;
        break;
      default:
        break;
    }
    return this.#backOff.failed(problem.retryAfterMs);
  }

  #nonsense(words: string): WorldProblem {
    this.#unreadable += 1;
    const { client, resource, namespace } = this.#options;
    return problemOfNonsense(client.asked({ verb: 'watch', resource, namespace }), words);
  }

  #scope(): string {
    return this.#options.namespace === null ? '' : ` in namespace ${this.#options.namespace}`;
  }
}
