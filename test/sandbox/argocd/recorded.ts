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

/** Every line of a recording. */
export function linesOf(name: string): Line[] {
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
  return {
    name,
    applicationSet,
    version: (/3\.\d/.exec(expectationOf(name).recorded.argocd)?.[0] ?? '3.5') as ArgoVersion,
    isProgressive: name !== 'flag-off',
    clusters: clustersOf(applications),
    sets,
    applications,
    cache: (count) => caches[count] ?? [],
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
