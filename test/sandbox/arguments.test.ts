import { describe, expect, it } from 'vitest';
import { readArguments, usage } from '../../src/sandbox/arguments.ts';
import { verbs } from '../../src/sandbox/verbs.ts';

const read = (line: string) => readArguments(line.split(' ').filter(Boolean), ['staging', 'prod-first']);

describe('what follows npm run sandbox --', () => {
  it('plays the first story when nothing is said', () => {
    expect(read('')).toEqual({ kind: 'play', story: 'staging', isFast: false, isExiting: false, port: null });
  });

  it('takes options in any order', () => {
    expect(read('--exit --port=5000 --story prod-first --fast')).toEqual({
      kind: 'play',
      story: 'prod-first',
      isFast: true,
      isExiting: true,
      port: 5000,
    });
  });

  it('knows verbs, with the port before or after them', () => {
    expect(read('merge')).toEqual({ kind: 'verb', verb: 'merge', words: [], port: null });
    expect(read('--port 5000 merge 3')).toEqual({ kind: 'verb', verb: 'merge', words: ['3'], port: 5000 });
    expect(read('comment 3 /stepback explain --port 5000')).toEqual({
      kind: 'verb',
      verb: 'comment',
      words: ['3', '/stepback', 'explain'],
      port: 5000,
    });
    expect(read('comment 3 -- --fast or not')).toMatchObject({ words: ['3', '--fast', 'or', 'not'] });
  });

  it.each([
    ['--stroy staging', 'There is no option "--stroy". Did you mean "--story"?'],
    ['--story stagin', 'There is no story "stagin". Did you mean "staging"? --stories lists them.'],
    ['--story', '--story takes a name. --stories lists them.'],
    ['--port many', '--port takes a number from 1 to 65535, and not "many".'],
    ['--fast=yes', '--fast takes no value.'],
    ['mrege', 'There is no "mrege". Did you mean "merge"?'],
    ['xyzzy', 'There is no "xyzzy".'],
    ['comment 3', '"comment" needs more: NUMBER TEXT.'],
    ['stop now', '"stop" takes nothing.'],
    ['merge 1 2', '"merge" takes [NUMBER].'],
    ['--fast merge', '--fast starts a sandbox, and "merge" speaks to the one that runs: take one of them.'],
  ])('says what is wrong with "%s"', (line, message) => {
    expect(read(line)).toEqual({ kind: 'wrong', message });
  });

  it('is told of whole in the usage', () => {
    expect(read('--help')).toEqual({ kind: 'help' });
    expect(
      verbs.filter(({ name, about }) => !usage().includes(`  ${name}`) || !usage().includes(about)),
    ).toEqual([]);
  });
});
