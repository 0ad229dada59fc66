/**
 * Every way of not coming back after the merge, played in the sandbox: what people read of it then, what Stepback did, and that
 * all come back in the end.
 */
import { expect, it } from 'vitest';
import { stories } from '../../src/sandbox/stories/all.ts';
import { aidsGiven } from '../../src/sandbox/stories/recover.ts';
import { repository } from '../../src/sandbox/stories/staging.ts';
import { expectOneOfEach, expectRest, open, type Played } from './playing.ts';

const told = stories.filter(({ name }) => name.startsWith('recover-'));

it.each(told.map((story) => [story.name, story] as const))('%s', async (_, story) => {
  const play = await open(story);
  await story.play(play.director);
  // What changed last is written at the next edit.
  await play.conductor.pass(45_000);
  expectOneOfEach(play);
  expect(wordsOf(play)).toMatchSnapshot();
  await story.after?.(play.director);
  await expectRest(play);
  expectOneOfEach(play);
});

/** The first words of the revert, the comment on the culprit and its check run, and what was asked of Argo CD. */
function wordsOf(play: Played): object {
  const { github } = play.world;
  const culprit = github.pullRequest(repository, 1);
  const ours = github.comments(repository, 1).find((one) => one.user === github.app.botLogin);
  const run = github.checkRuns(repository).findLast((one) => one.headSha === culprit?.mergeSha);
  return {
    revert: opening(github.pullRequest(repository, 2)?.body ?? ''),
    comment: opening(ours?.body ?? ''),
    check: `${run?.conclusion ?? run?.status}: ${run?.title}`,
    asked: aidsGiven(play.director),
  };
}

/** Without the tables and what is below them, and with commits cut to where they differ from run to run. */
function opening(body: string): readonly string[] {
  const lines = body.split('\n').filter((line) => line !== '' && !line.startsWith('<!--'));
  const end = lines.findIndex((line) => line.startsWith('|'));
  return lines
    .slice(0, end === -1 ? undefined : end)
    .map((line) =>
      line.replace(/\[`?[0-9a-f]{7}`?\]\([^)]*\)/g, 'COMMIT').replace(/`[0-9a-f]{7}`/g, 'COMMIT'),
    );
}
