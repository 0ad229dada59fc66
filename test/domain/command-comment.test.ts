import { describe, expect, it } from 'vitest';
import { addedCommands, commandsIn } from '../../src/domain/command-comment.ts';
import { heard, inWords } from './heard.ts';

const added = (before: string | null, after: string | null): readonly string[] =>
  addedCommands(before, after).map(inWords);

describe('a comment', () => {
  it('holds several commands, in order', () => {
    expect(heard('/stepback explain\nand then\n/stepback hold 2h\n/stepback revret')).toEqual([
      'explain',
      'hold 2h',
      '? unknown-verb',
    ]);
  });

  it('holds the same command once, however it is spelled', () => {
    expect(heard('/stepback hold 2h\n/STEPBACK Hold 120m please\n/stepback hold 3h')).toEqual([
      'hold 2h',
      'hold 3h',
    ]);
    expect(heard('/stepback revret\n/stepback revret')).toEqual(['? unknown-verb']);
    expect(heard('/stepback dismiss a test\n/stepback dismiss the same test')).toEqual(['dismiss a test']);
  });

  it('says what was wrong where it stood', () => {
    expect(commandsIn('/stepback hold 90\n/stepback thaw')).toEqual([
      {
        kind: 'fault',
        fault: {
          kind: 'wrong-arguments',
          verb: 'hold',
          problem: { kind: 'not-one', expected: 'duration', word: '90' },
        },
      },
      { kind: 'command', command: { verb: 'thaw' } },
    ]);
  });

  it('holds ten commands and no more', () => {
    const body = Array.from({ length: 5_000 }, (_, index) => `/stepback hold ${index + 1}m`).join('\n');
    const found = heard(body);
    expect(found).toHaveLength(11);
    expect(found.slice(9)).toEqual(['hold 10m', '? too-many']);
  });

  it('that is not there holds none', () => {
    for (const body of [null, undefined, '', ' ', '\ufeff']) expect(commandsIn(body)).toEqual([]);
  });

  it("of somebody else's commands is not for us", () => {
    expect(heard('/approve\n/hold\n/retest\n/stepback retry')).toEqual(['retry']);
  });
});

describe('an edit', () => {
  it('runs what it adds', () => {
    expect(added('hm', '/stepback revert')).toEqual(['revert']);
    expect(added('/stepback explain', '/stepback explain\n/stepback revert')).toEqual(['revert']);
    expect(added(null, '/stepback revert')).toEqual(['revert']);
  });

  it('runs nothing that stood there before', () => {
    expect(added('/stepback revert', '/stepback  REVERT now\r\n')).toEqual([]);
    expect(added('/stepback explain\n/stepback revert', '/stepback revert\n/stepback explain')).toEqual([]);
    expect(added('/stepback revret', 'sorry\n/stepback revret')).toEqual([]);
    expect(added('/stepback dismiss a tets', '/stepback dismiss a test')).toEqual([]);
  });

  it('that changes what a command is about makes it another one', () => {
    expect(added('/stepback hold 2h', '/stepback hold 4h')).toEqual(['hold 4h']);
    expect(added('/stepback hold 2', '/stepback hold 2h')).toEqual(['hold 2h']);
  });

  it('that takes a command out of a quote runs it', () => {
    expect(added('> /stepback revert', '/stepback revert')).toEqual(['revert']);
    expect(added('/stepback revert', '```\n/stepback revert\n```')).toEqual([]);
  });

  it('of a comment with more than ten commands runs none of those that were left', () => {
    const many = Array.from({ length: 20 }, (_, index) => `/stepback hold ${index + 1}m`);
    expect(added(many.join('\n'), many.slice(5).join('\n'))).toEqual([]);
  });

  it('that empties or deletes a comment runs nothing', () => {
    expect(added('/stepback revert', '')).toEqual([]);
    expect(added('/stepback revert', null)).toEqual([]);
  });
});
