/**
 * Recordings of worlds that people wrote down in another way, and that must get the same answers: other names, labels and
 * steps, several sources, other words for one branch, a folder for each environment. Pure: a recording in, one out.
 */
import { list, record, text } from '../../src/domain/read.ts';
import type { Recording } from './recorded.ts';
import { child, items, type Json, rewritten, type Variant, withObjects } from './rewriting.ts';

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
