/** What the Ledger and the Mailbox promise, held by those in memory and by the custom resources alike. */
import { describe, expect, it } from 'vitest';
import { sampleLetter } from '../adapters/ledger/sample-letter.ts';
import { clusterWorlds } from './cluster-worlds.ts';

const key = 'argocd/payments';

describe.each(clusterWorlds)('the ledger $kind', ({ open }) => {
  it('writes only over what was read', async () => {
    const { ledger } = await open();
    expect(await ledger.memory(key)).toBeNull();
    const first = await ledger.saveMemory(key, { applications: { one: 1 } }, null);
    expect(first).not.toBe('conflict');
    expect(await ledger.saveMemory(key, { applications: {} }, null)).toBe('conflict');
    expect(await ledger.memory(key)).toEqual({ value: { applications: { one: 1 } }, version: first });
    const second = await ledger.saveMemory(key, { applications: { two: 2 } }, first);
    expect(second).not.toBe('conflict');
    expect(await ledger.saveMemory(key, { applications: { three: 3 } }, first)).toBe('conflict');
    expect(await ledger.memory(key)).toEqual({ value: { applications: { two: 2 } }, version: second });
  });

  it('keeps incidents apart, each with its own version', async () => {
    const { ledger } = await open();
    expect(await ledger.incidents()).toEqual([]);
    const one = await ledger.saveIncident('argocd-1', { id: 'argocd-1', phase: 'noticed' }, null);
    await ledger.saveIncident('argocd-2', { id: 'argocd-2', phase: 'noticed' }, null);
    expect(await ledger.saveIncident('argocd-1', { id: 'argocd-1', phase: 'merged' }, 'another')).toBe(
      'conflict',
    );
    expect(await ledger.saveIncident('argocd-1', { id: 'argocd-1', phase: 'proposed' }, one)).not.toBe(
      'conflict',
    );
    expect((await ledger.incidents()).map(({ value }) => value)).toEqual([
      { id: 'argocd-1', phase: 'proposed' },
      { id: 'argocd-2', phase: 'noticed' },
    ]);
  });

  it('hands out values of its own', async () => {
    const { ledger } = await open();
    const value = { applications: { one: 1 } };
    await ledger.saveMemory(key, value, null);
    value.applications.one = 2;
    expect((await ledger.memory(key))?.value).toEqual({ applications: { one: 1 } });
  });
});

describe.each(clusterWorlds)('the mailbox $kind', ({ open }) => {
  it('takes a letter once, gives it until it is settled, and settles it once', async () => {
    const { mailbox } = await open();
    const letter = sampleLetter({ id: 'comment-1', receivedAt: 2_000 });
    const earlier = sampleLetter({ id: 'comment-2', receivedAt: 1_000 });
    expect(await mailbox.post(letter)).toBe('posted');
    expect(await mailbox.post(letter)).toBe('known');
    expect(await mailbox.post(earlier)).toBe('posted');
    const waiting = await mailbox.waiting();
    expect(waiting.map(({ value }) => value)).toEqual([earlier, letter]);
    const outcomes = [{ line: '/stepback help', kind: 'accepted', why: '' }] as const;
    const [first] = waiting;
    if (first === undefined) throw new Error('there is no letter');
    expect(await mailbox.settle(first, outcomes, 7, 3_000)).toBe('done');
    expect(await mailbox.settle(first, outcomes, 7, 3_000)).toBe('conflict');
    expect((await mailbox.waiting()).map(({ value }) => value.id)).toEqual(['comment-1']);
    expect(await mailbox.post(earlier)).toBe('known');
    expect((await mailbox.answeredSince(3_000)).map(({ id }) => id)).toEqual(['comment-2']);
    expect(await mailbox.answeredSince(4_000)).toEqual([]);
  });
});
