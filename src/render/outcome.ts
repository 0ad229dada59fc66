/**
 * The first sentences of a revert that is not open any more: merged and who is not back yet, recovered and how long it
 * took, not needed, not wanted.
 */
import { bystandersLeft } from '../domain/bystanders.ts';
import type { Incident, Phase, SetStanding, TakenBackBy } from '../domain/incident.ts';
import { countNotBack } from '../domain/not-back.ts';
import type { Aid } from '../domain/recovery-aid.ts';
import { momentOf, reachOf } from '../domain/recovery-figures.ts';
import { notBack } from './after-merge.ts';
import { badCommitLink, goalLink, type RenderContext, share } from './facts.ts';
import type { Detail } from './fit.ts';
import { dismissalWords } from './held.ts';
import { commitLink, pullRequestLink } from './links.ts';
import { counted, listOf } from './lists.ts';
import { codeSpan, inlineText, tableRow } from './safe.ts';
import { duration, exactTime, timeOfDay } from './times.ts';

/** Merged, and followed: who is back, who is not and why. */
export function mergedOpening(incident: Incident, context: RenderContext, detail: Detail): string {
  const merged = momentOf(incident, 'merged');
  const when = merged === null ? '' : ` ${duration(context.now - merged)} ago`;
  const left = countNotBack(incident.sets);
  const back = backWords(incident, context);
  const others = bystanderWords(incident, detail);
  if (left === 0)
    return `**Merged**${when}. ${back}; ${others === '' ? 'I look once more before I call it recovered.' : others}`;
  const lines = incident.sets.slice(0, detail.sets).flatMap((set) => notBack(set, detail, context.now));
  return [
    `**Merged**${when}. ${back}; **${counted(left, 'Application')} ${left === 1 ? 'is' : 'are'} not ${hasRun(incident) ? 'back' : 'well'} yet**:`,
    '',
    ...lines.map((line) => `- ${line}`),
  ].join('\n');
}

/** Of those that it did not make fail and that are not known to be back; "" when there are none. */
export function bystanderWords(incident: Incident, detail: Detail): string {
  const waiting = bystandersLeft(incident);
  if (waiting.length === 0) return '';
  const names = listOf(waiting, detail.sets, ({ name, left }) => {
    const apps = left === null ? '' : ` (${listOf(left, detail.names, (one) => codeSpan(one, { max: 80 }))})`;
    return `${codeSpan(name, { max: 80 })}${apps}`;
  });
  return waiting.some(({ left }) => left === null)
    ? `it feeds ${names} as well, and I look there before I call it recovered.`
    : `${names} ${waiting.length === 1 ? 'has' : 'have'} it as well and ${waiting.length === 1 ? 'is' : 'are'} not back yet.`;
}

/** A commit that cannot be synced or rendered can fail everywhere and run nowhere. */
function hasRun(incident: Incident): boolean {
  return incident.sets.some((set) => set.havingAtMost > 0);
}

/** "**2 of 3** Applications are back on `ea283fd`" */
function backWords(incident: Incident, { links }: RenderContext): string {
  const had = incident.sets.reduce((sum, set) => sum + Math.max(set.havingAtMost, countNotBack([set])), 0);
  const left = countNotBack(incident.sets);
  const [first] = incident.sets;
  const goal = incident.sets.length === 1 && first !== undefined ? goalLink(incident, first, links) : null;
  if (!hasRun(incident)) return 'No Application ran the bad commit';
  return `**${share(had - left, had)}** Applications ${had - left === 1 ? 'is' : 'are'} back${goal === null ? '' : ` on ${goal}`}`;
}

/** Everything is back: the figures that a retrospective asks for. */
export function recoveredOpening(incident: Incident, context: RenderContext, detail: Detail): string {
  const goals = listOf(incident.sets, detail.sets, (set) => {
    const goal = goalLink(incident, set, context.links);
    return `${codeSpan(set.name, { max: 80 })}${goal === null ? '' : ` on ${goal}`}`;
  });
  const worst = incident.sets.reduce((sum, set) => sum + set.havingAtMost, 0);
  const total = incident.sets.reduce((sum, set) => sum + set.total, 0);
  const radius = worst === 0 ? '' : ` ${reachWords(incident, worst, total, context)}`;
  return [
    `**Recovered.** Every Application is back, Synced and Healthy: ${goals}.${radius}`,
    ...figures(incident),
    ...stageFigures(incident),
    ...aidWords(incident),
  ].join('\n\n');
}

/** How far it got: at the notice and at the merge, where that is known, and at the worst. */
function reachWords(incident: Incident, worst: number, total: number, { links }: RenderContext): string {
  const { notice: atNotice, merge: atMerge } = reachOf(incident);
  const parts = [
    ...(atNotice === null ? [] : [`${share(atNotice, total)} when it was noticed`]),
    ...(atMerge === null ? [] : [`${share(atMerge, total)} when the revert was merged`]),
  ];
  const before = parts.length === 0 ? '' : ` (${parts.join(', ')})`;
  return `At the worst **${share(worst, total)}** Applications ran ${badCommitLink(incident, links)}${before}.`;
}

/** "To bring them back I asked Argo CD to sync 4 times." Empty when it was not needed, or nothing was allowed. */
function aidWords({ aids = [] }: Incident): readonly string[] {
  const times = (aid: Aid): number =>
    aids.find((one) => one.aid === aid && one.outcome === 'done')?.times ?? 0;
  const parts = (['refresh', 'sync', 'terminate'] as const)
    .filter((aid) => times(aid) > 0)
    .map((aid) => `${aidNames[aid]} ${times(aid) === 1 ? 'once' : counted(times(aid), 'time')}`);
  return parts.length === 0 ? [] : [`To bring them back I ${listOf(parts, 3, (part) => part)}.`];
}

const aidNames: Readonly<Record<Aid, string>> = {
  refresh: 'asked Argo CD for a comparison',
  sync: 'asked it for a sync',
  terminate: 'ended an operation on the bad commit',
};

/** When each stage was hit and how long until all of it was back; empty when that is not known of any. */
function stageFigures({ sets }: Incident): readonly string[] {
  const rows = sets.flatMap((set) =>
    set.stages.flatMap(({ name, hitAt, backAt }) => {
      if (hitAt == null || backAt == null) return [];
      const stage = inlineText(name, { max: 40 });
      const words = sets.length === 1 ? stage : `${codeSpan(set.name, { max: 80 })} ${stage}`;
      return [tableRow([words, exactTime(hitAt), exactTime(backAt), `after ${duration(backAt - hitAt)}`])];
    }),
  );
  if (rows.length === 0) return [];
  return [[tableRow(['Stage', 'Seen with it', 'Back', '']), '| --- | --- | --- | --- |', ...rows].join('\n')];
}

/** Empty when too little is remembered to say anything. */
function figures(incident: Incident): readonly string[] {
  const began = Math.min(...incident.sets.map((set) => set.since));
  const moments: readonly (readonly [string, number | null])[] = [
    ['It began to fail', Number.isFinite(began) ? began : null],
    ['Noticed', momentOf(incident, 'noticed') ?? incident.openedAt],
    ['Revert opened', momentOf(incident, 'proposed')],
    ['Merged', momentOf(incident, 'merged')],
    ['Recovered', momentOf(incident, 'recovered')],
  ];
  // What a person asked for need not have failed.
  const told = incident.asked == null ? moments : moments.slice(2);
  const known = told.filter((moment): moment is readonly [string, number] => moment[1] !== null);
  const [first] = known;
  const last = known.at(-1);
  if (first === undefined || last === undefined || known.length < 3) return [];
  const rows = known.map(([what, at], index) => {
    const before = known[index - 1];
    return tableRow([
      what,
      exactTime(at),
      before === undefined ? '' : at === before[1] ? 'at once' : `after ${duration(at - before[1])}`,
    ]);
  });
  return [
    [
      tableRow(['', 'At', '']),
      '| --- | --- | --- |',
      ...rows,
      tableRow(['**In all**', '', `**${duration(last[1] - first[1])}**`]),
    ].join('\n'),
  ];
}

/** The first words of a revert that was closed because nothing fails any more; it is found again by them. */
export const notNeededAnyMore = '**Not needed any more.**';

/** The first words of one that we closed, of a matter that came back while something keeps us from opening it again. */
export const notOpenAgain = '**It fails again, and this stays closed for now.**';

/** It healed, or something else fixed it, before this was merged. */
export function healedOpening(incident: Incident, { links }: Pick<RenderContext, 'links'>): string {
  const at = momentOf(incident, 'healed');
  const names = listOf(incident.sets, 5, (set) => codeSpan(set.name, { max: 80 }));
  if (incident.sets.every((set) => set.isGone === true)) {
    const are = incident.sets.length === 1 ? 'is' : 'are';
    return `${notNeededAnyMore} ${names} ${are} not there any more, so there is nothing to bring back. The change itself stays on the branch; revert it by hand if it should go.`;
  }
  return `${notNeededAnyMore} ${names} ${incident.sets.length === 1 ? 'has' : 'have'} been well again${at === null ? '' : ` since ${timeOfDay(at)}`}${onFix(incident, links)}, without this revert. If the same change fails again, I open this one again.`;
}

/** It stays closed because a person took the change back with a pull request of their own. */
export function takenBackOpening(
  { number, author }: TakenBackBy,
  phase: Phase,
  { links }: Pick<RenderContext, 'links'>,
): string {
  const since =
    phase === 'recovered'
      ? 'and every Application is back'
      : 'and I follow that one until every Application is back';
  return `${notNeededAnyMore} ${codeSpan(author, { max: 60, isPublic: true })} took the change back with ${pullRequestLink(number, links)}, ${since}.`;
}

/** ", on `abc1234`, which landed since": the commit that mended it, where one did. */
export function onFix(incident: Incident, links: RenderContext['links']): string {
  const fixes = new Set(incident.sets.map((set) => set.newer).filter((sha) => sha != null));
  const [fix] = fixes;
  return fix === undefined || fixes.size > 1 ? '' : ` on ${commitLink(fix, links)}, which landed since`;
}

/** A person closed it. What they decide on is what is still out there. */
export function dismissedOpening(incident: Incident): string {
  const having = incident.sets.filter((set) => set.having > 0);
  const still = having.length === 0 ? '' : ` When it was closed, ${listOf(having, 3, stillThere)}.`;
  if (incident.dismissal != null) {
    const words = dismissalWords(incident.dismissal);
    return `**A false alarm.** ${words} I open no other revert for this change and do not follow it any further.${still} If you want it after all, comment \`/stepback revert\`.`;
  }
  return `**Closed by a person.** I open no other revert for this change and do not follow it any further.${still} If you want it after all, reopen and merge this, and look at the stages yourself.`;
}

function stillThere(set: SetStanding): string {
  return `${share(set.having, set.total)} Applications of ${codeSpan(set.name, { max: 80 })} ran the commit`;
}
