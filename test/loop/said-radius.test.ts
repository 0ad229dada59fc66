/** When a pull request is looked at once more, though nobody told of anything new. */
import { expect, it } from 'vitest';
import type { BlastRadius } from '../../src/domain/blast-radius.ts';
import { openSaidRadiuses } from '../../src/loop/said-radius.ts';
import type { PullRequest } from '../../src/ports.ts';
import { repository } from './counting-checks.ts';

const minuteMs = 60_000;
const pullRequest = { number: 7, headSha: 'a'.repeat(40), isOurs: false } as PullRequest;
const radius = { reaches: [], generated: [], edited: [], takesBack: null } as unknown as BlastRadius;

it('looks once more five minutes after the words have changed, however often it looked in between', () => {
  const said = openSaidRadiuses();
  const say = (words: string, minute: number): number | null =>
    said.say(repository, pullRequest, radius, words, minute * minuteMs);
  expect(say('feeds nothing', 0)).toBe(5 * minuteMs);
  expect(say('feeds payments', 1)).toBe(5 * minuteMs);
  expect(say('feeds payments', 3)).toBe(3 * minuteMs);
  expect(say('feeds payments', 6)).toBeNull();
  expect(say('feeds payments', 60)).toBeNull();
});
