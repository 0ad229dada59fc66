/** Small pieces that several sections are made of: commits, states, times, buttons. */
import { isCommit } from '../../domain/objects.ts';
import type { StageVerdict } from '../../domain/verdict.ts';
import { cutTo } from '../../render/clean.ts';
import { type Html, type HtmlValue, html } from '../../web/html.ts';
import { type Letters, placeOfLetter } from '../letters.ts';
import type { VerbName } from '../verbs.ts';

/** How much alarm a state raises; the colour repeats what the word says. */
export type Tone = 'bad' | 'warn' | 'busy' | 'good' | 'done' | 'dim';

const hues = 6;
const namesMax = 120;

export function badge(words: string, tone: Tone): Html {
  return html`<span class="badge ${tone}">${words}</span>`;
}

export function toneOf(verdict: StageVerdict): Tone {
  if (verdict === 'failed' || verdict === 'misconfigured') return 'bad';
  if (verdict === 'ok') return 'good';
  if (verdict === 'in-progress') return 'busy';
  return verdict === 'waiting' ? 'dim' : 'warn';
}

/** `in-progress` reads as "in progress". */
export function verdictBadge(verdict: StageVerdict): Html {
  return badge(verdict.replaceAll('-', ' '), toneOf(verdict));
}

/** Letter and seven digits of a commit, linked; other revisions as they are. */
export function commit(repository: string | null, sha: string, letters: Letters): Html {
  if (!isCommit(sha)) return html`<code>${cutTo(sha, namesMax)}</code>`;
  const letter = letters.find(sha);
  const words = html`${letter === null ? '' : html`<b>${letter}</b>`}${sha.slice(0, 7)}`;
  return linked(repository, sha, letter, words);
}

/** Only the letter, where the digits stand elsewhere. */
export function commitLetter(repository: string | null, sha: string, letters: Letters): Html {
  const letter = letters.find(sha);
  if (letter === null) return commit(repository, sha, letters);
  return linked(repository, sha, letter, html`<b>${letter}</b>`);
}

function linked(repository: string | null, sha: string, letter: string | null, words: Html): Html {
  const hue = `commit c${letter === null ? 0 : placeOfLetter(letter) % hues}`;
  return repository === null
    ? html`<span class="${hue}">${words}</span>`
    : html`<a class="${hue}" href="/${repository}/commit/${sha}">${words}</a>`;
}

/** The time of day in the story. */
export function timeOf(at: number): Html {
  const exact = new Date(at).toISOString();
  return html`<time datetime="${exact}" title="${exact}">${exact.slice(11, 19)}</time>`;
}

/** A button that does a verb. */
export function button(verb: VerbName, words: readonly string[], label: HtmlValue, isFirst = false): Html {
  const values = words.map((word) => html`<input type="hidden" name="word" value="${word}">`);
  return html`<form method="post" action="/do"><input type="hidden" name="verb" value="${verb}">${values}<button${isFirst ? html` class="first"` : ''}>${label}</button></form>`;
}
