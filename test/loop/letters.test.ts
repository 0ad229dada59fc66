/** How letters are read: in order, once, and again when the world was not ready. */
import { expect, test } from 'vitest';
import { type LetterAnswer, openLetters } from '../../src/loop/letters.ts';
import type { Letter, LetterOutcome, Mailbox } from '../../src/ports/mailbox.ts';
import { WorldProblem } from '../../src/ports.ts';
import { sampleLetter } from '../adapters/ledger/sample-letter.ts';
import { TestClock } from '../adapters/test-clock.ts';

const hourMs = 60 * 60_000;

/** A mailbox with these letters, and an executor that does what the test says of each. */
function lettersWorld(...letters: readonly Letter[]) {
  const clock = new TestClock();
  const waiting = letters.map((letter) => ({ ...letter, receivedAt: clock.now() }));
  const settled: { id: string; outcomes: readonly LetterOutcome[]; replyId: number | null }[] = [];
  const executed: string[] = [];
  const warnings: string[] = [];
  const prunings: number[] = [];
  const kept: string[] = [];
  const world = {
    /** What others answered before this process began. */
    answered: [] as Letter[],
    clock,
    waiting,
    settled,
    executed,
    warnings,
    prunings,
    execute: async (letter: Letter): Promise<LetterAnswer> => ({
      outcomes: letter.lines.map((line) => ({ line, kind: 'accepted' as const, why: '' })),
      replyId: 7,
    }),
    settle: async (): Promise<'done' | 'conflict'> => 'done',
    /** A reader as another process has it, which remembers nothing. */
    kept,
    reader: () =>
      openLetters({
        mailbox,
        clock,
        log,
        context,
        execute: (letter) => run(letter),
        keepOneReply: async ({ id }) => void kept.push(id),
      }),
  };
  const context = { isFirstInstance: true, neighbours: () => [], nudge: () => {} };
  const log = { info: () => {}, warn: (message: string) => warnings.push(message) };
  const run = (letter: Letter) => {
    executed.push(letter.id);
    return world.execute(letter);
  };
  const mailbox: Mailbox = {
    post: async () => 'posted',
    waiting: async () => waiting.map((value) => ({ value, version: '1' })),
    async settle({ value }, outcomes, replyId) {
      const answer = await world.settle();
      waiting.splice(
        waiting.findIndex(({ id }) => id === value.id),
        1,
      );
      if (answer === 'done') settled.push({ id: value.id, outcomes, replyId });
      return answer;
    },
    answeredSince: async () => world.answered,
    async prune(now) {
      prunings.push(now);
      return 0;
    },
  };
  return world;
}

const [first, second] = [sampleLetter({ id: 'first' }), sampleLetter({ id: 'second' })];
const elsewhere = sampleLetter({
  id: 'elsewhere',
  repository: { host: 'github.com', owner: 'acme', name: 'other' },
});

test('each letter is carried out once, in order, and settled with what came of it', async () => {
  const world = lettersWorld(first, second);
  const reader = world.reader();
  expect(await reader.read()).toBeNull();
  expect(await reader.read()).toBeNull();
  expect(world.executed).toEqual(['first', 'second']);
  const outcomes = [{ line: '/stepback revert', kind: 'accepted', why: '' }];
  expect(world.settled).toEqual([
    { id: 'first', outcomes, replyId: 7 },
    { id: 'second', outcomes, replyId: 7 },
  ]);
});

test('what cannot be answered now is tried later each time, and keeps back its own repository alone', async () => {
  const world = lettersWorld(first, second, elsewhere);
  const reader = world.reader();
  const execute = world.execute;
  world.execute = async (letter) => {
    if (letter.id === 'first') throw new WorldProblem('transient', 'GitHub is away. I try again.');
    return execute(letter);
  };
  expect(await reader.read()).toBe(2_000);
  expect(world.executed).toEqual(['first', 'elsewhere']);
  // Read in between, because a letter was posted: the pause is kept.
  expect(await reader.read()).toBe(2_000);
  expect(world.executed).toEqual(['first', 'elsewhere']);
  const pauses: (number | null)[] = [];
  for (let count = 0; count < 9; count += 1) {
    world.clock.advance(pauses.at(-1) ?? 2_000);
    pauses.push(await reader.read());
  }
  expect(pauses.map((pause) => (pause ?? 0) / 1_000)).toEqual([4, 8, 16, 32, 64, 128, 256, 300, 300]);
  world.execute = execute;
  world.clock.advance(300_000);
  expect(await reader.read()).toBeNull();
  expect(world.settled.map(({ id }) => id)).toEqual(['elsewhere', 'first', 'second']);
});

test('the pause that the world asked for is kept', async () => {
  const world = lettersWorld(first);
  world.execute = async () => {
    throw new WorldProblem('transient', 'Too many requests.', { retryAfterMs: 90_000 });
  };
  expect(await world.reader().read()).toBe(90_000);
});

test('after a day it is given up', async () => {
  const world = lettersWorld(first);
  const reader = world.reader();
  world.execute = async () => {
    throw new WorldProblem('transient', 'GitHub is away.');
  };
  await reader.read();
  world.clock.advance(25 * hourMs);
  expect(await reader.read()).toBeNull();
  expect(world.settled).toMatchObject([{ id: 'first', outcomes: [{ kind: 'fault', why: 'gave-up' }] }]);
});

test.each([
  ['what somebody has to put right', new WorldProblem('permanent', 'Not allowed.'), 'world'],
  ['a fault of ours', new TypeError('x is not a function'), 'stepback'],
])('%s is a fault in the audit trail, and the next letter is read', async (_, problem, why) => {
  const world = lettersWorld(first, second);
  const execute = world.execute;
  world.execute = async (letter) => {
    if (letter.id === 'first') throw problem;
    return execute(letter);
  };
  expect(await world.reader().read()).toBeNull();
  expect(world.settled).toMatchObject([
    { id: 'first', outcomes: [{ kind: 'fault', why }], replyId: null },
    { id: 'second', outcomes: [{ kind: 'accepted' }] },
  ]);
  expect(world.warnings).toEqual(['a letter was given up']);
});

test('what was carried out and could not be settled is settled later and not carried out again', async () => {
  const world = lettersWorld(first);
  const reader = world.reader();
  world.settle = async () => {
    throw new WorldProblem('transient', 'The API server is away.');
  };
  expect(await reader.read()).toBe(2_000);
  world.settle = async () => 'done';
  world.clock.advance(2_000);
  expect(await reader.read()).toBeNull();
  expect([world.executed, world.settled.map(({ id }) => id)]).toEqual([['first'], ['first']]);
});

test('after a crash before it was settled it is carried out again, by whoever reads then', async () => {
  const world = lettersWorld(first);
  world.settle = async () => {
    throw new WorldProblem('transient', 'The API server is away.');
  };
  await world.reader().read();
  world.settle = async () => 'done';
  await world.reader().read();
  expect(world.executed).toEqual(['first', 'first']);
});

test('what somebody else settled meanwhile is no failure', async () => {
  const world = lettersWorld(first);
  world.settle = async () => 'conflict';
  world.execute = async () => ({ outcomes: [], replyId: null });
  expect(await world.reader().read()).toBeNull();
  expect([world.settled, world.warnings]).toEqual([[], []]);
});

test('very many letters leave room for looks in between', async () => {
  const many = Array.from({ length: 45 }, (_, index) => sampleLetter({ id: `letter ${index}` }));
  const world = lettersWorld(...many);
  const reader = world.reader();
  expect([await reader.read(), await reader.read(), await reader.read()]).toEqual([0, 0, null]);
  expect(world.executed).toEqual(many.map(({ id }) => id));
});

test('the audit trail is cut once an hour', async () => {
  const world = lettersWorld();
  const reader = world.reader();
  for (let minute = 0; minute < 150; minute += 1) {
    await reader.read();
    world.clock.advance(60_000);
  }
  expect(world.prunings).toHaveLength(3);
});

test('where two have answered one letter, its conversation is looked at once when both answers show', async () => {
  const world = lettersWorld(first);
  world.settle = async () => 'conflict';
  const reader = world.reader();
  expect(await reader.read()).toBe(30_000);
  expect(world.kept).toEqual([]);
  await world.clock.advance(30_000);
  expect(await reader.read()).toBeNull();
  expect(await reader.read()).toBeNull();
  expect(world.kept).toEqual(['first']);
});

test('a letter that somebody else settled before we came to it again is looked at as well', async () => {
  const world = lettersWorld(first);
  world.settle = async () => {
    world.waiting.splice(0);
    throw new WorldProblem('transient', 'GitHub asks for a pause.');
  };
  const reader = world.reader();
  await reader.read();
  await reader.read();
  await world.clock.advance(30_000);
  await reader.read();
  expect(world.kept).toEqual(['first']);
});

test('what was answered shortly before the start is looked at once: who answered it may have died', async () => {
  const world = lettersWorld();
  world.answered = [first];
  const reader = world.reader();
  await reader.read();
  await reader.read();
  expect(world.kept).toEqual(['first']);
});

test('who looks back asks once more what was answered of late: another one may have answered it a second time', async () => {
  const world = lettersWorld();
  const reader = world.reader();
  await reader.read();
  world.answered = [first];
  await reader.read();
  expect(world.kept).toEqual([]);
  reader.lookBack();
  await reader.read();
  expect(world.kept).toEqual(['first']);
});
