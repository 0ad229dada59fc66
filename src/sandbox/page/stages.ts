/** The stages: which commit every Application runs, and how it is. */
import { cutTo } from '../../render/clean.ts';
import { type Html, html } from '../../web/html.ts';
import type { CellView, SetView, View } from '../view.ts';
import { badge, commit, commitLetter, type Tone, verdictBadge } from './pieces.ts';

const reasonsMax = 6;
const textLengthMax = 400;

export function stages(view: View): Html {
  if (view.sets.length === 0) return html`<h2>Stages</h2><p class="dim">Stepback has not looked yet.</p>`;
  return html`<h2>Stages</h2>${view.sets.map((set) => setOf(view, set))}${legend(view)}`;
}

function setOf(view: View, set: SetView): Html {
  const reasons = set.verdict === 'ok' ? [] : set.reasons.slice(0, reasonsMax);
  const more = set.verdict === 'ok' ? 0 : set.reasons.length - reasons.length;
  return html`<div class="sheet">
<h3>${set.key} ${verdictBadge(set.verdict)}</h3>
<ol class="stages">${set.stages.map(
    (
      stage,
    ) => html`<li><div class="stage"><b>${stage.number} ${stage.name}</b> ${stage.cells.length === 0 ? badge('empty', 'dim') : verdictBadge(stage.verdict)}
<span class="dim">${cutTo(stage.selector, textLengthMax)}, ${stage.pace}</span></div>
${cellsOf(view, set, stage.cells)}</li>`,
  )}</ol>
${set.outside.length === 0 ? '' : html`<h3>In no stage: the rollout never syncs them</h3>${cellsOf(view, set, set.outside)}`}
${reasons.length === 0 ? '' : html`<details data-key="why-${set.key}" open><summary>Why Stepback says so</summary><ul>${reasons.map((reason) => html`<li>${cutTo(reason, textLengthMax)}</li>`)}${more > 0 ? html`<li class="dim">and ${more} more</li>` : ''}</ul></details>`}
</div>`;
}

function cellsOf(view: View, set: SetView, cells: readonly CellView[]): Html {
  if (cells.length === 0) return html`<p class="dim">No Application.</p>`;
  return html`<ul class="cells">${cells.map((cell) => cellOf(view, set, cell))}</ul>`;
}

function cellOf(view: View, set: SetView, cell: CellView): Html {
  const show = (revisions: readonly string[], piece: typeof commit): Html =>
    html`${revisions.map((revision, index) => piece(set.repositories[index] ?? null, revision, view.letters))}`;
  const notes = [
    cell.isPartial ? 'in part' : '',
    cell.operation,
    cell.sync === 'Synced' ? '' : cell.sync === 'OutOfSync' ? 'out of sync' : `sync ${cell.sync}`,
  ].filter((note) => note !== '');
  return html`<li class="cell ${toneOfCell(cell)}" title="${cell.name}${cell.message === '' ? '' : `: ${cutTo(cell.message, textLengthMax)}`}">
<b>${cell.name.slice(set.name.length + 1) || cell.name}</b>${cell.runs === null ? html`<span class="dim">runs nothing</span>` : show(cell.runs, commit)}${cell.target === null ? '' : html` <span class="dim">→</span> ${show(cell.target, commitLetter)}`}
<div>${cell.health || 'unknown'}${notes.length === 0 ? '' : html`<span class="dim">, ${notes.join(', ')}</span>`}</div>${cell.isOutOfOrder ? html`<div class="bad">out of order</div>` : ''}</li>`;
}

function toneOfCell({ health, operation, sync, isOutOfOrder }: CellView): Tone {
  if (health === 'Degraded' || health === 'Missing' || operation === 'sync failed') return 'bad';
  if (isOutOfOrder) return 'warn';
  if (health === 'Progressing' || operation !== '') return 'busy';
  if (health !== 'Healthy') return 'warn';
  return sync === 'Synced' ? 'good' : 'dim';
}

/** The letters that stand in the cells, with what they mean. */
function legend(view: View): Html {
  const shown = new Set(
    view.sets
      .flatMap((set) => [...set.stages.flatMap((stage) => stage.cells), ...set.outside])
      .flatMap((cell) => [...(cell.runs ?? []), ...(cell.target ?? [])]),
  );
  const commits = view.repositories
    .flatMap(({ name, commits: all }) => all.map((one) => ({ repository: name, ...one })))
    .filter((one) => shown.has(one.sha))
    .reverse();
  return html`<ul class="legend">${commits.map((one) => html`<li>${commit(one.repository, one.sha, view.letters)} ${cutTo(one.subject, 80)}</li>`)}</ul>`;
}
