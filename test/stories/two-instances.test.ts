/** Two Argo CDs that know an ApplicationSet of one namespace and name, fed by one folder: nothing of the one is taken for the other's. */
import { expect, it, onTestFinished } from 'vitest';
import { parseMarker } from '../../src/domain/marker.ts';
import type { StoredObject } from '../../src/sandbox/kubernetes/objects.ts';
import { destinations, openPlay } from '../../src/sandbox/player.ts';
import { landBad } from '../../src/sandbox/stories/bad-change.ts';
import {
  commitEverywhere,
  everywhereOnVersionOne,
  isHealthyEverywhere,
  repository,
} from '../../src/sandbox/stories/staging.ts';
import { createSet, reverts } from '../../src/sandbox/story.ts';
import { type SandboxWorld, startWorld } from '../../src/sandbox/world.ts';
import { storyOf } from './playing.ts';

const url = `https://github.com/${repository}.git`;

it('has a branch, a marker, a check run and a ledger for each, and one merge brings both back', async () => {
  let east: SandboxWorld | null = null;
  const play = await openPlay(
    storyOf(async () => {}),
    { speed: Number.POSITIVE_INFINITY, say: () => {}, onSettled: () => east?.settled() },
  );
  const { world: west, director, conductor } = play;
  const { github } = west;
  await everywhereOnVersionOne(director);
  east = await startWorld({
    clock: west.clock,
    limits: { graceMs: 60_000 },
    clusters: destinations,
    instance: 'east',
    github,
  });
  const other = east;
  onTestFinished(async () => {
    await other.close();
    await west.close();
  });
  createSet(other, { name: 'payments', repository });
  const runsEast = (): readonly string[] =>
    (other.loop.results().get('argocd/payments')?.answer.rollout.stages ?? [])
      .flatMap((stage) => stage.applications)
      .map((one) => `${one.application.health.status} ${one.runs?.join('+')}`);
  const isEastOn = (sha: string | undefined): boolean =>
    runsEast().length === 12 && runsEast().every((one) => one === `Healthy ${sha}`);
  await director.expect('both run version 1', () => isEastOn(github.head(repository)), 8);

  const bad = landBad(director);
  const badSha = github.head(repository) ?? '';
  other.argocd.webhook(url, 'main');
  await director.expect('each has a revert', () => reverts(west, repository).length === 2, 8);
  await conductor.pass(60_000);
  const both = reverts(west, repository);
  expect(both.map(({ head }) => head.ref.replace(badSha.slice(0, 12), '…')).sort()).toEqual([
    'stepback/argocd/revert-…',
    'stepback/east/revert-…',
  ]);
  expect(both.map(({ body }) => parseMarker(body)?.instance).sort()).toEqual(['argocd', 'east']);
  const names = github.checkRuns(repository, badSha).map(({ name }) => name);
  expect([...new Set(names)].sort()).toEqual([
    'stepback / argocd/payments',
    'stepback / east: argocd/payments',
  ]);
  const comments = github
    .comments(repository, bad)
    .filter(({ user }) => user === github.app.botLogin)
    .map(({ body }) => parseMarker(body)?.instance);
  expect(comments.sort()).toEqual(['argocd', 'east']);
  const ledgerOf = ({ store }: SandboxWorld) =>
    ['rollbacks', 'stageledgers'].map((kind) =>
      store.list<StoredObject & { spec: { instance: string } }>(kind).map(({ spec }) => spec.instance),
    );
  expect([ledgerOf(west), ledgerOf(other)]).toEqual([
    [['argocd'], ['argocd']],
    [['east'], ['east']],
  ]);

  const [first] = both;
  github.mergePullRequest(repository, first?.number ?? 0, { by: 'dana', method: 'merge' });
  west.argocd.webhook(url, 'main');
  other.argocd.webhook(url, 'main');
  await director.expect(
    'both are back',
    () =>
      isHealthyEverywhere(director, 'payments') &&
      commitEverywhere(director, 'payments') === github.head(repository) &&
      isEastOn(github.head(repository)),
    12,
  );
  await director.expect(
    'no revert is open any more',
    () => reverts(west, repository).every(({ state }) => state !== 'open'),
    12,
  );
  expect(reverts(west, repository)).toHaveLength(2);
});
