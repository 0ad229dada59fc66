/**
 * Which commands a reader sees, asked of a real Markdown parser: it knows nothing of how Stepback reads comments, so
 * what both say of random comments is worth something.
 */
import MarkdownIt from 'markdown-it';

/** Of the parser's tokens only what is needed here. */
interface Token {
  type: string;
  nesting: number;
  content: string;
  children: readonly Token[] | null;
}

const parser = new MarkdownIt({ html: true });
const quoted = new Set(['blockquote_open', 'blockquote_close', 'table_open', 'table_close']);
const command = /^\p{Zs}{0,3}\/stepback dismiss (\d+)/u;

export interface Seen {
  /** At the beginning of a line of plain text. */
  asText: readonly number[];
  /** Somewhere in a block of HTML: what is seen of that depends on its tags, which the parser does not read. */
  inHtml: readonly number[];
}

/** The numbers of the commands `/stepback dismiss <number>`. */
export function commandsThatReadersSee(markdown: string): Seen {
  const asText: number[] = [];
  const inHtml: number[] = [];
  let depth = 0;
  for (const { type, nesting, content, children } of parser.parse(markdown, {}) as Token[]) {
    if (quoted.has(type)) depth += nesting;
    if (depth > 0) continue;
    if (type === 'html_block') inHtml.push(...commandsAtLineStarts(content));
    if (type === 'inline') asText.push(...commandsInText(children ?? []));
  }
  return { asText, inHtml };
}

function commandsInText(tokens: readonly Token[]): readonly number[] {
  let isLineStart = true;
  return tokens.flatMap(({ type, content }) => {
    if (type === 'text' && content === '') return [];
    const [, number] = type === 'text' && isLineStart ? (command.exec(content) ?? []) : [];
    isLineStart = type === 'softbreak' || type === 'hardbreak';
    return number === undefined ? [] : [Number(number)];
  });
}

/** The numbers of the commands that begin their line as it was typed, with at most three blanks before. */
export function commandsAtLineStarts(markdown: string): readonly number[] {
  return markdown.split('\n').flatMap((line) => {
    const [, number] = command.exec(line) ?? [];
    return number === undefined ? [] : [Number(number)];
  });
}
