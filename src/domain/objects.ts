/**
 * What Stepback keeps of a cluster's objects. The adapters cut every object down to these shapes as it
 * comes in, so that nothing behind them has to know the API's own form, its optional fields or its traps.
 * Times are milliseconds since the epoch by the clock of the cluster; revisions are one string a source,
 * in the order of `spec.sources`, and need not be commits (chart versions, tags, branch names, "").
 */

/** `namespace/name`; two objects of one name in two namespaces are two objects (PS28). */
export type ObjectKey = string;

export interface Source {
  repoURL: string;
  /** Folder in the repository, "" for its root; null for a chart, an OCI image, and a source that only lends its files. */
  path: string | null;
  /**
   * Other paths of the repository that feed the Application: value files that other sources take by `$ref`,
   * and what `argocd.argoproj.io/manifest-generate-paths` names.
   */
  alsoPaths: readonly string[];
  targetRevision: string;
  /** The chart or OCI image; null for git. */
  chart: string | null;
  /** The name under which other sources use its files as `$name/...`. */
  ref: string | null;
  /** Helm value files, as written: relative to `path`, or `$ref/...`. */
  valueFiles: readonly string[];
  /** Digest of all else that decides what is made of it (Helm, Kustomize, plugin…); "" when nothing is set. */
  parameters: string;
}

export interface ResourceState {
  group: string;
  kind: string;
  namespace: string;
  name: string;
  /** Sync status of a resource in `status.resources`, result code of one in `syncResult.resources`. */
  status: string;
  health: string | null;
  message: string;
  requiresPruning: boolean;
  /** PreSync, Sync, PostSync…; "" for an ordinary resource. */
  hookType: string;
  hookPhase: string;
}

export interface OperationState {
  phase: string;
  message: string;
  startedAt: number | null;
  /** With phase Running: the attempt has failed and waits for its retry. */
  finishedAt: number | null;
  retryCount: number;
  retryLimit: number;
  /** Revisions the operation itself names; empty when each attempt resolves the target again. */
  pinnedRevisions: readonly string[];
  /** The operation names single resources: it is not recorded in the history. */
  isPartial: boolean;
  isDryRun: boolean;
  username: string;
  /** Why it was asked for, as who asked wrote it; "" when nothing says so. */
  reason: string;
  /** Null before the first comparison of the operation, after a retry reset. */
  result: {
    revisions: readonly string[];
    /** `configurationOf` the sources that it applied; null when it does not say. */
    configuration: string | null;
    resources: readonly ResourceState[];
  } | null;
}

export interface HistoryEntry {
  id: number;
  revisions: readonly string[];
  deployedAt: number;
  deployStartedAt: number | null;
  /** `configurationOf` the sources that were deployed; null when it does not say. */
  configuration: string | null;
}

export interface Condition {
  type: string;
  status: string;
  reason: string;
  message: string;
  lastTransitionAt: number | null;
}

export interface Destination {
  /** Name of the cluster, or "" when it is given by its server. */
  name: string;
  server: string;
  namespace: string;
}

export interface Application {
  key: ObjectKey;
  namespace: string;
  name: string;
  uid: string;
  resourceVersion: string;
  createdAt: number | null;
  isBeingDeleted: boolean;
  labels: Readonly<Record<string, string>>;
  annotations: Readonly<Record<string, string>>;
  /** The ApplicationSet that controls it. */
  owner: { name: string; uid: string } | null;
  sources: readonly Source[];
  destination: Destination;
  project: string;
  /** `spec.syncPolicy.automated`: null when absent. RollingSync forces `enabled` off. */
  automated: { prune: boolean; selfHeal: boolean; enabled: boolean } | null;
  sync: { status: string; revisions: readonly string[]; comparedSources: readonly Source[] };
  health: { status: string; message: string; lastTransitionAt: number | null };
  reconciledAt: number | null;
  /** An operation that was requested and not begun: `operation` of the object. */
  requestedOperation: { revisions: readonly string[]; username: string; reason: string } | null;
  operation: OperationState | null;
  history: readonly HistoryEntry[];
  conditions: readonly Condition[];
  resources: readonly ResourceState[];
}

export interface MatchExpression {
  key: string;
  operator: string;
  values: readonly string[];
}

export interface Step {
  expressions: readonly MatchExpression[];
  /** As written: absent is null, else a number or a string such as "25%". */
  maxUpdate: number | string | null;
}

export interface ApplicationStatus {
  application: string;
  status: string;
  step: string;
  message: string;
  /** Null when the field is absent, as entries of before 2.12 are (PS07). */
  targetRevisions: readonly string[] | null;
  lastTransitionAt: number | null;
}

export interface GitGenerator {
  repoURL: string;
  /** Branch, tag or commit; "" for the default branch. */
  revision: string;
  /** Patterns of the files or folders that it reads. */
  paths: readonly string[];
}

export interface ApplicationSet {
  key: ObjectKey;
  namespace: string;
  name: string;
  uid: string;
  resourceVersion: string;
  generation: number;
  createdAt: number | null;
  isBeingDeleted: boolean;
  annotations: Readonly<Record<string, string>>;
  /** Names of controllers and managers that own it (a parent Application, another operator). */
  owners: readonly string[];
  strategyType: string;
  /** Null when `rollingSync` or its `steps` are absent. */
  steps: readonly Step[] | null;
  /** `syncPolicy.applicationsSync`, "" when absent. */
  applicationsSync: string;
  templateLabels: Readonly<Record<string, string>>;
  hasTemplatePatch: boolean;
  isGoTemplate: boolean;
  templateSources: readonly Source[];
  templatePrunes: boolean;
  generatorKinds: readonly string[];
  /** Git generators, those inside of matrix and merge generators as well. */
  gitGenerators: readonly GitGenerator[];
  applicationStatus: readonly ApplicationStatus[];
  conditions: readonly Condition[];
}

/** A row of the radar: what the API server's own Table says of an Application. */
export interface ApplicationRow {
  key: ObjectKey;
  uid: string;
  resourceVersion: string;
  owner: { name: string; uid: string } | null;
  labels: Readonly<Record<string, string>>;
  syncStatus: string;
  healthStatus: string;
  revision: string;
}

const commitPattern = /^[0-9a-f]{40}$/;

/** True for 40 hex digits: only those are ever sent to GitHub as a commit. */
export function isCommit(revision: string): boolean {
  return commitPattern.test(revision);
}
