/** The first page: what matters now, the stages, the pull requests, the commits, and all that happened. */
import { cutTo } from '../../render/clean.ts';
import { type Html, html } from '../../web/html.ts';
import type { HappeningKind } from '../chronicle.ts';
import type { JournalView, View } from '../view.ts';
import { banners } from './banner.ts';
import { conversations } from './conversation.ts';
import { graphs } from './graph.ts';
import type { Page } from './layout.ts';
import { badge, type Tone, timeOf } from './pieces.ts';
import { stages } from './stages.ts';

const happeningsMax = 60;
const textLengthMax = 300;

export function overview(view: View): Page {
  return {
    title: `Stepback sandbox: ${view.story.name}`,
    clock: clock(view),
    sections: [
      { id: 'now', content: banners(view) },
      { id: 'stages', content: stages(view) },
      { id: 'pulls', content: conversations(view), place: 'left' },
      { id: 'checks', content: checks(view), place: 'left' },
      { id: 'timeline', content: timeline(view), place: 'right' },
      { id: 'commits', content: graphs(view), place: 'right' },
      { id: 'journal', content: journal(view.journal), place: 'right' },
    ],
  };
}

/** Beside the title of every page; it changes all the time. */
export function clock(view: View): Html {
  const words = {
    playing: 'playing',
    over: 'the story is told; go on as you like',
    fault: 'went wrong',
  } as const;
  return html`<span class="dim">story <b>${view.story.name}</b>, ${words[view.story.phase]} · <span class="clock">${timeOf(view.now)}</span></span>`;
}

const toneOfKind: Readonly<Partial<Record<HappeningKind, Tone>>> = {
  said: 'busy',
  opened: 'good',
  merged: 'done',
  closed: 'warn',
  incident: 'good',
};

function timeline(view: View): Html {
  const shown = view.happenings.slice(-happeningsMax).reverse();
  const left = view.happenings.length - shown.length;
  return html`<h2>What happened</h2><ol class="timeline sheet">${shown.map(
    (one) =>
      html`<li>${timeOf(one.at)}<span class="${toneOfKind[one.kind] ?? ''}">${cutTo(one.text, textLengthMax)}</span></li>`,
  )}${left > 0 ? html`<li class="dim"><span></span><span>and ${left} more before</span></li>` : ''}</ol>`;
}

function checks(view: View): Html {
  const all = view.repositories.flatMap(({ checks: some }) => some).reverse();
  if (all.length === 0) return html``;
  const tone = (conclusion: string | null): Tone => {
    if (conclusion === null) return 'busy';
    if (conclusion === 'success') return 'good';
    return conclusion === 'failure' ? 'bad' : 'warn';
  };
  return html`<h2>Checks</h2>${all.map(
    (
      run,
    ) => html`<div class="sheet">${badge(run.conclusion ?? run.status.replaceAll('_', ' '), tone(run.conclusion))} <b>${run.name}</b>
<span class="dim">on ${run.headSha.slice(0, 7)} by ${run.app}</span><p>${run.title ?? ''}</p></div>`,
  )}`;
}

function journal({ github, kubernetes, webhooks }: JournalView): Html {
  const table = (title: string, counts: JournalView['github']): Html =>
    html`<details data-key="journal-${title}"><summary>${title}: ${counts.reduce((sum, [, count]) => sum + count, 0)}</summary>
<table class="journal">${counts.map(([name, count]) => html`<tr><td><code>${cutTo(name, textLengthMax)}</code></td><td>${count}</td></tr>`)}</table></details>`;
  return html`<h2>Requests</h2><div class="sheet">${table('To GitHub', github)}${table('To the API server', kubernetes)}${table('Webhooks', webhooks)}</div>`;
}
