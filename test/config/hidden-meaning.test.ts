/** Files that would mean more or something else than they show: what people are told of each. */
import { describe, expect, test } from 'vitest';
import { faultsOf } from './reading.ts';

describe('what refers to another place, or makes a text mean something else, is not followed', () => {
  test('an anchor with its aliases', () => {
    expect(
      faultsOf(`times: &slow
  grace: 5m
applicationSets:
  argocd/payments:
    times: *slow
`),
    ).toMatchInlineSnapshot(`
      "stepback.yaml, line 1, column 8, times
        The anchor "&slow" has no use, because aliases are not followed. Take it out.
          1 | times: &slow
            |        ^^^^^

      stepback.yaml, line 5, column 12, applicationSets["argocd/payments"].times
        The alias "*slow" is not followed. Write the value out.
          5 |     times: *slow
            |            ^^^^^"
    `);
  });

  test('an alias of nothing', () => {
    expect(faultsOf('mode: *mode\n')).toMatchInlineSnapshot(`
      "stepback.yaml, line 1, column 7, mode
        The alias "*mode" is not followed. Write the value out.
          1 | mode: *mode
            |       ^^^^^"
    `);
  });

  test('a merge key', () => {
    expect(
      faultsOf(`times: &slow
  grace: 5m
applicationSets:
  payments:
    times:
      <<: *slow
`),
    ).toMatchInlineSnapshot(`
      "stepback.yaml, line 1, column 8, times
        The anchor "&slow" has no use, because aliases are not followed. Take it out.
          1 | times: &slow
            |        ^^^^^

      stepback.yaml, line 6, column 7, applicationSets.payments.times
        Merge keys ("<<") are not followed. Write the values out.
          6 |       <<: *slow
            |       ^^"
    `);
  });

  test('the version of YAML in which off is false', () => {
    expect(
      faultsOf(`%YAML 1.1
---
contain: off
`),
    ).toMatchInlineSnapshot(`
      "stepback.yaml, line 1, column 1
        The file names a version of YAML. Take the line out; it is read as YAML 1.2.
          1 | %YAML 1.1
            | ^^^^^"
    `);
  });

  test('a tag of YAML', () => {
    expect(faultsOf('mode: !!str propose\n')).toMatchInlineSnapshot(`
      "stepback.yaml, line 1, column 7, mode
        The tag "!!str" is not read. Take it out.
          1 | mode: !!str propose
            |       ^^^^^"
    `);
  });

  test('a tag of somebody', () => {
    expect(faultsOf('mode: !env MODE\n')).toMatchInlineSnapshot(`
      "stepback.yaml, line 1, column 7, mode
        The tag "!env" is not read. Take it out.
          1 | mode: !env MODE
            |       ^^^^"
    `);
  });

  test('an object for a key', () => {
    expect(
      faultsOf(`? {mode: propose}
: true
`),
    ).toMatchInlineSnapshot(`
      "stepback.yaml, line 1, column 3
        A key must be one word, and this is a list or a map. Take the brackets away.
          1 | ? {mode: propose}
            |   ^^^^^^^^^^^^^^^"
    `);
  });

  test('an empty key', () => {
    expect(faultsOf(': propose\n')).toMatchInlineSnapshot(`
      "stepback.yaml, line 1, column 1, [""]
        "" is not known at the top of the file. Write one of mode, thresholds, ignore, optOut, commands, limits, contain, freezeOwned, recover, stop, times, syncAttempts, reviewers, labels, templates, signOff, applicationSets.
          1 | : propose
            | ^"
    `);
  });
});

describe('what nobody sees', () => {
  test('a no-break space in front of a value', () => {
    expect(faultsOf('mode: \u00a0propose\n')).toMatchInlineSnapshot(`
      "stepback.yaml, line 1, column 7, mode
        This has the character U+00A0, which nobody sees or which looks like a space. Type it again.
          1 | mode: �propose
            |       ^"
    `);
  });

  test('a zero-width space in a key', () => {
    expect(faultsOf('mo\u200bde: propose\n')).toMatchInlineSnapshot(`
      "stepback.yaml, line 1, column 3
        This has the character U+200B, which nobody sees or which looks like a space. Type it again.
          1 | mo�de: propose
            |   ^"
    `);
  });

  test('text that reads backwards', () => {
    expect(faultsOf('labels: ["safe\u202elabel"]\n')).toMatchInlineSnapshot(`
      "stepback.yaml, line 1, column 15, labels[0]
        This has the character U+202E, which nobody sees or which looks like a space. Type it again.
          1 | labels: ["safe�label"]
            |               ^"
    `);
  });

  test('a bell behind an escape', () => {
    expect(faultsOf('labels: ["ding\\a"]\n')).toMatchInlineSnapshot(`
      "stepback.yaml, line 1, column 10, labels[0]
        This has the character U+0007, which nobody sees or which looks like a space. Type it again.
          1 | labels: ["ding\\a"]
            |          ^^^^^^^^"
    `);
  });

  test('a line separator', () => {
    expect(faultsOf('mode: propose\u2028signOff: true\n')).toMatchInlineSnapshot(`
      "stepback.yaml, line 1, column 14
        The file has the control character U+2028. Take it out.
          1 | mode: propose�signOff: true
            |              ^"
    `);
  });

  test('Cyrillic letters that look like Latin ones', () => {
    expect(faultsOf('m\u043ede: propose\nmode: r\u0435vert\n')).toMatchInlineSnapshot(`
      "stepback.yaml, line 1, column 1, ["mоde"]
        "mоde" is not known at the top of the file. Did you mean "mode"?
          1 | mоde: propose
            | ^^^^

      stepback.yaml, line 2, column 7, mode
        "rеvert" is not known here. Did you mean "revert"?
          2 | mode: rеvert
            |       ^^^^^^"
    `);
  });
});
