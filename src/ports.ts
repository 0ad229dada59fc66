/**
 * What Stepback needs of the world, in its own words. Adapters implement these over Octokit, over the
 * Kubernetes API and over a clock; the loop knows nothing else. Expected answers (it exists already, it is
 * not there) are values. What the world does wrong is a `WorldProblem`: transient (try again later) or
 * permanent (somebody has to do something), and its message says what happened, what it means, what to do.
 */
import type { Application, ApplicationRow, ApplicationSet, ObjectKey } from './domain/objects.ts';
import type { Checks } from './ports/checks.ts';
import type { Deliveries } from './ports/deliveries.ts';
import type { Files } from './ports/files.ts';
import type { Interventions } from './ports/interventions.ts';
import type { Issues } from './ports/issues.ts';
import type { People } from './ports/people.ts';
import type { PullRequests } from './ports/pull-requests.ts';

export type ProblemKind = 'transient' | 'permanent';

/** A fault of the world. `retryAfterMs` is what the world asked for, when it did; `notInstalledOn`: where we are not let in. */
export class WorldProblem extends Error {
  readonly kind: ProblemKind;
  readonly retryAfterMs: number | null;
  readonly notInstalledOn: Repository | null;

  constructor(
    kind: ProblemKind,
    message: string,
    options: { cause?: unknown; retryAfterMs?: number; notInstalledOn?: Repository } = {},
  ) {
    super(message, { cause: options.cause });
    this.name = 'WorldProblem';
    this.kind = kind;
    this.retryAfterMs = options.retryAfterMs ?? null;
    this.notInstalledOn = options.notInstalledOn ?? null;
  }
}

/** Time. `after` runs once and gives back how to cancel it. */
export interface Clock {
  now(): number;
  after(delayMs: number, run: () => void): () => void;
}

/** One line a happening, for operators; `fields` are names and numbers, never secrets. */
export interface Log {
  info(message: string, fields?: Readonly<Record<string, unknown>>): void;
  warn(message: string, fields?: Readonly<Record<string, unknown>>): void;
}

// ---------------------------------------------------------------- Forge (GitHub)

/** A repository on one host, as the forge writes it: `host` for telling several servers apart. */
export interface Repository {
  host: string;
  owner: string;
  name: string;
}

export type EntryMode = '100644' | '100755' | '120000' | '160000' | '040000';

/** One entry of a git tree; `name` is one path segment. */
export interface TreeEntry {
  name: string;
  mode: EntryMode;
  id: string;
}

/** One path to write over a base tree; the form of GitHub's `POST git/trees`. */
export type TreeChange =
  | { path: string; mode: EntryMode; id: string }
  | { path: string; mode: EntryMode; content: Uint8Array }
  | { path: string; deleted: true };

export interface Person {
  /** Null when the commit belongs to no account. */
  login: string | null;
  name: string;
}

export interface Commit {
  sha: string;
  tree: string;
  parents: readonly string[];
  message: string;
  author: Person;
  committedAt: number;
}

/** The commits reachable from `head` and not from `base`, oldest first. */
export interface CommitRange {
  status: 'ahead' | 'behind' | 'diverged' | 'identical';
  mergeBase: string;
  commits: readonly Commit[];
  /** False when the forge cut the list: nothing may be concluded from what is absent (GH09). */
  isComplete: boolean;
}

export interface ChangedFile {
  path: string;
  /** Where it was before, when it was renamed. */
  previousPath: string | null;
  change: 'added' | 'modified' | 'removed' | 'renamed';
}

export interface PullRequest {
  number: number;
  /** How the forge's other interface (GraphQL) names it. */
  nodeId: string;
  url: string;
  title: string;
  body: string;
  author: Person;
  state: 'open' | 'closed';
  isMerged: boolean;
  isDraft: boolean;
  /** The forge merges it when all that is required is there. */
  isAutoMergeOn: boolean;
  mergeCommit: string | null;
  mergedAt: number | null;
  baseBranch: string;
  headBranch: string;
  headSha: string;
  /** Its branch lies in another repository: whoever opened it need not be able to write here. */
  isFromFork: boolean;
  /** Opened by this App itself, by its account and not by what the body says. */
  isOurs: boolean;
  labels: readonly string[];
  createdAt: number;
}

export interface Comment {
  id: number;
  body: string;
  author: string;
  isOurs: boolean;
  createdAt: number;
}

export interface RepositoryFacts {
  repository: Repository;
  defaultBranch: string;
  isArchived: boolean;
}

export interface Forge extends Checks, People, Files, PullRequests, Issues, Deliveries {
  /** The repository behind a `repoURL` in any form, or null when it is not on a forge we serve. */
  repositoryOf(repoURL: string): Repository | null;
  /** A link for people. */
  commitUrl(repository: Repository, sha: string): string;

  /** Null when it does not exist or the App is not installed on it. */
  repository(repository: Repository): Promise<RepositoryFacts | null>;
  /** Head commit of a branch; null when there is no such branch. One request. */
  branchHead(repository: Repository, branch: string): Promise<Commit | null>;
  /** Null when the repository has no such commit (force-pushed away, PS46). */
  commit(repository: Repository, sha: string): Promise<Commit | null>;
  /** The commit that people name by its first 7 to 40 digits; null when there is none, or more than one. */
  commitBeginning(repository: Repository, digits: string): Promise<Commit | null>;
  /** Null when either end is not there. Pages on until it has all, or says that it has not. */
  range(repository: Repository, base: string, head: string): Promise<CommitRange | null>;
  /** Files that a commit changed against its first parent. */
  filesOf(
    repository: Repository,
    sha: string,
  ): Promise<{ files: readonly ChangedFile[]; isComplete: boolean }>;
  /** Pull requests that brought a commit in, merged ones first. */
  pullRequestsOf(repository: Repository, sha: string): Promise<readonly PullRequest[]>;
  /** Entries of one tree, by tree id or commit. Never a truncated list. */
  readTree(repository: Repository, treeId: string): Promise<readonly TreeEntry[]>;
  readBlob(repository: Repository, blobId: string): Promise<Uint8Array>;

  createTree(repository: Repository, baseTree: string, changes: readonly TreeChange[]): Promise<string>;
  /** No author is given, so that the forge signs it. `isVerified` is what it says afterwards. */
  createCommit(
    repository: Repository,
    commit: { tree: string; parents: readonly string[]; message: string },
  ): Promise<{ sha: string; isVerified: boolean }>;
  /** The atomic claim of a revert: one of several tries gets `created`. */
  createBranch(repository: Repository, branch: string, sha: string): Promise<'created' | 'exists'>;
  /** Moves a branch of ours from `expected` to `sha`; `moved` when somebody else had moved it. */
  moveBranch(
    repository: Repository,
    branch: string,
    expected: string,
    sha: string,
  ): Promise<'done' | 'moved' | 'missing'>;
  deleteBranch(repository: Repository, branch: string): Promise<void>;

  /** Pull requests from a branch of this repository, of any state, newest first (GH05). */
  pullRequestsFrom(repository: Repository, headBranch: string): Promise<readonly PullRequest[]>;
  pullRequest(repository: Repository, number: number): Promise<PullRequest | null>;
  createPullRequest(
    repository: Repository,
    pullRequest: { title: string; body: string; head: string; base: string; isDraft: boolean },
  ): Promise<
    | { kind: 'created'; pullRequest: PullRequest }
    | { kind: 'exists' }
    /** The branch holds nothing that the base does not have (GH06). */
    | { kind: 'nothing-between' }
  >;
  updatePullRequest(
    repository: Repository,
    number: number,
    change: { title?: string; body?: string; state?: 'open' | 'closed' },
  ): Promise<void>;

  /** Comments of a pull request or an issue, oldest first. */
  comments(repository: Repository, number: number): Promise<readonly Comment[]>;
  createComment(repository: Repository, number: number, body: string): Promise<number>;
  /** `gone`: somebody deleted it. */
  updateComment(repository: Repository, commentId: number, body: string): Promise<'done' | 'gone'>;
  /** Done also when it is not there. Of ours alone: GitHub lets an App take away what anybody wrote. */
  deleteComment(repository: Repository, commentId: number): Promise<void>;
}

// ---------------------------------------------------------------- Cluster (Kubernetes, Argo CD)

/** How much of the cluster is seen. Blind suspends verdicts; it never leads to a write. */
export interface Sight {
  /** When the cluster was last heard of (an event, a bookmark, a list), by our own clock. */
  lastHeardAt: number;
  /** What keeps us from seeing, in one sentence for people; null when nothing does. */
  blindness: string | null;
}

/** Something happened to what one ApplicationSet owns: look at it. */
export interface Nudge {
  applicationSet: ObjectKey;
}

/** One ApplicationSet read whole, with whole Applications. */
export interface CloseLook {
  applicationSet: ApplicationSet;
  applications: readonly Application[];
  /** The cluster's own time of the look (its `Date`), milliseconds since the epoch. */
  observedAt: number;
  sight: Sight;
}

export interface FeatureFlag {
  state: 'on' | 'off' | 'unknown';
  /** What it was read from and what to do, in sentences for people. */
  evidence: readonly string[];
}

export interface Cluster {
  /** The instance's name: `namespace/name` alone is not unique over several Argo CDs. */
  readonly instance: string;
  /** Where Argo CD itself is; Applications that are named without a namespace are there. */
  readonly argocdNamespace: string;
  /** Lists and watches until `signal` aborts. Never throws for what the cluster does: see `sight`. */
  run(onNudge: (nudge: Nudge) => void, signal: AbortSignal): Promise<void>;
  /** Every ApplicationSet of the instance that is known, by key. */
  applicationSets(): ReadonlyMap<ObjectKey, ApplicationSet>;
  /** The radar's rows of one ApplicationSet. */
  rows(applicationSet: ObjectKey): readonly ApplicationRow[];
  sight(): Sight;
  /** Null when the ApplicationSet is not there any more. Throws WorldProblem when it cannot be read. */
  closeLook(applicationSet: ObjectKey): Promise<CloseLook | null>;
  /** One Application, also one that no ApplicationSet owns; null when there is none. Throws WorldProblem. */
  application(key: ObjectKey): Promise<Application | null>;
  featureFlag(): Promise<FeatureFlag>;
  /** The few things that may be done to it. */
  readonly interventions: Interventions;
}

// ---------------------------------------------------------------- Ledger (what must survive)

/** A stored value with the version that fences its next write. */
export interface Stored<Value> {
  value: Value;
  version: string;
}

/**
 * Values are JSON; their types belong to the domain (`StageMemory`, `Incident`). `save` writes only over the
 * version that was read (null: it must not exist yet) and answers `conflict` when somebody else was faster.
 */
export interface Ledger<Memory, Incident> {
  memory(applicationSet: ObjectKey): Promise<Stored<Memory> | null>;
  saveMemory(applicationSet: ObjectKey, value: Memory, version: string | null): Promise<string | 'conflict'>;
  incidents(): Promise<readonly Stored<Incident>[]>;
  saveIncident(id: string, value: Incident, version: string | null): Promise<string | 'conflict'>;
  /** It is not there any more afterwards, whoever took it away. */
  forgetIncident(id: string): Promise<void>;
}
