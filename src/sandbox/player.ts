/**
 * Plays a story: starts a world for it, lets its time pass, and tells whoever listens what happens. The terminal, the
 * page and the tests all play stories with this.
 */

import type { PartialSettings } from '../config/configuration.ts';
import type { ObjectKey } from '../domain/objects.ts';
import type { TickResult } from '../loop/tick.ts';
import type { Log } from '../ports.ts';
import { steppedClock } from './clock.ts';
import { type Conductor, conduct } from './conductor.ts';
import { type StageDirector, type Story, StoryFault } from './story.ts';
import { type SandboxWorld, startWorld, type WorldOptions } from './world.ts';

export interface Play {
  story: Story;
  world: SandboxWorld;
  conductor: Conductor;
  director: StageDirector;
}

export interface PlayOptions {
  /** Seconds of the story in a second on the wall; Infinity never waits. */
  speed: number;
  say(text: string): void;
  /** Base of the links that people click; as on github.com when absent. */
  webUrl?: string;
  /** Whenever nothing is under way, and before time passes. */
  onSettled?(world: SandboxWorld): Promise<void> | void;
  log?: Log;
  /** Told of every request of Stepback to GitHub. */
  onRequest?: WorldOptions['onRequest'];
  /** Told after every look that Stepback took. */
  onTick?(key: ObjectKey, result: TickResult | 'quiet' | null): void;
}

/** A minute of grace is long enough to be true and short enough to watch. */
const sandboxLimits: PartialSettings = {
  graceMs: 60_000,
  stalledMs: 15 * 60_000,
  stuckMs: 10 * 60_000,
  unnoticedMs: 5 * 60_000,
};

/** Every story begins on this day. */
export const storyStart = Date.parse('2026-12-01T02:47:00Z');

/** Twelve clusters: dev 1, staging 3, prod 8. */
export const destinations = (['dev', 'staging', 'prod'] as const).flatMap((env, index) =>
  Array.from({ length: [1, 3, 8][index] ?? 0 }, (_, number) => {
    const name = `${env}-${number + 1}`;
    return {
      name,
      labels: { env, region: `r${number % 2}` },
      server: `https://${name}.k8s.acme.example:6443`,
    };
  }),
);

const minuteMs = 60_000;

/** Starts the world of a story. Nothing has happened in it yet; `play.story.play(play.director)` plays it. */
export async function openPlay(story: Story, options: PlayOptions): Promise<Play> {
  const clock = steppedClock(storyStart);
  const world = await startWorld({
    clock,
    limits: { ...sandboxLimits, ...story.limits },
    clusters: destinations,
    habits: { noticeFirst: ['payments-dev-1', 'orders-dev-1', 'returns-dev-1'], ...story.habits },
    isProgressive: story.isProgressive,
    isStopped: story.isStopped,
    onRequest: options.onRequest,
    webUrl: options.webUrl,
    log: options.log,
    onTick: options.onTick,
  });
  const conductor = conduct({
    clock,
    async settled() {
      await world.settled();
      await options.onSettled?.(world);
    },
    speed: options.speed,
  });
  const director: StageDirector = {
    world,
    conductor,
    say: options.say,
    async expect(what, condition, minutesMax = 5) {
      if (await conductor.until(condition, minutesMax * minuteMs)) return;
      throw new StoryFault(`Waited ${minutesMax} min of the story, and it did not come true that ${what}.`);
    },
    answer: (name) => world.loop.results().get(`argocd/${name}`),
  };
  return { story, world, conductor, director };
}
