/** Keys that are not there, stand in the wrong place, or stand there twice: what people are told of each. */
import { describe, expect, test } from 'vitest';
import { faultsOf } from './reading.ts';

describe('unknown keys', () => {
  test('get the one that was meant', () => {
    expect(
      faultsOf(`Mode: propose
time:
  grace: 2m
times:
  stuk: 1h
rewievers:
  users: [octocat]
auto-merge: true
`),
    ).toMatchInlineSnapshot(`
      "stepback.yaml, line 1, column 1, Mode
        "Mode" is not known at the top of the file. Did you mean "mode"?
          1 | Mode: propose
            | ^^^^

      stepback.yaml, line 2, column 1, time
        "time" is not known at the top of the file. Did you mean "times"?
          2 | time:
            | ^^^^

      stepback.yaml, line 5, column 3, times.stuk
        "stuk" is not known here. Did you mean "stuck"?
          5 |   stuk: 1h
            |   ^^^^

      stepback.yaml, line 6, column 1, rewievers
        "rewievers" is not known at the top of the file. Did you mean "reviewers"?
          6 | rewievers:
            | ^^^^^^^^^

      stepback.yaml, line 8, column 1, ["auto-merge"]
        "auto-merge" is not known at the top of the file. Write one of mode, thresholds, ignore, optOut, commands, limits, contain, freezeOwned, recover, stop, times, syncAttempts, reviewers, labels, templates, signOff, applicationSets.
          8 | auto-merge: true
            | ^^^^^^^^^^"
    `);
  });

  test('get all that there are where none is near', () => {
    expect(
      faultsOf(`stepback:
  mode: propose
`),
    ).toMatchInlineSnapshot(`
      "stepback.yaml, line 1, column 1, stepback
        "stepback" is not known at the top of the file. Write one of mode, thresholds, ignore, optOut, commands, limits, contain, freezeOwned, recover, stop, times, syncAttempts, reviewers, labels, templates, signOff, applicationSets.
          1 | stepback:
            | ^^^^^^^^"
    `);
  });

  test('with a dot are no paths', () => {
    expect(faultsOf('times.grace: 2m\n')).toMatchInlineSnapshot(`
      "stepback.yaml, line 1, column 1, ["times.grace"]
        "times.grace" is not known at the top of the file. Write it as "grace" below "times".
          1 | times.grace: 2m
            | ^^^^^^^^^^^"
    `);
  });

  test('that try to reach the prototype are only unknown', () => {
    expect(
      faultsOf(`__proto__:
  mode: auto-merge
constructor: {}
times: {__proto__: 1, toString: 2}
commands: {__proto__: {}, hasOwnProperty: {}}
`),
    ).toMatchInlineSnapshot(`
      "stepback.yaml, line 1, column 1, ["__proto__"]
        "__proto__" is not known at the top of the file. Write one of mode, thresholds, ignore, optOut, commands, limits, contain, freezeOwned, recover, stop, times, syncAttempts, reviewers, labels, templates, signOff, applicationSets.
          1 | __proto__:
            | ^^^^^^^^^

      stepback.yaml, line 3, column 1, constructor
        "constructor" is not known at the top of the file. Write one of mode, thresholds, ignore, optOut, commands, limits, contain, freezeOwned, recover, stop, times, syncAttempts, reviewers, labels, templates, signOff, applicationSets.
          3 | constructor: {}
            | ^^^^^^^^^^^

      stepback.yaml, line 4, column 9, times["__proto__"]
        "__proto__" is not known here. Write one of grace, bake, stalled, stuck, unnoticed, failureTooOld, culpritTooOld.
          4 | times: {__proto__: 1, toString: 2}
            |         ^^^^^^^^^

      stepback.yaml, line 4, column 23, times.toString
        "toString" is not known here. Write one of grace, bake, stalled, stuck, unnoticed, failureTooOld, culpritTooOld.
          4 | times: {__proto__: 1, toString: 2}
            |                       ^^^^^^^^

      stepback.yaml, line 5, column 12, commands["__proto__"]
        "__proto__" is not known here. Write one of help, status, explain, revert, restore, sync, hold, resume, snooze, dismiss, retry, freeze, thaw.
          5 | commands: {__proto__: {}, hasOwnProperty: {}}
            |            ^^^^^^^^^

      stepback.yaml, line 5, column 27, commands.hasOwnProperty
        "hasOwnProperty" is not known here. Write one of help, status, explain, revert, restore, sync, hold, resume, snooze, dismiss, retry, freeze, thaw.
          5 | commands: {__proto__: {}, hasOwnProperty: {}}
            |                           ^^^^^^^^^^^^^^"
    `);
  });

  test('of any length and form are quoted with care', () => {
    expect(
      faultsOf(`${'x'.repeat(300)}: 1\n"a\\nb": 2\n"": 3\n"@everyone <!-- #1 -->": 4\n`),
    ).toMatchInlineSnapshot(`
      "stepback.yaml, line 1, column 1, ["xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…"]
        "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…" is not known at the top of the file. Write one of mode, thresholds, ignore, optOut, commands, limits, contain, freezeOwned, recover, stop, times, syncAttempts, reviewers, labels, templates, signOff, applicationSets.
          1 | xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…
            | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^

      stepback.yaml, line 2, column 1, ["a b"]
        "a b" is not known at the top of the file. Write one of mode, thresholds, ignore, optOut, commands, limits, contain, freezeOwned, recover, stop, times, syncAttempts, reviewers, labels, templates, signOff, applicationSets.
          2 | "a\\nb": 2
            | ^^^^^^

      stepback.yaml, line 3, column 1, [""]
        "" is not known at the top of the file. Write one of mode, thresholds, ignore, optOut, commands, limits, contain, freezeOwned, recover, stop, times, syncAttempts, reviewers, labels, templates, signOff, applicationSets.
          3 | "": 3
            | ^^

      stepback.yaml, line 4, column 1, ["@everyone <!-- #1 -->"]
        "@everyone <!-- #1 -->" is not known at the top of the file. Write one of mode, thresholds, ignore, optOut, commands, limits, contain, freezeOwned, recover, stop, times, syncAttempts, reviewers, labels, templates, signOff, applicationSets.
          4 | "@everyone <!-- #1 -->": 4
            | ^^^^^^^^^^^^^^^^^^^^^^^"
    `);
  });
});

describe('keys in the wrong place', () => {
  test('are told where they belong', () => {
    expect(
      faultsOf(`grace: 2m
teams: [platform]
times:
  mode: propose
  applicationSets: {}
limits:
  contain: off
`),
    ).toMatchInlineSnapshot(`
      "stepback.yaml, line 1, column 1, grace
        "grace" is not known at the top of the file. Write it as "grace" below "times".
          1 | grace: 2m
            | ^^^^^

      stepback.yaml, line 2, column 1, teams
        "teams" is not known at the top of the file. Write it as "teams" below "reviewers".
          2 | teams: [platform]
            | ^^^^^

      stepback.yaml, line 4, column 3, times.mode
        "mode" is not known here. Move it out of "times".
          4 |   mode: propose
            |   ^^^^

      stepback.yaml, line 5, column 3, times.applicationSets
        "applicationSets" is not known here. Move "applicationSets" to the top of the file.
          5 |   applicationSets: {}
            |   ^^^^^^^^^^^^^^^

      stepback.yaml, line 7, column 3, limits.contain
        "contain" is not known here. Move it out of "limits".
          7 |   contain: off
            |   ^^^^^^^"
    `);
  });

  test('of the repository do nothing below an ApplicationSet', () => {
    expect(
      faultsOf(`applicationSets:
  payments:
    templates:
      title: "{subject}"
    limits:
      repository: 3
    signOff: true
    stop:
      labels: [halt]
    applicationSets: {}
`),
    ).toMatchInlineSnapshot(`
      "stepback.yaml, line 3, column 5, applicationSets.payments.templates
        "templates" is not known here. Move "templates" to the top of the file.
          3 |     templates:
            |     ^^^^^^^^^

      stepback.yaml, line 6, column 7, applicationSets.payments.limits.repository
        "repository" is not known here. It is for the whole repository: write it as "repository" below "limits" at the top of the file.
          6 |       repository: 3
            |       ^^^^^^^^^^

      stepback.yaml, line 7, column 5, applicationSets.payments.signOff
        "signOff" is not known here. It is for the whole repository: write it at the top of the file.
          7 |     signOff: true
            |     ^^^^^^^

      stepback.yaml, line 8, column 5, applicationSets.payments.stop
        "stop" is not known here. Move "stop" to the top of the file.
          8 |     stop:
            |     ^^^^

      stepback.yaml, line 10, column 5, applicationSets.payments.applicationSets
        "applicationSets" is not known here. Move "applicationSets" to the top of the file.
          10 |     applicationSets: {}
             |     ^^^^^^^^^^^^^^^"
    `);
  });

  test('of annotations and of the environment are none of a file', () => {
    expect(
      faultsOf(`hold: true
limits:
  installation: 100
`),
    ).toMatchInlineSnapshot(`
      "stepback.yaml, line 1, column 1, hold
        "hold" is not known at the top of the file. It is an annotation of the ApplicationSet: "stepback.dev/hold".
          1 | hold: true
            | ^^^^

      stepback.yaml, line 3, column 3, limits.installation
        "installation" is not known here. Whoever runs Stepback sets it as STEPBACK_REVERTS_PER_DAY.
          3 |   installation: 100
            |   ^^^^^^^^^^^^"
    `);
  });
});

describe('keys that are there twice', () => {
  test('are a fault, whichever is meant', () => {
    expect(
      faultsOf(`mode: observe
times:
  grace: 2m
  grace: 1s
mode: auto-merge
`),
    ).toMatchInlineSnapshot(`
      "stepback.yaml, line 4, column 3, times.grace
        "grace" is there twice; line 3 has it as well. Keep one of them.
          4 |   grace: 1s
            |   ^^^^^

      stepback.yaml, line 5, column 1, mode
        "mode" is there twice; line 1 has it as well. Keep one of them.
          5 | mode: auto-merge
            | ^^^^"
    `);
  });

  test('as a word and as a quoted word', () => {
    expect(
      faultsOf(`mode: observe
"mode": revert
`),
    ).toMatchInlineSnapshot(`
      "stepback.yaml, line 2, column 1, mode
        "mode" is there twice; line 1 has it as well. Keep one of them.
          2 | "mode": revert
            | ^^^^^^"
    `);
  });

  test('as an ApplicationSet', () => {
    expect(
      faultsOf(`applicationSets:
  argocd/payments: {mode: observe}
  argocd/payments: {mode: revert}
`),
    ).toMatchInlineSnapshot(`
      "stepback.yaml, line 3, column 3, applicationSets["argocd/payments"]
        "argocd/payments" is there twice; line 2 has it as well. Keep one of them.
          3 |   argocd/payments: {mode: revert}
            |   ^^^^^^^^^^^^^^^"
    `);
  });

  test('as a stage, once as a number', () => {
    expect(
      faultsOf(`thresholds:
  2: 1
  "2": 5
`),
    ).toMatchInlineSnapshot(`
      "stepback.yaml, line 3, column 3, thresholds["2"]
        "2" is there twice; line 2 has it as well. Keep one of them.
          3 |   "2": 5
            |   ^^^"
    `);
  });
});
