/** GitHub allows 500 calls an hour that make content; here they are counted over whole rollouts. */
import { expect, it, vi } from 'vitest';
import { type Fleet, openFleet } from './fleet.ts';

const minute = 60_000;

/** Thousands of looks, on a machine that may have other work. */
vi.setConfig({ testTimeout: 180_000 });

/** What ours on a commit say now. */
function saidOn(fleet: Fleet, sha: string): readonly string[] {
  return fleet.checks.runs
    .filter((run) => run.sha === sha)
    .map((run) => `${run.name}: ${run.conclusion ?? run.status} · ${run.title}`);
}

function tally(calls: readonly string[]): Readonly<Record<string, number>> {
  return Object.fromEntries(
    [...new Set(calls)].sort().map((name) => [name, calls.filter((one) => one === name).length]),
  );
}

const three = [1, 1, 1];
const names = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `set-${String(index + 1).padStart(3, '0')}`);

it('one rollout of 500 Applications that fails on the way and is taken back stays under 60 calls', async () => {
  const fleet = await openFleet({ big: [10, 40, 450] });
  const bad = fleet.push(['big']);
  await fleet.pass(2_000);
  const all = [...fleet.apps.keys()];
  const batches = (some: readonly string[]): readonly (readonly string[])[] =>
    some.flatMap((_, index) => (index % 25 === 0 ? [some.slice(index, index + 25)] : []));
  for (const batch of batches(all.slice(0, 300))) {
    for (const name of batch) fleet.sync(name);
    await fleet.pass(2 * minute);
  }
  fleet.sync('big-prod-300', 'Degraded');
  await fleet.pass(3 * minute);
  for (const batch of batches(all.slice(300))) {
    for (const name of batch) if (name !== 'big-prod-300') fleet.sync(name);
    await fleet.pass(2 * minute);
  }
  const revert = fleet.mergeRevert();
  await fleet.pass(5_000);
  for (const batch of batches(all)) {
    for (const name of batch) fleet.sync(name);
    await fleet.pass(2 * minute);
  }
  await fleet.pass(2 * minute);
  expect(saidOn(fleet, bad)).toMatchInlineSnapshot(`
    [
      "stepback / argocd/big: failure · Taken back by #7; every stage is back",
    ]
  `);
  expect(saidOn(fleet, revert)).toMatchInlineSnapshot(`
    [
      "stepback / argocd/big: success · Every stage runs it and is Healthy",
    ]
  `);
  expect(tally(fleet.made)).toMatchInlineSnapshot(`
    {
      "createBranch": 1,
      "createCheckRun": 3,
      "createCommit": 1,
      "createPullRequest": 1,
      "updateCheckRun": 21,
      "updatePullRequest": 17,
    }
  `);
  expect(fleet.made.length).toBeLessThan(60);
});

it('300 ApplicationSets fed by one commit stay under 400 calls an hour, and are told in one check run', async () => {
  const sets = names(300);
  const fleet = await openFleet(Object.fromEntries(sets.map((name) => [name, three])));
  const sha = fleet.push(sets);
  await fleet.pass(5_000);
  for (const stage of ['dev', 'staging', 'prod'])
    for (const [index, name] of sets.entries()) {
      fleet.sync(`${name}-${stage}-1`, name === 'set-007' && stage === 'staging' ? 'Degraded' : 'Healthy');
      if (index % 10 === 0) await fleet.pass(10_000);
    }
  await fleet.pass(10 * minute);
  expect(saidOn(fleet, sha)).toMatchInlineSnapshot(`
    [
      "stepback / summary: failure · 1 of 300 ApplicationSets failed; 299 done",
      "stepback / argocd/set-007: failure · Stopped in staging",
    ]
  `);
  expect(fleet.asked.filter((name) => name === 'checkRuns').length).toBeLessThan(40);
  expect(fleet.made.length).toBeLessThan(100);
});

it('300 ApplicationSets that all fail on one commit stay under 400 calls an hour as well', async () => {
  const sets = names(300);
  const fleet = await openFleet(Object.fromEntries(sets.map((name) => [name, [1]])));
  const sha = fleet.push(sets);
  await fleet.pass(5_000);
  for (const name of sets) fleet.sync(`${name}-dev-1`, 'Degraded');
  await fleet.pass(130_000);
  expect(saidOn(fleet, sha)[0]).toMatch(/^stepback .* failure · [0-9]+ of 300 ApplicationSets failed/);
  expect(tally(fleet.made)).toMatchInlineSnapshot(`
    {
      "createBranch": 1,
      "createCheckRun": 302,
      "createCommit": 1,
      "createPullRequest": 1,
      "updateCheckRun": 3,
      "updatePullRequest": 4,
    }
  `);
  expect(fleet.made.length).toBeLessThan(400);
});

it('twenty have a check run each, and a commit that feeds none of them gets none', async () => {
  const sets = names(30);
  const fleet = await openFleet(Object.fromEntries(sets.map((name) => [name, three])));
  const few = fleet.push(sets.slice(0, 20));
  await fleet.pass(5_000);
  expect(saidOn(fleet, few)).toHaveLength(20);
  expect(saidOn(fleet, few)[0]).toBe(
    'stepback / argocd/set-001: queued · Queued: Argo CD has not begun with it',
  );
  const other = fleet.push(['docs']);
  await fleet.pass(5_000);
  expect(saidOn(fleet, other)).toEqual([]);
  const many = fleet.push(sets.slice(0, 21));
  await fleet.pass(5_000);
  expect(saidOn(fleet, many)).toEqual(['stepback / summary: queued · 21 ApplicationSets: 21 on the way']);
  expect(new Set(saidOn(fleet, few).map((said) => said.slice(said.indexOf('neutral'))))).toEqual(
    new Set([`neutral · Overtaken by ${many.slice(0, 7)}`]),
  );
});

it('a further look writes nothing, and lists no check run again', async () => {
  const fleet = await openFleet({ big: three });
  fleet.push(['big']);
  for (const name of fleet.apps.keys()) {
    fleet.sync(name);
    await fleet.pass(2_000);
  }
  await fleet.pass(2 * minute);
  const [made, listed] = [fleet.made.length, fleet.asked.filter((name) => name === 'checkRuns').length];
  fleet.loop.nudge('argocd/big');
  await fleet.pass(2 * minute);
  expect(fleet.made.length).toBe(made);
  expect(fleet.asked.filter((name) => name === 'checkRuns').length).toBe(listed);
});
