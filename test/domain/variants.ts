/**
 * Recordings made over into others that must get the same answers: other names, labels and steps, several sources,
 * older versions of Argo CD that write less or flip more, watches that repeat themselves. Pure: a recording in, one out.
 */
import { type RecordedEvent, startOf } from '../../src/commands/replay/recording.ts';
import { list, record, text } from '../../src/domain/read.ts';
import type { Checkpoint, Expectation, Recording } from './recorded.ts';

export type Variant = (recording: Recording) => Recording;

type Json = Record<string, unknown>;
type ObjectEvent = Exclude<RecordedEvent, { kind: 'Push' }>;

/** Events with each object changed; `change` gets a copy that is its own. */
function withObjects(
  recording: Recording,
  change: (object: Json, event: ObjectEvent) => void,
): readonly RecordedEvent[] {
  return recording.events.map((event) => {
    if (event.kind === 'Push') return event;
    const object = structuredClone(event.object) as Json;
    change(object, event);
    return { ...event, object };
  });
}

const child = (object: Json, key: string): Json => record(object[key]) as Json;
const items = (value: unknown): Json[] => list(value) as Json[];

/** Every text of events and expectations through one replacement. */
function rewritten(recording: Recording, rewrite: (text: string) => string): Recording {
  const events = JSON.parse(rewrite(JSON.stringify(recording.events))) as RecordedEvent[];
  return {
    ...recording,
    events,
    expected: JSON.parse(rewrite(JSON.stringify(recording.expected))) as Expectation,
  };
}

/** A set, and with it its Applications, whose name has dashes and begins as another one does. */
export const renamedSets: Variant = (recording) => {
  const names = recording.expected.applicationSets;
  return rewritten(recording, (content) =>
    names.reduce(
      (rest, name) =>
        rest
          .replaceAll(`"${name}-`, `"team-1-${name}-`)
          .replaceAll(`"name":"${name}"`, `"name":"team-1-${name}"`)
          .replaceAll(`"applicationSet":"${name}"`, `"applicationSet":"team-1-${name}"`)
          .replaceAll(`["${name}"`, `["team-1-${name}"`)
          .replaceAll(`,"${name}"]`, `,"team-1-${name}"]`),
      content,
    ),
  );
};

/** Another label with other values. */
export const renamedLabels: Variant = (recording) => ({
  ...recording,
  events: withObjects(recording, (object) => {
    const relabel = (labels: Json): void => {
      if (labels.env === undefined) return;
      labels['example.com/ring'] = `ring-${text(labels.env)}`;
      delete labels.env;
    };
    relabel(child(child(object, 'metadata'), 'labels'));
    for (const step of stepsOf(object))
      for (const expression of items(step.matchExpressions)) {
        expression.key = 'example.com/ring';
        expression.values = list(expression.values).map((value) => `ring-${text(value)}`);
      }
  }),
});

function stepsOf(object: Json): Json[] {
  return items(child(child(child(object, 'spec'), 'strategy'), 'rollingSync').steps);
}

/** The same steps, written as what is not in the others, and by two labels. */
export const negatedSteps: Variant = (recording) => ({
  ...recording,
  events: withObjects(recording, (object) => {
    const steps = stepsOf(object);
    const values = steps.map((step) => list(items(step.matchExpressions)[0]?.values));
    steps.forEach((step, index) => {
      const others = values.filter((_, at) => at !== index).flat();
      step.matchExpressions = [
        { key: 'env', operator: 'NotIn', values: others },
        { key: 'tier', operator: 'NotIn', values: ['lab'] },
      ];
    });
  }),
});

/** One step for each Application. */
export const oneStepEach: Variant = (recording) => {
  const numbers = new Map<string, number>();
  const order = ['dev-1', 'staging-1', 'staging-2', 'staging-3', 'prod-1', 'prod-2', 'prod-3'];
  for (const set of recording.expected.applicationSets)
    for (const [index, name] of order.entries()) numbers.set(`${set}-${name}`, index + 1);
  const { outOfOrder: _dropped, ...expected } = recording.expected;
  return {
    ...recording,
    expected,
    events: withObjects(recording, (object, event) => {
      if (event.kind === 'Application') {
        child(child(object, 'metadata'), 'labels').cluster = text(child(object, 'metadata').name);
        return;
      }
      const set = text(child(object, 'metadata').name);
      const strategy = child(child(object, 'spec'), 'strategy');
      const paces = stepsOf(object).map((step) => step.maxUpdate);
      const rolling = child(strategy, 'rollingSync');
      rolling.steps = order.map((name) => ({
        matchExpressions: [{ key: 'cluster', operator: 'In', values: [`${set}-${name}`] }],
        maxUpdate: paces[name.startsWith('dev') ? 0 : name.startsWith('staging') ? 1 : 2] ?? '25%',
      }));
      for (const entry of items(child(object, 'status').applicationStatus))
        if (entry.step !== '-1') entry.step = String(numbers.get(text(entry.application)) ?? -1);
    }),
  };
};

/** `source` becomes `sources`, and with it every revision plural. */
export const pluralSources: Variant = (recording) => ({
  ...recording,
  events: withObjects(recording, (object, event) => {
    if (event.kind === 'ApplicationSet') {
      toSources(child(child(child(object, 'spec'), 'template'), 'spec'));
      return;
    }
    toSources(child(object, 'spec'));
    const status = child(object, 'status');
    toRevisions(child(status, 'sync'));
    toSources(child(child(status, 'sync'), 'comparedTo'));
    for (const entry of items(status.history)) {
      toRevisions(entry);
      toSources(entry);
    }
    const result = child(child(status, 'operationState'), 'syncResult');
    toRevisions(result);
    toSources(result);
  }),
});

function toSources(spec: Json): void {
  if (spec.source === undefined || list(spec.sources).length > 0) return;
  if (text(record(spec.source).repoURL) !== '') spec.sources = [spec.source];
  spec.source = { repoURL: '' };
}

function toRevisions(place: Json): void {
  if (typeof place.revision !== 'string' || place.revision === '') return;
  place.revisions = [place.revision];
  place.revision = '';
}

/** The default branch, by its other names, and repositories as people write them. */
export const followingHead: Variant = (recording) => ({
  ...recording,
  events: withObjects(recording, (object) => {
    const visit = (value: unknown): void => {
      if (Array.isArray(value)) value.forEach(visit);
      else if (typeof value === 'object' && value !== null) {
        const place = value as Json;
        if (place.targetRevision === 'main') place.targetRevision = 'HEAD';
        if (place.revision === 'main') place.revision = 'HEAD';
        if (typeof place.repoURL === 'string' && place.repoURL !== '')
          place.repoURL = place.repoURL.replace('https://github.com/', 'git@github.com:');
        Object.values(place).forEach(visit);
      }
    };
    visit(object);
  }),
});

export const followingAReference: Variant = (recording) =>
  rewritten(recording, (content) =>
    content
      .replaceAll('"targetRevision":"main"', '"targetRevision":"refs/heads/main"')
      .replaceAll('"revision":"main"', '"revision":"refs/heads/main"')
      .replaceAll(/(github\.com\/acme\/[a-z-]+)\.git"/g, '$1"'),
  );

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

/** Everything comes later by so much. */
function delayed(recording: Recording, lateMs: number): Recording {
  const { events, expected } = recording;
  return {
    ...recording,
    events: events.map((event) => ({ ...event, t: event.t + lateMs })),
    expected: {
      ...expected,
      checkpoints: expected.checkpoints.map((checkpoint) => later(checkpoint, lateMs / 1000)),
    },
  };
}

function later(checkpoint: Checkpoint, seconds: number): Checkpoint {
  const { notBefore } = checkpoint;
  return {
    ...checkpoint,
    seconds: checkpoint.seconds + seconds,
    ...(notBefore === undefined ? {} : { notBefore: notBefore + seconds }),
  };
}

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
 * A folder for each environment in one repository. `own` is the environment that the changes touch; null: they touch all.
 * What is behind the folders is the content of the recording's one folder, that of the first commit where nothing changed.
 */
export function inFolders(recording: Recording, own: string | null): Recording {
  const { repositories, expected } = recording;
  const first = expected.commits.A?.sha ?? '';
  const folder = { mode: '040000' as const };
  const environments = ['dev', 'staging', 'prod'];
  const { outOfOrder: _dropped, ...rest } = expected;
  return {
    ...recording,
    expected: rest,
    events: withObjects(recording, (object, event) => {
      const environment = text(child(child(object, 'metadata'), 'labels').env);
      const visit = (value: unknown): void => {
        if (Array.isArray(value)) value.forEach(visit);
        else if (typeof value === 'object' && value !== null) {
          const place = value as Json;
          if (typeof place.path === 'string' && place.repoURL !== undefined)
            place.path = `envs/${event.kind === 'Application' ? environment : '{{env}}'}/${place.path}`;
          Object.values(place).forEach(visit);
        }
      };
      visit(object);
    }),
    repositories: {
      ...repositories,
      async commit(repository, sha) {
        const commit = await repositories.commit(repository, sha);
        return commit === null ? null : { ...commit, tree: `root ${sha}` };
      },
      async readTree(repository, id) {
        const [kind, sha = ''] = id.split(' ');
        if (kind === 'root') return [{ ...folder, name: 'envs', id: `envs ${sha}` }];
        if (kind !== 'envs') return repositories.readTree(repository, id);
        const shas = environments.map((name) => (own === null || name === own ? sha : first));
        const commits = await Promise.all(shas.map((one) => repositories.commit(repository, one)));
        return environments.map((name, index) => ({ ...folder, name, id: commits[index]?.tree ?? '' }));
      },
    },
  };
}

export const foldersOfTheirOwn: Variant = (recording) => inFolders(recording, null);

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
      pullRequestsOf: async () => [],
      close: () => {},
    },
  };
}
