/**
 * What happens after the merge: who gets it back in which order, and what can keep them from it. Merged is not
 * recovered; what stands in the way is told before, while something can still be done about it.
 */
import type { Incident, SetStanding, StageStanding } from '../domain/incident.ts';
import type { Reason, ReasonCode } from '../domain/verdict.ts';
import { countHaving, isWithoutStages } from './facts.ts';
import type { Detail } from './fit.ts';
import { groupInMarkdown, groupReasons } from './groups.ts';
import { counted, listOf } from './lists.ts';
import { codeSpan, inlineText } from './safe.ts';
import { exactTime } from './times.ts';
import { wayBackLines } from './way-back.ts';

const nameMax = 80;
const stagesMax = 4;

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
  const isOneOfSeveral = incident.sets.length > 1;
  const orders = ordersOf(sets, isOneOfSeveral);
  const warnings = sets.flatMap((set) => [...inTheWay(set, detail), ...pruning(set, options)]);
  const [only] = sets;
  const rest = only === undefined || isOneOfSeveral || effectOn(only) === 'render' ? '' : untouched(only);
  return [
    `**After the merge** · ${[...orders, ...(rest === '' ? [] : [rest]), 'I follow until every Application is back, and say so here.'].join(' ')}`,
    ...(warnings.length === 0 ? [] : ['', '**Watch out for:**', '', ...warnings.map((line) => `- ${line}`)]),
  ].join('\n');
}

/** What Argo CD does with an ApplicationSet after the merge: the words before and after the list. */
const effects = {
  back: ['brings back', ''],
  sync: ['syncs', ' again'],
  render: ['renders', ' again, and what runs stays as it is'],
} as const;

type Effect = keyof typeof effects;

function effectOn(set: SetStanding): Effect {
  if (countHaving(set).inStages > 0) return 'back';
  return set.failureKind === 'render' ? 'render' : 'sync';
}

/** "Argo CD brings back dev, then staging, then prod." ApplicationSets with the same effect share a sentence. */
function ordersOf(sets: readonly SetStanding[], isOneOfSeveral: boolean): readonly string[] {
  return (['back', 'sync', 'render'] as const).flatMap((effect) => {
    const orders = sets
      .filter((set) => effectOn(set) === effect)
      .map((set) => orderOf(set, effect, isOneOfSeveral))
      .filter((order) => order !== '');
    const [before, after] = effects[effect];
    return orders.length === 0
      ? []
      : [`Argo CD ${before} ${listOf(orders, orders.length, (order) => order)}${after}.`];
  });
}

function orderOf(set: SetStanding, effect: Effect, isOneOfSeveral: boolean): string {
  if (effect === 'render') return nameSpan(set.name);
  const concerned = set.stages.filter(isConcerned);
  if (concerned.length === 0) return '';
  if (isWithoutStages(set))
    return isOneOfSeveral ? `${nameSpan(set.name)} everywhere at once` : 'all Applications at once';
  const shown = concerned.slice(0, stagesMax).map(orderWords);
  const more = concerned.length - shown.length;
  const order = [...shown, ...(more === 0 ? [] : [counted(more, 'more stage')])].join(', then ');
  return isOneOfSeveral ? `${nameSpan(set.name)} in ${order}` : order;
}

/** It has the bad commit, or fails on the way to it. */
function isConcerned(stage: StageStanding): boolean {
  return stage.having.length > 0 || stage.failing.length > 0;
}

function nameSpan(name: string): string {
  return codeSpan(name, { max: nameMax });
}

function stageWords(stage: StageStanding): string {
  return inlineText(stage.name, { max: 40 });
}

function orderWords(stage: StageStanding): string {
  return `${stageWords(stage)}${isGate(stage) ? ' (by hand)' : ''}`;
}

/** A stage with `maxUpdate: 0`, in the words of `maxUpdateInWords`. */
function isGate(stage: StageStanding): boolean {
  return stage.pace === 'only by hand';
}

/** "What runs in staging and prod stays as it is."; "" when every stage is concerned. */
function untouched(set: SetStanding): string {
  const others = set.stages.filter((stage) => !isConcerned(stage) && stage.applications > 0);
  if (others.length === 0 || others.length === set.stages.length) return '';
  return `What runs in ${listOf(others, 3, stageWords)} stays as it is.`;
}

/** True when something known keeps the merge alone from bringing everything back. */
export function isHeldBack(set: SetStanding): boolean {
  const codes = [...underWay, ...held];
  return (
    leftWith(set, new Set(codes)).length > 0 || gatesWithIt(set).length > 0 || countHaving(set).outside > 0
  );
}

function inTheWay(set: SetStanding, detail: Detail): readonly string[] {
  return [
    ...operationsInTheWay(set, detail),
    ...heldApplications(set, detail),
    ...gates(set),
    ...outsideOfStages(set),
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
  const reasons = leftWith(set, underWay);
  const [first] = reasons;
  if (first === undefined) return [];
  const names = listOf(reasons, detail.names, ({ application }) => nameSpan(application ?? ''));
  const since = first.since === null ? '' : ` since ${exactTime(first.since)}`;
  const message = first.message === '' ? '' : ` (${inlineText(first.message, { max: detail.cell })})`;
  const isOne = reasons.length === 1;
  const command = codeSpan(`argocd app terminate-op ${isOne ? (first.application ?? 'NAME') : 'NAME'}`);
  return [
    `${names} ${isOne ? 'has' : 'have'} a sync of the bad commit under way${since}${message}. One that ends after the merge applies that commit after all: end ${isOne ? 'it' : 'them'} now with ${command}, or sync once more when ${isOne ? 'it has' : 'they have'} ended.`,
  ];
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
  return groupReasons(leftWith(set, held), () => '').map((group) => groupInMarkdown(group, detail.names));
}

function leftWith(set: SetStanding, codes: ReadonlySet<ReasonCode>): readonly Reason[] {
  return set.left.flatMap(({ application, reasons }) => {
    const reason = reasons.find((candidate) => codes.has(candidate.code));
    return reason === undefined ? [] : [{ ...reason, application }];
  });
}

function gatesWithIt(set: SetStanding): readonly StageStanding[] {
  return set.stages.filter((stage) => isGate(stage) && stage.having.length > 0);
}

function gates(set: SetStanding): readonly string[] {
  const all = gatesWithIt(set);
  if (all.length === 0) return [];
  const names = listOf(all, 3, stageWords);
  const verb = all.length === 1 ? 'moves' : 'move';
  return [
    `${names} ${verb} only by hand (${codeSpan('maxUpdate: 0')}): sync the Applications there yourself after the merge.`,
  ];
}

function outsideOfStages(set: SetStanding): readonly string[] {
  const { outside } = countHaving(set);
  if (outside === 0) return [];
  const it = outside === 1 ? 'it' : 'them';
  return [
    `${counted(outside, 'Application')} of ${nameSpan(set.name)} outside of every stage ${outside === 1 ? 'runs' : 'run'} the commit too, and the rollout does not bring ${it} back: sync ${it} by hand after the merge.`,
  ];
}

/** RollingSync prunes only what the template says (recording revert-needs-prune). */
function pruning(set: SetStanding, { deletedFiles }: AfterMergeOptions): readonly string[] {
  if (set.prunes || countHaving(set).inStages === 0 || deletedFiles?.length === 0) return [];
  const template = `the template of ${nameSpan(set.name)} does not prune`;
  const path = (file: string): string => codeSpan(file, { max: nameMax, isPublic: true });
  const what =
    deletedFiles === undefined
      ? `If the change added objects, they stay after the merge: ${template}`
      : `Objects of ${listOf(deletedFiles, 3, path)} stay after the merge: ${template}`;
  return [
    `${what}. Their Applications are then OutOfSync, and the stages behind them wait until you run ${codeSpan('argocd app sync NAME --prune')} for each.`,
  ];
}

/** What is said of an Application that nobody has told to go back: its health on the bad commit explains nothing. */
const unmoved: ReadonlySet<ReasonCode> = new Set([
  'healthy',
  'degraded',
  'degraded-after-healthy',
  'grace-time',
  'progressing',
  'progressing-too-long',
]);

/** Those that are not back, with why; for a revert that is merged. */
export function notBack(set: SetStanding, detail: Detail, now: number): readonly string[] {
  const known = set.left.filter(({ wayBack }) => wayBack !== undefined);
  if (known.length > 0) {
    const lines = wayBackLines(known, detail.names, now);
    const more = lines.length - detail.applications;
    return more > 0
      ? [...lines.slice(0, detail.applications), `and ${counted(more, 'more group')} of Applications`]
      : lines;
  }
  const having = new Set(set.stages.flatMap((stage) => stage.having));
  const isUntold = ({ application, reasons: [reason] }: SetStanding['left'][number]): boolean =>
    reason === undefined || (having.has(application) && unmoved.has(reason.code));
  const untold = set.left.filter(isUntold).map(({ application }) => application);
  const told = set.left
    .filter((one) => !isUntold(one))
    .flatMap(({ application, reasons }) => reasons.slice(0, 1).map((reason) => ({ ...reason, application })));
  const groups = groupReasons(told);
  const shown = groups.slice(0, detail.applications).map((group) => groupInMarkdown(group, detail.names));
  const rest = groups.slice(detail.applications).reduce((sum, group) => sum + 1 + group.others.length, 0);
  const names = listOf(untold, detail.names, nameSpan);
  return [
    ...shown,
    ...(rest === 0 ? [] : [`and ${counted(rest, 'more Application')}`]),
    ...(untold.length === 0
      ? []
      : [
          `${names} ${untold.length === 1 ? 'has' : 'have'} the bad commit still: Argo CD has not noticed the revert there yet.`,
        ]),
  ];
}
