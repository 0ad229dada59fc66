/** What matters now, in one sentence, with the button that belongs to it. */
import type { Incident } from '../../domain/incident.ts';
import { isOpen } from '../../domain/incident.ts';
import { describeNoCulprit } from '../../render/no-culprit.ts';
import { describeObstacle } from '../../render/obstacles.ts';
import { type Html, html } from '../../web/html.ts';
import type { SetView, View } from '../view.ts';
import { button, type Tone, timeOf } from './pieces.ts';

/** One banner for each incident that is open, else for the last one, else for how things stand. */
export function banners(view: View): Html {
  const { phase, fault } = view.story;
  const open = view.incidents.filter(isOpen);
  const last = [...view.incidents].sort((one, other) => other.changedAt - one.changedAt).slice(0, 1);
  const isWell = view.sets.every(({ verdict }) => verdict === 'ok');
  // What is over says nothing about what came after it.
  const after = open.length === 0 && (last.length === 0 || !isWell) ? standing(view) : '';
  return html`${phase === 'fault' ? banner('bad', html`<p><strong>The story did not end as it should.</strong></p><p>${fault ?? ''}</p>`) : ''}${(open.length > 0 ? open : last).map(incidentBanner)}${after}`;
}

function banner(tone: Tone, content: Html): Html {
  return html`<div class="sheet banner ${tone}">${content}</div>`;
}

function incidentBanner(incident: Incident): Html {
  const { repository, pullRequest, suspects, sets, changedAt } = incident;
  const revert =
    pullRequest === null
      ? null
      : html`<a href="/${repository}/pull/${pullRequest.number}">#${pullRequest.number}</a>`;
  const culprits = suspects.flatMap((one) =>
    one.pullRequest === null ? [] : [`#${one.pullRequest.number}`],
  );
  const change =
    culprits.length > 0 ? culprits.join(' and ') : (suspects[0]?.sha.slice(0, 7) ?? 'the change');
  const names = sets.map((set) => set.name).join(' and ');
  const fails = sets.length === 1 ? 'fails' : 'fail';
  switch (incident.phase) {
    case 'noticed':
      return banner(
        'bad',
        html`<p><strong>${names} ${fails} because of ${change}, and there is no revert.</strong></p>
<p>${incident.obstacle === null ? 'Stepback is about to make one.' : describeObstacle(incident.obstacle)}</p>`,
      );
    case 'proposed':
      return banner(
        'bad',
        html`<p><strong>${names} ${fails}${having(incident, change)}.</strong></p>
<p>The way back is the revert ${revert}.${incident.obstacle === null ? '' : ` ${describeObstacle(incident.obstacle)}`}</p>
${button('merge', [`${repository}#${pullRequest?.number ?? ''}`], `Merge the revert #${pullRequest?.number ?? ''}`, true)}${button('close', [`${repository}#${pullRequest?.number ?? ''}`], 'Close it')}`,
      );
    case 'merged':
      return banner(
        'busy',
        html`<p><strong>The revert ${revert} is merged, and the stages are coming back.</strong></p>
<p>${notBack(incident)}</p>`,
      );
    case 'recovered':
      return banner(
        'good',
        html`<p><strong>Every stage is back.</strong></p>
<p>${revert} took ${change} back; the last Application was back at ${timeOf(changedAt)}.</p>`,
      );
    case 'healed':
      return banner(
        'good',
        html`<p><strong>${names} ${sets.length === 1 ? 'is' : 'are'} well again without the revert.</strong></p>
<p>${revert === null ? 'None was opened' : html`${revert} is closed`}, at ${timeOf(changedAt)}.</p>`,
      );
    case 'dismissed':
      return banner(
        'warn',
        html`<p><strong>A person closed the revert ${revert}.</strong></p>
<p>Stepback leaves ${change} alone. Reopen it on GitHub, or take the change back in another way.</p>`,
      );
  }
}

/** None may run it any more, only what was built on it. */
function having({ sets }: Incident, change: string): string {
  const sum = (of: 'having' | 'total'): number => sets.reduce((total, set) => total + set[of], 0);
  if (sum('having') === 0) return ` because of ${change}`;
  return `: ${sum('having')} of ${sum('total')} Applications ${sum('having') === 1 ? 'runs' : 'run'} ${change}`;
}

function notBack({ sets }: Incident): Html {
  const left = sets.flatMap((set) => set.left);
  if (left.length === 0) return html`Stepback looks whether all are back.`;
  const names = left.slice(0, 6).map((one) => one.application);
  return html`Not back yet: ${names.join(', ')}${left.length > names.length ? ` and ${left.length - names.length} more` : ''}.`;
}

/** Without an incident: the gravest verdict in words. */
function standing(view: View): Html {
  const [worst] = [...view.sets].sort((one, other) => gravity(other) - gravity(one));
  if (worst === undefined) return banner('busy', html`<p><strong>The story begins.</strong></p>`);
  if (worst.verdict === 'ok')
    return banner('good', html`<p><strong>Everything is Healthy.</strong></p><p>${lastSaid(view)}</p>`);
  if (worst.verdict === 'in-progress')
    return banner(
      'busy',
      html`<p><strong>${worst.name} is rolling out.</strong></p><p>${lastSaid(view)}</p>`,
    );
  return banner(
    worst.verdict === 'failed' || worst.verdict === 'misconfigured' ? 'bad' : 'warn',
    html`<p><strong>${worst.name} is ${worst.verdict.replaceAll('-', ' ')}, and nothing is reverted.</strong></p>${worst.reasons.slice(0, 3).map((reason) => html`<p>${reason}</p>`)}${
      worst.culprit?.kind === 'none'
        ? html`<p>${describeNoCulprit(worst.culprit.reason, worst.culprit.detail)}</p>`
        : ''
    }`,
  );
}

function gravity({ verdict }: SetView): number {
  if (verdict === 'ok') return 0;
  return verdict === 'in-progress' ? 1 : 2;
}

function lastSaid(view: View): string {
  return view.happenings.findLast((one) => one.kind === 'said')?.text ?? '';
}
