/**
 * What people ask for on GitHub, from the webhook that brought it until it is answered. Any replica posts a letter, the
 * one that leads reads it; posting is the claim, so a delivery that comes twice, or to two replicas, is one letter. Letters that
 * are settled are the audit trail: who asked for what, when, and what came of it.
 */
import type { ObjectKey } from '../domain/objects.ts';
import type { Repository, Stored } from '../ports.ts';

/** What one letter may hold; more is cut before it is posted. */
export const letterLimits = {
  /** As many as are read of a comment. */
  linesMax: 10,
  /** In UTF-16 units. A longer line is cut. */
  lineLengthMax: 2_000,
} as const;

export interface Letter {
  /** Made of what was said and where, so that the same thing said once has one name: the comment, the edit of it, the press of a button. */
  id: string;
  repository: Repository;
  /** The pull request or issue under which it was said; null for a button. */
  number: number | null;
  /** False: it was said under an issue, where commands are answered and do nothing. */
  isPullRequest: boolean;
  /** The comment; null for a button. */
  commentId: number | null;
  /** The button's check run: its commit, its name and its `externalId`; null for a comment. */
  check: { sha: string; name: string; externalId: string } | null;
  /** The ApplicationSet that a button is about; null for a comment, which is about what its pull request is about. */
  applicationSet: ObjectKey | null;
  /** Who sent the event, which is not always who wrote the comment (GH19). */
  sender: { login: string; isBot: boolean; isOurs: boolean };
  /** One command each, as typed, from the `/stepback` on; `parseCommand` reads each of them. */
  lines: readonly string[];
  /** The comment held more commands than are read. */
  hasMore: boolean;
  /** When it was said, by the forge's time; null when the forge does not tell (a button). */
  saidAt: number | null;
  receivedAt: number;
}

/**
 * What came of one line. `why` is a code, "" when it was accepted, and `answered-before` when only its answer was found again
 * after a crash: that says what came of it.
 */
export interface LetterOutcome {
  line: string;
  kind: 'accepted' | 'refused' | 'fault' | 'ignored';
  why: string;
}

export interface Mailbox {
  /** `known`: it was posted before, by whomever. Throws WorldProblem when it cannot be kept, so that GitHub hears of it. */
  post(letter: Letter): Promise<'posted' | 'known'>;
  /** Not settled yet, oldest first; when there are very many, not all of them. Throws WorldProblem. */
  waiting(): Promise<readonly Stored<Letter>[]>;
  /**
   * Answered: it is kept for the audit trail and is waiting no more. `conflict`: it was settled by somebody else, or is
   * gone. Throws WorldProblem.
   */
  settle(
    letter: Stored<Letter>,
    outcomes: readonly LetterOutcome[],
    replyId: number | null,
    at: number,
  ): Promise<'done' | 'conflict'>;
  /** Those that were settled at that time or later and have a reply. Throws WorldProblem. */
  answeredSince(at: number): Promise<readonly Letter[]>;
  /**
   * Cuts the audit trail by age and by count; gives how many letters went. For the replica that leads, now and then.
   * Throws WorldProblem.
   */
  prune(now: number): Promise<number>;
}
