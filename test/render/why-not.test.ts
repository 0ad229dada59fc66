import { expect, it } from 'vitest';
import type { WhyNot, WhyNotCode } from '../../src/domain/why-not.ts';
import { describeWhyNot, whyNotInMarkdown } from '../../src/render/why-not.ts';

const own: readonly WhyNotCode[] = [
  'still-moving',
  'not-tried-yet',
  'cannot-see',
  'nothing-failed',
  'misconfigured',
  'outside-the-commit',
  'cannot-end',
  'no-commit-explains-it',
  'only-slow',
  'waits-for-a-person',
  'no-sync-is-coming',
  'only-watches',
  'dismissed',
];
const reason = (code: WhyNotCode, detail = ''): WhyNot => ({ kind: 'reason', code, detail });

it('has one sentence or two for every reason', () => {
  expect(
    `\n${own.map((code) => `${code}: ${describeWhyNot(reason(code))}`).join('\n')}\n`,
  ).toMatchInlineSnapshot(`
    "
    still-moving: It may still become well, so a revert waits until the failure has lasted. I look again by then.
    not-tried-yet: The rollout has not come to try the commit, so nothing can be said of it yet. I look again when it moves.
    cannot-see: I cannot see enough of the cluster to judge, so I change nothing. As soon as I can see it, I judge again.
    nothing-failed: Nothing fails, so there is nothing to take back.
    misconfigured: The ApplicationSet cannot roll anything out as it is written, whatever the commit: correct it first, as its reasons say.
    outside-the-commit: Something outside of the commit is in the way, and a revert would wait for it as well: remove that first, as its reasons say.
    cannot-end: An operation or a stage cannot end by itself, and a revert would wait for it as well: end it first, as its reasons say.
    no-commit-explains-it: No commit explains what is seen, so a revert would not help: look at the clusters and at what the Applications depend on.
    only-slow: It is slow and has not failed. Look at what it waits for, and revert by hand if it is the commit.
    waits-for-a-person: It waits for a person, at a gate or a pause, and nothing has failed. Let it go on, or revert by hand.
    no-sync-is-coming: It differs from Git and no sync is coming, so nothing was tried that could have failed. Sync it, and I judge what comes of it.
    only-watches: Stepback only watches here (mode: observe), so I open no revert. To have one from now on, set mode: revert in .github/stepback.yaml; to take this change back now, revert it by hand.
    dismissed: A person dismissed this failure, so I leave the change alone. To take it back after all, comment /stepback revert.
    "
  `);
});

it('says what an obstacle and a missing culprit say of themselves', () => {
  const obstacle = { kind: 'stopped', issue: 7, by: 'dana' } as const;
  expect(describeWhyNot({ kind: 'obstacle', code: 'stopped', obstacle })).toMatch(/^Stepback is stopped/);
  expect(whyNotInMarkdown(reason('follows-a-tag', 'v1.*'))).toMatch(/^The source follows `v1\.\*`/);
});

it('tells a reason of another version by its name', () => {
  expect(describeWhyNot(reason('of-tomorrow' as never))).toBe('of-tomorrow.');
});
