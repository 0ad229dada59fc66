/** What the command of the simulation is asked for and what it answers. */
import { expect, it } from 'vitest';
import { readArguments } from '../../src/simulation/arguments.ts';
import { mistakeNamed } from '../../src/simulation/mistakes/all.ts';
import type { SeedOutcome } from '../../src/simulation/run-seed.ts';
import { printTable, replayCommand } from '../../src/simulation/table.ts';

it('reads its arguments', () => {
  expect(readArguments(['--seeds', '10000', '--from', '0'], 2)).toEqual({
    from: 0,
    seeds: 10_000,
    seed: null,
    workers: 2,
  });
  expect(readArguments(['--seed', '42'], 2).seed).toBe(42);
  expect(() => readArguments(['--sede', '42'], 2)).toThrowErrorMatchingInlineSnapshot(
    `[Error: There is no option "--sede". Usage: npm run simulate -- [--seeds 500] [--from 0] [--workers 2], or npm run simulate -- --seed 42]`,
  );
  expect(() => readArguments(['--seed', 'x'], 2)).toThrowErrorMatchingInlineSnapshot(
    `[Error: --seed takes a whole number, and not "x". Usage: npm run simulate -- [--seeds 500] [--from 0] [--workers 2], or npm run simulate -- --seed 42]`,
  );
});

it('names the command that plays a seed again', () => {
  expect(replayCommand(42, '')).toMatchInlineSnapshot(`"npm run simulate -- --seed 42"`);
  expect(replayCommand(42, 'skip-the-claim')).toMatchInlineSnapshot(
    `"STEPBACK_MISTAKE=skip-the-claim npm run simulate -- --seed 42"`,
  );
});

it('knows its mistakes by name, and says which there are', () => {
  expect(mistakeNamed('')).toBeNull();
  expect(() => mistakeNamed('skip-lunch')).toThrow(
    'There is no mistake "skip-lunch". There are: skip-the-claim, ',
  );
});

it('prints a table of the laws, and how the first seeds break them', () => {
  const outcome: SeedOutcome = {
    seed: 1,
    broken: null,
    reverts: 2,
    merged: 1,
    failures: 3,
    crashes: 1,
    ticks: 200,
    writes: 40,
    timers: 5000,
    faults: { '5xx': 7, 'watch-expired': 1 },
    story: [],
  };
  const broken = {
    ...outcome,
    seed: 2,
    broken: { law: 'one-open-revert', how: '#5 and #6 are open', at: 0 },
  };
  expect(printTable([outcome, broken], '', 1000)).toMatchInlineSnapshot(`
    "one-open-revert        broken in 1  There is at most one open revert of a change.
    only-what-feeds        holds        No commit is taken back that does not feed an ApplicationSet that fails.
    only-what-fails        holds        A revert is opened only when an Application fails on a commit that it takes back: it runs it, tries to sync it, or cannot render it.
    answered               holds        Every rollout that fails ends in a pull request, or in a reason that is said.
    recovered-is-true      holds        An incident is called recovered only when no Application of its ApplicationSets runs what failed.
    thawed                 holds        Every step that was frozen is put back within minutes after the branch holds nothing any more that fails, or a person thaws it.
    commands-once          holds        Every command that is typed is heard, answered once, and takes effect once.
    one-comment            holds        In the end there is one comment of ours about a thing on a pull request.
    one-check-run          holds        In the end one check run of ours of each name on a commit speaks; where doubt made two, the older is neutral and says so.
    settles                holds        When people and trouble rest everything settles, and a further look writes nothing.
    rests                  holds        Where all is well, a further look asks GitHub and the cluster nothing.
    settles-after-restart  holds        Nor does a look after a restart.

    2 seeds in 1 s (500 ms each), 1 of them break a law. 6 failures, 4 reverts, 2 of them merged, 2 crashes, 400 looks, 80 writes.
    Faults: 5xx 14, watch-expired 2. Never: 409, 410, 422, no-connection, 403-limit, time-out-after-the-effect, old-answer, crash-before-read, crash-after-read, crash-before-write, crash-after-write, rival, ref-exists, ref-moved, pull-request-exists, version-conflict, spec-changed, sync-busy, comment-deleted, event-lost, event-failed, event-redelivered, event-doubled, event-late, news-lost, news-doubled, news-late, watch-cut, clock-skew, two-leaders, archived, stopped, steps-edited, ledger-lost, out-of-order, late-degradation, hook, retry, unreachable-cluster, sync-window.

    Seed 2 breaks one-open-revert: #5 and #6 are open.
      npm run simulate -- --seed 2"
  `);
});
