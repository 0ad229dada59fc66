/** One commit, or a comparison of two: who, what, and the lines. */
import { cutTo } from '../../render/clean.ts';
import { type Html, html } from '../../web/html.ts';
import type { SeenCommit } from '../github/looks.ts';
import type { SmallGitHub } from '../github/small-github.ts';
import type { CheckRun } from '../github/state.ts';
import { type MarkdownPlace, renderMarkdown } from './markdown.ts';
import { timeOf } from './pieces.ts';

const linesMax = 400;
type Files = ReturnType<SmallGitHub['filesBetween']>;

export function commitPage(
  repository: string,
  one: SeenCommit,
  files: Files,
  checks: readonly CheckRun[],
): Html {
  const [, ...rest] = one.message.trim().split('\n');
  return html`<p class="page-title">${cutTo(one.subject, 300)}</p>
<p class="dim"><code>${one.sha}</code> in ${repository}, by <b>${one.author.name}</b> at ${timeOf(one.author.seconds * 1_000)}${one.verified ? ', verified' : ''}</p>
${rest.join('').trim() === '' ? '' : html`<pre>${rest.join('\n').trim()}</pre>`}
<p class="dim">${one.parents.map((parent) => html`parent <a href="/${repository}/commit/${parent}"><code>${parent.slice(0, 7)}</code></a> `)}</p>
${checks.map((run) => checkRun(run, { repository, numbers: new Set() }))}${changes(files)}`;
}

/** What an App says beside the commit. */
function checkRun(run: CheckRun, place: MarkdownPlace): Html {
  const words = [run.summary, run.text].filter((part) => part !== null && part !== '').join('\n\n');
  return html`<article class="said"><header><b>${run.name}</b> ${run.conclusion ?? run.status.replaceAll('_', ' ')} · ${run.title ?? ''}</header>
<div class="markdown">${renderMarkdown(words, place)}</div></article>`;
}

export function comparePage(repository: string, base: string, head: string, files: Files): Html {
  return html`<p class="page-title">What changed in ${repository}</p>
<p class="dim">from <code>${base.slice(0, 40)}</code> to <code>${head.slice(0, 40)}</code></p>
${changes(files)}`;
}

function changes(files: Files): Html {
  if (files.length === 0) return html`<p>No file differs.</p>`;
  return html`${files.map(
    (
      file,
    ) => html`<h3><code>${file.path}</code> <span class="dim">${file.status}</span> <span class="added">+${file.additions}</span> <span class="removed">−${file.deletions}</span></h3>
${
  file.patch === undefined
    ? html`<p class="dim">No lines to show.</p>`
    : html`<pre>${file.patch
        .split('\n')
        .slice(0, linesMax)
        .map(
          (line) =>
            html`<span class="${line.startsWith('+') ? 'added' : line.startsWith('-') ? 'removed' : ''}">${line}\n</span>`,
        )}</pre>`
}`,
  )}`;
}
