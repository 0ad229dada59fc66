/**
 * What happens after the merge: who gets it back in which order, and what can keep them from it. Merged is not
 * recovered; what stands in the way is told before, while something can still be done about it.
 */
import type { Incident, SetStanding } from '../domain/incident.ts';
import type { Reason, ReasonCode } from '../domain/verdict.ts';
import { countHaving, isWithoutStages } from './facts.ts';
import type { Detail } from './fit.ts';
import { count, counted, listOf } from './lists.ts';
import { reasonInMarkdown } from './reasons.ts';
import { codeSpan, inlineText } from './safe.ts';
import { exactTime } from './times.ts';

const nameMax = 80;

export interface AfterMergeOptions {
  /**
   * Files that the revert deletes, where that is known: without pruning their objects stay. Undefined: not known, and
   * the reader is told what to look for.
   */
  deletedFiles?: readonly string[] | undefined;
}

/** Markdown of a paragraph and, where something stands in the way, a list. */
export function afterMerge(incident: Incident, options: AfterMergeOptions, detail: Detail): string {
  const sets = incident.sets.slice(0, detail.sets);
  const several = incident.sets.length > 1;
  const orders = sets.map((set) => orderOf(set, several)).filter((order) => order !== '');
  const obstacles = sets.flatMap((set) => inTheWay(set, options, detail));
  const paragraph = [...orders, 'I follow until every Application is back, and say so here.'].join(' ');
  return [
    `**After the merge** · ${paragraph}`,
    ...(obstacles.length === 0
      ? []
      : ['', '**Watch out for** ·', '', ...obstacles.map((line) => `- ${line}`)]),
  ].join('\n');
}

/** "Argo CD brings back dev, then staging, then prod." */
function orderOf(set: SetStanding, isNamed: boolean): string {
  const name = isNamed ? ` of ${codeSpan(set.name, { max: nameMax })}` : '';
  const concerned = set.stages.filter((stage) => stage.having.length > 0 || stage.failing.length > 0);
  if (set.failureKind === 'render' && countHaving(set).inStages === 0)
    return `Argo CD gets manifests${name} again; what runs is not touched.`;
  if (concerned.length === 0) return '';
  if (isWithoutStages(set)) return `Argo CD brings them${name} back all at once.`;
  const words = concerned.map((stage) => inlineText(stage.name, { max: 40 }));
  const never = set.stages.filter((stage) => !concerned.includes(stage) && stage.applications > 0);
  const rest = listOf(
    never.map((stage) => inlineText(stage.name, { max: 40 })),
    3,
  );
  const untouched =
    never.length === 0
      ? ''
      : `; ${rest} never had it and ${never.length === 1 ? 'stays as it is' : 'stay as they are'}`;
  return `Argo CD brings back ${inOrder(words)}${name}${untouched}.`;
}

function inOrder(words: readonly string[]): string {
  const shown = words.slice(0, 4);
  const rest = words.length - shown.length;
  return `${shown.join(', then ')}${rest === 0 ? '' : `, then ${counted(rest, 'more stage')}`}`;
}

function inTheWay(set: SetStanding, options: AfterMergeOptions, detail: Detail): readonly string[] {
  return [
    ...operationsInTheWay(set, detail),
    ...heldApplications(set, detail),
    ...gates(set),
    ...outsideOfStages(set),
    ...pruning(set, options),
  ];
}

const underWay: ReadonlySet<ReasonCode> = new Set([
  'operation-runs',
  'operation-on-other-commit',
  'operation-runs-too-long',
]);

/**
 * An attempt keeps the commit it began with: one that ends after the revert has landed applies the bad commit after
 * all, and nothing syncs the revert again (recording hook-finishes-after-the-revert).
 */
function operationsInTheWay(set: SetStanding, detail: Detail): readonly string[] {
  const running = leftWith(set, underWay);
  const lines = running.slice(0, detail.applications).map(({ application, reason }) => {
    const since = reason.since === null ? '' : ` since ${exactTime(reason.since)}`;
    const message = reason.message === '' ? '' : ` (${inlineText(reason.message, { max: detail.cell })})`;
    return `${codeSpan(application, { max: nameMax })} has a sync of the bad commit under way${since}${message}. If it ends after the merge, it applies that commit after all: end it now with ${codeSpan(`argocd app terminate-op ${application}`)}, or sync the Application once more when it has ended.`;
  });
  return [...lines, ...andMore(running.length - lines.length)];
}

const held: ReadonlySet<ReasonCode> = new Set([
  'destination-unreachable',
  'sync-window',
  'suspended',
  'missing-kind',
  'needs-prune',
  'health-script-error',
  'operation-never-starts',
  'pending-for-another-revision',
  'unselected',
]);

/** What the merge alone does not bring back, for reasons that are not the commit's. */
function heldApplications(set: SetStanding, detail: Detail): readonly string[] {
  const all = leftWith(set, held);
  const lines = all.slice(0, detail.applications).map(({ reason }) => reasonInMarkdown(reason));
  return [...lines, ...andMore(all.length - lines.length)];
}

function leftWith(
  set: SetStanding,
  codes: ReadonlySet<ReasonCode>,
): readonly { application: string; reason: Reason }[] {
  return set.left.flatMap(({ application, reasons }) => {
    const reason = reasons.find((candidate) => codes.has(candidate.code));
    return reason === undefined ? [] : [{ application, reason }];
  });
}

function andMore(number: number): readonly string[] {
  return number <= 0 ? [] : [`and ${counted(number, 'more Application')} like that`];
}

function gates(set: SetStanding): readonly string[] {
  return set.stages
    .filter((stage) => stage.pace === 'only by hand' && stage.having.length > 0)
    .slice(0, 3)
    .map(
      (stage) =>
        `${inlineText(stage.name, { max: 40 })} moves only by hand (${codeSpan('maxUpdate: 0')}): sync its Applications yourself after the merge.`,
    );
}

function outsideOfStages(set: SetStanding): readonly string[] {
  const { outside } = countHaving(set);
  if (outside === 0) return [];
  return [
    `${counted(outside, 'Application')} of ${codeSpan(set.name, { max: nameMax })} outside of every stage ${outside === 1 ? 'runs' : 'run'} the commit too, and the rollout does not bring ${outside === 1 ? 'it' : 'them'} back: sync by hand after the merge.`,
  ];
}

/** RollingSync prunes only what the template says (recording revert-needs-prune). */
function pruning(set: SetStanding, { deletedFiles }: AfterMergeOptions): readonly string[] {
  if (set.prunes || countHaving(set).inStages === 0 || deletedFiles?.length === 0) return [];
  const name = codeSpan(set.name, { max: nameMax });
  const what =
    deletedFiles === undefined
      ? `The template of ${name} does not prune. If the change added objects, they stay after the merge`
      : `This deletes ${listOf(
          deletedFiles.map((file) => codeSpan(file, { max: 80, isPublic: true })),
          3,
        )}, and the template of ${name} does not prune: the objects stay after the merge`;
  return [
    `${what}, their Applications stay OutOfSync and the stages behind them wait. Then run ${codeSpan('argocd app sync NAME --prune')} for each.`,
  ];
}

/** Those that are not back, with why; for a revert that is merged. */
export function notBack(set: SetStanding, detail: Detail): readonly string[] {
  const shown = set.left.slice(0, detail.applications);
  const lines = shown.map(({ application, reasons }) => {
    const told = reasons.slice(0, 2).map(reasonInMarkdown).join(' ');
    return told === '' ? `${codeSpan(application, { max: nameMax })} is not back yet.` : told;
  });
  const rest = set.left.length - shown.length;
  return [...lines, ...(rest === 0 ? [] : [`and ${count(rest)} more`])];
}
