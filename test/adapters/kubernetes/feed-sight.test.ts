import { expect, test } from 'vitest';
import { ApiProblem, type ApiReason } from '../../../src/adapters/kubernetes/api-problem.ts';
import { defaultFeedLimits } from '../../../src/adapters/kubernetes/feed-options.ts';
import { FeedSight } from '../../../src/adapters/kubernetes/feed-sight.ts';
import { TestClock } from '../test-clock.ts';

function seeing() {
  const clock = new TestClock();
  let recoveries = 0;
  const sight = new FeedSight('applications of cluster "prod"', clock, defaultFeedLimits, () => {
    recoveries += 1;
  });
  const fail = (reason: ApiReason) => sight.failed(new ApiProblem(reason, `It is ${reason}.`));
  return { clock, sight, fail, recoveries: () => recoveries };
}

test('before the first list the view is blind, and says why as soon as it knows', () => {
  const { sight, fail } = seeing();
  expect(sight.sight()).toEqual({
    lastHeardAt: 0,
    blindness: 'The applications of cluster "prod" have not been listed yet. Wait a moment.',
  });
  fail('unreachable');
  expect(sight.sight().blindness).toBe('It is unreachable.');
});

test.each<[ApiReason, number]>([
  ['unreachable', 15_001],
  ['server-error', 15_001],
  ['gone', 15_001],
  ['silent', 0],
  ['forbidden', 0],
  ['unauthorized', 0],
])('trouble of the kind %s blinds after %i ms, and a word ends it', (reason, delayMs) => {
  const { clock, sight, fail, recoveries } = seeing();
  sight.listed();
  fail(reason);
  clock.advance(Math.max(0, delayMs - 1));
  if (delayMs > 0) expect(sight.sight().blindness).toBeNull();
  clock.advance(1);
  expect(sight.sight().blindness).toBe(`It is ${reason}.`);
  sight.heard();
  expect(sight.sight()).toEqual({ lastHeardAt: clock.now(), blindness: null });
  expect(recoveries()).toBe(1);
});

test('the first list is no recovery, and neither is a trouble that did not blind', () => {
  const { sight, fail, recoveries } = seeing();
  sight.listed();
  fail('unreachable');
  sight.heard();
  expect(recoveries()).toBe(0);
});

test('a view that nobody renews is blind in the end, also when nothing went wrong', () => {
  const { clock, sight } = seeing();
  sight.listed();
  clock.advance(110_000);
  expect(sight.sight().blindness).toBeNull();
  clock.advance(1);
  expect(sight.sight().blindness).toMatchInlineSnapshot(
    `"Nothing was heard of the applications of cluster "prod" for 110 s, so what is seen there may be old. Stepback keeps trying."`,
  );
});
