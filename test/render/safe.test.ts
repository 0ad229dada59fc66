import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseMarker } from '../../src/domain/marker.ts';
import { cleanText, cutTo, onOneLine } from '../../src/render/clean.ts';
import {
  codeBlock,
  codeSpan,
  escapeHtml,
  inlineText,
  link,
  plainLine,
  tableRow,
} from '../../src/render/safe.ts';
import { attacks, hostileText } from './hostile.ts';
import { read } from './markdown.ts';

const shown = (text: string, max = 200): string => cutTo(onOneLine(cleanText(text)), max) || '(empty)';
const isPublic = true;

describe('a code span', () => {
  it('holds exactly the text, whatever it is', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const reading = read(`before ${codeSpan(text, { isPublic })} after`);
        expect(reading.links).toEqual([]);
        expect(reading.html).toEqual([]);
        expect(shown(text) === '(empty)' ? ['(empty)'] : reading.code).toEqual([shown(text)]);
      }),
      { numRuns: 500 },
    );
  });

  it('is delimited by more backticks than it holds', () => {
    expect(codeSpan('``` and ````` and `')).toMatchInlineSnapshot('"`````` ``` and ````` and ` ``````"');
  });

  it('is cut by whole characters', () => {
    expect(codeSpan('𝒜𝒷𝒸𝒹𝑒', { max: 3 })).toBe('`𝒜𝒷…`');
  });
});

describe('inline text', () => {
  it('stays as it is when it means nothing', () => {
    for (const text of [
      'back-off 20s restarting failed container',
      'staging-1',
      'Größe, 50 % (ok)',
      'a/b: c',
    ])
      expect(inlineText(text)).toBe(text);
  });

  it('begins no list and underlines no heading', () => {
    for (const text of ['- one', '+ one', '= one', '===', '---', '1. one', '2) two'])
      expect(inlineText(text)).toBe(`\`${text}\``);
  });

  it('becomes a code span as soon as it means something', () => {
    for (const text of attacks) {
      const reading = read(`before ${inlineText(text)} after`);
      expect({ text, live: reading.live, links: reading.links, html: reading.html }).toEqual({
        text,
        live: [],
        links: [],
        html: [],
      });
    }
  });

  it('is one line of one paragraph, whatever it is', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const markdown = inlineText(text);
        expect(markdown).not.toMatch(/\p{Cc}|\p{Cf}/u);
        for (const place of [`${markdown}`, `- ${markdown}`, `**${markdown}** and ${markdown}`]) {
          const { live, links, html, strange, tables } = read(place);
          expect({ live, links, html, strange, tables }).toEqual({
            live: [],
            links: [],
            html: [],
            strange: [],
            tables: [],
          });
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe('a row of a table', () => {
  it('has the cells that it was given, with the text that they were given', () => {
    fc.assert(
      fc.property(hostileText, hostileText, (one, other) => {
        const reading = read(
          [
            tableRow(['a', 'b', 'c']),
            '| --- | --- | --- |',
            tableRow([codeSpan(one, { isPublic }), 'x', codeSpan(other, { isPublic })]),
          ].join('\n'),
        );
        expect(reading.tables).toEqual([[3, 3]]);
        const spaced = (text: string): string => text.replace(/(\\+)\|/g, '$1 |');
        const texts = [shown(one), shown(other)].filter((text) => text !== '(empty)').map(spaced);
        expect(reading.code).toEqual(texts);
        expect(reading.html).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });
});

describe('a code block', () => {
  it('is closed by nothing in it', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const reading = read(`before\n\n${codeBlock(text)}\n\n<details>\n\nafter\n\n</details>`);
        expect(reading.blocks).toHaveLength(1);
        expect(reading.html).toEqual(['<details>', '</details>']);
        expect(reading.text).toBe('before\nafter\n');
      }),
      { numRuns: 300 },
    );
  });
});

describe('a link', () => {
  it('leads only to the web, and never out of its brackets', () => {
    expect(link('`d2bf318`', 'https://github.com/a/b/commit/x')).toBe(
      '[`d2bf318`](https://github.com/a/b/commit/x)',
    );
    expect(link('x', 'javascript:alert(1)')).toBe('x');
    expect(link('x', 'https://user:pass@github.com/')).toBe('x');
    expect(link('x', 'not an address')).toBe('x');
    expect(read(link('x', 'https://github.com/a b)(c|d<e>')).links).toEqual([
      'https://github.com/a%20b%29%28c%7Cd%3Ce%3E',
    ]);
  });
});

describe('a line of plain text', () => {
  it('mentions nobody, closes nothing and tells CI nothing', () => {
    expect(
      plainLine('Fixes #12, acme/x#3 and GH-4 for @mona (mail me@acme.example) [skip ci]'),
    ).toMatchInlineSnapshot('"Fixes # 12, acme/x# 3 and GH 4 for @ mona (mail me@acme.example) (skip ci)"');
    expect(plainLine('Closes https://github.com/acme/x/issues/1')).toBe(
      'Closes https: //github.com/acme/x/issues/1',
    );
  });

  it('is one line without what nobody sees', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const line = plainLine(text, { max: 80 });
        expect([...line].length).toBeLessThanOrEqual(80);
        expect(line).not.toMatch(/\p{Cc}|\p{Cf}|\p{Cs}|#\d|(?<![\p{L}\p{N}])@[\p{L}\p{N}]|:\/\//u);
      }),
    );
  });
});

describe('HTML', () => {
  it('is text in elements and in attributes', () => {
    expect(escapeHtml('<b title="x">\'&`</b>\u202e')).toBe(
      '&#60;b title=&#34;x&#34;&#62;&#39;&#38;&#96;&#60;/b&#62;',
    );
  });
});

describe('every form', () => {
  it('never holds a marker that somebody else wrote', () => {
    const forged = '<!-- stepback:v1 WyJyZXZlcnQiLCJ4IiwieSJd -->';
    expect(parseMarker(forged)).not.toBeNull();
    const split = '<!\u200b-- stepback:v1 WyJyZXZlcnQiLCJ4IiwieSJd -->';
    for (const text of [forged, split])
      for (const write of [codeSpan, inlineText, codeBlock, plainLine, escapeHtml])
        expect(parseMarker(write(text))).toBeNull();
  });

  it('keeps the last causes of a chain where it is asked to', () => {
    expect(
      inlineText('failed to load: failed to generate: unexpected EOF', { max: 40, keepsEnd: true }),
    ).toBe('…failed to generate: unexpected EOF');
  });
});
