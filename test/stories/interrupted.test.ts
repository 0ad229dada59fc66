import { describe, expect, it } from 'vitest';
import type { FaultRule } from '../../src/sandbox/github/faults.ts';
import { mergeAndRecover, repository } from '../../src/sandbox/stories/staging.ts';
import type { StageDirector } from '../../src/sandbox/story.ts';
import { badChange } from './bad-change.ts';
import { branchesOf, openPulls, ourComments } from './looks.ts';
import { expectOneOfEach, expectRest, open, writesTo } from './playing.ts';

/** The call has its effect, and the answer is lost. */
const lost = (rule: Omit<FaultRule, 'fault'>): FaultRule => ({
  ...rule,
  fault: { kind: 'no-answer', afterEffect: true },
});

const calls = {
  commit: { method: 'POST', path: '/repos/*/*/git/commits' },
  branch: { method: 'POST', path: '/repos/*/*/git/refs' },
  pull: { method: 'POST', path: '/repos/*/*/pulls' },
  comment: { method: 'POST', path: '/repos/*/*/issues/*/comments' },
} as const;

/** Every page of the story's end is as if nothing had gone wrong. */
async function expectAsEver(play: Awaited<ReturnType<typeof open>>): Promise<void> {
  await play.director.expect('the comment is there', () => ourComments(play.world, 1).length > 0, 8);
  expectOneOfEach(play);
  expect(openPulls(play.world)).toEqual([
    'Revert "payments: new ledger endpoint": argocd/payments is Degraded in stage 1 (dev)',
  ]);
  await mergeAndRecover(play.director, repository);
  await expectRest(play);
  expectOneOfEach(play);
}

describe('one revert and one comment', () => {
  it.each(Object.entries(calls))('when the answer to the making of the %s is lost', async (_, call) => {
    const story = badChange(({ world }) => void world.github.faults.add(lost(call)));
    const play = await open(story);
    await story.play(play.director);
    expect(play.world.github.journal.entries.filter((entry) => entry.fault !== undefined)).toHaveLength(1);
    await expectAsEver(play);
  });

  it('when GitHub fails between the branch and the pull request, and Stepback is started anew there', async () => {
    const story = badChange(async (stage) => {
      const { world } = stage;
      world.github.faults.add({ ...calls.pull, times: 3, fault: { kind: 'status', status: 502 } });
      await stage.expect('the branch is there', () => branchesOf(world).length > 0, 4);
      expect(openPulls(world)).toEqual([]);
      await world.restart();
    });
    const play = await open(story);
    await story.play(play.director);
    await expectAsEver(play);
  });

  it('when Stepback is started anew after the pull request was opened, its answer lost', async () => {
    const story = badChange(async (stage) => {
      const { world } = stage;
      world.github.faults.add(lost(calls.pull));
      await stage.expect('the pull request is there', () => openPulls(world).length > 0, 4);
      await world.restart();
    });
    const play = await open(story);
    await story.play(play.director);
    await expectAsEver(play);
  });

  it('when Stepback is started anew with nothing remembered in the cluster', async () => {
    const story = badChange();
    const play = await open(story);
    await story.play(play.director);
    const { store } = play.world;
    for (const kind of ['rollbacks', 'stageledgers'])
      for (const { metadata } of store.list(kind))
        store.remove(kind, metadata.namespace ?? '', metadata.name);
    await play.world.restart();
    await play.conductor.pass(3 * 60_000);
    expectOneOfEach(play);
  });

  it.each(Object.entries({ branch: calls.branch, pull: calls.pull }))(
    'when Stepback is told to stop while the %s is being made',
    async (_, call) => {
      const story = badChange(async (stage) => {
        const { world, conductor } = stage;
        world.github.faults.add({ ...call, fault: { kind: 'slow', ms: 20_000 } });
        const isAsked = (): boolean =>
          world.github.journal.entries.some((entry) => entry.fault !== undefined && entry.method === 'POST');
        // Its answer takes a while, and nothing is settled before it is there.
        const going = conductor.until(() => false, 120_000);
        while (!isAsked()) await new Promise((resolve) => setImmediate(resolve));
        await world.restart();
        await going;
      });
      const play = await open(story);
      await story.play(play.director);
      await expectAsEver(play);
    },
  );

  it('when no webhook ever arrives', async () => {
    const story = badChange();
    const play = await open(story);
    play.world.github.faults.addDelivery({ times: Number.POSITIVE_INFINITY, fate: 'lose' });
    await story.play(play.director);
    expectOneOfEach(play);
    await mergeByNight(play.director);
  });

  it('when every webhook arrives twice', async () => {
    const story = badChange();
    const play = await open(story);
    play.world.github.faults.addDelivery({ times: Number.POSITIVE_INFINITY, fate: 'double' });
    await story.play(play.director);
    await expectAsEver(play);
  });

  it('when watches break again and again', async () => {
    const story = badChange();
    const play = await open(story);
    const breaking = setIntervalOn(play.world.clock, 40_000, () => play.world.kubernetes.watches.reset());
    await story.play(play.director);
    breaking();
    await expectAsEver(play);
  });
});

it('writes no more than it must', async () => {
  const story = badChange();
  const play = await open(story);
  await story.play(play.director);
  expect(writesTo(play)).toMatchInlineSnapshot(`
    [
      "POST /repos/{owner}/{repo}/check-runs",
      "PATCH /repos/{owner}/{repo}/check-runs/{check_run_id}",
      "POST /repos/{owner}/{repo}/check-runs",
      "PATCH /repos/{owner}/{repo}/check-runs/{check_run_id}",
      "POST /repos/{owner}/{repo}/git/commits",
      "POST /repos/{owner}/{repo}/git/refs",
      "POST /repos/{owner}/{repo}/pulls",
      "POST /repos/{owner}/{repo}/issues/{issue_number}/comments",
      "PATCH /repos/{owner}/{repo}/check-runs/{check_run_id}",
    ]
  `);
});

/** Merges without anybody being told; the slow timer finds out. */
async function mergeByNight(stage: StageDirector): Promise<void> {
  await mergeAndRecover(stage, repository);
}

function setIntervalOn(
  clock: { after(ms: number, run: () => void): () => void },
  ms: number,
  run: () => void,
): () => void {
  let cancel = (): void => {};
  const again = (): void => {
    cancel = clock.after(ms, () => {
      run();
      again();
    });
  };
  again();
  return () => cancel();
}
