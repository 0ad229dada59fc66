/** Values that cannot be meant: wrong units, wrong types, out of range. What people are told of each. */
import { describe, expect, test } from 'vitest';
import { faultsOf } from './reading.ts';

describe('times', () => {
  test('without a unit', () => {
    expect(
      faultsOf(`times:
  grace: 120
`),
    ).toMatchInlineSnapshot(`
      "stepback.yaml, line 2, column 10, times.grace
        "120" has no unit. Write it with its unit: "120s" or "120m".
          2 |   grace: 120
            |          ^^^"
    `);
  });

  test('in other words', () => {
    expect(
      faultsOf(`times:
  grace: 2 minutes
  bake: 1.5h
  stalled: PT45M
  stuck: 30M
  unnoticed: "10 min, 30 sec"
  failureTooOld: -6h
  culpritTooOld: 1500ms
`),
    ).toMatchInlineSnapshot(`
      "stepback.yaml, line 2, column 10, times.grace
        "2 minutes" is no time. Did you mean "2m"?
          2 |   grace: 2 minutes
            |          ^^^^^^^^^

      stepback.yaml, line 3, column 9, times.bake
        "1.5h" is no time. Did you mean "1h30m"?
          3 |   bake: 1.5h
            |         ^^^^

      stepback.yaml, line 4, column 12, times.stalled
        "PT45M" is no time. Did you mean "45m"?
          4 |   stalled: PT45M
            |            ^^^^^

      stepback.yaml, line 5, column 10, times.stuck
        "30M" is no time. Did you mean "30m"?
          5 |   stuck: 30M
            |          ^^^

      stepback.yaml, line 6, column 14, times.unnoticed
        "10 min, 30 sec" is no time. Did you mean "10m30s"?
          6 |   unnoticed: "10 min, 30 sec"
            |              ^^^^^^^^^^^^^^^^

      stepback.yaml, line 7, column 18, times.failureTooOld
        "-6h" is no time. Did you mean "6h"?
          7 |   failureTooOld: -6h
            |                  ^^^

      stepback.yaml, line 8, column 18, times.culpritTooOld
        "1500ms" is no time. Did you mean "2s"?
          8 |   culpritTooOld: 1500ms
            |                  ^^^^^^"
    `);
  });

  test('that nobody understands', () => {
    expect(
      faultsOf(`times:
  grace: soon
  bake: 1:30
  stalled: 2w
  stuck: ""
  unnoticed: 30m1h
`),
    ).toMatchInlineSnapshot(`
      "stepback.yaml, line 2, column 10, times.grace
        "soon" is no time. Write it like "90s", "2m", "1h30m" or "1d".
          2 |   grace: soon
            |          ^^^^

      stepback.yaml, line 3, column 9, times.bake
        "1:30" is no time. Write it like "90s", "2m", "1h30m" or "1d".
          3 |   bake: 1:30
            |         ^^^^

      stepback.yaml, line 4, column 12, times.stalled
        "2w" is no time. Did you mean "14d"?
          4 |   stalled: 2w
            |            ^^

      stepback.yaml, line 5, column 10, times.stuck
        "" is no time. Write it like "90s", "2m", "1h30m" or "1d".
          5 |   stuck: ""
            |          ^^

      stepback.yaml, line 6, column 14, times.unnoticed
        "30m1h" is no time. Did you mean "1h30m"?
          6 |   unnoticed: 30m1h
            |              ^^^^^"
    `);
  });

  test('out of range', () => {
    expect(
      faultsOf(`times:
  grace: 0s
  bake: 31d
  stalled: 999999d
`),
    ).toMatchInlineSnapshot(`
      "stepback.yaml, line 2, column 10, times.grace
        "0s" is too short. Write a time from 1s to 30d.
          2 |   grace: 0s
            |          ^^

      stepback.yaml, line 3, column 9, times.bake
        "31d" is too long. Write a time from 1s to 30d.
          3 |   bake: 31d
            |         ^^^

      stepback.yaml, line 4, column 12, times.stalled
        "999999d" is too long. Write a time from 1s to 30d.
          4 |   stalled: 999999d
            |            ^^^^^^^"
    `);
  });

  test('of the wrong kind', () => {
    expect(
      faultsOf(`times:
  grace:
  bake: [30m]
  stalled: {minutes: 30}
  stuck: true
`),
    ).toMatchInlineSnapshot(`
      "stepback.yaml, line 2, column 9, times.grace
        There is no value. Write a time from 1s to 30d, or leave the key out.
          2 |   grace:
            |         ^

      stepback.yaml, line 3, column 9, times.bake
        This is a list, and a time from 1s to 30d is needed. Write one value behind the colon.
          3 |   bake: [30m]
            |         ^^^^^

      stepback.yaml, line 4, column 12, times.stalled
        This is keys with values, and a time from 1s to 30d is needed. Write one value behind the colon.
          4 |   stalled: {minutes: 30}
            |            ^^^^^^^^^^^^^

      stepback.yaml, line 5, column 10, times.stuck
        "true" is no time. Write it like "90s", "2m", "1h30m" or "1d".
          5 |   stuck: true
            |          ^^^^"
    `);
  });
});

describe('whole numbers', () => {
  test('are written as such', () => {
    expect(
      faultsOf(`syncAttempts: "2"
limits:
  repository: 1.5
  applicationSet: -1
  autoMerge: 1e3
`),
    ).toMatchInlineSnapshot(`
      "stepback.yaml, line 1, column 15, syncAttempts
        "2" is a text. Take the quotes away.
          1 | syncAttempts: "2"
            |               ^^^

      stepback.yaml, line 3, column 15, limits.repository
        "1.5" is no whole number. Write a whole number from 0 to 1000.
          3 |   repository: 1.5
            |               ^^^

      stepback.yaml, line 4, column 19, limits.applicationSet
        "-1" is no whole number. Write a whole number from 0 to 1000.
          4 |   applicationSet: -1
            |                   ^^

      stepback.yaml, line 5, column 14, limits.autoMerge
        "1e3" is no whole number. Write a whole number from 0 to 1000.
          5 |   autoMerge: 1e3
            |              ^^^"
    `);
  });

  test('have a range', () => {
    expect(
      faultsOf(`syncAttempts: 0
limits:
  repository: 1001
  applicationSet: 99999999999999999999
  autoMerge: 0x10
`),
    ).toMatchInlineSnapshot(`
      "stepback.yaml, line 1, column 15, syncAttempts
        "0" is out of range. Write a whole number from 1 to 100.
          1 | syncAttempts: 0
            |               ^

      stepback.yaml, line 3, column 15, limits.repository
        "1001" is out of range. Write a whole number from 0 to 1000.
          3 |   repository: 1001
            |               ^^^^

      stepback.yaml, line 4, column 19, limits.applicationSet
        "99999999999999999999" is no whole number. Write a whole number from 0 to 1000.
          4 |   applicationSet: 99999999999999999999
            |                   ^^^^^^^^^^^^^^^^^^^^

      stepback.yaml, line 5, column 14, limits.autoMerge
        "0x10" is no whole number. Write a whole number from 0 to 1000.
          5 |   autoMerge: 0x10
            |              ^^^^"
    `);
  });
});

describe('words of a ladder', () => {
  test('are known or guessed', () => {
    expect(
      faultsOf(`mode: Revert
contain: freez
recover: resync
`),
    ).toMatchInlineSnapshot(`
      "stepback.yaml, line 1, column 7, mode
        "Revert" is not known here. Did you mean "revert"?
          1 | mode: Revert
            |       ^^^^^^

      stepback.yaml, line 2, column 10, contain
        "freez" is not known here. Did you mean "freeze"?
          2 | contain: freez
            |          ^^^^^

      stepback.yaml, line 3, column 10, recover
        "resync" is not known here. Did you mean "sync"?
          3 | recover: resync
            |          ^^^^^^"
    `);
  });

  test('are words and no switches', () => {
    expect(
      faultsOf(`mode: true
contain: false
recover: no
`),
    ).toMatchInlineSnapshot(`
      "stepback.yaml, line 1, column 7, mode
        "true" is not known here. Write one of observe, comment, propose, revert, auto-merge.
          1 | mode: true
            |       ^^^^

      stepback.yaml, line 2, column 10, contain
        "false" is not known here. Did you mean "off"?
          2 | contain: false
            |          ^^^^^

      stepback.yaml, line 3, column 10, recover
        "no" is not known here. Write one of advise, refresh, sync.
          3 | recover: no
            |          ^^"
    `);
  });

  test('are one and not several', () => {
    expect(faultsOf('mode: [observe, propose]\n')).toMatchInlineSnapshot(`
      "stepback.yaml, line 1, column 7, mode
        This is a list, and one of observe, comment, propose, revert, auto-merge is needed. Write one value behind the colon.
          1 | mode: [observe, propose]
            |       ^^^^^^^^^^^^^^^^^^"
    `);
  });

  test('near none of them get all', () => {
    expect(faultsOf('mode: yolo\n')).toMatchInlineSnapshot(`
      "stepback.yaml, line 1, column 7, mode
        "yolo" is not known here. Write one of observe, comment, propose, revert, auto-merge.
          1 | mode: yolo
            |       ^^^^"
    `);
  });
});

describe('switches', () => {
  test('are true or false', () => {
    expect(
      faultsOf(`signOff: yes
freezeOwned: "true"
`),
    ).toMatchInlineSnapshot(`
      "stepback.yaml, line 1, column 10, signOff
        "yes" is neither true nor false. Write true, without quotes.
          1 | signOff: yes
            |          ^^^

      stepback.yaml, line 2, column 14, freezeOwned
        "true" is neither true nor false. Write true, without quotes.
          2 | freezeOwned: "true"
            |              ^^^^^^"
    `);
  });
});
