/**
 * Text that other people wrote, before it is put anywhere: without the characters that nobody sees and that make a
 * reader see something else (bidi controls, zero-width characters, terminal sequences), without halves of characters,
 * and never as the marker by which Stepback finds its own words.
 */

/** What is looked at of one text, in UTF-16 units; no field of a cluster needs more to be understood. */
const lookedAtMax = 65_536;

/** How much is kept of one word that is longer than all that is looked at: no secret is as long as the rest. */
const singleWordPart = 0.5;

const lineBreak = /\r\n|[\r\v\f\u0085\u2028\u2029]/g;

/** CSI and OSC sequences of terminals, begun by ESC or by the one-character form. */
const terminalSequence =
  /(?:(?![\n\r\t])\p{Cc}\[|\u009b)[0-?]{0,64}[ -/]{0,8}[@-~]|(?:(?![\n\r\t])\p{Cc}\]|\u009d)[^\p{Cc}]{0,2000}(?:(?![\n\r\t])\p{Cc}\\?)?/gu;

/**
 * Format characters (bidi, zero width, soft hyphen, tags), variation selectors, and letters and joiners that have no
 * shape of their own.
 */
const invisible =
  /\p{Cf}|\u034f|\u115f|\u1160|\u17b4|\u17b5|[\u180b-\u180f]|\u3164|\uffa0|[\ufe00-\ufe0f]|[\u{e0100}-\u{e01ef}]/gu;

const control = /(?!\n)\p{Cc}/gu;

/** Marks stacked over one letter: more than any language needs, enough to cover the lines around it. */
const stackedMarks = /(\p{M}{3})\p{M}+/gu;

/**
 * Text of several lines, readable and harmless in a terminal. Markdown and HTML are escaped by `safe.ts`. At most `max`
 * UTF-16 units of the text are looked at.
 */
export function cleanText(text: string, max: number = lookedAtMax): string {
  return withoutTornWord(text, Math.min(max, lookedAtMax))
    .toWellFormed()
    .replace(lineBreak, '\n')
    .replace(terminalSequence, '')
    .replace(/\t/g, ' ')
    .replace(control, '')
    .replace(invisible, '')
    .replace(stackedMarks, '$1')
    .replace(/<!(?=--)/g, '<! ');
}

/** Cut to what is looked at; a word that the cut goes through is left out, it may be half of a secret. */
function withoutTornWord(text: string, max: number): string {
  if (text.length <= max) return text;
  let end = max;
  while (end > 0 && !/\s/.test(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end === 0 ? Math.ceil(max * singleWordPart) : end);
}

/** On one line, with single spaces. */
export function onOneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** At most `max` code points, the last of them an ellipsis where something was cut. `max` is at least 1. */
export function cutTo(text: string, max: number): string {
  if (text.length <= max) return text;
  const points = [...text.slice(0, 2 * max + 2)];
  return points.length <= max
    ? text
    : `${points
        .slice(0, max - 1)
        .join('')
        .trimEnd()}…`;
}
