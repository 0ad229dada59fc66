/**
 * Check runs: what Stepback says beside a commit, before anybody asks. They are made once, found again by name and
 * edited in place.
 */
import type { Repository } from '../ports.ts';

/**
 * What the forge takes in one check run. Text is counted in bytes of UTF-8: GitHub refuses a longer summary and
 * cuts a longer text without a word (https://github.com/github/docs/issues/35252). More is a fault of ours and throws.
 */
export const checkRunLimits = {
  textBytesMax: 65_535,
  actionsMax: 3,
  actionLabelLengthMax: 20,
  actionDescriptionLengthMax: 40,
  actionIdentifierLengthMax: 20,
} as const;

/** A button under a check run. A press comes back as a webhook with its `identifier`. */
export interface CheckAction {
  label: string;
  description: string;
  identifier: string;
}

export type CheckConclusion = 'success' | 'failure' | 'neutral' | 'action-required';

export interface CheckRunContent {
  externalId: string;
  status: 'queued' | 'in-progress' | 'completed';
  /** Null until it is completed, and only until then. */
  conclusion: CheckConclusion | null;
  title: string;
  /** Markdown, as is `text`, which comes below it and may be empty. */
  summary: string;
  text: string;
  /** Null leaves it to the forge. */
  detailsUrl: string | null;
  actions: readonly CheckAction[];
  startedAt: number | null;
  completedAt: number | null;
}

/** A check run of ours as the forge shows it. Its buttons cannot be read back. */
export interface CheckRun extends Omit<CheckRunContent, 'actions' | 'conclusion'> {
  id: number;
  url: string;
  name: string;
  sha: string;
  /** `other`: what we never write, such as `stale`. */
  conclusion: CheckConclusion | 'other' | null;
}

export interface Checks {
  /** Ours on a commit, newest first: those of this name, null for all. None when there is no such commit. */
  checkRuns(repository: Repository, sha: string, name: string | null): Promise<readonly CheckRun[]>;
  /** Its id; null when there is no such commit. Done once: after a time-out look for it. */
  createCheckRun(
    repository: Repository,
    run: CheckRunContent & { sha: string; name: string },
  ): Promise<number | null>;
  /** Everything that it says from now on. */
  updateCheckRun(repository: Repository, id: number, content: CheckRunContent): Promise<void>;
}
