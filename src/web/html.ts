/**
 * HTML that is safe by default: whatever is put into a template is escaped, unless it is HTML made here. Most of what the
 * page shows was written by others, in the cluster and on GitHub.
 */
import { cleanText } from '../render/clean.ts';
import { maskSecrets } from '../render/mask.ts';

/** Text that may stand in a page as it is. Only `html` makes it. */
export class Html {
  readonly markup: string;

  constructor(markup: string) {
    this.markup = markup;
  }
}

export type HtmlValue = Html | string | number | null | readonly HtmlValue[];

/**
 * A template whose values are escaped, without characters that nobody sees and without what looks like a secret. Null
 * and "" leave nothing, lists are put one after the other.
 */
export function html(parts: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  return new Html(parts.map((part, index) => part + markupOf(values[index] ?? null)).join(''));
}

/** A link, or only its words where the address is none that a browser should open. */
export function link(address: string | null, words: HtmlValue): Html {
  const protocol = address === null ? undefined : URL.parse(address)?.protocol;
  return protocol === 'https:' || protocol === 'http:'
    ? html`<a href="${address}" rel="noreferrer">${words}</a>`
    : html`${words}`;
}

function markupOf(value: HtmlValue): string {
  if (value === null) return '';
  if (value instanceof Html) return value.markup;
  if (typeof value === 'object') return value.map(markupOf).join('');
  return escapeHtml(String(value));
}

/** Text as it may stand between tags and in quoted attributes. */
function escapeHtml(text: string): string {
  return maskSecrets(cleanText(text)).replace(/[&<>"'`]/g, (character) => `&#${character.charCodeAt(0)};`);
}
