/** The ledger is lost, whole or in part, at every moment of an incident: nothing is done twice or against a person's word. */
import { describe, expect, it } from 'vitest';
import type { ApplicationSetObject } from '../../src/sandbox/argocd/objects.ts';
import type { StoredObject } from '../../src/sandbox/kubernetes/objects.ts';
import { heldIn, maxUpdates } from '../../src/sandbox/stories/contain.ts';
import {
  type LedgerKind,
  loseLedger,
  openRevert,
  saysItGuesses,
  saysItIsRecovered,
} from '../../src/sandbox/stories/lost.ts';
import {
  commitEverywhere,
  configure,
  everywhereOnVersionOne,
  isHealthyEverywhere,
  oneRevert,
  repository,
} from '../../src/sandbox/stories/staging.ts';
import { land, merge, reverts, workload } from '../../src/sandbox/story.ts';
import { openPulls, ourComments } from './looks.ts';
import { masked } from './masked.ts';
import { expectOneOfEach, expectRest, open, type Played, storyOf } from './playing.ts';

const config = 'apps/payments/config.json';
const minutes = (count: number): number => count * 60_000;

async function begun(): Promise<Played & { bad: number; revert: number }> {
  const play = await open(storyOf(async () => {}));
  return { ...play, ...(await openRevert(play.director)) };
}

const stateOf = ({ world }: Played, number: number) => world.github.pullRequest(repository, number)?.state;
const bodyOf = ({ world }: Played, number: number) =>
  world.github.pullRequest(repository, number)?.body ?? '';

/** The incident as the ledger has it. */
function phases({ world }: Played): readonly string[] {
  return world.store
    .list<StoredObject & { status?: { phase?: string } }>('rollbacks')
    .map(({ status }) => status?.phase ?? '');
}

describe('what a person decided', () => {
  it('stays decided: a revert that was closed while Stepback was down is not opened again', async () => {
    const play = await begun();
    await loseLedger(play.director, undefined, () =>
      play.world.github.closePullRequest(repository, play.revert, 'dana'),
    );
    await play.conductor.pass(minutes(10));
    expect(stateOf(play, play.revert)).toBe('closed');
    expect(openPulls(play.world)).toEqual([]);
    expect(bodyOf(play, play.revert)).toMatch(/^\*\*Closed by a person\.\*\*/);
    expect(phases(play)).toEqual(['dismissed (a guess)']);
    expectOneOfEach(play);
    await expectRest(play);
  });

  it('… also when its branch is gone and is called otherwise by now', async () => {
    const play = await begun();
    const { world } = play;
    world.github.closePullRequest(repository, play.revert, 'dana');
    await play.conductor.pass(minutes(2));
    configure(play.director, 'templates:\n  branch: "rollback/{instance}/{commit}"\n');
    await loseLedger(play.director);
    await play.conductor.pass(minutes(10));
    expect(openPulls(world)).toEqual([]);
    expectOneOfEach(play);
  });

  it('… and so does what was dismissed by a comment, with its words', async () => {
    const play = await begun();
    const { world, director } = play;
    world.github.addCollaborator(repository, 'dana', 'write');
    world.github.comment(repository, play.revert, {
      by: 'dana',
      body: '/stepback dismiss the alert was a test',
    });
    await director.expect('the revert is closed', () => stateOf(play, play.revert) === 'closed', 2);
    await loseLedger(director);
    await play.conductor.pass(minutes(10));
    expect(stateOf(play, play.revert)).toBe('closed');
    expect(bodyOf(play, play.revert)).toContain('`dana` called this a false alarm');
    expect(bodyOf(play, play.revert)).toContain('`the alert was a test`');
    expect(world.github.pullRequests(repository)).toHaveLength(2);
  });

  it('… also where there never was a revert: our comment on the change remembers it', async () => {
    const play = await open(storyOf(async () => {}, { limits: { mode: 'comment' } }));
    const { world, director } = play;
    await everywhereOnVersionOne(director);
    world.github.addCollaborator(repository, 'dana', 'write');
    const bad = land(world, repository, 'payments: new ledger endpoint', {
      [config]: workload('payments', { version: '2', 'health.dev-1': 'Degraded', message: 'exit code 1' }),
    });
    await director.expect('there is a comment', () => ourComments(world, bad).length > 0, 6);
    world.github.comment(repository, bad, { by: 'dana', body: '/stepback dismiss the alert was a test' });
    const isDismissed = (): boolean => /false alarm/.test(ourComments(world, bad)[0] ?? '');
    await director.expect('it is dismissed', isDismissed, 2);
    await loseLedger(director);
    await play.conductor.pass(minutes(5));
    expect(isDismissed()).toBe(true);
    expect(phases(play)).toEqual(['dismissed (a guess)']);
    expectOneOfEach(play);
  });
});

describe('what went on meanwhile', () => {
  it('a revert that nobody needs any more is closed with a word', async () => {
    const play = await begun();
    const { world, director } = play;
    await loseLedger(director, undefined, () => {
      merge(
        world,
        repository,
        world.github.propose(repository, {
          by: 'dana',
          branch: 'fix',
          title: 'payments: mend the ledger',
          files: { [config]: workload('payments', { version: '3' }) },
        }),
      );
    });
    await director.expect('the revert is closed', () => stateOf(play, play.revert) === 'closed', 12);
    expect(bodyOf(play, play.revert)).toMatch(/^\*\*Not needed any more\.\*\*/);
    await expectRest(play);
    expectOneOfEach(play);
  });

  it('a rollout that follows gets its own revert, and the limits count the one before', async () => {
    const limits = { revertsPerApplicationSetMax: 2, revertsPerRepositoryMax: 10 };
    const play = await open(storyOf(async () => {}, { limits }));
    const { world, director, conductor } = play;
    const { revert } = await openRevert(director);
    await loseLedger(director, undefined, () => merge(world, repository, revert));
    await saysItIsRecovered(director, revert);
    const breakAgain = (version: string): number =>
      land(world, repository, `payments: version ${version}`, {
        [config]: workload('payments', { version, 'health.dev-1': 'Degraded', message: 'exit code 1' }),
      });
    breakAgain('3');
    await director.expect('there is a second revert', () => reverts(world, repository).length === 2, 8);
    const second = reverts(world, repository).find(({ number }) => number !== revert)?.number ?? 0;
    await loseLedger(director, undefined, () => merge(world, repository, second));
    await saysItIsRecovered(director, second);
    const third = breakAgain('4');
    await director.expect(
      'it is said that the limit is reached',
      () => ourComments(world, third).length > 0,
      8,
    );
    expect(ourComments(world, third)[0]).toContain('2 reverts');
    await conductor.pass(minutes(3));
    expect(reverts(world, repository)).toHaveLength(2);
  });

  it('what was held is put back at once when nothing is wrong any more and nobody knows why it was held', async () => {
    const play = await open(storyOf(async () => {}));
    const { world, director } = play;
    await everywhereOnVersionOne(director);
    const annotation = 'ledger.stepback.dev/held';
    const steps = world.store.get<ApplicationSetObject>('applicationsets', 'argocd', 'payments')?.spec
      .strategy?.rollingSync?.steps;
    const note = {
      instance: 'argocd',
      incident: 'argocd-0123456789ab',
      steps: (steps ?? []).slice(1).map(({ matchExpressions, maxUpdate }) => ({
        name: 'one of them',
        expressions: matchExpressions,
        former: maxUpdate,
      })),
    };
    await loseLedger(director, undefined, () => {
      const held = (steps ?? []).map((step, index) => (index === 0 ? step : { ...step, maxUpdate: 0 }));
      world.store.patchMerge('applicationsets', 'argocd', 'payments', {
        metadata: { annotations: { [annotation]: JSON.stringify(note), mine: 'stays' } },
        spec: { strategy: { rollingSync: { steps: held } } },
      });
    });
    await heldIn(director, ['100%', '50%', 1]);
    const set = world.store.get<StoredObject>('applicationsets', 'argocd', 'payments');
    expect(set?.metadata.annotations).toEqual({ mine: 'stays' });
    expect(maxUpdates(world)).toEqual(['100%', '50%', 1]);
  });
});

describe('a part of it', () => {
  it.each<[string, readonly LedgerKind[]]>([
    ['the incidents alone', ['rollbacks']],
    ['what is remembered of the stages alone', ['stageledgers']],
  ])('%s: there is one revert, which is followed to its end', async (_, kinds) => {
    const play = await begun();
    await loseLedger(play.director, kinds);
    await play.conductor.pass(minutes(3));
    expectOneOfEach(play);
    merge(play.world, repository, play.revert);
    await play.director.expect('all is well', () => isHealthyEverywhere(play.director, 'payments'), 10);
    await saysItIsRecovered(play.director, play.revert);
    await expectRest(play);
    expectOneOfEach(play);
  });

  it('lost while nothing fails: the quiet ApplicationSet is looked at, because its own record names the incident', async () => {
    const play = await open(storyOf(async () => {}));
    const { world, director } = play;
    await everywhereOnVersionOne(director);
    world.github.addCollaborator(repository, 'dana', 'write');
    const good = land(world, repository, 'payments: faster start', {
      [config]: workload('payments', { version: '2' }),
    });
    const head = world.github.head(repository);
    await director.expect(
      'version 2 is everywhere',
      () => commitEverywhere(director, 'payments') === head,
      8,
    );
    world.github.comment(repository, good, { by: 'dana', body: `/stepback revert #${good}` });
    const revert = await oneRevert(director, repository);
    await play.conductor.pass(minutes(1));
    await loseLedger(director, ['rollbacks']);
    await director.expect('it is known again', () => phases(play).join() === 'proposed (a guess)', 8);
    await saysItGuesses(director, revert);
    merge(world, repository, revert);
    await saysItIsRecovered(director, revert);
    await expectRest(play);
  });

  it('deleted while Stepback runs: what it knows is written anew, and is no guess', async () => {
    const play = await begun();
    const { world, director } = play;
    for (const kind of ['rollbacks', 'stageledgers'])
      for (const { metadata } of world.store.list<StoredObject>(kind))
        world.store.remove(kind, metadata.namespace ?? '', metadata.name);
    merge(world, repository, play.revert);
    await saysItIsRecovered(director, play.revert);
    expect(bodyOf(play, play.revert)).not.toContain('Partly a guess');
    expect(phases(play)).toEqual(['recovered']);
    expectOneOfEach(play);
  });
});

it('a marker that a person copied into a pull request of their own is not ours', async () => {
  const play = await begun();
  const { world, director } = play;
  const copied = bodyOf(play, play.revert);
  await loseLedger(director, undefined, () => {
    world.github.closePullRequest(repository, play.revert, 'dana');
    world.github.propose(repository, {
      by: 'mallory',
      branch: 'mine',
      title: 'Revert "payments"',
      body: copied,
      files: { 'docs/x.md': 'x\n' },
    });
  });
  await play.conductor.pass(minutes(5));
  expect(phases(play)).toEqual(['dismissed (a guess)']);
  expect(openPulls(world)).toEqual(['Revert "payments"']);
});

it('says what is a guess in the revert, in the comment, in answers, on the page and to kubectl', async () => {
  const play = await begun();
  const { world, director } = play;
  await loseLedger(director);
  await saysItGuesses(director, play.revert);
  const words = /^Partly a guess.*$/m.exec(bodyOf(play, play.revert))?.[0] ?? '';
  expect(masked(world, words)).toMatchInlineSnapshot(
    `"Partly a guess: my own record of this was lost, and at 2026-12-01 hh:mm:ss UTC I put it together again from what I had written on GitHub."`,
  );
  expect(ourComments(world, play.bad)[0]).toContain(words);
  expect(phases(play)).toEqual(['proposed (a guess)']);
  world.github.addCollaborator(repository, 'dana', 'write');
  world.github.comment(repository, play.revert, { by: 'dana', body: '/stepback explain' });
  const answered = (): string => ourComments(world, play.revert).at(-1) ?? '';
  await director.expect('it is explained', () => answered().includes('To blame'), 3);
  expect(answered()).toContain('(a guess out of the history of Argo CD)');
  expect(answered()).toContain(words);
  const page = await (await fetch(world.statusUrl)).text();
  expect(page).toContain('Partly a guess: my own record of this was lost');
  const [ledger] = world.store.list<StoredObject & { status?: { lastGood?: string } }>('stageledgers');
  expect(ledger?.status?.lastGood).toMatch(/^[0-9a-f]{7} \(a guess\)/);
});
