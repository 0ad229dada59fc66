/** What the GitHub in memory holds, and what it tells of. */
import type { CheckRun } from '../ports/checks.ts';
import type { Permission } from '../ports/people.ts';
import type { BareRepository } from '../sandbox/github/git/bare-repository.ts';
import type { Timeline } from './timeline.ts';

export const botLogin = 'stepback[bot]';

export interface HubPull {
  number: number;
  title: string;
  body: string;
  user: string;
  state: 'open' | 'closed';
  isDraft: boolean;
  base: string;
  head: string;
  headSha: string;
  mergedAt: number | null;
  mergedBy: string | null;
  mergeCommit: string | null;
  /** Commits on the base branch that it brought. */
  introduced: readonly string[];
  labels: readonly string[];
  reviewers: readonly string[];
  /** The forge merges it when the required checks are there; null when it does not. */
  autoMerge: { method: 'merge' | 'squash' } | null;
  createdAt: number;
  updatedAt: number;
}

export interface HubComment {
  id: number;
  number: number;
  user: string;
  body: string;
  createdAt: number;
  reactions: readonly string[];
}

export interface HubIssue {
  number: number;
  title: string;
  body: string;
  user: string;
  state: 'open' | 'closed';
  labels: readonly { name: string; by: string; at: number }[];
}

export type HubCheckRun = CheckRun & { writtenAt: number };

export type HubEvent =
  | { kind: 'pushed'; repository: string; branch: string; sha: string; by: string }
  | { kind: 'pull-request'; repository: string; number: number; action: string; by: string }
  | { kind: 'comment'; repository: string; number: number; commentId: number; by: string }
  | { kind: 'issue'; repository: string; number: number; action: string; by: string };

export interface HubRepository {
  /** `owner/name`. */
  name: string;
  git: BareRepository;
  isArchived: boolean;
  refs: Timeline<string, string>;
  pulls: Timeline<number, HubPull>;
  comments: Timeline<number, HubComment>;
  checkRuns: Timeline<number, HubCheckRun>;
  issues: Timeline<number, HubIssue>;
  permissions: Map<string, Permission>;
  /** Checks without which nothing is merged by itself. */
  requiredChecks: readonly string[];
  nextNumber: number;
}

export type HubFiles = Readonly<Record<string, string | null>>;
