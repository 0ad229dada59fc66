import { expect, it } from 'vitest';
import { openCheckWriter } from '../../src/loop/check-writer.ts';
import { openWriteBudget } from '../../src/loop/write-budget.ts';
import { WorldProblem } from '../../src/ports.ts';
import { countingChecks, repository, saying } from './counting-checks.ts';

const name = 'stepback / argocd/payments';
const place = { repository, sha: 'a1', name };

function start() {
  const clock = { at: 1_000_000, now: () => clock.at };
  const forge = countingChecks(clock);
  return { clock, forge, writer: openCheckWriter(forge, clock) };
}

it('looks for a check run, makes it once, and is quiet while its words stay', async () => {
  const { forge, writer } = start();
  expect(await writer.keep(place, saying('dev'))).toBeNull();
  expect(await writer.keep(place, saying('dev'))).toBeNull();
  expect(forge.calls).toEqual(['list a1', `create ${name}: dev`]);
});

it('writes numbers at most every 30 s and says when what it held back is due', async () => {
  const { clock, forge, writer } = start();
  await writer.keep(place, saying('1 of 3'));
  clock.at += 10_000;
  expect(await writer.keep(place, saying('2 of 3'))).toBe(20_000);
  clock.at += 20_000;
  expect(await writer.keep(place, saying('3 of 3'))).toBeNull();
  expect(forge.calls.filter((call) => !call.startsWith('list'))).toEqual([
    `create ${name}: 1 of 3`,
    'update 1: 3 of 3',
  ]);
});

it('writes another state at once, but not when states chase each other', async () => {
  const { clock, forge, writer } = start();
  await writer.keep(place, saying('queued', { status: 'queued' }));
  await writer.keep(place, saying('begun'));
  await writer.keep(place, saying('failed', { status: 'completed', conclusion: 'failure' }));
  expect(forge.calls.at(-1)).toBe('update 1: failed');
  for (let times = 0; times < 50; times += 1) {
    clock.at += 1_000;
    await writer.keep(
      place,
      times % 2 === 0 ? saying('on') : saying('off', { status: 'completed', conclusion: 'neutral' }),
    );
  }
  expect(forge.calls.filter((call) => /on|off/.test(call)).length).toBeLessThan(10);
});

it('writes the seldomer the longer it lasts: a day of changes is some twenty edits', async () => {
  const { clock, forge, writer } = start();
  for (let seconds = 0; seconds < 86_400; seconds += 5) {
    await writer.keep(place, saying(`${seconds} of many`));
    clock.at += 5_000;
  }
  expect(forge.calls.filter((call) => !call.startsWith('list')).length).toBe(20);
});

it('finds its own again after a restart and writes nothing when it says the same', async () => {
  const { clock, forge, writer } = start();
  await writer.keep(place, saying('dev'));
  const other = openCheckWriter(forge, clock);
  expect(await other.keep(place, saying('dev'))).toBeNull();
  clock.at += 30_000;
  await other.keep(place, saying('staging'));
  expect(forge.calls).toEqual(['list a1', `create ${name}: dev`, 'list a1', 'update 1: staging']);
});

it('makes one of two that two replicas made, at the next look', async () => {
  const { clock, forge, writer } = start();
  await writer.keep(place, saying('dev'));
  forge.put(saying('dev'), 'a1', name);
  clock.at += 30_000;
  await writer.keep(place, saying('staging'));
  await writer.keep(place, saying('staging'));
  expect(forge.runs.map(({ id, title, conclusion }) => ({ id, title, conclusion }))).toEqual([
    { id: 1, title: 'Told by a newer check run of this name', conclusion: 'neutral' },
    { id: 2, title: 'staging', conclusion: null },
  ]);
});

it('looks again for one that was perhaps made before it makes another', async () => {
  const { forge, writer } = start();
  const { createCheckRun } = forge;
  forge.createCheckRun = async (...asked) => {
    await createCheckRun(...asked);
    forge.createCheckRun = createCheckRun;
    throw new WorldProblem('transient', 'GitHub did not answer in time.');
  };
  await expect(writer.keep(place, saying('dev'))).rejects.toThrow('did not answer');
  expect(await writer.keep(place, saying('dev'))).toBeNull();
  expect(forge.calls).toEqual(['list a1', `create ${name}: dev`, 'list a1']);
  expect(forge.runs).toHaveLength(1);
});

it('says when to look for another one that a replica made at the same moment', async () => {
  const { clock, forge, writer } = start();
  await writer.keep(place, saying('dev'));
  expect(writer.doubtInMs(place)).toBe(30_000);
  expect(await writer.confirm(place)).toBe(30_000);
  forge.put(saying('queued'), 'a1', name);
  clock.at += 30_000;
  expect(await writer.confirm(place)).toBeNull();
  expect(writer.doubtInMs(place)).toBeNull();
  expect(forge.runs.map(({ title }) => title)).toEqual(['Told by a newer check run of this name', 'dev']);
});

it('lists a commit once for hundreds of names, and two at once make one', async () => {
  const { forge, writer } = start();
  await Promise.all(
    Array.from({ length: 300 }, (_, index) =>
      writer.keep({ ...place, name: `stepback / argocd/set-${index % 150}` }, saying('queued')),
    ),
  );
  expect(forge.calls.filter((call) => call.startsWith('list'))).toHaveLength(1);
  expect(forge.runs).toHaveLength(150);
});

it('asks no more about a commit that is not there', async () => {
  const { forge, writer } = start();
  await writer.keep({ ...place, sha: 'gone' }, saying('queued'));
  await writer.keep({ ...place, sha: 'gone' }, saying('begun'));
  expect(forge.calls).toEqual(['list gone', `create ${name}: queued`]);
});

it('keeps to its budget of an hour, and leaves room in it for what cannot wait', () => {
  const budget = openWriteBudget();
  for (let call = 0; call < 240; call += 1) budget.spend(call * 1_000);
  expect(budget.roomInMs(240_000, true)).toBe(3_600_000 - 240_000);
  expect(budget.roomInMs(240_000, false)).toBe(0);
  for (let call = 240; call < 340; call += 1) budget.spend(call * 1_000);
  expect(budget.roomInMs(340_000, false)).toBe(3_600_000 - 340_000);
  expect(budget.roomInMs(3_600_000, false)).toBe(0);
});

it('says the former again when an update that got no answer may have changed it', async () => {
  const { clock, forge, writer } = start();
  await writer.keep(place, saying('dev'));
  clock.at += 60_000;
  const update = forge.updateCheckRun;
  forge.updateCheckRun = async (...of) => {
    await update(...of);
    throw new WorldProblem('transient', 'GitHub did not answer in time.');
  };
  await expect(writer.keep(place, saying('staging'))).rejects.toThrow('did not answer');
  expect(forge.runs[0]?.title).toBe('staging');
  forge.updateCheckRun = update;
  await writer.keep(place, saying('dev'));
  expect(forge.runs[0]?.title).toBe('dev');
});
