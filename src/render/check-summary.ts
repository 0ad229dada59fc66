/**
 * One check run for a commit that feeds many ApplicationSets: those that fail first, then those that wait for a person,
 * then the others, as many as GitHub takes.
 */
import { checkName, printCheckId } from '../domain/check-id.ts';
import type { CheckState } from '../domain/commit-check.ts';
import type { ObjectKey } from '../domain/objects.ts';
import { type CheckRunContent, checkRunLimits } from '../ports/checks.ts';
import { bytesOf } from './fit.ts';
import { commitLink, type Links } from './links.ts';
import { count, counted } from './lists.ts';
import { codeSpan, inlineText, tableRow } from './safe.ts';

/** How one ApplicationSet stands with the commit; the title is that of its own check run. */
export interface SummaryLine {
  key: ObjectKey;
  kind: CheckState['kind'];
  title: string;
}

export interface CheckSummary {
  sha: string;
  instance: string;
  lines: readonly SummaryLine[];
}

const order: readonly CheckState['kind'][] = ['failing', 'waiting', 'rolling', 'queued', 'done', 'overtaken'];

const states: Readonly<Record<CheckState['kind'], string>> = {
  failing: '**failed**',
  waiting: '**needs a person**',
  rolling: 'rolling',
  queued: 'queued',
  done: 'done',
  overtaken: 'overtaken',
};

/** So many rows are tried, until they fit. */
const rows: readonly number[] = [300, 200, 100, 50, 20];

export function summaryName(instance: string): string {
  return checkName(instance, 'summary');
}

export function summaryRunOf({ sha, instance, lines }: CheckSummary, links: Links): CheckRunContent {
  const sorted = [...lines].sort(
    (one, other) =>
      order.indexOf(one.kind) - order.indexOf(other.kind) ||
      (one.key < other.key ? -1 : Number(one !== other)),
  );
  const opening = `${commitLink(sha, links)} feeds **${counted(lines.length, 'ApplicationSet')}**, so they are told together; each that fails has a check run of its own.`;
  return {
    externalId: printCheckId({ kind: 'summary', instance, applicationSet: null }),
    ...summaryProgressOf(lines),
    title: titleOf(lines),
    summary: fittingRows((max) => `${opening}\n\n${table(sorted, max)}`),
    text: '',
    detailsUrl: null,
    actions: [],
    startedAt: null,
    completedAt: null,
  };
}

/** Together they are as the worst of them is. */
export function summaryProgressOf(
  lines: readonly SummaryLine[],
): Pick<CheckRunContent, 'status' | 'conclusion'> {
  const has = (kind: CheckState['kind']): boolean => lines.some((line) => line.kind === kind);
  if (has('failing')) return { status: 'completed', conclusion: 'failure' };
  if (has('waiting')) return { status: 'completed', conclusion: 'action-required' };
  if (has('rolling') || (has('queued') && has('done'))) return { status: 'in-progress', conclusion: null };
  if (has('queued')) return { status: 'queued', conclusion: null };
  return { status: 'completed', conclusion: has('done') ? 'success' : 'neutral' };
}

/** "3 of 300 ApplicationSets failed; 120 done, 177 on their way" */
function titleOf(lines: readonly SummaryLine[]): string {
  const number = (...kinds: readonly CheckState['kind'][]): number =>
    lines.filter((line) => kinds.includes(line.kind)).length;
  const failing = number('failing');
  const rest = [
    [number('waiting'), number('waiting') === 1 ? 'needs a person' : 'need a person'],
    [number('done'), 'done'],
    [number('rolling', 'queued'), 'on the way'],
    [number('overtaken'), 'overtaken'],
  ] as const;
  const words = rest.filter(([some]) => some > 0).map(([some, what]) => `${count(some)} ${what}`);
  const all = counted(lines.length, 'ApplicationSet');
  if (failing === 0) return `${all}: ${words.join(', ')}`;
  return [`${count(failing)} of ${all} failed`, ...(words.length === 0 ? [] : [words.join(', ')])].join('; ');
}

function table(sorted: readonly SummaryLine[], max: number): string {
  const shown = sorted.slice(0, max);
  const rest = sorted.length - shown.length;
  return [
    tableRow(['ApplicationSet', '', '']),
    '| --- | --- | --- |',
    ...shown.map((line) =>
      tableRow([codeSpan(line.key, { max: 120 }), states[line.kind], inlineText(line.title, { max: 140 })]),
    ),
    ...(rest === 0 ? [] : ['', `${counted(rest, 'more ApplicationSet')} not shown.`]),
  ].join('\n');
}

function fittingRows(write: (max: number) => string): string {
  let text = '';
  for (const max of rows) {
    text = write(max);
    if (bytesOf(text) <= checkRunLimits.textBytesMax) break;
  }
  return text;
}
