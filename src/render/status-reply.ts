/**
 * The answer to `/stepback status`: for each ApplicationSet one sentence and the stages, with the commit that its
 * Applications run, as of this moment.
 */

import type { Revisions } from '../domain/content.ts';
import type { Incident } from '../domain/incident.ts';
import type { Hold, Snooze } from '../domain/orders.ts';
import type { Rollout, Stage, StageApplication } from '../domain/rollout.ts';
import type { StageVerdict } from '../domain/verdict.ts';
import { person } from './held.ts';
import { commitLink, type Links, pullRequestLink } from './links.ts';
import { count, counted, listOf, shortName } from './lists.ts';
import { codeSpan, inlineText, tableRow } from './safe.ts';
import { exactTime } from './times.ts';

export interface SetReport {
  rollout: Rollout;
  /** The newest incident that it is part of and that is not over. */
  incident: Incident | null;
  hold: Hold | null;
  snoozes: readonly Snooze[];
}

/** ApplicationSets that are told in full. */
const setCounts = [5, 2, 1];
/** Leaves room for a marker, in UTF-16 units. */
const replyLengthMax = 60_000;
const groupsMax = 4;
const stagesMax = 30;
const namesMax = 4;

/** What is said of an ApplicationSet or a stage. */
export const verdictWords: Readonly<Record<StageVerdict, string>> = {
  ok: 'every stage is Healthy on what it is meant to run',
  'in-progress': 'the rollout is on its way',
  failed: 'a change fails',
  blocked: 'it is held from outside',
  stuck: 'it is stuck',
  sick: 'something is unhealthy, and no commit explains it',
  stalled: 'it takes too long',
  paused: 'it waits for a person',
  unnoticed: 'it differs from Git, and no sync is coming',
  'manual-gate': 'a stage moves only by hand',
  misconfigured: 'it is configured so that nothing rolls out',
  unknown: 'I cannot see enough of it to judge',
  waiting: 'it waits for the stages before it',
};

/** Markdown. `now` is the moment of the looks. */
export function statusReply(reports: readonly SetReport[], links: Links, now: number): string {
  return asLargeAsFits((setsMax) => statusOf(reports, setsMax, links, now));
}

/** Reports of fewer ApplicationSets until they fit; one of a single set is short enough by its own limits. */
export function asLargeAsFits(write: (setsMax: number) => string): string {
  const texts = setCounts.map((setsMax) => () => write(setsMax));
  for (const text of texts) {
    const written = text();
    if (written.length <= replyLengthMax) return written;
  }
  return write(0);
}

function statusOf(reports: readonly SetReport[], setsMax: number, links: Links, now: number): string {
  const shown = reports.slice(0, setsMax);
  const rest = reports.slice(setsMax);
  return [
    ...shown.flatMap((report) => [
      headline(report, links),
      tableOf(report.rollout, links),
      ...ordersOf(report),
    ]),
    ...(rest.length === 0
      ? []
      : [`And ${counted(rest.length, 'more ApplicationSet')}: ${listOf(rest, 10, shortly)}.`]),
    `As of ${exactTime(now)}.`,
  ].join('\n\n');
}

function shortly({ rollout }: SetReport): string {
  return `${codeSpan(rollout.applicationSet.key, { max: 120 })} (${rollout.verdict.replaceAll('-', ' ')})`;
}

/** "`argocd/payments`: a change fails. The way back is #5." */
function headline({ rollout, incident }: SetReport, links: Links): string {
  const name = codeSpan(rollout.applicationSet.key, { max: 120 });
  const sentence = `**${name}**: ${verdictWords[rollout.verdict]}.`;
  const number = incident?.pullRequest?.number ?? null;
  if (incident === null || number === null) return sentence;
  const revert = pullRequestLink(number, links);
  switch (incident.phase) {
    case 'proposed':
      return `${sentence} The way back is **${revert}**.`;
    case 'merged':
      return `${sentence} ${revert} is merged; I follow until every Application is back.`;
    default:
      return sentence;
  }
}

function tableOf(rollout: Rollout, links: Links): string {
  const shown = rollout.stages.slice(0, stagesMax);
  const rest = rollout.stages.length - shown.length;
  return [
    tableRow(['', 'Stage', 'Runs', 'State']),
    '| --- | --- | --- | --- |',
    ...shown.map((stage) => rowOf(rollout, stage, links)),
    ...(rest === 0 ? [] : [tableRow(['', `${count(rest)} more`, '', ''])]),
  ].join('\n');
}

function rowOf(rollout: Rollout, stage: Stage, links: Links): string {
  const pace = stage.pace === 'all at once' || stage.pace === stage.name ? '' : ` (${stage.pace})`;
  return tableRow([
    String(stage.number),
    `${inlineText(stage.name, { max: 40 })}${pace}`,
    runsCell(rollout, stage, links),
    stateCell(rollout, stage),
  ]);
}

/** "3 on `d2bf318`: staging-1, staging-2 and staging-3; prod-2 **out of order**" */
function runsCell(rollout: Rollout, stage: Stage, links: Links): string {
  if (stage.applications.length === 0) return 'no Application';
  const groups = new Map<string, StageApplication[]>();
  for (const one of stage.applications) {
    const key = one.runs?.join() ?? '';
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  const names = (some: readonly StageApplication[]): string =>
    listOf(some, namesMax, (one) =>
      inlineText(shortName(one.application.name, rollout.applicationSet.name), { max: 63 }),
    );
  const shown = [...groups.values()].slice(0, groupsMax);
  const rest = groups.size - shown.length;
  const parts = shown.map((some) => {
    const runs = some[0]?.runs ?? null;
    const what = runs === null ? 'nothing yet' : `on ${revisionsWords(runs, links)}`;
    const who = groups.size === 1 && some.length > 1 ? '' : `: ${names(some)}`;
    return `${count(some.length)} ${what}${who}`;
  });
  const early = stage.applications.filter((one) => rollout.outOfOrder.includes(one));
  const more = rest === 0 ? [] : [`the others on ${counted(rest, 'other commit')}`];
  return [...parts, ...more, ...(early.length === 0 ? [] : [`**out of order**: ${names(early)}`])].join('; ');
}

/** With several sources it is not known here which of them lies in this repository: then nothing is linked. */
export function revisionsWords(revisions: Revisions, links: Links): string {
  const only = revisions.length === 1;
  return revisions.map((revision) => commitLink(revision, only ? links : null)).join(' + ');
}

function stateCell(rollout: Rollout, stage: Stage): string {
  const failing = stage.applications.filter((one) => one.assessment.verdict === 'failed');
  const state = stage.verdict === 'ok' ? 'Healthy' : stage.verdict.replaceAll('-', ' ');
  if (failing.length === 0) return state;
  const names = listOf(failing, namesMax, (one) =>
    inlineText(shortName(one.application.name, rollout.applicationSet.name), { max: 63 }),
  );
  return `**${state}**: ${names}`;
}

/** What people ordered, as sentences. */
export function ordersOf({ hold, snoozes }: SetReport): readonly string[] {
  const lines = [
    ...(hold === null ? [] : [`${person(hold.by)} holds reverts of it until ${exactTime(hold.until)}.`]),
    ...snoozes.map(
      (snooze) =>
        `${person(snooze.by)} left ${snooze.kind === 'stage' ? 'stage ' : ''}${codeSpan(snooze.name, { max: 80 })} out of the verdict until ${exactTime(snooze.until)}.`,
    ),
  ];
  return lines.length === 0 ? [] : [lines.join(' ')];
}
