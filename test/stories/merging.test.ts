import { describe, expect, it } from 'vitest';
import {
  everywhereOnVersionOne,
  isHealthyEverywhere,
  oneComment,
  oneRevert,
  repository,
} from '../../src/sandbox/stories/staging.ts';
import { merge, reverts } from '../../src/sandbox/story.ts';
import { config, landABadChange } from './bad-change.ts';
import { expectOneOfEach, expectRest, open, storyOf } from './playing.ts';

const methods = ['merge', 'squash', 'rebase'] as const;

describe.each(methods)('a change that was landed by %s', (landing) => {
  it(`is taken back, whichever way the revert is merged`, async () => {
    const story = storyOf(async (stage) => {
      const { world } = stage;
      await everywhereOnVersionOne(stage);
      const good = world.github.file(repository, config);
      const bad = await landABadChange(stage, landing);
      const number = await oneRevert(stage, repository);
      await oneComment(stage, repository, bad);
      const method = methods[(methods.indexOf(landing) + 1) % methods.length];
      merge(world, repository, number, 'dana', method);
      await stage.expect(
        'every Application is back',
        () => isHealthyEverywhere(stage, 'payments') && stage.answer('payments')?.answer.isRecovered === true,
        10,
      );
      expect(world.github.file(repository, config)).toBe(good);
    });
    const play = await open(story);
    await story.play(play.director);
    await expectRest(play);
    expectOneOfEach(play);
    expect(reverts(play.world, repository)[0]?.body).toContain('**Recovered.**');
  });
});
