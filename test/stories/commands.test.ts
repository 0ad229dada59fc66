/** What people read in the conversations of `src/sandbox/stories/commands.ts`, word by word. */
import { expect, it } from 'vitest';
import { conversations } from '../../src/sandbox/stories/commands.ts';
import { whoIsHeard } from '../../src/sandbox/stories/commands-who.ts';
import { repository } from '../../src/sandbox/stories/staging.ts';
import { masked } from './masked.ts';
import { open, type Played } from './playing.ts';

function conversationOf({ world }: Played, number: number): string {
  return world.github
    .comments(repository, number)
    .map((one) => `${one.user}: ${masked(world, one.body)}`)
    .join('\n---\n');
}

it.each([...conversations, ...whoIsHeard].map((story) => [story.name, story] as const))(
  'reads like a conversation: %s',
  async (_, story) => {
    const play = await open(story);
    await story.play(play.director);
    const { github } = play.world;
    const said = [...github.pullRequests(repository), ...github.issues(repository)]
      .map(({ number, title }) => `# ${masked(play.world, title)}\n${conversationOf(play, number)}`)
      .filter((text) => text.includes('/stepback') || text.includes('Somebody pressed'));
    expect(said.join('\n\n')).toMatchSnapshot();
  },
);
