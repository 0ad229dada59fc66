/**
 * The evidence, folded away: which Application, which field, which value, since when, in whose words; and when what
 * happened, to the second. Whoever doubts the revert finds here what to look at.
 */
import type { Incident, SetStanding, TimelineEntry } from '../domain/incident.ts';
import { isCommit } from '../domain/objects.ts';
import { badCommit, lastGoodCommit, lastGoodLink, type RenderContext } from './facts.ts';
import type { Detail } from './fit.ts';
import { groupInMarkdown, groupReasons, type ReasonGroup } from './groups.ts';
import { commitLink } from './links.ts';
import { counted } from './lists.ts';
import { codeBlock, codeSpan, inlineText, link } from './safe.ts';
import { exactTime } from './times.ts';

const timelineMax = 20;
/** As much of a message as its sentence holds; a longer one is shown whole below it. */
const messageInSentence = 300;

/** Markdown with a `<details>` around it; "" when nothing is to be shown. */
export function evidenceOf(incident: Incident, context: RenderContext, detail: Detail): string {
  const isNothingFailing = incident.asked != null && incident.sets.every((set) => set.evidence.length === 0);
  if (detail.evidence === 0 || isNothingFailing) return '';
  const sets = incident.sets.slice(0, detail.sets);
  return [
    '<details><summary>Evidence</summary>',
    ...sets.flatMap((set) => evidenceOfSet(incident, set, context, detail)),
    timelineOf(incident),
    '</details>',
  ].join('\n\n');
}

function evidenceOfSet(
  incident: Incident,
  set: SetStanding,
  context: RenderContext,
  detail: Detail,
): readonly string[] {
  const groups = groupReasons(set.evidence);
  const shown = groups.slice(0, detail.evidence);
  const rest = groups.slice(detail.evidence).reduce((sum, group) => sum + 1 + group.others.length, 0);
  return [
    `**${codeSpan(set.key, { max: 120 })}** of Argo CD ${codeSpan(incident.instance, { max: 60 })}, failing since ${exactTime(set.since)}`,
    commitsLine(incident, set, context),
    ...shown.flatMap((group) => groupLines(group, detail)),
    ...(rest === 0 ? [] : [`and ${counted(rest, 'more Application')}`]),
  ];
}

/** From which commit to which, with the comparison that GitHub shows. */
function commitsLine(incident: Incident, set: SetStanding, { links }: RenderContext): string {
  const found = lastGoodCommit(incident, set);
  const bad = badCommit(incident);
  const lastGood = lastGoodLink(incident, set, links);
  if (found === null || lastGood === null) return 'Last good: not known';
  const source = set.isGuess ? 'out of the history of Argo CD, a guess' : 'seen Synced and Healthy';
  const canCompare = found.isOfRepository && bad !== null && isCommit(found.revision);
  const compare = canCompare ? ` · ${link('what changed since', links.compare(found.revision, bad))}` : '';
  return `Last good: ${lastGood}, ${source}${shownByArgo(incident, set)}${compare}`;
}

/** A later commit that changes nothing here can be what Argo CD shows next to the failure. */
function shownByArgo(incident: Incident, set: SetStanding): string {
  const suspects = new Set(incident.suspects.map((suspect) => suspect.sha));
  const shown = (set.bad ?? []).filter(isCommit);
  if (shown.length === 0 || shown.some((revision) => suspects.has(revision))) return '';
  const commits = shown.map((revision) => commitLink(revision, null)).join(', ');
  return ` · Argo CD shows ${commits}, which brings nothing of its own here`;
}

function groupLines(group: ReasonGroup, detail: Detail): readonly string[] {
  const { message } = group.first;
  const isLong = message.length > messageInSentence || message.trim().includes('\n');
  const sentence = groupInMarkdown(group, 2 * detail.names);
  return isLong ? [sentence, codeBlock(message, { max: detail.message })] : [sentence];
}

/** A revert that has just been opened says the same as one that is about to be: its number is not in its own body. */
function timelineOf(incident: Incident): string {
  const isOpen = incident.phase === 'noticed' || incident.phase === 'proposed';
  const entries = incident.timeline.filter((entry) => !(isOpen && entry.what === 'proposed'));
  const shown = entries.slice(-timelineMax);
  const lines = shown.map((entry) => `- ${exactTime(entry.at)}: ${entryWords(entry)}`);
  return ['**Timeline**', '', ...lines].join('\n');
}

const entries: Readonly<Record<TimelineEntry['what'], string>> = {
  noticed: 'noticed that it fails',
  proposed: 'opened this revert',
  grew: 'it got further',
  recomputed: 'computed the revert again, on a newer base',
  merged: 'merged',
  recovered: 'every Application is back',
  healed: 'not needed any more',
  dismissed: 'closed by a person',
  reopened: 'it fails again',
  obstacle: 'something is in the way of a revert',
  ordered: 'a person ordered something',
  held: 'froze what was still ahead',
  released: 'put back what I had frozen',
  'not-held': 'somebody else changed what I had frozen',
  rebuilt: 'put this together again, because my own record was lost',
};

function entryWords({ what, detail }: TimelineEntry): string {
  const words = Object.hasOwn(entries, what) ? entries[what] : codeSpan(what);
  if (what === 'ordered' || (what === 'dismissed' && detail.startsWith('by ')))
    return `${what === 'ordered' ? 'ordered by' : 'dismissed'} ${codeSpan(detail, { max: 160, isPublic: true })}`;
  // Other details are commits and codes, which the sections above tell in words.
  return what === 'grew' && detail.includes(': ') ? `${words}: ${inlineText(detail, { max: 120 })}` : words;
}
