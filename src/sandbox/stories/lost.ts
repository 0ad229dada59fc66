/**
 * The ledger is lost: somebody deletes the custom resources while Stepback is down. What it knew is put together again from
 * GitHub and from the cluster, marked as a guess, and nothing is done twice or against a person's word.
 */
import type { StoredObject } from '../kubernetes/objects.ts';
import { land, merge, type StageDirector, type Story, StoryFault, workload } from '../story.ts';
import { breakLate, freezes, heldIn } from './contain.ts';
import {
  configure,
  everywhereOnVersionOne,
  isHealthyEverywhere,
  mergeAndRecover,
  oneComment,
  oneRevert,
  repository,
} from './staging.ts';

const config = 'apps/payments/config.json';

export type LedgerKind = 'rollbacks' | 'stageledgers' | 'commandrequests';

/** Stepback stops, what it remembers is deleted, `meanwhile` happens, and it is started again. */
export async function loseLedger(
  { world }: StageDirector,
  kinds: readonly LedgerKind[] = ['rollbacks', 'stageledgers', 'commandrequests'],
  meanwhile: () => Promise<void> | void = () => {},
): Promise<void> {
  await world.stopStepback();
  for (const kind of kinds)
    for (const { metadata } of world.store.list<StoredObject>(kind))
      world.store.remove(kind, metadata.namespace ?? '', metadata.name);
  await meanwhile();
  await world.restart();
}

/** Version 1 everywhere, then a change that dev-1 does not bear; gives the numbers of its pull request and of the revert. */
export async function openRevert(stage: StageDirector): Promise<{ bad: number; revert: number }> {
  await everywhereOnVersionOne(stage);
  const bad = land(stage.world, repository, 'payments: new ledger endpoint', {
    [config]: workload('payments', {
      version: '2',
      'health.dev-1': 'Degraded',
      message: 'back-off restarting failed container',
    }),
  });
  const revert = await oneRevert(stage, repository);
  await oneComment(stage, repository, bad);
  stage.say(`Dana merges #${bad}, which breaks dev-1, and Stepback opens #${revert}.`);
  return { bad, revert };
}

/** The words in the body of a revert that say that it was put together again. */
export async function saysItGuesses(stage: StageDirector, revert: number): Promise<void> {
  await stage.expect(
    'the revert says what is a guess',
    () => /^Partly a guess: /m.test(stage.world.github.pullRequest(repository, revert)?.body ?? ''),
    6,
  );
}

/** The words in the body of a revert that say that every Application is back. */
export async function saysItIsRecovered(stage: StageDirector, revert: number): Promise<void> {
  await stage.expect(
    'the revert says that all are back',
    () => /^\*\*Recovered\.\*\*/.test(stage.world.github.pullRequest(repository, revert)?.body ?? ''),
    10,
  );
}

export const lostLedger: Story = {
  name: 'lost-ledger',
  about:
    'Everything that Stepback remembers is deleted, and branches are called otherwise: the one revert goes on.',
  async play(stage) {
    const { bad, revert } = await openRevert(stage);
    configure(stage, 'templates:\n  branch: "rollback/{instance}/{commit}"\n');
    await loseLedger(stage);
    stage.say('Somebody deletes all that Stepback remembers. It is started anew.');
    await saysItGuesses(stage, revert);
    await stage.conductor.pass(5 * 60_000);
    if ((await oneRevert(stage, repository)) !== revert) throw new StoryFault('There is another revert.');
    await oneComment(stage, repository, bad);
  },
  after: (stage) => mergeAndRecover(stage, repository),
};

export const lostWhileMerged: Story = {
  name: 'lost-while-merged',
  about:
    'The revert is merged while Stepback is down, and what it remembers is lost: it follows all the same.',
  async play(stage) {
    const { bad, revert } = await openRevert(stage);
    await loseLedger(stage, undefined, () => {
      stage.world.github.mergePullRequest(repository, revert, { by: 'dana', method: 'squash' });
      stage.world.argocd.webhook(`https://github.com/${repository}.git`, 'main');
      stage.say(`Dana merges #${revert} while Stepback is down and has lost its memory.`);
    });
    await stage.expect('every Application is back', () => isHealthyEverywhere(stage, 'payments'), 10);
    await saysItIsRecovered(stage, revert);
    await saysItGuesses(stage, revert);
    if ((await oneRevert(stage, repository)) !== revert) throw new StoryFault('There is another revert.');
    await oneComment(stage, repository, bad);
  },
};

export const lostWhileHeld: Story = {
  name: 'lost-while-held',
  about:
    'Stages are held, and what Stepback remembers is lost: what stood there is noted on the ApplicationSet.',
  async play(stage) {
    await everywhereOnVersionOne(stage, { files: freezes });
    await breakLate(stage);
    await heldIn(stage, ['100%', 0, 0]);
    const revert = await oneRevert(stage, repository);
    await loseLedger(stage);
    stage.say('The stages are held, and somebody deletes all that Stepback remembers.');
    await saysItGuesses(stage, revert);
    await stage.conductor.pass(2 * 60_000);
    await heldIn(stage, ['100%', 0, 0]);
  },
  async after(stage) {
    const revert = await oneRevert(stage, repository);
    stage.world.argocd.setHealth('payments-dev-1', undefined);
    merge(stage.world, repository, revert);
    stage.say(`Dana merges the revert, #${revert}.`);
    await stage.expect('every Application is back', () => isHealthyEverywhere(stage, 'payments'), 10);
    await saysItIsRecovered(stage, revert);
    await heldIn(stage, ['100%', '50%', 1]);
  },
};
