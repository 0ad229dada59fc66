/** Templates, opt-outs and rules of commands that would do harm: what people are told of each. */
import { describe, expect, test } from 'vitest';
import { faultsOf } from './reading.ts';

describe('a template of a branch', () => {
  test('may not be two names', () => {
    expect(
      faultsOf(`templates:
  branch: "stepback/{instance}/revert {commit}"
`),
    ).toMatchInlineSnapshot(`
      "stepback.yaml, line 2, column 11, templates.branch
        " " may not be in the name of a branch here. Use letters, digits, dashes, dots and slashes.
          2 |   branch: "stepback/{instance}/revert {commit}"
            |           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^"
    `);
  });

  test('may not climb', () => {
    expect(
      faultsOf(`templates:
  branch: "../{instance}/{commit}"
`),
    ).toMatchInlineSnapshot(`
      "stepback.yaml, line 2, column 11, templates.branch
        The name of a branch may not have "..". Use letters, digits, dashes, dots and slashes.
          2 |   branch: "../{instance}/{commit}"
            |           ^^^^^^^^^^^^^^^^^^^^^^^^"
    `);
  });

  test('may not be a full reference', () => {
    expect(
      faultsOf(`templates:
  branch: "refs/heads/{instance}/{commit}"
`),
    ).toMatchInlineSnapshot(`
      "stepback.yaml, line 2, column 11, templates.branch
        Git puts "refs/heads/" before it by itself. Use letters, digits, dashes, dots and slashes.
          2 |   branch: "refs/heads/{instance}/{commit}"
            |           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^"
    `);
  });

  test('may not end like a lock', () => {
    expect(
      faultsOf(`templates:
  branch: "{instance}/{commit}.lock"
`),
    ).toMatchInlineSnapshot(`
      "stepback.yaml, line 2, column 11, templates.branch
        No part of the name of a branch may end with ".lock". Use letters, digits, dashes, dots and slashes.
          2 |   branch: "{instance}/{commit}.lock"
            |           ^^^^^^^^^^^^^^^^^^^^^^^^^^"
    `);
  });

  test('may not look like an option', () => {
    expect(
      faultsOf(`templates:
  branch: "--upload-pack={instance}{commit}"
`),
    ).toMatchInlineSnapshot(`
      "stepback.yaml, line 2, column 11, templates.branch
        The name of a branch may not begin with "-". Use letters, digits, dashes, dots and slashes.
          2 |   branch: "--upload-pack={instance}{commit}"
            |           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^"
    `);
  });

  test('may not be an expression of git', () => {
    expect(
      faultsOf(`templates:
  branch: "{instance}@{{0}}{commit}"
`),
    ).toMatchInlineSnapshot(`
      "stepback.yaml, line 2, column 11, templates.branch
        "@" may not be in the name of a branch here. Use letters, digits, dashes, dots and slashes.
          2 |   branch: "{instance}@{{0}}{commit}"
            |           ^^^^^^^^^^^^^^^^^^^^^^^^^^"
    `);
  });

  test('may not have a wildcard', () => {
    expect(
      faultsOf(`templates:
  branch: "{instance}/*/{commit}"
`),
    ).toMatchInlineSnapshot(`
      "stepback.yaml, line 2, column 11, templates.branch
        "*" may not be in the name of a branch here. Use letters, digits, dashes, dots and slashes.
          2 |   branch: "{instance}/*/{commit}"
            |           ^^^^^^^^^^^^^^^^^^^^^^^"
    `);
  });
});

describe('a template of a text', () => {
  test('of a title has one line', () => {
    expect(
      faultsOf(`templates:
  title: |
    Revert
    {subject}
`),
    ).toMatchInlineSnapshot(`
      "stepback.yaml, line 2, column 10, templates.title
        A title has one line. Write it on one line, without "|" or ">".
          2 |   title: |
            |          ^"
    `);
  });

  test('has an end', () => {
    expect(
      faultsOf(`templates:\n  title: ${'x'.repeat(201)}\n  branch: "{instance}{commit}${'y'.repeat(90)}"\n`),
    ).toMatchInlineSnapshot(`
      "stepback.yaml, line 2, column 10, templates.title
        The template has 201 characters. Write at most 200.
          2 |   title: xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…
            |          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^

      stepback.yaml, line 3, column 11, templates.branch
        The template has 108 characters. Write at most 100.
          3 |   branch: "{instance}{commit}yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy…
            |           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^"
    `);
  });

  test('says something', () => {
    expect(faultsOf('templates:\n  title: " "\n  commitMessage: "\\n{body}"\n')).toMatchInlineSnapshot(`
      "stepback.yaml, line 2, column 10, templates.title
        The template is empty. Leave the key out.
          2 |   title: " "
            |          ^^^

      stepback.yaml, line 3, column 18, templates.commitMessage
        The first line is the subject. Begin with a word.
          3 |   commitMessage: "\\n{body}"
            |                  ^^^^^^^^^^"
    `);
  });

  test('may not forge the lines by which a revert is found again', () => {
    expect(
      faultsOf(`templates:
  commitMessage: |
    Revert {subject}

    Stepback-Incident: argocd-0123456789ab
`),
    ).toMatchInlineSnapshot(`
      "stepback.yaml, line 2, column 18, templates.commitMessage
        The line "Stepback-Incident:" is one that Stepback writes itself. Leave it out; Stepback adds its own lines below the message, and signOff the one for the DCO.
          2 |   commitMessage: |
            |                  ^"
    `);
  });

  test('is a text', () => {
    expect(
      faultsOf(`templates:
  title: 42
  commitMessage: [a]
`),
    ).toMatchInlineSnapshot(`
      "stepback.yaml, line 2, column 10, templates.title
        "42" is a number in YAML, and not a text. Put it in quotes: "42".
          2 |   title: 42
            |          ^^

      stepback.yaml, line 3, column 18, templates.commitMessage
        This is a list, and a template is needed. Write one value behind the colon.
          3 |   commitMessage: [a]
            |                  ^^^"
    `);
  });
});

describe('an opt-out', () => {
  test('is the key of a trailer', () => {
    expect(
      faultsOf(`optOut:
  trailers: ["Stepback-Skip: true", no revert, "", 1]
`),
    ).toMatchInlineSnapshot(`
      "stepback.yaml, line 2, column 14, optOut.trailers[0]
        "Stepback-Skip: true" cannot be the key of a trailer. Write the key alone; any value counts: "Stepback-Skip".
          2 |   trailers: ["Stepback-Skip: true", no revert, "", 1]
            |              ^^^^^^^^^^^^^^^^^^^^^

      stepback.yaml, line 2, column 37, optOut.trailers[1]
        "no revert" cannot be the key of a trailer. Write the key alone; any value counts: "no-revert".
          2 |   trailers: ["Stepback-Skip: true", no revert, "", 1]
            |                                     ^^^^^^^^^

      stepback.yaml, line 2, column 48, optOut.trailers[2]
        "" cannot be the key of a trailer. Write the key of a trailer in a commit message, without its colon, such as "Stepback-Skip".
          2 |   trailers: ["Stepback-Skip: true", no revert, "", 1]
            |                                                ^^

      stepback.yaml, line 2, column 52, optOut.trailers[3]
        "1" is a number in YAML, and not a text. Put it in quotes: "1".
          2 |   trailers: ["Stepback-Skip: true", no revert, "", 1]
            |                                                    ^"
    `);
  });

  test('may not be a trailer that all changes have', () => {
    expect(
      faultsOf(`optOut:
  trailers: [Signed-off-by]
`),
    ).toMatchInlineSnapshot(`
      "stepback.yaml, line 2, column 14, optOut.trailers[0]
        "Signed-off-by" is a trailer with a meaning of its own, and changes that have it would never be reverted. Choose a key that only says this, such as "Stepback-Skip".
          2 |   trailers: [Signed-off-by]
            |              ^^^^^^^^^^^^^"
    `);
  });
});

describe('commands', () => {
  test('are those that there are', () => {
    expect(
      faultsOf(`commands:
  rollback: {teams: [platform]}
  synch: {teams: [platform]}
`),
    ).toMatchInlineSnapshot(`
      "stepback.yaml, line 2, column 3, commands.rollback
        "rollback" is not known here. Write one of help, status, explain, revert, restore, sync, hold, resume, snooze, dismiss, retry, freeze, thaw.
          2 |   rollback: {teams: [platform]}
            |   ^^^^^^^^

      stepback.yaml, line 3, column 3, commands.synch
        "synch" is not known here. Did you mean "sync"?
          3 |   synch: {teams: [platform]}
            |   ^^^^^"
    `);
  });

  test('have rules with known keys', () => {
    expect(
      faultsOf(`commands:
  sync: {team: [platform], groups: [x]}
  revert: [platform]
`),
    ).toMatchInlineSnapshot(`
      "stepback.yaml, line 2, column 10, commands.sync.team
        "team" is not known here. Did you mean "teams"?
          2 |   sync: {team: [platform], groups: [x]}
            |          ^^^^

      stepback.yaml, line 2, column 28, commands.sync.groups
        "groups" is not known here. Write one of teams, users, codeOwners, permission.
          2 |   sync: {team: [platform], groups: [x]}
            |                            ^^^^^^

      stepback.yaml, line 3, column 11, commands.revert
        This is a list, and keys with values are needed. Write each key on a line of its own below, with two spaces before it.
          3 |   revert: [platform]
            |           ^^^^^^^^^^"
    `);
  });

  test('cannot be given to those who have no right', () => {
    expect(
      faultsOf(`commands:
  revert: {permission: read}
  sync: {permission: owner}
`),
    ).toMatchInlineSnapshot(`
      "stepback.yaml, line 2, column 24, commands.revert.permission
        "read" is less than "write", which this command always needs. Write "write" or more, or leave the key out.
          2 |   revert: {permission: read}
            |                        ^^^^

      stepback.yaml, line 3, column 22, commands.sync.permission
        "owner" is not known here. Write one of read, triage, write, maintain, admin.
          3 |   sync: {permission: owner}
            |                      ^^^^^"
    `);
  });

  test('that are left to nobody are a warning', () => {
    expect(
      faultsOf(`commands:
  revert: {teams: []}
  sync: {codeOwners: true}
`),
    ).toMatchInlineSnapshot(`
      "Warning: stepback.yaml, line 2, column 11, commands.revert
        Nobody may use "/stepback revert" with this. Name a team or a person if somebody should.
          2 |   revert: {teams: []}
            |           ^^^^^^^^^^^

      Warning: stepback.yaml, line 3, column 9, commands.sync
        Nobody may use "/stepback sync" with this. Name a team or a person if somebody should.
          3 |   sync: {codeOwners: true}
            |         ^^^^^^^^^^^^^^^^^^"
    `);
  });
});
