/**
 * The status page: made here as one piece of HTML, without scripts, so that it works on any phone and keeps working when
 * little else does. It says how old it is, and what it cannot see.
 */
import { cutTo } from '../render/clean.ts';
import { Html, html } from './html.ts';
import { renderIncidents } from './page-incidents.ts';
import { renderSets } from './page-sets.ts';
import { style } from './page-style.ts';
import { ago, badge } from './page-words.ts';
import type { InstanceStatus, Status } from './status.ts';

/** The page reloads itself this often. */
const reloadSeconds = 30;

/** A whole document. */
export function renderPage(status: Status): string {
  const names = status.instances.map((one) => one.instance).join(', ');
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="refresh" content="${reloadSeconds}">
<title>Stepback: ${names}</title>
<style>${new Html(style)}</style>
</head>
<body>
<main>
<h1>Stepback</h1>
${status.instances.map((instance) => renderInstance(status, instance))}
<p class="dim">As of ${new Date(status.now).toISOString()}. This page reloads itself every ${reloadSeconds} s.</p>
</main>
</body>
</html>
`.markup;
}

function renderInstance(status: Status, instance: InstanceStatus): Html {
  const { sight } = instance;
  const isBlind = sight.blindness !== null;
  return html`<section>
<h2>${instance.instance} ${isBlind ? badge('blind', 'bad') : badge('seen', 'good')}</h2>
<p>Last heard of ${ago(status.now, sight.lastHeardAt)}.${isBlind ? html` <span class="bad">${sight.blindness}</span> Until that is over nothing is judged and nothing is done.` : ''}${instance.acting === null ? '' : actingWords(instance.acting)}</p>
<h3>Incidents</h3>
${renderIncidents(status, instance)}
<h3>ApplicationSets</h3>
${renderSets(status, instance.sets)}
</section>`;
}

/** What is shown on a replica that does not act was written by another. */
function actingWords(acting: string): Html {
  return acting === 'nobody'
    ? html` <span class="bad">No replica acts at the moment; one will within a minute.</span>`
    : html` This replica watches; <b>${cutTo(acting, 120)}</b> acts, and its verdicts are on its own page. Incidents are the same everywhere.`;
}
