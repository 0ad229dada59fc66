/**
 * A letter on its way from the door to the mailboxes. GitHub is told that all is well only when the letter is kept: otherwise
 * the delivery counts as failed, is found, and is sent again. Who asked sees within a second that it was heard.
 */
import type { Letter } from '../ports/mailbox.ts';
import { type Clock, type Forge, type Log, WorldProblem } from '../ports.ts';
import type { Watched } from './watched.ts';

export interface LetterOptions {
  forge: Pick<Forge, 'react'>;
  clock: Clock;
  log: Log;
}

/** After 9 s the middleware answers that all is well, after 10 s GitHub does not listen any more. */
const keptMsMax = 8_000;

/**
 * Posts the letter to the mailbox of every Argo CD that it may concern, and lets their loops read. Throws WorldProblem
 * when one of them could not keep it in time; the others have it, and know it when it comes again.
 */
export async function postLetter(
  options: LetterOptions,
  concerned: readonly Watched[],
  letter: Letter,
): Promise<'posted' | 'known'> {
  const posting = concerned.map(async ({ mailbox, loop }) => {
    const answer = await mailbox.post(letter);
    // Also what is known: another replica may have posted it, and this one be the one that reads.
    loop.posted();
    return answer;
  });
  const results = await within(options.clock, Promise.allSettled(posting));
  const isPosted = results.some((result) => result.status === 'fulfilled' && result.value === 'posted');
  if (isPosted) acknowledge(options, letter);
  for (const result of results) if (result.status === 'rejected') throw result.reason;
  return isPosted ? 'posted' : 'known';
}

/** By the eyes under the comment. Nobody waits for it, and nothing depends on it. */
function acknowledge({ forge, log }: LetterOptions, letter: Letter): void {
  if (letter.commentId === null) return;
  forge.react(letter.repository, letter.commentId, 'eyes').catch((problem: unknown) => {
    log.warn('a comment with a command could not be marked as seen; it is answered all the same', {
      letter: letter.id,
      problem: problem instanceof Error ? problem.message : String(problem),
    });
  });
}

async function within<Value>(clock: Clock, work: Promise<Value>): Promise<Value> {
  let cancel = () => {};
  const late = new Promise<never>((_, reject) => {
    cancel = clock.after(keptMsMax, () =>
      reject(
        new WorldProblem(
          'transient',
          `The API server did not keep a command within ${keptMsMax / 1000} s. GitHub is told so, and the delivery is asked for again.`,
        ),
      ),
    );
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    cancel();
  }
}
