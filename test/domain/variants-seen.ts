/**
 * Recordings of worlds that were seen in another way, and that must get the same answers: another time, versions of Argo CD
 * that write less or flip more, watches that repeat themselves, objects made again. Pure: a recording in, one out.
 */
import { type RecordedEvent, startOf } from '../../src/commands/replay/recording.ts';
import { text } from '../../src/domain/read.ts';
import type { Expectation, Recording } from './recorded.ts';
import {
  child,
  delayed,
  items,
  type Json,
  type ObjectEvent,
  rewritten,
  type Variant,
  withObjects,
} from './rewriting.ts';

/** The recording began later, and on another day. */
export const anotherTime: Variant = (recording) => {
  const laterSeconds = 7_200;
  const moved = rewritten(recording, (content) =>
    content.replaceAll(/"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)"/g, (_, written: string) => {
      const at = new Date(Date.parse(written) + 40 * 86_400_000);
      return `"${at.toISOString().replace('.000Z', 'Z')}"`;
    }),
  );
  return delayed(moved, laterSeconds * 1000);
};

/** Argo CD before 2.14 does not say since when health is what it is. */
export const withoutHealthTimes: Variant = (recording) => ({
  ...recording,
  events: withObjects(recording, (object) => {
    delete child(child(object, 'status'), 'health').lastTransitionTime;
  }),
});

/** What a status may lack: the sources that were compared and applied, and when a deployment began. */
export const withoutDetails: Variant = (recording) => ({
  ...recording,
  events: withObjects(recording, (object) => {
    const status = child(object, 'status');
    delete child(status, 'sync').comparedTo;
    delete child(child(status, 'operationState'), 'syncResult').source;
    for (const entry of items(status.history)) {
      delete entry.source;
      delete entry.sources;
      delete entry.deployStartedAt;
    }
  }),
});

/** `revisionHistoryLimit: 0`: nothing is kept of what was deployed. */
export const withoutHistory: Variant = (recording) => ({
  ...recording,
  events: withObjects(recording, (object) => {
    delete child(object, 'status').history;
  }),
});

/** Two of three writes of the ApplicationSet's status are never seen; the last one is. */
export const fewStatuses: Variant = (recording) => {
  const isSet = (event: RecordedEvent): boolean => event.kind === 'ApplicationSet';
  const last = recording.events.findLastIndex(isSet);
  let count = 0;
  return {
    ...recording,
    events: recording.events.filter((event, index) => !isSet(event) || index === last || count++ % 3 === 0),
  };
};

/** Argo CD 3.3 writes Waiting and Pending in turns, a dozen times for each step. */
export const flippingStatuses: Variant = (recording) => ({
  ...recording,
  events: withObjects(recording, () => {}).flatMap((event) => {
    if (event.kind !== 'ApplicationSet') return [event];
    const flipped = (from: string, to: string, lateMs: number): RecordedEvent => {
      const object = structuredClone(event.object) as Json;
      for (const entry of items(child(object, 'status').applicationStatus))
        if (entry.status === from) entry.status = to;
      return { ...event, t: event.t + lateMs, object };
    };
    return [
      event,
      flipped('Pending', 'Waiting', 1),
      flipped('Waiting', 'Pending', 2),
      { ...event, t: event.t + 3 },
    ];
  }),
});

/** Argo CD 3.3 puts an Application that degrades late back to Progressing. */
export const lateDegradationStops: Variant = (recording) => {
  const degraded = new Set<string>();
  return {
    ...recording,
    events: withObjects(recording, (object, event) => {
      const name = text(child(object, 'metadata').name);
      if (event.kind === 'Application') {
        if (text(child(child(object, 'status'), 'health').status) === 'Degraded') degraded.add(name);
        else degraded.delete(name);
        return;
      }
      for (const entry of items(child(object, 'status').applicationStatus))
        if (entry.status === 'Healthy' && degraded.has(text(entry.application))) entry.status = 'Progressing';
    }),
  };
};

/** A watch that is opened anew shows every object again, in the middle of everything. */
export const reopenedWatches: Variant = (recording) => {
  const latest = new Map<string, ObjectEvent>();
  return {
    ...recording,
    events: recording.events.flatMap((event, index): readonly RecordedEvent[] => {
      if (event.kind === 'Push') return [event];
      latest.set(`${event.kind} ${text(child(event.object as Json, 'metadata').name)}`, event);
      if (index % 60 !== 59) return [event];
      return [event, ...[...latest.values()].map((again) => ({ ...again, type: 'ADDED', t: event.t }))];
    }),
  };
};

/** Every object was deleted and made again, under its old name, before the newest change was pushed. */
export const madeAgain: Variant = (recording) => {
  const [, second = Number.POSITIVE_INFINITY] = recording.events
    .filter((event) => event.kind === 'Push')
    .map((event) => event.t);
  const latest = new Map<string, ObjectEvent>();
  const again = (event: ObjectEvent): ObjectEvent => {
    const object = structuredClone(event.object) as Json;
    child(object, 'metadata').uid = `again-${text(child(object, 'metadata').uid)}`;
    return { ...event, object };
  };
  let isOver = false;
  return {
    ...recording,
    events: recording.events.flatMap((event) => {
      if (!isOver && event.t >= second - 50) {
        isOver = true;
        const t = event.t;
        const made = [...latest.values()].flatMap((old): readonly RecordedEvent[] => [
          { ...old, type: 'DELETED', t },
          { ...again(old), type: 'ADDED', t },
        ]);
        return [...made, event.kind === 'Application' ? again(event) : event];
      }
      if (event.kind !== 'Application') return [event];
      if (isOver) return [again(event)];
      latest.set(text(child(event.object as Json, 'metadata').name), event);
      return [event];
    }),
  };
};

/** Fields that nobody knows, in every object. */
export const unknownFields: Variant = (recording) => ({
  ...recording,
  events: withObjects(recording, (object) => {
    const visit = (value: unknown): void => {
      if (Array.isArray(value)) value.forEach(visit);
      else if (typeof value === 'object' && value !== null) {
        Object.values(value).forEach(visit);
        (value as Json).ofAnotherVersion = { status: 'Degraded', revisions: ['main'] };
      }
    };
    visit(child(object, 'status'));
    visit(child(object, 'metadata'));
  }),
});

/**
 * Two recordings in one file, as if they had begun together: one cluster, several ApplicationSets. Gives the events, who
 * answers for their commits, and what is expected of the second, whose times have moved.
 */
export function sideBySide(
  one: Recording,
  other: Recording,
): {
  events: readonly RecordedEvent[];
  repositories: Recording['repositories'];
  expectedOfOther: Expectation;
} {
  const shiftMs = startOf(one.events) - startOf(other.events);
  // Argo CD writes whole seconds, so by whole seconds they move; the rest is a later beginning.
  const shiftSeconds = Math.ceil(shiftMs / 1000);
  const lateMs = shiftSeconds * 1000 - shiftMs;
  const shifted = rewritten(other, (content) =>
    content.replaceAll(/"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)"/g, (_, written: string) => {
      const at = new Date(Date.parse(written) + shiftSeconds * 1000);
      return `"${at.toISOString().replace('.000Z', 'Z')}"`;
    }),
  );
  const moved = delayed(shifted, lateMs);
  const events = [...one.events, ...moved.events].sort((left, right) => left.t - right.t);
  const of = (name: string): Recording['repositories'] =>
    one.events.some((event) => event.kind === 'Push' && event.repository.endsWith(`/${name}`))
      ? one.repositories
      : other.repositories;
  return {
    events,
    expectedOfOther: moved.expected,
    repositories: {
      repositoryOf: (repoURL) =>
        one.repositories.repositoryOf(repoURL) ?? other.repositories.repositoryOf(repoURL),
      commit: (repository, sha) => of(repository.name).commit(repository, sha),
      range: (repository, base, head) => of(repository.name).range(repository, base, head),
      readTree: (repository, id) => of(repository.name).readTree(repository, id),
      readBlob: (repository, id) => of(repository.name).readBlob(repository, id),
      branchHead: (repository, branch) => of(repository.name).branchHead(repository, branch),
      pullRequestsOf: async () => [],
      close: () => {},
    },
  };
}
