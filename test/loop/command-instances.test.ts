/** Several Argo CDs get the same letter, and each line of it has one answer. */
import { describe, expect, it } from 'vitest';
import { parseCommand } from '../../src/domain/command.ts';
import { asOurs, type Line, type Neighbour } from '../../src/loop/command-instances.ts';
import type { Subject } from '../../src/loop/command-subject.ts';
import { WorldProblem } from '../../src/ports.ts';
import { sampleLetter } from '../adapters/ledger/sample-letter.ts';

const concerned: Subject = { kind: 'sets', keys: ['argocd/payments'], incidents: [] };
const nothing: Subject = { kind: 'none', why: { kind: 'feeds-nothing', number: 412 } };
const issue: Subject = { kind: 'none', why: { kind: 'issue' } };

function lineOf(line: string, target: Subject): Line {
  const parsed = parseCommand(line);
  if (parsed === null) throw new Error(`${line} is no command.`);
  return { line, parsed, target, change: null };
}

/** One Argo CD in a row of them; gives what it answers of each line, in the order of the row. */
async function answering(
  line: string,
  row: readonly (Subject | Error)[],
): Promise<readonly (Subject | null)[]> {
  const abouts = row.map((about) => async () => {
    if (about instanceof Error) throw about;
    return about;
  });
  return Promise.all(
    row.map(async (own, index) => {
      const neighbours: Neighbour[] = abouts.flatMap((about, at) =>
        at === index ? [] : [{ isBefore: at < index, about }],
      );
      if (own instanceof Error) return null;
      const context = { isFirstInstance: index === 0, neighbours: () => neighbours };
      return (await asOurs(sampleLetter(), lineOf(line, own), context))?.target ?? null;
    }),
  );
}

describe('a command under a pull request', () => {
  it('is answered by the one that it concerns, wherever that stands in the row', async () => {
    expect(await answering('/stepback status', [nothing, nothing, concerned])).toEqual([
      null,
      null,
      concerned,
    ]);
    expect(await answering('/stepback status', [concerned, nothing])).toEqual([concerned, null]);
  });

  it('is carried out by each that it concerns', async () => {
    expect(await answering('/stepback hold 2h', [nothing, concerned, concerned])).toEqual([
      null,
      concerned,
      concerned,
    ]);
  });

  it('is answered by the first when it concerns none', async () => {
    expect(await answering('/stepback status', [nothing, nothing])).toEqual([nothing, null]);
    expect(await answering('/stepback status', [issue, issue])).toEqual([issue, null]);
  });

  it('that is mistyped, or asks for help, is answered once by the first that it concerns', async () => {
    for (const line of ['/stepback help', '/stepback revret'])
      expect(await answering(line, [nothing, concerned, concerned])).toEqual([null, concerned, null]);
  });

  it('is said to be about what cannot be seen while one of them cannot see', async () => {
    const blind = new WorldProblem('transient', 'The cluster does not answer.');
    const [first] = await answering('/stepback status', [nothing, blind]);
    expect(first).toEqual({
      kind: 'none',
      why: { kind: 'cannot-see', problem: 'The cluster does not answer.' },
    });
    expect((await answering('/stepback status', [issue, blind]))[0]).toEqual(issue);
  });
});
