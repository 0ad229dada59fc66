/** Mistakes about what must survive: it is written over whatever is there, or not written at all. */
import type { Ledger } from '../../ports.ts';
import type { Mistake } from '../mistake.ts';

/** What another one wrote meanwhile is written over. */
export const skipTheFence: Mistake = {
  name: 'skip-the-fence',
  about: 'The ledger is written over whatever another one wrote meanwhile.',
  law: 'commands-once',
  seed: 74,
  made: ({ ledger }) => ({ ledger: fenceless(ledger) }),
};

function fenceless<Memory, Incident extends { id: string }>(
  ledger: Ledger<Memory, Incident>,
): Ledger<Memory, Incident> {
  return {
    memory: (key) => ledger.memory(key),
    incidents: () => ledger.incidents(),
    forgetIncident: (id) => ledger.forgetIncident(id),
    saveMemory: async (key, value) =>
      ledger.saveMemory(key, value, (await ledger.memory(key))?.version ?? null),
    async saveIncident(id, value) {
      const stored = (await ledger.incidents()).find((one) => one.value.id === id);
      return ledger.saveIncident(id, value, stored?.version ?? null);
    },
  };
}

/** What was written on GitHub is not kept, so it is written again after each restart. */
export const forgetWhatWasWritten: Mistake = {
  name: 'forget-what-was-written',
  about: 'What was written on GitHub is not kept, so it is written again after each restart.',
  law: 'settles-after-restart',
  seed: 9,
  made: ({ ledger }) => ({
    ledger: {
      memory: (key) => ledger.memory(key),
      saveMemory: (key, value, version) => ledger.saveMemory(key, value, version),
      incidents: () => ledger.incidents(),
      forgetIncident: (id) => ledger.forgetIncident(id),
      saveIncident: (id, value, version) =>
        ledger.saveIncident(
          id,
          { ...value, written: { pullRequest: '', comments: {}, at: 0, state: '' } },
          version,
        ),
    },
  }),
};

/** What was answered stays in the mailbox. */
export const answerTwice: Mistake = {
  name: 'answer-twice',
  about: 'A letter that was answered is not settled, so it is read again and again.',
  law: 'commands-once',
  seed: 0,
  made: ({ mailbox }) => ({
    mailbox: {
      post: (letter) => mailbox.post(letter),
      waiting: () => mailbox.waiting(),
      settle: async () => 'done',
      answeredSince: (at) => mailbox.answeredSince(at),
      prune: (now) => mailbox.prune(now),
    },
  }),
};
