/**
 * Markdown for a terminal: tables with straight columns, bold as bold, code and links by their words, what is folded away on
 * GitHub only named. Markers and other HTML are not shown.
 */
import MarkdownIt, { type Token } from 'markdown-it';
import { type Span, type Style, span, widthOf, withoutEnd, wrapped } from './paint.ts';

type Line = readonly Span[];

const markdown = new MarkdownIt({ html: true, breaks: true });
markdown.disable('image');

/** `isTight`: an item of a list, directly below the one before it. */
interface Block {
  lines: readonly Line[];
  isTight: boolean;
}

const gap = 2;
const cellWidthMin = 8;

/** Lines of at most `width` columns, with an empty one between blocks. */
export function markdownLines(text: string, width: number): readonly Line[] {
  const tokens = markdown.parse(text, {});
  const blocks: Block[] = [];
  const add = (lines: readonly Line[], isTight = false): number => blocks.push({ lines, isTight });
  let folded = 0;
  for (let index = 0; index < tokens.length; index += 1) {
    const token = tokens[index] as Token;
    if (token.type === 'html_block') {
      const summary = /<summary>([\s\S]*?)<\/summary>/i.exec(token.content)?.[1];
      if (summary !== undefined && folded === 0) add([[span(`▸ ${summary}: on the page`, 'dim')]]);
      folded += count(token.content, /<details\b/gi) - count(token.content, /<\/details>/gi);
      folded = Math.max(0, folded);
    } else if (folded === 0 && token.type === 'table_open') {
      const end = closing(tokens, index);
      add(table(tokens.slice(index, end), width));
      index = end;
    } else if (folded === 0 && (token.type === 'fence' || token.type === 'code_block')) {
      add(
        token.content
          .trimEnd()
          .split('\n')
          .map((line) => [span(`    ${line}`, 'cyan')]),
      );
    } else if (folded === 0 && token.type === 'inline') {
      add(paragraph(tokens, index, width), tokens[index - 1]?.hidden);
    }
  }
  return blocks
    .filter(({ lines }) => lines.length > 0)
    .flatMap(({ lines, isTight }, at, all) =>
      at === 0 || (isTight && all[at - 1]?.isTight === true) ? lines : [[], ...lines],
    );
}

function count(text: string, pattern: RegExp): number {
  return [...text.matchAll(pattern)].length;
}

/** Where what opens at `from` ends. */
function closing(tokens: readonly Token[], from: number): number {
  const level = tokens[from]?.level;
  return tokens.findIndex((token, index) => index > from && token.nesting < 0 && token.level === level);
}

function paragraph(tokens: readonly Token[], index: number, width: number): readonly Line[] {
  const before = tokens[index - 1];
  const isItem = before?.type === 'paragraph_open' && tokens[index - 2]?.type === 'list_item_open';
  const styles: readonly Style[] = before?.type === 'heading_open' ? ['bold'] : [];
  const lines = inline(tokens[index]?.children ?? [], styles).flatMap((line) =>
    wrapped(line, width - (isItem ? gap : 0)),
  );
  return isItem ? lines.map((line, at) => [span(at === 0 ? '• ' : '  '), ...line]) : lines;
}

/** One list of spans a line of the source. */
function inline(children: readonly Token[], outer: readonly Style[]): readonly Line[] {
  const lines: Span[][] = [[]];
  const styles: Style[] = [...outer];
  const openers: Readonly<Record<string, Style>> = {
    strong_open: 'bold',
    em_open: 'underline',
    link_open: 'underline',
  };
  for (const token of children) {
    const opened = openers[token.type];
    if (opened !== undefined) styles.push(opened);
    else if (/^(strong|em|link)_close$/.test(token.type)) styles.pop();
    else if (token.type === 'softbreak' || token.type === 'hardbreak') lines.push([]);
    else if (token.type === 'code_inline') lines.at(-1)?.push(span(token.content, ...styles, 'cyan'));
    else if (token.type === 'text') lines.at(-1)?.push(span(token.content, ...styles));
  }
  return lines;
}

function table(tokens: readonly Token[], width: number): readonly Line[] {
  const rows: Line[][] = [];
  tokens.forEach((token, index) => {
    if (token.type === 'tr_open') rows.push([]);
    if (token.type !== 'inline') return;
    const isHead = tokens[index - 1]?.type === 'th_open';
    rows.at(-1)?.push(inline(token.children ?? [], isHead ? ['bold'] : []).flat());
  });
  const widths = columnWidths(rows, width);
  return rows.flatMap((cells, row) => {
    const wrappedCells = cells.map((cell, column) => wrapped(cell, widths[column] ?? width));
    const height = Math.max(1, ...wrappedCells.map((lines) => lines.length));
    const lines = Array.from({ length: height }, (_, line) =>
      wrappedCells.flatMap((cell, column) => padded(cell[line] ?? [], (widths[column] ?? 0) + gap)),
    ).map(withoutEnd);
    return row === 0
      ? [...lines, [span(widths.map((one) => '─'.repeat(one)).join('─'.repeat(gap)), 'dim')]]
      : lines;
  });
}

function padded(line: Line, width: number): Line {
  return [...line, span(' '.repeat(Math.max(0, width - widthOf(line))))];
}

/** As wide as what is in it, but the widest give way until all fit. */
function columnWidths(rows: readonly (readonly Line[])[], width: number): readonly number[] {
  const columns = Math.max(0, ...rows.map((cells) => cells.length));
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.max(0, ...rows.map((cells) => widthOf(cells[column] ?? []))),
  );
  for (;;) {
    const total = widths.reduce((sum, one) => sum + one + gap, -gap);
    const widest = Math.max(...widths);
    if (total <= width || widest <= cellWidthMin) return widths;
    widths[widths.indexOf(widest)] = widest - 1;
  }
}
