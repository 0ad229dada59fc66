/**
 * The comment on the pull request that did it: which stages run it already, that Argo CD does not take it back, where
 * the way back is. One comment, edited as things change. Where the change has no pull request the same words are a
 * notice, for a comment on the commit or an issue.
 */
import { bystandersLeft } from '../domain/bystanders.ts';
import { isLeftOpen } from '../domain/decision.ts';
import type { Incident, SetStanding } from '../domain/incident.ts';
import { printMarker } from '../domain/marker.ts';
import { memoOf } from '../domain/memo.ts';
import { never } from '../domain/never.ts';
import { countNotBack } from '../domain/not-back.ts';
import { momentOf } from '../domain/recovery-figures.ts';
import { notBack } from './after-merge.ts';
import { askedComment } from './asked.ts';
import { containmentInShort, containmentSection } from './containment.ts';
import {
  badCommit,
  countHaving,
  failures,
  goalLink,
  isWithoutStages,
  type RenderContext,
  share,
} from './facts.ts';
import { type Detail, fitting } from './fit.ts';
import { dismissalWords, heldWords } from './held.ts';
import { commitLink, pullRequestLink } from './links.ts';
import { count, counted, listOf, shortName } from './lists.ts';
import { obstacleInMarkdown } from './obstacles.ts';
import { bystanderWords, onFix } from './outcome.ts';
import { rebuiltWords } from './rebuilt.ts';
import { codeSpan, inlineText } from './safe.ts';
import { duration, timeOfDay } from './times.ts';

/** Markdown for pull request `number`, with the marker on its last line. */
export function culpritComment(incident: Incident, number: number, context: RenderContext): string {
  const marker = markerOf('culprit', incident, false);
  const { asked } = incident;
  if (asked != null) return `${askedComment(incident, asked, context.links)}\n\n${marker}`;
  const isOneOf = incident.suspects.filter((suspect) => suspect.pullRequest?.number !== number).length;
  return fitting((detail) => `${wordsAbout('This change', isOneOf, incident, context, detail)}\n\n${marker}`);
}

/** By this it is found again, with what is to be known when all else is lost. */
function markerOf(kind: 'culprit' | 'notice', incident: Incident, isWhole: boolean): string {
  return printMarker({ kind, instance: incident.instance, incident: incident.id }, memoOf(incident, isWhole));
}

/** The same words for a change that was pushed without a pull request. */
export function noticeOf(incident: Incident, context: RenderContext): string {
  const marker = markerOf('notice', incident, true);
  const sha = badCommit(incident);
  const subject = incident.suspects[0]?.subject ?? '';
  const what =
    sha === null
      ? 'A change'
      : `${commitLink(sha, context.links)} ${codeSpan(subject, { max: 100, isPublic: true })}`;
  const others = Math.max(0, incident.suspects.length - 1);
  return fitting((detail) => `${wordsAbout(what, others, incident, context, detail)}\n\n${marker}`);
}

/** What it did and where the way back is, in two paragraphs. `what` begins the sentence; `others` are suspected with it. */
export function wordsAbout(
  what: string,
  others: number,
  incident: Incident,
  context: RenderContext,
  detail: Detail,
): string {
  return [
    harm(what, others, incident, context, detail),
    wayBack(incident, context, detail),
    rebuiltWords(incident),
  ]
    .filter((paragraph) => paragraph !== '')
    .join('\n\n');
}

/** Markdown for somebody else's pull request that takes the change back, with the marker on its last line. */
export function supportComment(incident: Incident, context: RenderContext): string {
  const marker = markerOf('notice', incident, false);
  const suspects = listOf(incident.suspects, 3, ({ sha }) => commitLink(sha, context.links));
  return fitting((detail) => {
    const what = harm(`${suspects}, which this takes back,`, 0, incident, context, detail);
    return `${what}\n\n${supportWords(incident)}\n\n${marker}`;
  });
}

function supportWords(incident: Incident): string {
  switch (incident.phase) {
    case 'noticed':
      return 'Merging this is the way back, so **I open no revert of my own**. After the merge I follow until every Application is back. If this is closed unmerged, I open mine.';
    case 'proposed':
      return 'The revert is another one now; this one is not waited for any more.';
    case 'merged': {
      const left = countNotBack(incident.sets);
      if (left === 0 && bystandersLeft(incident).length > 0)
        return 'It is merged; I follow until every ApplicationSet that the change feeds is back.';
      return left === 0
        ? 'It is merged, and no Application runs the change any more.'
        : `It is merged; ${counted(left, 'Application')} ${left === 1 ? 'is' : 'are'} not back yet. I follow until every one is.`;
    }
    case 'recovered':
      return '**Recovered.** Every Application is back.';
    case 'healed':
      return 'It has been well again since, so I wait for nothing.';
    case 'dismissed':
      return 'A person dismissed it, so I do not follow it any further.';
    default:
      return never(incident.phase);
  }
}

/** What it did, as it stands now or as it was at the worst. */
function harm(
  what: string,
  others: number,
  incident: Incident,
  context: RenderContext,
  detail: Detail,
): string {
  const isOver = incident.phase !== 'noticed' && incident.phase !== 'proposed';
  const doubt =
    others === 0
      ? ''
      : ` It is one of **${count(others + 1)} changes** since last good; which of them did it I cannot tell, so all are taken back together.`;
  const [first, ...more] = incident.sets;
  if (first === undefined) return `${what} made an ApplicationSet fail.${doubt}`;
  const clause = (set: SetStanding): string =>
    isOver ? pastClause(set) : presentClause(set, context, detail);
  if (more.length === 0) return `${what} ${clause(first)}.${doubt}`;
  const shown = incident.sets.slice(0, detail.sets);
  const rest = incident.sets.length - shown.length;
  return [
    `${what} ${isOver ? 'made' : 'makes'} **${count(incident.sets.length)} ApplicationSets** fail.${doubt}`,
    '',
    ...shown.map((set) => `- It ${clause(set)}.`),
    ...(rest === 0 ? [] : [`- and ${counted(rest, 'more ApplicationSet')}`]),
  ].join('\n');
}

/** "runs on **3 of 7** Applications of `argocd/payments` (dev-1, staging-1, prod-2) and made staging-1 Degraded" */
function presentClause(set: SetStanding, context: RenderContext, detail: Detail): string {
  const key = codeSpan(set.key, { max: 120 });
  const { inStages } = countHaving(set);
  if (set.failureKind === 'render') {
    const since = duration(context.now - set.since);
    return `cannot be rendered for ${key}: Argo CD has got no manifests out of it for ${since}, and none of **${counted(set.total, 'Application')}** can be updated`;
  }
  if (inStages === 0)
    return `${effectOn(set, detail, key)}, and no Application runs ${set.failureKind === 'sync' ? 'it' : 'exactly this any more, only what was built on it'}`;
  const having = names(
    set,
    set.stages.flatMap((stage) => stage.having),
    detail,
  );
  const runs = `runs on **${share(inStages, set.total)}** Applications of ${key} (${having})`;
  const early = set.stages.flatMap((stage) => stage.outOfOrder);
  const outOfOrder = early.length === 0 ? '' : `, **${names(set, early, detail)} out of order**,`;
  return `${runs}${outOfOrder} and ${effectOn(set, detail)}`;
}

function effectOn(set: SetStanding, detail: Detail, key = ''): string {
  const failing = names(
    set,
    failures(set).flatMap(({ application }) => (application === null ? [] : [application])),
    detail,
  );
  const who = `${failing === '' ? 'an Application' : failing}${key === '' ? '' : ` of ${key}`}`;
  return set.failureKind === 'sync' ? `cannot be synced on ${who}` : `made ${who} Degraded`;
}

function pastClause(set: SetStanding): string {
  const key = codeSpan(set.key, { max: 120 });
  switch (set.failureKind) {
    case 'degraded':
      return `ran on up to **${share(set.havingAtMost, set.total)}** Applications of ${key} and made it Degraded`;
    case 'sync':
      return `could not be synced for ${key}`;
    case 'render':
      return `could not be rendered for ${key}`;
    default:
      return never(set.failureKind);
  }
}

function names(set: SetStanding, all: readonly string[], detail: Detail): string {
  return listOf(all, detail.names, (name) => inlineText(shortName(name, set.name), { max: 63 }));
}

/** What is done about it, in this phase. */
function wayBack(incident: Incident, context: RenderContext, detail: Detail): string {
  const theirs = incident.takenBackBy ?? incident.pullRequest;
  const revert = theirs === null ? null : pullRequestLink(theirs.number, context.links);
  switch (incident.phase) {
    case 'noticed':
      return withoutRevert(incident, revert, detail);
    case 'proposed':
      return `Argo CD ${stopsOrNot(incident)} The way back is **${revert ?? 'a revert that I am opening'}**.${spaced(containmentInShort(incident, revert))}${spaced(heldWords(incident))}`;
    case 'merged':
      return following(incident, revert, context, detail);
    case 'recovered':
      return `It is taken back by ${revert ?? 'the revert'}, and every Application is back${onLastGood(incident, context)}. To bring it in again, revert that revert and correct what failed.`;
    case 'healed':
      return `It has been well again${when(incident, 'since', 'healed')}${onFix(incident, context.links)}, without a revert${revert === null ? '' : `; ${revert} is closed`}. If it fails again, I say so here.`;
    case 'dismissed':
      if (incident.dismissal != null)
        return `${dismissalWords(incident.dismissal)} I leave this change alone${revert === null ? '' : `, and ${revert} is closed${isLeftOpen(incident) ? ' when I go on' : ''}`}. To take it back after all, comment \`/stepback revert\`.`;
      return `A person closed ${revert ?? 'the revert'}${when(incident, 'at', 'dismissed')}, so I leave this change alone. To take it back after all, reopen and merge ${revert ?? 'it'}.`;
    default:
      return never(incident.phase);
  }
}

function spaced(sentence: string): string {
  return sentence === '' ? '' : ` ${sentence}`;
}

/** A late failure stops nothing; a commit that cannot be applied or rendered waits where it is. */
function stopsOrNot(incident: Incident): string {
  const late = incident.sets.filter((set) => failures(set)[0]?.code === 'degraded-after-healthy');
  const isEverywhere = incident.sets.every(
    (set) => isWithoutStages(set) || countHaving(set).inStages >= set.total,
  );
  if (isEverywhere) return 'does not take it back.';
  return late.length > 0
    ? 'may go on to the other stages, and does not take it back.'
    : 'stops here but does not take it back.';
}

/** Without a revert this is the only place where people read how to hold what is still ahead. */
function withoutRevert(incident: Incident, closed: string | null, detail: Detail): string {
  const { obstacle } = incident;
  const words =
    obstacle === null
      ? 'Argo CD does not take it back. There is no revert yet; I link it here as soon as there is one.'
      : `Argo CD does not take it back, and **${closed === null ? 'there is no revert pull request' : `my revert, ${closed}, stays closed`}**. ${obstacleInMarkdown(obstacle)}`;
  const containment = containmentSection(incident, detail);
  return containment === '' ? words : `${words}\n\n${containment}`;
}

function following(
  incident: Incident,
  revert: string | null,
  context: RenderContext,
  detail: Detail,
): string {
  const left = countNotBack(incident.sets);
  const merged = momentOf(incident, 'merged');
  const at = merged === null ? '' : ` at ${timeOfDay(merged)}`;
  const others = bystanderWords(incident, detail);
  if (left === 0 && others !== '') return `${revert ?? 'The revert'} was merged${at}; ${others}`;
  if (left === 0) return `${revert ?? 'The revert'} was merged${at}, and no Application runs it any more.`;
  const lines = incident.sets.slice(0, detail.sets).flatMap((set) => notBack(set, detail, context.now));
  return [
    `${revert ?? 'The revert'} was merged${at}; ${counted(left, 'Application')} ${left === 1 ? 'is' : 'are'} not back yet:`,
    '',
    ...lines.map((line) => `- ${line}`),
  ].join('\n');
}

function onLastGood(incident: Incident, { links }: RenderContext): string {
  const [only, ...more] = incident.sets;
  const goal = only === undefined || more.length > 0 ? null : goalLink(incident, only, links);
  return goal === null ? '' : ` on ${goal}`;
}

function when(incident: Incident, word: 'since' | 'at', what: 'healed' | 'dismissed'): string {
  const at = momentOf(incident, what);
  return at === null ? '' : ` ${word} ${timeOfDay(at)}`;
}
