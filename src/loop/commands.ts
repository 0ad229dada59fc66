/** Carries out what people ask for in letters. */
import type { LetterAnswer, LetterExecutor } from './letters.ts';

/** Nothing is carried out yet: every line is noted in the audit trail as ignored. */
export const executeLetter: LetterExecutor = async (_world, letter): Promise<LetterAnswer> => ({
  outcomes: letter.lines.map((line) => ({ line, kind: 'ignored' as const, why: 'not-yet' })),
  replyId: null,
});
