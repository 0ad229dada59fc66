/** Colours, and texts of a known width. Nothing that others wrote reaches the terminal before it went through here. */
import { styleText } from 'node:util';
import { cleanText } from '../../render/clean.ts';

export type Style = 'bold' | 'dim' | 'underline' | 'red' | 'green' | 'yellow' | 'blue' | 'cyan' | 'magenta';

/** A piece of text of one look. */
export interface Span {
  text: string;
  styles: readonly Style[];
}

/** Text on one line, whoever wrote it: control characters and terminal sequences are gone, spaces stay. */
export function span(text: string, ...styles: readonly Style[]): Span {
  return { text: cleanText(text).replaceAll('\n', ' '), styles };
}

/** Columns that it takes. */
export function widthOf(spans: readonly Span[]): number {
  return spans.reduce((sum, one) => sum + [...one.text].length, 0);
}

/** One line for the terminal. */
export function painted(spans: readonly Span[], isColoured: boolean): string {
  return withoutEnd(spans)
    .map(({ text, styles }) =>
      isColoured && styles.length > 0 ? styleText([...styles], text, { validateStream: false }) : text,
    )
    .join('');
}

/** At most so many columns. */
export function cut(spans: readonly Span[], width: number): readonly Span[] {
  let left = width;
  return spans.flatMap((one): Span[] => {
    const characters = [...one.text];
    const room = left;
    left -= characters.length;
    if (room <= 0) return [];
    return characters.length <= room
      ? [one]
      : [{ ...one, text: `${characters.slice(0, room - 1).join('')}…` }];
  });
}

/** Lines of at most so many columns, broken between words; a word that is longer has a line of its own. */
export function wrapped(spans: readonly Span[], width: number): readonly (readonly Span[])[] {
  const lines: Span[][] = [[]];
  let used = 0;
  for (const { text, styles } of spans) {
    for (const word of text.split(/(\s+)/).filter((part) => part !== '')) {
      const length = [...word].length;
      const isSpace = /^\s/.test(word);
      if (used + length > width && used > 0 && !isSpace) {
        lines.push([]);
        used = 0;
      }
      if (isSpace && used === 0) continue;
      lines.at(-1)?.push({ text: word, styles });
      used += length;
    }
  }
  return lines.map(withoutEnd);
}

/** Without spaces at its end. */
export function withoutEnd(line: readonly Span[]): readonly Span[] {
  return /^\s*$/.test(line.at(-1)?.text ?? 'x') ? withoutEnd(line.slice(0, -1)) : line;
}
