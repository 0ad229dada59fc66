/**
 * A fleet in memory, of any size: ApplicationSets whose Applications run commits of one repository, and a GitHub that
 * counts what is made or changed on it. For tests of how much is written, which would take minutes over HTTP.
 */
import type { Incident } from '../../src/domain/incident.ts';
import type { Application, ApplicationRow, ApplicationSet } from '../../src/domain/objects.ts';
import { readApplication } from '../../src/domain/read-application.ts';
import { readApplicationSet } from '../../src/domain/read-application-set.ts';
import type { StoredMemory } from '../../src/domain/stored-memory.ts';
import { type Loop, type LoopOptions, openLoop } from '../../src/loop/loop.ts';
import type { Cluster, Commit, Forge, Ledger, PullRequest, Repository, TreeEntry } from '../../src/ports.ts';
import { linksBelow } from '../../src/render/links.ts';
import { type SteppedClock, steppedClock } from '../../src/sandbox/clock.ts';
import { countingChecks } from './counting-checks.ts';

const repoURL = 'https://github.com/acme/payments.git';
export const repository: Repository = { host: 'github.com', owner: 'acme', name: 'payments' };
const beginning = Date.parse('2026-12-01T00:00:00Z');

/** How one Application is. */
export interface Shape {
  set: string;
  stage: string;
  runs: string;
  history: readonly (readonly [sha: string, at: number])[];
  target: string;
  health: string;
  healthSince: number;
}

export interface Fleet {
  clock: SteppedClock;
  loop: Loop;
  apps: Map<string, Shape>;
  /** Calls that GitHub counts as making content, in order. */
  made: string[];
  /** All other calls, by name. */
  asked: string[];
  checks: ReturnType<typeof countingChecks>;
  /** Pushes a commit that changes the folders of these ApplicationSets; the webhook comes at once. */
  push(sets: readonly string[]): string;
  /** One Application gets the head of the branch and becomes this healthy. */
  sync(name: string, health?: string): void;
  mergeRevert(): string;
  /** A person pushes what the branch held before its newest commit. */
  undo(): string;
  /** Another process takes over, which knows what the ledger holds and looks at this ApplicationSet first. */
  restart(first: string): Promise<void>;
  /** The ApplicationSet is deleted, and its Applications with it. */
  remove(set: string): void;
  pass(ms: number): Promise<void>;
}

const timeAt = (at: number): string => new Date(at).toISOString();
/** Names are made of the first digits. */
const shaOf = (number: number): string => number.toString(16).padStart(8, 'c').padEnd(40, 'c');

/** Every Application is Synced and Healthy on the first commit. */
export async function openFleet(
  sets: Readonly<Record<string, readonly number[]>>,
  stages: readonly string[] = ['dev', 'staging', 'prod'],
  /** The radar shows what there is, so that a look can find that there is nothing to look at. */
  { hasRadar = false, limits = {} }: { hasRadar?: boolean; limits?: LoopOptions['limits'] } = {},
): Promise<Fleet> {
  const clock = steppedClock(beginning + 3_600_000);
  const apps = new Map<string, Shape>();
  for (const [set, sizes] of Object.entries(sets))
    sizes.forEach((size, index) => {
      for (let number = 1; number <= size; number += 1) {
        const stage = stages[index] ?? '';
        apps.set(`${set}-${stage}-${number}`, {
          set,
          stage,
          runs: shaOf(1),
          history: [[shaOf(1), beginning]],
          target: shaOf(1),
          health: 'Healthy',
          healthSince: beginning,
        });
      }
    });
  const folders = Object.fromEntries(Object.keys(sets).map((set) => [set, 1]));
  const commits: { commit: Commit; folders: Readonly<Record<string, number>> }[] = [];
  const commitOf = (number: number, contents: Readonly<Record<string, number>>): string => {
    const sha = shaOf(number);
    const parents = number === 1 ? [] : [shaOf(number - 1)];
    const commit = {
      sha,
      tree: `root ${JSON.stringify(contents)}`,
      parents,
      message: `change ${number}`,
      author: { login: 'dana', name: 'Dana' },
      committedAt: clock.now(),
    };
    commits.push({ commit, folders: contents });
    return sha;
  };
  commitOf(1, folders);
  const made: string[] = [];
  const asked: string[] = [];
  const checks = countingChecks(clock);
  const pulls: PullRequest[] = [];
  const find = (sha: string): Commit | null =>
    commits.find(({ commit }) => commit.sha === sha)?.commit ?? null;
  const head = (): Commit => commits.at(-1)?.commit as Commit;
  const reverted: { tree: string } = { tree: '' };
  const reads = {
    repositoryOf: (url: string) => (url === repoURL ? repository : null),
    commitUrl: () => '',
    repository: async () => ({ repository, defaultBranch: 'main', isArchived: false }),
    branchHead: async (_: Repository, branch: string) => (branch === 'main' ? head() : null),
    commit: async (_: Repository, sha: string) => find(sha),
    range: async (_: Repository, base: string, to: string) => {
      const from = commits.findIndex(({ commit }) => commit.sha === base);
      const until = commits.findIndex(({ commit }) => commit.sha === to);
      if (from < 0 || until < 0) return null;
      const between = commits.slice(from + 1, until + 1).map(({ commit }) => commit);
      return { status: 'ahead', mergeBase: base, commits: between, isComplete: true };
    },
    filesOf: async () => ({ files: [], isComplete: true }),
    pullRequestsOf: async () => [],
    readTree: async (_: Repository, id: string): Promise<readonly TreeEntry[]> => {
      if (id.startsWith('root ')) return [{ name: 'apps', mode: '040000', id: `apps ${id.slice(5)}` }];
      if (!id.startsWith('apps ')) return [];
      const contents = JSON.parse(id.slice(5)) as Record<string, number>;
      return Object.entries(contents).map(([name, version]) => ({
        name,
        mode: '040000',
        id: `${name} at ${version}`,
      }));
    },
    fileAt: async () => null,
    openPullRequests: async () => ({ pullRequests: [], isComplete: true }),
    openIssuesWithLabel: async () => [],
    ownPullRequests: async () => pulls,
    ownIssues: async () => [],
    pullRequestsFrom: async () => pulls,
    pullRequest: async () => pulls[0] ?? null,
    comments: async () => [],
    checkRuns: checks.checkRuns,
  };
  const writes = {
    createCheckRun: checks.createCheckRun,
    updateCheckRun: checks.updateCheckRun,
    createCommit: async (_: Repository, { tree }: { tree: string }) => {
      reverted.tree = tree;
      return { sha: 'd'.repeat(40), isVerified: true };
    },
    createBranch: async () => 'created',
    moveBranch: async () => 'done',
    createPullRequest: async (_: Repository, wish: { title: string; body: string; head: string }) => {
      const pullRequest = {
        ...wish,
        number: 7,
        nodeId: 'PR_7',
        url: 'https://github.com/acme/payments/pull/7',
        author: { login: 'stepback[bot]', name: 'stepback' },
        state: 'open' as 'open' | 'closed',
        isMerged: false,
        isDraft: false,
        mergeCommit: null as string | null,
        mergedAt: null as number | null,
        baseBranch: 'main',
        headBranch: wish.head,
        headSha: 'd'.repeat(40),
        isFromFork: false,
        isOurs: true,
        labels: [],
        isAutoMergeOn: false,
        createdAt: 0,
      };
      pulls.push(pullRequest);
      return { kind: 'created', pullRequest };
    },
    updatePullRequest: async () => {},
    createComment: async () => 1,
    updateComment: async () => 'done',
    createIssue: async () => 1,
    addLabels: async () => {},
    requestReviewers: async () => ({ people: [], teams: [] }),
  };
  const forge = counting(reads, writes, made, asked);
  const cluster: Cluster = {
    instance: 'argocd',
    argocdNamespace: 'argocd',
    interventions: null as never,
    application: async () => null,
    run: (_, signal) => new Promise((resolve) => signal.addEventListener('abort', () => resolve())),
    applicationSets: () => known,
    rows: (key) => (hasRadar ? [...apps].filter(([, { set }]) => `argocd/${set}` === key).map(rowOf) : []),
    sight: () => ({ lastHeardAt: clock.now(), blindness: null }),
    closeLook: async (key) =>
      known.has(key)
        ? {
            applicationSet: setOf(key.split('/')[1] ?? '', stages),
            applications: [...apps].filter(([, { set }]) => `argocd/${set}` === key).map(applicationOf),
            observedAt: clock.now(),
            sight: { lastHeardAt: clock.now(), blindness: null },
          }
        : null,
    featureFlag: async () => ({ state: 'on', evidence: [] }),
  };
  const known = new Map(Object.keys(sets).map((set) => [`argocd/${set}`, setOf(set, stages)]));
  const options: LoopOptions = {
    cluster,
    forge,
    ledger: ledgerInMemory(),
    mailbox: {
      waiting: async () => [],
      post: async () => 'posted',
      settle: async () => 'done',
      answeredSince: async () => [],
      prune: async () => 0,
    },
    clock,
    log: { info: () => {}, warn: (message, fields) => void warnings.push(`${message} ${fields?.problem}`) },
    limits,
    linksFor: () => linksBelow('https://github.com/acme/payments'),
  };
  let loop = openLoop(options);
  const warnings: string[] = [];
  const pass = async (ms: number): Promise<void> => {
    for (let left = ms; left > 0; left -= 1_000) {
      await clock.advance(Math.min(1_000, left));
      await loop.idle();
    }
    if (warnings.length > 0) throw new Error(warnings[0]);
  };
  const land = (contents: Readonly<Record<string, number>>): string => {
    const sha = commitOf(commits.length + 1, contents);
    loop.pushed(repository, 'main', sha);
    return sha;
  };
  for (const key of known.keys()) loop.nudge(key);
  await pass(2_000);
  return {
    clock,
    get loop() {
      return loop;
    },
    async restart(first) {
      await loop.stop();
      loop = openLoop(options);
      loop.nudge(`argocd/${first}`);
      await pass(1_000);
    },
    apps,
    made,
    asked,
    checks,
    pass,
    push(changed) {
      const before = commits.at(-1)?.folders ?? {};
      const next = commits.length + 1;
      return land({ ...before, ...Object.fromEntries(changed.map((set) => [set, next])) });
    },
    sync(name, health = 'Healthy') {
      const shape = apps.get(name) as Shape;
      const now = clock.now();
      const { sha } = head();
      const history = [...shape.history, [sha, now] as const];
      apps.set(name, { ...shape, runs: sha, target: sha, history, health, healthSince: now });
      loop.nudge(`argocd/${shape.set}`);
    },
    remove(set) {
      known.delete(`argocd/${set}`);
      loop.nudge(`argocd/${set}`);
    },
    undo: () => land(commits.at(-2)?.folders ?? {}),
    mergeRevert() {
      const sha = land(JSON.parse(reverted.tree.slice(5)) as Record<string, number>);
      Object.assign(pulls[0] ?? {}, {
        isMerged: true,
        state: 'closed',
        mergedAt: clock.now(),
        mergeCommit: sha,
      });
      void loop.pullRequestChanged(repository);
      return sha;
    },
  };
}

/** A forge that notes each call and fails on those that no test was written for. */
function counting(reads: object, writes: object, made: string[], asked: string[]): Forge {
  return new Proxy({} as Forge, {
    get(_, name: string) {
      const isWrite = Object.hasOwn(writes, name);
      const method = (isWrite ? writes : reads)[name as never] as ((...of: unknown[]) => unknown) | undefined;
      if (method === undefined) throw new Error(`The fleet's GitHub has no ${name}.`);
      return (...of: unknown[]) => {
        (isWrite ? made : asked).push(name);
        return method(...of);
      };
    },
  });
}

function ledgerInMemory(): Ledger<StoredMemory, Incident> {
  const memories = new Map<string, StoredMemory>();
  const incidents = new Map<string, Incident>();
  return {
    memory: async (key) => {
      const value = memories.get(key);
      return value === undefined ? null : { value, version: '1' };
    },
    saveMemory: async (key, value) => {
      memories.set(key, value);
      return '1';
    },
    incidents: async () => [...incidents.values()].map((value) => ({ value, version: '1' })),
    saveIncident: async (id, value) => {
      incidents.set(id, value);
      return '1';
    },
    forgetIncident: async (id) => void incidents.delete(id),
  };
}

function setOf(name: string, stages: readonly string[]): ApplicationSet {
  const source = { repoURL, path: `apps/${name}`, targetRevision: 'main' };
  const steps = stages.map((env) => ({
    matchExpressions: [{ key: 'env', operator: 'In', values: [env] }],
  }));
  return readApplicationSet({
    metadata: { name, namespace: 'argocd', uid: `uid-${name}` },
    spec: {
      strategy: { type: 'RollingSync', rollingSync: { steps } },
      template: { metadata: { labels: { env: '{{env}}' } }, spec: { source } },
    },
    status: {},
  }) as ApplicationSet;
}

function rowOf(one: readonly [string, Shape]): ApplicationRow {
  const { key, uid, resourceVersion, labels, sync, health } = applicationOf(one);
  const { set } = one[1];
  const owner = { name: set, uid: `uid-${set}` };
  const [syncStatus, healthStatus, revision] = [sync.status, health.status, sync.revisions.join()];
  return { key, uid, resourceVersion, owner, labels, syncStatus, healthStatus, revision };
}

function applicationOf([name, shape]: readonly [string, Shape]): Application {
  const source = { repoURL, path: `apps/${shape.set}`, targetRevision: 'main' };
  const last = shape.history.at(-1) ?? ['', 0];
  const isSynced = shape.runs === shape.target;
  return readApplication({
    metadata: { name, namespace: 'argocd', uid: `uid-${name}`, labels: { env: shape.stage } },
    spec: { project: 'default', source, destination: { name: shape.stage } },
    status: {
      sync: { status: isSynced ? 'Synced' : 'OutOfSync', revision: shape.target, comparedTo: { source } },
      health: { status: shape.health, lastTransitionTime: timeAt(shape.healthSince) },
      reconciledAt: timeAt(last[1]),
      history: shape.history.map(([revision, at], id) => ({ id, revision, deployedAt: timeAt(at), source })),
      operationState: {
        phase: 'Succeeded',
        message: 'successfully synced (all tasks run)',
        startedAt: timeAt(last[1]),
        finishedAt: timeAt(last[1]),
        operation: { sync: {} },
        syncResult: { revision: last[0], source, resources: [] },
      },
    },
  }) as Application;
}
