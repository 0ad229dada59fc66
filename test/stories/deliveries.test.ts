/** Commands on their way from GitHub to their answer: what is lost is found, and what comes twice is done once. */
import { describe, expect, it } from 'vitest';
import { parseMarker } from '../../src/domain/marker.ts';
import type { StoredObject } from '../../src/sandbox/kubernetes/objects.ts';
import { everywhereOnVersionOne, oneRevert, repository } from '../../src/sandbox/stories/staging.ts';
import { reverts, type StageDirector } from '../../src/sandbox/story.ts';
import { landABadChange } from './bad-change.ts';
import { open, type Played, storyOf } from './playing.ts';

const minuteMs = 60_000;

/** Replies to commands, by their marker. */
function answers({ world }: Pick<Played, 'world'>, number: number): readonly string[] {
  const ours = world.github
    .comments(repository, number)
    .filter(({ user }) => user === world.github.app.botLogin);
  return ours.map(({ body }) => body).filter((body) => parseMarker(body)?.kind === 'reply');
}

/** The audit trail as kubectl shows it, without when. */
function trail({ world }: Pick<Played, 'world'>): readonly string[] {
  return world.store.list<StoredObject>('commandrequests').map(({ metadata, spec, status }) => {
    const { who, what, where } = spec as Record<string, string>;
    const { answer } = (status ?? {}) as Record<string, string>;
    return [who, what, where, metadata.labels?.['stepback.dev/state'], answer].join(' | ');
  });
}

function eyes({ world }: Pick<Played, 'world'>): number {
  return world.github.journal.entries.filter(
    ({ path, method }) => method === 'POST' && path.endsWith('/reactions'),
  ).length;
}

function say(stage: Pick<StageDirector, 'world'>, number: number, body = '/stepback status'): number {
  stage.world.github.addCollaborator(repository, 'dana', 'write');
  return stage.world.github.comment(repository, number, { by: 'dana', body });
}

describe('a command takes effect once', () => {
  it('when Stepback was down while it and a bad commit arrived', async () => {
    let number = 0;
    const story = storyOf(async (stage) => {
      await everywhereOnVersionOne(stage);
      await stage.world.stopStepback();
      number = await landABadChange(stage);
      say(stage, number);
      await stage.conductor.pass(10 * minuteMs);
      expect(trail(stage)).toEqual([]);
      await stage.world.restart();
      await oneRevert(stage, repository, 12);
    });
    const play = await open(story);
    await story.play(play.director);
    await play.conductor.pass(6 * minuteMs);
    expect(reverts(play.world, repository)).toHaveLength(1);
    expect(trail(play)).toEqual([`dana | /stepback status | ${repository}#${number} | answered | accepted`]);
    expect(answers(play, number)).toHaveLength(1);
    const again = play.world.github.deliveries.filter(({ redelivery }) => redelivery);
    expect(again.map(({ event, statusCode }) => `${event} ${statusCode}`)).toContain('issue_comment 200');
    // What got through is never asked for again.
    await play.conductor.pass(20 * minuteMs);
    expect(play.world.github.deliveries.filter(({ redelivery }) => redelivery)).toHaveLength(again.length);
  });

  it('when every webhook arrives twice, and Stepback is started anew in between', async () => {
    const story = storyOf(everywhereOnVersionOne);
    const play = await open(story);
    await story.play(play.director);
    const number = await landABadChange(play.director);
    play.world.github.faults.addDelivery({ times: Number.POSITIVE_INFINITY, fate: 'double' });
    say(play.director, number);
    await play.conductor.pass(minuteMs);
    await play.world.restart();
    for (const { id, event } of [...play.world.github.deliveries])
      if (event === 'issue_comment') play.world.github.redeliver(id);
    await play.conductor.pass(minuteMs);
    expect(trail(play)).toHaveLength(1);
    expect([answers(play, number).length, eyes(play)]).toEqual([1, 1]);
  });

  it('when the API server could not keep it at first', async () => {
    const story = storyOf(everywhereOnVersionOne);
    const play = await open(story);
    await story.play(play.director);
    const number = await landABadChange(play.director);
    const { github, kubernetes } = play.world;
    kubernetes.faults.add({
      verb: 'create',
      resource: 'commandrequests',
      fault: { kind: 'status', code: 500 },
    });
    say(play.director, number);
    await play.conductor.pass(5_000);
    expect(github.deliveries.filter(({ event }) => event === 'issue_comment').at(-1)?.statusCode).toBe(500);
    await play.conductor.pass(10 * minuteMs);
    expect(trail(play)).toEqual([`dana | /stepback status | ${repository}#${number} | answered | accepted`]);
    expect([answers(play, number).length, eyes(play)]).toEqual([1, 1]);
  });
});
