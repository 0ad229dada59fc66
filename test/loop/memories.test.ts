/** What is written to the ledger, and when. */
import { expect, test } from 'vitest';
import type { Incident } from '../../src/domain/incident.ts';
import type { ApplicationMemory } from '../../src/domain/memory.ts';
import type { StoredMemory } from '../../src/domain/stored-memory.ts';
import { emptyStageMemory, type StageMemory } from '../../src/domain/watcher.ts';
import { openMemories } from '../../src/loop/memories.ts';
import { WorldProblem } from '../../src/ports.ts';
import { MemoryLedger } from '../../src/simulation/memory-ledger.ts';
import { incident } from '../render/sample-incident.ts';

const key = 'argocd/payments';
const now = Date.parse('2026-12-01T12:00:00Z');

/** A memory of so many Applications; `turn` makes it another one. */
function memoryOf(applications: number, turn: number): StageMemory {
  const one: ApplicationMemory = {
    uid: `turn ${turn}`,
    resourceVersion: '1',
    seenAt: 0,
    running: null,
    runningSince: null,
    operation: null,
    contents: [],
    trouble: null,
    failedSync: null,
    outOfSync: null,
    comparisonError: null,
    progressingSince: null,
    requestedSince: null,
    healthySince: null,
  };
  const entries = Array.from({ length: applications }, (_, index) => [`argocd/payments-${index}`, one]);
  return { ...emptyStageMemory, applications: Object.fromEntries(entries) };
}

function counted() {
  const ledger = new MemoryLedger<StoredMemory, Incident>();
  let writes = 0;
  const save = ledger.saveMemory.bind(ledger);
  ledger.saveMemory = (...asked) => {
    writes += 1;
    return save(...asked);
  };
  return { ledger, memories: openMemories(ledger), writes: () => writes };
}

test('a small memory is written each time it changes, and never when it does not', async () => {
  const { memories, writes } = counted();
  await memories.memory(key);
  for (const turn of [1, 2, 2, 3]) {
    expect(await memories.saveMemory(key, memoryOf(3, turn), now)).toBeNull();
  }
  expect(writes()).toBe(3);
});

test('one that was perhaps written is read again: whoever looks next builds on what the ledger holds', async () => {
  const { ledger, memories } = counted();
  await memories.memory(key);
  const { saveMemory } = ledger;
  ledger.saveMemory = async (...asked) => {
    await saveMemory.apply(ledger, asked);
    ledger.saveMemory = saveMemory;
    throw new WorldProblem('transient', 'The API server did not answer in time.');
  };
  await expect(memories.saveMemory(key, memoryOf(3, 1), now)).rejects.toThrow('did not answer');
  expect(Object.values((await memories.memory(key)).applications)[0]?.uid).toBe('turn 1');
  expect(await memories.saveMemory(key, memoryOf(3, 2), now)).toBeNull();
});

test('one that somebody took away while nothing changed is written again', async () => {
  const { ledger, memories } = counted();
  await memories.memory(key);
  await memories.saveMemory(key, memoryOf(3, 1), now);
  ledger.lose('memories');
  await memories.keepThere(key, now);
  expect(Object.keys((await ledger.memory(key))?.value.applications ?? {})).toHaveLength(3);
  ledger.lose('memories');
  await memories.keepThere(key, now + 60_000);
  expect(await ledger.memory(key)).toBeNull();
});

test('an incident that is over is written again too when somebody took it away', async () => {
  const { ledger, memories } = counted();
  await memories.saveIncident({ ...incident({ id: 'ours' }), phase: 'recovered' });
  ledger.lose('incidents');
  await memories.readIncidentsAgain();
  expect((await ledger.incidents()).map(({ value }) => value.id)).toEqual(['ours']);
});

test('an incident that another replica opened is seen once they are read again', async () => {
  const { ledger, memories } = counted();
  expect(await memories.incidents()).toEqual([]);
  await ledger.saveIncident('theirs', incident({ id: 'theirs' }), null);
  await memories.readIncidentsAgain();
  expect((await memories.incidents()).map(({ id }) => id)).toEqual(['theirs']);
});

test('a large one is written in batches, and says when the rest is due', async () => {
  const { ledger, memories, writes } = counted();
  await memories.memory(key);
  const waits: (number | null)[] = [];
  for (let second = 0; second < 40; second += 1)
    waits.push(await memories.saveMemory(key, memoryOf(400, second), now + second * 1_000));
  expect(writes()).toBe(3);
  expect(waits.slice(0, 3)).toEqual([null, 14_000, 13_000]);
  await memories.flush(key);
  expect(writes()).toBe(4);
  await memories.flush();
  expect(writes()).toBe(4);
  const fresh = await openMemories(ledger).memory(key);
  expect(fresh.applications['argocd/payments-0']?.uid).toBe('turn 39');
});

test('since when something lasts is kept, so that a restart tells the same moment', async () => {
  const { ledger, memories, writes } = counted();
  const memory = memoryOf(1, 1);
  const [one] = Object.values(memory.applications);
  if (one === undefined) throw new Error('There is no Application.');
  const operation = {
    startedAt: now,
    target: null,
    staleResult: null,
    attemptSince: now,
    isWaiting: true,
    failures: 1,
    elsewhere: 0,
    hasLeftOvers: false,
  };
  const moments: Partial<ApplicationMemory>[] = [
    {},
    { comparisonError: { since: now } },
    { progressingSince: now },
    { requestedSince: now },
    { healthySince: now },
    { operation },
    { operation: { ...operation, attemptSince: now + 1_000 } },
  ];
  await memories.memory(key);
  for (const moment of moments)
    await memories.saveMemory(key, { ...memory, applications: { one: { ...one, ...moment } } }, now);
  expect(writes()).toBe(moments.length);
  const fresh = await openMemories(ledger).memory(key);
  expect(fresh.applications.one?.operation?.attemptSince).toBe(now + 1_000);
});

test('incidents come in the order in which they were opened, also after a restart', async () => {
  const { ledger, memories } = counted();
  const [early, late] = [
    { ...incident(), id: 'z', openedAt: now },
    { ...incident(), id: 'a', openedAt: now + 1_000 },
  ];
  await memories.saveIncident(late);
  await memories.saveIncident(early);
  const ids = async (of: typeof memories) => (await of.incidents()).map(({ id }) => id);
  expect(await ids(memories)).toEqual(['z', 'a']);
  expect(await ids(openMemories(ledger))).toEqual(['z', 'a']);
});

test('what waits for nothing is not written by a flush: a memory that was only read leaves no object', async () => {
  const { ledger, memories, writes } = counted();
  await memories.memory(key);
  await memories.flush(key);
  await memories.flush();
  expect(writes()).toBe(0);
  expect(await ledger.memory(key)).toBeNull();
});

test('incidents that are over long ago leave the ledger', async () => {
  const { ledger, memories } = counted();
  const old = { ...incident(), id: 'old', phase: 'recovered' as const, changedAt: 0, timeline: [] };
  await memories.saveIncident(old);
  await memories.saveIncident({ ...incident(), id: 'open' });
  expect(await memories.forgetOld(now)).toBe(1);
  expect((await ledger.incidents()).map(({ value }) => value.id)).toEqual(['open']);
  expect(await memories.forgetOld(now)).toBe(0);
});

test('what another replica showed itself by is told, and what it wrote is read again as a look begins, not within one', async () => {
  const { ledger } = counted();
  let others = 0;
  const one = openMemories(ledger, () => {
    others += 1;
  });
  const other = openMemories(ledger);
  await one.memory(key);
  await one.saveMemory(key, memoryOf(1, 1), now);
  await one.saveIncident(incident());
  expect(others).toBe(0);
  await other.memory(key);
  await other.saveMemory(key, memoryOf(1, 2), now);
  await other.saveIncident({ ...incident(), changedAt: now });
  await one.readIncidentsAgain();
  expect(others).toBe(1);
  const uid = async (): Promise<unknown> => Object.values((await one.memory(key)).applications)[0]?.uid;
  expect(await uid()).toBe('turn 1');
  await expect(one.saveMemory(key, memoryOf(1, 3), now)).rejects.toMatchObject({ kind: 'transient' });
  one.freshen(key);
  expect(await uid()).toBe('turn 2');
});

test('at the end one that cannot be written takes none of the others with it', async () => {
  const { ledger, memories } = counted();
  const keys = ['argocd/one', 'argocd/two'];
  for (const one of keys) {
    await memories.memory(one);
    await memories.saveMemory(one, memoryOf(400, 1), now);
    await memories.saveMemory(one, { ...memoryOf(400, 1), incidents: ['later'] }, now + 1_000);
  }
  ledger.touch('argocd/one');
  await expect(memories.flush()).rejects.toThrow(WorldProblem);
  expect((await ledger.memory('argocd/two'))?.value.incidents).toEqual(['later']);
});
