import { describe, expect, it } from 'vitest';
import { stories } from '../../src/sandbox/stories/all.ts';
import { expectOneOfEach, expectRest, open } from './playing.ts';

/** Those about coming back are played by recover.test.ts, with what they say. */
const others = stories.filter(({ name }) => !name.startsWith('recover-'));

describe('every story', () => {
  it.each(others.map((story) => [story.name, story] as const))(
    'ends as it should, and leaves nothing to be written: %s',
    async (_, story) => {
      const play = await open(story);
      await story.play(play.director);
      expectOneOfEach(play, story.revertsMax);
      await story.after?.(play.director);
      await expectRest(play);
      expectOneOfEach(play, story.revertsMax);
    },
  );

  it('has a name and a line of its own', () => {
    expect(new Set(stories.map(({ name }) => name)).size).toBe(stories.length);
    expect(stories.filter(({ about }) => !/^[A-Za-z].{20,120}$/.test(about))).toEqual([]);
  });
});
