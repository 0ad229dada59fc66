import { describe, expect, it } from 'vitest';
import { byItself, draft, nothingRequired, ownWords } from '../../src/sandbox/stories/configured.ts';
import { repository } from '../../src/sandbox/stories/staging.ts';
import { reverts, type StageDirector } from '../../src/sandbox/story.ts';
import { badChange } from './bad-change.ts';
import { ourComments } from './looks.ts';
import { masked } from './masked.ts';
import { expectOneOfEach, expectRest, open, type Played, writesTo } from './playing.ts';

const file = '.github/stepback.yaml';

function configure({ world }: StageDirector, text: string): void {
  world.github.commit(repository, { author: 'dana', message: 'Configure', files: { [file]: text } });
}

const revertOf = ({ world }: Played) => reverts(world, repository)[0]!;

/** A paragraph of the revert by its bold beginning. */
function paragraph(play: Played, beginning: string): string | undefined {
  return masked(play.world, revertOf(play).body)
    .split('\n\n')
    .find((one) => one.startsWith(`**${beginning}`));
}

describe('a revert in the words of a team', () => {
  it('has its title, branch, message and sign-off, and says who could not be asked', async () => {
    const play = await open(ownWords);
    await ownWords.play(play.director);
    const { world } = play;
    const revert = revertOf(play);
    expect(masked(world, revert.title)).toMatchInlineSnapshot(
      `"revert: payments: new ledger endpoint (dev)"`,
    );
    expect(masked(world, revert.head.ref)).toMatchInlineSnapshot(`"revert/argocd-C"`);
    expect(paragraph(play, 'Not asked')).toMatchInlineSnapshot(
      `"**Not asked for a review** · \`nobody-here\`: GitHub does not let me ask this one. Give access to this repository, or change \`reviewers\` in \`.github/stepback.yaml\`."`,
    );
    const [commit] = world.github.commits(repository, revert.head.sha, 1);
    expect(commit?.verified, 'GitHub signs it').toBe(true);
    const signOff = `Signed-off-by: ${commit?.author.name} <${commit?.author.email}>`;
    expect(commit?.message.trimEnd().split('\n').at(-1)).toBe(signOff);
    expect(masked(world, commit?.message ?? '').replace(/\d+\+/, 'N+')).toMatchInlineSnapshot(`
      "revert: payments: new ledger endpoint

      argocd/payments is Degraded in stage 1 (dev).

      Stepback-Incident: argocd-C
      Reverts: C
      Signed-off-by: stepback[bot] <N+stepback[bot]@users.noreply.github.com>
      "
    `);
    expect(revert).toMatchObject({ reviewers: ['kim'], teamReviewers: ['platform'] });
  });

  it('is labelled and asked for once, although Stepback is started anew between the opening and the label', async () => {
    const labels = { method: 'POST', path: '/repos/*/*/issues/*/labels' };
    let mend = (): void => {};
    const story = badChange(async (stage) => {
      const { world } = stage;
      configure(stage, 'labels: [rollback]\nreviewers: { users: [kim] }\n');
      world.github.addCollaborator(repository, 'kim', 'write');
      mend = world.github.faults.add({
        ...labels,
        times: Number.POSITIVE_INFINITY,
        fault: { kind: 'status', status: 502 },
      });
      await stage.expect('the revert is there', () => reverts(world, repository).length > 0, 4);
      expect(revertOf(play).labels).toEqual([]);
      await world.restart();
    });
    const play = await open(story);
    await story.play(play.director);
    const { conductor, director } = play;
    mend();
    await director.expect('it is labelled', () => revertOf(play).labels.includes('rollback'), 8);
    await director.expect('kim is asked', () => revertOf(play).reviewers.includes('kim'), 2);
    play.world.github.unlabel(repository, revertOf(play).number, 'rollback', 'dana');
    await conductor.pass(6 * 60_000);
    await play.world.restart();
    await conductor.pass(2 * 60_000);
    expect(revertOf(play).labels, 'a person took it off').toEqual([]);
    await expectRest(play);
    expectOneOfEach(play);
  });
});

describe('a revert that merges by itself', () => {
  it('says so, and is merged by GitHub for Stepback', async () => {
    const play = await open(byItself);
    await byItself.play(play.director);
    expect(paragraph(play, 'This merges')).toMatchInlineSnapshot(
      `"**This merges by itself** · GitHub merges it as soon as every required check has passed. To keep it from that, turn auto-merge off below, or close it."`,
    );
    await byItself.after?.(play.director);
    expect(revertOf(play)).toMatchObject({ state: 'merged', mergedBy: 'stepback[bot]' });
    expect(revertOf(play).body).toContain('**Recovered.**');
  });

  it.each([
    ['another mode', 'mode: revert\n'],
    ['only watching', 'mode: observe\n'],
  ])('does so no more when the configuration says %s', async (_, text) => {
    const play = await open(byItself);
    await byItself.play(play.director);
    configure(play.director, text);
    await play.director.expect('auto-merge is off', () => revertOf(play).autoMerge === null, 2);
    const { github } = play.world;
    github.reportCheck(repository, { sha: revertOf(play).head.sha, name: 'ci', conclusion: 'success' });
    await play.conductor.pass(60_000);
    expect(revertOf(play).state).toBe('open');
    expect(github.pullRequests(repository).filter((pull) => pull.user === 'stepback[bot]')).toHaveLength(1);
  });

  it('does not do so while nothing is required, and says what to do', async () => {
    const play = await open(nothingRequired);
    await nothingRequired.play(play.director);
    expect(paragraph(play, 'This waits')).toMatchInlineSnapshot(
      `"**This waits for you** · Auto-merge is configured, and \`main\` requires no check, so nothing would be waited for. Merge it by hand; for the next time require a check in the rules of \`main\`."`,
    );
  });
});

it('a proposed revert is a draft until the mode is raised, and is not made one again', async () => {
  const play = await open(draft);
  await draft.play(play.director);
  configure(play.director, 'mode: propose\n');
  await play.conductor.pass(2 * 60_000);
  expect(revertOf(play).draft).toBe(false);
  expect(writesTo(play).filter((call) => call.includes('graphql'))).toHaveLength(1);
});

it('a comment says what to write when the configuration allows no more', async () => {
  const story = badChange();
  const play = await open({ ...story, limits: { mode: 'comment' } });
  await expect(story.play(play.director), 'the installation allows no revert').rejects.toThrow('revert');
  expect(reverts(play.world, repository)).toEqual([]);
  expect(ourComments(play.world, 1).map((body) => masked(play.world, body))).toMatchInlineSnapshot(`
    [
      "This change runs on **1 of 12** Applications of \`argocd/payments\` (dev-1) and made dev-1 Degraded.

    Argo CD does not take it back, and **there is no revert pull request**. Stepback is configured to comment only, so I open no revert. To have one from now on, set \`mode: revert\` wherever less is set: in \`.github/stepback.yaml\` here or in the organisation, in an annotation, or for the installation. To take this change back now, comment \`/stepback revert\`.

    **Still ahead** · **11 of 12** Applications can still get the change. This holds staging and prod:

    \`\`\`text
    kubectl -n argocd patch applicationset payments --type json -p '[{"op":"add","path":"/spec/strategy/rollingSync/steps/1/maxUpdate","value":0},{"op":"add","path":"/spec/strategy/rollingSync/steps/2/maxUpdate","value":0}]'
    \`\`\`

    After the merge put back what stands there now: staging \`50%\` and prod \`1\`. Else nothing there ever moves again.

    <!-- stepback:v1 … -->",
    ]
  `);
});

it('only watching says nothing, and looks no oftener than anything else that fails', async () => {
  const story = badChange();
  const play = await open({ ...story, limits: { mode: 'observe' } });
  await expect(story.play(play.director), 'nothing is opened').rejects.toThrow('revert');
  expect(writesTo(play)).toEqual([]);
  const reads = (): number => play.world.kubernetes.journal.entries.length;
  const before = reads();
  await play.conductor.pass(10 * 60_000);
  expect(reads() - before).toBeLessThan(300);
});
