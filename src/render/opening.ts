/**
 * The first sentences of an open revert, for somebody who was woken up: what is broken, how far it got, what merging
 * does. The exception (ahead of its turn, still growing, only a guess) stands here and not in the details.
 */
import type { Incident, SetStanding, StageStanding } from '../domain/incident.ts';
import { isHeldBack } from './after-merge.ts';
import {
  badCommitLink,
  brokeLate,
  countHaving,
  failingStages,
  failures,
  goalLink,
  isWithoutStages,
  type RenderContext,
  share,
} from './facts.ts';
import type { Detail } from './fit.ts';
import { commitLink } from './links.ts';
import { count, counted, listOf } from './lists.ts';
import { codeSpan, inlineText } from './safe.ts';
import { duration, timeOfDay } from './times.ts';

const nameMax = 80;

/** Markdown of one paragraph, or of a paragraph and a list when several ApplicationSets fail. */
export function openingOf(incident: Incident, context: RenderContext, detail: Detail): string {
  const [first, ...others] = incident.sets;
  const commit = badCommitLink(incident, context.links);
  if (first === undefined) return `A change fails on ${commit}. Merging this takes it back.`;
  if (others.length > 0) return openingOfSeveral(incident, commit, context, detail);
  return [
    `${whatFails(first, context)}${on(first, commit)}.`,
    howFar(first, incident),
    merging(incident, first, context),
    onItsWay(first, context),
  ]
    .filter((sentence) => sentence !== '')
    .join(' ');
}

/** What landed since and may mend it. */
function onItsWay({ newer }: SetStanding, { links }: RenderContext): string {
  if (newer == null) return '';
  return `${commitLink(newer, links)} landed since and is what it is to run now: if it is well on that, I close this.`;
}

/** It is well at this moment; whether it stays so is waited for before the revert is closed. */
function isWellForNow(set: SetStanding): boolean {
  if (failingStages(set).length > 0) return false;
  return set.verdict === 'ok' || (set.verdict === 'in-progress' && set.failureKind === 'degraded');
}

/** "`payments` stopped in **staging**: `payments-staging-1` has been Degraded for 2 min" */
function whatFails(set: SetStanding, context: RenderContext): string {
  const name = codeSpan(set.name, { max: nameMax });
  const [first, ...more] = failures(set);
  if (isWellForNow(set)) return `${name} does not fail at this moment, after it did`;
  const since = context.now - (first?.since ?? set.since);
  const where = whereItFails(set);
  if (set.failureKind === 'render')
    return `Argo CD has got no manifests for ${name} for ${duration(since)}: it cannot be rendered`;
  const who = first?.application == null ? 'an Application' : codeSpan(first.application, { max: nameMax });
  const whoAll = more.length === 0 ? who : `${who} and ${count(more.length)} more`;
  const have = more.length === 0 ? 'has' : 'have';
  if (set.failureKind === 'sync') {
    const attempts =
      first === undefined || first.value === '' ? '' : ` (${inlineText(first.value, { max: 40 })})`;
    return `${name} ${where === '' ? 'fails' : `stopped${where}`}: ${whoAll} ${have} failed to sync for ${duration(since)}${attempts}`;
  }
  const isLate = brokeLate(set);
  const verb = where === '' ? 'fails' : `${isLate ? 'broke' : 'stopped'}${where}`;
  return `${name} ${verb}${isLate ? ' after it was Healthy there' : ''}: ${whoAll} ${have} been Degraded for ${duration(since)}`;
}

function whereItFails(set: SetStanding): string {
  const stages = failingStages(set);
  if (stages.length === 0 || isWithoutStages(set)) return '';
  return ` in ${listOf(stages, 3, (stage) => `**${stageWords(stage)}**`)}`;
}

function stageWords(stage: StageStanding): string {
  return inlineText(stage.name, { max: 40 });
}

function on(set: SetStanding, commit: string): string {
  return set.failureKind === 'render' ? ` at ${commit}` : ` on ${commit}`;
}

/** "**3 of 7** Applications run that commit, **one of them in prod, ahead of its turn**." */
function howFar(set: SetStanding, incident: Incident): string {
  const { inStages, outside } = countHaving(set);
  if (inStages === 0 && set.failureKind === 'degraded')
    return 'No Application runs exactly that commit any more, only what was built on it.';
  if (inStages === 0)
    return `${set.failureKind === 'render' ? `None of its ${counted(set.total, 'Application')} can be updated` : 'No Application runs that commit'}; what ran before keeps running.`;
  const number = `**${share(inStages, set.total)}** Applications ${inStages === 1 ? 'runs' : 'run'} that commit`;
  const clauses = [aheadOfTurn(set), outsideClause(outside), growth(set, incident)].filter(
    (clause) => clause !== '',
  );
  const goesOn =
    failures(set)[0]?.code === 'degraded-after-healthy' && inStages < set.total
      ? ' Argo CD can go on to the others.'
      : '';
  return `${[number, ...clauses].join(', ')}.${goesOn}`;
}

function aheadOfTurn(set: SetStanding): string {
  const stages = set.stages.filter((stage) => stage.outOfOrder.length > 0);
  const number = stages.reduce((sum, stage) => sum + stage.outOfOrder.length, 0);
  if (number === 0) return '';
  const where = listOf(stages, 3, stageWords);
  return number === 1
    ? `**one of them in ${where}, ahead of its turn**`
    : `**${count(number)} of them in ${where}, ahead of their turn**`;
}

function outsideClause(outside: number): string {
  return outside === 0 ? '' : `**and ${count(outside)} more outside of every stage**`;
}

/** The blast radius of an open incident can grow; when it last did says how much of a hurry it is. */
function growth(set: SetStanding, incident: Incident): string {
  const last = incident.timeline.findLast(
    (entry) => entry.what === 'grew' && entry.detail.startsWith(`${set.key}: `),
  );
  const isEverywhere = countHaving(set).inStages >= set.total;
  return last === undefined || isEverywhere ? '' : `**growing, last at ${timeOfDay(last.at)}**`;
}

/** "Merging this puts all of them back on `ea283fd`." */
function merging(incident: Incident, set: SetStanding, context: RenderContext): string {
  const lastGood = goalLink(incident, set, context.links);
  const { inStages } = countHaving(set);
  const goal = lastGood === null ? 'what ran before it' : lastGood;
  const who = inStages === 1 ? 'it' : 'all of them';
  const effect =
    inStages === 0
      ? `brings the branch back to ${goal}, from where the stages go on`
      : `puts ${who} back on ${goal}`;
  const caution = isHeldBack(set) ? ' **Something is in the way of that: see below.**' : '';
  const hope = isWellForNow(set) ? 'If it stays well, I close this. ' : '';
  return `${hope}Merging this ${effect}.${caution}${guess(set)}`;
}

/** Last good out of Argo CD's history is not what we saw ourselves. */
function guess(set: SetStanding): string {
  return set.isGuess && set.lastGood !== null
    ? ' **That commit is a guess** out of the history of Argo CD: I have not seen it Healthy myself, so have a look at it first.'
    : '';
}

function openingOfSeveral(
  incident: Incident,
  commit: string,
  context: RenderContext,
  detail: Detail,
): string {
  const { sets } = incident;
  const inStages = sets.reduce((sum, set) => sum + countHaving(set).inStages, 0);
  const total = sets.reduce((sum, set) => sum + set.total, 0);
  const shown = sets.slice(0, detail.sets);
  const lines = shown.map((set) => `- ${setLine(incident, set, context)}`);
  if (sets.length > shown.length)
    lines.push(`- and ${counted(sets.length - shown.length, 'more ApplicationSet')}`);
  return [
    `**${count(sets.length)} ApplicationSets** fail on ${commit}: **${share(inStages, total)}** Applications ${inStages === 1 ? 'runs' : 'run'} it. Merging this takes it back from all of them.`,
    '',
    ...lines,
  ].join('\n');
}

function setLine(incident: Incident, set: SetStanding, context: RenderContext): string {
  if (set.isRecovered) return `${codeSpan(set.name, { max: nameMax })} is back already.`;
  const lastGood = goalLink(incident, set, context.links);
  const back = lastGood === null ? '' : ` It goes back to ${lastGood}.${guess(set)}`;
  return `${whatFails(set, context)}. ${howFar(set, incident)}${back}`;
}
