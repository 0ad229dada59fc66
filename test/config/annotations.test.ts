/** Annotations of an ApplicationSet: they narrow, they hold when nobody understands them, and they never widen. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { heldForGood, type Settings } from '../../src/config/configuration.ts';
import { printFault } from '../../src/config/faults.ts';
import { configurationOf, settingsFor } from '../../src/config/resolve.ts';
import { files, setKeys } from './arbitrary.ts';
import { laxerThan } from './strictest.ts';

const key = 'argocd/payments';

function read(annotations: Readonly<Record<string, string>>): { settings: Settings; faults: string } {
  const { settings, faults } = settingsFor(configurationOf([]), { key, annotations });
  return { settings, faults: faults.map(printFault).join('\n\n') };
}

describe('annotations', () => {
  test('narrow', () => {
    const { settings, faults } = read({
      'stepback.dev/mode': 'comment',
      'stepback.dev/grace': '10m',
      'stepback.dev/bake': ' 5m ',
      'stepback.dev/sync-attempts': '4',
      'stepback.dev/reverts-max': '0',
      'stepback.dev/contain': 'off',
      'argocd.argoproj.io/refresh': 'normal',
    });
    expect(faults).toBe('');
    expect(settings).toMatchObject({
      mode: 'comment',
      graceMs: 600_000,
      bakeMs: 300_000,
      syncAttempts: 4,
      revertsPerApplicationSetMax: 0,
      contain: 'off',
      heldUntil: 0,
    });
  });

  test.each([
    ['true', heldForGood],
    ['false', 0],
    ['2026-08-01T12:00Z', Date.UTC(2026, 7, 1, 12)],
    ['2026-08-01 12:00:30+02:00', Date.UTC(2026, 7, 1, 10, 0, 30)],
    ['2026-08-01', Date.UTC(2026, 7, 2)],
  ])('hold: %s', (value, until) => {
    const { settings, faults } = read({ 'stepback.dev/hold': value });
    expect([settings.heldUntil, faults]).toEqual([until, '']);
  });

  test('do nothing when they would widen, and say so', () => {
    const { settings, faults } = read({
      'stepback.dev/mode': 'auto-merge',
      'stepback.dev/recover': 'sync',
      'stepback.dev/grace': '1s',
    });
    expect(settings).toMatchObject({ mode: 'revert', recover: 'advise', graceMs: 120_000, heldUntil: 0 });
    expect(faults).toMatchInlineSnapshot(`
      "Warning: Annotations of argocd/payments, line 1, column 21, stepback.dev/grace
        "1s" does nothing, because annotations only narrow and "2m" counts already. Take it out.
          1 | stepback.dev/grace: 1s
            |                     ^^

      Warning: Annotations of argocd/payments, line 2, column 20, stepback.dev/mode
        "auto-merge" does nothing, because annotations only narrow and "revert" counts already. Take it out.
          2 | stepback.dev/mode: auto-merge
            |                    ^^^^^^^^^^

      Warning: Annotations of argocd/payments, line 3, column 23, stepback.dev/recover
        "sync" does nothing, because annotations only narrow and "advise" counts already. Take it out.
          3 | stepback.dev/recover: sync
            |                       ^^^^"
    `);
  });

  test('hold when nobody understands them', () => {
    const { settings, faults } = read({
      'stepback.dev/hold': 'for 2h',
      'stepback.dev/mode': 'obsreve',
      'stepback.dev/grace': '',
      'stepback.dev/reverts-max': '-1',
      'stepback.dev/failure-too-old': '5 minutes\n<!-- @everyone -->',
    });
    expect(settings.heldUntil).toBe(heldForGood);
    expect(faults).toMatchInlineSnapshot(`
      "Annotations of argocd/payments, line 1, column 31, stepback.dev/failure-too-old
        "5 minutes <!-- @everyone -->" is no time. Write it like "90s", "2m", "1h30m" or "1d".
          1 | stepback.dev/failure-too-old: 5 minutes <!-- @everyone -->
            |                               ^^^^^^^^^^^^^^^^^^^^^^^^^^^^

      Annotations of argocd/payments, line 2, column 21, stepback.dev/grace
        There is no value. Write a time from 1s to 30d, or leave the key out.
          2 | stepback.dev/grace:
            |                     ^

      Annotations of argocd/payments, line 3, column 20, stepback.dev/hold
        "for 2h" is no moment. Write "true", or a moment with its time zone, such as 2026-08-01T12:00Z.
          3 | stepback.dev/hold: for 2h
            |                    ^^^^^^

      Annotations of argocd/payments, line 4, column 20, stepback.dev/mode
        "obsreve" is not known here. Did you mean "observe"?
          4 | stepback.dev/mode: obsreve
            |                    ^^^^^^^

      Annotations of argocd/payments, line 5, column 27, stepback.dev/reverts-max
        "-1" is no whole number. Write a whole number from 0 to 1000.
          5 | stepback.dev/reverts-max: -1
            |                           ^^"
    `);
  });

  test('are told when nobody knows them, and nothing is held for that', () => {
    const { settings, faults } = read({ 'stepback.dev/holds': 'true', 'stepback.dev/owner': 'team-a' });
    expect(settings.heldUntil).toBe(0);
    expect(faults).toMatchInlineSnapshot(`
      "Warning: Annotations of argocd/payments, line 1, column 1, stepback.dev/holds
        "stepback.dev/holds" does nothing. Did you mean "stepback.dev/hold"?
          1 | stepback.dev/holds: true
            | ^^^^^^^^^^^^^^^^^^

      Warning: Annotations of argocd/payments, line 2, column 1, stepback.dev/owner
        "stepback.dev/owner" does nothing. Known are mode, hold, reverts-max, contain, recover, grace, bake, stalled, stuck, unnoticed, failure-too-old, culprit-too-old, sync-attempts.
          2 | stepback.dev/owner: team-a
            | ^^^^^^^^^^^^^^^^^^"
    `);
  });

  test('cannot be moments that are none', () => {
    for (const value of [
      '2026-02-30',
      '2026-08-01T25:00Z',
      '2026-08-01T12:00',
      '1969-01-01',
      'True',
      '0',
      '2026-13-01',
    ])
      expect([value, read({ 'stepback.dev/hold': value }).settings.heldUntil]).toEqual([value, heldForGood]);
  });

  test('never make anything laxer, whatever the files say', () => {
    const values = fc.constantFrom(
      'true',
      'false',
      'observe',
      'auto-merge',
      'off',
      'freeze',
      'sync',
      '1s',
      '30d',
      '0',
      '99',
      '',
      'x',
    );
    const names = fc.constantFrom(
      'mode',
      'hold',
      'grace',
      'bake',
      'stuck',
      'contain',
      'recover',
      'sync-attempts',
      'reverts-max',
      'culprit-too-old',
      'failure-too-old',
      'y',
    );
    const annotations = fc.dictionary(
      names.map((name) => `stepback.dev/${name}`),
      values,
    );
    fc.assert(
      fc.property(files, files, fc.constantFrom(...setKeys), annotations, (one, other, setKey, found) => {
        const configuration = configurationOf([one, other]);
        const without = settingsFor(configuration, { key: setKey, annotations: {} }).settings;
        const narrowed = settingsFor(configuration, { key: setKey, annotations: found }).settings;
        expect(laxerThan(narrowed, without)).toEqual([]);
      }),
      { numRuns: 150 },
    );
  });
});
