/**
 * A whole Argo CD on the stepped clock, with the repository and the ApplicationSet of a recording: pushes of its commits
 * by letter, and the truth about what runs where. Seven clusters as recorded (dev 1, staging 3, prod 3), or twelve with
 * eight prods.
 */
import { isDeepStrictEqual } from 'node:util';
import { type Habits, seededRandom } from '../../../src/sandbox/argocd/habits.ts';
import { isHook, readManifests } from '../../../src/sandbox/argocd/manifests.ts';
import type {
  ApplicationObject,
  ApplicationSetObject,
  ArgoVersion,
  Cluster,
} from '../../../src/sandbox/argocd/objects.ts';
import type { Repositories } from '../../../src/sandbox/argocd/repo-server.ts';
import { type ArgoCD, startArgoCD } from '../../../src/sandbox/argocd/start.ts';
import { type SteppedClock, steppedClock } from '../../../src/sandbox/clock.ts';
import { ObjectStore } from '../../../src/sandbox/kubernetes/store.ts';
import { type Expectation, expectationOf, linesOf, recordedCommits } from './recorded.ts';

export const START = Date.parse('2026-12-01T12:00:00Z');

export interface WorldOptions {
  recording: string;
  clusters?: 7 | 12;
  seed?: number;
  version?: ArgoVersion;
  isProgressive?: boolean;
  habits?: Partial<Habits>;
  /** What is different about the ApplicationSet. */
  change?: (spec: ApplicationSetObject['spec']) => void;
}

export interface World {
  argocd: ArgoCD;
  store: ObjectStore;
  clock: SteppedClock;
  expectation: Expectation;
  /** The names of the clusters. */
  clusters: string[];
  /** Moves the branch to a commit of the recording and tells Argo CD, unless it is left to polling. */
  push(letter: string, isWebhook?: boolean): void;
  /** The Application on a cluster. */
  application(cluster: string): ApplicationObject;
  applicationSet(): ApplicationSetObject;
  /** `applicationStatus` as words: cluster → status. */
  statuses(): Record<string, string>;
  /** The letters of the commits whose content really runs on a cluster; empty when it is none of them. */
  runs(cluster: string): string[];
  /** Lets time pass until a condition holds; fails the test after `seconds`. */
  until(what: string, condition: () => boolean, seconds?: number): Promise<void>;
  seconds(count: number): Promise<void>;
  /**
   * Compares with a checkpoint of the recording: what runs on every cluster, and what `applicationStatus` says. A prod
   * that the recording did not have is expected to be where its last prod is.
   */
  compare(checkpoint: number): { expected: string[]; found: string[] };
  /** Every Application is Synced and Healthy on what the commit says, and the rollout is over. */
  isEverywhere(letter: string): boolean;
}

function clustersOf(count: 7 | 12): Cluster[] {
  const cluster = (env: string, index: number) => ({
    name: `${env}-${index + 1}`,
    labels: { env, region: `r${index % 2}` },
    server: `https://${env}-${index + 1}.k8s.acme.example:6443`,
  });
  const of = (env: string, length: number) => Array.from({ length }, (_, index) => cluster(env, index));
  return [...of('dev', 1), ...of('staging', 3), ...of('prod', count === 7 ? 3 : 8)];
}

/** Starts the world with the first commit of the recording pushed and its ApplicationSet created. */
export function argoWorld(options: WorldOptions): World {
  const clock = steppedClock(START);
  const store = new ObjectStore({ clock });
  const expectation = expectationOf(options.recording);
  const setName = expectation.applicationSets[0]!;
  const commits = recordedCommits(options.recording);
  const heads = new Map<string, string>();
  const clusters = clustersOf(options.clusters ?? 7);
  const repositories: Repositories = {
    resolve: (repoURL, revision) =>
      heads.get(repoURL) ?? { error: `unable to resolve '${revision}' to a commit SHA` },
    read: (_repoURL, sha, path) =>
      commits.get(sha)?.folder(path) ?? { error: `${path}: app path does not exist` },
  };
  const argocd = startArgoCD({
    store,
    clock,
    clusters,
    repositories,
    random: seededRandom(options.seed ?? 1),
    version: options.version,
    isProgressive: options.isProgressive,
    habits: options.habits,
  });
  const urlOf = (letter: string) => `https://github.com/${expectation.commits[letter]!.repository}.git`;
  const push = (letter: string, isWebhook = true) => {
    heads.set(urlOf(letter), expectation.commits[letter]!.sha);
    if (isWebhook) argocd.webhook(urlOf(letter), 'main');
  };
  const application = (cluster: string) =>
    store.get<ApplicationObject>('applications', 'argocd', `${setName}-${cluster}`)!;
  const applicationSet = () => store.get<ApplicationSetObject>('applicationsets', 'argocd', setName)!;
  const statuses = () => {
    const entries = applicationSet().status?.applicationStatus ?? [];
    return Object.fromEntries(
      entries.map((entry) => [entry.application.slice(setName.length + 1), entry.status]),
    );
  };
  const wantedBy = new Map<string, Content | undefined>();
  const contentAt = (sha: string, path: string) => {
    const key = `${sha}/${path}`;
    if (!wantedBy.has(key)) wantedBy.set(key, contentOf(commits.get(sha)?.folder(path)));
    return wantedBy.get(key);
  };
  const runs = (cluster: string) => {
    const live = argocd
      .liveObjects(`argocd/${setName}-${cluster}`)
      .map(({ manifest }) => manifest)
      .filter((manifest) => !isHook(manifest))
      .map(({ metadata, data, spec }) => ({ name: metadata.name, data, spec }));
    const path = application(cluster).spec.source?.path ?? '';
    return Object.entries(expectation.commits).flatMap(([letter, { sha }]) => {
      const wanted = contentAt(sha, path);
      return wanted !== undefined && isDeepStrictEqual(wanted, byName(live)) ? [letter] : [];
    });
  };
  const world: World = {
    argocd,
    store,
    clock,
    expectation,
    clusters: clusters.map(({ name }) => name),
    push,
    application,
    applicationSet,
    statuses,
    runs,
    until: async (what, condition, seconds = 240) => {
      if (await clock.advanceUntil(condition, seconds * 1000)) return;
      const seen = clusters.map(({ name }) => {
        const status = application(name)?.status;
        return `${name}: ${statuses()[name]} ${status?.sync.status} ${status?.health.status} ${status?.operationState?.phase} ${runs(name)}`;
      });
      throw new Error(`Not reached within ${seconds} s: ${what}\n${seen.join('\n')}`);
    },
    seconds: (count) => clock.advance(count * 1000),
    compare: (index) => {
      const checkpoint = expectation.checkpoints[index]!;
      const recordedStatuses = statusesAt(options.recording, checkpoint.line, setName);
      const found: string[] = [];
      const expected = clusters.map(({ name }) => {
        const like = name in checkpoint.runs ? name : 'prod-3';
        const letter = checkpoint.runs[like] ?? '';
        const really = runs(name);
        const isRight = letter === '' ? really.length === 0 : really.includes(letter);
        found.push(`${name} ${isRight ? letter : really.join('=')} ${statuses()[name] ?? ''}`);
        return `${name} ${letter} ${recordedStatuses[like] ?? ''}`;
      });
      return { expected, found };
    },
    isEverywhere: (letter) =>
      clusters.every(({ name }) => {
        const { sync, health } = application(name)?.status ?? {};
        const isThere =
          sync?.status === 'Synced' && health?.status === 'Healthy' && runs(name).includes(letter);
        return isThere && (statuses()[name] ?? 'Healthy') === 'Healthy';
      }),
  };
  push('A', false);
  const recorded = linesOf(options.recording).find(({ kind, object }) => {
    return kind === 'ApplicationSet' && object.metadata.name === setName;
  })!.object as ApplicationSetObject;
  const spec = structuredClone(recorded.spec);
  options.change?.(spec);
  store.create('applicationsets', { metadata: { name: setName, namespace: 'argocd' }, spec });
  return world;
}

function statusesAt(recording: string, line: number, setName: string): Record<string, string> {
  const sets = linesOf(recording)
    .slice(0, line)
    .filter(({ kind, object }) => kind === 'ApplicationSet' && object.metadata.name === setName);
  const { status } = (sets.at(-1)?.object ?? {}) as ApplicationSetObject;
  const entries = status?.applicationStatus ?? [];
  return Object.fromEntries(
    entries.map((entry) => [entry.application.slice(setName.length + 1), entry.status]),
  );
}

type Content = { name: string; data?: unknown; spec?: unknown }[];

function contentOf(files: ReadonlyMap<string, string> | undefined): Content | undefined {
  if (files === undefined) return undefined;
  try {
    const manifests = readManifests(files).filter((manifest) => !isHook(manifest));
    return byName(manifests.map(({ metadata, data, spec }) => ({ name: metadata.name, data, spec })));
  } catch {
    return undefined;
  }
}

function byName(content: Content): Content {
  return [...content].sort((one, other) => (one.name < other.name ? -1 : 1));
}
