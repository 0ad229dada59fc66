/** The small languages of a configuration: times, patterns, templates, names of branches. */
import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { guessDuration, parseDuration, printDuration } from '../../src/config/durations.ts';
import { branchProblem } from '../../src/config/git-reference.ts';
import { matches, matchesKey } from '../../src/config/patterns.ts';
import { closest } from '../../src/config/suggest.ts';
import { templateProblems } from '../../src/config/templates.ts';
import { fillTemplate } from '../../src/domain/template.ts';

describe('times', () => {
  test('are printed as they can be read', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 86_400 * 900_000 }), (seconds) => {
        expect(parseDuration(printDuration(seconds * 1_000))).toBe(seconds * 1_000);
        expect(guessDuration(printDuration(seconds * 1_000))).toBe(
          printDuration(Math.max(1, seconds) * 1_000),
        );
      }),
    );
    expect([90, 7_200, 90_061].map((seconds) => printDuration(seconds * 1_000))).toEqual([
      '1m30s',
      '2h',
      '1d1h1m1s',
    ]);
  });

  test('are read only in whole parts, the largest first', () => {
    const texts = [
      '90s',
      '2m',
      '1h30m',
      '1d',
      '1d1h1m1s',
      '',
      's',
      '1',
      '1.5h',
      '1m1h',
      '1h1h',
      '-1s',
      '1 h',
      '1H',
      '1234567s',
    ];
    expect(texts.map(parseDuration)).toEqual([
      90_000,
      120_000,
      5_400_000,
      86_400_000,
      90_061_000,
      ...Array.from({ length: 10 }, () => null),
    ]);
  });

  test('that nobody can tell are not guessed', () => {
    for (const text of ['', 'soon', 'm', '1:30', '2 months', '1h x', 'h'.repeat(100)])
      expect(guessDuration(text)).toBeNull();
  });
});

describe('patterns', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', '/', '*'), maxLength: 12 });
  test('match as a regular expression would', () => {
    fc.assert(
      fc.property(
        word,
        word.map((text) => text.replaceAll('*', 'c')),
        (pattern, text) => {
          const expression = new RegExp(`^${pattern.replaceAll(/\*+/g, '[^/]*')}$`);
          expect(matches(pattern, text)).toBe(expression.test(text));
        },
      ),
      { numRuns: 2_000 },
    );
  });

  test('cannot be made slow', () => {
    expect(matches(`${'*a'.repeat(200)}b`, 'a'.repeat(20_000))).toBe(false);
  });

  test('without a slash are about the name', () => {
    expect(matchesKey('pay*', 'argocd/payments')).toBe(true);
    expect(matchesKey('argocd/*', 'argocd/payments')).toBe(true);
    expect(matchesKey('argocd*', 'argocd/payments')).toBe(false);
    expect(matchesKey('*', 'argocd/payments')).toBe(true);
    expect(matchesKey('*/x', 'x')).toBe(false);
  });
});

describe('templates', () => {
  test('are filled once, and what is filled in is not read again', () => {
    const values = { subject: 'a {failure} {{x}} $& $1', failure: 'FAIL', toString: 'x' };
    expect(fillTemplate('Revert "{subject}": {failure} {{subject}} {stage}', values)).toBe(
      'Revert "a {failure} {{x}} $& $1": FAIL {subject} ',
    );
    expect(fillTemplate('{constructor}{toString}', { subject: 'x' })).toBe('');
  });

  test('of a branch that are accepted give a name that git takes, for every instance and commit', () => {
    const piece = fc.constantFrom(
      '{instance}',
      '{commit}',
      '/',
      '.',
      '-',
      '.lock',
      'revert',
      '_',
      '@',
      '{{',
      '+',
      'refs/',
    );
    const instance = fc.stringMatching(/^[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?$/);
    const commit = fc.stringMatching(/^[0-9a-f]{12}$/);
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), instance, commit, (pieces, name, digits) => {
        const template = pieces.join('');
        fc.pre(templateProblems('branch', template).length === 0);
        const branch = fillTemplate(template, { instance: name, commit: digits });
        expect(branchProblem(branch)).toBeNull();
        expect(branch.length).toBeLessThan(244);
      }),
      { numRuns: 300 },
    );
  });
});

test('every name of a branch that is accepted is one to git', () => {
  const candidates = [
    'stepback/argocd/revert-0123456789ab',
    'a',
    'a.b',
    'a-b',
    '-a',
    'a/-b',
    '.a',
    'a/.b',
    'a.',
    'a./b',
    'a..b',
    'a.lock',
    'a.lock/b',
    'a/b.lock',
    'a.locks',
    '/a',
    'a/',
    'a//b',
    '',
    '@',
    'a@b',
    'a b',
    'a~b',
    'a^b',
    'a:b',
    'a?b',
    'a*b',
    'a[b',
    'a\\b',
    'a\u007fb',
    'a\tb',
    'HEAD',
    'refs/heads/a',
    'ä',
    'a+b=c',
  ];
  const accepted = candidates.filter((name) => branchProblem(name) === null);
  expect(accepted).toMatchInlineSnapshot(`
    [
      "stepback/argocd/revert-0123456789ab",
      "a",
      "a.b",
      "a-b",
      "a/-b",
      "a./b",
      "a.locks",
      "a+b=c",
    ]
  `);
  for (const name of accepted)
    expect(execFileSync('git', ['check-ref-format', '--branch', name], { encoding: 'utf8' })).toBe(
      `${name}\n`,
    );
});

test('the word that was meant is near the one that was written', () => {
  const words = ['grace', 'bake', 'stalled', 'stuck', 'unnoticed'];
  const written = [
    'Grace',
    'grcae',
    'stuk',
    'stalld',
    'un-noticed',
    'backe',
    'x',
    '',
    'retry',
    'q'.repeat(1_000),
  ];
  expect(written.map((word) => closest(word, words))).toEqual([
    'grace',
    'grace',
    'stuck',
    'stalled',
    'unnoticed',
    'bake',
    null,
    null,
    null,
    null,
  ]);
});
