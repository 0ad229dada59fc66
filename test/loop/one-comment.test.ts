/** Two that led at one moment have each written a comment: one of them stays. */
import { expect, it } from 'vitest';
import type { Incident } from '../../src/domain/incident.ts';
import { printMarker } from '../../src/domain/marker.ts';
import { digest } from '../../src/loop/make-revert.ts';
import { type CommentBook, doubtEndsInMs, keepOneComment, keepOneReply } from '../../src/loop/one-comment.ts';
import type { OwnIssue } from '../../src/ports/issues.ts';
import type { Comment } from '../../src/ports.ts';
import { sampleLetter } from '../adapters/ledger/sample-letter.ts';
import { incident } from '../render/sample-incident.ts';

const place = { host: 'github.com', owner: 'acme', name: 'payments' };
const { id: of, instance } = incident();

function comment(id: number, change: Partial<Comment> = {}): Comment {
  const body = `words of ${id}\n\n${printMarker({ kind: 'culprit', instance, incident: of })}`;
  return { id, body, author: 'stepback[bot]', isOurs: true, createdAt: id, ...change };
}

function conversation(...there: Comment[]) {
  const calls: string[] = [];
  const commentBook: CommentBook = new Map();
  const issues: OwnIssue[] = [];
  const forge = {
    async comments() {
      calls.push('look');
      return [...there];
    },
    async deleteComment(_: unknown, id: number) {
      calls.push(`delete ${id}`);
      const index = there.findIndex((one) => one.id === id);
      if (index >= 0) there.splice(index, 1);
    },
    async ownIssues() {
      calls.push('look for issues');
      return issues;
    },
    async updateIssue(_: unknown, number: number, change: object) {
      calls.push(`issue ${number}: ${JSON.stringify(change)}`);
      return 'done' as const;
    },
  };
  return { forge, commentBook, calls, there, issues };
}

function knowing(id: number): Incident {
  const comments = { 412: { id, digest: 'as it was' } };
  return incident({ written: { pullRequest: '', comments, at: 0, state: 'told' } });
}

it('keeps the oldest of ours and goes on with that one, whichever the ledger knows', async () => {
  const theirs = comment(3, { isOurs: false, author: 'mona' });
  const other = comment(4, { body: printMarker({ kind: 'culprit', instance, incident: 'another' }) });
  const { calls, ...world } = conversation(comment(1), comment(2), theirs, other);
  const kept = await keepOneComment(world, place, knowing(2), 0);
  expect(calls).toEqual(['look', 'delete 2']);
  expect(kept.written.comments[412]).toEqual({ id: 1, digest: digest(comment(1).body) });
  // So the words are compared again at this very look.
  expect(kept.written.state).toBe('');
});

it('looks once and once more a while later, and not again before another one leads', async () => {
  const { calls, ...world } = conversation(comment(1));
  const known = knowing(1);
  for (const at of [0, 1_000, 29_000, 30_000, 31_000, 600_000])
    expect(await keepOneComment(world, place, known, at)).toBe(known);
  expect(calls).toEqual(['look', 'look']);
  world.commentBook.clear();
  world.there.push(comment(2));
  await keepOneComment(world, place, known, 700_000);
  expect(calls).toEqual(['look', 'look', 'look', 'delete 2']);
});

it('looks also for what was written as an incident ended, by whoever starts, and not for ever', async () => {
  const { calls, ...world } = conversation(comment(1), comment(2));
  const { commentBook } = world;
  expect(doubtEndsInMs(commentBook, knowing(1), 0), 'an open one is looked at anyway').toBeNull();
  const over: Incident = { ...knowing(1), phase: 'recovered', changedAt: 0 };
  expect(doubtEndsInMs(commentBook, over, 1_000)).toBe(0);
  await keepOneComment(world, place, over, 1_000);
  expect(calls).toEqual(['look', 'delete 2']);
  expect(doubtEndsInMs(commentBook, over, 2_000)).toBe(29_000);
  await keepOneComment(world, place, over, 31_000);
  expect(doubtEndsInMs(commentBook, over, 32_000)).toBeNull();
  commentBook.clear();
  expect(doubtEndsInMs(commentBook, over, 31 * 60_000)).toBeNull();
});

it('makes nothing where a person took ours away', async () => {
  const { calls, ...world } = conversation();
  const known = knowing(1);
  expect(await keepOneComment(world, place, known, 0)).toBe(known);
  expect(calls).toEqual(['look']);
});

it('leaves one answer to a letter', async () => {
  const letter = sampleLetter({ id: 'first', number: 7 });
  const body = printMarker({ kind: 'reply', instance, incident: 'first' });
  const { forge, calls } = conversation(comment(1), comment(2, { body }), comment(3, { body }));
  await keepOneReply(forge, instance, letter);
  expect(calls).toEqual(['look', 'delete 3']);
});

it('makes two notices one: the oldest is kept true, the other is closed with a word', async () => {
  const { calls, issues, ...world } = conversation();
  const said = (number: number): OwnIssue => {
    const body = `words of ${number}\n\n${printMarker({ kind: 'notice', instance, incident: of })}`;
    return { number, body, isOpen: true };
  };
  const about = (other: string): OwnIssue => ({ number: 3, body: other, isOpen: true });
  issues.push(said(7), said(8), about(printMarker({ kind: 'notice', instance: 'other', incident: of })));
  const issue = { number: 8, digest: 'as it was', isOpen: true };
  const known = incident({ written: { pullRequest: '', comments: {}, issue, at: 0, state: 'told' } });
  const kept = await keepOneComment(world, place, known, 0);
  expect(calls).toEqual([
    'look for issues',
    'issue 8: {"body":"I opened this twice. #7 says it, and is kept true.","state":"closed"}',
  ]);
  expect(kept.written).toMatchObject({
    issue: { number: 7, digest: digest(said(7).body), isOpen: true },
    state: '',
  });
  issues.splice(1, 1);
  expect(await keepOneComment(world, place, kept, 1_000), 'it is another one than before').toBe(kept);
  for (const at of [29_000, 32_000, 600_000]) await keepOneComment(world, place, kept, at);
  expect(calls.filter((call) => call === 'look for issues')).toHaveLength(3);
});
