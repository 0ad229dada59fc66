/** Issues, and what issues and pull requests have in common. */
import type { Repository } from '../ports.ts';

export interface LabelledIssue {
  number: number;
  url: string;
  title: string;
  body: string;
  author: string;
  /** Opened by this App itself, by its account and not by what the body says. */
  isOurs: boolean;
  /** Who set the label last, and when; null when the forge does not say. */
  labelledBy: string | null;
  labelledAt: number | null;
}

/** An issue that this App itself opened. */
export interface OwnIssue {
  number: number;
  body: string;
  isOpen: boolean;
}

export type Reaction = '+1' | '-1' | 'laugh' | 'confused' | 'heart' | 'hooray' | 'rocket' | 'eyes';

export interface Issues {
  /** Issues alone, no pull requests, with the label in any case of its letters. */
  openIssuesWithLabel(repository: Repository, label: string): Promise<readonly LabelledIssue[]>;
  /** Ours with the label, open or closed, the oldest first; of more than a hundred the newest. */
  ownIssues(repository: Repository, label: string): Promise<readonly OwnIssue[]>;
  /** Done once: after a time-out look for it. Labels that the repository does not have are made. */
  createIssue(
    repository: Repository,
    issue: { title: string; body: string; labels: readonly string[] },
  ): Promise<{ number: number; url: string }>;
  /** What is not named stays as it is. `gone`: somebody deleted it, or switched issues off. */
  updateIssue(
    repository: Repository,
    number: number,
    change: { body?: string; state?: 'open' | 'closed' },
  ): Promise<'done' | 'gone'>;
  /** Of an issue or a pull request. Labels that the repository does not have are made. */
  addLabels(repository: Repository, number: number, labels: readonly string[]): Promise<void>;
  /** Done also when it is not there. */
  removeLabel(repository: Repository, number: number, label: string): Promise<void>;
  /** To a comment; `gone` when there is no such comment (any more). */
  react(repository: Repository, commentId: number, reaction: Reaction): Promise<'done' | 'gone'>;
}
