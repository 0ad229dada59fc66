/**
 * The stages as a table of four narrow columns, which a phone can show: who has the bad commit, who got it ahead of its
 * turn, how it fares.
 */
import type { SetStanding, StageStanding } from '../domain/incident.ts';
import { share } from './facts.ts';
import type { Detail } from './fit.ts';
import { count, listOf, shortName } from './lists.ts';
import { codeSpan, inlineText, tableRow } from './safe.ts';

const nameMax = 63;

/** Markdown of a whole table. `isMerged`: what is left is told, and nobody waits for the bad commit any more. */
export function stageTable(set: SetStanding, detail: Detail, isMerged: boolean): string {
  const shown = shownStages(set.stages, detail.stages);
  const told = new Set<string>();
  const rows = shown.map((stage) => stageRow(set, stage, detail, isMerged, told));
  const rest = set.stages.length - shown.length;
  return [
    tableRow(['', 'Stage', isMerged ? 'Still has the bad commit' : 'Has the bad commit', 'Health']),
    '| --- | --- | --- | --- |',
    ...rows,
    ...(rest === 0 ? [] : [tableRow(['', `${count(rest)} more`, '', ''])]),
  ].join('\n');
}

/** When not all fit, those with something to see. */
function shownStages(stages: readonly StageStanding[], max: number): readonly StageStanding[] {
  if (stages.length <= max) return stages;
  const weight = (stage: StageStanding): number =>
    (stage.failing.length > 0 ? 4 : 0) +
    (stage.outOfOrder.length > 0 ? 2 : 0) +
    (stage.having.length > 0 ? 1 : 0);
  const kept = new Set([...stages].sort((one, other) => weight(other) - weight(one)).slice(0, max));
  return stages.filter((stage) => kept.has(stage));
}

function stageRow(
  set: SetStanding,
  stage: StageStanding,
  detail: Detail,
  isMerged: boolean,
  told: Set<string>,
): string {
  return tableRow([
    String(stage.number),
    stageCell(stage),
    havingCell(set, stage, detail),
    healthCell(set, stage, detail, isMerged, told),
  ]);
}

/** The name, and what the name does not say: the selector, the pace. */
function stageCell(stage: StageStanding): string {
  const values = /^\S+ in (.+)$/.exec(stage.selector)?.[1]?.replaceAll(', ', ' and ');
  const isImplied = values === stage.name || stage.selector === 'every Application';
  const about = [
    ...(isImplied ? [] : [codeSpan(stage.selector, { max: 60 })]),
    ...(stage.pace === stage.name || stage.pace === 'all at once'
      ? []
      : [inlineText(stage.pace, { max: 30 })]),
  ];
  return `${inlineText(stage.name, { max: 40 })}${about.length === 0 ? '' : ` (${about.join(', ')})`}`;
}

/** "1 of 3: prod-2, **out of order**" */
function havingCell(set: SetStanding, stage: StageStanding, detail: Detail): string {
  const { having, outOfOrder, partly } = stage;
  const isAll = having.length === stage.applications;
  const names = (all: readonly string[]): string => namesOf(set, all, detail.names);
  const early =
    outOfOrder.length === 0
      ? ''
      : outOfOrder.length === having.length && !isAll
        ? '**out of order**'
        : `**out of order**: ${names(outOfOrder)}`;
  const inPart =
    partly.length === 0 ? '' : partly.length === having.length ? 'in part' : `in part: ${names(partly)}`;
  const list = having.length === 0 || (isAll && stage.applications > 1) ? '' : `: ${names(having)}`;
  const marks = [early, inPart].filter((mark) => mark !== '');
  return `${share(having.length, stage.applications)}${list}${marks.length === 0 ? '' : `, ${marks.join('; ')}`}`;
}

function namesOf(set: SetStanding, names: readonly string[], max: number): string {
  return listOf(names, max, (name) => inlineText(shortName(name, set.name), { max: nameMax }));
}

function healthCell(
  set: SetStanding,
  stage: StageStanding,
  detail: Detail,
  isMerged: boolean,
  told: Set<string>,
): string {
  if (stage.applications === 0) return 'no Application';
  const words =
    stage.failing.length > 0 ? failingWords(set, stage, detail, told) : quietWords(stage, detail, told);
  const failing = new Set(stage.failing);
  const waiting = isMerged ? [] : stage.ahead.filter((name) => !failing.has(name));
  if (waiting.length === 0 || set.failureKind === 'render') return words;
  return `${words}; ${namesOf(set, waiting, Math.min(2, detail.names))} ${waiting.length === 1 ? 'waits' : 'wait'}`;
}

function failingWords(set: SetStanding, stage: StageStanding, detail: Detail, told: Set<string>): string {
  const state = {
    degraded: `**${inlineText(stage.health === '' ? 'Degraded' : stage.health, { max: 20 })}**`,
    sync: '**Sync failed**',
    render: '**Cannot be rendered**',
  }[set.failureKind];
  const number = stage.failing.length > 1 ? ` (${count(stage.failing.length)})` : '';
  const ofFailing = set.evidence.find(
    (reason) =>
      reason.message !== '' && reason.application !== null && stage.failing.includes(reason.application),
  );
  return `${state}${number}${messageOnce(ofFailing?.message ?? stage.message, detail, told)}`;
}

function quietWords(stage: StageStanding, detail: Detail, told: Set<string>): string {
  const health = stage.health === '' ? 'not known' : inlineText(stage.health, { max: 20 });
  const state = Object.hasOwn(quietVerdictWords, stage.verdict)
    ? quietVerdictWords[stage.verdict]
    : undefined;
  const isWell = stage.health === 'Healthy' && state === undefined;
  return `${health}${state === undefined ? '' : `, ${state}`}${isWell ? '' : messageOnce(stage.message, detail, told)}`;
}

/** What health alone does not say; a failing stage and one that waits are told apart by who tells. */
export const quietVerdictWords: Readonly<Record<string, string>> = {
  blocked: 'held from outside',
  stuck: 'stuck',
  sick: 'and no commit explains it',
  stalled: 'for too long',
  paused: 'waits for a person',
  unnoticed: 'no sync is coming',
  'manual-gate': 'moves only by hand',
};

/** The same message in every stage is read once. */
function messageOnce(message: string, detail: Detail, told: Set<string>): string {
  if (message === '' || told.has(message)) return '';
  told.add(message);
  return `: ${inlineText(message, { max: detail.cell, keepsEnd: true })}`;
}
