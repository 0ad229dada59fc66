/**
 * A recording, in the order in which the API server stored it. The events of a recording arrived on two watches, but
 * their resource versions come from one counter: with them it is known which Applications had been written before a
 * write to the ApplicationSet. What the controller's cache held is some prefix of those, never less than the time before.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type {
  ApplicationObject,
  ApplicationSetObject,
  ArgoVersion,
  Cluster,
} from '../../../src/sandbox/argocd/objects.ts';

const ROOT = new URL('../../recordings/', import.meta.url);

export interface Stored<T> {
  line: number;
  version: number;
  object: T;
}

export interface Recording {
  name: string;
  applicationSet: string;
  version: ArgoVersion;
  isProgressive: boolean;
  clusters: Cluster[];
  sets: Stored<ApplicationSetObject>[];
  applications: Stored<ApplicationObject>[];
  /** The Applications as they stood after the first `count` writes to them. */
  cache(count: number): ApplicationObject[];
  /** Whether the last of the first `count` writes changed anything that the ApplicationSet controller looks at. */
  isTelling(count: number): boolean;
}

type Line = { kind: string; object: ApplicationSetObject & ApplicationObject };

export const RECORDINGS = readdirSync(ROOT).filter((name) =>
  existsSync(new URL(`${name}/expect.json`, ROOT)),
);

export interface Expectation {
  recorded: { argocd: string };
  applicationSets: string[];
  commits: Record<string, { sha: string; subject: string; repository: string }>;
  checkpoints: {
    line: number;
    applicationSet: string;
    verdict: string;
    runs: Record<string, string | null>;
  }[];
}

/** What `expect.json` of a recording says. */
export function expectationOf(name: string): Expectation {
  return JSON.parse(readFileSync(new URL(`${name}/expect.json`, ROOT), 'utf8')) as Expectation;
}

const read = new Map<string, Line[]>();

/** Every line of a recording. */
export function linesOf(name: string): Line[] {
  const known = read.get(name) ?? readLines(name);
  read.set(name, known);
  return known;
}

function readLines(name: string): Line[] {
  const text = gunzipSync(readFileSync(new URL(`${name}/events.jsonl.gz`, ROOT))).toString('utf8');
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
}

/** One ApplicationSet of a recording with its Applications. */
export function recordingOf(name: string, applicationSet: string): Recording {
  const sets: Stored<ApplicationSetObject>[] = [];
  const applications: Stored<ApplicationObject>[] = [];
  for (const [index, { kind, object }] of linesOf(name).entries()) {
    if (kind !== 'Application' && kind !== 'ApplicationSet') continue;
    const stored = { line: index + 1, version: Number(object.metadata.resourceVersion), object };
    if (kind === 'ApplicationSet' && object.metadata.name === applicationSet) sets.push(stored);
    const owner = object.metadata.ownerReferences?.[0]?.name;
    if (kind === 'Application' && owner === applicationSet) applications.push(stored);
  }
  sets.sort((one, other) => one.version - other.version);
  applications.sort((one, other) => one.version - other.version);
  const caches = cachesOf(applications);
  const telling = tellingWrites(applications);
  return {
    name,
    applicationSet,
    version: (/3\.\d/.exec(expectationOf(name).recorded.argocd)?.[0] ?? '3.5') as ArgoVersion,
    isProgressive: name !== 'flag-off',
    clusters: clustersOf(applications),
    sets,
    applications,
    cache: (count) => caches[count] ?? [],
    isTelling: (count) => count === 0 || telling[count - 1] === true,
  };
}

/** The clusters of all recordings are called dev-1, staging-1 and so on; their Secrets carried `env` and `region`. */
function clustersOf(applications: readonly Stored<ApplicationObject>[]): Cluster[] {
  const clusters = new Map<string, Cluster>();
  for (const { object } of applications) {
    const { namespace: name = '', server = '' } = object.spec.destination;
    const labels = { env: name.split('-')[0]!, region: object.metadata.labels?.region ?? 'r0' };
    if (!clusters.has(name)) clusters.set(name, { name, server, labels });
  }
  return [...clusters.values()];
}

function cachesOf(applications: readonly Stored<ApplicationObject>[]): ApplicationObject[][] {
  const seen = new Map<string, ApplicationObject>();
  const caches = [[] as ApplicationObject[]];
  for (const { object } of applications) {
    seen.set(object.metadata.name, object);
    caches.push([...seen.values()]);
  }
  return caches;
}

function tellingWrites(applications: readonly Stored<ApplicationObject>[]): boolean[] {
  const seen = new Map<string, string>();
  return applications.map(({ object: { metadata, spec, status, operation } }) => {
    const { startedAt, phase } = status?.operationState ?? {};
    const types = status?.conditions?.map(({ type }) => type);
    const looked = [
      metadata.annotations,
      spec,
      status?.sync,
      status?.health.status,
      status?.reconciledAt,
      startedAt,
      phase,
      types,
      operation,
    ];
    const before = seen.get(metadata.name);
    seen.set(metadata.name, JSON.stringify(looked));
    return before !== seen.get(metadata.name);
  });
}

export interface RecordedCommit {
  /** The files directly in a folder; undefined when there is no such folder. */
  folder(path: string): Map<string, string> | undefined;
}

/** The commits of a recording by their id, read from its `git fast-export`. */
export function recordedCommits(name: string): Map<string, RecordedCommit> {
  const commits = new Map<string, RecordedCommit>();
  const { commits: letters } = expectationOf(name);
  for (const file of readdirSync(new URL(`${name}/`, ROOT)).filter((one) => one.endsWith('.fast-export'))) {
    const ids = Object.values(letters).filter(
      ({ repository }) => repository === `acme/${file.replace('.fast-export', '')}`,
    );
    const trees = treesOf(readFileSync(new URL(`${name}/${file}`, ROOT), 'utf8'));
    for (const [index, { sha }] of ids.entries()) {
      const tree = trees[index] ?? new Map<string, string>();
      commits.set(sha, {
        folder: (path) => {
          const inside = [...tree].filter(([of]) => of.startsWith(`${path}/`));
          return inside.length > 0
            ? new Map(inside.map(([of, text]) => [of.slice(path.length + 1), text]))
            : undefined;
        },
      });
    }
  }
  return commits;
}

/** The tree after each commit of one branch, path → text. */
function treesOf(fastExport: string): Map<string, string>[] {
  const blobs = new Map<string, string>();
  const trees: Map<string, string>[] = [];
  let rest = fastExport;
  while (rest !== '') {
    const end = rest.indexOf('\n');
    const line = end < 0 ? rest : rest.slice(0, end);
    const [, mark] = /^blob\nmark (:\d+)\n/.exec(rest) ?? [];
    const data = /data (\d+)\n/.exec(rest);
    const [word, , where = '', path = ''] = line.split(' ');
    if (mark !== undefined && data !== null) {
      const from = data.index + data[0].length;
      blobs.set(mark, rest.slice(from, from + Number(data[1])));
      rest = rest.slice(from + Number(data[1]));
      continue;
    }
    if (line.startsWith('data ') && data !== null) {
      rest = rest.slice(data[0].length + Number(data[1]));
      trees.push(new Map(trees.at(-1)));
      continue;
    }
    if (word === 'M') trees.at(-1)?.set(path, blobs.get(where) ?? '');
    if (word === 'D') trees.at(-1)?.delete(line.slice(2));
    rest = end < 0 ? '' : rest.slice(end + 1);
  }
  return trees;
}
