import { expect, it } from 'vitest';
import { stopped } from '../../src/sandbox/stories/brakes.ts';
import { everywhereOnVersionOne, oneRevert, repository } from '../../src/sandbox/stories/staging.ts';
import type { Story } from '../../src/sandbox/story.ts';
import { badChange, landABadChange } from './bad-change.ts';
import { openPulls, ourComments } from './looks.ts';
import { masked } from './masked.ts';
import { lastRequest, open, storyOf, writesTo } from './playing.ts';

it('is not stopped by an issue of somebody who may not write', async () => {
  const play = await open(
    storyOf(async (stage) => {
      await everywhereOnVersionOne(stage);
      stage.world.github.openIssue(repository, {
        by: 'mallory',
        title: 'Let it burn',
        labels: ['Stepback: Stop'],
      });
      await landABadChange(stage);
      await oneRevert(stage, repository);
    }),
  );
  await play.story.play(play.director);
});

it('writes nothing while it cannot be read whether somebody stopped it', async () => {
  const play = await open(badChange());
  const { github } = play.world;
  await everywhereOnVersionOne(play.director);
  github.faults.add({
    method: 'GET',
    path: '/repos/*/*/issues',
    times: Number.POSITIVE_INFINITY,
    fault: { kind: 'status', status: 403 },
  });
  // An answer that was read before counts for half a minute.
  await play.conductor.pass(60_000);
  const before = lastRequest(play);
  await landABadChange(play.director);
  await play.conductor.pass(10 * 60_000);
  expect(writesTo(play, before)).toEqual([]);
  expect(openPulls(play.world)).toEqual([]);
  github.faults.clear();
  await oneRevert(play.director, repository, 8);
});

/** Plays a story and gives what its first comment with these words said. */
async function saidIn(story: Story, number: number): Promise<string> {
  const play = await open(story);
  const said: string[] = [];
  await story.play({
    ...play.director,
    async expect(what, condition, minutes) {
      await play.director.expect(what, condition, minutes);
      said.push(ourComments(play.world, number)[0] ?? '');
    },
  });
  return masked(play.world, said.find((text) => /no revert pull request/.test(text)) ?? '');
}

it('tells everyone who would have got a revert that it is stopped', async () => {
  expect(await saidIn(stopped, 2)).toMatchInlineSnapshot(`
    "This change runs on **1 of 12** Applications of \`argocd/payments\` (dev-1) and made dev-1 Degraded.

    Argo CD does not take it back, and **there is no revert pull request**. Stepback is stopped in this repository by #1, which \`dana\` labelled, so it changes nothing. Close that issue, or take the label off, and I go on; until then, revert by hand.

    <!-- stepback:v1 … -->"
  `);
});
