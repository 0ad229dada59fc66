/** What every page is made of: a title, and sections that are replaced one by one when they change. */
import { createHash } from 'node:crypto';
import { Html, type HtmlValue, html } from '../../web/html.ts';
import { client } from './client.ts';
import { style } from './style.ts';

export interface Page {
  title: string;
  /** Beside the title; it changes all the time. */
  clock: Html;
  /** In their order; ids are unique. */
  sections: readonly Section[];
}

export interface Section {
  id: string;
  content: Html;
  /** Two columns where there is room; over both when absent. */
  place?: 'left' | 'right';
}

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Only what is made here runs and paints; nothing is loaded from elsewhere, and nobody may frame the pages. */
export const contentSecurityPolicy = [
  `default-src 'none'`,
  `style-src ${hashOf(style)}`,
  `script-src ${hashOf(client)}`,
  `connect-src 'self'`,
  `form-action 'self'`,
  `base-uri 'none'`,
  `frame-ancestors 'none'`,
].join('; ');

/** A whole document. */
export function documentOf(page: Page): string {
  const sections = (place: Section['place']): HtmlValue =>
    page.sections
      .filter((one) => one.place === place)
      .map(({ id, content }) => html`<section id="${id}">${content}</section>\n`);
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<noscript><meta http-equiv="refresh" content="3"></noscript>
<title>${page.title}</title>
<style>${new Html(style)}</style>
</head>
<body>
<header class="top"><h1><a href="/">Stepback sandbox</a></h1><span id="clock">${page.clock}</span></header>
<main>
<p id="answer" class="dim" role="status" aria-live="polite"></p>
${sections(undefined)}
<div class="columns"><div>${sections('left')}</div><div>${sections('right')}</div></div>
</main>
<footer>A small GitHub, a small Kubernetes and a simulated Argo CD on this machine; Stepback itself is the real one.</footer>
<script>${new Html(client)}</script>
</body>
</html>
`.markup;
}
