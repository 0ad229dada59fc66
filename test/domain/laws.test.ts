/**
 * Laws of the domain over recordings and incidents: order, loss, repetition, nonsense and a restart change when something is known,
 * and never lead to a revert that the full view would not make. Seeded: `STEPBACK_SEED` repeats a run, and
 * `STEPBACK_THOROUGH=1` tries twenty times as many.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { judgeCase, readDocuments } from '../../src/commands/replay/case-file.ts';
import type { RecordedEvent } from '../../src/commands/replay/recording.ts';
import type { ReplayRow } from '../../src/commands/replay/replay.ts';
import { type Json, list, record, text } from '../../src/domain/read.ts';
import { openRecording, type Recording, recordingNames, rowsFor, rowsOf } from './recorded.ts';

const seed = Number(process.env.STEPBACK_SEED ?? 20_261_201);
const many = process.env.STEPBACK_THOROUGH === '1' ? 20 : 1;
vi.setConfig({ testTimeout: 60_000 * many });

const recordings: Recording[] = [];
/** The answers of the full view. */
const fullRows = new Map<string, readonly ReplayRow[]>();

beforeAll(async () => {
  for (const name of recordingNames) {
    const recording = await openRecording(name);
    recordings.push(recording);
    fullRows.set(name, await rowsOf(recording));
  }
  // How busy the machine is may not decide what the answers are worth.
}, 300_000);

afterAll(() => {
  for (const recording of recordings) recording.repositories.close();
});

/** A recording and a source of chance; both are named in what fails. */
const chances = fc.noBias(fc.record({ name: fc.constantFrom(...recordingNames), chance: fc.nat() }));

/** Numbers from 0 to 1, the same ones for the same beginning. */
type Dice = () => number;

function diceOf(beginning: number): Dice {
  let state = beginning;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

function recordingOf(name: string): Recording {
  const recording = recordings.find((one) => one.name === name);
  if (recording === undefined) throw new Error(`There is no recording ${name}.`);
  return recording;
}

async function holds(runs: number, law: (recording: Recording, dice: Dice) => Promise<void>): Promise<void> {
  await fc.assert(
    fc.asyncProperty(chances, async ({ name, chance }) => law(recordingOf(name), diceOf(chance))),
    { seed, numRuns: runs * many, endOnFailure: true, interruptAfterTimeLimit: 55_000 * many },
  );
}

/** Object of an event; pushes to one repository are one as well. */
function objectOf(event: RecordedEvent): string {
  if (event.kind === 'Push') return `Push ${event.repository}`;
  return `${event.kind} ${text(record(record(event.object).metadata).name)}`;
}

/** No event is before the one that was seen last. */
function inTime(events: readonly RecordedEvent[]): readonly RecordedEvent[] {
  let now = 0;
  return events.map((event) => {
    now = Math.max(now, event.t);
    return { ...event, t: now };
  });
}

/** What must be the same at the end; who was ahead of whom, and since when, is a matter of the order. */
function essence(rows: readonly ReplayRow[], recording: Recording): unknown {
  return recording.expected.applicationSets.map((name) => {
    const row = rowsFor(rows, name).at(-1);
    if (row === undefined) return null;
    const { verdict, failing, runs, partly, revert, recovered } = row;
    return { name, verdict, failing, runs, partly, revert, recovered };
  });
}

const commitsOf = (row: ReplayRow): string => [...(row.revert?.commits ?? [])].sort().join(' ');

/** A failure or a revert that the full view does not have, or not yet. */
function tooMuch(rows: readonly ReplayRow[], recording: Recording): readonly string[] {
  return recording.expected.applicationSets.flatMap((name) => {
    const full = rowsFor(fullRows.get(recording.name) ?? [], name);
    const reverts = new Set(full.filter((row) => row.revert !== null).map(commitsOf));
    const first = (all: readonly ReplayRow[], isIt: (row: ReplayRow) => boolean): number =>
      all.find(isIt)?.seconds ?? Number.POSITIVE_INFINITY;
    const isFailed = (row: ReplayRow): boolean => row.verdict === 'failed';
    const isRevert = (row: ReplayRow): boolean => row.revert !== null;
    const own = rowsFor(rows, name);
    const faults = own
      .filter(isRevert)
      .filter((row) => !reverts.has(commitsOf(row)))
      .map((row) => `${name} takes back ${commitsOf(row)} at ${row.seconds} s`);
    if (first(own, isFailed) < first(full, isFailed) - 0.3)
      faults.push(`${name} failed at ${first(own, isFailed)} s, in full view at ${first(full, isFailed)} s`);
    if (first(own, isRevert) < first(full, isRevert) - 0.3)
      faults.push(
        `${name} is taken back at ${first(own, isRevert)} s, in full view at ${first(full, isRevert)} s`,
      );
    return faults;
  });
}

describe(`over the recordings (seed ${seed})`, () => {
  it('the order in which events of different objects arrive does not change the final answer', async () => {
    await holds(25, async (recording, dice) => {
      const cut = recording.events.slice(0, 1 + Math.floor(dice() * recording.events.length));
      const shuffled = inTime(shuffledWithin(cut, 500, dice));
      const original = await rowsOf(recording, cut);
      expect(essence(await rowsOf(recording, shuffled), recording)).toEqual(essence(original, recording));
    });
  });

  it('missing events never make a failure or a revert that the full view would not make', async () => {
    await holds(35, async (recording, dice) => {
      const lost = dice();
      const last = new Map(recording.events.map((event, index) => [objectOf(event), index]));
      const kept = recording.events.filter(
        (event, index) => event.kind === 'Push' || last.get(objectOf(event)) === index || dice() >= lost,
      );
      expect(tooMuch(await rowsOf(recording, kept), recording)).toEqual([]);
    });
  });

  it('doubled and stale events change nothing', async () => {
    await holds(15, async (recording, dice) => {
      const repeated = recording.events.flatMap((event, index): readonly RecordedEvent[] => {
        const roll = dice();
        if (event.kind === 'Push' || roll < 0.7) return [event];
        if (roll < 0.85) return [event, event];
        const old = recording.events[Math.floor(dice() * index)] ?? event;
        return old.kind === 'Push' ? [event] : [event, { ...old, t: event.t }];
      });
      const rows = await rowsOf(recording, repeated);
      expect(tooMuch(rows, recording)).toEqual([]);
      expect(essence(rows, recording)).toEqual(essence(fullRows.get(recording.name) ?? [], recording));
    });
  });

  it('a restart that remembers nothing never takes back other commits', async () => {
    await holds(25, async (recording, dice) => {
      const at = Math.floor(dice() * recording.events.length);
      const before = recording.events.slice(0, at);
      const t = before.at(-1)?.t ?? 0;
      const latest = new Map(
        before.filter((event) => event.kind !== 'Push').map((event) => [objectOf(event), event]),
      );
      const events = [
        ...before.filter((event) => event.kind === 'Push'),
        ...[...latest.values()].map((event) => ({ ...event, t })),
        ...recording.events.slice(at),
      ];
      const reverts = new Set((fullRows.get(recording.name) ?? []).map(commitsOf));
      const others = (await rowsOf(recording, events)).filter((row) => !reverts.has(commitsOf(row)));
      expect(others.map((row) => `${commitsOf(row)} at ${row.seconds} s`)).toEqual([]);
    });
  });

  it('nothing that an object lacks, has too much or has wrongly is an exception', async () => {
    await holds(20, async (recording, dice) => {
      const events = recording.events.map((event) =>
        event.kind === 'Push' || dice() < 0.6 ? event : { ...event, object: damaged(event.object, dice) },
      );
      const rows = await rowsOf(recording, events);
      expect(rows.every((row) => row.applicationSet !== '')).toBe(true);
    });
  });
});

describe(`over the incidents (seed ${seed})`, () => {
  const folder = join(import.meta.dirname, '../incidents');
  const cases = readdirSync(folder)
    .filter((name) => name.startsWith('PS'))
    .map((name) => readDocuments(join(folder, name, 'case.yaml')));

  it('nothing that a file lacks, has too much or has wrongly is an exception', () => {
    fc.assert(
      fc.property(fc.noBias(fc.nat()), (chance) => {
        const dice = diceOf(chance);
        for (const documents of cases) {
          const answers = judgeCase(
            documents.map((document) => record(damaged(document, dice))),
            null,
          );
          expect(answers.every((answer) => answer.verdict !== '')).toBe(true);
        }
      }),
      { seed, numRuns: 20 * many },
    );
  });

  it('the order of the objects in a file does not matter', () => {
    for (const documents of cases) {
      const essenceOf = (some: readonly Json[]): unknown =>
        judgeCase(some, null)
          .map(({ applicationSet, verdict, runs, stance, lastGood }) => ({
            applicationSet,
            verdict,
            runs,
            stance,
            lastGood,
          }))
          .sort((one, other) => one.applicationSet.localeCompare(other.applicationSet));
      expect(essenceOf(documents.toReversed())).toEqual(essenceOf(documents));
    }
  });
});

/** Events that came within so many milliseconds, in any order that keeps the order of each object's own. */
function shuffledWithin(
  events: readonly RecordedEvent[],
  windowMs: number,
  dice: Dice,
): readonly RecordedEvent[] {
  const shuffled: RecordedEvent[] = [];
  for (let from = 0; from < events.length; ) {
    const until = (events[from]?.t ?? 0) + windowMs;
    const end = events.findIndex((event, index) => index > from && event.t > until);
    const window = events.slice(from, end === -1 ? events.length : end);
    const queues = new Map<string, RecordedEvent[]>();
    for (const event of window) queues.set(objectOf(event), [...(queues.get(objectOf(event)) ?? []), event]);
    while (queues.size > 0) {
      const names = [...queues.keys()];
      const name = names[Math.floor(dice() * names.length)] ?? '';
      const [next, ...rest] = queues.get(name) ?? [];
      if (next !== undefined) shuffled.push(next);
      if (rest.length === 0) queues.delete(name);
      else queues.set(name, rest);
    }
    from += window.length;
  }
  return shuffled;
}

const nonsense: readonly unknown[] = [
  null,
  '',
  'main',
  0,
  -1,
  true,
  [],
  {},
  [null],
  ['x'],
  { status: [] },
  Number.NaN,
  '0000-99-99T99:99:99Z',
];

/** A copy in which some places are gone, are something else, or have more than they should. */
function damaged(value: unknown, dice: Dice): unknown {
  const chance = 0.03;
  const visit = (place: unknown): unknown => {
    if (dice() < chance) return nonsense[Math.floor(dice() * nonsense.length)];
    if (Array.isArray(place)) return list(place).map(visit);
    if (typeof place !== 'object' || place === null) return place;
    const entries = Object.entries(place)
      .filter(() => dice() >= chance)
      .map(([key, item]): [string, unknown] => [key, visit(item)]);
    return Object.fromEntries([...entries, ...(dice() < chance ? [['unknown', { of: 'tomorrow' }]] : [])]);
  };
  return visit(value);
}
