/** What a round is about: a repository, an ApplicationSet over the three clusters of its lane, a change that breaks one of them. */
import { parseMarker } from '../../src/domain/marker.ts';
import { unpackMemory } from '../../src/domain/unpack-memory.ts';
import type { ApplicationObject, ApplicationSetObject } from '../../src/sandbox/argocd/objects.ts';
import type { StoredObject } from '../../src/sandbox/kubernetes/objects.ts';
import { workload } from '../../src/sandbox/story.ts';
import type { Plan } from './plan.ts';
import type { ReplicaWorld } from './replicas.ts';

const stages = ['dev', 'staging', 'prod'] as const;
/** Of each stage, as people configured it; undefined: all at once. */
export const maxUpdates: readonly (number | string | undefined)[] = ['100%', 1, undefined];

export const repositoryOf = ({ name }: Pick<Plan, 'name'>): string => `acme/${name}`;
const pathOf = ({ name }: Plan): string => `apps/${name}/config.json`;
const applicationOf = ({ name, lane }: Plan, stage: string): string => `${name}-${stage}-${lane}`;

/** Version 1, which is well. */
export function createApp({ github, store }: ReplicaWorld, plan: Plan): void {
  const { name, lane, isFrozen } = plan;
  github.createRepository({
    owner: 'acme',
    name,
    collaborators: { dana: 'write' },
    files: {
      [pathOf(plan)]: workload(name, { version: '1' }),
      ...(isFrozen ? { '.github/stepback.yaml': 'contain: freeze\n' } : {}),
    },
  });
  const steps = stages.map((env, index) => ({
    matchExpressions: [{ key: 'env', operator: 'In', values: [env] }],
    ...(maxUpdates[index] === undefined ? {} : { maxUpdate: maxUpdates[index] }),
  }));
  store.create('applicationsets', {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'ApplicationSet',
    metadata: { name, namespace: 'argocd' },
    spec: {
      generators: [{ clusters: { selector: { matchLabels: { lane: String(lane) } } } }],
      strategy: { type: 'RollingSync', rollingSync: { steps } },
      template: {
        metadata: { name: `${name}-{{name}}`, labels: { env: '{{metadata.labels.env}}' } },
        spec: {
          project: 'default',
          source: {
            repoURL: `https://github.com/${repositoryOf(plan)}.git`,
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

/** A pull request that breaks one stage, merged; gives its number. */
export function landBadChange(world: ReplicaWorld, plan: Plan): number {
  const { name, lane, failsOn } = plan;
  const number = world.github.propose(repositoryOf(plan), {
    by: 'dana',
    branch: 'version-2',
    title: `${name}: version 2`,
    files: {
      [pathOf(plan)]: workload(name, {
        version: '2',
        [`health.${failsOn}-${lane}`]: 'Degraded',
        message: 'exit code 1',
      }),
    },
  });
  merge(world, plan, number, 'squash');
  return number;
}

/** Merges it, and GitHub tells Argo CD. */
export function merge(
  { github, argocd }: ReplicaWorld,
  plan: Plan,
  number: number,
  method: 'merge' | 'squash',
): void {
  github.mergePullRequest(repositoryOf(plan), number, { by: 'dana', method });
  argocd.webhook(`https://github.com/${repositoryOf(plan)}.git`, 'main');
}

/** The round is over: Argo CD takes away what it ran, so that the world does not grow. What stands on GitHub stays. */
export function removeApp({ store }: ReplicaWorld, { name }: Plan): void {
  store.remove('applicationsets', 'argocd', name);
}

/** Synced and Healthy on version 1, in every stage. */
export function isWellOnVersionOne({ store, argocd }: ReplicaWorld, plan: Plan): boolean {
  const names = stages.map((stage) => applicationOf(plan, stage));
  const areWell = names.every((name) => {
    const status = store.get<ApplicationObject>('applications', 'argocd', name)?.status;
    return status?.health?.status === 'Healthy' && status.sync?.status === 'Synced';
  });
  return (
    areWell &&
    names.every((name) => JSON.stringify(argocd.liveObjects(`argocd/${name}`)).includes('"version":"1"'))
  );
}

/** The ledger has it that every stage was seen Healthy: what comes after a kill has something to go back to. */
export function isKnownToBeWell({ store }: ReplicaWorld, plan: Plan): boolean {
  const ledger = store.get<StoredObject & { status?: { memory?: unknown } }>(
    'stageledgers',
    'argocd',
    plan.name,
  );
  const memory = unpackMemory(ledger?.status?.memory);
  return stages.every((stage) =>
    memory?.applications[`argocd/${applicationOf(plan, stage)}`]?.contents.some(
      ({ healthyAt }) => healthyAt !== null,
    ),
  );
}

export function revertsOf({ github }: ReplicaWorld, plan: Plan) {
  return github.pullRequests(repositoryOf(plan)).filter((one) => one.user === github.app.botLogin);
}

/** What Stepback wrote under a pull request, each with what its marker says it is. */
export function commentsOf({ github }: ReplicaWorld, plan: Plan, number: number) {
  return github
    .comments(repositoryOf(plan), number)
    .filter((comment) => comment.user === github.app.botLogin)
    .map(({ id, body }) => ({ id, marker: parseMarker(body) }));
}

/** `maxUpdate` of each step as it stands now. */
export function stepsOf({ store }: ReplicaWorld, plan: Plan): readonly (number | string | undefined)[] {
  const set = store.get<ApplicationSetObject>('applicationsets', 'argocd', plan.name);
  return (set?.spec.strategy?.rollingSync?.steps ?? []).map((step) => step.maxUpdate);
}

/** The letters of the round's repository: whether each was settled, and by which comment. */
export function lettersOf({ store }: ReplicaWorld, plan: Plan) {
  type Request = StoredObject & {
    spec?: { repository?: unknown };
    status?: { settledAt?: string; replyId?: number };
  };
  return store
    .list<Request>('commandrequests')
    .filter(({ spec }) => JSON.stringify(spec?.repository ?? '').includes(plan.name))
    .map(({ status }) => ({ isSettled: status?.settledAt !== undefined, replyId: status?.replyId ?? null }));
}

/** Phases of the incidents that name the ApplicationSet. */
export function phasesOf({ store }: ReplicaWorld, plan: Plan): readonly string[] {
  type Rollback = StoredObject & { status?: { phase?: string; applicationSets?: string } };
  return store
    .list<Rollback>('rollbacks')
    .filter(({ status }) => status?.applicationSets?.split(', ').includes(`argocd/${plan.name}`))
    .map(({ status }) => status?.phase ?? '');
}

/** What stands in the cluster about a round, for whoever has to find out why it did not end. */
export function evidenceOf({ store }: ReplicaWorld, plan: Plan): string {
  const applications = stages.map((stage) => {
    const name = applicationOf(plan, stage);
    const { status } = store.get<ApplicationObject>('applications', 'argocd', name) ?? {};
    const { sync, health, operationState, history = [] } = status ?? {};
    const deployed = history.map(({ revision }) => revision?.slice(0, 7)).join(' ');
    const running = `${operationState?.phase} ${operationState?.syncResult?.revision?.slice(0, 7)}`;
    return `${name}: ${sync?.status} ${sync?.revision?.slice(0, 7)}, ${health?.status}, ${running}, deployed ${deployed}`;
  });
  const set = store.get<ApplicationSetObject>('applicationsets', 'argocd', plan.name);
  const kept = store
    .list<StoredObject & { status?: unknown }>('rollbacks')
    .filter((one) => JSON.stringify(one).includes(`argocd/${plan.name}"`))
    .map(({ status }) => JSON.stringify(status));
  const parts = [plan, set?.spec.strategy, set?.status?.applicationStatus].map((one) => JSON.stringify(one));
  return [...parts, ...applications, ...kept].join('\n');
}
