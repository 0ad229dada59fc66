/** Small pieces that every part of the page is made of: times, commits, states. */
import { isCommit, type Source } from '../domain/objects.ts';
import type { StageVerdict } from '../domain/verdict.ts';
import { cutTo } from '../render/clean.ts';
import { duration } from '../render/times.ts';
import { type Html, html, link } from './html.ts';
import type { Status } from './status.ts';

/** How much alarm a state raises. The colour repeats what the word says, never more. */
export type Tone = 'bad' | 'warn' | 'busy' | 'good' | 'dim';

const tones: Readonly<Record<StageVerdict, Tone>> = {
  unknown: 'warn',
  misconfigured: 'bad',
  failed: 'bad',
  blocked: 'warn',
  stuck: 'warn',
  sick: 'warn',
  stalled: 'warn',
  paused: 'warn',
  unnoticed: 'warn',
  'manual-gate': 'warn',
  'in-progress': 'busy',
  waiting: 'dim',
  ok: 'good',
};

const revisionLengthMax = 24;

export function badge(words: string, tone: Tone): Html {
  return html`<span class="badge ${tone}">${words}</span>`;
}

/** `manual-gate` reads as "manual gate". */
export function verdictBadge(verdict: StageVerdict): Html {
  return badge(verdict.replaceAll('-', ' '), tones[verdict]);
}

/** Seven digits of a commit, linked where people can read it; other revisions as they are. */
function revision(status: Status, source: Source | undefined, value: string): Html {
  if (value === '') return html`nothing`;
  if (!isCommit(value)) return html`<code>${cutTo(value, revisionLengthMax)}</code>`;
  const url = source === undefined ? null : status.commitUrl(source.repoURL, value);
  return link(url, html`<code>${value.slice(0, 7)}</code>`);
}

/** One revision a source, put together with a plus. */
export function revisions(status: Status, sources: readonly Source[], values: readonly string[]): Html {
  return html`${values.map((value, index) => [index > 0 ? ' + ' : '', revision(status, sources[index], value)])}`;
}

/** "4 min ago", with the exact time for those who hover. */
export function ago(now: number, at: number | null): Html {
  if (at === null || at <= 0) return html`never`;
  const exact = new Date(at).toISOString();
  return html`<time datetime="${exact}" title="${exact}">${duration(Math.max(0, now - at))} ago</time>`;
}

/** What a limit cut off is never silently gone. */
export function more(count: number, what: string): Html | null {
  return count <= 0 ? null : html`<p class="dim">and ${count} more ${what}, which this page leaves out</p>`;
}
