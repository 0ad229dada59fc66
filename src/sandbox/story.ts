/**
 * What a story is, and the words in which stories are told: people push, propose and merge, clusters and networks
 * misbehave, and then something must be true. A story that does not end as it should says which of its ends is missing.
 */
import type { PartialSettings } from '../config/configuration.ts';
import type { TickResult } from '../loop/tick.ts';
import type { Habits } from './argocd/habits.ts';
import type { Conductor } from './conductor.ts';
import type { SandboxWorld } from './world.ts';

export interface Story {
  name: string;
  /** One line for `--stories`. */
  about: string;
  habits?: Partial<Habits>;
  isProgressive?: boolean;
  /** The installation's own kill switch is on. */
  isStopped?: boolean;
  /** How many reverts there are in one repository at the end; one when absent. */
  revertsMax?: number;
  /** What the installation sets besides the times of the sandbox. */
  limits?: PartialSettings;
  /** Plays up to what people should read. Throws StoryFault when it does not come to that. */
  play(stage: StageDirector): Promise<void>;
  /** What people do then, and how it ends; for those who do not want to click. */
  after?(stage: StageDirector): Promise<void>;
}

/** A story did not end as it should; the message says what was waited for. */
export class StoryFault extends Error {}

export interface StageDirector {
  world: SandboxWorld;
  conductor: Conductor;
  /** One line for whoever watches. */
  say(text: string): void;
  /** Waits for something that must come true within minutes of the story. */
  expect(what: string, condition: () => boolean, minutesMax?: number): Promise<void>;
  /** The last answer about an ApplicationSet. */
  answer(applicationSet: string): TickResult | undefined;
}

/** Manifest of the sandbox's workload: a ConfigMap whose data says on which clusters it is bad and how. */
export function workload(name: string, data: Record<string, string>): string {
  return `${JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data }, null, 2)}\n`;
}

export interface SetWish {
  name: string;
  repository: string;
  path?: string;
  /** Labels of the template; the environment of the cluster when absent. */
  labels?: Record<string, string> | null;
  maxUpdates?: readonly (number | string | undefined)[];
  prune?: boolean;
  /** Only on the clusters of this environment; on every cluster when absent. */
  onlyIn?: string;
  /** Name of the Applications; `<set>-<cluster>` when absent. */
  sources?: readonly object[];
}

/** An ApplicationSet over every cluster, with the steps dev, staging and prod. */
export function createSet(world: SandboxWorld, wish: SetWish): void {
  const [dev, staging, prod] = wish.maxUpdates ?? ['100%', '50%', 1];
  const step = (env: string, maxUpdate: number | string | undefined): object => ({
    matchExpressions: [{ key: 'env', operator: 'In', values: [env] }],
    ...(maxUpdate === undefined ? {} : { maxUpdate }),
  });
  const source = {
    repoURL: `https://github.com/${wish.repository}.git`,
    path: wish.path ?? `apps/${wish.name}`,
    targetRevision: 'main',
  };
  const labels = wish.labels === null ? {} : { labels: wish.labels ?? { env: '{{metadata.labels.env}}' } };
  world.store.create('applicationsets', {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'ApplicationSet',
    metadata: { name: wish.name, namespace: 'argocd' },
    spec: {
      generators: [
        { clusters: wish.onlyIn === undefined ? {} : { selector: { matchLabels: { env: wish.onlyIn } } } },
      ],
      strategy: {
        type: 'RollingSync',
        rollingSync: { steps: [step('dev', dev), step('staging', staging), step('prod', prod)] },
      },
      template: {
        metadata: { name: `${wish.name}-{{name}}`, ...labels },
        spec: {
          project: 'default',
          ...(wish.sources === undefined ? { source } : { sources: wish.sources }),
          destination: { server: '{{server}}', namespace: wish.name },
          syncPolicy: { automated: { prune: wish.prune ?? true } },
        },
      },
    },
  });
}

/** A pull request that is merged at once; returns its number. */
export function land(
  world: SandboxWorld,
  repository: string,
  title: string,
  files: Record<string, string | null>,
  by = 'dana',
  method: 'merge' | 'squash' | 'rebase' = 'squash',
): number {
  const branch = title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 40);
  const number = world.github.propose(repository, { by, branch, title, files });
  merge(world, repository, number, by, method);
  return number;
}

/** Merges a pull request and tells Argo CD, as GitHub's webhook does. */
export function merge(
  world: SandboxWorld,
  repository: string,
  number: number,
  by = 'dana',
  method: 'merge' | 'squash' | 'rebase' = 'merge',
): void {
  world.github.mergePullRequest(repository, number, { by, method });
  world.argocd.webhook(`https://github.com/${repository}.git`, 'main');
}

/** A direct push, without a pull request; returns the commit. */
export function push(
  world: SandboxWorld,
  repository: string,
  message: string,
  files: Record<string, string | null>,
  by = 'dana',
): string {
  const sha = world.github.commit(repository, { author: by, message, files });
  world.argocd.webhook(`https://github.com/${repository}.git`, 'main');
  return sha;
}

/** Reverts that Stepback opened, oldest first; what a person had put back as a whole is none. */
export function reverts(
  world: SandboxWorld,
  repository: string,
): ReturnType<SandboxWorld['github']['pullRequests']> {
  return world.github
    .pullRequests(repository)
    .filter((one) => one.user === world.github.app.botLogin && !one.head.ref.includes('/restore-'));
}
