/**
 * How an ApplicationSet would roll a change out: its stages, who is in each, on which clusters, and what keeps Argo CD
 * from going through them at all. It is told before a change is merged, so it says what is meant to happen; Argo CD has
 * been seen to sync a later stage early (recording prod-gets-it-first).
 */
import type { Application, ApplicationSet, Destination, ObjectKey, Source, Step } from './objects.ts';
import {
  effectiveMaxUpdate,
  maxUpdateInWords,
  selectorInWords,
  stageName,
  stepOf,
  unselectedStep,
} from './stages.ts';

export interface PlacedApplication {
  key: ObjectKey;
  name: string;
  /** What people call the cluster: its name, else its address. */
  cluster: string;
  /** From 1, or `unselectedStep`. */
  step: number;
  sources: readonly Source[];
}

/**
 * `stages`: one step after the other. `at-once`: no RollingSync with steps, so every Application follows its own sync
 * policy. `empty-steps`: steps are there and empty, which Argo CD refuses. `create-only`: its policy never lets the
 * controller sync.
 */
export type Strategy = 'stages' | 'at-once' | 'empty-steps' | 'create-only';

/** What is kept of an ApplicationSet and its Applications to tell how a change would go. */
export interface Layout {
  key: ObjectKey;
  name: string;
  strategy: Strategy;
  steps: readonly Step[];
  applications: readonly PlacedApplication[];
}

/** The layout of one ApplicationSet as the cluster shows it. Pure and total. */
export function layoutOf(applicationSet: ApplicationSet, applications: readonly Application[]): Layout {
  const entries = new Map(applicationSet.applicationStatus.map((entry) => [entry.application, entry]));
  const strategy = strategyOf(applicationSet);
  return {
    key: applicationSet.key,
    name: applicationSet.name,
    strategy,
    steps: strategy === 'at-once' ? [] : (applicationSet.steps ?? []),
    applications: applications
      .filter((application) => !application.isBeingDeleted)
      .map((application) => ({
        key: application.key,
        name: application.name,
        cluster: clusterOf(application.destination),
        step:
          strategy === 'at-once'
            ? 1
            : stepOf(applicationSet, entries.get(application.name) ?? null, application),
        sources: application.sources,
      })),
  };
}

function strategyOf({ strategyType, steps, applicationsSync }: ApplicationSet): Strategy {
  if (strategyType !== 'RollingSync' || steps === null) return 'at-once';
  if (steps.length === 0) return 'empty-steps';
  return /^create-(only|delete)$/.test(applicationsSync) ? 'create-only' : 'stages';
}

function clusterOf({ name, server }: Destination): string {
  return name === '' ? server : name;
}

export interface StageReach {
  /** From 1. */
  number: number;
  name: string;
  selector: string;
  pace: string;
  /** How many of it may move at once; 0 is a gate, which only a person moves. */
  maxUpdate: number;
  /** Applications in it. */
  total: number;
  /** Names of those that the change feeds. */
  applications: readonly string[];
  clusters: readonly string[];
}

/** How far a change of one ApplicationSet reaches. */
export interface Reach {
  key: ObjectKey;
  name: string;
  /** `flag-off`: there are stages, and Argo CD ignores them. */
  order: Strategy | 'flag-off';
  stages: readonly StageReach[];
  /** Fed and in no stage: the rollout never syncs them. */
  unselected: readonly string[];
  applications: number;
  clusters: number;
  /** All Applications of the ApplicationSet. */
  total: number;
}

/** Where a change that feeds these Applications would go, stage by stage. */
export function reachOf(
  layout: Layout,
  fed: ReadonlySet<ObjectKey>,
  featureFlag: 'on' | 'off' | 'unknown',
): Reach {
  const reached = layout.applications.filter((one) => fed.has(one.key));
  const hasStages = layout.strategy !== 'at-once';
  const steps: readonly Step[] = hasStages ? layout.steps : [{ expressions: [], maxUpdate: null }];
  return {
    key: layout.key,
    name: layout.name,
    order: layout.strategy === 'stages' && featureFlag === 'off' ? 'flag-off' : layout.strategy,
    stages: steps.map((step, index) => {
      const all = layout.applications.filter((one) => one.step === index + 1);
      const here = reached.filter((one) => one.step === index + 1);
      return {
        number: index + 1,
        name: hasStages ? stageName(step, index + 1) : 'all at once',
        selector: selectorInWords(step),
        pace: maxUpdateInWords(step.maxUpdate),
        maxUpdate: effectiveMaxUpdate(step.maxUpdate, all.length),
        total: all.length,
        applications: here.map((one) => one.name),
        clusters: clustersOf(here),
      };
    }),
    unselected: reached.filter((one) => one.step === unselectedStep).map((one) => one.name),
    applications: reached.length,
    clusters: clustersOf(reached).length,
    total: layout.applications.length,
  };
}

function clustersOf(applications: readonly PlacedApplication[]): readonly string[] {
  return [...new Set(applications.map((one) => one.cluster))].filter((cluster) => cluster !== '');
}

/** The stages that the change reaches, in their order. */
export function reachedStages(reach: Reach): readonly StageReach[] {
  return reach.stages.filter((stage) => stage.applications.length > 0);
}
