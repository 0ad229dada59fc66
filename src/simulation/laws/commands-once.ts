/** Who asks for something is answered, and once: a delivery that comes twice, a crash or a second replica makes no second answer. */
import type { Law } from '../law.ts';

export const commandsOnce: Law = {
  name: 'commands-once',
  words: 'In the end every letter is answered and settled, and none has two answers.',
  atEnd({ mailbox }) {
    const letters = mailbox.all();
    const waiting = letters.find(({ answer }) => answer === null);
    if (waiting !== undefined) return `"${waiting.letter.lines.join('; ')}" is not settled`;
    const replies = letters.map(({ answer }) => answer?.replyId ?? null).filter((id) => id !== null);
    return new Set(replies).size === replies.length ? null : 'one comment answers two letters';
  },
};
