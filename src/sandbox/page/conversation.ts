/** Pull requests: what was said, rendered as GitHub renders it, in a list and on a page of their own. */
import { cutTo } from '../../render/clean.ts';
import { type Html, html } from '../../web/html.ts';
import type { ConversationView } from '../conversations.ts';
import type { RepositoryView, View } from '../view.ts';
import { type MarkdownPlace, renderMarkdown } from './markdown.ts';
import { badge, button, type Tone, timeOf } from './pieces.ts';

const titleLengthMax = 256;
const tones: Readonly<Record<ConversationView['state'], Tone>> = {
  open: 'good',
  closed: 'bad',
  merged: 'done',
};

/** All of them, newest first; those on which Stepback wrote are unfolded. */
export function conversations(view: View): Html {
  const all = view.repositories.flatMap((repository) =>
    repository.conversations.map((one) => ({ repository, one })),
  );
  return html`<h2>Pull requests</h2>${all.length === 0 ? html`<p class="dim">None yet.</p>` : ''}${all.map(
    ({
      repository,
      one,
    }) => html`<details class="sheet conversation" data-key="${repository.name}#${one.number}"${one.isConcerned ? html` open` : ''}>
<summary>${badge(one.state, tones[one.state])} <b>${cutTo(one.title, titleLengthMax)}</b> <span class="dim">#${one.number} by ${one.user}</span></summary>
<p><a href="/${repository.name}/pull/${one.number}">${repository.name}#${one.number}</a>${one.files.length === 0 ? '' : html` <span class="dim">· ${one.files.join(', ')}</span>`}</p>
${said(repository, one)}
${buttons(repository.name, one)}
</details>`,
  )}`;
}

/** One pull request as a page, in GitHub's order: title, state, what was said, what it changes. */
export function conversationPage(repository: RepositoryView, one: ConversationView): Html {
  return html`<p class="page-title">${cutTo(one.title, titleLengthMax)} <span class="dim">#${one.number}</span></p>
<p>${badge(one.state, tones[one.state])} <span class="dim">${one.state === 'merged' ? html`<b>${one.mergedBy ?? 'somebody'}</b> merged` : html`<b>${one.user}</b> wants to merge`} into <code>${one.base.ref}</code> from <code>${one.head.ref}</code></span></p>
${said(repository, one)}
${buttons(repository.name, one)}`;
}

function said(repository: RepositoryView, one: ConversationView): Html {
  const numbers = new Set(repository.conversations.map((other) => other.number));
  const place = { repository: repository.name, numbers };
  return html`${box(one.user, 'opened this', one.createdAt, one.body, place)}${one.comments.map((comment) =>
    box(
      comment.user,
      'commented',
      comment.createdAt,
      comment.body,
      place,
      comment.updatedAt > comment.createdAt,
    ),
  )}`;
}

function box(
  who: string,
  did: string,
  at: number,
  body: string,
  place: MarkdownPlace,
  isEdited = false,
): Html {
  return html`<article class="said"><header><b>${who}</b> ${did} at ${timeOf(at)}${isEdited ? ' · edited' : ''}</header>
<div class="markdown">${body.trim() === '' ? html`<p class="dim">No description.</p>` : renderMarkdown(body, place)}</div></article>`;
}

function buttons(repository: string, one: ConversationView): Html {
  if (one.state !== 'open') return html``;
  const name = [`${repository}#${one.number}`];
  return html`<p>${button('merge', name, `Merge #${one.number}`, true)}${button('close', name, `Close #${one.number}`)}</p>`;
}
