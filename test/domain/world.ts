/**
 * A whole healthy world, of which a test changes only what matters: one ApplicationSet of dev, staging and prod, every
 * Application Synced and Healthy on commit A. Times are seconds since its beginning.
 */
import { contentKey } from '../../src/domain/content.ts';
import type { Exceptions } from '../../src/domain/left-out.ts';
import type { BranchHead } from '../../src/domain/look.ts';
import type { Application, ApplicationSet } from '../../src/domain/objects.ts';
import { noOrders, type Orders } from '../../src/domain/orders.ts';
import type { Policy } from '../../src/domain/policy.ts';
import { readApplication } from '../../src/domain/read-application.ts';
import { readApplicationSet } from '../../src/domain/read-application-set.ts';
import { packMemory } from '../../src/domain/stored-memory.ts';
import { unpackMemory } from '../../src/domain/unpack-memory.ts';
import { type Answer, answerOf, emptyStageMemory, rememberAll } from '../../src/domain/watcher.ts';

export const [A, B, C, D] = ['a', 'b', 'c', 'd'].map((letter) => letter.repeat(40)) as [
  string,
  string,
  string,
  string,
];

export const beginning = Date.parse('2026-01-01T00:00:00Z');
export const repoURL = 'https://github.com/acme/shop.git';

/** Times that a test can count: ten seconds of grace, a minute of bake. */
export const policy: Policy = {
  graceMs: 10_000,
  bakeMs: 60_000,
  stalledMs: 45_000,
  stuckMs: 20_000,
  unnoticedMs: 20_000,
  syncAttempts: 2,
};

type Json = Record<string, unknown>;

/** What a test says of an Application; the rest is healthy. */
export interface Shape {
  /** Compared with this commit. */
  target?: string;
  sync?: string;
  health?: string;
  /** Seconds at which health became what it is; 0 when not given. */
  healthSince?: number | null;
  healthMessage?: string;
  /** Commits that were deployed, with the seconds; A at 0 when not given. */
  history?: readonly (readonly [string, number])[];
  /** Merged into `status.operationState`; null: there never was one. */
  operation?: Json | null;
  /** Operation that is requested. */
  requested?: boolean;
  conditions?: readonly Json[];
  resources?: readonly Json[];
  path?: string;
  /** The folder that was deployed, entry by entry; `path` when not given. */
  deployedPaths?: readonly string[];
  /** The folder that was compared; `path` when not given. */
  comparedPath?: string;
  targetRevision?: string;
  uid?: string;
  resourceVersion?: string;
  labels?: Readonly<Record<string, string>>;
  createdAt?: number;
  /** Its finalizer still works. */
  isBeingDeleted?: boolean;
}

const timeAt = (seconds: number): string => new Date(beginning + seconds * 1000).toISOString();

const environments = ['dev', 'staging', 'prod'] as const;

/** One raw Application of the set `shop`. */
export function rawApplication(environment: string, shape: Shape = {}): Json {
  const { target = A, path = 'apps/shop', targetRevision = 'main' } = shape;
  const history = shape.history ?? [[A, 0]];
  const source = (folder: string): Json => ({ repoURL, path: folder, targetRevision });
  const deployed = history.map(([revision, seconds], index) => ({
    id: index,
    revision,
    deployedAt: timeAt(seconds),
    source: source(shape.deployedPaths?.[index] ?? path),
  }));
  const last = history.at(-1);
  const succeeded = {
    phase: 'Succeeded',
    message: 'successfully synced (all tasks run)',
    startedAt: timeAt(last?.[1] ?? 0),
    finishedAt: timeAt(last?.[1] ?? 0),
    operation: { retry: { limit: 5 }, sync: {} },
    syncResult: {
      revision: last?.[0] ?? A,
      source: source(shape.deployedPaths?.at(-1) ?? path),
      resources: [{ kind: 'ConfigMap', name: 'shop', namespace: 'shop', status: 'Synced' }],
    },
  };
  return {
    metadata: {
      name: `shop-${environment}`,
      namespace: 'argocd',
      uid: shape.uid ?? `uid-${environment}`,
      resourceVersion: shape.resourceVersion ?? '',
      ...(shape.createdAt === undefined ? {} : { creationTimestamp: timeAt(shape.createdAt) }),
      ...(shape.isBeingDeleted === true ? { deletionTimestamp: timeAt(0) } : {}),
      labels: shape.labels ?? { env: environment },
      ownerReferences: [
        { apiVersion: 'argoproj.io/v1alpha1', kind: 'ApplicationSet', name: 'shop', controller: true },
      ],
    },
    spec: { project: 'default', source: source(path), destination: { name: environment } },
    ...(shape.requested === true ? { operation: { sync: {} } } : {}),
    status: {
      sync: {
        status: shape.sync ?? 'Synced',
        revision: target,
        comparedTo: { source: source(shape.comparedPath ?? path) },
      },
      health: {
        status: shape.health ?? 'Healthy',
        message: shape.healthMessage ?? '',
        ...(shape.healthSince === null ? {} : { lastTransitionTime: timeAt(shape.healthSince ?? 0) }),
      },
      reconciledAt: timeAt(last?.[1] ?? 0),
      history: deployed,
      ...(shape.operation === null ? {} : { operationState: { ...succeeded, ...shape.operation } }),
      conditions: shape.conditions ?? [],
      resources: shape.resources ?? [],
    },
  };
}

/** What the controller wrote: environment → status and, where they are not A and its own step, the commit and the step. */
export type Entries = Readonly<Record<string, readonly [string, string?, string?]>>;

export function rawApplicationSet(entries: Entries | null = {}, change: Json = {}): Json {
  const status = environments.map((environment, index) => {
    const [written = 'Healthy', revision = A, step = String(index + 1)] = entries?.[environment] ?? [];
    return {
      application: `shop-${environment}`,
      status: written,
      step,
      targetRevisions: [revision],
      lastTransitionTime: timeAt(0),
    };
  });
  return {
    metadata: { name: 'shop', namespace: 'argocd', uid: 'uid-shop' },
    spec: {
      strategy: {
        type: 'RollingSync',
        rollingSync: {
          steps: environments.map((environment) => ({
            matchExpressions: [{ key: 'env', operator: 'In', values: [environment] }],
          })),
        },
      },
      template: { metadata: { labels: { env: '{{env}}' } }, spec: {} },
      ...change,
    },
    status: entries === null ? {} : { applicationStatus: status },
  };
}

export function applicationOf(raw: unknown): Application {
  const application = readApplication(raw);
  if (application === null) throw new Error('The Application has no name.');
  return application;
}

export function applicationSetOf(raw: unknown): ApplicationSet {
  const set = readApplicationSet(raw);
  if (set === null) throw new Error('The ApplicationSet has no name.');
  return set;
}

/** One moment of a story. */
export interface Moment {
  at: number;
  /** Environment → what is not healthy about it. */
  apps?: Readonly<Record<string, Shape>>;
  entries?: Entries | null;
  /** Parts of the ApplicationSet's spec that are other. */
  spec?: Json;
  /** Commit that was pushed at this moment. */
  push?: string;
  /** Another process takes over before it, which knows what the ledger holds. */
  isRestarted?: boolean;
}

/**
 * Looks at every moment in turn; the answers, one a moment. What is said of an Application holds until said otherwise. `contents`: by
 * commit, what its folder holds, where that is known.
 */
export function tell(
  moments: readonly Moment[],
  change: Partial<Policy> = {},
  meant: { exceptions?: Exceptions; orders?: Orders; contents?: Readonly<Record<string, string>> } = {},
): readonly Answer[] {
  const answers: Answer[] = [];
  const heads: BranchHead[] = [{ repoURL, branch: 'main', sha: A, at: beginning }];
  let memory = { ...emptyStageMemory, orders: meant.orders ?? noOrders };
  let shapes: Readonly<Record<string, Shape>> = {};
  let entries: Entries | null = {};
  let spec: Json = {};
  for (const moment of moments) {
    shapes = { ...shapes, ...moment.apps };
    entries = moment.entries === undefined ? entries : moment.entries;
    spec = moment.spec ?? spec;
    if (moment.isRestarted === true) memory = unpackMemory(packMemory(memory)) ?? memory;
    const now = beginning + moment.at * 1000;
    if (moment.push !== undefined) heads.push({ repoURL, branch: 'main', sha: moment.push, at: now });
    const applications = environments.map((environment) =>
      applicationOf(rawApplication(environment, shapes[environment])),
    );
    const ids = Object.entries(meant.contents ?? {}).flatMap(([sha, id]) =>
      applications.flatMap(({ sources }) =>
        sources.map((source): [string, string] => [contentKey(source, sha), id]),
      ),
    );
    const sighting = {
      applicationSet: applicationSetOf(rawApplicationSet(entries, spec)),
      applications,
      facts: { ids: new Map(ids), gone: new Set<string>() },
      heads: [...heads],
      policy: { ...policy, ...change },
      now,
      blindness: null,
      featureFlag: 'on' as const,
      exceptions: meant.exceptions,
    };
    const answer = answerOf(rememberAll(memory, sighting), sighting);
    memory = answer.memory;
    answers.push(answer);
  }
  return answers;
}

/** Verdict and codes of the reasons of the last answer. */
export function verdictOf(answers: readonly Answer[]): readonly [string, ...string[]] {
  const rollout = answers.at(-1)?.rollout;
  return [rollout?.verdict ?? '', ...(rollout?.reasons ?? []).map((reason) => reason.code)];
}
