/**
 * The fields of an ApplicationSet and an Application that the two simulated controllers read and write, in the API's
 * own form. Everything is optional that the API leaves out when it is empty; times are RFC 3339 with whole seconds,
 * because that is what survives a write to the API server (`metav1.Time`).
 */
import type { ObjectMetadata } from '../kubernetes/objects.ts';

export interface MatchExpression {
  key: string;
  operator: string;
  values?: string[];
}

export interface RolloutStep {
  matchExpressions?: MatchExpression[];
  maxUpdate?: number | string;
}

export interface LabelSelector {
  matchLabels?: Record<string, string>;
  matchExpressions?: MatchExpression[];
}

export interface Generator {
  clusters?: { selector?: LabelSelector; values?: Record<string, string> };
  list?: { elements?: Record<string, unknown>[] };
}

interface ApplicationTemplate {
  metadata: {
    name?: string;
    labels?: Record<string, string>;
    annotations?: Record<string, string>;
    finalizers?: string[];
  };
  spec: ApplicationSpec;
}

export interface ApplicationSetObject {
  apiVersion?: string;
  kind?: string;
  metadata: ObjectMetadata;
  spec: {
    generators?: Generator[];
    goTemplate?: boolean;
    goTemplateOptions?: string[];
    strategy?: { type?: string; rollingSync?: { steps?: RolloutStep[] } };
    syncPolicy?: { applicationsSync?: string; preserveResourcesOnDeletion?: boolean };
    template: ApplicationTemplate;
  };
  status?: ApplicationSetStatus;
}

export interface ApplicationSetStatus {
  applicationStatus?: ApplicationStatusEntry[];
  conditions?: ApplicationSetCondition[];
  health?: { status?: string; message?: string };
  resources?: OwnedApplication[];
  resourcesCount?: number;
}

export interface ApplicationStatusEntry {
  application: string;
  lastTransitionTime: string;
  message: string;
  status: 'Waiting' | 'Pending' | 'Progressing' | 'Healthy';
  step: string;
  targetRevisions: string[];
}

export interface ApplicationSetCondition {
  type: string;
  status: 'True' | 'False';
  reason: string;
  message: string;
  lastTransitionTime?: string;
}

interface OwnedApplication {
  group: string;
  version: string;
  kind: string;
  namespace: string;
  name: string;
  status?: string;
  health: { status?: string };
}

export interface Source {
  repoURL: string;
  path?: string;
  targetRevision?: string;
  chart?: string;
  ref?: string;
}

interface Destination {
  server?: string;
  name?: string;
  namespace?: string;
}

export interface Retry {
  limit?: number;
  refresh?: boolean;
  backoff?: { duration?: string; factor?: number; maxDuration?: string };
}

interface SyncPolicy {
  automated?: { prune?: boolean; selfHeal?: boolean; enabled?: boolean; allowEmpty?: boolean };
  syncOptions?: string[];
  retry?: Retry;
}

export interface ApplicationSpec {
  project?: string;
  source?: Source;
  sources?: Source[];
  destination: Destination;
  syncPolicy?: SyncPolicy;
  revisionHistoryLimit?: number;
}

interface OperationInitiator {
  username?: string;
  automated?: boolean;
}

export interface Operation {
  info?: { name: string; value: string }[];
  initiatedBy?: OperationInitiator;
  retry?: Retry;
  sync?: {
    prune?: boolean;
    dryRun?: boolean;
    revision?: string;
    revisions?: string[];
    source?: Source;
    sources?: Source[];
    syncOptions?: string[];
    resources?: { group?: string; kind: string; name: string; namespace?: string }[];
  };
}

export type OperationPhase = 'Running' | 'Terminating' | 'Succeeded' | 'Failed' | 'Error';

export interface ResourceResult {
  group: string;
  version: string;
  kind: string;
  namespace: string;
  name: string;
  status?: string;
  message?: string;
  hookPhase?: string;
  hookType?: string;
  syncPhase?: string;
  images?: string[];
}

export interface SyncResult {
  revision: string;
  revisions?: string[];
  source?: Source;
  sources?: Source[];
  resources?: ResourceResult[];
}

export interface OperationState {
  operation: Operation;
  phase: OperationPhase;
  message?: string;
  startedAt: string;
  finishedAt?: string;
  retryCount?: number;
  syncResult?: SyncResult;
}

export interface RevisionHistory {
  id: number;
  revision?: string;
  revisions?: string[];
  source?: Source;
  sources?: Source[];
  deployedAt: string;
  deployStartedAt: string;
  initiatedBy?: OperationInitiator;
}

export interface ApplicationCondition {
  type: string;
  message: string;
  lastTransitionTime?: string;
}

export interface ResourceStatus {
  group?: string;
  version?: string;
  kind: string;
  namespace?: string;
  name: string;
  status?: string;
  hook?: boolean;
  requiresPruning?: boolean;
  syncWave?: number;
}

export interface SyncStatus {
  status: string;
  revision?: string;
  revisions?: string[];
  comparedTo: { destination: Destination; source?: Source; sources?: Source[] };
}

export interface ApplicationStatus {
  conditions?: ApplicationCondition[];
  controllerNamespace?: string;
  health: { status?: string; lastTransitionTime?: string };
  history?: RevisionHistory[];
  operationState?: OperationState;
  reconciledAt?: string;
  resourceHealthSource?: string;
  resources?: ResourceStatus[];
  sourceHydrator?: object;
  sourceType?: string;
  sourceTypes?: string[];
  summary?: object;
  sync: SyncStatus;
}

export interface ApplicationObject {
  apiVersion?: string;
  kind?: string;
  metadata: ObjectMetadata;
  spec: ApplicationSpec;
  status?: ApplicationStatus;
  operation?: Operation;
}

/** The line of Argo CD whose rules hold. */
export type ArgoVersion = '3.3' | '3.4' | '3.5' | '3.6';

/** A cluster as Argo CD knows it: the name, the labels of its Secret and the address of its API server. */
export interface Cluster {
  name: string;
  labels: Record<string, string>;
  server: string;
  annotations?: Record<string, string>;
}

/** The refresh annotation of an Application; the application controller takes it away when it has refreshed. */
export const REFRESH_ANNOTATION = 'argocd.argoproj.io/refresh';

/** The refresh annotation of an ApplicationSet. */
export const SET_REFRESH_ANNOTATION = 'argocd.argoproj.io/application-set-refresh';

/** A time of the clock as the API server stores it: RFC 3339, whole seconds. */
export function timestamp(now: number): string {
  return new Date(Math.floor(now / 1000) * 1000).toISOString().replace('.000Z', 'Z');
}

/** What the Application was last compared with, one revision a source; empty before the first comparison. */
export function comparedRevisions(application: ApplicationObject): string[] {
  const sync = application.status?.sync;
  if (sync?.revisions?.length) return sync.revisions;
  return sync?.revision ? [sync.revision] : [];
}
