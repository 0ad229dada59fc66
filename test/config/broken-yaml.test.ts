/** Files that are no YAML, or YAML that would mean more than it says: what people are told of each. */
import { describe, expect, test } from 'vitest';
import { faultsOf } from './reading.ts';

describe('what is no YAML is told in words', () => {
  test('a tab for indentation', () => {
    expect(faultsOf('times:\n\tgrace: 2m\n')).toMatchInlineSnapshot(`
      "stepback.yaml, line 2, column 1
        The line is indented with a tab. Use spaces.
          2 | →grace: 2m
            | ^"
    `);
  });

  test('a quote that is not closed', () => {
    expect(
      faultsOf(`mode: "propose
times:
  grace: 2m
`),
    ).toMatchInlineSnapshot(`
      "stepback.yaml, line 1, column 7
        A quote is not closed. Close it.
          1 | mode: "propose
            |       ^"
    `);
  });

  test('a bracket that is not closed', () => {
    expect(
      faultsOf(`labels: [rollback, urgent
mode: propose
`),
    ).toMatchInlineSnapshot(`
      "stepback.yaml, line 1, column 9
        A bracket is not closed. Close it, with commas between what is inside.
          1 | labels: [rollback, urgent
            |         ^"
    `);
  });

  test('a brace too many', () => {
    expect(faultsOf('times: {grace: 2m}}\n')).toMatchInlineSnapshot(`
      "stepback.yaml, line 1, column 19
        This does not belong here. Look for a quote, a bracket or a comma too many, or put the whole text in quotes.
          1 | times: {grace: 2m}}
            |                   ^"
    `);
  });

  test('a key without a colon', () => {
    expect(
      faultsOf(`mode: propose
signOff
`),
    ).toMatchInlineSnapshot(`
      "stepback.yaml, line 2, column 1
        A key has no colon. Write a colon and a space behind it.
          2 | signOff
            | ^"
    `);
  });

  test('a key without a space behind its colon', () => {
    expect(faultsOf('mode:propose\n')).toMatchInlineSnapshot(`
      "stepback.yaml, line 1, column 1
        This is a text, and keys with values are needed. Write lines such as "mode: propose", with a space behind the colon.
          1 | mode:propose
            | ^^^^^^^^^^^^"
    `);
  });

  test('a first key without a colon', () => {
    expect(
      faultsOf(`mode propose
times:
  grace: 2m
`),
    ).toMatchInlineSnapshot(`
      "stepback.yaml, line 1, column 1
        A key goes over several lines, or its colon is missing. Write it on one line, with a colon and a space behind it.
          1 | mode propose
            | ^"
    `);
  });

  test('two keys on one line', () => {
    expect(faultsOf('times: grace: 2m\n')).toMatchInlineSnapshot(`
      "stepback.yaml, line 1, column 8
        There are two keys on one line, or a list where a key should be. Begin a new line after the first colon, or put a text that has a colon in quotes.
          1 | times: grace: 2m
            |        ^"
    `);
  });

  test('an indentation that fits nothing', () => {
    expect(
      faultsOf(`times:
    grace: 2m
  bake: 5m
`),
    ).toMatchInlineSnapshot(`
      "stepback.yaml, line 3, column 1
        The indentation does not fit the lines before. Begin every key of a group in the same column.
          3 |   bake: 5m
            | ^"
    `);
  });

  test('a list behind its key', () => {
    expect(faultsOf('labels: - rollback\n')).toMatchInlineSnapshot(`
      "stepback.yaml, line 1, column 9
        This does not belong here. Look for a quote, a bracket or a comma too many, or put the whole text in quotes.
          1 | labels: - rollback
            |         ^"
    `);
  });

  test('a list and keys side by side', () => {
    expect(
      faultsOf(`- mode: propose
times:
  grace: 2m
`),
    ).toMatchInlineSnapshot(`
      "stepback.yaml, line 1, column 1
        This is a list, and keys with values are needed. Write lines such as "mode: propose", with a space behind the colon.
          1 | - mode: propose
            | ^^^^^^^^^^^^^^^

      stepback.yaml, line 2, column 1
        This does not belong here. Look for a quote, a bracket or a comma too many, or put the whole text in quotes.
          2 | times:
            | ^

      stepback.yaml, line 3, column 3
        This does not belong here. Look for a quote, a bracket or a comma too many, or put the whole text in quotes.
          3 |   grace: 2m
            |   ^"
    `);
  });

  test('a person with an at sign', () => {
    expect(
      faultsOf(`reviewers:
  users: [@octocat]
`),
    ).toMatchInlineSnapshot(`
      "stepback.yaml, line 2, column 11
        A text cannot begin with "@", "\`" or "%". Put it in quotes; names of people and teams are written without "@".
          2 |   users: [@octocat]
            |           ^"
    `);
  });

  test('a backslash between double quotes', () => {
    expect(faultsOf('templates:\n  title: "Revert \\{subject}"\n')).toMatchInlineSnapshot(`
      "stepback.yaml, line 2, column 18
        Between double quotes a backslash begins an escape, and this is none. Write two backslashes, or use single quotes.
          2 |   title: "Revert \\{subject}"
            |                  ^"
    `);
  });

  test('a quote within quotes', () => {
    expect(
      faultsOf(`templates:
  title: 'It's {subject}'
`),
    ).toMatchInlineSnapshot(`
      "stepback.yaml, line 2, column 14
        This does not belong here. Look for a quote, a bracket or a comma too many, or put the whole text in quotes.
          2 |   title: 'It's {subject}'
            |              ^"
    `);
  });

  test('a second document', () => {
    expect(
      faultsOf(`mode: propose
---
mode: revert
`),
    ).toMatchInlineSnapshot(`
      "stepback.yaml, line 2, column 1
        There is a second document. Take out the line "---" and what follows it.
          2 | ---
            | ^"
    `);
  });

  test('a merge conflict', () => {
    expect(
      faultsOf(`<<<<<<< HEAD
mode: propose
=======
mode: revert
>>>>>>> branch
`),
    ).toMatchInlineSnapshot(`
      "stepback.yaml, line 1, column 1
        This is a mark of a merge conflict. Keep one of the two sides and take the marks out.
          1 | <<<<<<< HEAD
            | ^

      stepback.yaml, line 3, column 1
        This is a mark of a merge conflict. Keep one of the two sides and take the marks out.
          3 | =======
            | ^

      stepback.yaml, line 5, column 1
        This is a mark of a merge conflict. Keep one of the two sides and take the marks out.
          5 | >>>>>>> branch
            | ^"
    `);
  });

  test('what stands before the break is looked at as well, and what follows is not', () => {
    expect(faultsOf('mode: revrt\ntimes:\n\tgrace: 2x\n')).toMatchInlineSnapshot(`
      "stepback.yaml, line 1, column 7, mode
        "revrt" is not known here. Did you mean "revert"?
          1 | mode: revrt
            |       ^^^^^

      stepback.yaml, line 3, column 1
        The line is indented with a tab. Use spaces.
          3 | →grace: 2x
            | ^"
    `);
  });
});

describe('what is not configuration at all', () => {
  test('a list', () => {
    expect(faultsOf('- mode: propose\n')).toMatchInlineSnapshot(`
      "stepback.yaml, line 1, column 1
        This is a list, and keys with values are needed. Write lines such as "mode: propose", with a space behind the colon.
          1 | - mode: propose
            | ^^^^^^^^^^^^^^^"
    `);
  });

  test('a sentence', () => {
    expect(faultsOf('please only propose\n')).toMatchInlineSnapshot(`
      "stepback.yaml, line 1, column 1
        This is a text, and keys with values are needed. Write lines such as "mode: propose", with a space behind the colon.
          1 | please only propose
            | ^^^^^^^^^^^^^^^^^^^"
    `);
  });

  test('a number', () => {
    expect(faultsOf('42\n')).toMatchInlineSnapshot(`
      "stepback.yaml, line 1, column 1
        This is a number, and keys with values are needed. Write lines such as "mode: propose", with a space behind the colon.
          1 | 42
            | ^^"
    `);
  });

  test('JSON that is cut off', () => {
    expect(faultsOf('{"mode": "propose", "times": {"grace": ')).toMatchInlineSnapshot(`
      "stepback.yaml, line 1, column 30
        A bracket is not closed. Close it, with commas between what is inside.
          1 | {"mode": "propose", "times": {"grace":
            |                              ^"
    `);
  });

  test('a web page', () => {
    expect(
      faultsOf(`<!DOCTYPE html>
<html><body>404</body></html>
`),
    ).toMatchInlineSnapshot(`
      "stepback.yaml, line 1, column 1
        This is a text, and keys with values are needed. Write lines such as "mode: propose", with a space behind the colon.
          1 | <!DOCTYPE html>
            | ^^^^^^^^^^^^^^^"
    `);
  });

  test('a binary file', () => {
    expect(faultsOf('\u007fELF\u0002\u0001\u0001\u0000\u0000')).toMatchInlineSnapshot(`
      "stepback.yaml, line 1, column 1
        The file has the control character U+007F. Take it out.
          1 | �ELF�����
            | ^"
    `);
  });

  test('a file that is not UTF-8', () => {
    expect(faultsOf('mode: propose # g\ufffdltig\n')).toMatchInlineSnapshot(`
      "stepback.yaml, line 1, column 18
        The file is not UTF-8 here. Save it as UTF-8.
          1 | mode: propose # g�ltig
            |                  ^"
    `);
  });

  test('line ends of an old Macintosh', () => {
    expect(faultsOf('mode: propose\rsignOff: true\r')).toMatchInlineSnapshot(`
      "stepback.yaml, line 1, column 14
        The file has the control character U+000D. End lines with LF or CR LF.
          1 | mode: propose signOff: true
            |              ^"
    `);
  });
});
