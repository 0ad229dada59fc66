/** A command that comes while the cluster cannot be seen yet, as just after a start, is not refused for that. */
import { expect, it } from 'vitest';
import { subjectOf } from '../../src/loop/command-subject.ts';
import { executeLetter } from '../../src/loop/commands.ts';
import type { World } from '../../src/loop/world.ts';
import type { Letter } from '../../src/ports/mailbox.ts';
import { saidAt, sampleLetter } from '../adapters/ledger/sample-letter.ts';
import { incident } from '../render/sample-incident.ts';

const context = { isFirstInstance: true, neighbours: () => [], nudge: () => {}, triedForMs: 5_000 };
const problem = 'The ApplicationSets have not been listed yet. Wait a moment.';

/** A world that has an incident and has not seen its ApplicationSet. */
function blind(now: number): World {
  const cluster = {
    instance: 'argocd',
    applicationSets: () => new Map(),
    sight: () => ({ lastHeardAt: 0, blindness: problem }),
  };
  const one = { ...incident(), repository: 'acme/gitops' };
  return {
    cluster,
    memories: { incidents: async () => [one] },
    clock: { now: () => now },
  } as unknown as World;
}

const number = incident().pullRequest?.number ?? 0;
const kinds: readonly [string, Partial<Letter>][] = [
  ['below a revert', { number, lines: ['/stepback freeze'] }],
  ['by a button', { number: null, applicationSet: 'argocd/payments', lines: ['/stepback revert'] }],
  ['about an ApplicationSet that it names', { number, lines: ['/stepback revert argocd/payments'] }],
];

it.each(kinds)('a command %s waits while nothing has been listed', async (_, change) => {
  const letter = sampleLetter(change);
  const answer = executeLetter(blind(letter.receivedAt + 10 * 60_000), letter, context);
  await expect(answer).rejects.toMatchObject({ kind: 'transient', message: problem });
});

it.each(kinds.slice(0, 2))('a command %s is said to be about what cannot be seen', async (_, change) => {
  const subject = await subjectOf(blind(saidAt), sampleLetter(change));
  expect(subject).toEqual({ kind: 'none', why: { kind: 'cannot-see', problem } });
});
