/**
 * How many requests lie between the decision and the open pull request, one after the other. The decision is written down in the
 * cluster before anything is written on GitHub, so everything that is asked of GitHub from then on counts.
 */

import { openPlay } from '../src/sandbox/player.ts';
import { stories } from '../src/sandbox/stories/all.ts';
import type { Story } from '../src/sandbox/story.ts';

/**
 * Plays a story (the main one when none is given) over real HTTP, and gives the requests to GitHub from its first decision to
 * the answer that the pull request is open, as `POST /repos/{owner}/{repo}/pulls`. Tokens, which last an hour, do not count.
 */
export async function requestsToPullRequest(story?: Story): Promise<string[]> {
  const played = story ?? stories[0];
  if (played === undefined) throw new Error('There is no story to play.');
  const play = await openPlay(played, { speed: Number.POSITIVE_INFINITY, say: () => {} });
  const { github, store } = play.world;
  let decidedAfter: number | null = null;
  const stop = store.subscribe(({ resource }) => {
    if (resource === 'rollbacks') decidedAfter ??= github.journal.entries.at(-1)?.number ?? 0;
  });
  try {
    await played.play(play.director);
  } finally {
    stop();
    await play.world.close();
  }
  const since = github.journal.entries.filter(
    ({ number, path }) =>
      number > (decidedAfter ?? Number.POSITIVE_INFINITY) && !path.endsWith('/access_tokens'),
  );
  const opened = since.findIndex(
    ({ method, path, status }) => method === 'POST' && /\/pulls$/.test(path) && status === 201,
  );
  if (opened < 0) throw new Error(`The story ${played.name} ended without an open pull request.`);
  return since.slice(0, opened + 1).map(({ method, route, path }) => `${method} ${route ?? path}`);
}
