/**
 * The check run of one ApplicationSet on one commit: state, title, sentence and stage table, evidence below, buttons
 * where they make sense. It is written again with less until GitHub takes it, never cut.
 */
import { printCheckId } from '../domain/check-id.ts';
import type { CheckState, CommitCheck } from '../domain/commit-check.ts';
import { never } from '../domain/never.ts';
import { type CheckAction, type CheckRunContent, checkRunLimits } from '../ports/checks.ts';
import { checkTable } from './check-table.ts';
import { checkOpening, checkTitle } from './check-words.ts';
import { cutTo } from './clean.ts';
import { type Detail, fittingBytes } from './fit.ts';
import { groupInMarkdown, groupReasons, type ReasonGroup } from './groups.ts';
import type { Links } from './links.ts';
import { counted } from './lists.ts';
import { codeBlock } from './safe.ts';

const titleMax = 140;

/** As much of a message as its sentence holds; a longer one is shown whole below it. */
const messageInSentence = 300;

/** What the check run says. The same check gives the same words, whenever it is asked. */
export function checkRunOf(check: CommitCheck, instance: string, links: Links): CheckRunContent {
  const { textBytesMax } = checkRunLimits;
  return {
    externalId: printCheckId({ kind: 'application-set', instance, applicationSet: check.key }),
    ...progressOf(check.state),
    title: cutTo(checkTitle(check), titleMax),
    summary: fittingBytes(textBytesMax, (detail) =>
      `${checkOpening(check, links, detail)}\n\n${checkTable(check, links, detail)}`.trim(),
    ),
    text: fittingBytes(textBytesMax, (detail) => evidenceOf(check, detail)),
    detailsUrl: null,
    actions: buttonsOf(check.state),
    startedAt: null,
    completedAt: null,
  };
}

/** GitHub's word for a state. */
export function progressOf(state: CheckState): Pick<CheckRunContent, 'status' | 'conclusion'> {
  switch (state.kind) {
    case 'queued':
      return { status: 'queued', conclusion: null };
    case 'rolling':
      return { status: 'in-progress', conclusion: null };
    case 'done':
      return { status: 'completed', conclusion: 'success' };
    case 'overtaken':
      return { status: 'completed', conclusion: 'neutral' };
    case 'waiting':
      return { status: 'completed', conclusion: 'action-required' };
    case 'failing':
      return { status: 'completed', conclusion: 'failure' };
    default:
      return never(state);
  }
}

function evidenceOf({ state, key, reasons }: CommitCheck, detail: Detail): string {
  if (detail.evidence === 0 || state.kind === 'done' || state.kind === 'overtaken') return '';
  const standing = state.kind === 'failing' ? state.incident?.sets.find((set) => set.key === key) : undefined;
  const groups = groupReasons(standing?.evidence ?? reasons);
  const rest = groups.slice(detail.evidence).reduce((sum, group) => sum + 1 + group.others.length, 0);
  return [
    ...groups.slice(0, detail.evidence).flatMap((group) => groupLines(group, detail)),
    ...(rest === 0 ? [] : [`and ${counted(rest, 'more reason')}`]),
  ].join('\n\n');
}

function groupLines(group: ReasonGroup, detail: Detail): readonly string[] {
  const { message } = group.first;
  const isLong = message.length > messageInSentence || message.trim().includes('\n');
  const sentence = groupInMarkdown(group, 2 * detail.names);
  return isLong ? [sentence, codeBlock(message, { max: detail.message })] : [sentence];
}

const revert: CheckAction = {
  label: 'Revert',
  description: 'Open a revert of this commit',
  identifier: 'revert',
};
const explain: CheckAction = {
  label: 'Explain',
  description: 'Show every step of the reasoning',
  identifier: 'explain',
};
const hold: CheckAction = {
  label: 'Hold',
  description: 'No reverts here for a while',
  identifier: 'hold',
};

/** A revert that is open, or merged, needs no button; what is over needs none at all. */
function buttonsOf(state: CheckState): readonly CheckAction[] {
  switch (state.kind) {
    case 'rolling':
      return [revert, explain, hold];
    case 'queued':
      return [explain, hold];
    case 'waiting':
      return [revert, explain];
    case 'done':
    case 'overtaken':
      return [];
    case 'failing':
      return failingButtons(state.incident?.phase ?? 'noticed');
    default:
      return never(state);
  }
}

function failingButtons(
  phase: NonNullable<Extract<CheckState, { kind: 'failing' }>['incident']>['phase'],
): readonly CheckAction[] {
  switch (phase) {
    case 'noticed':
      return [revert, explain, hold];
    case 'proposed':
      return [explain, hold];
    case 'merged':
      return [explain];
    case 'recovered':
    case 'healed':
    case 'dismissed':
      return [];
    default:
      return never(phase);
  }
}
