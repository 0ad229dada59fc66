/**
 * How many requests lie between the decision and the open pull request, one after the other. The decision is written down in the
 * cluster before anything is written on GitHub, so everything that is asked of GitHub from then on counts.
 */

import { openPlay } from '../src/sandbox/player.ts';
import { stories } from '../src/sandbox/stories/all.ts';
import type { Story } from '../src/sandbox/story.ts';

/**
 * Plays a story (the main one when none is given) over real HTTP, and gives the rounds of requests to GitHub from its first
 * decision to the answer that the pull request is open. Requests that are under way at the same time are one round, as
 * `GET /a + GET /b`, in the order of their names. Tokens, which last an hour, do not count.
 */
export async function requestsToPullRequest(story?: Story): Promise<string[]> {
  const played = story ?? stories[0];
  if (played === undefined) throw new Error('There is no story to play.');
  const rounds: string[][] = [];
  let isDecided = false;
  let isOpen = false;
  let underWay = 0;
  const play = await openPlay(played, {
    speed: Number.POSITIVE_INFINITY,
    say: () => {},
    onRequest({ phase, method, path, status }) {
      if (!isDecided || isOpen || path.endsWith('/access_tokens')) return;
      if (phase === 'answered') {
        underWay -= 1;
        isOpen = method === 'POST' && path.endsWith('/pulls') && status === 201;
        return;
      }
      if (underWay <= 0) rounds.push([]);
      underWay = Math.max(0, underWay) + 1;
      rounds.at(-1)?.push(`${method} ${path}`);
    },
  });
  const stop = play.world.store.subscribe(({ resource }) => {
    if (resource === 'rollbacks') isDecided = true;
  });
  try {
    await played.play(play.director);
  } finally {
    stop();
    await play.world.close();
  }
  if (!isOpen) throw new Error(`The story ${played.name} ended without an open pull request.`);
  return rounds.map((round) => round.sort().join(' + '));
}
