/** A feed of Applications over a scripted server, with what it told. */
import { onTestFinished } from 'vitest';
import { Feed } from '../../../src/adapters/kubernetes/feed.ts';
import { defaultFeedLimits, type FeedLimits } from '../../../src/adapters/kubernetes/feed-options.ts';
import { ObjectIndex } from '../../../src/adapters/kubernetes/object-index.ts';
import { applications } from '../../../src/adapters/kubernetes/resource.ts';
import { RowReader, tableAccept } from '../../../src/adapters/kubernetes/table.ts';
import type { ApplicationRow } from '../../../src/domain/objects.ts';
import { Happenings } from '../happenings.ts';
import { type Answer, type Asked, lines, type Script, scriptedClient } from './scripted-server.ts';

/** Runs a feed until the test ends. `random` 0.5 makes waits exact. */
export async function feedOver(
  script: Script,
  options: { namespace?: string | null; random?: () => number; limits?: Partial<FeedLimits> } = {},
) {
  const { server, client, clock } = await scriptedClient(script);
  const events: string[] = [];
  const happenings = new Happenings();
  const index = new ObjectIndex<ApplicationRow>((before, after) => {
    const what = before === null ? 'added' : after === null ? 'deleted' : 'changed';
    events.push(`${(after ?? before)?.key.split('/')[1]} ${what}`);
    happenings.happened();
  });
  const reader = new RowReader();
  let recoveries = 0;
  const feed = new Feed<ApplicationRow>({
    client,
    resource: applications,
    namespace: options.namespace ?? null,
    accept: tableAccept,
    query: { includeObject: 'Metadata' },
    read: (object) => reader.read(object),
    index,
    clock,
    random: options.random ?? (() => 0.5),
    limits: { ...defaultFeedLimits, ...options.limits },
    onListed: () => {},
    onRecovered: () => {
      recoveries += 1;
      happenings.happened();
    },
  });
  const stop = new AbortController();
  const ended = feed.run(stop.signal);
  onTestFinished(async () => {
    stop.abort();
    await ended;
  });
  /** Resolves when so many changes were told. */
  const told = async (count: number): Promise<readonly string[]> => {
    await happenings.until(() => events.length >= count);
    return events;
  };
  const recovered = () => happenings.until(() => recoveries > 0);
  return { server, clock, feed, index, events, told, ended, stop, recovered };
}

/** An Application as a whole object. */
export function whole(
  name: string,
  resourceVersion: string,
  more: { uid?: string; namespace?: string } = {},
) {
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: {
      name,
      namespace: more.namespace ?? 'argocd',
      resourceVersion,
      uid: more.uid ?? `u-${name}`,
      ownerReferences: [
        { apiVersion: 'argoproj.io/v1alpha1', kind: 'ApplicationSet', name: 'shop', uid: 's' },
      ],
    },
  };
}

export function listOf(resourceVersion: string, ...items: readonly unknown[]) {
  return { kind: 'ApplicationList', metadata: { resourceVersion }, items };
}

export function bookmark(resourceVersion: string, annotations?: Readonly<Record<string, string>>) {
  return { type: 'BOOKMARK', object: { kind: 'Application', metadata: { resourceVersion, annotations } } };
}

export const endOfList = { 'k8s.io/initial-events-end': 'true' };

/** Streams these events, and goes on or ends. */
export function stream(events: readonly unknown[], end: 'open' | 'clean' = 'open'): Answer {
  return {
    stream: (response) => {
      response.write(lines(...events));
      if (end === 'clean') response.end();
    },
  };
}

export const added = (name: string, version: string) => ({ type: 'ADDED', object: whole(name, version) });
export const modified = (name: string, version: string) => ({
  type: 'MODIFIED',
  object: whole(name, version),
});
const refused: Answer = { status: 422, body: { kind: 'Status', reason: 'Invalid', code: 422 } };
export const isStreamedList = (asked: Asked) => asked.query.has('sendInitialEvents');

/** A server without streamed lists: `list` and `watch` answer, each told the how manieth of its kind it is. */
export function plain(
  list: (number: number) => Answer,
  watch: (number: number, asked: Asked) => Answer,
): Script {
  const counts = { list: 0, watch: 0 };
  return (asked) => {
    if (isStreamedList(asked)) return refused;
    if (!asked.isWatch) return list(counts.list++);
    return watch(counts.watch++, asked);
  };
}

export const nothingMore: Answer = { stream: () => {} };
export const versions = (asked: readonly Asked[]) => asked.map((one) => one.query.get('resourceVersion'));
