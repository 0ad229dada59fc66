/**
 * Looks can be missed: Stepback is killed, or is slow, while an Application becomes Healthy for the first time. What history
 * tells of that time is a guess, as at a first look. test/incidents/SB01-killed-before-it-was-seen-healthy.
 */
import { describe, expect, it } from 'vitest';
import type { StageMemory } from '../../src/domain/watcher.ts';
import { isQuiet } from '../../src/loop/is-quiet.ts';
import { A, B, C, type Moment, rawApplication, type Shape, tell, verdictOf } from './world.ts';

const never: Shape = { history: [], sync: 'OutOfSync', health: 'Missing', operation: null };
const onItsWay: Shape = { history: [[A, 50]], health: 'Progressing', healthSince: 50 };
const failing: Shape = {
  target: B,
  history: [
    [A, 50],
    [B, 100],
  ],
  health: 'Degraded',
  healthSince: 101,
};
const first: Moment = { at: 0, apps: { dev: never }, entries: { dev: ['Pending'] } };
const second: Moment = { at: 51, apps: { dev: onItsWay }, entries: { dev: ['Progressing'] } };
const failed: Moment = { at: 102, push: B, apps: { dev: failing }, entries: { dev: ['Progressing', B] } };
const restarted = { ...failed, isRestarted: true };

describe('a commit fails, and Stepback was not there when the one before it was Healthy', () => {
  const lastGood = (answers: ReturnType<typeof tell>) => {
    const good = answers.at(-1)?.failure?.lastGood;
    return good == null ? null : { revisions: good.revisions, isGuess: good.isGuess };
  };
  const guess = { revisions: [A], isGuess: true };

  it('goes back to what history tells, marked as a guess', () => {
    expect(lastGood(tell([first, restarted, { at: 120 }]))).toEqual(guess);
    const answers = tell([first, second, restarted, { at: 120 }]);
    expect(lastGood(answers)).toEqual(guess);
    expect(verdictOf(answers)).toEqual(['failed', 'degraded']);
  });

  it('does so without a restart where no look found that one', () => {
    expect(lastGood(tell([first, failed, { at: 120 }]))).toEqual(guess);
  });

  it('has nothing to go back to when every look found that one on its way', () => {
    expect(lastGood(tell([first, second, failed, { at: 120 }]))).toBeNull();
  });

  it('has nothing to go back to when that one was seen to fail', () => {
    const ill = { at: 70, apps: { dev: { ...onItsWay, health: 'Degraded', healthSince: 60 } } };
    expect(lastGood(tell([first, second, ill, { at: 85 }, restarted, { at: 120 }]))).toBeNull();
  });

  it('goes back to what was seen Healthy before what history tells', () => {
    const history = [[A, 0] as const, [C, 50] as const, [B, 100] as const];
    const answers = tell([{ at: 0 }, { ...restarted, apps: { dev: { ...failing, history } } }, { at: 120 }]);
    expect(lastGood(answers)).toEqual({ revisions: [A], isGuess: false });
  });

  it('forgets the guess when it is seen Healthy itself', () => {
    const well = { at: 70, apps: { dev: { ...onItsWay, health: 'Healthy', healthSince: 60 } } };
    const answers = tell([first, second, { ...well, isRestarted: true }]);
    const contents = answers.at(-1)?.memory.applications['argocd/shop-dev']?.contents;
    expect(contents).toMatchObject([{ revisions: [A], isGuess: false }]);
  });
});

describe('a set in which all is well', () => {
  const rows = (['dev', 'staging', 'prod'] as const).map((environment) => {
    const { metadata } = rawApplication(environment) as { metadata: { uid: string } };
    return {
      key: `argocd/shop-${environment}`,
      uid: metadata.uid,
      applicationSet: 'shop',
      syncStatus: 'Synced',
      healthStatus: 'Healthy',
      revision: A,
    };
  });
  const quiet = (memory: StageMemory | undefined) => {
    if (memory === undefined) throw new Error('No look was taken.');
    return isQuiet('argocd/shop', rows as never, memory, [], null);
  };

  it('is looked at closely after a restart until it was seen Healthy on what it runs', () => {
    const well = { at: 70, apps: { dev: { ...onItsWay, health: 'Healthy', healthSince: 60 } }, entries: {} };
    const [, before, after] = tell([first, second, { ...well, isRestarted: true }]);
    expect(quiet(before?.memory)).toBe(false);
    expect(quiet(after?.memory)).toBe(true);
  });
});
