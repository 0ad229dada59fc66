/**
 * The stages in the check run of a commit: who runs which commit, who got it ahead of its turn, how it fares.
 */
import type { CheckStage } from '../domain/check-stages.ts';
import type { CommitCheck } from '../domain/commit-check.ts';
import type { Detail } from './fit.ts';
import { commitLink, type Links } from './links.ts';
import { count, listOf, shortName } from './lists.ts';
import { inlineText, tableRow } from './safe.ts';
import { quietVerdictWords } from './stage-table.ts';

const nameMax = 63;
const groupsMax = 3;

/** Markdown of a whole table; "" without stages. */
export function checkTable(check: CommitCheck, links: Links, detail: Detail): string {
  if (check.stages.length === 0) return '';
  const shown = check.stages.slice(0, detail.stages);
  const rest = check.stages.length - shown.length;
  return [
    tableRow(['', 'Stage', 'Runs', 'Health']),
    '| --- | --- | --- | --- |',
    ...shown.map((stage) =>
      tableRow([
        String(stage.number),
        inlineText(stage.name, { max: 40 }),
        runsCell(check, stage, links, detail),
        healthCell(stage, detail),
      ]),
    ),
    ...(rest === 0 ? [] : [tableRow(['', `${count(rest)} more`, '', ''])]),
  ].join('\n');
}

/** "`d2bf318`: prod-2, **out of order**; `ea283fd`: prod-1 and prod-3" */
function runsCell(check: CommitCheck, stage: CheckStage, links: Links, detail: Detail): string {
  if (stage.applications === 0) return '';
  const names = (all: readonly string[]): string =>
    listOf(all, detail.names, (name) => inlineText(shortName(name, check.name), { max: nameMax }));
  const groups = stage.runs.slice(0, groupsMax).map(({ commit, isThis, names: of }) => {
    const label = commit === null ? 'nothing yet' : commitLink(commit, isThis ? links : null);
    const who = stage.runs.length === 1 ? `all ${count(stage.applications)}` : names(of);
    const early = isThis ? mark('out of order', stage.outOfOrder, of, names) : '';
    const partly = isThis ? mark('in part', stage.partly, of, names) : '';
    return `${label}: ${stage.applications === 1 ? names(of) : who}${early}${partly}`;
  });
  const rest = stage.runs.length - groups.length;
  return [...groups, ...(rest === 0 ? [] : [`${count(rest)} more commits`])].join('; ');
}

function mark(
  words: string,
  some: readonly string[],
  all: readonly string[],
  names: (all: readonly string[]) => string,
): string {
  if (some.length === 0) return '';
  return some.length === all.length ? `, **${words}**` : `, **${words}**: ${names(some)}`;
}

/** What health alone does not say. */
const verdictWords: Readonly<Record<string, string>> = {
  ...quietVerdictWords,
  failed: '**failed**',
  waiting: 'waits for its turn',
};

function healthCell(stage: CheckStage, detail: Detail): string {
  if (stage.applications === 0) return 'no Application';
  const health = stage.health === '' ? 'not known' : inlineText(stage.health, { max: 20 });
  const words = Object.hasOwn(verdictWords, stage.verdict) ? `, ${verdictWords[stage.verdict]}` : '';
  const isWell = stage.health === 'Healthy' || stage.message === '';
  return `${health}${words}${isWell ? '' : `: ${inlineText(stage.message, { max: detail.cell, keepsEnd: true })}`}`;
}
