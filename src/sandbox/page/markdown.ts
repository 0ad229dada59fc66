/**
 * Markdown as GitHub shows it: tables, `<details>`, mentions and references are alive, everything else of HTML is not.
 * Whoever wrote the text may be hostile; what it opens it also closes, so it cannot reach out of its box.
 */
import MarkdownIt, { type Token } from 'markdown-it';
import { Html, html } from '../../web/html.ts';

export interface MarkdownPlace {
  /** `owner/name`: where `#3` leads. */
  repository: string;
  /** Numbers that exist there. */
  numbers: ReadonlySet<number>;
}

/** A tag that was opened, and how deep in the blocks that was. */
interface OpenTag {
  tag: string;
  level: number;
}

/** Tags that may stand in a block of HTML, and those that may stand anywhere. None keeps its attributes. */
const blockTags = new Set(['details', 'summary']);
const lineTags = new Set(['b', 'strong', 'i', 'em', 'sub', 'sup', 'kbd', 'code', 'del', 'ins', 'br']);

const comment = /<!--[\s\S]*?-->/;
const tag = /<\/?[a-z][a-z\d]*(?:\s[^<>]*)?\/?>/;
const mention = /@[a-z\d][a-z\d-]{0,38}(?:\/[\w-]+)?/;
const characterReference = /(&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,31});)/i;
const htmlPart = new RegExp(`(${comment.source}|${tag.source})`, 'i');
const referencePart = new RegExp(`(?<![\\w/@])(${mention.source}|#\\d+)(?!\\w)`, 'i');

const markdown = new MarkdownIt({ html: true, linkify: true, breaks: true });
markdown.disable('image');
markdown.validateLink = (address) => /^https?:\/\//i.test(address);
markdown.core.ruler.push('references', ({ tokens, env }) => {
  for (const token of tokens) {
    if (token.children !== null)
      token.children = withReferences(token.children, env as unknown as MarkdownPlace);
  }
});
markdown.core.ruler.push('harmless', (state) => {
  state.tokens = contained(state.tokens, state.env as unknown as MarkdownPlace);
});
markdown.renderer.rules.harmless = (tokens, index) => tokens[index]?.content ?? '';
markdown.renderer.rules.table_open = () => '<div class="wide"><table>';
markdown.renderer.rules.table_close = () => '</table></div>';

/** The text as HTML that may stand in a page as it is. */
export function renderMarkdown(text: string, place: MarkdownPlace): Html {
  return new Html(markdown.render(text, { ...place }));
}

/** HTML of our own, or of others made harmless. */
function harmless(content: Html | string): Token {
  const markup = content instanceof Html ? content.markup : content;
  return Object.assign(new MarkdownIt.Token('harmless', '', 0), { content: markup });
}

function plain(content: string): Token {
  return Object.assign(new MarkdownIt.Token('text', '', 0), { content });
}

/** Makes `@name` and `#3` what they are on GitHub; in code and in links they are text. */
function withReferences(children: readonly Token[], place: MarkdownPlace): Token[] {
  let links = 0;
  return children.flatMap((token): Token[] => {
    if (token.type === 'link_open') links += 1;
    if (token.type === 'link_close') links -= 1;
    if (token.type !== 'text' || links > 0) return [token];
    return token.content
      .split(referencePart)
      .filter((part) => part !== '')
      .map((part) => reference(part, place) ?? plain(part));
  });
}

function reference(part: string, { repository, numbers }: MarkdownPlace): Token | null {
  const number = Number(/^#(\d+)$/.exec(part)?.[1] ?? 0);
  if (numbers.has(number)) return harmless(html`<a href="/${repository}/pull/${number}">#${number}</a>`);
  return part.startsWith('@') && part.length > 1
    ? harmless(html`<span class="mention">${part}</span>`)
    : null;
}

/** Every tag that the text opens is closed in the block in which it was opened, and no other is closed. */
function contained(tokens: readonly Token[], place: MarkdownPlace): Token[] {
  const open: OpenTag[] = [];
  const result: Token[] = [];
  for (const token of tokens) {
    const outer = open.findIndex(({ level }) => token.nesting < 0 && level > token.level);
    if (outer >= 0) result.push(harmless(closed(open, outer)));
    if (token.type === 'html_block')
      result.push(harmless(harmlessHtml(token.content, place, open, token.level)));
    else result.push(token);
    if (token.type === 'inline') token.children = containedLine(token.children ?? [], place);
  }
  if (open.length > 0) result.push(harmless(closed(open, 0)));
  return result;
}

function containedLine(children: readonly Token[], place: MarkdownPlace): Token[] {
  const open: OpenTag[] = [];
  const result = children.map((token) =>
    token.type === 'html_inline' ? harmless(harmlessHtml(token.content, place, open, null)) : token,
  );
  return open.length === 0 ? result : [...result, harmless(closed(open, 0))];
}

/**
 * Comments go, allowed tags stay without attributes and in balance, anything else becomes text. `level` is that of the block,
 * null within a line.
 */
function harmlessHtml(source: string, place: MarkdownPlace, open: OpenTag[], level: number | null): string {
  const words = source.split(htmlPart).map((part, index) => {
    if (index % 2 === 0) return asText(part, place);
    if (comment.test(part)) return '';
    const [, slash, written = ''] = /^<(\/?)([a-z\d]+)/i.exec(part) ?? [];
    const name = written.toLowerCase();
    if (!lineTags.has(name) && !(level !== null && blockTags.has(name))) return asText(part, place);
    if (name === 'br') return '<br>';
    if (slash === '/') {
      // One that was opened outside of this block, say before a quotation, cannot be closed from within.
      const at = open.findLastIndex((one) => one.tag === name && one.level === (level ?? 0));
      return at < 0 ? '' : closed(open, at);
    }
    open.push({ tag: name, level: level ?? 0 });
    return `<${name}>`;
  });
  return words.join('');
}

/** Closes what was opened last, down to this place in the list. */
function closed(open: OpenTag[], from: number): string {
  const tags = open.splice(from).reverse();
  return tags.map((one) => `</${one.tag}>`).join('');
}

/** Character references stay what they are, and names are called as in any other text. */
function asText(source: string, place: MarkdownPlace): string {
  return source
    .split(characterReference)
    .flatMap((part, index) => (index % 2 === 1 ? [part] : part.split(referencePart).map(wordOf)))
    .join('');

  function wordOf(word: string): string {
    return reference(word, place)?.content ?? html`${word}`.markup;
  }
}
