/**
 * Random comments, read by Stepback and by a real Markdown parser: what runs is what a reader sees. And whatever somebody
 * types, the characters that are looked at are in proportion to those that were typed.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { slashLines } from '../../src/domain/command-lines.ts';
import { attacks } from '../render/hostile.ts';
import { commandsAtLineStarts, commandsThatReadersSee } from './command-oracle.ts';

/** What lines begin with; four spaces and tabs only before commands, where the two agree on them. */
const beginnings = [
  '',
  '',
  ' ',
  '   ',
  '> ',
  '>',
  '> > ',
  '- ',
  '* ',
  '1. ',
  '2) ',
  '  - ',
  '-\t',
  '>\t',
  '-   ',
];
const wideBeginnings = [...beginnings, '    ', '\t', '-      ', '>     '];

/** Pieces of Markdown whose meaning depends on what is around them. */
const pieces = [
  ...[
    'text',
    "it's",
    '---',
    '===',
    '***',
    '- - -',
    '# head',
    '```',
    '````',
    '~~~',
    '``` js',
    '`',
    '``',
    'a `b',
  ],
  ...[
    'b` c',
    '\\',
    '\\`',
    '<',
    '"',
    "'",
    ')',
    '](/u)',
    '[a',
    ']',
    '(b',
    '[x](',
    '[x](/u "t',
    '/u "',
    '" t',
    '\\[',
  ],
  ...[
    'x <b>',
    'x </b>',
    'x <a href="',
    '">',
    "x <a x='",
    "'>",
    '<https://x.y>',
    '**',
    '&amp;',
    'z="',
    '',
    '',
  ],
];

/** Pieces of HTML, in which the parser sees no commands and Stepback some. */
const htmlPieces = [
  ...[
    '<!--',
    '-->',
    '<!-- -->',
    '<div>',
    '</div>',
    '<details>',
    '<pre>',
    '</pre>',
    '<script>',
    '</script>',
    '<p>',
  ],
  ...[
    '<br>',
    '<?',
    '?>',
    '<!X',
    '<![CDATA[',
    ']]>',
    '![',
    '<b>',
    '<b title="',
    '<blockquote>',
    '</blockquote>',
  ],
];

const table = ['a | b', '--- | ---'];

function comments(parts: readonly string[]): fc.Arbitrary<string> {
  const text = fc
    .tuple(fc.constantFrom(...beginnings), fc.constantFrom(...parts), fc.constantFrom('', '', ' ', ...parts))
    .map((words) => words.join(''));
  const command = fc.constantFrom(...wideBeginnings).map((beginning) => `${beginning}/stepback dismiss`);
  const lines = fc
    .oneof({ weight: 4, arbitrary: text }, { weight: 3, arbitrary: command })
    .map((line) => [line]);
  return fc
    .array(fc.oneof({ weight: 12, arbitrary: lines }, { weight: 1, arbitrary: fc.constant(table) }), {
      minLength: 2,
      maxLength: 9,
    })
    .map((found) => numbered(found.flat()).join('\n'));
}

/** Every command with a number of its own, so that they can be told apart. */
function numbered(lines: readonly string[]): readonly string[] {
  return lines.map((line, index) => (line.endsWith('/stepback dismiss') ? `${line} ${index}` : line));
}

/** Stepback's answer and the parser's. */
function bothReadings(body: string) {
  const typed = new Set(commandsAtLineStarts(body));
  const { asText, inHtml } = commandsThatReadersSee(body);
  const found = slashLines(body).flatMap(commandsAtLineStarts);
  return { found, seen: asText.filter((number) => typed.has(number)), inHtml };
}

describe('a comment', () => {
  it('runs exactly the commands that a reader sees', () => {
    let seenInAll = 0;
    fc.assert(
      fc.property(comments(pieces), (body) => {
        const { found, seen } = bothReadings(body);
        seenInAll += seen.length;
        expect(found).toEqual(seen);
      }),
      { numRuns: 2_500 },
    );
    expect(seenInAll).toBeGreaterThan(500);
  });

  it('with HTML runs none that a reader does not see', () => {
    fc.assert(
      fc.property(comments([...pieces, ...htmlPieces]), (body) => {
        const { found, seen, inHtml } = bothReadings(body);
        expect(found.filter((number) => !seen.includes(number) && !inHtml.includes(number))).toEqual([]);
      }),
      { numRuns: 2_500 },
    );
  });

  it('is read whatever it holds', () => {
    const part = fc.oneof(
      fc.constantFrom(...attacks, ...pieces, ...htmlPieces, '\n', '\n/stepback '),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 30 }), (parts) => {
        for (const line of slashLines(parts.join(''))) expect(line).toMatch(/^\S+/);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('the work of reading a comment', () => {
  const openings = [
    '/stepback a\n',
    '- /stepback a\n/stepback b\n',
    '<div>\n/stepback a\n',
    '[a](b "\n/stepback a\n',
  ];
  const units = [
    ...[
      '`',
      '``` ',
      '`` ` ',
      '\\`',
      '\\',
      '<',
      '<!--',
      '<!',
      '<?',
      '<![CDATA[',
      '<!-- -->',
      '<a ',
      '<a b',
      '</a ',
    ],
    ...[
      '<a b="',
      "<a b='",
      ' <b a=\' a="',
      '<a x=\'<a y="\' z="',
      '<https:x',
      '<x\n',
      '[',
      '![',
      ']',
      '![](',
      '](a',
    ],
    ...[
      '](<a',
      '](a "',
      "](a '",
      '[](a (',
      '[](a "',
      '[](a \\"',
      '[](',
      '[]( ',
      '[](((',
      '[][',
      '[]:a\n',
      '[a]: b\n',
    ],
    ...[
      '[a]: b\n===\n',
      '[a]:\n',
      '[a\\',
      '> ',
      '>',
      '- ',
      '1. ',
      '* ',
      '_ ',
      '\t',
      ' ',
      '\n',
      '\r',
      '- \n',
      '> \n',
    ],
    ...[
      '>\n- ',
      '|',
      'a|b\n-|-\n',
      '|-',
      '- a\n  - b\n',
      '<div>\n',
      '<pre>\n',
      '<blockquote>',
      '<b>\n\n',
      '=\n',
      '-\n',
    ],
    ...[
      '/stepback\n',
      '/stepback <!--',
      '/stepback x <!-- -->\n',
      '~~~\n',
      '    a\n',
      '# \n',
      '\u00a0',
      '\ud800',
    ],
  ];

  function looksAt(opening: string, unit: string, length: number): number {
    const looks = { taken: 0 };
    slashLines(opening + unit.repeat(Math.ceil(length / unit.length)), looks);
    return looks.taken;
  }

  it.each(units)('is in proportion to its length when it repeats %j', (unit) => {
    for (const opening of openings) {
      const quarter = looksAt(opening, unit, 4_096);
      const whole = looksAt(opening, unit, 16_384);
      expect(whole).toBeGreaterThan(16_384);
      expect(whole / quarter).toBeLessThan(4.4);
    }
    expect(looksAt(openings[0] ?? '', unit, 65_536)).toBeLessThan(70 * 65_536);
  });

  it('ends where no comment of GitHub goes on', () => {
    const looks = { taken: 0 };
    const line = '/stepback resume\n';
    const found = slashLines(line.repeat(100_000), looks);
    expect(found).toHaveLength(Math.floor((2 * 65_536) / line.length));
  });
});
