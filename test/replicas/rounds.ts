/**
 * A round: a bad commit lands in repositories of its own, replicas are killed while they answer it, and in the end there is
 * one revert for each, whoever opened it, and everything comes back when it is merged.
 */
import type { Random } from '../../src/sandbox/argocd/habits.ts';
import type { StoredObject } from '../../src/sandbox/kubernetes/objects.ts';
import { workload } from '../../src/sandbox/story.ts';
import type { ReplicaWorld } from './replicas.ts';

export interface RoundOutcome {
  name: string;
  kills: number;
  /** Pull requests that Stepback ever opened in the repository. */
  reverts: number;
  /** Comments of Stepback on the pull request that did it. */
  comments: number;
  /** Names of check runs that stand twice on one commit with different words. */
  doubledChecks: readonly string[];
  isBack: boolean;
  tookMs: number;
}

const roundMsMax = 90_000;

/** Plays so many incidents at once, with kills as `random` says. Resolves when each came to its end, or its time is over. */
export async function playRound(
  world: ReplicaWorld,
  names: readonly string[],
  random: Random,
): Promise<readonly RoundOutcome[]> {
  const began = performance.now();
  for (const name of names) createApp(world, name);
  await until(() => names.every((name) => runsEverywhere(world, name, '1')), roundMsMax);
  const culprits = new Map(names.map((name) => [name, land(world, name)]));
  const stopKilling = new AbortController();
  const killing = killAtRandom(world, random, stopKilling.signal);
  await until(() => names.every((name) => openReverts(world, name).length > 0), roundMsMax);
  // Once more in the middle of the words: comment, check run, ledger.
  await pause(500 + random() * 1_500);
  stopKilling.abort();
  const kills = await killing;
  for (const name of names) {
    const [revert] = openReverts(world, name);
    if (revert === undefined) continue;
    world.github.mergePullRequest(repositoryOf(name), revert.number, { by: 'dana', method: 'merge' });
    world.argocd.webhook(`https://github.com/${repositoryOf(name)}.git`, 'main');
  }
  await until(
    () => names.every((name) => runsEverywhere(world, name, '1') && isTold(world, name)),
    roundMsMax,
  );
  const tookMs = performance.now() - began;
  return names.map((name) => ({
    name,
    kills,
    reverts: everyRevert(world, name).length,
    comments: world.github
      .comments(repositoryOf(name), culprits.get(name) ?? 0)
      .filter((comment) => comment.user === world.github.app.botLogin).length,
    doubledChecks: doubledChecks(world, name),
    isBack: runsEverywhere(world, name, '1') && isTold(world, name),
    tookMs,
  }));
}

/** Kills one or both, at moments of its own, and starts them again; gives how often. */
async function killAtRandom(
  { replicas }: ReplicaWorld,
  random: Random,
  signal: AbortSignal,
): Promise<number> {
  let kills = 0;
  while (!signal.aborted) {
    await pause(random() * 2_500);
    const chosen = random() < 0.15 ? replicas : replicas.slice(random() < 0.5 ? 0 : 1).slice(0, 1);
    // Most lose their machine; some are drained, as in a rolling update.
    const isDrained = random() < 0.25;
    await Promise.all(chosen.map((replica) => (isDrained ? replica.stop() : replica.kill())));
    kills += chosen.length;
    await pause(random() * 800);
    await Promise.all(chosen.map((replica) => replica.start()));
    // The one that is there must come to act some time.
    await pause(3_500);
  }
  return kills;
}

/** Several that fail on one destination at once would be a storm, and no commit's fault. */
function failsOn(name: string): string {
  return ['dev-1', 'staging-1', 'prod-1'][Number(name.split('-')[1]) % 3] ?? 'dev-1';
}

const repositoryOf = (name: string): string => `acme/${name}`;

function createApp(world: ReplicaWorld, name: string): void {
  world.github.createRepository({
    owner: 'acme',
    name,
    files: { [`apps/${name}/config.json`]: workload(name, { version: '1' }) },
  });
  const step = (env: string): object => ({
    matchExpressions: [{ key: 'env', operator: 'In', values: [env] }],
  });
  world.store.create('applicationsets', {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'ApplicationSet',
    metadata: { name, namespace: 'argocd' },
    spec: {
      generators: [{ clusters: {} }],
      strategy: { type: 'RollingSync', rollingSync: { steps: ['dev', 'staging', 'prod'].map(step) } },
      template: {
        metadata: { name: `${name}-{{name}}`, labels: { env: '{{metadata.labels.env}}' } },
        spec: {
          project: 'default',
          source: {
            repoURL: `https://github.com/acme/${name}.git`,
            path: `apps/${name}`,
            targetRevision: 'main',
          },
          destination: { server: '{{server}}', namespace: name },
          syncPolicy: { automated: { prune: true } },
        },
      },
    },
  });
}

function land(world: ReplicaWorld, name: string): number {
  const repository = repositoryOf(name);
  const number = world.github.propose(repository, {
    by: 'dana',
    branch: 'version-2',
    title: `${name}: version 2`,
    files: {
      [`apps/${name}/config.json`]: workload(name, {
        version: '2',
        [`health.${failsOn(name)}`]: 'Degraded',
        message: 'exit code 1',
      }),
    },
  });
  world.github.mergePullRequest(repository, number, { by: 'dana', method: 'squash' });
  world.argocd.webhook(`https://github.com/${repository}.git`, 'main');
  return number;
}

function everyRevert({ github }: ReplicaWorld, name: string) {
  return github.pullRequests(repositoryOf(name)).filter((one) => one.user === github.app.botLogin);
}

function openReverts(world: ReplicaWorld, name: string) {
  return everyRevert(world, name).filter((one) => one.state === 'open');
}

/** The pull request says that everything is back. */
function isTold(world: ReplicaWorld, name: string): boolean {
  return everyRevert(world, name).every((one) => one.body.includes('**Recovered.**'));
}

function runsEverywhere({ argocd, store }: ReplicaWorld, name: string, version: string): boolean {
  const applications = store
    .list<StoredObject & { status?: { health?: { status?: string }; sync?: { status?: string } } }>(
      'applications',
    )
    .filter(({ metadata }) => metadata.name.startsWith(`${name}-`));
  if (applications.length !== 3) return false;
  return applications.every(({ metadata, status }) => {
    const isWell = status?.health?.status === 'Healthy' && status.sync?.status === 'Synced';
    return isWell && JSON.stringify(argocd.liveObjects(metadata.name)).includes(`"version":"${version}"`);
  });
}

function doubledChecks({ github }: ReplicaWorld, name: string): readonly string[] {
  const repository = repositoryOf(name);
  const seen = new Map<string, number>();
  for (const commit of github.commits(repository, 'main')) {
    for (const run of github.checkRuns(repository, commit.sha)) {
      if (run.conclusion === 'neutral') continue;
      const key = `${run.name} on ${commit.sha.slice(0, 7)}`;
      seen.set(key, (seen.get(key) ?? 0) + 1);
    }
  }
  return [...seen].filter(([, count]) => count > 1).map(([key]) => key);
}

/** Processes live in real time, so this waits for what they make true, and never for longer than is said. */
async function until(condition: () => boolean, msMax: number): Promise<void> {
  const end = performance.now() + msMax;
  while (!condition() && performance.now() < end) await pause(50);
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
