/** The incidents of the page: what was changed, how far it got, which pull request takes it back. */
import type { Incident, Phase, SetStanding } from '../domain/incident.ts';
import { cutTo } from '../render/clean.ts';
import { describeObstacle } from '../render/obstacles.ts';
import { rebuiltWords } from '../render/rebuilt.ts';
import { wayBackTexts } from '../render/way-back.ts';
import { type Html, html, link } from './html.ts';
import { ago, badge, more, type Tone } from './page-words.ts';
import type { InstanceStatus, Status } from './status.ts';

const incidentsMax = 30;
const suspectsMax = 10;
const leftMax = 5;
const namesMax = 5;
const textLengthMax = 160;
const obstacleLengthMax = 600;

/** The state in words, how much alarm it raises, and what the revert's number stands after. */
const phases: Readonly<Record<Phase, readonly [words: string, tone: Tone, revert: string]>> = {
  noticed: ['failing, no revert yet', 'bad', 'The revert is'],
  proposed: ['revert is open', 'bad', 'Merge to take it back:'],
  merged: ['revert is merged, coming back', 'busy', 'Taken back by'],
  recovered: ['recovered', 'good', 'Taken back by'],
  healed: ['healed without the revert', 'good', 'Not needed any more:'],
  dismissed: ['dismissed by a person', 'dim', 'Closed by a person:'],
};

export function renderIncidents(status: Status, instance: InstanceStatus): Html {
  if (instance.incidents === null) {
    return html`<p class="warn">What is remembered of incidents cannot be read. ${instance.incidentsProblem ?? ''}</p>`;
  }
  if (instance.incidents.length === 0) return html`<p class="dim">No incident is remembered.</p>`;
  const shown = instance.incidents.slice(0, incidentsMax);
  return html`<ul class="incidents">${shown.map((one) => renderIncident(status, one))}</ul>${more(instance.incidents.length - shown.length, 'incidents')}`;
}

function renderIncident(status: Status, incident: Incident): Html {
  const [words, tone, revert] = phases[incident.phase];
  const { pullRequest, obstacle } = incident;
  const suspects = incident.suspects.slice(0, suspectsMax);
  return html`<li>
<h4>${cutTo(incident.suspects[0]?.subject ?? 'Nobody could be named', textLengthMax)} ${badge(words, tone)}</h4>
<p>${pullRequest === null ? 'No pull request takes it back' : html`${revert} ${link(pullRequest.url, `#${pullRequest.number}`)}`}.${obstacle === null ? '' : html` ${cutTo(describeObstacle(obstacle), obstacleLengthMax)}`}
Noticed ${ago(status.now, incident.openedAt)} in <b>${cutTo(incident.repository, textLengthMax)}</b> on <code>${cutTo(incident.branch, textLengthMax)}</code>.${incident.rebuiltAt === undefined ? '' : html` <span class="dim">${rebuiltWords(incident)}</span>`}</p>
<ul>${incident.sets.map((set) => renderStanding(set, incident, status.now))}</ul>
<ul>${suspects.map((suspect) => renderSuspect(status, incident, suspect))}</ul>${more(incident.suspects.length - suspects.length, 'commits')}
</li>`;
}

function renderStanding(set: SetStanding, incident: Incident, now: number): Html {
  const left = incident.phase === 'merged' ? wayBackTexts(set.left, namesMax, now) : [];
  const where = set.stages.filter((stage) => stage.having.length > 0).map((stage) => stage.name);
  return html`<li><b>${set.having} of ${set.total}</b> Applications of ${cutTo(set.key, textLengthMax)} have it${where.length === 0 ? '' : html`, in ${cutTo(where.join(', '), textLengthMax)}`}; ${set.havingAtMost} at the worst${set.isRecovered ? ', and all are back' : ''}${left.length === 0 ? '' : html`<ul>${left.slice(0, leftMax).map((line) => html`<li>${cutTo(line, obstacleLengthMax)}</li>`)}</ul>${more(left.length - leftMax, 'groups of Applications')}`}</li>`;
}

function renderSuspect(status: Status, incident: Incident, suspect: Incident['suspects'][number]): Html {
  const url = status.commitUrl(`https://${incident.host}/${incident.repository}`, suspect.sha);
  const pull = suspect.pullRequest;
  return html`<li>${link(url, html`<code>${suspect.sha.slice(0, 7)}</code>`)} ${cutTo(suspect.subject, textLengthMax)}
<span class="dim">by ${cutTo(suspect.author, textLengthMax)}${pull === null ? '' : html`, ${link(pull.url, `#${pull.number}`)}`}</span></li>`;
}
