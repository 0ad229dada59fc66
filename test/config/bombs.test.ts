/**
 * Texts that were made to do harm: large, deep, endless in number, or random. Each ends in faults within moments, and
 * reading never throws.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { partsMax, sizeMax } from '../../src/config/document-limits.ts';
import { readConfiguration } from '../../src/config/read.ts';
import { files, textOf } from './arbitrary.ts';

const options = { source: 'stepback.yaml', owner: 'acme' };

/** As long as it may be. */
function full(part: string, head = '', tail = ''): string {
  return `${head}${part.repeat(Math.ceil(sizeMax / part.length)).slice(0, sizeMax - head.length - tail.length)}${tail}`;
}

function lines(count: number, line: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => line(index)).join('\n');
}

/** What is wrong first, and how many faults are told. */
function verdictOn(text: string): string {
  const { layer, faults } = readConfiguration(text, options);
  expect(layer).toBeNull();
  expect(faults.length).toBeLessThanOrEqual(51);
  return `${faults[0]?.problem} (${faults.length})`;
}

const deep = 'This is nested more than 12 deep. (1)';
const many = 'The file has more than 20000 words and signs. (1)';
const noKeys = 'This is a text, and keys with values are needed. (1)';
const unknown = (key: string): string => `"${key}" is not known at the top of the file. (1)`;

/** Ten times ten times ten … names for one list. */
const laughs = `a0: &a0 [lol]\n${lines(9, (index) => `a${index + 1}: &a${index + 1} [${`*a${index}, `.repeat(10)}]`)}\n`;

const bombs: readonly (readonly [string, string, string])[] = [
  [
    'a file that is too large',
    `${full('#')}#`,
    `The file has ${sizeMax + 1} characters, and at most ${sizeMax} are read. (1)`,
  ],
  ['brackets', full('['), deep],
  ['braces', full('{'), deep],
  ['maps in maps in one line', full('{a: '), deep],
  ['brackets behind closing ones', `${']'.repeat(100)}${'['.repeat(5_000)}`, deep],
  ['lists in lists in one line', full('- '), deep],
  [
    'lists in lists, line by line',
    lines(350, (index) => `${' '.repeat(index)}-`),
    'This is a list, and keys with values are needed. (2)',
  ],
  [
    'keys below keys, line by line',
    lines(350, (index) => `${' '.repeat(index)}a:`),
    '"a" is not known at the top of the file. (2)',
  ],
  ['keys of keys', full('? '), deep],
  ['all brackets and signs mixed', full('[{"a": &b [*b, {? c : !d "e'), deep],
  ['closing brackets', full(']'), many],
  ['commas', full(',', '['), many],
  ['anchors', full('&a '), many],
  ['tags', full('!a '), many],
  ['quotes', full('"'), many],
  ['the same key for ever', full('mode: observe\n'), many],
  ['documents', full('---\n'), many],
  ['dots', full('...\n'), many],
  ['merge keys', full('<<: *a\n'), many],
  ['tabs before keys', full('a:\n\t- b\n'), many],
  ['empty lines', full('\n'), many],
  ['aliases of aliases', laughs, 'The anchor "&a0" has no use, because aliases are not followed. (51)'],
  [
    'an alias of itself',
    'times: &a\n  grace: *a\n',
    'The anchor "&a" has no use, because aliases are not followed. (2)',
  ],
  ['escapes that are none', full('\\x', 'mode: "', '"'), many],
  ['bars', full('|\n'), noKeys],
  ['apostrophes', full("''"), noKeys],
  ['colons', full(':'), 'There is no colon within 1,024 characters. (1)'],
  ['one number', full('9', 'a: '), unknown('a')],
  ['one hexadecimal number', full('f', 'a: 0x'), unknown('a')],
  ['one word', full('x', 'a: '), unknown('a')],
  ['one text of many lines', full('x\n  ', 'a: '), unknown('a')],
  ['a quote that never ends', full('x\n  ', 'a: "'), '"a" is not known at the top of the file. (2)'],
  ['directives', full('%YAML 1.1\n'), 'The file names a version of YAML. (2)'],
  [
    'unknown keys',
    lines(4_000, (index) => `graze${index}: 1`),
    '"graze0" is not known at the top of the file. (51)',
  ],
  [
    'keys twice',
    `times:\n${'  grace: 2m\n'.repeat(3_000)}`,
    '"grace" is there twice; line 2 has it as well. (51)',
  ],
  [
    'ApplicationSets',
    `applicationSets:\n${lines(1_001, (index) => `  a${index}: {mode: x}`)}`,
    'There are 1001 entries. (1)',
  ],
  [
    'reviewers',
    `reviewers:\n  users: [${Array.from({ length: 3_000 }, (_, index) => `user${index}`)}]`,
    'There are 3000 entries. (1)',
  ],
  ['braces in a template', `templates:\n  title: "${'{'.repeat(199)}"`, 'A "{" stands alone. (1)'],
  [
    'stars in a pattern',
    `ignore:\n  applications: ["${'*a'.repeat(160)}b"]`,
    `"${'*a'.repeat(29)}*…" cannot be an Application. (1)`,
  ],
  [
    'accents on one letter',
    `mode: "r${'\u0301'.repeat(3_000)}evert"`,
    `"r\u0301\u0301\u0301evert" is not known here. (1)`,
  ],
  [
    'byte order marks',
    full('\ufeff'),
    'This has the character U+FEFF, which nobody sees or which looks like a space. (1)',
  ],
  ['null characters', full('\0'), 'The file has the control character U+0000. (1)'],
  ['halves of characters', full('\ud800'), 'The file is not UTF-8 here. (1)'],
];

describe('a bomb', () => {
  test.each(bombs)('of %s is told in few words', (_, text, verdict) => {
    expect(verdictOn(text)).toBe(verdict);
  });

  test('may be as large as a sound file', () => {
    const text = `applicationSets:\n${lines(1_000, (index) => `  argocd/payments-${index}: {mode: propose}`)}\n`;
    expect(readConfiguration(text, options).layer?.applicationSets.length).toBe(1_000);
    expect(text.length).toBeLessThan(sizeMax);
    expect(partsMax).toBeLessThan(sizeMax);
  });
});

describe('reading never throws', () => {
  const signs = fc.constantFrom(
    ...'[]{}:,-?&*!|>\'"%@`#~<=\\\n\r\t ',
    ...[
      'mode',
      'times',
      'grace',
      'applicationSets',
      ': ',
      '\n  ',
      '- ',
      '<<',
      '---',
      '2m',
      'revert',
      '\u2028',
      '\ufeff',
    ],
  );

  test('whatever signs it gets', () => {
    fc.assert(
      fc.property(fc.array(signs, { maxLength: 80 }), (parts) => {
        const { layer, faults } = readConfiguration(parts.join(''), options);
        expect(layer === null).toBe(faults.some(({ severity }) => severity === 'error'));
      }),
      { numRuns: 1_000 },
    );
  });

  test('when a sound file is damaged, and points into the file', () => {
    fc.assert(
      fc.property(files, fc.nat(), fc.nat(8), signs, (file, at, length, sign) => {
        const text = textOf(file);
        const from = at % (text.length + 1);
        const damaged = `${text.slice(0, from)}${sign}${text.slice(from + length)}`;
        const { layer, faults } = readConfiguration(damaged, options);
        expect(layer === null).toBe(faults.some(({ severity }) => severity === 'error'));
        const lineCount = damaged.split('\n').length;
        for (const { line, column, problem, mend } of faults) {
          expect(line).toBeLessThanOrEqual(lineCount);
          expect(column).toBeLessThanOrEqual((damaged.split('\n')[line - 1] ?? '').length + 1);
          expect(`${problem}${mend}`).not.toMatch(/\p{Cc}/u);
        }
      }),
      { numRuns: 80 },
    );
  });
});
