/** The ApplicationSets of the page: a verdict with its reasons, the stages, and the commit that each Application runs. */
import type { ApplicationRow } from '../domain/objects.ts';
import type { Rollout, Stage, StageApplication } from '../domain/rollout.ts';
import { cutTo } from '../render/clean.ts';
import { describeReason } from '../render/reasons.ts';
import { describeWhyNot } from '../render/why-not.ts';
import { type Html, html } from './html.ts';
import { ago, badge, more, revisions, type Tone, verdictBadge } from './page-words.ts';
import type { SetStatus, Status } from './status.ts';
import { verdictOf } from './status.ts';

const setsMax = 200;
const applicationsMax = 60;
const reasonsMax = 12;
const reasonLengthMax = 500;
const nameLengthMax = 120;

/** Those that are well are folded away. */
export function renderSets(status: Status, sets: readonly SetStatus[]): Html {
  if (sets.length === 0) return html`<p class="dim">No ApplicationSet is seen here.</p>`;
  const shown = sets.slice(0, setsMax);
  return html`${shown.map((set) => renderSet(status, set))}${more(sets.length - shown.length, 'ApplicationSets')}`;
}

function renderSet(status: Status, set: SetStatus): Html {
  const verdict = verdictOf(set);
  const isWell = verdict === 'ok' || (verdict === null && set.rows.every(isGood));
  return html`<details class="set"${isWell ? '' : html` open`}>
<summary><b>${cutTo(set.key, nameLengthMax)}</b> ${verdict === null ? radarBadge(set) : verdictBadge(verdict)}
<span class="dim">looked at ${ago(status.now, set.lookedAt)}${set.problem === null ? '' : `; the last look failed: ${set.problem}`}</span></summary>
${set.whyNot === null ? null : html`<p class="why">No revert: ${cutTo(describeWhyNot(set.whyNot), reasonLengthMax)}</p>`}
${set.answer === null ? renderRows(set.rows) : renderRollout(status, set.answer.rollout)}
</details>`;
}

/** Without a close look the radar's rows are all that is known, and enough while everything is well. */
function radarBadge(set: SetStatus): Html {
  if (set.lookedAt === null) return badge('not looked at yet', 'dim');
  return set.rows.every(isGood) ? badge('quiet', 'good') : badge('not judged yet', 'dim');
}

function isGood(row: ApplicationRow): boolean {
  return row.syncStatus === 'Synced' && row.healthStatus === 'Healthy';
}

function renderRows(rows: readonly ApplicationRow[]): Html {
  const shown = rows.slice(0, applicationsMax);
  return html`<ul class="applications">${shown.map(
    (row) => html`<li><span>${cutTo(shortKey(row.key), nameLengthMax)}</span>
<code>${row.revision.slice(0, 7)}</code> <span class="dim">${row.healthStatus}, ${row.syncStatus}</span></li>`,
  )}</ul>${more(rows.length - shown.length, 'Applications')}`;
}

function renderRollout(status: Status, rollout: Rollout): Html {
  const reasons = rollout.reasons.slice(0, reasonsMax);
  return html`${reasons.length === 0 ? null : html`<ul class="reasons">${reasons.map((reason) => html`<li>${cutTo(describeReason(reason), reasonLengthMax)}</li>`)}</ul>${more(rollout.reasons.length - reasons.length, 'reasons')}`}
<ol class="stages">${rollout.stages.map((stage) => renderStage(status, rollout, stage))}</ol>
${renderRest(status, rollout, 'In no step: the rollout never syncs them', rollout.unselected)}
${renderRest(status, rollout, 'Left over: the template makes them no longer', rollout.orphans)}`;
}

function renderStage(status: Status, rollout: Rollout, stage: Stage): Html {
  return html`<li><h4>${stage.number} ${cutTo(stage.name, nameLengthMax)} ${verdictBadge(stage.verdict)}
<span class="dim">${cutTo(stage.selector, nameLengthMax)}, ${stage.pace}</span></h4>
${renderApplications(status, rollout, stage.applications)}</li>`;
}

function renderRest(
  status: Status,
  rollout: Rollout,
  words: string,
  some: readonly StageApplication[],
): Html | null {
  if (some.length === 0) return null;
  return html`<h4>${words}</h4>${renderApplications(status, rollout, some)}`;
}

/** Those that fail first, because a long list is cut. */
function renderApplications(status: Status, rollout: Rollout, all: readonly StageApplication[]): Html {
  if (all.length === 0) return html`<p class="dim">No Application.</p>`;
  const sorted = [...all].sort((one, other) => weight(other) - weight(one));
  const shown = sorted.slice(0, applicationsMax);
  return html`<ul class="applications">${shown.map((one) => renderApplication(status, rollout, one))}</ul>${more(all.length - shown.length, 'Applications')}`;
}

function weight(one: StageApplication): number {
  if (one.assessment.failure !== null) return 2;
  return one.assessment.verdict === 'ok' ? 0 : 1;
}

function renderApplication(status: Status, rollout: Rollout, one: StageApplication): Html {
  const { application } = one;
  const isElsewhere = one.target !== null && one.runs?.join() !== one.target.join();
  const notes = [
    one.isPartial ? ' in part' : '',
    rollout.outOfOrder.includes(one) ? html`, <b>out of order</b>` : '',
    isElsewhere ? html`, is to run ${revisions(status, application.sources, one.target ?? [])}` : '',
  ];
  return html`<li class="${toneOf(one)}"><span>${cutTo(application.name, nameLengthMax)}</span>
runs ${one.runs === null ? 'nothing' : revisions(status, application.sources, one.runs)}${notes}
<span class="dim">${application.health.status}, ${application.sync.status}</span></li>`;
}

function toneOf(one: StageApplication): Tone {
  if (one.assessment.failure !== null) return 'bad';
  if (one.assessment.verdict === 'ok') return 'good';
  return one.assessment.verdict === 'in-progress' ? 'busy' : 'warn';
}

function shortKey(key: string): string {
  return key.replace(/^[^/]*\//, '');
}
