/**
 * What the small GitHub knows besides git objects: accounts, repositories with their refs, issues, pull requests,
 * comments, checks. Plain data only, so that a copy of it can be set aside and served again as a stale read.
 */

export type Role = 'admin' | 'maintain' | 'write' | 'triage' | 'read';

export type Account = {
  id: number;
  login: string;
  type: 'User' | 'Bot' | 'Organization';
  name?: string;
  email?: string;
};

export type Label = { id: number; name: string; color: string; description: string | null };

export type Reaction = { id: number; user: string; content: string; at: number };

/** An entry of an issue's history: labeled, closed, merged … `at` is in milliseconds. */
export type IssueEvent = {
  id: number;
  event: string;
  actor: string;
  at: number;
  label?: { name: string; color: string };
  commit?: string;
  rename?: { from: string; to: string };
  reviewer?: string;
};

/** An issue, or the issue side of a pull request of the same number. Times are in milliseconds. */
export type Issue = {
  id: number;
  number: number;
  title: string;
  body: string | null;
  user: string;
  viaApp: boolean;
  state: 'open' | 'closed';
  stateReason: 'completed' | 'not_planned' | 'reopened' | null;
  labels: string[];
  createdAt: number;
  updatedAt: number;
  closedAt: number | null;
  closedBy: string | null;
  reactions: Reaction[];
  events: IssueEvent[];
};

export type MergeMethod = 'merge' | 'squash' | 'rebase';

export type PullRequest = {
  id: number;
  number: number;
  headRef: string;
  /** Whose fork its branch lies in; null for a branch of the repository itself. */
  headOwner: string | null;
  baseRef: string;
  headSha: string;
  /** The base branch's commit when the pull request was opened or last looked at. */
  baseSha: string;
  draft: boolean;
  mergedAt: number | null;
  mergedBy: string | null;
  /** The merge, squash or last rebased commit once merged. */
  mergeSha: string | null;
  /** Commits on the base branch that this pull request brought, for `commits/{sha}/pulls`. */
  introduced: string[];
  reviewers: string[];
  teamReviewers: string[];
  autoMerge: { by: string; method: MergeMethod; title: string; message: string } | null;
};

export type Comment = {
  id: number;
  issueNumber: number;
  user: string;
  viaApp: boolean;
  body: string;
  createdAt: number;
  updatedAt: number;
  reactions: Reaction[];
};

export type CheckAnnotation = {
  path: string;
  start_line: number;
  end_line: number;
  start_column: number | null;
  end_column: number | null;
  annotation_level: string;
  title: string | null;
  message: string;
  raw_details: string | null;
};

export type CheckAction = { label: string; description: string; identifier: string };

export type CheckRun = {
  id: number;
  suiteId: number;
  app: string;
  name: string;
  headSha: string;
  externalId: string;
  detailsUrl: string | null;
  status: 'queued' | 'in_progress' | 'completed';
  conclusion: string | null;
  startedAt: number;
  completedAt: number | null;
  title: string | null;
  summary: string | null;
  text: string | null;
  annotations: CheckAnnotation[];
  actions: CheckAction[];
};

/** What must hold before a branch moves or a pull request into it is merged. */
type BranchRules = { requiredChecks: string[]; signedCommits: boolean };

export type Repository = {
  id: number;
  owner: string;
  name: string;
  description: string | null;
  defaultBranch: string;
  private: boolean;
  archived: boolean;
  createdAt: number;
  pushedAt: number;
  updatedAt: number;
  refs: Map<string, string>;
  /** Old branch names that GitHub still redirects, to their new ones. */
  renamedBranches: Map<string, string>;
  rules: Map<string, BranchRules>;
  allow: { merge: boolean; squash: boolean; rebase: boolean; autoMerge: boolean };
  deleteBranchOnMerge: boolean;
  collaborators: Map<string, Role>;
  labels: Map<string, Label>;
  nextNumber: number;
  issues: Map<number, Issue>;
  pulls: Map<number, PullRequest>;
  comments: Map<number, Comment>;
  checkRuns: Map<number, CheckRun>;
};

export type Team = {
  id: number;
  organization: string;
  slug: string;
  name: string;
  members: Map<string, string>;
};

/** The App's installation on one account. `repositories` is `'all'` or repository ids. */
export type Installation = {
  id: number;
  account: string;
  repositories: 'all' | number[];
  permissions: Record<string, string>;
  createdAt: number;
  suspendedAt: number | null;
};

export type State = {
  accounts: Map<string, Account>;
  repositories: Map<number, Repository>;
  /** Full names a repository had before, in lower case, to its id. */
  formerNames: Map<string, number>;
  teams: Map<string, Team>;
  installations: Map<number, Installation>;
};

/** A GitHub on which nothing has happened yet. */
export function emptyState(): State {
  return {
    accounts: new Map(),
    repositories: new Map(),
    formerNames: new Map(),
    teams: new Map(),
    installations: new Map(),
  };
}

/** The repository of this owner and name, in any case, or undefined. */
export function repositoryNamed(state: State, owner: string, name: string): Repository | undefined {
  const wanted = `${owner}/${name}`.toLowerCase();
  for (const repository of state.repositories.values()) {
    if (fullName(repository).toLowerCase() === wanted) return repository;
  }
  return undefined;
}

/** `owner/name`. */
export function fullName(repository: Repository): string {
  return `${repository.owner}/${repository.name}`;
}

/** The commit a branch is on, or undefined. */
export function branchHead(repository: Repository, branch: string): string | undefined {
  return repository.refs.get(`refs/heads/${branch}`);
}

/** The installation that covers a repository, or undefined. */
export function installationOf(state: State, repository: Repository): Installation | undefined {
  return [...state.installations.values()].find(
    (one) =>
      one.account.toLowerCase() === repository.owner.toLowerCase() &&
      (one.repositories === 'all' || one.repositories.includes(repository.id)),
  );
}
