/**
 * Reads Markdown as GitHub does, as far as that matters: a real parser with HTML and links switched on, and what GitHub
 * makes live in plain text besides (mentions, references, commits, emoji).
 */
import MarkdownIt from 'markdown-it';

export interface Reading {
  /** Of every table, the number of cells of every row. */
  tables: readonly (readonly number[])[];
  /** Where links go, also those that nobody wrote as links. */
  links: readonly string[];
  html: readonly string[];
  /** Contents of code spans. */
  code: readonly string[];
  /** Contents of fences. */
  blocks: readonly string[];
  /** Text outside of code and of links. */
  text: string;
  /** What GitHub would make live in that text. */
  live: readonly string[];
  /** Kinds of blocks that no text of ours has: headings, quotes, rules, indented code, pictures. */
  strange: readonly string[];
}

const parser = new MarkdownIt({ html: true, linkify: true });
const strangeKinds = new Set([
  'heading_open',
  'blockquote_open',
  'hr',
  'code_block',
  'image',
  's_open',
  'em_open',
]);
const livePattern =
  /(?<![\p{L}\p{N}_])@[\p{L}\p{N}]|#\d|\bgh-\d|(?<![0-9a-z])[0-9a-f]{7,40}(?![0-9a-z])|:[a-z+][\w+-]*:|https?:|www\./giu;

export function read(markdown: string): Reading {
  const tables: number[][] = [];
  const found = { links: [] as string[], html: [] as string[], code: [] as string[], blocks: [] as string[] };
  const strange: string[] = [];
  let text = '';
  let depth = 0;
  for (const token of parser.parse(markdown, {}).flatMap((block) => [block, ...(block.children ?? [])])) {
    if (token.type === 'table_open') tables.push([]);
    if (token.type === 'tr_open') tables.at(-1)?.push(0);
    if (token.type === 'th_open' || token.type === 'td_open') {
      const rows = tables.at(-1) ?? [];
      rows[rows.length - 1] = (rows.at(-1) ?? 0) + 1;
    }
    if (token.type === 'link_open') {
      found.links.push(String(token.attrGet('href')));
      depth += 1;
    }
    if (token.type === 'link_close') depth -= 1;
    if (token.type === 'html_block' || token.type === 'html_inline') found.html.push(token.content.trim());
    if (token.type === 'code_inline') found.code.push(token.content);
    if (token.type === 'fence') found.blocks.push(token.content);
    if (token.type === 'text' && depth === 0) text += `${token.content}\n`;
    if (strangeKinds.has(token.type)) strange.push(token.type);
  }
  return { tables, ...found, text, live: text.match(livePattern) ?? [], strange };
}
