/**
 * Everything there is to see in the sandbox at one moment, as plain values: the terminal and the page show the same.
 * Who runs which commit is what Stepback found out at its last look; health and operations are what Argo CD says now, and
 * pull requests and commits what GitHub holds.
 */
import type { Culprit } from '../domain/culprit.ts';
import type { Incident } from '../domain/incident.ts';
import type { Application, ObjectKey } from '../domain/objects.ts';
import { readApplication } from '../domain/read-application.ts';
import type { Rollout, Stage, StageApplication } from '../domain/rollout.ts';
import type { StageVerdict, Verdict } from '../domain/verdict.ts';
import { describeReason } from '../render/reasons.ts';
import type { Happening } from './chronicle.ts';
import { type ConversationView, conversationsOf } from './conversations.ts';
import type { SeenCommit } from './github/looks.ts';
import type { CheckRun } from './github/state.ts';
import type { Letters } from './letters.ts';
import type { SandboxWorld } from './world.ts';

export interface View {
  /** Of the story's clock. */
  now: number;
  story: StoryView;
  sets: readonly SetView[];
  repositories: readonly RepositoryView[];
  incidents: readonly Incident[];
  happenings: readonly Happening[];
  /** Letters of the commits. */
  letters: Letters;
  journal: JournalView;
}

export interface StoryView {
  name: string;
  about: string;
  /** `fault`: it did not end as it should. */
  phase: 'playing' | 'over' | 'fault';
  fault: string | null;
}

export interface SetView {
  key: ObjectKey;
  name: string;
  /** `owner/name` of each source's repository; null for what is not on the small GitHub. */
  repositories: readonly (string | null)[];
  verdict: Verdict;
  /** In sentences. */
  reasons: readonly string[];
  stages: readonly StageView[];
  /** In no stage, and left over. */
  outside: readonly CellView[];
  /** Who did it, or why nobody can be named; null when nothing fails. */
  culprit: Culprit | null;
}

export interface StageView {
  number: number;
  name: string;
  selector: string;
  pace: string;
  verdict: StageVerdict;
  cells: readonly CellView[];
}

export interface CellView {
  name: string;
  /** Without the name of the set and of the stage, where it begins with them. */
  short: string;
  /** One revision a source; null when it runs nothing that can be named. */
  runs: readonly string[] | null;
  isPartial: boolean;
  isOutOfOrder: boolean;
  /** What it is told to run, where that is something else. */
  target: readonly string[] | null;
  health: string;
  message: string;
  sync: string;
  /** In words; "" when none is under way. */
  operation: string;
  verdict: Verdict;
}

export interface RepositoryView {
  name: string;
  branch: string;
  /** Branch → commit. */
  heads: Readonly<Record<string, string>>;
  /** Newest first. */
  commits: readonly SeenCommit[];
  conversations: readonly ConversationView[];
  checks: readonly CheckRun[];
}

export interface JournalView {
  /** Requests of Stepback to GitHub, by method and route. */
  github: readonly (readonly [request: string, count: number])[];
  /** And to the API server, by verb and resource. */
  kubernetes: readonly (readonly [request: string, count: number])[];
  /** Webhooks by event. */
  webhooks: readonly (readonly [event: string, count: number])[];
}

const commitsMax = 40;

/** Looks at the world. `incidents` are handed in because reading them takes a request. */
export function viewOf(
  world: SandboxWorld,
  story: StoryView,
  happenings: readonly Happening[],
  incidents: readonly Incident[],
  letters: Letters,
): View {
  const repositories = world.github.repositories().map((name) => repositoryView(world, name));
  for (const sha of repositories.flatMap(mainLine)) letters.give(sha);
  return {
    now: world.clock.now(),
    story,
    sets: [...world.loop.results()].map(([key, { answer, culprit }]) => ({
      key,
      name: answer.rollout.applicationSet.name,
      repositories: answer.rollout.applicationSet.templateSources.map(({ repoURL }) =>
        nameIn(world.github.repositories(), repoURL),
      ),
      verdict: answer.rollout.verdict,
      reasons: answer.rollout.reasons.map(describeReason),
      stages: answer.rollout.stages.map((stage) => stageView(world, answer.rollout, stage)),
      outside: [...answer.rollout.unselected, ...answer.rollout.orphans].map((one) =>
        cellView(world, answer.rollout, '', one),
      ),
      culprit,
    })),
    repositories,
    incidents,
    happenings,
    letters,
    journal: journalOf(world),
  };
}

/** The repository that a `repoURL` means. */
function nameIn(names: readonly string[], repoURL: string): string | null {
  const path = repoURL.toLowerCase().replace(/\.git$/, '');
  return names.find((name) => path.endsWith(`/${name.toLowerCase()}`)) ?? null;
}

function stageView(world: SandboxWorld, rollout: Rollout, stage: Stage): StageView {
  const { number, name, selector, pace, verdict } = stage;
  const cells = stage.applications.map((one) => cellView(world, rollout, name, one));
  return { number, name, selector, pace, verdict, cells };
}

function cellView(world: SandboxWorld, rollout: Rollout, stage: string, one: StageApplication): CellView {
  const { assessment, runs, target } = one;
  const application = nowOf(world, one.application);
  return {
    name: application.name,
    short: shortName(application.name, rollout.applicationSet.name, stage),
    runs,
    isPartial: one.isPartial,
    isOutOfOrder: rollout.outOfOrder.includes(one),
    target: target === null || target.join() === runs?.join() ? null : target,
    health: application.health.status,
    message: application.health.message || (assessment.reasons[0]?.message ?? ''),
    sync: application.sync.status,
    operation: operationInWords(application),
    verdict: assessment.verdict,
  };
}

/** As it is now: Stepback looks no more once all is well. */
function nowOf({ store }: SandboxWorld, application: Application): Application {
  const stored = store.get('applications', application.namespace, application.name);
  return (stored === undefined ? null : readApplication(stored)) ?? application;
}

/** `payments-staging-1` in the stage staging of payments is `1`. */
export function shortName(name: string, set: string, stage: string): string {
  const within = name.startsWith(`${set}-`) ? name.slice(set.length + 1) : name;
  const short = stage !== '' && within.startsWith(`${stage}-`) ? within.slice(stage.length + 1) : within;
  return short === '' ? name : short;
}

function operationInWords({ operation, requestedOperation }: Application): string {
  if (requestedOperation !== null) return 'sync asked for';
  if (operation === null) return '';
  const { phase, finishedAt, retryCount } = operation;
  if (phase === 'Running') return finishedAt === null ? 'syncing' : `waits for retry ${retryCount + 1}`;
  if (phase === 'Terminating') return 'ending its sync';
  return phase === 'Failed' || phase === 'Error' ? 'sync failed' : '';
}

function repositoryView(world: SandboxWorld, name: string): RepositoryView {
  const { github } = world;
  return {
    name,
    branch: github.defaultBranch(name),
    heads: github.branches(name),
    commits: github.commits(name, undefined, commitsMax),
    conversations: conversationsOf(github, name),
    checks: github.checkRuns(name),
  };
}

/** The commits of the branch that is deployed, by their first parents, oldest first. */
function mainLine({ heads, branch, commits }: RepositoryView): readonly string[] {
  const line: string[] = [];
  for (let sha = heads[branch]; sha !== undefined; ) {
    const commit = commits.find((one) => one.sha === sha);
    if (commit !== undefined) line.push(commit.sha);
    sha = commit?.parents[0];
  }
  return line.reverse();
}

function journalOf({ github, kubernetes }: SandboxWorld): JournalView {
  return {
    github: counted(github.journal.entries.map(({ method, route, path }) => `${method} ${route ?? path}`)),
    kubernetes: counted(
      kubernetes.journal.entries.map(({ method, verb, resource, subresource }) =>
        [verb ?? method, resource ?? 'discovery', subresource].filter(Boolean).join(' '),
      ),
    ),
    webhooks: counted(
      github.deliveries.map(({ event, action }) => [event, action].filter(Boolean).join(' ')),
    ),
  };
}

/** The most frequent first. */
function counted(names: readonly string[]): readonly (readonly [string, number])[] {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].sort(([, one], [, other]) => other - one);
}
