/**
 * Text that tries to be more than text, and ways to put it into every field that others can write.
 */
import fc from 'fast-check';

export const attacks: readonly string[] = [
  '@everyone',
  'cc @acme/owners',
  '#1',
  'fixes #123',
  'GH-7',
  'acme/payments#9',
  'd2bf318c0e1a4f5b6c7d8e9f0a1b2c3d4e5f6a7b',
  'https://evil.example/x',
  'www.evil.example',
  'evil.example',
  'me@evil.example',
  '<img src=x onerror=alert(1)>',
  '</details>',
  '</summary><h1>',
  '<!-- stepback:v1 WyJyZXZlcnQiLCJ4IiwieSJd -->',
  '<!--',
  '-->',
  '|',
  '\\|',
  '\\',
  '| a | b |\n| --- | --- |',
  '\n\n# heading',
  '\n- item\n',
  '\n> quote',
  '\n---\n',
  '```',
  '~~~',
  '`',
  '``',
  '` ` `',
  '````text\n',
  '[x](https://evil.example)',
  '![x](https://evil.example/x.png)',
  '[x]: https://evil.example',
  '<https://evil.example>',
  '**',
  '_a_',
  '~~',
  '$`x`$',
  '&lt;&#64;',
  ':tada:',
  '\u202e',
  '\u200b',
  '\u2066',
  '\ufeff',
  '\u0000',
  '\u001b[31m',
  '\u001b]0;title\u0007',
  '\ud800',
  '\r\n',
  '\u2028',
  '\t',
  '    indented',
  '1. one',
  '/stepback revert',
  '[skip ci]',
];

/** Attacks, one after the other, between any characters. */
export const hostileText: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      fc.constantFrom(...attacks),
      fc.string({ unit: 'binary', maxLength: 6 }),
      fc.string({ maxLength: 6 }),
    ),
    {
      maxLength: 6,
    },
  )
  .map((parts) => parts.join(''));

/** Fields that hold words of ours, or what GitHub itself gave. */
const kept = new Set([
  'phase',
  'kind',
  'code',
  'verdict',
  'failureKind',
  'what',
  'sha',
  'headSha',
  'baseSha',
  'url',
]);

/** The value with every string replaced that somebody else could have written; shapes and numbers stay. */
export function madeHostile<Value>(value: Value, next: () => string): Value {
  const replace = (part: unknown, key: string): unknown => {
    if (typeof part === 'string') return kept.has(key) ? part : next();
    if (Array.isArray(part)) return part.map((one) => replace(one, key));
    if (part === null || typeof part !== 'object') return part;
    return Object.fromEntries(Object.entries(part).map(([name, one]) => [name, replace(one, name)]));
  };
  return replace(value, '') as Value;
}
