/**
 * The mailbox read in the loop: waiting letters, one after the other in the order in which they came, each handed to who
 * carries it out and then settled. Runs on the loop's own queue, because ticks and letters save the same incidents. A
 * letter that cannot be answered for now waits, with those of the same repository behind it; no other waits for it.
 */
import type { ObjectKey } from '../domain/objects.ts';
import type { Letter, LetterOutcome, Mailbox } from '../ports/mailbox.ts';
import { type Clock, type Log, type Repository, type Stored, WorldProblem } from '../ports.ts';
import type { Neighbour } from './command-instances.ts';
import { doubtMs } from './one-comment.ts';
import type { World } from './world.ts';

/** What came of a letter: each line of it, and the comment that answers it (null: none was written). */
export interface LetterAnswer {
  outcomes: readonly LetterOutcome[];
  replyId: number | null;
}

export interface LetterContext {
  /** Of several Argo CDs each gets the letter; this one answers when it concerns none. */
  isFirstInstance: boolean;
  neighbours(): readonly Neighbour[];
  /** Asks for a look at an ApplicationSet, after this letter. */
  nudge(key: ObjectKey): void;
}

/** The context of one try at a letter. */
export interface TryContext extends LetterContext {
  /** Since this process tried it for the first time. */
  triedForMs: number;
}

/**
 * Carries a letter out and answers it. It may be called again with the same letter after it did so (a crash before it
 * was settled), and is to find what it did. Throws a transient WorldProblem to be called again later; after any
 * other problem the letter is settled as a fault.
 */
export type LetterExecutor = (world: World, letter: Letter, context: TryContext) => Promise<LetterAnswer>;

export interface LettersOptions {
  mailbox: Mailbox;
  clock: Clock;
  log: Log;
  context: LetterContext;
  execute(letter: Letter, context: TryContext): Promise<LetterAnswer>;
  /** Two have answered the letter: one answer stays. Throws WorldProblem. */
  keepOneReply(letter: Letter): Promise<void>;
}

export interface Letters {
  /**
   * Answers what waits. Gives in how many milliseconds to read again, null when nothing waits for a second try. Throws
   * WorldProblem when the mailbox cannot be read.
   */
  read(): Promise<number | null>;
  /** With the next reading, what was answered of late is looked at for a second answer: who wrote it may not be there any more. */
  lookBack(): void;
}

/** Later each time, as long as a day; then who asked has long found another way. */
const retry = { firstMs: 2_000, msMax: 5 * 60_000, tooOldMs: 24 * 60 * 60_000 };
/** Read at once; ticks come in between. */
const lettersMax = 20;
/** What is kept of letters that were tried; more than this wait for nothing. */
const triesMax = 1_000;
/** What was answered in this time before we led may have two answers; of more than so many the newest are looked at. */
const answeredMs = 60 * 60_000;
const answeredMax = 50;
/** How often the audit trail is cut. */
const pruneEveryMs = 60 * 60_000;

interface Try {
  letter: Letter;
  firstAt: number;
  failures: number;
  notBefore: number;
  /** Carried out already: only that it is settled is missing, and it must not be carried out again. */
  answer: LetterAnswer | null;
}

/** A reader that has read nothing yet. */
export function openLetters(options: LettersOptions): Letters {
  const { mailbox, clock, log } = options;
  const tries = new Map<string, Try>();
  /**
   * What was answered of late, and when its conversation is looked at: by then two answers show, if there are. `isContested`:
   * somebody else settled it while we answered it.
   */
  const answered = new Map<string, { letter: Letter; dueAt: number; isContested: boolean }>();
  let hasLookedBack = false;
  let prunedAt = Number.NEGATIVE_INFINITY;

  async function handle(stored: Stored<Letter>): Promise<'done' | 'later'> {
    const { value: letter } = stored;
    const first: Try = { letter, firstAt: clock.now(), failures: 0, notBefore: 0, answer: null };
    let before: Try = tries.get(letter.id) ?? first;
    try {
      const answer = before.answer ?? (await answerTo(letter, clock.now() - before.firstAt));
      before = { ...before, answer };
      const settled = await mailbox.settle(stored, answer.outcomes, answer.replyId, clock.now());
      if (settled === 'conflict') log.info('a letter was settled by somebody else', { letter: letter.id });
      if (answer.replyId !== null) lookLater(letter, settled === 'conflict');
      tries.delete(letter.id);
      return 'done';
    } catch (problem) {
      const askedMs = problem instanceof WorldProblem ? (problem.retryAfterMs ?? 0) : 0;
      const pauseMs = Math.min(retry.msMax, retry.firstMs * 2 ** Math.min(20, before.failures));
      const retryInMs = Math.max(pauseMs, askedMs);
      tries.set(letter.id, {
        ...before,
        failures: before.failures + 1,
        notBefore: clock.now() + retryInMs,
      });
      log.warn('a letter could not be answered yet', {
        letter: letter.id,
        problem: sentenceOf(problem),
        retryInMs,
      });
      return 'later';
    }
  }

  /** Throws what is worth another try. */
  async function answerTo(letter: Letter, triedForMs: number): Promise<LetterAnswer> {
    try {
      return await options.execute(letter, { ...options.context, triedForMs });
    } catch (problem) {
      const isTransient = problem instanceof WorldProblem && problem.kind === 'transient';
      if (isTransient && clock.now() - letter.receivedAt < retry.tooOldMs) throw problem;
      log.warn('a letter was given up', { letter: letter.id, problem: sentenceOf(problem) });
      const why = isTransient ? 'gave-up' : problem instanceof WorldProblem ? 'world' : 'stepback';
      return {
        outcomes: letter.lines.map((line) => ({ line, kind: 'fault' as const, why })),
        replyId: null,
      };
    }
  }

  /** Gives in how many milliseconds the next is due; null when none is. */
  async function keepOneReplyEach(): Promise<number | null> {
    for (const [id, { letter, dueAt, isContested }] of [...answered]) {
      if (dueAt > clock.now()) continue;
      if (await keepsOneReply(letter)) answered.delete(id);
      else lookLater(letter, isContested);
    }
    // The mailbox is read again soon anyway; only what is known to be contested must not wait for that.
    const due = [...answered.values()].filter(({ isContested }) => isContested);
    return due.length === 0 ? null : Math.min(...due.map(({ dueAt }) => dueAt - clock.now()));
  }

  function lookLater(letter: Letter, isContested: boolean): void {
    answered.set(letter.id, { letter, dueAt: clock.now() + doubtMs, isContested });
  }

  /** Who died between its answer and its second look cannot make one of two. */
  async function askWhatWasAnswered(): Promise<void> {
    if (hasLookedBack) return;
    const letters = await mailbox.answeredSince(clock.now() - answeredMs);
    hasLookedBack = true;
    for (const letter of letters.slice(-answeredMax))
      answered.set(letter.id, { letter, dueAt: clock.now(), isContested: false });
  }

  /** False when it is to be tried again. */
  async function keepsOneReply(letter: Letter): Promise<boolean> {
    try {
      await options.keepOneReply(letter);
      return true;
    } catch (problem) {
      log.warn('a letter may have two answers', { letter: letter.id, problem: sentenceOf(problem) });
      return problem instanceof WorldProblem && problem.kind === 'permanent';
    }
  }

  async function prune(): Promise<void> {
    if (clock.now() - prunedAt < pruneEveryMs) return;
    prunedAt = clock.now();
    try {
      await mailbox.prune(clock.now());
    } catch (problem) {
      log.warn('the audit trail could not be cut; it is tried again later', { problem: sentenceOf(problem) });
    }
  }

  return {
    async read() {
      await askWhatWasAnswered();
      const waiting = await mailbox.waiting();
      forget(waiting);
      const blocked = new Set<string>();
      const waits: number[] = [];
      let count = 0;
      for (const stored of waiting) {
        const place = placeOf(stored.value.repository);
        if (blocked.has(place)) continue;
        if (count === lettersMax) {
          waits.push(0);
          break;
        }
        const notBefore = tries.get(stored.value.id)?.notBefore ?? 0;
        const isDue = notBefore <= clock.now();
        if (isDue) count += 1;
        if (isDue && (await handle(stored)) === 'done') continue;
        blocked.add(place);
        waits.push((tries.get(stored.value.id)?.notBefore ?? 0) - clock.now());
      }
      await prune();
      const contestedMs = await keepOneReplyEach();
      if (contestedMs !== null) waits.push(contestedMs);
      return waits.length === 0 ? null : Math.max(0, Math.min(...waits));
    },
    lookBack() {
      hasLookedBack = false;
    },
  };

  /** What does not wait any more was settled elsewhere. */
  function forget(waiting: readonly Stored<Letter>[]): void {
    const known = new Set(waiting.slice(0, triesMax).map(({ value }) => value.id));
    for (const [id, { letter, answer }] of tries) {
      if (known.has(id)) continue;
      tries.delete(id);
      if (answer !== null && answer.replyId !== null) lookLater(letter, true);
    }
  }
}

function placeOf({ host, owner, name }: Repository): string {
  return `${host}/${owner}/${name}`.toLowerCase();
}

function sentenceOf(problem: unknown): string {
  return problem instanceof Error ? problem.message : String(problem);
}
