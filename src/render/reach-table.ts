/**
 * How far a change reaches, as a table of one ApplicationSet, and of hundreds in one line each: stages in their order,
 * how many Applications on which clusters, how fast, and where only a person moves it on.
 */
import { type Reach, reachedStages, type StageReach } from '../domain/layout.ts';
import { never } from '../domain/never.ts';
import { share } from './facts.ts';
import { count, counted, listOf, shortName } from './lists.ts';
import { codeSpan, inlineText, tableRow } from './safe.ts';

/** How much is told of each ApplicationSet. */
export interface ReachDetail {
  stages: number;
  /** Names of Applications in one stage. */
  names: number;
}

const nameMax = 63;

/** Markdown: the table and what it does not say. */
export function reachTable(reach: Reach, detail: ReachDetail): string {
  const notes = notesOn(reach);
  if (reach.stages.length === 0) return notes.join(' ');
  const shown = shownStages(reach.stages, detail.stages);
  const rest = reach.stages.length - shown.length;
  const table = [
    tableRow(['', 'Stage', 'Reaches', 'How']),
    '| --- | --- | --- | --- |',
    ...shown.map((stage) => stageRow(reach, stage, detail)),
    ...(rest === 0 ? [] : [tableRow(['', `${count(rest)} more`, '', ''])]),
  ].join('\n');
  return notes.length === 0 ? table : `${table}\n\n${notes.join(' ')}`;
}

/** When not all fit, those that the change reaches. */
function shownStages(stages: readonly StageReach[], max: number): readonly StageReach[] {
  if (stages.length <= max) return stages;
  const weight = (stage: StageReach): number => (stage.applications.length > 0 ? 1 : 0);
  const kept = new Set([...stages].sort((one, other) => weight(other) - weight(one)).slice(0, max));
  return stages.filter((stage) => kept.has(stage));
}

function stageRow(reach: Reach, stage: StageReach, detail: ReachDetail): string {
  const isGate = stage.maxUpdate === 0 && stage.total > 0 && reach.order === 'stages';
  const isIgnored = reach.order === 'flag-off' || reach.order === 'create-only';
  return tableRow([
    String(stage.number),
    stageCell(stage),
    reachCell(reach, stage, detail),
    isIgnored ? 'not obeyed' : isGate ? '**only by hand**' : inlineText(stage.pace, { max: 30 }),
  ]);
}

function stageCell(stage: StageReach): string {
  const values = /^\S+ in (.+)$/.exec(stage.selector)?.[1]?.replaceAll(', ', ' and ');
  const isImplied = values === stage.name || stage.selector === 'every Application';
  const name = inlineText(stage.name, { max: 40 });
  return isImplied ? name : `${name} (${codeSpan(stage.selector, { max: 60 })})`;
}

/** "3 of 3 on 3 clusters: staging-1, staging-2 and staging-3" */
function reachCell(reach: Reach, stage: StageReach, detail: ReachDetail): string {
  if (stage.total === 0) return 'no Application';
  if (stage.applications.length === 0) return `none of ${count(stage.total)}`;
  const names = listOf(stage.applications, detail.names, (name) =>
    inlineText(shortName(name, reach.name), { max: nameMax }),
  );
  const all = share(stage.applications.length, stage.total);
  const clusters = stage.clusters.length === 0 ? '' : ` on ${counted(stage.clusters.length, 'cluster')}`;
  return `${all}${clusters}: ${names}`;
}

/** What keeps it from going as the table says. */
function notesOn(reach: Reach): readonly string[] {
  const notes = [orderNote(reach), gateNote(reach), firstNote(reach), unselectedNote(reach)];
  return notes.filter((note) => note !== '');
}

function orderNote(reach: Reach): string {
  switch (reach.order) {
    case 'stages':
      return '';
    case 'flag-off':
      return 'Progressive syncs are switched off in this Argo CD, so it ignores these stages: every Application follows its own sync policy, **all at once**.';
    case 'at-once':
      return 'It has no stages: every Application follows its own sync policy, **all at once**.';
    case 'empty-steps':
      return 'Its list of steps is empty, which Argo CD refuses: nothing is synced until `spec.strategy.rollingSync.steps` has one.';
    case 'create-only':
      return 'Its policy `applicationsSync` keeps Argo CD from syncing any of them: only a person does.';
    default:
      return never(reach.order);
  }
}

function gateNote(reach: Reach): string {
  if (reach.order !== 'stages') return '';
  const gate = reach.stages.find((stage) => stage.maxUpdate === 0 && stage.total > 0);
  if (gate === undefined) return '';
  const isBehind = reachedStages(reach).some((stage) => stage.number > gate.number);
  const isAt = gate.applications.length > 0;
  if (!isAt && !isBehind) return '';
  const name = stageWords(gate);
  const behind = isBehind ? ', and every stage behind it waits as well' : '';
  return `Stage ${name} is a gate (\`maxUpdate\` is 0): a person syncs it${behind}.`;
}

/** A change of prod alone is tried nowhere before. */
function firstNote(reach: Reach): string {
  if (reach.order !== 'stages') return '';
  const [first] = reachedStages(reach);
  const earlier = reach.stages.filter((stage) => stage.total > 0 && stage.number < (first?.number ?? 0));
  if (first === undefined || earlier.length === 0) return '';
  return `**It begins in ${inlineText(first.name, { max: 40 })}**: what it changes feeds no earlier stage, so it is tried nowhere before.`;
}

function unselectedNote({ unselected }: Reach): string {
  if (unselected.length === 0) return '';
  const names = listOf(unselected, 3, (name) => codeSpan(name, { max: nameMax }));
  const [are, them] = unselected.length === 1 ? ['is', 'it'] : ['are', 'them'];
  return `${names} ${are} in no stage: the rollout never syncs ${them}.`;
}

/** "2 (staging)" */
export function stageWords({ number, name }: { number: number; name: string }): string {
  return `${count(number)} (${inlineText(name, { max: 40 })})`;
}

/** "dev, then staging, then prod", "all at once": plain for `write`, which makes a name ready for its place. */
export function orderInWords(reach: Reach, max: number, write: (name: string) => string): string {
  if (reach.order === 'create-only' || reach.order === 'empty-steps') return 'only by hand';
  if (reach.order !== 'stages') return 'all at once';
  const stages = reachedStages(reach);
  if (stages.length === 0) return 'in no stage';
  const shown = stages.slice(0, max).map((stage) => write(stage.name));
  if (stages.length > max) shown.push(`${count(stages.length - max)} more`);
  return shown.join(', then ');
}

/** One line for each ApplicationSet, as a table. */
export function reachList(reaches: readonly Reach[], max: number): string {
  const shown = reaches.slice(0, max);
  const rest = reaches.length - shown.length;
  return [
    tableRow(['ApplicationSet', 'Reaches', 'Order']),
    '| --- | --- | --- |',
    ...shown.map((reach) =>
      tableRow([
        codeSpan(reach.key, { max: 130 }),
        `${counted(reach.applications, 'Application')} on ${counted(reach.clusters, 'cluster')}`,
        orderInWords(reach, 4, (name) => inlineText(name, { max: 40 })),
      ]),
    ),
    ...(rest === 0 ? [] : [tableRow([`${count(rest)} more`, '', ''])]),
  ].join('\n');
}
