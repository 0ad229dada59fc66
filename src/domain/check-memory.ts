/**
 * Which commits of an ApplicationSet have a check run that may still change, kept beside what is remembered of it: what
 * was begun before a restart must not be left in progress for ever.
 */
import { list, record, text } from './read.ts';

export interface CheckedCommit {
  /** Repository and branch, as `heads` names them. */
  line: string;
  sha: string;
  /** Every stage has run it Healthy once: what happens later concerns it only when it is blamed. */
  isDone: boolean;
  /** The last word so far is written. */
  isTold: boolean;
}

export interface CheckMemory {
  /** Repository and branch → the head up to which commits were looked at. */
  heads: Readonly<Record<string, string>>;
  /** Oldest first; the newest that feeds it stays, older ones until their last word is written. */
  commits: readonly CheckedCommit[];
}

export const noChecks: CheckMemory = { heads: {}, commits: [] };

/** Something remains to be said of a commit. */
export function isUnfinished({ commits }: CheckMemory): boolean {
  return commits.some((commit) => !commit.isTold);
}

/** Reads what was stored; what cannot be read is left out. Never throws. */
export function readChecks(value: unknown): CheckMemory {
  const stored = record(value);
  const heads = Object.entries(record(stored.heads)).map(([line, sha]) => [line, text(sha)]);
  return {
    heads: Object.fromEntries(heads),
    commits: list(stored.commits)
      .map(record)
      .map((one) => ({
        line: text(one.line),
        sha: text(one.sha),
        isDone: one.isDone === true,
        isTold: one.isTold === true,
      }))
      .filter((one) => one.sha !== ''),
  };
}
