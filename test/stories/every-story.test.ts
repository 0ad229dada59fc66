import { describe, expect, it } from 'vitest';
import { stories } from '../../src/sandbox/stories/all.ts';
import { expectOneOfEach, expectRest, open } from './playing.ts';

describe('every story', () => {
  it.each(stories.map((story) => [story.name, story] as const))(
    'ends as it should, and leaves nothing to be written: %s',
    async (_, story) => {
      const play = await open(story);
      await story.play(play.director);
      expectOneOfEach(play);
      await story.after?.(play.director);
      await expectRest(play);
      expectOneOfEach(play);
    },
  );

  it('has a name and a line of its own', () => {
    expect(new Set(stories.map(({ name }) => name)).size).toBe(stories.length);
    expect(stories.filter(({ about }) => !/^[A-Za-z].{20,120}$/.test(about))).toEqual([]);
  });
});
