import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { act } from '../../src/sandbox/acts.ts';
import { openPlay, type Play } from '../../src/sandbox/player.ts';
import {
  everywhereOnVersionOne,
  isHealthyEverywhere,
  repository,
} from '../../src/sandbox/stories/staging.ts';
import type { Story } from '../../src/sandbox/story.ts';

const quiet: Story = {
  name: 'quiet',
  about: 'Version 1 everywhere.',
  play: (stage) => everywhereOnVersionOne(stage),
};
let play: Play;

beforeEach(async () => {
  play = await openPlay(quiet, { speed: Number.POSITIVE_INFINITY, say: () => {} });
  onTestFinished(() => play.world.close());
  await quiet.play(play.director);
});

const doing = (line: string): string => {
  const [verb = '', ...words] = line.split(' ');
  return act(play.world, verb as Parameters<typeof act>[1], words);
};

describe('what people do to a sandbox that runs', () => {
  it('pushes a bad change, merges the revert, and everything is back', async () => {
    expect(doing('push bad staging-1')).toBe('You push "payments: version 2" to main, bad on staging-1.');
    await play.director.expect(
      'a revert is open',
      () => play.world.github.pullRequests(repository).length === 1,
      6,
    );
    expect(doing('merge')).toBe('You merge #1.');
    await play.director.expect('all are back', () => isHealthyEverywhere(play.director, 'payments'), 6);
    expect(() => doing('merge')).toThrow('No revert is open. Name the pull request by its number.');
    expect(() => doing('merge 1')).toThrow('#1 is merged already.');
  });

  it('proposes a good change, talks about it and closes it', () => {
    expect(doing('propose good')).toBe(
      'You open #1 "payments: version 2", good. Merge it with: npm run sandbox -- merge 1',
    );
    expect(doing('comment #1 well done')).toBe('You comment on #1.');
    expect(play.world.github.comments(repository, 1)).toMatchObject([{ user: 'you', body: 'well done' }]);
    expect(doing('close acme/payments#1')).toBe('You close #1.');
  });

  it('breaks, heals and syncs Applications, and takes clusters away', async () => {
    const health = () =>
      (
        play.world.store.get<{ status: { health: { status: string } } } & object>(
          'applications',
          'argocd',
          'payments-prod-3',
        ) as {
          status: { health: { status: string } };
        }
      ).status.health.status;
    expect(doing('break prod-3 no space left')).toBe('You break payments-prod-3: no space left.');
    await play.director.expect('it is Degraded', () => health() === 'Degraded');
    expect(doing('heal payments-prod-3')).toBe('You heal payments-prod-3.');
    await play.director.expect('it is Healthy', () => health() === 'Healthy');
    expect(doing('sync prod-3')).toBe('You sync payments-prod-3 by hand.');
    expect(doing('unreachable dev-1')).toBe('dev-1 cannot be reached any more.');
    expect(doing('reachable dev-1')).toBe('dev-1 can be reached again.');
  });

  it('says what cannot be done, and what can', () => {
    expect(() => doing('merge 7')).toThrow('There is no pull request 7.');
    expect(() => doing('push god')).toThrow('A change is good or bad, and not "god". Did you mean "good"?');
    expect(() => doing('push good dev-1')).toThrow(
      'A good change is good everywhere; leave out the clusters.',
    );
    expect(() => doing('push bad stagin-1')).toThrow(
      /^There is no cluster "stagin-1"\. Did you mean "staging-1"\? There are: dev-1, staging-1, .*prod-8\.$/,
    );
    expect(() => doing('break payments-dev-2')).toThrow(
      'There is no Application "payments-dev-2". Did you mean "payments-dev-1"?',
    );
    expect(() => doing('heal')).toThrow('"heal" needs more: APPLICATION.');
  });
});
