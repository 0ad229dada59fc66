/** Plays a story over real HTTP without waiting, and holds its end against the laws that hold for every story. */
import { expect, onTestFinished } from 'vitest';
import { parseMarker } from '../../src/domain/marker.ts';
import { openPlay, type Play } from '../../src/sandbox/player.ts';
import { reverts, type Story } from '../../src/sandbox/story.ts';

export interface Played extends Play {
  /** What the story told, in order. */
  told: readonly string[];
}

/** Opens the world of a story. It is closed when the test has ended. */
export async function open(story: Story): Promise<Played> {
  const told: string[] = [];
  const play = await openPlay(story, {
    speed: Number.POSITIVE_INFINITY,
    say: (text) => told.push(text),
  });
  onTestFinished(() => play.world.close());
  return { ...play, told };
}

/** A story of a test's own, around one that exists or from nothing. */
export function storyOf(play: Story['play'], more: Partial<Story> = {}): Story {
  return { name: 'own', about: 'a story of a test', play, ...more };
}

/** Requests to GitHub that change something; tokens do not count. */
export function writesTo({ world }: Play, since = 0): readonly string[] {
  return world.github.journal.entries
    .filter(
      ({ number, method, path }) => number > since && method !== 'GET' && !path.endsWith('/access_tokens'),
    )
    .map(({ method, route, path }) => `${method} ${route ?? path}`);
}

/** Number of the last request. */
export function lastRequest({ world }: Play): number {
  return world.github.journal.entries.at(-1)?.number ?? 0;
}

/** Looks at every ApplicationSet once more, and again after a restart; neither finds anything to write. */
export async function expectRest(play: Play): Promise<void> {
  const { world, conductor } = play;
  // What the story ended in the middle of comes to its own end first.
  await conductor.pass(90_000);
  const before = lastRequest(play);
  for (const { metadata } of world.store.list('applicationsets'))
    world.loop.nudge(`${metadata.namespace}/${metadata.name}`);
  await conductor.pass(1_000);
  expect(writesTo(play, before), 'a further look writes nothing').toEqual([]);
  await world.restart();
  await conductor.pass(5_000);
  expect(writesTo(play, before), 'a look after a restart writes nothing').toEqual([]);
}

/** At most one revert of each repository, where the story says no other number, and at most one comment of Stepback on each pull request. */
export function expectOneOfEach({ world }: Play, revertsMax = 1): void {
  const { github } = world;
  for (const repository of github.repositories()) {
    expect(reverts(world, repository).length, 'reverts').toBeLessThanOrEqual(revertsMax);
    for (const { number } of github.pullRequests(repository)) {
      const ours = github
        .comments(repository, number)
        .filter((one) => one.user === github.app.botLogin && parseMarker(one.body)?.kind !== 'reply');
      expect(ours.length, `comments of ours on #${number}`).toBeLessThanOrEqual(1);
    }
  }
}
