import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import {
  type ApplicationSetWrite,
  reconcileApplicationSet,
} from '../../../src/sandbox/argocd/applicationset-controller.ts';
import type {
  ApplicationObject,
  ApplicationSetStatus,
  ApplicationStatusEntry,
  ArgoVersion,
} from '../../../src/sandbox/argocd/objects.ts';
import { expectationOf, RECORDINGS, type Recording, recordingOf, type Stored } from './recorded.ts';

const recordings = RECORDINGS.flatMap((name) =>
  expectationOf(name).applicationSets.map((applicationSet) => recordingOf(name, applicationSet)),
);

/** What the simulated controller writes at one moment of a recording, with a cache of `count` Application writes. */
function writesAt(
  recording: Recording,
  at: Recording['sets'][number],
  entries: readonly ApplicationStatusEntry[],
  count: number,
  version: ArgoVersion,
): ApplicationSetWrite[] {
  const status: ApplicationSetStatus = { ...at.object.status, applicationStatus: [...entries] };
  const times = (at.object.status?.applicationStatus ?? []).map((entry) =>
    Date.parse(entry.lastTransitionTime),
  );
  return reconcileApplicationSet({
    applicationSet: { ...at.object, status },
    applications: recording.cache(count),
    clusters: recording.clusters,
    now: Math.max(...times, Date.parse(at.object.metadata.creationTimestamp)),
    version,
    isProgressive: recording.isProgressive,
  }).writes;
}

function entriesWritten(writes: readonly ApplicationSetWrite[]): ApplicationStatusEntry[][] {
  return writes.flatMap((write) =>
    write.kind === 'status' && 'applicationStatus' in write.status
      ? [write.status.applicationStatus ?? []]
      : [],
  );
}

/** The entries without their times: the recording's clock decides in which second a write falls. */
function says(entries: readonly ApplicationStatusEntry[]): string {
  return JSON.stringify(
    entries.map(({ application, status, step, message, targetRevisions }) => [
      application,
      status,
      step,
      message,
      targetRevisions,
    ]),
  );
}

/** What `applicationStatus` said, since which version, and how much the cache held at least. */
type State = { entries: readonly ApplicationStatusEntry[]; since: number; count: number };

/**
 * Walks all writes to `applicationStatus`. Each must be what the simulated controller writes from the state before,
 * with a cache that holds some of the Applications written until then and never less than at the write before. Returns
 * the lines that no such cache explains, and the states in between.
 */
const walks = new Map<string, ReturnType<typeof walk>>();

function walked(recording: Recording) {
  const key = `${recording.name}/${recording.applicationSet}`;
  const known = walks.get(key) ?? walk(recording);
  walks.set(key, known);
  return known;
}

function walk(recording: Recording, version = recording.version) {
  const unexplained: number[] = [];
  let entries: readonly ApplicationStatusEntry[] = recording.sets[0]?.object.status?.applicationStatus ?? [];
  const states: State[] = [{ entries, since: 0, count: 0 }];
  let count = 0;
  let secondWrite: ApplicationStatusEntry[] | undefined;
  let writes = 0;
  for (const at of recording.sets.slice(1)) {
    const recorded = at.object.status?.applicationStatus ?? [];
    if (JSON.stringify(recorded) === JSON.stringify(entries)) continue;
    writes += 1;
    if (secondWrite !== undefined) {
      if (says(recorded) !== says(secondWrite)) unexplained.push(at.line);
      secondWrite = undefined;
    } else {
      const found = explanation(recording, at, entries, recorded, count, version);
      if (found === undefined) unexplained.push(at.line);
      count = found?.count ?? count;
      secondWrite = found?.secondWrite;
    }
    entries = recorded;
    states.push({ entries, since: at.version, count });
  }
  return { unexplained, states, writes };
}

function explanation(
  recording: Recording,
  at: Recording['sets'][number],
  entries: readonly ApplicationStatusEntry[],
  recorded: readonly ApplicationStatusEntry[],
  from: number,
  version: ArgoVersion,
) {
  const until = recording.applications.filter(({ version: written }) => written < at.version).length;
  for (let count = from; count <= until; count += 1) {
    if (count > from && !recording.isTelling(count)) continue;
    const [first, secondWrite] = entriesWritten(writesAt(recording, at, entries, count, version));
    if (first !== undefined && says(first) === says(recorded)) return { count, secondWrite };
  }
  return undefined;
}

describe('the simulated ApplicationSet controller, held against what the real one wrote', () => {
  it.each(recordings.map((recording) => [recording.name, recording.applicationSet, recording] as const))(
    '%s: every state of every Application of %s, in the order of the real controller',
    (_name, _set, recording) => {
      const { unexplained, writes } = walked(recording);
      expect(unexplained).toEqual([]);
      expect(writes).toBeGreaterThan(recording.isProgressive ? 2 : -1);
    },
  );

  it('explains more than sixteen hundred writes in all', () => {
    const writes = recordings.map((recording) => walked(recording).writes);
    expect(writes.reduce((sum, one) => sum + one, 0)).toBeGreaterThan(1600);
  });

  it('does not explain them with the rules of 3.3, so the comparison can fail', () => {
    const happy = recordings.find(({ name }) => name === 'happy')!;
    expect(walk(happy, '3.3').unexplained.length).toBeGreaterThan(3);
  });

  it.each(recordings.map((recording) => [recording.name, recording] as const))(
    '%s: the operations it writes are those that the real controller wrote',
    (_name, recording) => {
      const { states } = walked(recording);
      for (const requested of operationsRequested(recording)) {
        expect(isRequested(recording, states, requested), `line ${requested.line}`).toBe(true);
      }
    },
  );

  it.each(recordings.map((recording) => [recording.name, recording] as const))(
    '%s: the Applications it creates are those that the real controller created',
    (_name, recording) => {
      const writes = writesAt(recording, recording.sets[0]!, [], 0, recording.version);
      const created = writes.flatMap((write) => (write.kind === 'create' ? [write.application] : []));
      expect(created).toHaveLength(7);
      for (const { metadata, spec } of created) {
        const real = recording.applications.find(
          ({ object }) => object.metadata.name === metadata.name,
        )!.object;
        expect(spec).toEqual(real.spec);
        expect(real.metadata).toMatchObject(metadata);
      }
    },
  );
});

/** Where an operation appears on an Application, and it is the controller's. */
function operationsRequested(recording: Recording): Stored<ApplicationObject>[] {
  const before = new Map<string, boolean>();
  return recording.applications.filter(({ object }) => {
    const { operation, metadata } = object;
    const isNew = operation !== undefined && before.get(metadata.name) !== true;
    before.set(metadata.name, operation !== undefined);
    return isNew && operation.initiatedBy?.username === 'applicationset-controller';
  });
}

/**
 * Whether a reconciliation writes this operation that began in one of the last three states before it: Argo CD decides
 * with the state at the beginning, and two states can be written in between.
 */
function isRequested(recording: Recording, states: State[], requested: Stored<ApplicationObject>): boolean {
  const until = recording.applications.indexOf(requested);
  const at = recording.sets.findLast(({ version }) => version < requested.version)!;
  const possible = states.filter(({ since }) => since < requested.version).slice(-3);
  return possible.some(({ entries, count }) => {
    for (let cached = until; cached >= count; cached -= 1) {
      if (cached < until && !recording.isTelling(cached + 1)) continue;
      const writes = writesAt(recording, at, entries, cached, recording.version);
      const { name } = requested.object.metadata;
      const patch = writes.find((write) => write.kind === 'patch' && write.name === name);
      const operation = patch?.kind === 'patch' ? (patch.patch as ApplicationObject).operation : undefined;
      if (isDeepStrictEqual(operation, requested.object.operation)) return true;
    }
    return false;
  });
}
