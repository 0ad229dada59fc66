/**
 * Every reported state of a progressive sync is judged as its case says. A key that nobody wrote a check for fails, so
 * that no expectation is passed over.
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import type { CaseAnswer, CaseApplication } from '../../src/commands/replay/case-answer.ts';
import { replayCase } from '../../src/commands/replay/case-file.ts';

const incidentsFolder = join(import.meta.dirname, '../incidents');
const names = readdirSync(incidentsFolder)
  .filter((name) => name.startsWith('PS'))
  .sort();

const fileOf = (name: string): string => join(incidentsFolder, name, 'case.yaml');

function expectedOf(name: string): Readonly<Record<string, unknown>> {
  const [header] = parseAllDocuments(readFileSync(fileOf(name), 'utf8'));
  const { kind, expect: expected } = header?.toJS() ?? {};
  if (kind !== 'Case') throw new Error(`${name} begins with no Case.`);
  return expected;
}

/** Where the answer differs from the case on purpose; each is argued in the README of the incident. */
const corrections: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'PS15-comparisonerror-revision-is-branch-name': {
    stageCommit: { '1': '951d058fdbb6d372d746cdc4817faabd6a128e6d' },
  },
};

const one = (list: readonly string[] | null | undefined): string | null =>
  list == null || list.length === 0 ? null : list.join('+');

/** The reasons of the cases that have another name here. */
const reasonNames: Readonly<Record<string, string>> = { SyncFailed: 'missing-kind' };

type Found = (answer: CaseAnswer, all: readonly CaseAnswer[], right: unknown) => unknown;

/** The one Application that a case without stages is about. */
const only = (answer: CaseAnswer): CaseApplication => {
  const [application, ...more] = Object.values(answer.applications);
  if (application === undefined || more.length > 0) throw new Error('The case is about one Application.');
  return application;
};

/** What is read for each key; the answer of a case with one ApplicationSet, and all of them. */
const found: Readonly<Record<string, Found>> = {
  stages: (answer, _all, right) =>
    Object.fromEntries(
      Object.keys(right as object).map((number) => [number, answer.stages[number]?.verdict]),
    ),
  stageCommit: (answer, _all, right) =>
    Object.fromEntries(Object.keys(right as object).map((number) => [number, answer.stages[number]?.runs])),
  effectiveMaxUpdate: (answer, _all, right) =>
    Object.fromEntries(
      Object.keys(right as object).map((number) => [number, answer.stages[number]?.maxUpdate]),
    ),
  revert: (answer) => answer.stance,
  reason: (answer, _all, right) =>
    answer.reasonCodes.includes((reasonNames[right as string] ?? right) as never)
      ? right
      : answer.reasonCodes,
  failedCommit: (answer) => one(answer.failedOn),
  baseline: (answer) => one(answer.lastGood),
  unselected: (answer) => answer.unselected,
  orphans: (answer) => answer.orphans,
  affected: (answer) => answer.affected,
  unaffected: (answer) => answer.unaffected,
  blame: (answer) => answer.blame,
  attempt: (answer) => only(answer).operation?.attempt,
  limit: (answer) => only(answer).operation?.limit,
  attempting: (answer) => one(only(answer).operation?.attempting),
  branchHead: (answer) => one(only(answer).target),
  fixDeployed: (answer) => only(answer).isOnTarget,
  fixCommitSeen: (answer) => one(only(answer).target),
  fixSyncStarted: (answer) => {
    const { operation, target } = only(answer);
    return operation?.phase === 'Running' && one(operation.attempting) === one(target);
  },
  lastDeployed: (answer) => one(only(answer).lastDeployed),
  tracks: (answer) => only(answer).tracks.join(),
  revertMovesApp: (answer) => answer.revertTakesEffect !== 'never',
  revertTakesEffect: (answer) => answer.revertTakesEffect,
  culpritRepo: (answer) => answer.culpritRepository,
  changedSources: (answer) => answer.changedSources,
  range: (answer) => answer.ranges,
  chartChange: (answer) => answer.chartChanges['0'],
  diagnosis: (answer, _all, right) => (Array.isArray(right) ? answer.diagnosis : answer.diagnosis.join()),
  lint: (answer) => answer.lint.join(),
  verdicts: (answer) => answer.verdicts,
  failed: (_answer, all) =>
    all.filter(({ verdict }) => verdict === 'failed').map((set) => set.applicationSet),
  ok: (_answer, all) => all.filter(({ verdict }) => verdict === 'ok').map((set) => set.applicationSet),
};

/** Said to the reader, or read by the command itself. */
const silentKeys: readonly string[] = ['note', 'policy'];

describe('an incident is judged as it should be', () => {
  it.for(names)('%s', (name) => {
    const answers = [...replayCase(fileOf(name), null)];
    const [answer] = answers;
    if (answer === undefined) throw new Error('No answer.');
    const expected = { ...expectedOf(name), ...corrections[name] };
    const checked = Object.entries(expected).filter(([key]) => !silentKeys.includes(key));
    expect(checked.length).toBeGreaterThan(0);
    expect(checked.map(([key]) => key).filter((key) => found[key] === undefined)).toEqual([]);
    expect(
      Object.fromEntries(checked.map(([key, right]) => [key, found[key]?.(answer, answers, right)])),
    ).toEqual(Object.fromEntries(checked));
  });

  it('knows every incident of a progressive sync, and each has a README', () => {
    expect(names).toHaveLength(33);
    for (const name of names) {
      const readme = readFileSync(join(incidentsFolder, name, 'README.md'), 'utf8');
      expect(readme.trim().split('\n').length, name).toBeGreaterThanOrEqual(3);
      expect(readme, name).toMatch(/Decide: /);
    }
  });
});

describe('stepback replay FILE', () => {
  const run = (...args: readonly string[]): string =>
    execFileSync(process.execPath, [join(import.meta.dirname, '../../src/cli.ts'), 'replay', ...args], {
      encoding: 'utf8',
    });

  it('prints one answer an ApplicationSet, with the keys of a replay', () => {
    const lines = run(fileOf('PS28-same-names-in-two-namespaces'), '--json').trim().split('\n');
    const rows = lines.map((line) => JSON.parse(line) as CaseAnswer);
    expect(
      rows.map(({ line, seconds, applicationSet, verdict, runs, recovered }) => ({
        line,
        seconds,
        applicationSet,
        verdict,
        runs,
        recovered,
      })),
    ).toEqual([
      {
        line: 1,
        seconds: 0,
        applicationSet: 'team-a/shop',
        verdict: 'ok',
        runs: { 'shop-dev': ['e68a133f72fc796faccfa5f24bf95a5679209874'] },
        recovered: null,
      },
      {
        line: 1,
        seconds: 0,
        applicationSet: 'team-b/shop',
        verdict: 'failed',
        runs: { 'shop-dev': ['e68a133f72fc796faccfa5f24bf95a5679209874'] },
        recovered: false,
      },
    ]);
  });

  it('says it in words without --json', () => {
    const [first, ...more] = run(fileOf('PS43-sync-failed-hook-old-pods-healthy')).trimEnd().split('\n');
    expect(first).toBe('    0.0 s  argocd/shop  failed, not recovered');
    expect(more[0]).toBe('           failing: shop-dev');
    expect(more.at(-1)).toBe('           stages: 1 failed, 2 waiting; revert: propose');
  });
});
