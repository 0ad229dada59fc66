/**
 * The check run on an open pull request: what a person should know before merging, worst first, then how the change
 * would roll out. Hundreds of ApplicationSets fit: the largest with their stages, all of them in a line each.
 */
import {
  type BlastRadius,
  conclusionOf,
  type Landing,
  type SetEdit,
  type Trouble,
} from '../domain/blast-radius.ts';
import type { Reach } from '../domain/layout.ts';
import { never } from '../domain/never.ts';
import { type CheckRunContent, checkRunLimits } from '../ports/checks.ts';
import { doubtInMarkdown } from './blast-radius-doubts.ts';
import { commitLink, type Links, pullRequestLink } from './links.ts';
import { count, counted, listOf } from './lists.ts';
import { orderInWords, reachList, reachTable, stageWords } from './reach-table.ts';
import { codeSpan, inlineText, plainLine } from './safe.ts';

/** How much is told; a text that is too long is written again with less. */
interface Detail {
  tables: number;
  stages: number;
  names: number;
  alarms: number;
  rows: number;
}

const details: readonly Detail[] = [
  { tables: 8, stages: 30, names: 4, alarms: 10, rows: 500 },
  { tables: 5, stages: 12, names: 3, alarms: 5, rows: 150 },
  { tables: 2, stages: 6, names: 1, alarms: 3, rows: 50 },
];

type Words = Pick<CheckRunContent, 'conclusion' | 'title' | 'summary' | 'text'>;

/** Title, summary and text within what GitHub takes. */
export function blastRadiusWords(radius: BlastRadius, links: Links): Words {
  const conclusion = conclusionOf(radius);
  const title = titleOf(radius);
  let [summary, text] = ['', ''];
  for (const detail of details) {
    summary = summaryOf(radius, links, detail);
    text = textOf(radius, detail);
    if (fits(summary) && fits(text)) break;
  }
  return { conclusion, title, summary, text };
}

function fits(text: string): boolean {
  return new TextEncoder().encode(text).length <= checkRunLimits.textBytesMax;
}

const plain = (name: string): string => plainLine(name, { max: 60 });

/** One line that knows no Markdown: the gravest that there is to say. */
function titleOf(radius: BlastRadius): string {
  const [landing] = radius.landings;
  if (radius.takesBack !== null) return `Takes back what fails${inSets(radius.reaches)}`;
  if (landing !== undefined) return landingTitle(landing);
  const [trouble, ...others] = radius.troubles;
  if (trouble !== undefined) {
    const stage =
      trouble.stage === null ? '' : ` in stage ${trouble.stage.number} (${plain(trouble.stage.name)})`;
    const more = others.length === 0 ? '' : `, and ${counted(others.length, 'other')}`;
    return `${plain(trouble.key)} is failing right now${stage}${more}`;
  }
  const [edit] = radius.edited;
  return edit === undefined ? reachTitle(radius) : editTitle(edit);
}

function editTitle({ key, name, change }: SetEdit): string {
  const what = key ?? name;
  const set = what === null ? 'an ApplicationSet' : `the ApplicationSet ${plain(what)}`;
  return `${editVerbs[change]} ${set}${change === 'added' ? '' : ' itself'}`;
}

const editVerbs = { added: 'Adds', changed: 'Changes', removed: 'Removes' } as const;

function landingTitle({ by, revert, key }: Landing): string {
  const what = revert === null ? 'was taken back' : `#${revert} took back`;
  return by === 'words'
    ? `Says that it lands again what ${what} in ${plain(key)}`
    : `Lands again what ${what} in ${plain(key)}`;
}

function inSets(reaches: readonly Reach[]): string {
  const [first] = reaches;
  if (first === undefined) return '';
  return reaches.length === 1
    ? ` in ${plain(first.key)}`
    : ` in ${counted(reaches.length, 'ApplicationSet')}`;
}

function reachTitle(radius: BlastRadius): string {
  const [first] = radius.reaches;
  if (first === undefined) {
    if (radius.generated.length > 0)
      return `Changes what ${plain(radius.generated[0]?.key ?? '')} is generated from`;
    return radius.doubts.length > 0 ? 'Cannot tell what it feeds' : 'Feeds no ApplicationSet';
  }
  if (radius.reaches.length > 1) {
    const applications = radius.reaches.reduce((sum, reach) => sum + reach.applications, 0);
    return `${counted(radius.reaches.length, 'ApplicationSet')}, ${counted(applications, 'Application')}`;
  }
  return `${plain(first.key)}: ${orderInWords(first, 5, plain)}; ${counted(first.clusters, 'cluster')}`;
}

function summaryOf(radius: BlastRadius, links: Links, detail: Detail): string {
  const tables = radius.reaches.slice(0, detail.tables);
  return [
    ...takesBack(radius, links),
    ...radius.landings.slice(0, detail.alarms).map((landing) => landingWords(landing, links)),
    ...radius.troubles
      .slice(0, detail.alarms)
      .map((trouble) => troubleWords(trouble, radius.takesBack !== null, links)),
    ...moreTroubles(radius, detail),
    ...editedWords(radius, detail),
    openingOf(radius),
    ...tables.flatMap((reach) => [
      ...(radius.reaches.length === 1 ? [] : [`**${codeSpan(reach.key, { max: 130 })}**`]),
      reachTable(reach, detail),
    ]),
    ...generatedWords(radius),
    ...radius.doubts.map(doubtInMarkdown),
    ...orderWords(radius),
  ]
    .filter((paragraph) => paragraph !== '')
    .join('\n\n');
}

function openingOf(radius: BlastRadius): string {
  const branch = codeSpan(radius.branch, { max: 100, isPublic: true });
  const [first] = radius.reaches;
  if (first === undefined) {
    if ([radius.generated, radius.edited, radius.doubts].some((some) => some.length > 0)) return '';
    return `Merging this into ${branch} rolls nothing out: no ApplicationSet takes from there what it changes. When it changes, I look again.`;
  }
  const applications = radius.reaches.reduce((sum, reach) => sum + reach.applications, 0);
  if (radius.reaches.length > 1)
    return `Merging this into ${branch} reaches **${counted(applications, 'Application')}** of **${counted(radius.reaches.length, 'ApplicationSet')}**.`;
  const order = orderInWords(first, 8, (name) => inlineText(name, { max: 40 }));
  return `Merging this into ${branch} reaches **${count(applications)} of ${count(first.total)}** Applications of ${codeSpan(first.key, { max: 130 })} on **${counted(first.clusters, 'cluster')}**: ${order}.`;
}

function takesBack({ takesBack: incident, reaches }: BlastRadius, links: Links): readonly string[] {
  if (incident === null) return [];
  const what = listOf(incident.suspects, 3, (suspect) => changeLink(suspect, links));
  const already =
    reaches.length === 0 ? ' The branch holds it no more, so merging this changes nothing.' : '';
  return [`**This takes back ${what}.** Its description says what fails and how far it got.${already}`];
}

function changeLink({ sha, subject, pullRequest }: Landing['suspect'], links: Links): string {
  const reference =
    pullRequest === null ? commitLink(sha, links) : pullRequestLink(pullRequest.number, links);
  return `${reference} ${codeSpan(subject, { max: 100, isPublic: true })}`;
}

const failedWords = {
  degraded: 'became Degraded',
  sync: 'could not be synced',
  render: 'could not be rendered',
} as const;

function landingWords(landing: Landing, links: Links): string {
  const { by, revert, suspect, key, stage, failureKind } = landing;
  const where = stage === null ? '' : ` in stage ${stageWords(stage)}`;
  const change = changeLink(suspect, links);
  const taken = revert === null ? 'was taken back' : `${pullRequestLink(revert, links)} took back`;
  const failed = `${codeSpan(key, { max: 130 })} ${failedWords[failureKind]} on it${where}`;
  switch (by) {
    case 'same-content':
      return `**This lands again what ${taken}**: ${change}. ${failed}, and it would get exactly the same once more. Correct what failed before you merge.`;
    case 'content':
      return `**This lands again what ${taken}**, in whole or in part: ${change}. ${failed}. If what failed is corrected here, go ahead; if not, it fails again.`;
    case 'words':
      return `**This says that it lands again what ${taken}**: ${change}. ${failed}. Its files do not hold that change as it was; see that what failed is corrected.`;
    default:
      return never(by);
  }
}

const failingWords = {
  degraded: 'is Degraded',
  sync: 'cannot be synced',
  render: 'cannot be rendered',
} as const;

function troubleWords(trouble: Trouble, isItsRevert: boolean, links: Links): string {
  const { key, stage, failureKind, revert } = trouble;
  const where = stage === null ? '' : ` in stage ${stageWords(stage)}`;
  const what = `**A rollout of ${codeSpan(key, { max: 130 })} is failing right now**: it ${failingWords[failureKind]}${where}.`;
  if (isItsRevert) return what;
  const together = 'merged now, this rolls out together with what fails';
  if (revert === null) return `${what} Unless this is what mends it, wait: ${together}.`;
  const link = pullRequestLink(revert.number, links);
  return revert.isMerged
    ? `${what} ${link} took back what did it, and not every Application is back yet. Unless this helps them, wait until it says so.`
    : `${what} ${link} takes back what did it. Unless this is what mends it, merge that first: ${together}.`;
}

function moreTroubles({ troubles }: BlastRadius, detail: Detail): readonly string[] {
  const rest = troubles.length - detail.alarms;
  return rest <= 0
    ? []
    : [
        `${counted(rest, 'more ApplicationSet')} that this feeds ${rest === 1 ? 'is' : 'are'} failing as well.`,
      ];
}

function generatedWords({ generated }: BlastRadius): readonly string[] {
  return generated.slice(0, 5).map(({ key, files }) => {
    const names = listOf(files, 3, (file) => codeSpan(file, { max: 120, isPublic: true }));
    return `It changes what ${codeSpan(key, { max: 130 })} is generated from (${names}): Applications can come, go or move to another revision, and how many shows only when Argo CD has read it.`;
  });
}

/** No folder tells what such a change does, and nobody is to blame for it by a commit. */
function editedWords({ edited }: BlastRadius, { alarms }: Detail): readonly string[] {
  return edited.slice(0, alarms).map(({ key, name, file, change }) => {
    const what = key ?? name;
    const set = what === null ? 'an ApplicationSet' : `the ApplicationSet ${codeSpan(what, { max: 130 })}`;
    const itself = change === 'added' ? '' : ' itself';
    const where = codeSpan(file, { max: 120, isPublic: true });
    return `**This ${editVerbs[change].toLowerCase()} ${set}${itself}** (${where}). ${editEffects[change]}`;
  });
}

const editEffects = {
  added:
    'Which Applications it generates, and where, shows when Argo CD has read it: `argocd appset generate` lists them before.',
  changed:
    'That reaches every Application that it generates at once, and I take no such change back. See first what becomes of them: `argocd appset generate` shows it.',
  removed:
    'Argo CD deletes its Applications with it, and what they deployed, unless it is told to keep them (`syncPolicy.preserveResourcesOnDeletion`).',
} as const;

/** The order is what Argo CD means to do; it has been seen to do otherwise. */
function orderWords({ reaches }: BlastRadius): readonly string[] {
  const hasOrder = reaches.some(
    (reach) =>
      reach.order === 'stages' && reach.stages.filter((stage) => stage.applications.length > 0).length > 1,
  );
  return hasOrder
    ? [
        'This is the order that is meant. Argo CD can sync a later stage early when its Applications notice the commit first.',
      ]
    : [];
}

function textOf({ reaches }: BlastRadius, detail: Detail): string {
  return reaches.length <= detail.tables
    ? ''
    : `Every ApplicationSet that this reaches:\n\n${reachList(reaches, detail.rows)}`;
}
